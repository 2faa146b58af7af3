"""The faults that stop an honest peer, and those that only convict [protocol.md §7].

A fault convicts its author for ever. It stops a table only while it *binds*: while it can still
part honest logs, so that some peers might sign on one branch, and others on another. A stopped peer
signs nothing and reads on; it signs again as soon as the fault can part nobody any more.

Why most faults can part nobody. The id of an epoch is a hash chain, H("epoch", id before, goes,
step, head). Two honest peers whose present epoch has one id therefore agree on every cut before it,
and on the head at which each was made. Anything a key validly wrote in a closed epoch is covered by
the head of that cut, or is void. So nothing that it signs for a closed epoch, whenever it does so,
can be in one honest log of the present epoch and not in another. Such a signature does not open a
tile either, because entries name the head. Within the present epoch a step can part nobody once
every seat that writes here, except the culprit and us, has signed after it. That may be a later
entry in our log, or a promise that names a later head of ours. A seat's signature names everything
before it, so the logs of all these seats have the body that ours has. A pair of statements can make
two decisions of a poll. But a voter may sign something in our log that only a later poll, or the
epoch after it, allows. Once every voter but the culprit and us has done so, all have followed the
decision that we did.

An entry that fails 7.8 to 7.12 is in no honest log, and no honest seat has followed it. The seat
that signed it is given up like one that has signed nothing. A good entry beside a bad one changes
nothing, because only the good one can be followed. A false statement is counted by nobody.

If those who are not convicted are too few to decide that others go, as at a table of two, any fault
stops them: they cannot go on without its author, and should not go on with it. Once the game is
over no fault stops anybody, because there is nothing left to sign.

Faults that the log itself shows (a false shuffle, equal keys, a broken rule) bind as long as the
log has them. The host writes the lobby alone, and no poll can remove it there: its faults in the
lobby bind until the first session begins; from then on all have the same lobby.

If quorums have accepted two values of one poll, there may be two honest logs, each without the
seats that have followed the other. So such a pair binds, no matter who has gone since, until every
voter of that poll but the culprit and us has signed after the decision that we followed: those who
followed the other decision never do. A liar can have half of the honest seats accept one value and
half another, and complete the losing one long afterwards; by then nobody can follow it.

What is ugly. A seated liar can still stop a table whenever it likes, by two legal bodies for a
fresh slot, by two statements of an open poll, or by a false shuffle. To play on after that, the
stopped seats would have to vote, and every form of such a vote that was tried leaves honest peers
behind (docs/decisions.md).
"""

from __future__ import annotations

from typing import assert_never

from netgame.crypto.batch import Weights
from netgame.protocol.epochs.company import Company, Epoch
from netgame.protocol.epochs.cut import is_quorum
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry, read_statement
from netgame.protocol.log.fault import Fault, FaultKind
from netgame.protocol.state import phases
from netgame.wire.messages import CHAIR
from netgame.wire.statements import Promise, Statement, bit, seats_in


def binds(
    ledger: Ledger, fault: Fault, convicted: frozenset[bytes], own: bytes, by: Weights
) -> bool:
    """Return True if this fault can still part honest logs, so that no peer may sign.

    `fault` is one that this ledger has proved. `own` is the key whose log this is, so no entry of
    that key is awaited. `convicted` are the keys of all seats that are known to have cheated since
    they sat down, including that of this fault. The two bodies of an open fork are judged at once,
    with the weights `by`.
    """
    company = ledger.state.company
    if fault.kind is FaultKind.SHOWN:
        return ledger.shows(fault)
    if isinstance(ledger.state.now, phases.Over):
        return False
    if _is_of_lobby(fault):
        return not company.sessions
    if fault.kind is FaultKind.PAIR and _has_parted(ledger, fault, own):
        return True
    if not company.now.has(fault.key):
        return False
    if not _can_do_without(ledger, convicted):
        return True
    match fault.kind:
        case FaultKind.FORK:
            return _is_open_fork(ledger, fault, own, by)
        case FaultKind.PAIR | FaultKind.BESIDE:
            return _is_followed_by_too_few(ledger, fault, company.now, own)
        case FaultKind.BAD_ENTRY | FaultKind.FALSE_STATEMENT:
            return False
    assert_never(fault.kind)


