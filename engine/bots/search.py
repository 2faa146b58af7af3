"""Search: a move is as good as the rounds that follow it, over deals that agree with what is known.

Deals are drawn of all that the seat does not see. In each, every move still in question is made and
the round played out by the quick policy; all see the same deals, so that luck is the same for all.
A move that is clearly behind is dropped, so that the deals that are left tell the others apart.
"""

from collections.abc import Callable, Sequence
from math import fsum, sqrt
from typing import Final, TypeAlias

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.house import choose, ranked
from engine.bots.policy import chosen, lay, plan_anew, play
from engine.bots.strategy import forced
from engine.bots.world import FastWorld, is_played_fast, world_of
from engine.bots.world_rules import world_rules
from engine.chance import Entropy
from engine.knowledge import Knowledge
from engine.scoring import hangs_on_all, round_scores, tile_points
from engine.table.moves import Done, LayChain, LayTile, Move
from engine.table.table import Hand, Table
from engine.table.trains import TrainId, train_index
from engine.tiles import Tile
from engine.view import SeatView

MayGoOn: TypeAlias = Callable[[], bool]
"""Whether there is still time to think; asked before every deal."""


OPTIONS_MAX: Final = 8
"""Moves that are tried: the policy's, and the best ones as the house bot ranks them."""

DEALS_BETWEEN: Final = 10
"""Deals after which moves are dropped that do clearly worse."""

SPREAD: Final = 3.0
"""Points by which moves differ, as long as nothing is known of them."""

HANDICAP: Final = 1.0
"""Points by which a move is expected to be worse than the policy's, until deals say otherwise."""

CLEAR: Final = 2.2
"""Standard errors by which a move has to be behind to be dropped."""


def always() -> bool:
    """Think until the rollouts are used up."""
    return True


def search(view: SeatView, entropy: Entropy, rollouts: int, may_go_on: MayGoOn = always) -> Move:
    """The move after which the seat ends best, of so many rounds played out at most.

    The seat must be in turn. Under rules that the fast world does not know the house bot moves.
    """
    moves = view.legal
    move = forced(view, moves)
    if move is not None:
        return move
    if view.hand is None or not is_played_fast(view.table):
        return choose(view, entropy)
    options = ranked(view, [move for move in moves if isinstance(move, LayTile)])
    options += [move for move in moves if isinstance(move, LayChain | Done)]
    if len(options) == 1:
        return options[0]
    thought = _Thought(view.table, view.hand, view.known, entropy)
    usual = thought.usual()
    options.sort(key=lambda move: thought.steps_of(move)[:1] != usual)
    tried = _Tried([thought.steps_of(move) for move in options[:OPTIONS_MAX]])
    while not tried.is_clear and tried.spent < rollouts:
        for _ in range(DEALS_BETWEEN):
            if not may_go_on():
                return options[tried.best()]
            tried.compare(thought)
        tried.drop()
    return options[tried.best()]


def is_weighable(view: SeatView, move: Move) -> bool:
    """Whether `weigh` can say what this move of the seat in turn is worth."""
    weighed = isinstance(move, LayTile | LayChain | Done)
    return weighed and view.hand is not None and is_played_fast(view.table)


def weigh(
    view: SeatView, moves: Sequence[Move], entropy: Entropy, deals: int, may_go_on: MayGoOn = always
) -> tuple[tuple[float, ...], ...]:
    """What each of these moves comes to in the same deals: points by move, then by deal.

    All of them must be legal and `is_weighable`; the deals are none that chose between them, so
    that the better one is not only the luckier one.
    """
    if view.hand is None:
        return tuple(() for _ in moves)
    thought = _Thought(view.table, view.hand, view.known, entropy)
    steps = [thought.steps_of(move) for move in moves]
    found = list[list[float]]()
    while len(found) < deals and may_go_on():
        world = thought.world()
        found.append([thought.worth(world, each) for each in steps])
    return tuple(zip(*found, strict=True)) if found else tuple(() for _ in moves)


_Step: TypeAlias = tuple[int, int, int]
"""The number of a tile, its train, and the end that is open then."""


