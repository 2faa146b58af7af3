"""One game of an arena: bots of given levels with decks that depend on the seed alone.

A deal is the decks of a whole game. It is played once in each rotation: in rotation r contender c
has seat c + r, so each contender plays every hand of the deal.
"""

from math import inf
from typing import NamedTuple

from engine.bots.effort import Effort
from engine.bots.levels import BotLevel
from engine.bots.search import Foresight, foresee
from engine.chance import Entropy
from engine.rules.spec import TableSpec
from engine.scoring import best_seats, totals
from engine.table.moves import Move
from engine.table.trains import Seat
from engine.view import SeatView
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_game


class Contest(NamedTuple):
    """The games of a contest: the table, the bots, the seed, and how much the bots may think."""

    spec: TableSpec
    levels: tuple[BotLevel, ...]
    """The level of each contender, one for each seat."""
    seed: bytes
    rollouts: float = inf
    """The most rounds to play out for a move, even if a level would play out more."""
    between: int = 0
    """Rounds that a thinking level plays out for its next turn at each move of another seat."""


class Contender:
    """A bot at its seat for a game: it moves, and may think while others move."""

    def __init__(self, level: BotLevel, contest: Contest) -> None:
        self.level = level
        self._rollouts = contest.rollouts
        self._between = contest.between
        self._foresight = Foresight()

    def choose(self, view: SeatView, entropy: Entropy) -> Move:
        """Return a move, using the bot's foresight of this turn, and start a new foresight."""
        foresight, self._foresight = self._foresight, Foresight()
        return self.level.choose(view, entropy, Effort(self._rollouts), foresight)

    def look_on(self, view: SeatView, entropy: Entropy) -> None:
        """Think ahead while another seat moves, if the level thinks and the contest lets it."""
        if self.level.thinks and self._between:
            foresee(view, entropy, Effort(self._between), self._foresight)


class Match(NamedTuple):
    """A deal, counted from 0, and the rotation in which it is played."""

    deal: int
    rotation: int


class MatchScore(NamedTuple):
    """The result of a match, by contender."""

    match: Match
    points: tuple[int, ...]
    shares: tuple[float, ...]
    """Each contender's part of the win: 1 for a sole winner, a half each for two who tie."""


def match_at(contest: Contest, number: int) -> Match:
    """Return the match with this number; all rotations of a deal come before the next deal."""
    return Match(*divmod(number, contest.spec.seats))


def play_match(contest: Contest, match: Match) -> MatchScore:
    """Play a whole game and return its score.

    If no round was scored, everybody has 0 points and an equal share of the win.
    """
    spec, seats = contest.spec, contest.spec.seats
    at_seat = [(seat - match.rotation) % seats for seat in range(seats)]
    decks = contest.seed + b"/deal/" + str(match.deal).encode()
    chance = seeded(decks + b"/rotation/" + str(match.rotation).encode())
    bots = [Contender(contest.levels[contender], contest) for contender in at_seat]
    strategies, onlookers = [bot.choose for bot in bots], [bot.look_on for bot in bots]

    def deck(number: int) -> Entropy:
        return seeded(decks + b"/deck/" + str(number).encode())

    table = play_game(spec, strategies, chance, deck, informed=True, onlookers=onlookers)
    won = (
        best_seats(spec.rules, table.past, seats) if table.past else tuple(map(Seat, range(seats)))
    )
    by_seat = totals(table) if table.past else (0,) * seats
    points, shares = [0] * seats, [0.0] * seats
    for seat, contender in enumerate(at_seat):
        points[contender] = by_seat[seat]
        shares[contender] = 1 / len(won) if seat in won else 0.0
    return MatchScore(match, tuple(points), tuple(shares))
