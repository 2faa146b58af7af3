"""What a cheat signs in a poll: statements of its own seat, or of who lends it a key.

Where nothing else is said, they say what is true of its log.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from netgame.protocol.log.entry import ReceivedStatement, Signer, sign_statement
from netgame.protocol.peer.core import Core
from netgame.wire.statements import (
    NO_BALLOT,
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


def promise(
    core: Core,
    ballot: Ballot | None = None,
    *,
    signer: Signer | None = None,
    step: int | None = None,
    **said: Any,  # noqa: ANN401 - any other field
) -> ReceivedStatement:
    """A promise of a ballot in the open poll, or of the first of its own."""
    seat = seat_of(core, signer)
    ballot = ballot or Ballot(1, seat)
    at, head, last = _end(core, seat, step)
    true = Promise(*_poll(core), seat, ballot, at, head, last, 0, NOTHING)
    return _signed(core, signer, replace(true, **said))


def parting(core: Core, promised: Ballot = NO_BALLOT, **said: Any) -> ReceivedStatement:  # noqa: ANN401 - any other field
    """A farewell in the open poll."""
    seat = seat_of(core)
    at, head, last = _end(core, seat)
    true = Parting(*_poll(core), seat, promised, at, head, last, NOTHING)
    return _signed(core, None, replace(true, **said))


def _end(core: Core, seat: int, step: int | None = None) -> tuple[int, bytes, int]:
    """Where the log of a seat ends: its step, the head before that, the last step it has signed."""
    at = core.state.step if step is None else step
    return at, core.ledger.head_before(at), last_step(core, seat)


def proposal(
    core: Core,
    ballot: Ballot,
    counted: Iterable[bytes],
    *,
    goes: int = 0,
    step: int | None = None,
    head: bytes = b"",
    signer: Signer | None = None,
) -> ReceivedStatement:
    """A proposal of a ballot in the open poll."""
    at = core.state.step if step is None else step
    end = head or core.ledger.head_before(at)
    return _signed(core, signer, Proposal(*_poll(core), ballot, goes, at, end, tuple(counted)))


def accept(core: Core, name: bytes, signer: Signer | None = None) -> ReceivedStatement:
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


def _signed(core: Core, signer: Signer | None, statement: Statement) -> ReceivedStatement:
    return sign_statement(signer or core.place.signer, statement)
