"""The end of a game in words, and the results of an evening's games."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from cli.language import joined, say, say_count
from cli.results.highlights import Feat, highlights, longest_trains
from cli.results.standings import Placing, order_text, standings_of, times_ahead
from cli.results.summary import Summary
from cli.scene import Convict, Scene, count_text, tiles_text
from cli.wording.convicts import convict_texts
from cli.wording.departures import owing_texts
from cli.wording.events import event_sentence
from cli.wording.round_end import by_place, wins_text
from engine.table.events import GameEnded
from engine.table.trains import Seat
from netgame.protocol.ledger.departures import GoneSeat

_PAIRS_MAX: Final = 8
"""From this many opponents on, a player's row has only their sum."""


class GameEnd(Struct, frozen=True):
    """A game that is over: its table, its summary, who has gone, and who has cheated."""

    scene: Scene
    told: Summary
    departures: tuple[GoneSeat, ...] = ()
    convicts: tuple[Convict, ...] = ()


_ONCE: Final = {
    Feat.OUT: "went out once",
    Feat.COVERED: "1 double covered for others",
    Feat.DREW: "1 tile drawn",
    Feat.MARKED: "train open to all for 1 turn",
    Feat.DOUBLES: "1 double played",
    Feat.BEST: "best round: 1 point in round {round}",
}
_OFTEN: Final = {
    Feat.OUT: "went out {count} times",
    Feat.COVERED: "{count} doubles covered for others",
    Feat.DREW: "{count} tiles drawn",
    Feat.MARKED: "train open to all for {count} turns",
    Feat.DOUBLES: "{count} doubles played",
    Feat.BEST: "best round: {count} points in round {round}",
}


def winner_text(end: GameEnd) -> str:
    """Return a sentence saying who has won the game."""
    return event_sentence(end.scene, GameEnded(tuple(map(Seat, end.told.winners))))


def highlight_texts(told: Summary) -> tuple[str, ...]:
    """Return each seat's highlight in words; empty for a seat that left, or has none."""
    said: list[str] = []
    for found in highlights(told):
        if found is None:
            said.append("")
            continue
        text = say_count(_ONCE[found.feat], _OFTEN[found.feat], found.count, round=found.round)
        best = found.feat is Feat.BEST
        most = "{what}; nobody had a better one" if best else "{what}, more than anyone else"
        said.append(say(most, what=text) if found.is_most else text)
    return tuple(said)


def foot_of_game_text(end: GameEnd) -> str:
    """Return sentences on whether few or many points win, and on the longest own train, if any.

    Then come the players who left while others waited for their shares, with how often they did,
    and the cheats.
    """
    tiles, seats = longest_trains(end.told)
    names = joined([end.told.players[seat].name for seat in seats])
    text = "Longest own train of the game: {names}, {tiles}." if tiles else ""
    said = say(text, names=names, tiles=tiles_text(tiles))
    wins = wins_text(end.scene.table.rules)
    cheated = convict_texts(end.convicts, is_over=True)
    return " ".join(filter(None, (wins, said, *owing_texts(end.departures), *cheated)))


def game_sentences(end: GameEnd) -> tuple[str, ...]:
    """Return the end of a game as sentences: the winner, a sentence per seat, the foot.

    The seats are in the order of their places.
    """
    told, texts, said = end.told, highlight_texts(end.told), [winner_text(end)]
    for seat in by_place(told.places):
        text = "{place}. {name}, {points}: {what}."
        if not texts[seat]:
            text = "{place}. {name}, {points}."
        points = count_text(told.totals[seat])
        place, name = told.places[seat] or "-", told.players[seat].name
        said.append(say(text, place=place, name=name, points=points, what=texts[seat]))
    return (*said, foot_of_game_text(end))


class Met(NamedTuple):
    """The name of an opponent, and in how many games a player was ahead of them, and behind."""

    name: str
    ahead: int
    behind: int


def evening_rows(games: Sequence[Summary]) -> Iterator[tuple[Placing, tuple[Met, ...]]]:
    """Yield the row of each person, in the order of `standings_of`, and the others they have met.

    Others whom they were never ahead of or behind are left out.
    """
    rows, ahead = standings_of(games), times_ahead(games)
    for row in rows:
        met = (Met(each.name, ahead[row.key, each.key], ahead[each.key, row.key]) for each in rows)
        yield row, tuple(each for each in met if each.ahead or each.behind)


def met_texts(met: Sequence[Met]) -> tuple[str, ...]:
    """Return each opponent with the games ahead and behind: `Ann 2-1`.

    Eight or more opponents are summed up in one text.
    """
    if len(met) >= _PAIRS_MAX:
        met = [
            Met(say("others"), sum(each.ahead for each in met), sum(each.behind for each in met))
        ]
    return tuple(f"{each.name} {each.ahead}-{each.behind}" for each in met)


def evening_title(games: Sequence[Summary]) -> str:
    """Return how many games the evening has had, and how the players are ordered."""
    one, many = "The evening so far: 1 game.", "The evening so far: {count} games."
    return f"{say_count(one, many, len(games))} {order_text()}"


def evening_sentences(games: Sequence[Summary]) -> tuple[str, ...]:
    """Return an evening as sentences: its title, and a sentence per person by place."""
    said = [evening_title(games)]
    for row, met in evening_rows(games):
        text = "{place}. {name}: won {won}, {points}; ahead and behind: {met}."
        points, others = count_text(row.points), ", ".join(met_texts(met))
        said.append(
            say(text, place=row.place, name=row.name, won=row.won, points=points, met=others)
        )
    return tuple(said)
