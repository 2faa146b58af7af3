"""Search: a move is as good as the rounds that follow it, over deals that agree with what is known.

Deals are drawn of all that the seat does not see. In each, every move still in question is made and
the round played out by the quick policy. All moves face the same deals, so luck is the same for
all. The results are weighed against what is expected of a move (`trials`).

While others move, the search goes on thinking: in each deal the quick policy moves for them up to
the seat's next turn, and what the seat may do there is tried out. When the turn comes, the position
is hardly ever one of those; still a move is expected to be worth there what it was worth in them.
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
"""How a round counts that was not played to its end: nobody is out."""

_PLAYED_OUT: Final = (InPlay, OpeningAll)
"""Phases from which a round is played to its end by moves alone."""

OPTIONS_MAX: Final = 8
"""Moves that are tried: the policy's, and the best ones as the house bot ranks them."""

FURTHER_TURNS: Final = 20
"""Turns of each seat after which a tried-out round is broken off, and hands count as they are.
After twelve it costs nothing at double-nine, but 1.0 points a round at double-twelve."""

CLEARLY: Final = 1.5
"""Standard deviations by which a move must be behind to be foreseen no further."""

OTHERWISE: Final = 2.0
"""Points by which a move is expected to be worse than the policy's, before any deal."""

SHORTER: Final = 3.5
"""Further points by which it is expected to be worse for each tile that it costs the own train."""

FORESEEN_MAX: Final = 1_000
"""Rounds played out between two turns: half a second of one core."""

DRIFT: Final = 2.0
"""How far a move's worth in the position that came is off from its worth in those foreseen: the
standard deviation, in points."""


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


class Foresight:
    """A seat's findings about its next turn, made while others move: what each move was worth.

    `foresee` adds to it, and `search` reads it in that turn; each turn needs a new one.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self.tried = 0
        """How many rounds were played out for it."""
        self._leads: dict[tuple[Move, Move], Lead] = {}
        """By the policy's move, and another one where both may be made."""

    def add(self, worths: Sequence[tuple[Move, float]]) -> None:
        """Add a deal: what moves were worth in it, the policy's first. One alone adds nothing."""
        for move, worth in worths[1:]:
            self._leads.setdefault((worths[0][0], move), Lead()).add(worth - worths[0][1])

    def known(self, options: "_Options") -> "_Options":
        """The prospects of these moves, given what is expected of them, in the same order.

        The policy's move comes first. One of which nothing was found keeps what is expected.
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
"""The moves to be tried, the policy's first, and what is known of each."""


class Searched(NamedTuple):
    """The move that a search found, and the best other one that it tried, if there is one."""

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
    """Find the move after which the seat ends best, with this many rounds played out at most.

    Once they are reached, no more deals are begun; they are begun ten at a time. It ends sooner if
    trying on does not pay, or the effort ends. A forced move is made at once. The seat must be in
    turn. What it has foreseen of this turn needs less trying. Raise ValueError if no deal agrees
    with what is known.
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
    """Try out what the seat may do at its next turn, while another seat is in turn.

    Adds all it finds to `foresight`, and returns once the effort ends. Does nothing for a watcher,
    or where nobody plays in turn.
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
            # the policy's own move is level with itself, and so is always among them
            tried = [move for move, each in known.items() if each.worth + CLEARLY * each.off >= 0]
            for move in tried:
                yield
                worths.append((move, thought.worth(coming, move)))
            foresight.add(worths)
        spent = len(worths) or 1  # a deal in which there is no choice has cost something, too
        effort.spend(spent)
        foresight.tried += spent


def _considered(view: SeatView) -> list[Move]:
    """The moves that may be worth trying: lays, best first as the house bot ranks them.

    Chains, pairs, bullet trains and `Done` follow; other moves are left out.
    """
    lays = ranked(view, [move for move in view.legal if isinstance(move, LayTile)])
    return lays + [move for move in view.legal if isinstance(move, LayChain | Done)]


def is_weighable(view: SeatView, move: Move) -> bool:
    """Whether `weigh` can evaluate this move of the seat in turn.

    That is a lay or `Done` of a seat whose hand is given, in play or in an opening of all at once.
    Whether it is legal is not asked.
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
    """How the round ends after each of these moves in the same deals: by move, then by deal.

    All moves must be legal and `is_weighable`. The deals must not be those that chose between the
    moves, so that the better one is not only the luckier one. If the effort ends first, there are
    fewer deals, or none; without a hand there are none. Raise ValueError if no deal agrees with
    what is known.
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
    """One seat's search from one table: it draws deals, picks moves to try, and plays deals out.

    The deals agree with what the seat knows. None is kept: each is drawn when it is asked for.
    """

    def __init__(self, table: Table, hand: Hand, known: Knowledge, entropy: Entropy) -> None:
        hidden = HiddenTiles(table, hand, known)
        self._positions = tuple(hidden.owners)
        self._source = DealSource(hidden, entropy)
        self._seat = hand.seat
        self._own = own_trains(table, hand.seat)
        # a partner, whose train is one's own, is no opponent
        self._others = [seat for seat in table.present if TrainId(seat) not in self._own]
        self.outset = Rollout(table, dict(hand.tiles))
        self.outset.plan_anew(hand.seat)
        self._rules = table.rules
        self._game = table.game
        self._tiles = self.outset.numbers.tiles
        self._points = [tile_points(table.rules, tile) for tile in self._tiles]

    def options(self, turn: Rollout, moves: Sequence[Move]) -> _Options:
        """Choose the moves to be tried in this turn of the seat, and say what to expect of them.

        The policy's comes first if it is among `moves`, as only good reasons should displace it.
        The others stay in order, and of all no more than `OPTIONS_MAX` are kept.
        """
        usual = turn.chosen(self._seat)
        options = sorted(moves, key=lambda move: move != usual)[:OPTIONS_MAX]
        reaches = [self._reach(turn, move) for move in options]
        losses = [OTHERWISE + max(0, reaches[0] - reach) * SHORTER for reach in reaches]
        return dict(zip(options, map(expected, [0.0, *losses[1:]]), strict=True))

    def _reach(self, turn: Rollout, move: Move) -> int:
        """How many tiles go on the own train from this move on, as planned.

        They are those that the move lays there, and the longest plan of the rest of the hand; what
        lies there already is not counted. The tiles of a chain count on any train. Where nobody has
        a train of their own, nothing else does.
        """
        after, numbers = turn.copy(), turn.numbers
        after.make(move)
        pips = {end.pip for end in own_ends(after.table, self._seat)}
        hand = after.hands[self._seat]
        longest = max([len(planned(numbers, hand, pip)) for pip in pips], default=0)
        elsewhere = isinstance(move, LayTile) and move.train not in self._own
        return longest if elsewhere else longest + len(shows(move))

    def deal(self) -> Rollout:
        """Draw a new deal as a round at this table, and plan anew for the seat's opponents."""
        numbers = self.outset.numbers.number
        drawn = [numbers[tile] for tile in self._source.draw()]
        dealt = self.outset.copy()
        dealt.know({**self.outset.at, **dict(zip(self._positions, drawn, strict=True))})
        for seat in self._others:
            dealt.plan_anew(seat)
        return dealt

    def ending(self, deal: Rollout, move: Move, turns: float = inf) -> TrialEnd:
        """How a deal ends for the seat after this move, played out by the quick policy.

        A round that lasts for more than so many further `turns` of each seat is broken off, and
        the hands count as they are. `deal` itself stays as it is.
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
        """By how many points the others end worse after this move; a long round is broken off."""
        return self.ending(deal, move, FURTHER_TURNS).worth
