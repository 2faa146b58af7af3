"""Statements that a cheater signs in a poll, for its own seat or with a lent key.

By default they agree with the cheater's log.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

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
    """Return the seat of this signer, or by default of the core itself.

    Raise AssertionError if it has none.
    """
    seat = core.state.seat_of((signer or core.context.signer).public_bytes)
    assert seat is not None
    return seat


def last_step(core: Core, seat: int) -> int:
    """Return the due step if this seat's entry for it is here, or else the step before it."""
    state, ledger = core.state, core.ledger
    return state.step if ledger.slot(state.step, seat) is not None else state.step - 1


def _says(
    kind: type[Statement],
    first: str,
    core: Core,
    given: object = None,
    counted: Iterable[bytes] = (),
    *,
    signer: Signer | None = None,
    **said: Any,  # noqa: ANN401 - any other field
) -> ReceivedStatement:
    """Return a statement of this kind in the open poll.

    `given` is the value of the field that `first` names.
    """
    poll = core.ledger.poll
    seat = seat_of(core, signer)
    step = said.get("step", core.state.step)
    fields = {
        "id": poll.id,
        "poll": poll.number,
        "seat": seat,
        "counted": tuple(counted),
        "step": step,
        "head": core.ledger.head_before(step),
        "last": last_step(core, seat),
        "ballot": Ballot(1, seat),
        "promised": NO_BALLOT,
        "without": 0,
        "goes": 0,
        "accepted": NOTHING,
        **({} if given is None else {first: given}),
        **said,
    }
    statement = kind(*(fields[name] for name in kind.__struct_fields__))
    return sign_statement(signer or core.context.signer, statement)


promise = partial(_says, Promise, "ballot")
"""Makes a promise of a ballot, by default the first of its own."""
parting = partial(_says, Parting, "promised")
"""Makes a farewell."""
proposal = partial(_says, Proposal, "ballot")
"""Makes a proposal of a ballot, which counts the promises of these names."""
accept = partial(_says, Accept, "proposal")
"""Makes an accept of the proposal of this name."""


def promised_in(core: Core, ballot: Ballot) -> dict[int, bytes]:
    """Return the names of the promises of a ballot that have arrived so far, by seat."""
    names = core.ledger.poll.cut.statements
    said = {name: each for name, each in names.items() if isinstance(each, Promise)}
    return {each.seat: name for name, each in said.items() if each.ballot == ballot}


def own(core: Core, kind: type[Statement]) -> list[bytes]:
    """Return the names of this seat's statements of a kind in the open poll."""
    said = core.ledger.poll.cut.statements.items()
    seat = seat_of(core)
    return [name for name, each in said if isinstance(each, kind) and author(each) == seat]
