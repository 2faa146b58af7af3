"""The end of a round in words: hands, points, places, the longest train, the winner."""

from collections.abc import Iterator, Sequence
from typing import Final

from cli.language import joined, say, say_count, say_to
from cli.scene import RoundCard, count_text, rounds_text, say_of, tile_text, tiles_text, train_name
from cli.wording.convicts import convict_texts
from cli.wording.departures import owing_texts
from cli.wording.events import event_sentence, whose_train
from cli.wording.notices import mixed_text
from engine.play.reach import played_trains
from engine.rules.ruleset import RuleSet
from engine.rules.switches import HandPoints, Partners
from engine.scoring import hand_points, places, tile_points, totals
from engine.table.events import RoundEnded
from engine.table.rounds import round_winners
from engine.table.table import Ending, Table
from engine.table.trains import Seat


def round_title(card: RoundCard) -> str:
    """Return the number of the round, how many there are, and the engine if one was found."""
    table = card.end.table
    facts = {"number": table.round_number + 1, "rounds": rounds_text(table.spec)}
    if table.hub is None:
        return say("Round {number} of {rounds}", **facts)
    return say("Round {number} of {rounds}, engine {tile}", tile=tile_text(table.hub), **facts)


def won_text(card: RoundCard) -> str:
    """Return a sentence on how the round ended and who won it; asserts that it has ended."""
    table, scene = card.end.table, card.scene
    assert table.outcome is not None, "a round that is laid open has ended"
    ending, out = table.outcome
    scores = scored(table)
    if not scores or ending is Ending.LEFT:
        return event_sentence(scene, RoundEnded(ending, out))
    if out is not None:
        return say_of(scene, out, "{who} went out and won the round.")
    won = round_winners(table)
    names = [card.names[seat] for seat in won if seat != card.seat]
    you = card.seat in won
    if you:
        names = [say("you"), *names]
    text = "Nobody could play any more: {names} won the round with the fewest points."
    return say_to(you, text, names=joined(names))


def scored(table: Table) -> tuple[int, ...]:
    """Return the round's points by seat; empty if it is not scored, or was called off."""
    return next(iter(table.past[table.round_number :]), ())


def by_place(stand: Sequence[int | None]) -> list[int]:
    """Return the seats in the order of their places; seats that have left come last."""
    return sorted(range(len(stand)), key=lambda seat: (stand[seat] or len(stand) + 1, seat))


def held_text(card: RoundCard, seat: int) -> str:
    """Return the tiles that a seat still held, heaviest first, and the reasons for its points.

    `gone` or `nothing` replaces an empty list. A tile that does not count by its pips has its
    points in brackets.
    """
    held, rules = card.end.hands[seat], card.end.table.rules
    tiles: list[str] = []
    for tile in sorted(held, key=lambda t: (-tile_points(rules, t), -t.high)):
        counts = tile_points(rules, tile)
        tiles.append(tile_text(tile) if counts == tile.pips else f"{tile_text(tile)} ({counts})")
    if not held:
        tiles.append(say("gone" if card.end.table.game.gone >> seat & 1 else "nothing"))
    return "; ".join([" ".join(tiles), *_reasons(card, seat)])


def _reasons(card: RoundCard, seat: int) -> Iterator[str]:
    """Yield the reasons why a seat's points are not those of its tiles; none if not scored."""
    table, scores = card.end.table, scored(card.end.table)
    own = hand_points(table.rules, card.end.hands[seat])
    forfeit = dict(table.game.forfeits).get(Seat(seat), 0)
    if not scores:
        return
    if forfeit:
        yield say("{points} for going", points=count_text(forfeit))
    if table.rules.partners is Partners.YES:
        half = len(scores) // 2
        yield say("with {name}", name=card.names[(seat + half) % len(scores)])
    if table.rules.scoring is HandPoints.WINNER_TAKES:
        if scores[seat]:
            yield say("takes the points of the others")
        elif own:
            yield say_count("1 point for the winner", "{count} points for the winner", own)
    elif scores[seat] < own:
        yield say_count("1 point not counted", "{count} points not counted", own - scores[seat])