class _Tried:
    """Moves, the policy's first, and what each came to in the deals so far."""

    def __init__(self, moves: Sequence[tuple[_Step, ...]]) -> None:
        self._moves = moves
        self._left = list(range(len(moves)))
        self._worths = [list[float]() for _ in moves]
        self.spent = 0

    @property
    def is_clear(self) -> bool:
        """Whether one move alone is left."""
        return len(self._left) == 1

    def compare(self, thought: "_Thought") -> None:
        """Make every move that is left in one more deal."""
        world = thought.world()
        for at in self._left:
            self._worths[at].append(thought.worth(world, self._moves[at]))
        self.spent += len(self._left)

    def best(self) -> int:
        """The move that is likely to be best: the policy's, unless another one looks better.

        What is expected of another one before any deal counts as much as deals would that were as
        sure of it.
        """
        usual, *others = self._left
        best, most = usual, 0.0
        for at in others:
            lead, error = self._lead(at, usual)
            trust = SPREAD**2 / (SPREAD**2 + error**2)
            likely = trust * lead - (1 - trust) * HANDICAP
            if likely > most:
                best, most = at, likely
        return best

    def drop(self) -> None:
        """Leave out the moves that do clearly worse than the best one."""
        best = self.best()
        kept = []
        for at in self._left:
            lead, error = self._lead(at, best) if at != best else (0.0, 0.0)
            if lead + CLEAR * error >= 0:
                kept.append(at)
        self._left = kept

    def _lead(self, one: int, other: int) -> tuple[float, float]:
        """By how much one move did better than another a deal, and the error of that."""
        leads = [a - b for a, b in zip(self._worths[one], self._worths[other], strict=True)]
        if not leads:
            return 0.0, SPREAD
        lead = fsum(leads) / len(leads)
        squares = fsum([each * each for each in leads]) / len(leads) - lead * lead
        return lead, sqrt(max(1.0, squares) / len(leads))


class _Thought:
    """Worlds that agree with what a seat knows, and what moves come to in them."""

    def __init__(self, table: Table, hand: Hand, known: Knowledge, entropy: Entropy) -> None:
        self._rules = world_rules(table.spec.rules, table.spec.pip_max)
        self._table, self._seat = table, hand.seat
        hidden = HiddenTiles(table, hand, known)
        self._owners = tuple(hidden.owners.values())
        self._source = DealSource(hidden, entropy)
        bits = self._rules.set.bits
        self._bits = bits
        self._numbers = {tile: bit.bit_length() - 1 for tile, bit in bits.items()}
        hands = [0] * table.spec.seats
        hands[hand.seat] = sum([bits[tile] for at, tile in hand.tiles])
        self._outset = world_of(table, hands, (), self._rules)
        drawn = set(table.turn.drawn)
        self._outset.drawn_bits = sum([bits[tile] for at, tile in hand.tiles if at in drawn])
        self._outset.unseen = self._rules.set.of(table.unseen)
        plan_anew(self._outset, hand.seat)
        points = [tile_points(table.rules, tile) for tile in self._rules.set.tiles]
        self._points = tuple(points)

    def usual(self) -> tuple[_Step, ...]:
        """What the policy begins with, which needs good reasons to be left."""
        number, at = chosen(self._outset)
        if number < 0:
            return ()
        return ((number, at, self._rules.set.far[self._outset.ends[at]][number]),)

    def steps_of(self, move: Move) -> tuple[_Step, ...]:
        """The lays that a move consists of."""
        seats = self._table.spec.seats
        links: tuple[tuple[Tile, int, TrainId], ...] = ()
        if isinstance(move, LayTile):
            links = ((move.tile, move.joined, move.train),)
        elif isinstance(move, LayChain):
            trains = [move.train] * len(move.lays)
            if move.back:
                trains[-1] = self._table.turn.doubles[0][0]
            lays = zip(move.lays, trains, strict=True)
            links = tuple([(link.tile, link.joined, train) for link, train in lays])
        return tuple(
            [
                (self._numbers[tile], train_index(seats, train), tile.other_end(joined))
                for tile, joined, train in links
            ]
        )

    def world(self) -> FastWorld:
        """The table with one more deal, and a plan for every seat."""
        world, bits, numbers = self._outset.copy(), self._bits, self._numbers
        hands, yard = world.hands, world.yard
        for owner, tile in zip(self._owners, self._source.draw(), strict=True):
            if owner is None:
                yard.append(numbers[tile])
            else:
                hands[owner] |= bits[tile]
        yard.reverse()
        for seat in range(world.seats):
            if seat != self._seat:
                plan_anew(world, seat)
        return world

    def worth(self, world: FastWorld, steps: Sequence[_Step]) -> float:
        """By how much the others end worse than the seat, in points, if it begins with these."""
        world = world.copy()
        for number, at, end in steps:
            lay(world, number, at, end)
        if not steps:
            world.done()
        play(world)
        assert world.outcome is not None
        rules = self._table.rules
        if hangs_on_all(rules, world.outcome):
            tiles = [self._rules.set.tiles_of(hand) for hand in world.hands]
            scores: Sequence[int] = round_scores(rules, world.outcome, tiles)
        else:
            scores = [self._points_in(hand) for hand in world.hands]
        own = scores[self._seat]
        others = (sum(scores) - own) / (len(scores) - 1)
        return rules.standing(1) * (others - own)

    def _points_in(self, hand: int) -> int:
        points, total = self._points, 0
        while hand:
            number = hand.bit_length() - 1
            total += points[number]
            hand ^= 1 << number
        return total
