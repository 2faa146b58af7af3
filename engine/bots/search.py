"""Search: a move is as good as the rounds that follow it, over deals that agree with what is known.

Deals are drawn of all that the seat does not see. In each, every move still in question is made and
the round played out, by the quick policy in the fast world where that knows the rules, else by the
house bot on tables; all see the same deals, so that luck is the same for all. What deals show is
weighed against what is expected of a move (`trials`).
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.house import ranked
from engine.bots.policy import chosen, lay, plan_anew, play
from engine.bots.strategy import forced
from engine.bots.tables import ON_TABLES, TableThought
from engine.bots.thought import Rollouts, Thought
from engine.bots.trials import Trials
from engine.bots.world import is_played_fast, world_of
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
"""Deals after which moves are left out that are clearly behind."""

OTHERWISE: Final = 2.0
"""Points by which a move is expected to be worse than the policy's, before any deal."""

SHORTER: Final = 3.5
"""Points by which it is expected to be worse for each tile that it makes the own train shorter."""


def always() -> bool:
    """Think until the rollouts are used up."""
    return True


def search(
    view: SeatView, entropy: Entropy, rollouts: Rollouts, may_go_on: MayGoOn = always
) -> Move:
    """The move after which the seat ends best, of so many rounds played out at most.

    The seat must be in turn.
    """
    moves = view.legal
    move = forced(view, moves)
    if move is not None:
        return move
    options = ranked(view, [move for move in moves if isinstance(move, LayTile)])
    options += [move for move in moves if isinstance(move, LayChain | Done)]
    if len(options) == 1 or view.hand is None:
        return options[0]
    thought = _thought_of(view, view.hand, entropy)
    most = rollouts.at(view.table)
    options.sort(key=lambda move: not thought.is_usual(move))
    del options[OPTIONS_MAX:]
    reaches = [thought.reach(move) for move in options]
    losses = [max(0, reaches[0] - reach) for reach in reaches]
    trials = Trials([0.0, *[OTHERWISE + loss * SHORTER for loss in losses[1:]]])
    while not trials.is_settled and trials.tried < most:
        for _ in range(DEALS_BETWEEN):
            if not may_go_on():
                return options[trials.best]
            thought.deal()
            trials.add([thought.worth(options[at]) for at in trials.left])
        trials.judge()
    return options[trials.best]


def is_weighable(view: SeatView, move: Move) -> bool:
    """Whether `weigh` can say what this move of the seat in turn is worth."""
    weighed = isinstance(move, LayTile | LayChain | Done)
    return weighed and view.hand is not None and view.table.phase in ON_TABLES


def weigh(
    view: SeatView, moves: Sequence[Move], entropy: Entropy, deals: int, may_go_on: MayGoOn = always
) -> tuple[tuple[float, ...], ...]:
    """What each of these moves comes to in the same deals: points by move, then by deal.

    All of them must be legal and `is_weighable`; the deals are none that chose between them, so
    that the better one is not only the luckier one.
    """
    if view.hand is None:
        return tuple(() for _ in moves)
    thought = _thought_of(view, view.hand, entropy)
    found = list[list[float]]()
    while len(found) < deals and may_go_on():
        thought.deal()
        found.append([thought.worth(move) for move in moves])
    return tuple(zip(*found, strict=True)) if found else tuple(() for _ in moves)


def _thought_of(view: SeatView, hand: Hand, entropy: Entropy) -> Thought:
    """The quickest world that knows the rules."""
    if is_played_fast(view.table):
        return _FastThought(view.table, hand, view.known, entropy)
    return TableThought(view.table, hand, view.known, entropy)


_Step: TypeAlias = tuple[int, int, int]
"""The number of a tile, its train, and the end that is open then."""


class _FastThought:
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
        self._dealt = self._outset
        points = [tile_points(table.rules, tile) for tile in self._rules.set.tiles]
        self._points = tuple(points)

    def is_usual(self, move: Move) -> bool:
        """Whether the policy begins with it, which needs good reasons to be left."""
        number, at = chosen(self._outset)
        ends, far = self._outset.ends, self._rules.set.far
        usual = ((number, at, far[ends[at]][number]),) if number >= 0 else ()
        return self._steps_of(move)[:1] == usual

    def _steps_of(self, move: Move) -> tuple[_Step, ...]:
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

    def reach(self, move: Move) -> int:
        """How long the own train gets that begins with it, tiles laid elsewhere left aside."""
        world, steps = self._outset.copy(), self._steps_of(move)
        for number, at, end in steps:
            lay(world, number, at, end)
        own = sum([at == self._seat for _, at, _ in steps])
        return own + len(plan_anew(world, self._seat))

    def deal(self) -> None:
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
        self._dealt = world

    def worth(self, move: Move) -> float:
        """By how much the others end worse than the seat, in points, if it begins with this."""
        world, steps = self._dealt.copy(), self._steps_of(move)
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
