"""The standings of an evening: games of many tables added up, with a place for each person."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from cli.results.summary import Summary

_DIGITS: Final = 2
"""Decimals of what rows are compared and shown by."""


class Placing(Struct, frozen=True):
    """The finished games of one person, added up; `key` is 64 hex digits, `name` the latest one."""

    place: int
    """Counted from 1; equal rows share a place."""
    name: str
    key: str
    games: int
    won: int
    mean_place: float
    rounds: int
    points: int

    @property
    def average(self) -> float:
        """Points a round."""
        return round(self.points / max(1, self.rounds), 1)


def each_once(games: Iterable[Summary]) -> list[Summary]:
    """Return each game once, however many of its players brought a record of it: the fullest one.

    A leaver's record of a game ends before those of the others.
    """
    found = dict[str, Summary]()
    for game in games:
        other = found.get(game.game)
        if other is None or (game.finished, game.octets) > (other.finished, other.octets):
            found[game.game] = game
    return list(found.values())


def standings_of(games: Iterable[Summary]) -> tuple[Placing, ...]:
    """Add up finished games, oldest first; a person is a key, and bots are nobody.

    Most games won come first, then the better place on average.
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


def times_ahead(games: Iterable[Summary]) -> Counter[tuple[str, str]]:
    """Count, for each two keys, the games in which the first was placed before the second."""
    found = Counter[tuple[str, str]]()
    for game in games:
        ranks = [(_place(game, at), each.key) for at, each in enumerate(game.players)]
        pairs = permutations(ranks, 2)
        found.update((one, other) for (own, one), (theirs, other) in pairs if own < theirs)
    return found


@dataclass(slots=True)
class Evening:
    """The games that one company has finished while somebody was with it here.

    Bots are players there: they keep their names from table to table, so that is their key.
    """

    games: tuple[Summary, ...] = ()

    def add(self, game: Summary, *, by_name: bool = False) -> None:
        """Count one more game, once; `by_name` where keys are those of a seed."""
        players = (
            replace(each, key=each.name, bot=False) if each.bot or by_name else each
            for each in game.players
        )
        self.games = tuple(each_once((*self.games, replace(game, players=(*players,)))))


def _rank(row: Placing) -> tuple[int, float]:
    return -row.won, row.mean_place


def _added_up(key: str, seats: list[tuple[Summary, int]]) -> Placing:
    """Add up the seats of one person."""
    places = [_place(game, seat) for game, seat in seats]
    last, seat = seats[-1]
    return Placing(
        place=0,
        name=last.players[seat].name,
        key=key,
        games=len(seats),
        won=sum(seat in game.winners for game, seat in seats),
        mean_place=round(sum(places) / len(places), _DIGITS),
        rounds=sum(len(game.scores) for game, _ in seats),
        points=sum(game.totals[seat] for game, seat in seats),
    )


def _place(game: Summary, seat: int) -> int:
    """Return the place of a seat; whoever left a game has the last one in it."""
    return game.places[seat] or len(game.players)
