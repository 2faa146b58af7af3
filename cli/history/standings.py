"""The standings of an evening: games of many tables added up, with a place for each person."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from cli.history.stats import rules_of
from cli.history.summary import Summary

_DIGITS: Final = 2
"""Decimals of what rows are compared and shown by."""


class Placing(Struct, frozen=True):
    """What one person's finished games come to; `key` is 64 hex digits, `name` the latest one."""

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


class _Played(NamedTuple):
    """One person's part of one game."""

    name: str
    won: bool
    place: int
    rounds: int
    points: int


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


def places_in(game: Summary) -> tuple[int, ...]:
    """Return the place of every seat by its total, counted from 1; equal seats share the better.

    Who won is first, even where rules make a winner of somebody whose total is not the best.
    """
    rules = rules_of(game)
    ranks = [
        (seat not in game.winners, rules.standing(total)) for seat, total in enumerate(game.totals)
    ]
    return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)


def standings_of(games: Iterable[Summary]) -> tuple[Placing, ...]:
    """Add up finished games, oldest first; a person is a key, and bots are nobody.

    Most games won come first, then the better place on average.
    """
    played = dict[str, list[_Played]]()
    for game in games:
        places = places_in(game)
        for seat, player in enumerate(game.players):
            if not player.bot:
                part = _Played(
                    player.name,
                    seat in game.winners,
                    places[seat],
                    len(game.scores),
                    game.totals[seat],
                )
                played.setdefault(player.key, []).append(part)
    rows = [_added_up(key, parts) for key, parts in played.items()]
    rows.sort(key=lambda row: (_rank(row), row.name.casefold(), row.key))
    ranks = [_rank(row) for row in rows]
    return tuple(replace(row, place=1 + ranks.index(_rank(row))) for row in rows)


def _rank(row: Placing) -> tuple[int, float]:
    return -row.won, row.mean_place


def _added_up(key: str, parts: list[_Played]) -> Placing:
    return Placing(
        place=0,
        name=parts[-1].name,
        key=key,
        games=len(parts),
        won=sum(part.won for part in parts),
        mean_place=round(sum(part.place for part in parts) / len(parts), _DIGITS),
        rounds=sum(part.rounds for part in parts),
        points=sum(part.points for part in parts),
    )
