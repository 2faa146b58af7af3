"""A game for each phase in which a seat can leave (protocol.md 4.7), up to the visible result.

The seat leaves for good while that phase is due, before it writes its entry; the log ends some
steps after the decision. `good_logs` has more such games, played to their end.
"""

from engine.table.table import RoundPhase
from lab.simulation.computers.clock import Stuck
from netgame.protocol.state import phases as at
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import say_farewell
from tests.netgame.simtable import full_table
from tests.netgame.small_games import is_its_turn

STEPS_BEHIND = 9
"""The result of a cut shows within this many steps: a rebuilt deck takes eight with three seats."""

OPENING = ("first=high-draw", "opening=simultaneous", "last-tile=tap", "tap-penalty=1")


def _offer(preset="standard", switches=(), seats=3, rounds=1, hand=2, options=()):
    return wire.Settings(preset, switches, 6, seats, rounds, hand, ("patience=vote", *options))


def _left_in(sitter, *kinds, table_phase=None):
    """Return True if a phase of one of these kinds is due and waits for this sitter.

    If `table_phase` is given, the round must be in that phase too.
    """
    state = sitter.core.state
    fits = isinstance(state.now, kinds) and state.seat_of(sitter.core.key) in due(state).authors
    return fits and (table_phase is None or state.table.phase is table_phase)


def table_of(offer, seed):
    """Return a full table that is about to begin."""
    return full_table(NAMES[: offer.seats], offer, seed=bytes([seed]) * 32)


def _played(offer, seed, leavers):
    """Play a game that players leave one after another; return the first sitter.

    `leavers` are pairs: the index of a sitter, and the condition on which it leaves. The game is
    stopped `STEPS_BEHIND` steps after the decision about the last of them, unless it ends first.
    """
    table = table_of(offer, seed)
    ann = table.sitters[0]
    for number, when in leavers:
        sitter = table.sitters[number]
        table.run(lambda sitter=sitter, when=when: when(sitter))
        say_farewell(table, sitter)

    def has_shown():
        gone = [each for each in ann.core.ledger.decisions if each.goes]
        is_last = sum(each.goes.bit_count() for each in gone) == len(leavers)
        return is_last and ann.core.state.step >= gone[-1].step + STEPS_BEHIND

    table.run(lambda: has_shown() or ann.finished)
    return ann


def _in(*kinds, table_phase=None):
    return lambda sitter: _left_in(sitter, *kinds, table_phase=table_phase)


HIGH_DRAW = _offer("wolf-lake", ("first=high-draw",), hand=1)
ALL_AT_ONCE = _offer("wolf-lake", OPENING)
FOUR = _offer(seats=4, hand=3)

ONE_LEAVES = {
    "roster": (_offer(), _in(at.SigningRoster)),
    "coin-commit": (_offer(), _in(at.CommittingCoin)),
    "shares": (_offer(), _in(at.SharingHands)),
    "high-draw": (HIGH_DRAW, _in(at.SharingDraws, table_phase=RoundPhase.HIGH_DRAW)),
    "search": (_offer("wolf-lake"), _in(at.Playing, table_phase=RoundPhase.ENGINE)),
    "hand-over": (HIGH_DRAW, _in(at.HandingOver)),
    "reshuffling": (HIGH_DRAW, _in(at.Reshuffling)),
    "opening-commit": (ALL_AT_ONCE, _in(at.SealingOpenings)),
    "opening-reveal": (ALL_AT_ONCE, _in(at.ShowingOpenings)),
    "drawn": (_offer(), _in(at.SharingDraws)),
    "calls": (_offer(switches=OPENING[2:]), _in(at.HearingCalls)),
    "mix-hand": (_offer(options=("draws=hidden",)), _in(at.MixingHands)),
    "next-deal": (_offer(rounds=2), _in(at.BetweenTurns)),
    "shares-of-two": (_offer(seats=2), _in(at.SharingHands)),
    "score": (_offer(rounds=2, hand=1), _in(at.Scoring)),
    "audit": (_offer(rounds=2, hand=1, options=("audit=keys",)), _in(at.Auditing)),
}
"""For each phase in which a seat leaves: the offer, and the test for the moment to leave."""

TWO_LEAVE = {
    "rebuild": _in(at.Rebuilding),
    "rebuilt-chain": _in(at.MixingRebuilt),
    "unblind": _in(at.FindingBlanks),
}
"""For each phase in which a second seat leaves, the test for the moment to leave.

The first seat has left during its own turn.
"""


def _first(offer, leavers):
    """Return the first sitter of the first game, by seed, in which every leaver can leave.

    Raise AssertionError if none of 59 games is like that.
    """
    for seed in range(1, 60):
        try:
            return _played(offer, seed, leavers)
        except Stuck:
            continue
    raise AssertionError(f"no such game of {offer}")


def _one(phase, offer, when):
    def play():
        return _first(offer, [(1, when)])

    of = "two" if offer.seats == 2 else "three"
    play.__doc__ = f"One of {of} leaves for good: {phase}; what follows the cut."
    return play


def _two(phase, when):
    def play():
        return _first(FOUR, [(2, is_its_turn), (1, when)])

    play.__doc__ = f"One of four leaves in a turn, and another later: {phase}; what follows that."
    return play


CUTS = {f"cut-in-{phase}": _one(phase, *how) for phase, how in ONE_LEAVES.items()} | {
    f"cut-in-{phase}": _two(phase, when) for phase, when in TWO_LEAVE.items()
}
