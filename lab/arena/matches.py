"""One game of an arena: bots of given levels over decks that the seed alone decides.

A deal is the decks of a whole game. It is played once in each rotation: in rotation r contender c
has the seat c + r, so that each of them plays every hand of the deal.
"""

from typing import NamedTuple

from engine.bots.levels import BotLevel
from engine.chance import Entropy
from engine.rules.spec import TableSpec
from engine.scoring import best_seats, totals
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_game


class Contest(NamedTuple):
    """What is played, by whom, and from which seed."""

    spec: TableSpec
    levels: tuple[BotLevel, ...]
    """Of each contender, one for each seat."""
    seed: bytes


class Match(NamedTuple):
    """A deal, counted from 0, and the rotation in which it is played."""

    deal: int
    rotation: int


class MatchScore(NamedTuple):
    """How a match ended, by contender."""

    match: Match
    points: tuple[int, ...]
    shares: tuple[float, ...]
    """What part of the win each has: who wins alone 1, two who tie a half."""


def match_at(contest: Contest, number: int) -> Match:
    """The match with this number: all rotations of a deal, then the next deal."""
    return Match(*divmod(number, contest.spec.seats))


def play_match(contest: Contest, match: Match) -> MatchScore:
    """Play a whole game."""
    spec, seats = contest.spec, contest.spec.seats
    at_seat = [(seat - match.rotation) % seats for seat in range(seats)]
    decks = contest.seed + b"/deal/" + str(match.deal).encode()
    chance = seeded(decks + b"/rotation/" + str(match.rotation).encode())
    strategies = [contest.levels[contender].choose for contender in at_seat]

    def deck(number: int) -> Entropy:
        return seeded(decks + b"/deck/" + str(number).encode())

    table = play_game(spec, strategies, chance, deck, informed=True)
    won = (
        best_seats(spec.rules, table.past, seats) if table.past else tuple(map(Seat, range(seats)))
    )
    by_seat = totals(table) if table.past else (0,) * seats
    points, shares = [0] * seats, [0.0] * seats
    for seat, contender in enumerate(at_seat):
        points[contender] = by_seat[seat]
        shares[contender] = 1 / len(won) if seat in won else 0.0
    return MatchScore(match, tuple(points), tuple(shares))
