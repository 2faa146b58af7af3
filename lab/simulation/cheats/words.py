"""What a cheat signs in a poll: statements of its own seat, or of who lends it a key.

Where nothing else is said, they say what is true of its log.
"""

from collections.abc import Iterable

from netgame.protocol.log.entry import Said, Signer, sign_statement
from netgame.protocol.peer.core import Core
from netgame.wire.statements import (
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
)


def seat_of(core: Core, signer: Signer | None = None) -> int:
    """The seat whose statements this key signs."""
    seat = core.state.seat_of((signer or core.place.signer).public_bytes)
    assert seat is not None
    return seat


def last_step(core: Core, seat: int) -> int:
    """The last step that a seat has signed, or could have."""
    state, ledger = core.state, core.ledger
    return state.step if ledger.slot(state.step, seat) is not None else state.step - 1


def _end(
    core: Core, seat: int, step: int | None, head: bytes, last: int | None
) -> tuple[int, bytes, int]:
    """Where the log of a seat ends: its step, the head before that, the last step it has signed."""
    at = core.state.step if step is None else step
    until = last_step(core, seat) if last is None else last
    return at, head or core.ledger.head_before(at), until


def promise(
    core: Core,
    ballot: Ballot,
    *,
    without: int = 0,
    accepted: bytes = NOTHING,
    step: int | None = None,
    head: bytes = b"",
    last: int | None = None,
    signer: Signer | None = None,
) -> Said:
    """A promise of a ballot in the open poll."""
    seat = seat_of(core, signer)
    at, before, until = _end(core, seat, step, head, last)
    return _signed(
        core, signer, Promise(*_poll(core), seat, ballot, at, before, until, without, accepted)
    )


def parting(
    core: Core,
    promised: Ballot,
    *,
    accepted: bytes = NOTHING,
    step: int | None = None,
    head: bytes = b"",
    last: int | None = None,
    signer: Signer | None = None,
) -> Said:
    """A farewell in the open poll."""
    seat = seat_of(core, signer)
    at, before, until = _end(core, seat, step, head, last)
    return _signed(core, signer, Parting(*_poll(core), seat, promised, at, before, until, accepted))


def proposal(
    core: Core,
    ballot: Ballot,
    counted: Iterable[bytes],
    *,
    goes: int = 0,
    step: int | None = None,
    head: bytes = b"",
    signer: Signer | None = None,
) -> Said:
    """A proposal of a ballot in the open poll."""
    at = core.state.step if step is None else step
    end = head or core.ledger.head_before(at)
    return _signed(core, signer, Proposal(*_poll(core), ballot, goes, at, end, tuple(counted)))


def accept(core: Core, name: bytes, signer: Signer | None = None) -> Said:
    """An accept of the proposal of this name."""
    return _signed(core, signer, Accept(*_poll(core), seat_of(core, signer), name))


def promised_in(core: Core, ballot: Ballot) -> dict[int, bytes]:
    """The names of the promises of a ballot that have come, by seat."""
    said = core.ledger.poll.cut.statements.items()
    return {
        each.seat: name
        for name, each in said
        if isinstance(each, Promise) and each.ballot == ballot
    }


def own(core: Core, kind: type[Statement]) -> list[bytes]:
    """The names of what this seat has said of a kind in the open poll."""
    said = core.ledger.poll.cut.statements.items()
    seat = seat_of(core)
    return [name for name, each in said if isinstance(each, kind) and author(each) == seat]


def _poll(core: Core) -> tuple[bytes, int]:
    return core.ledger.poll.id, core.ledger.poll.number


def _signed(core: Core, signer: Signer | None, statement: Statement) -> Said:
    return sign_statement(signer or core.place.signer, statement)
