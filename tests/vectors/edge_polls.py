"""Cases of polls that protocol.md could leave open: late, repeated and false statements.

All follow a short log of four seats written by hand (`by_hand`).
"""

from msgspec.structs import replace

from netgame.wire import messages as wire
from netgame.wire.statements import Ballot, bit
from tests.vectors.bad_logs import case, cases
from tests.vectors.by_hand import PLAIN, ByHand

LIAR, LEAVER = 2, 3
"""Two of the four seats; seats 0 and 1 go on."""


def _late_partings():
    """Yield partings of an earlier epoch that arrive late.

    Such a parting convicts its author if it denies an entry that the author signed, even a void
    one.
    """
    log = ByHand("late parting", replace(PLAIN, seats=4)).sit().form()
    early = log.parting(LIAR)
    log.commit()
    middle = log.parting(LIAR)
    honest = log.parting(LIAR, last=log.state.step)
    parting = log.parting(LEAVER)
    gone = [parting, *log.decided(bit(LEAVER), voters=(0, 1), partings=[parting])]
    opened = log.entry(LIAR, log.opening(LIAR))
    offered = {
        "an entry that stands and one that is void: the later": [opened, *gone, early],
        "an entry that stands": [*gone, early],
        "an entry that is void": [opened, *gone, middle],
        "no entry": [opened, *gone, honest],
    }
    yield from cases(log.signed, offered, "a late parting, and ")


def _late_promises():
    """Yield promises of an earlier poll: one decides nothing, but two that differ convict."""
    log = ByHand("late promise", replace(PLAIN, seats=4)).sit().form()
    early = log.promise(LIAR)
    other = log.promise(LIAR, without=bit(LEAVER))
    written = log.entry(LIAR, wire.KeyCommit(0, bytes(64)))
    nobody = log.decided(silent=bit(LIAR))
    offered = {
        "it is ignored": [*nobody, early],
        "it is ignored, and convicts with another": [*nobody, early, other],
        "it is not held to entries": [written, *nobody, early],
    }
    yield from cases(log.signed, offered, "a promise of a poll that is over: ")


def _twice():
    """Yield a statement, and its body with a wrong signature, which is not a repetition of it."""
    log = ByHand("twice", replace(PLAIN, seats=4)).sit().form()
    good = log.promise(LIAR)
    forged = wire.SignedStatement(good.body, bytes(64))
    yield case("a statement that is here, under a wrong signature", log.signed, [good, forged])


def _shown_by_the_log():
    """Yield a false proposal that arrives early, and then the entries of the step before its own.

    Only those entries show that the proposal is false.
    """
    log = ByHand("shown by the log", replace(PLAIN, seats=4)).sit().form()
    before, later = list(log.signed), log.fork()
    later.commit()
    voters = (0, 1, LIAR)
    promises = [later.promise(seat, Ballot(1, LIAR)) for seat in voters]
    lie = later.proposal((1, LIAR), bit(LEAVER), promises)
    entries = later.signed[len(before) :]
    yield case("a proposal that follows not, shown by a step", before, [*promises, lie, *entries])


def edges_of_polls():
    """Return all cases of this module."""
    return [*_late_partings(), *_late_promises(), *_twice(), *_shown_by_the_log()]
