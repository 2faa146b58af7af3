"""Games of many tables added up, with a place for each person."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from cli.language import say
from cli.results.summary import Summary

_DIGITS: Final = 2
"""The decimals to which average places are rounded, to be compared and shown."""


class Placing(Struct, frozen=True):
    """The finished games of one person, added up; `key` is 64 hex digits, `name` the latest one."""

    place: int
    """The place, counted from 1; equal rows share one."""
    name: str
    key: str
    games: int
    won: int
    mean_place: float
    rounds: int
    """The rounds played; those before a latecomer sat down do not count."""
    points: int
    """The totals of the games, including the points that a latecomer began with."""
    average: float | None
    """Points per round played; None without a round."""


def each_once(games: Iterable[Summary]) -> list[Summary]:
    """Return each game once, although several players may have brought a record of it.

    A finished record is preferred, then the longest, because the record of a player who left ends
    early. Games are in the order of their first records.
    """
    found = dict[str, Summary]()
    for game in games:
        other = found.get(game.game)
        if other is None or (game.finished, game.octets) > (other.finished, other.octets):
            found[game.game] = game
    return list(found.values())


def standings_of(games: Iterable[Summary]) -> tuple[Placing, ...]:
    """Add up games, given oldest first; each key counts as one person, and bots are left out.

    The games must be finished, which is not checked. The rows are in the order that `order_text`
    describes; equal rows share a place.
    """
    played = dict[str, list[tuple[Summary, int]]]()
    for game in games:
        for seat, player in enumerate(game.players):
            if not player.bot:
                played.setdefault(player.key, []).append((game, seat))
    rows = [_added_up(key, seats) for key, seats in played.items()]
    rows.sort(key=lambda row: (_rank(row), row.name.casefold(), row.key))
    ranks = [_rank(row) for row in rows]
    return tuple(replace(row, place=1 + ranks.index(_rank(row))) for row in rows)


def order_text() -> str:
    """Return a sentence on the order of the rows of `standings_of`."""
    return say("Ranked by wins, then by average place.")


def times_ahead(games: Iterable[Summary]) -> Counter[tuple[str, str]]:
    """Count, for each pair of keys, the games in which the first was placed before the second.

    Bots count too. A player who left a game was last in it.
    """
    found = Counter[tuple[str, str]]()
    for game in games:
        ranks = [(_place(game, at), each.key) for at, each in enumerate(game.players)]
        pairs = permutations(ranks, 2)
        found.update((one, other) for (own, one), (theirs, other) in pairs if own < theirs)
    return found


def with_bots(game: Summary) -> Summary:
    """Return the game with each bot turned into a person whose key is the bot's name."""
    players = (
        replace(each, key=each.name, bot=False) if each.bot else each for each in game.players
    )
    return replace(game, players=(*players,))


def _rank(row: Placing) -> tuple[int, float]:
    return -row.won, row.mean_place


def _added_up(key: str, seats: list[tuple[Summary, int]]) -> Placing:
    places = [_place(game, seat) for game, seat in seats]
    last, seat = seats[-1]
    points = [game.scores[at][seat] for game, seat in seats for at in game.rounds_of(seat)]
    return Placing(
        place=0,
        name=last.players[seat].name,
        key=key,
        games=len(seats),
        won=sum(seat in game.winners for game, seat in seats),
        mean_place=round(sum(places) / len(places), _DIGITS),
        rounds=len(points),
        points=sum(game.totals[seat] for game, seat in seats),
        average=round(sum(points) / len(points), 1) if points else None,
    )


def _place(game: Summary, seat: int) -> int:
    """Return the place of a seat in a game; a player who left it has the last place.

    Old summaries have no places: in them, everybody but the winners has the last place.
    """
    if not game.places:
        return 1 if seat in game.winners else len(game.players)
    return game.places[seat] or len(game.players)
