"""A search that judges a move by how the round goes on in many possible deals.

The search draws deals of the tiles that the seat does not see; they agree with all
known facts. In each deal it makes every move still in question, and the quick policy
plays out the round. All moves face the same deals, so luck is the same for all.
`trials` combines the results with prior expectations.

While others move, the seat can foresee its next turn: in each deal the quick policy
plays up to that turn, and the seat's moves there are tried out. The table of the real
turn is hardly ever one of those foreseen, but a move is expected to be worth about as
much in it.
"""

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple, TypeAlias

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.effort import Effort
from engine.bots.house import ranked
from engine.bots.numbered import numbers_in
from engine.bots.pieces import Pieces, in_pieces
from engine.bots.policy import Rollout, planned
from engine.bots.strategy import forced
from engine.bots.trials import BATCH, Lead, Likely, Trials, expected
from engine.chance import Entropy
from engine.knowledge import Knowledge
from engine.play.reach import own_ends, own_trains
from engine.scoring import hangs_on_all, round_scores, tile_points
from engine.table.moves import Done, LayChain, LayTile, Move, shows
from engine.table.table import Ending, Hand, Outcome, Table
from engine.table.trains import TrainId
from engine.table.turn import InPlay, OpeningAll
from engine.view import SeatView

_BROKEN_OFF: Final = Outcome(Ending.BLOCKED, None)
"""The outcome of a round that was not played to its end: nobody is out."""

_PLAYED_OUT: Final = (InPlay, OpeningAll)
"""The phases from which moves alone lead to the end of the round."""

OPTIONS_MAX: Final = 8
"""The most moves that are tried: the policy's, and the best ones as the house bot ranks them."""

FURTHER_TURNS: Final = 20
"""Turns of each seat after which a trial stops, and hands count as they are. Stopping after twelve
costs nothing at double-nine, but 1.0 points a round at double-twelve."""

CLEARLY: Final = 1.5
"""Standard deviations by which a move must be behind before foresight drops it."""

OTHERWISE: Final = 2.0
"""Points by which a move is expected to be worse than the policy's before any deal."""

SHORTER: Final = 3.5
"""Further expected points for each tile by which a move shortens the seat's own train."""

FORESEEN_MAX: Final = 1_000
"""The most rounds played out between two turns: half a second of one core."""

DRIFT: Final = 2.0
"""The standard deviation, in points, of the difference between a move's worth on the actual table
and its worth on the foreseen ones."""


class TrialEnd(NamedTuple):
    """The end of a round for a seat, in points; fewer are better."""

    own: float
    others: float
    """The mean of the others' points."""
    is_out: bool
    """True if the seat has no tile left."""

    @property
    def worth(self) -> float:
        """The points by which the others end worse than the seat."""
        return self.others - self.own


class Foresight:
    """The worths of moves in a seat's next turn, found while others move.

    `foresee` adds to it, and `search` reads it in that turn; each turn needs a new one.
    """

    def __init__(self) -> None:
        self.tried = 0
        """The number of rounds played out for it."""
        self._leads: dict[tuple[Move, Move], Lead] = {}
        """The lead of a move over the policy's, by (policy's move, move)."""

    def add(self, worths: Sequence[tuple[Move, float]]) -> None:
        """Add each move's lead over the policy's move in one deal.

        `worths` begins with the policy's move; if there is no other, nothing is added.
        """
        for move, worth in worths[1:]:
            self._leads.setdefault((worths[0][0], move), Lead()).add(worth - worths[0][1])

    def known(self, options: "_Options") -> "_Options":
        """Return these moves with their expectations updated by the findings, in the same order.

        The policy's move comes first. A move without findings keeps its expectation.
        """
        usual, *_ = options
        return {move: self._likely(usual, move, before) for move, before in options.items()}

    def _likely(self, usual: Move, move: Move, before: Likely) -> Likely:
        lead = self._leads.get((usual, move))
        if lead is None:
            return before
        known = lead.likely(before)
        return known._replace(variance=min(before.variance, known.variance + DRIFT * DRIFT))


_Options: TypeAlias = dict[Move, Likely]
"""The moves to try, the policy's first, each with its expectation."""


class Searched(NamedTuple):
    """The move that a search found, and the best other one that it tried, if any."""

    move: Move
    runner_up: Move | None = None


