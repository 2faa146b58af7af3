"""Cheats with statements of a poll that convict: contradictory pairs, and false conclusions.

The cheater signs in another seat's turn, when it owes nothing itself. If it needs others' promises,
it opens a ballot first, as anybody may.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from lab.simulation.cheats.ballots import (
    TURN,
    accepted_in,
    counted_in,
    made_in,
    names_of,
    ready,
    says_in_own_ballot,
    says_unasked,
    somebody_else,
)
from lab.simulation.cheats.cheat import Bend, How, Ready, cheat, tag
from lab.simulation.cheats.cheater import Cheater
from lab.simulation.cheats.words import accept, parting, promise, promised_in, proposal, seat_of
from lab.simulation.computers.small_tables import small
from netgame.protocol.log.entry import ReceivedStatement, Signer
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Payload
from netgame.wire.statements import Ballot, Promise, bit

_FOUR: Final = small(4, 4)
_LONG_DONE: Final = 6  # steps back: everybody has written since


# ---- pairs ----------------------------------------------------------------------------------


def _says_less(core: Core) -> list[ReceivedStatement]:
    last = core.state.step - 1
    later = promise(core, Ballot(2, seat_of(core)), step=last, last=last)
    return [promise(core, last=last), later]


def _accepts_below(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    """Return a promise of a higher ballot, and then an accept of a proposal in the lower one."""
    said = made_in(core, ballot)
    return [*said, _later_promise(core, ballot), accept(core, said[-1].name)]


def _forgets(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    """Return an accept, and then a higher ballot's promise that claims nothing was accepted."""
    return [*accepted_in(core, ballot), _later_promise(core, ballot)]


