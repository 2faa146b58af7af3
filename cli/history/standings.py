"""The standings of an evening: games of many tables added up, with a place for each person."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from cli.history.summary import Summary

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


def _rank(row: Placing) -> tuple[int, float]:
    return -row.won, row.mean_place


def _added_up(key: str, seats: list[tuple[Summary, int]]) -> Placing:
    """Add up the seats of one person; whoever left a game has the last place in it."""
    places = [game.places[seat] or len(game.players) for game, seat in seats]
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