@in_pieces
def search(
    view: SeatView,
    entropy: Entropy,
    rollouts: int,
    effort: Effort | None = None,
    foresight: Foresight | None = None,
) -> Pieces[Searched]:
    """Find the move after which the seat ends best, with about this many rounds played out.

    The search works in batches of `BATCH` deals, and starts none once `rollouts` is reached. It
    ends sooner if more trials do not pay, or if the effort ends. A forced move needs no trials, and
    foresight about this turn saves some. It must be the seat's turn. Raise ValueError if no deal
    agrees with the known facts.
    """
    move = forced(view, view.legal)
    if move is not None:
        return Searched(move)
    moves = _considered(view)
    if len(moves) == 1 or view.hand is None:
        return Searched(moves[0])
    thought = _Thought(view.table, view.hand, view.known, entropy)
    known = thought.options(thought.outset, moves)
    known = known if foresight is None else foresight.known(known)
    options = tuple(known)
    trials = Trials(tuple(known.values()))
    effort = effort or Effort()
    while not trials.is_settled and trials.tried < rollouts and effort.lasts():
        for _ in range(BATCH):
            if not effort.has_time():
                break
            dealt = thought.deal()
            effort.spend(len(trials.left))
            worths = list[float]()
            for at in trials.left:
                yield
                worths.append(thought.worth(dealt, options[at]))
            trials.add(worths)
        trials.judge()
    other = trials.runner_up
    return Searched(options[trials.best], None if other is None else options[other])


@in_pieces
def foresee(view: SeatView, entropy: Entropy, effort: Effort, foresight: Foresight) -> Pieces[None]:
    """Try out the seat's moves in its next turn, while it is another seat's turn.

    Add the findings to `foresight`, and return once the effort ends. Do nothing for a watcher, or
    outside play.
    """
    if view.hand is None or not isinstance(view.table.now, InPlay):
        return
    thought, seat = _Thought(view.table, view.hand, view.known, entropy), view.hand.seat
    seen = dict[tuple[Move, ...], _Options]()
    while effort.lasts():
        yield
        coming = thought.deal()
        worths = list[tuple[Move, float]]()
        coming.play_until(seat)
        next_view = SeatView(coming.table, seat, view.hand)
        moves = next_view.legal if isinstance(next_view.table.now, InPlay) else ()
        if moves and forced(next_view, moves) is None:
            if moves not in seen:
                seen[moves] = thought.options(coming, _considered(next_view))
            known = foresight.known(seen[moves])
            # the policy's own move is level with itself, so it is always among them
            tried = [move for move, each in known.items() if each.worth + CLEARLY * each.off >= 0]
            for move in tried:
                yield
                worths.append((move, thought.worth(coming, move)))
            foresight.add(worths)
        spent = len(worths) or 1  # a deal without a choice also costs something
        effort.spend(spent)
        foresight.tried += spent


def _considered(view: SeatView) -> list[Move]:
    """Return the moves that may be worth trying: first single lays, as the house bot ranks them.

    Chains, pairs, bullet trains and `Done` follow; other moves are left out.
    """
    lays = ranked(view, [move for move in view.legal if isinstance(move, LayTile)])
    return lays + [move for move in view.legal if isinstance(move, LayChain | Done)]


def is_weighable(view: SeatView, move: Move) -> bool:
    """Return True if `weigh` can evaluate this move, without checking that it is legal.

    It can evaluate a lay or `Done` of a seat whose hand is given, in play or in a simultaneous
    opening.
    """
    weighed = isinstance(move, LayTile | LayChain | Done)
    return weighed and view.hand is not None and isinstance(view.table.now, _PLAYED_OUT)


@in_pieces
def weigh(
    view: SeatView,
    moves: Sequence[Move],
    entropy: Entropy,
    deals: int,
    effort: Effort | None = None,
) -> Pieces[tuple[tuple[TrialEnd, ...], ...]]:
    """Return how the round ends after each of these moves in the same deals: by move, then by deal.

    All moves must be legal and `is_weighable`. Pass octets that do not repeat the deals by which
    the moves were chosen, or the better move may only be the luckier one. If the effort ends first,
    there are fewer deals, or none; without a hand there are none. Raise ValueError if no deal
    agrees with the known facts.
    """
    if view.hand is None:
        return tuple(() for _ in moves)
    thought = _Thought(view.table, view.hand, view.known, entropy)
    found = list[list[TrialEnd]]()
    effort = effort or Effort()
    while len(found) < deals and effort.lasts():
        dealt = thought.deal()
        ends = list[TrialEnd]()
        for move in moves:
            yield
            ends.append(thought.ending(dealt, move))
        found.append(ends)
        effort.spend(len(moves))
    return tuple(zip(*found, strict=True)) if found else tuple(() for _ in moves)


