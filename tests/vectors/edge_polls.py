"""Cases for what a page can leave open of polls: what comes late or twice, what shows it.

All follow a short log of four seats that was written by hand (`by_hand`).
"""

from msgspec.structs import replace

from netgame.wire import messages as wire
from netgame.wire.statements import Accept, Ballot, Parting, Promise, Proposal, bit
from tests.vectors.bad_logs import case
from tests.vectors.by_hand import PLAIN, ByHand

LIAR, LEAVER = 2, 3
"""Seats: of the others, 0 and 1 go on."""


def _end(log):
    """Give what a seat says of where its log ends, having signed nothing of the due step."""
    return log.state.step, log.state.head, log.state.step - 1


def _promise(log, seat, **changes):
    place = (log.state.log_id, log.ledger.poll.number, seat, Ballot(1, seat))
    return log.say(seat, replace(Promise(*place, *_end(log), 0, b""), **changes))


def _parting(log, seat, **changes):
    place = (log.state.log_id, log.ledger.poll.number, seat, Ballot(0, 0))
    return log.say(seat, replace(Parting(*place, *_end(log), b""), **changes))


def _gone(log, parting):
    """Give all that decides that a seat goes which has parted, by seats 0 and 1."""
    place, ballot = (log.state.log_id, log.ledger.poll.number), Ballot(1, 0)
    ends = log.state.step, log.state.head
    promises = [log.say(seat, Promise(*place, seat, ballot, *_end(log), 0, b"")) for seat in (0, 1)]
    counted = tuple(sorted(map(log.name_of, (*promises, parting))))
    proposal = log.say(0, Proposal(*place, ballot, bit(LEAVER), *ends, counted))
    accepts = [log.say(seat, Accept(*place, seat, log.name_of(proposal))) for seat in (0, 1)]
    return [parting, *promises, proposal, *accepts]


def _late_partings():
    """A parting of an epoch that is over, after which its seat has written on."""
    log = ByHand("late parting", replace(PLAIN, seats=4)).sit().form()
    early = _parting(log, LIAR)
    log.commit()
    middle = _parting(log, LIAR)
    honest = _parting(log, LIAR, last=log.state.step)
    gone = _gone(log, _parting(log, LEAVER))
    opened = log.entry(LIAR, log.opening(LIAR))
    for name, offered in {
        "an entry that stands and one that is void: the later": [opened, *gone, early],
        "an entry that stands": [*gone, early],
        "an entry that is void": [opened, *gone, middle],
        "no entry": [opened, *gone, honest],
    }.items():
        yield case(f"a late parting, and {name}", log.signed, offered)


def _late_promises():
    """A promise of a poll that is over: it decides nothing, but can still be half of a pair."""
    log = ByHand("late promise", replace(PLAIN, seats=4)).sit().form()
    early = _promise(log, LIAR)
    other = _promise(log, LIAR, without=bit(LEAVER))
    written = log.entry(LIAR, wire.KeyCommit(0, bytes(64), b""))
    nobody = log.decided(silent=bit(LIAR))
    for name, offered in {
        "it is ignored": [*nobody, early],
        "it is ignored, and convicts with another": [*nobody, early, other],
        "it is not held to entries": [written, *nobody, early],
    }.items():
        yield case(f"a promise of a poll that is over: {name}", log.signed, offered)


def _twice():
    """One body under two signatures: what is here already is body and signature."""
    log = ByHand("twice", replace(PLAIN, seats=4)).sit().form()
    good = _promise(log, LIAR)
    forged = wire.SignedStatement(good.body, bytes(64))
    yield case("a statement that is here, under a wrong signature", log.signed, [good, forged])


def _shown_by_the_log():
    """A proposal that follows not is told before the step at which it stops the log is due."""
    log = ByHand("shown by the log", replace(PLAIN, seats=4)).sit().form()
    before, later = list(log.signed), log.fork()
    later.commit()
    voters = (0, 1, LIAR)
    promises = [_promise(later, seat, ballot=Ballot(1, LIAR)) for seat in voters]
    names = tuple(sorted(map(log.name_of, promises)))
    place = (later.state.log_id, later.ledger.poll.number, Ballot(1, LIAR))
    lie = later.say(LIAR, Proposal(*place, bit(LEAVER), *_end(later)[:2], names))
    entries = later.signed[len(before) :]
    yield case("a proposal that follows not, shown by a step", before, [*promises, lie, *entries])


def edges_of_polls():
    """Give all cases."""
    return [*_late_partings(), *_late_promises(), *_twice(), *_shown_by_the_log()]