def is_since_seated(company: Company, fault: Fault) -> bool:
    """Return True if a fault was committed after its author last sat down; False without a seat.

    So a convicted key that is given a seat again does not lose it for the same fault.
    """
    seated = company.seated_at(fault.key)
    if seated is None:
        return False
    first, since = seated
    if fault.entries:
        entry = read_entry(fault.entries[0])
        return entry.step >= first and company.number_of(entry.id) >= since
    return company.number_of(_statements(fault)[0].id) >= since


def _is_of_lobby(fault: Fault) -> bool:
    """Return True if this is a fault of the host in the lobby, which it writes alone."""
    return any(read_entry(each).seat == CHAIR for each in fault.entries)


def _can_do_without(ledger: Ledger, convicted: frozenset[bytes]) -> bool:
    """Return True if those who are not convicted can decide that the others go [§4.7, Quorum]."""
    now = ledger.state.company.now
    parted = ledger.poll.cut.parted()
    lost = sum(bit(seat) for seat in seats_in(now.voters) if now.keys[seat] in convicted)
    return is_quorum(now.voters, now.voters & ~lost & ~parted, parted)


def _is_open_fork(ledger: Ledger, fault: Fault, own: bytes, by: Weights) -> bool:
    """Return True if some honest log may have one of these two bodies, and some the other."""
    one, other = map(read_entry, fault.entries)
    now = ledger.state.company.now
    # A cut can reach every step after which some voter has not signed yet.
    if one.id != now.id or one.prev != other.prev or not ledger.holds(one.step, one.prev):
        return False
    waits = {*now.here} - {fault.key, own}
    for entry in ledger.newest_first():
        if entry.step <= one.step:
            break
        # A signature names everything before it: this seat's log has the body that ours has.
        waits.discard(ledger.key_of(entry) or b"")
    for said in ledger.poll.cut.of(Promise).values():
        if said.step > one.step and ledger.holds(said.step, said.head):
            waits.discard(now.keys[said.seat])
    return bool(waits) and all(ledger.would_stand(each, by) for each in (one, other))


def _is_followed_by_too_few(ledger: Ledger, fault: Fault, epoch: Epoch, own: bytes) -> bool:
    """Return True if a voter of this epoch has yet to show that it follows our decision.

    The culprit and this peer itself are left out. A voter shows it by an entry of a later poll, or
    of an epoch after that of the fault's statements.
    """
    company = ledger.state.company
    said = _statements(fault)
    epoch_id = said[0].id
    poll = max([each.poll for each in said] + [read_entry(each).poll for each in fault.entries])
    behind = company.first_behind(epoch_id)
    waits = {epoch.keys[seat] for seat in seats_in(epoch.voters)} - {fault.key, own}
    for entry in ledger.newest_first():
        if not waits or entry.step < company.began(epoch_id):
            break
        if entry.step >= behind or (entry.id == epoch_id and entry.poll > poll):
            waits.discard(ledger.key_of(entry) or b"")
    return bool(waits)


def _has_parted(ledger: Ledger, fault: Fault, own: bytes) -> bool:
    """Return True if the poll of a pair has two decisions, and some voter may follow the other."""
    said = _statements(fault)
    books = (ledger.poll, *(each.book for each in ledger.decisions))
    # One half may be a parting of an earlier poll.
    if not any(book.is_of(each) and book.is_parted() for book in books for each in said):
        return False
    epoch = ledger.state.company.of_id(said[0].id)
    return epoch is None or _is_followed_by_too_few(ledger, fault, epoch, own)


def _statements(fault: Fault) -> list[Statement]:
    """Return the statements that convict the culprit, without those that they go back to."""
    match fault.kind:
        case FaultKind.FALSE_STATEMENT:
            own = fault.statements[-1:]
        case FaultKind.BESIDE:
            own = fault.statements[:1]
        case _:
            own = fault.statements[:2]
    return [read_statement(each).statement for each in own]
