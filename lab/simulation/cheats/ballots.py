"""Cheats in a poll: the moments at which they are possible, and the statements that they make.

The cheater signs in another seat's turn, when it owes nothing itself. If it needs others' promises,
it opens a ballot first, as anybody may.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from lab.simulation.cheats.cheat import Cheat, Ready, cheat, tag
from lab.simulation.cheats.words import accept, own, promised_in, proposal, seat_of
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.log.entry import ReceivedStatement
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire.messages import Draw, Lay, Pass
from netgame.wire.statements import Ballot, Promise, Proposal

TURN: Final = (Lay, Draw, Pass)
"""The entries of a turn under the standard rules."""


def ready(*said: ReceivedStatement, apart: bool = False, as_evidence: bool = False) -> Ready:
    """Return these signed statements, ready to be sent; the last one is the lie."""
    signed = tuple(each.signed for each in said)
    return Ready(tag(said[-1].statement), (), signed, apart=apart, as_evidence=as_evidence)


def idle_seat(core: Core) -> int | None:
    """Return this seat if it is another's turn and the poll has no statements yet, or else None.

    A seat that has lost its record makes no statement: its earlier statements would convict it.
    """
    state = core.state
    seat = state.seat_of(core.key)
    is_free = state.phase is Phase.PLAY and seat is not None and seat not in due(state).authors
    may_speak = core.parts.journal.may_say() and not core.parts.recovery.lasts
    return seat if is_free and may_speak and not core.ledger.poll.said else None


Said = Callable[..., Sequence[ReceivedStatement] | Ready]
"""Makes the statements to tell, from a core and a ballot if there is one."""


def _says(
    name: str,
    time: Callable[[Core], tuple[Any, ...] | None],
    said: Said,
    **more: Any,  # noqa: ANN401 - any other field of a cheat
) -> Cheat:
    """Return a cheat that waits until `time` returns a tuple, and then tells its statements.

    `said` makes them from the core and the items of that tuple.
    """

    def bend(core: Core, _: object) -> Ready | None:
        if (given := time(core)) is None:
            return None
        made = said(core, *given)
        return made if isinstance(made, Ready) else ready(*made)

    return cheat(name, bend=bend, **more)


def says_unasked(name: str, said: Said, **more: Any) -> Cheat:  # noqa: ANN401 - any other field of a cheat
    """Return a cheat that makes its statements in another seat's turn, without a reason."""
    return _says(
        name,
        lambda core: None if idle_seat(core) is None or _all_are_needed(core) else (),
        said,
        **more,
    )


def _all_are_needed(core: Core) -> bool:
    """Return True if only two seats are left, of which neither could go on alone."""
    return core.ledger.poll.cut.company.bit_count() < 3


def says_in_own_ballot(
    name: str,
    said: Said,
    *,
    names_somebody: bool = False,
    **more: Any,  # noqa: ANN401 - any other field of a cheat
) -> Cheat:
    """Return a cheat that opens a ballot, and makes its statements once all have promised it.

    If `names_somebody`, its own promise in that ballot names another seat that is present.
    """

    def time(core: Core) -> tuple[Ballot] | None:
        if _all_are_needed(core):
            return None
        if (ballot := _own_ballot(core, names_somebody=names_somebody)) is None:
            return None
        cut = core.ledger.poll.cut
        all_have = len(promised_in(core, ballot)) == cut.company.bit_count()
        all_have = all_have and best_proposal(cut, ballot) is not None
        return (ballot,) if all_have and not own(core, Proposal) else None

    return _says(name, time, said, **more)


def _own_ballot(core: Core, *, names_somebody: bool) -> Ballot | None:
    """Return the ballot of this seat that is open, or None.

    If there is none and it is time to open one, open it, but return None all the same.
    """
    if core.state.phase is not Phase.PLAY or not core.context.sits(core.key):
        return None
    names = own(core, Promise)
    for said in (core.ledger.poll.cut.statements[name] for name in names):
        if isinstance(said, Promise) and said.ballot.owner == said.seat:
            return said.ballot
    seat = idle_seat(core)
    if seat is not None and not names:
        polls = core.parts.polls
        voter = core.parts.journal.bound(seat)
        keys = frozenset({core.state.seats[somebody_else(core)].key} if names_somebody else ())
        polls._sign(polls._promise_of(voter, Ballot(1, seat), keys))
    return None


def somebody_else(core: Core) -> int:
    """Return another seat that is present."""
    return next(seat for seat in core.state.present if seat != seat_of(core))


def counted_in(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    """Return all promises of a ballot, as they were signed."""
    said = core.ledger.poll.said
    return [said[name] for name in sorted(promised_in(core, ballot).values())]


def names_of(said: list[ReceivedStatement]) -> list[bytes]:
    """Return the names of these statements."""
    return [each.name for each in said]


def made_in(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    """Return the promises of this seat's ballot, followed by the proposal that they allow.

    Raise AssertionError if they allow none.
    """
    found = best_proposal(core.ledger.poll.cut, ballot)
    assert found is not None
    value, names = found
    made = proposal(core, ballot, names, goes=value.goes, step=value.step, head=value.head)
    return [*counted_in(core, ballot), made]


def accepted_in(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    """Return the same as `made_in`, followed by this seat's accept of the proposal."""
    said = made_in(core, ballot)
    return [*said, accept(core, said[-1].name)]