class _Thought:
    """One seat's search from one table: it draws deals, picks moves to try, and plays them out.

    The deals agree with what the seat knows. Each is drawn on request, and none is kept.
    """

    def __init__(self, table: Table, hand: Hand, known: Knowledge, entropy: Entropy) -> None:
        hidden = HiddenTiles(table, hand, known)
        self._positions = tuple(hidden.owners)
        self._source = DealSource(hidden, entropy)
        self._seat = hand.seat
        self._own = own_trains(table, hand.seat)
        # a partner shares the seat's train, and is not an opponent
        self._others = [seat for seat in table.present if TrainId(seat) not in self._own]
        self.outset = Rollout(table, dict(hand.tiles))
        self.outset.plan_anew(hand.seat)
        self._rules = table.rules
        self._game = table.game
        self._tiles = self.outset.numbers.tiles
        self._points = [tile_points(table.rules, tile) for tile in self._tiles]

    def options(self, turn: Rollout, moves: Sequence[Move]) -> _Options:
        """Choose the moves to try in this turn of the seat, at most `OPTIONS_MAX`.

        Each comes with its expectation before any deal. The policy's move comes first if it is
        among `moves`, because only good reasons should displace it; the others stay in order.
        """
        usual = turn.chosen(self._seat)
        options = sorted(moves, key=lambda move: move != usual)[:OPTIONS_MAX]
        reaches = [self._reach(turn, move) for move in options]
        losses = [OTHERWISE + max(0, reaches[0] - reach) * SHORTER for reach in reaches]
        return dict(zip(options, map(expected, [0.0, *losses[1:]]), strict=True))

    def _reach(self, turn: Rollout, move: Move) -> int:
        """Return how many tiles the plan puts on the seat's own train from this move on.

        They are the tiles that the move lays there, and the longest plan of the rest of the hand;
        tiles already there do not count. The tiles of a chain count on any train. With arms, only
        the tiles of a chain count.
        """
        after, numbers = turn.copy(), turn.numbers
        after.make(move)
        pips = {end.pip for end in own_ends(after.table, self._seat)}
        hand = after.hands[self._seat]
        longest = max([len(planned(numbers, hand, pip)) for pip in pips], default=0)
        elsewhere = isinstance(move, LayTile) and move.train not in self._own
        return longest if elsewhere else longest + len(shows(move))

    def deal(self) -> Rollout:
        """Draw a new deal, and return it as a round in which the opponents' trains are planned."""
        numbers = self.outset.numbers.number
        drawn = [numbers[tile] for tile in self._source.draw()]
        dealt = self.outset.copy()
        dealt.know({**self.outset.at, **dict(zip(self._positions, drawn, strict=True))})
        for seat in self._others:
            dealt.plan_anew(seat)
        return dealt

    def ending(self, deal: Rollout, move: Move, turns: float = inf) -> TrialEnd:
        """Return how a deal ends for the seat after this move, if the quick policy plays it out.

        Stop a round after this many further `turns` of each seat, and count the hands as they are.
        `deal` itself does not change.
        """
        end = deal.copy()
        end.make(move)
        outcome = end.play(deal.table.turns + turns * len(deal.table.present)) or _BROKEN_OFF
        held = [numbers_in(bits) for bits in end.hands]
        rules = self._rules
        if hangs_on_all(rules, outcome) or rules.partners.is_yes or self._game.forfeits:
            tiles = [[self._tiles[number] for number in hand] for hand in held]
            scores: Sequence[int] = round_scores(rules, outcome, tiles, self._game)
        else:
            scores = [sum(self._points[number] for number in hand) for hand in held]
        others = sum(scores[seat] for seat in self._others) / max(1, len(self._others))
        sign = rules.standing(1)  # -1 where the highest total wins
        seat = self._seat
        return TrialEnd(sign * scores[seat], sign * others, not held[seat])

    def worth(self, deal: Rollout, move: Move) -> float:
        """Return how many points worse the others end than the seat after this move.

        The round stops after `FURTHER_TURNS` turns of each seat.
        """
        return self.ending(deal, move, FURTHER_TURNS).worth