def longest_text(card: RoundCard) -> str:
    """Return a sentence on the longest train, or trains of equal length, or that none was begun."""
    table = card.end.table
    trains = played_trains(table)
    longest = max(len(train.lays) for train in trains)
    if not longest:
        return say("No train was begun.")
    shared = [train.id for train in trains if len(train.lays) == longest]
    if len(trains) == 1:
        where = whose_train(card.scene, shared[0])
        return say("{tiles} lie on {train}.", tiles=tiles_text(longest), train=where)
    names = [train_name(card.scene, train) for train in shared]
    return say_count(
        "Longest train: {trains}, {tiles}.",
        "Longest trains: {trains}, {tiles}.",
        len(names),
        trains=joined(names),
        tiles=tiles_text(longest),
    )


def card_sentences(card: RoundCard) -> tuple[str, ...]:
    """Return the card as sentences: title and winner, a sentence per seat, then the foot.

    The leader comes first.
    """
    table = card.end.table
    stand, total = places(table), totals(table)
    said = [f"{round_title(card)}.", won_text(card)]
    scores = scored(table)
    for seat in by_place(stand):
        points = [say("no points")]
        if scores:
            text = "{points} this round, {total} in all"
            points = [say(text, points=count_text(scores[seat]), total=total[seat])]
        if stand[seat] is not None:
            points.append(say("place {place}", place=stand[seat]))
        own, held = seat == card.seat, card.end.hands[seat]
        text = "You have {points}." if own else "{name} has {points}."
        if held:
            text = (
                "You have {points}; held {tiles}." if own else "{name} has {points}; held {tiles}."
            )
        said.append(
            say(text, points=", ".join(points), name=card.names[seat], tiles=held_text(card, seat))
        )
    return (*said, foot_text(card))


def foot_text(card: RoundCard) -> str:
    """Return the foot of the card: how one wins, the longest train, and how many shuffled.

    The first of these is left out once the game is over. If somebody has points for leaving, or
    gets them with the next round, the reason follows. Then come the seats that left in this round
    while others waited for their shares, with how often they did so in the game. Last come the
    players proved to have cheated.
    """
    table = card.end.table
    wins = "" if card.is_last else wins_text(table.rules)
    are_scored = bool(scored(table)) or not card.is_last
    has_left = are_scored and any(points for _, points in table.game.forfeits)
    leaving = say(LEAVING) if has_left else ""
    mixed = mixed_text(card.end.mixers)
    found = (wins, longest_text(card), mixed, leaving, *_owing(card), *_cheated(card))
    return " ".join(filter(None, found))


def _owing(card: RoundCard) -> Iterator[str]:
    """Yield sentences on seats that left in this round and owed shares.

    Yield none if the game is over too, because the end of the game names all such seats.
    """
    number = card.end.table.round_number
    gone = () if card.is_last else card.departures
    now = {each.key for each in gone if each.round_number == number}
    return owing_texts(each for each in gone if each.key in now)


def _cheated(card: RoundCard) -> Iterator[str]:
    """Yield sentences on the cheats found out in this round, or none if the game is over too."""
    number = card.end.table.round_number
    found = () if card.is_last else card.convicts
    return convict_texts((each for each in found if each.found_in == number), is_over=False)


LEAVING: Final = (
    "Leaving or being voted out costs points: the heaviest tiles not yet played, as many as you "
    "still hold."
)
"""The price of leaving for good. [docs/rules.md §7.11]"""


def wins_text(rules: RuleSet) -> str:
    """Return a sentence saying whether few points win or many."""
    few = rules.standing(1) > 0
    return say("The fewest points win." if few else "The most points win.")
