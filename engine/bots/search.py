"""Search: a move is as good as the rounds that follow it, over deals that agree with what is known.

Deals are drawn of all that the seat does not see. In each, every move still in question is made and
the round played out by the quick policy. All moves face the same deals, so luck is the same for
all. The results are weighed against what is expected of a move (`trials`).
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.house import ranked
from engine.bots.policy import Rollout, planned
from engine.bots.strategy import forced
from engine.bots.trials import Trials
from engine.chance import Entropy
from engine.knowledge import Knowledge
from engine.play.reach import own_trains
from engine.scoring import hangs_on_all, round_scores, tile_points
from engine.table.moves import Done, LayChain, LayTile, Move, shows
from engine.table.table import Hand, Table
from engine.table.turn import InPlay, OpeningAll
from engine.view import SeatView

MayGoOn: TypeAlias = Callable[[], bool]
"""Whether there is still time to think; asked before every deal."""


_PLAYED_OUT: Final = (InPlay, OpeningAll)
"""Phases from which a round is played to its end by moves alone."""

OPTIONS_MAX: Final = 8
"""Moves that are tried: the policy's, and the best ones as the house bot ranks them."""

DEALS_BETWEEN: Final = 10
"""Deals after which moves that are clearly behind are dropped."""

OTHERWISE: Final = 2.0
"""Points by which a move is expected to be worse than the policy's, before any deal."""

SHORTER: Final = 3.5
"""Further points by which it is expected to be worse for each tile that it costs the own train."""


class TrialEnd(NamedTuple):
    """How a round ends for a seat, in points of which fewer are better."""

    own: float
    others: float
    """The mean of the others' points."""
    is_out: bool
    """Whether the seat has no tile left."""

    @property
    def worth(self) -> float:
        """By how many points the others end worse."""
        return self.others - self.own


def always() -> bool:
    """Think until the rollouts are used up."""
    return True


def search(view: SeatView, entropy: Entropy, rollouts: int, may_go_on: MayGoOn = always) -> Move:
    """The move after which the seat ends best, with at most this many rounds played out.

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
    thought = _Thought(view.table, view.hand, view.known, entropy)
    options.sort(key=lambda move: not thought.is_usual(move))
    del options[OPTIONS_MAX:]
    reaches = [thought.reach(move) for move in options]
    losses = [max(0, reaches[0] - reach) for reach in reaches]
    trials = Trials([0.0, *[OTHERWISE + loss * SHORTER for loss in losses[1:]]])
    while not trials.is_settled and trials.tried < rollouts:
        for _ in range(DEALS_BETWEEN):
            if not may_go_on():
                return options[trials.best]
            thought.deal()
            trials.add([thought.ending(options[at]).worth for at in trials.left])
        trials.judge()
    return options[trials.best]


def is_weighable(view: SeatView, move: Move) -> bool:
    """Whether `weigh` can evaluate this move of the seat in turn."""
    weighed = isinstance(move, LayTile | LayChain | Done)
    return weighed and view.hand is not None and isinstance(view.table.now, _PLAYED_OUT)


def weigh(
    view: SeatView, moves: Sequence[Move], entropy: Entropy, deals: int, may_go_on: MayGoOn = always
) -> tuple[tuple[TrialEnd, ...], ...]:
    """How the round ends after each of these moves in the same deals: by move, then by deal.

    All moves must be legal and `is_weighable`. The deals must not be those that chose between the
    moves, so that the better one is not only the luckier one.
    """
    if view.hand is None:
        return tuple(() for _ in moves)
    thought = _Thought(view.table, view.hand, view.known, entropy)
    found = list[list[TrialEnd]]()
    while len(found) < deals and may_go_on():
        thought.deal()
        found.append([thought.ending(move) for move in moves])
    return tuple(zip(*found, strict=True)) if found else tuple(() for _ in moves)


class _Thought:
    """Deals that agree with what a seat knows, and where moves lead in them."""

    def __init__(self, table: Table, hand: Hand, known: Knowledge, entropy: Entropy) -> None:
        hidden = HiddenTiles(table, hand, known)
        self._positions = tuple(hidden.owners)
        self._source = DealSource(hidden, entropy)
        self._seat, self._own = hand.seat, own_trains(table, hand.seat)
        own = {int(train) for train in self._own}
        self._others = [seat for seat in table.present if seat not in own]
        self._outset = self._dealt = Rollout(table, dict(hand.tiles))
        self._outset.plan_anew(hand.seat)
        self._usual = self._outset.chosen(hand.seat)
        self._points = [tile_points(table.rules, tile) for tile in self._outset.numbers.tiles]

    def is_usual(self, move: Move) -> bool:
        """Whether it is the policy's move, which only good reasons should displace."""
        return move == self._usual

    def reach(self, move: Move) -> int:
        """How long the own train gets with this move, not counting tiles laid elsewhere.

        0 where all play on the arms of the hub, as nobody has a train of their own there.
        """
        after, numbers = self._outset.copy(), self._outset.numbers
        after.make(move)
        trains = [after.table.train(own) for own in self._own]
        pips = {end.pip for train in trains for end in train.ends}
        hand = after.hands[self._seat]
        longest = max([len(planned(numbers, hand, pip)) for pip in pips], default=0)
        elsewhere = isinstance(move, LayTile) and move.train not in self._own
        return longest if elsewhere else longest + len(shows(move))

    def deal(self) -> None:
        """Draw the next deal, which `ending` then uses, and plan for every seat."""
        dealt, numbers = self._outset.copy(), self._outset.numbers.number
        drawn = [numbers[tile] for tile in self._source.draw()]
        dealt.know({**dealt.at, **dict(zip(self._positions, drawn, strict=True))})
        for seat in self._others:
            dealt.plan_anew(seat)
        self._dealt = dealt

    def ending(self, move: Move) -> TrialEnd:
        """How this deal ends after this move."""
        end = self._dealt.copy()
        end.make(move)
        outcome, game, rules = end.play(), end.table.game, end.table.rules
        if hangs_on_all(rules, outcome) or rules.partners.is_yes or game.forfeits:
            scores: Sequence[int] = round_scores(rules, outcome, end.tiles(), game)
        else:
            scores = [self._points_in(hand) for hand in end.hands]
        others = sum([scores[seat] for seat in self._others]) / max(1, len(self._others))
        sign, seat = rules.standing(1), self._seat
        return TrialEnd(sign * scores[seat], sign * others, not end.hands[seat])

    def _points_in(self, hand: int) -> int:
        points, total = self._points, 0
        while hand:
            number = hand.bit_length() - 1
            total += points[number]
            hand ^= 1 << number
        return total
