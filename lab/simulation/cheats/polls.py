"""Cheats with what seats sign of who goes on: pairs, what does not follow, and what only delays.

A cheat signs in the turn of another, where it owes nothing itself. Where it needs promises of
others, it opens a ballot first, as anybody may.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from lab.simulation.cheats.ballots import (
    TURN,
    counted_in,
    in_own_ballot,
    made_in,
    names_of,
    ready,
    somebody_else,
    unasked,
)
from lab.simulation.cheats.cheat import Bend, Cheater, How, Ready, cheat, tag
from lab.simulation.cheats.words import accept, parting, promise, promised_in, proposal, seat_of
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import Said, Signer
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.statements import NO_BALLOT, Ballot, Promise, bit

_FOUR: Final = wire.Settings("standard", (), 6, 4, 1, 4)
_LONG_DONE: Final = 6  # steps back, which everybody has written since


# ---- pairs ----------------------------------------------------------------------------------


def _two_promises(core: Core, seat: int) -> Ready:
    ballot = Ballot(1, seat)
    return ready(promise(core, ballot), promise(core, ballot, without=bit(somebody_else(core))))


def _two_partings(core: Core, seat: int) -> Ready:
    return ready(parting(core, NO_BALLOT), parting(core, Ballot(1, seat)))


def _says_less(core: Core, seat: int) -> Ready:
    """In a later ballot its log ends a step earlier, and it has signed as far as it said before."""
    step = core.state.step
    first = promise(core, Ballot(1, seat), last=step - 1)
    return ready(first, promise(core, Ballot(2, seat), step=step - 1, last=step - 1))


def _promises_after_parting(core: Core, seat: int) -> Ready:
    return ready(parting(core, NO_BALLOT), promise(core, Ballot(1, seat)))


def _accepts_below(core: Core, ballot: Ballot) -> Ready:
    """It has promised a higher ballot already, which it tells first."""
    counted, made = made_in(core, ballot)
    higher = _later_promise(core, ballot)
    return ready(*counted, made, higher, accept(core, made.name))


def _forgets(core: Core, ballot: Ballot) -> Ready:
    """It promises a higher ballot later, in which it has accepted nothing."""
    counted, made = made_in(core, ballot)
    return ready(*counted, made, accept(core, made.name), _later_promise(core, ballot))


def _forgets_and_leaves(core: Core, ballot: Ballot) -> Ready:
    counted, made = made_in(core, ballot)
    left = parting(core, ballot, last=_promised_last(core, ballot))
    return ready(*counted, made, accept(core, made.name), left)


def _later_promise(core: Core, ballot: Ballot) -> Said:
    higher = Ballot(ballot.counter + 1, ballot.owner)
    return promise(core, higher, last=_promised_last(core, ballot))


def _promised_last(core: Core, ballot: Ballot) -> int:
    said = core.ledger.poll.cut.statements[promised_in(core, ballot)[seat_of(core)]]
    assert isinstance(said, Promise)
    return said.last


def _two_proposals(core: Core, ballot: Ballot) -> Ready:
    """Both follow, and say the same: one counts one of the others, the next another."""
    counted, seat = counted_in(core, ballot), seat_of(core)
    least = core.ledger.poll.cut.company.bit_count() // 2
    mine = [each for each in counted if each.statement.seat == seat]  # type: ignore[union-attr]
    others = [each for each in counted if each not in mine]
    one = proposal(core, ballot, names_of([*mine, *others[:least]]))
    return ready(*counted, one, proposal(core, ballot, names_of([*mine, *others[-least:]])))


def _two_values(core: Core, ballot: Ballot) -> Ready:
    """One peer is told that somebody goes, all others that nobody does."""
    counted = counted_in(core, ballot)
    one = proposal(core, ballot, names_of(counted))
    other = proposal(core, ballot, names_of(counted), goes=bit(somebody_else(core)))
    return ready(*counted, one, other, apart=True)


# ---- beside entries -------------------------------------------------------------------------


def _with_its_move(said: Callable[[Core], Said]) -> Bend:
    """Have this told together with the move that is due, which it rules out."""

    def bend(core: Core, payload: wire.Payload) -> Ready | None:
        assert isinstance(core, Cheater)
        if core.ledger.poll.said:
            return None
        core.parts.pen.begun = core.state.log_id, core.state.step
        statement, entry = said(core).signed, core.signed(payload)
        return Ready(tag(payload), (entry,), (statement,))

    return bend


def _own_promise(core: Core, **said: Any) -> Said:  # noqa: ANN401 - any field of it
    """A promise to sign nothing more, unless it says otherwise."""
    return promise(core, Ballot(1, seat_of(core)), **{"last": core.state.step - 1, **said})


# ---- what does not follow -------------------------------------------------------------------


def _names_somebody(core: Core, ballot: Ballot) -> Ready:
    """Somebody goes whom nobody has named."""
    return _proposes(core, ballot, goes=bit(somebody_else(core)))


def _proposes(core: Core, ballot: Ballot, **said: int) -> Ready:
    counted = counted_in(core, ballot)
    return ready(*counted, proposal(core, ballot, names_of(counted), **said))  # type: ignore[arg-type]


def _stops_earlier(core: Core, ballot: Ballot) -> Ready:
    """The log is to stop where none of the promises says that one ends."""
    return _proposes(core, ballot, step=core.state.step - 1)


def _counts_too_few(core: Core, ballot: Ballot) -> Ready:
    """Its own promise alone is to be enough for somebody to go."""
    mine = core.ledger.poll.said[promised_in(core, ballot)[seat_of(core)]]
    return ready(mine, proposal(core, ballot, [mine.name]))


def _accepts_what_is_false(core: Core, seat: int) -> Ready:
    """A partner proposes what follows from nothing, and it accepts."""
    lent = _lent(core)
    ballot = Ballot(1, seat_of(core, lent))
    counted = [promise(core, ballot, signer=lent), promise(core, ballot)]
    goes = bit(next(s for s in core.state.present if s not in (seat, ballot.owner)))
    made = proposal(core, ballot, names_of(counted), goes=goes, signer=lent)
    return ready(*counted, made, accept(core, made.name), as_evidence=True)


def _lent(core: Core) -> Signer:
    """What its partner signs with."""
    assert isinstance(core, Cheater)
    assert core.partner is not None
    return core.partner.lent


def _undoing(phase: Phase) -> Bend:
    """Two of three say that their logs end where they did long since, and let the third go."""

    def bend(core: Core, _: object) -> Ready | None:
        state, step = core.state, core.state.step - _LONG_DONE
        if state.phase is not phase or step < state.company.seats_step or core.ledger.poll.said:
            return None
        signers = core.place.signer, _lent(core)
        goes = ~sum(bit(seat_of(core, each)) for each in signers)
        goes &= core.ledger.poll.cut.company
        ballot = Ballot(1, seat_of(core))
        both = [
            promise(core, ballot, step=step, last=step - 1, without=goes, signer=each)
            for each in signers
        ]
        made = proposal(core, ballot, names_of(both), goes=goes, step=step)
        return ready(*both, made, *(accept(core, made.name, each) for each in signers))

    return bend


_cut = partial(cheat, check=CheckCode.CUT)
_unasked = partial(_cut, how=How.UNASKED)
_beside = partial(_cut, kinds=TURN, phase=Phase.PLAY)

POLL_CHEATS: Final = (
    _unasked("two promises of one ballot", bend=unasked(_two_promises)),
    _unasked("two farewells", bend=unasked(_two_partings)),
    _unasked("a promise after a farewell", bend=unasked(_promises_after_parting)),
    _unasked("a later promise that says less of its log", bend=unasked(_says_less)),
    _unasked("an accept below a promise", bend=in_own_ballot(_accepts_below)),
    _unasked("a promise that hides what was accepted", bend=in_own_ballot(_forgets)),
    _unasked("a farewell that hides what was accepted", bend=in_own_ballot(_forgets_and_leaves)),
    _unasked("two proposals of one ballot", bend=in_own_ballot(_two_proposals)),
    _unasked("two values in one ballot", bend=in_own_ballot(_two_values)),
    _unasked(
        "a proposal that names somebody whom nobody names", bend=in_own_ballot(_names_somebody)
    ),
    _unasked("a proposal that stops the log earlier", bend=in_own_ballot(_stops_earlier)),
    _unasked("a proposal that counts too few", bend=in_own_ballot(_counts_too_few)),
    _beside("an entry behind the last that a promise allows", bend=_with_its_move(_own_promise)),
    _beside(
        "an entry after a farewell",
        bend=_with_its_move(lambda core: parting(core, NO_BALLOT, last=core.state.step - 1)),
    ),
    _beside(
        "an entry behind another head than was promised",
        bend=_with_its_move(lambda core: _own_promise(core, head=bytes(64), last=core.state.step)),
    ),
    _unasked(
        "an accept of what does not follow",
        bend=unasked(_accepts_what_is_false),
        place=_FOUR,
        backed=True,
    ),
    _unasked("a majority that undoes moves", bend=_undoing(Phase.PLAY), backed=True),
    _unasked("a majority that undoes a game", bend=_undoing(Phase.OVER), backed=True),
)
