"""One game of an arena: bots of given levels over decks that the seed alone decides.

A deal is the decks of a whole game. It is played once in each rotation: in rotation r contender c
has the seat c + r, so that each of them plays every hand of the deal.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.bots.levels import BotLevel
from engine.bots.strategy import Strategy
from engine.chance import Entropy
from engine.play.apply import score_round
from engine.rules.spec import TableSpec
from engine.scoring import best_seats, totals
from engine.table.rounds import next_round, start_game
from engine.table.table import CALLED_OFF, RoundPhase, Table
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, play_round

DEALS_MAX = 60
"""Deals of one game after which it ends as it stands: some rules deal anew for want of a double."""


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
    table = _play_out(spec, decks, strategies, chance)
    won = (
        best_seats(spec.rules, table.past, seats) if table.past else tuple(map(Seat, range(seats)))
    )
    by_seat = totals(table) if table.past else (0,) * seats
    points, shares = [0] * seats, [0.0] * seats
    for seat, contender in enumerate(at_seat):
        points[contender] = by_seat[seat]
        shares[contender] = 1 / len(won) if seat in won else 0.0
    return MatchScore(match, tuple(points), tuple(shares))


def _play_out(
    spec: TableSpec, decks: bytes, strategies: Sequence[Strategy], chance: Entropy
) -> Table:
    """The table when the game is over; each of its deals has a deck of its own."""
    table = start_game(spec, Seat(0))
    for number in range(DEALS_MAX):
        tiles = deal(table, seeded(decks + b"/deck/" + str(number).encode()))
        played = play_round(table, tiles, strategies, chance, informed=True)
        table = played.table
        if table.outcome is not None and table.outcome.ending not in CALLED_OFF:
            left = [[played.tiles[at] for at in held] for held in table.hands]
            table, _ = score_round(table, left)
        if table.phase is RoundPhase.FINISHED:
            break
        table = next_round(table)
    return table