def _forgets_and_leaves(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    left = parting(core, ballot, last=_promised_last(core, ballot))
    return [*accepted_in(core, ballot), left]


def _later_promise(core: Core, ballot: Ballot) -> ReceivedStatement:
    higher = Ballot(ballot.counter + 1, ballot.owner)
    return promise(core, higher, last=_promised_last(core, ballot))


def _promised_last(core: Core, ballot: Ballot) -> int:
    said = _own_in(core, ballot).statement
    assert isinstance(said, Promise)
    return said.last


def _own_in(core: Core, ballot: Ballot) -> ReceivedStatement:
    return core.ledger.poll.said[promised_in(core, ballot)[seat_of(core)]]


def _two_proposals(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    counted = counted_in(core, ballot)
    mine = _own_in(core, ballot)
    least = core.ledger.poll.cut.company.bit_count() // 2
    others = [each for each in counted if each is not mine]
    some = [mine, *others[:least]], [mine, *others[-least:]]
    return [*counted, *(proposal(core, ballot, names_of(each)) for each in some)]


def _two_values(core: Core, ballot: Ballot) -> Ready:
    somebody = bit(somebody_else(core))
    said = _proposes(core, ballot)
    return ready(*said, _proposes(core, ballot, goes=somebody)[-1], apart=True)


# ---- beside entries -------------------------------------------------------------------------


def _with_its_move(said: Callable[[Core], ReceivedStatement]) -> Bend:
    """Return a bend that tells a statement together with the due move, which it rules out."""

    def bend(core: Core, payload: Payload) -> Ready | None:
        assert isinstance(core, Cheater)
        if core.ledger.poll.said:
            return None
        core.hold_back()
        statement = said(core).signed
        entry = core.signed(payload)
        return Ready(tag(payload), (entry,), (statement,))

    return bend


def _own_promise(core: Core, **said: Any) -> ReceivedStatement:  # noqa: ANN401 - any field of it
    """Return a promise to sign nothing more, unless `said` changes it."""
    return promise(core, **{"last": core.state.step - 1, **said})


# ---- what does not follow -------------------------------------------------------------------


def _proposes(core: Core, ballot: Ballot, **said: Any) -> list[ReceivedStatement]:  # noqa: ANN401 - any field
    counted = counted_in(core, ballot)
    return [*counted, proposal(core, ballot, names_of(counted), **said)]


def _counts_too_few(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    mine = _own_in(core, ballot)
    return [mine, proposal(core, ballot, [mine.name])]


def _accepts_what_is_false(core: Core) -> Ready:
    """Return a partner's proposal, and the cheater's accept of it.

    The proposal does not follow from the promises that it counts, which are told as well.
    """
    lent = _lent(core)
    ballot = Ballot(1, seat_of(core, lent))
    counted = [promise(core, ballot, signer=lent), promise(core, ballot)]
    both = (seat_of(core), ballot.owner)
    goes = bit(next(seat for seat in core.state.present if seat not in both))
    made = proposal(core, ballot, names_of(counted), goes=goes, signer=lent)
    return ready(*counted, made, accept(core, made.name), as_evidence=True)


def _lent(core: Core) -> Signer:
    """Return the signing key of the cheater's partner."""
    assert isinstance(core, Cheater)
    assert core.deed.lent is not None
    return core.deed.lent


def _undoing(phase: Phase) -> Bend:
    """Return a bend by which two of three say that their logs ended earlier, and drop the third."""

    def bend(core: Core, _: object) -> Ready | None:
        state, step = core.state, core.state.step - _LONG_DONE
        if state.phase is not phase or core.ledger.poll.said:
            return None
        if step < state.company.sessions[0][0]:
            return None
        signers = core.context.signer, _lent(core)
        goes = ~sum(bit(seat_of(core, each)) for each in signers)
        goes &= core.ledger.poll.cut.company
        ballot = Ballot(1, seat_of(core))
        both = [
            promise(core, ballot, step=step, last=step - 1, without=goes, signer=each)
            for each in signers
        ]
        made = proposal(core, ballot, names_of(both), goes=goes, step=step)
        return ready(*both, made, *(accept(core, made.name, signer=each) for each in signers))

    return bend


_cut = partial(cheat, check=CheckCode.CUT)
_unasked = partial(says_unasked, check=CheckCode.CUT, how=How.UNASKED)
_in_ballot = partial(says_in_own_ballot, check=CheckCode.CUT, how=How.UNASKED)
_beside = partial(_cut, kinds=TURN, phase=Phase.PLAY)

POLL_CHEATS: Final = (
    _unasked(
        "two promises of one ballot",
        lambda core: [promise(core), promise(core, without=bit(somebody_else(core)))],
        about="the second names somebody",
    ),
    _unasked(
        "two farewells",
        lambda core: [parting(core), parting(core, Ballot(1, seat_of(core)))],
        about="the second says otherwise what it had promised",
    ),
    _unasked("a promise after a farewell", lambda core: [parting(core), promise(core)]),
    _unasked(
        "a later promise that says less of its log",
        _says_less,
        about="a higher ballot behind an earlier step than promised before",
    ),
    _in_ballot(
        "an accept below a promise",
        _accepts_below,
        about=(
            "of its own proposal, after it promised a higher ballot in which it had "
            "accepted nothing"
        ),
    ),
    _in_ballot(
        "a promise that hides what was accepted",
        _forgets,
        about="the promise comes after the accept",
    ),
    _in_ballot(
        "a farewell that hides what was accepted",
        _forgets_and_leaves,
        about="it says it has accepted nothing",
    ),
    _in_ballot(
        "two proposals of one ballot", _two_proposals, about="both say the same and count others"
    ),
    _in_ballot(
        "two values in one ballot",
        _two_values,
        about="to one peer a proposal that somebody goes, to all others one that nobody does",
    ),
    _in_ballot(
        "a proposal that names somebody whom nobody names",
        lambda core, ballot: _proposes(core, ballot, goes=bit(somebody_else(core))),
        about="that somebody goes, counting promises which name nobody",
    ),
    _in_ballot(
        "a proposal that stops the log earlier",
        lambda core, ballot: _proposes(core, ballot, step=core.state.step - 1),
        about="a step before all of the promises end",
    ),
    _in_ballot("a proposal that counts too few", _counts_too_few, about="its own promise alone"),
    _beside(
        "an entry behind the last that a promise allows",
        bend=_with_its_move(_own_promise),
        about="its move, and that it signs nothing more in this poll",
    ),
    _beside(
        "an entry after a farewell",
        bend=_with_its_move(lambda core: parting(core, last=core.state.step - 1)),
        about="its move, and that it has left before",
    ),
    _beside(
        "an entry behind another head than was promised",
        bend=_with_its_move(lambda core: _own_promise(core, head=bytes(64), last=core.state.step)),
        about="its move behind everybody's head, and that its log ends with another",
    ),
    _unasked(
        "an accept of what does not follow",
        _accepts_what_is_false,
        place=_FOUR,
        backed=True,
        about="of a partner's proposal that counts too few and names somebody",
    ),
    _cut(
        "a majority that undoes moves",
        bend=_undoing(Phase.PLAY),
        how=How.UNASKED,
        backed=True,
        about=(
            "two of three say that their logs end six steps back and that the third goes; "
            "both have signed since"
        ),
    ),
    _cut(
        "a majority that undoes a game",
        bend=_undoing(Phase.OVER),
        how=How.UNASKED,
        backed=True,
        about="the same when the game is over; the result stands",
    ),
)
