"""The statements of a voter who votes nobody out, by protocol.md 4.7 and peer.md 8.2 alone."""

from tests.conformance.poll import NO_BALLOT


def ballot_of(seat, poll):
    """Return the highest ballot that a seat has promised in a poll, or `NO_BALLOT`."""
    return max((e.bound for e in poll.by(seat) if e.tag == "promise"), default=NO_BALLOT)


def has_parted(seat, poll):
    """Return True if the poll has a parting of this seat, which has then left for good."""
    return any(each.tag == "parting" for each in poll.by(seat))


def next_statement(reader, seat):
    """Return the fields of the next statement to sign in the open poll, or None."""
    poll = reader.poll
    if seat not in poll.voters or has_parted(seat, poll):
        return None
    ways = (_accept, _proposal, _promise, _opening)
    return next((found for way in ways if (found := way(reader, seat))), None)


def parting(reader, seat):
    """Return the fields of a parting, with which a seat leaves for good."""
    poll = reader.poll
    ends = _end(reader, seat)
    return ("parting", *poll.of, seat, ballot_of(seat, poll), *ends, _accepted(seat, poll))


def _end(reader, seat):
    """Return the due step, the head before it, and `last` (4.7).

    `last` is the due step if the seat has filled its slot there, else the step before; it is the
    same in all promises of a poll.
    """
    fold, own = reader.fold, [e for e in reader.poll.by(seat) if e.tag == "promise"]
    last = fold.step if seat in reader.slots else fold.step - 1
    return fold.step, fold.head, own[0].last if own else last


def _accepts(seat, poll):
    return [poll.proposal(each.proposal) for each in poll.by(seat) if each.tag == "accept"]


def _accepted(seat, poll):
    """Return the name of the proposal that a seat accepted last, or empty octets."""
    found = max(_accepts(seat, poll), key=lambda each: each.bound, default=None)
    return found.name if found else b""


def _accept(reader, seat):
    poll, step = reader.poll, reader.fold.step
    done = {each.bound for each in _accepts(seat, poll)}
    for each in [each for each in poll.held.values() if each.tag == "proposal"]:
        if each.bound != ballot_of(seat, poll) or each.bound in done or not poll.worth(each):
            continue
        is_forced = any(poll.held[name].accepted for name in each.counted)
        if is_forced or not each.goes or each.step >= step:
            return ("accept", *poll.of, seat, each.name)
    return None


def _proposal(reader, seat):
    poll = reader.poll
    ballot = ballot_of(seat, poll)
    held = list(poll.held.values())
    if ballot[1] != seat or any(e.tag == "proposal" and e.bound == ballot for e in held):
        return None
    promises = [e for e in held if e.tag == "promise" and e.bound == ballot and poll.worth(e)]
    counted = [*promises, *poll.partings(ballot)]
    value = poll.value(ballot, counted) if promises else None
    if value is None:
        return None
    goes, step, head = value
    names = tuple(sorted(each.name for each in counted))
    return ("proposal", *poll.of, ballot, sum(1 << each for each in goes), step, head, names)


def _promise_of(reader, seat, ballot):
    poll = reader.poll
    ends = _end(reader, seat)
    return ("promise", *poll.of, seat, ballot, *ends, 0, _accepted(seat, poll))


def _promise(reader, seat):
    held = reader.poll.held.values()
    opened = [e.bound for e in held if e.tag == "promise" and e.author == e.bound[1]]
    ballot = max(opened, default=NO_BALLOT)
    higher = ballot > ballot_of(seat, reader.poll)
    return _promise_of(reader, seat, ballot) if higher else None


def _opening(reader, seat):
    """Return a promise that opens the first ballot of the poll, or None.

    The lowest voter who has not parted opens it, once a seat has parted or a coin has fallen.
    """
    poll = reader.poll
    parted = {each for each in poll.voters | poll.guests if has_parted(each, poll)}
    is_reason = parted or reader.fold.phase == "coin-fallen"
    is_first = seat == min(poll.voters - parted) and ballot_of(seat, poll) == NO_BALLOT
    return _promise_of(reader, seat, (1, seat)) if is_reason and is_first else None
