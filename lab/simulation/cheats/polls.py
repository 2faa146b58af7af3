"""Cheats with what seats sign of who goes on: pairs, what does not follow, and what only delays.

A cheat signs in the turn of another, where it owes nothing itself. Where it needs promises of
others, it opens a ballot first, as anybody may.
"""

from collections.abc import Callable
from typing import Final

from lab.simulation.cheats.ballots import (
    counted_in,
    in_own_ballot,
    made_in,
    names_of,
    ready,
    somebody_else,
    unasked,
)
from lab.simulation.cheats.cheat import Bend, Cheat, Cheater, How, Ready
from lab.simulation.cheats.words import accept, parting, promise, promised_in, proposal, seat_of
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import Said
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.statements import NO_BALLOT, Ballot, Promise, bit

_FOUR: Final = wire.Settings("standard", (), 6, 4, 1, 4)
_TURN: Final = (wire.Lay, wire.Draw, wire.Pass)
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
        return Ready(str(payload.__struct_config__.tag), (entry,), (statement,))

    return bend


def _own_promise(core: Core, *, head: bytes = b"", more: int = 0) -> Said:
    """A promise to sign nothing more, or `more` steps more, behind this head."""
    ballot, last = Ballot(1, seat_of(core)), core.state.step - 1 + more
    return promise(core, ballot, head=head, last=last)


# ---- what does not follow -------------------------------------------------------------------


def _names_somebody(core: Core, ballot: Ballot) -> Ready:
    """Somebody goes whom nobody has named."""
    counted = counted_in(core, ballot)
    return ready(*counted, proposal(core, ballot, names_of(counted), goes=bit(somebody_else(core))))


def _stops_earlier(core: Core, ballot: Ballot) -> Ready:
    """The log is to stop where none of the promises says that one ends."""
    counted, step = counted_in(core, ballot), core.state.step - 1
    return ready(*counted, proposal(core, ballot, names_of(counted), step=step))


def _counts_too_few(core: Core, ballot: Ballot) -> Ready:
    """Its own promise alone is to be enough for somebody to go."""
    mine = core.ledger.poll.said[promised_in(core, ballot)[seat_of(core)]]
    return ready(mine, proposal(core, ballot, [mine.name]))


def _accepts_what_is_false(core: Core, seat: int) -> Ready:
    """A partner proposes what follows from nothing, and it accepts."""
    assert isinstance(core, Cheater)
    assert core.partner is not None
    lent = core.partner.lent
    ballot = Ballot(1, seat_of(core, lent))
    counted = [promise(core, ballot, signer=lent), promise(core, ballot)]
    goes = bit(next(s for s in core.state.present if s not in (seat, ballot.owner)))
    made = proposal(core, ballot, names_of(counted), goes=goes, signer=lent)
    return ready(*counted, made, accept(core, made.name), as_evidence=True)


def _undoing(phase: Phase) -> Bend:
    """Two of three say that their logs end where they did long since, and let the third go."""

    def bend(core: Core, _: object) -> Ready | None:
        assert isinstance(core, Cheater)
        assert core.partner is not None
        state, step = core.state, core.state.step - _LONG_DONE
        if state.phase is not phase or step < state.company.seats_step or core.ledger.poll.said:
            return None
        signers = core.place.signer, core.partner.lent
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


_PAIRS: Final = (
    ("two promises of one ballot", unasked(_two_promises)),
    ("two farewells", unasked(_two_partings)),
    ("a promise after a farewell", unasked(_promises_after_parting)),
    ("a later promise that says less of its log", unasked(_says_less)),
    ("an accept below a promise", in_own_ballot(_accepts_below)),
    ("a promise that hides what was accepted", in_own_ballot(_forgets)),
    ("a farewell that hides what was accepted", in_own_ballot(_forgets_and_leaves)),
    ("two proposals of one ballot", in_own_ballot(_two_proposals)),
    ("two values in one ballot", in_own_ballot(_two_values)),
    ("a proposal that names somebody whom nobody names", in_own_ballot(_names_somebody)),
    ("a proposal that stops the log earlier", in_own_ballot(_stops_earlier)),
    ("a proposal that counts too few", in_own_ballot(_counts_too_few)),
)
_BESIDE: Final = (
    ("an entry behind the last that a promise allows", _with_its_move(_own_promise)),
    (
        "an entry after a farewell",
        _with_its_move(lambda core: parting(core, NO_BALLOT, last=core.state.step - 1)),
    ),
    (
        "an entry behind another head than was promised",
        _with_its_move(lambda core: _own_promise(core, head=bytes(64), more=1)),
    ),
)


def _pair(name: str, bend: Bend, kinds: tuple[type[wire.Payload], ...] = ()) -> Cheat:
    how = How.INSTEAD if kinds else How.UNASKED
    phase = Phase.PLAY if kinds else None
    return Cheat(name, kinds, bend, CheckCode.CUT, how, phase=phase, in_polls=True)


POLL_CHEATS: Final = (
    *(_pair(name, bend) for name, bend in _PAIRS),
    *(_pair(name, bend, _TURN) for name, bend in _BESIDE),
    Cheat(
        "an accept of what does not follow",
        (),
        unasked(_accepts_what_is_false),
        CheckCode.CUT,
        How.UNASKED,
        place=_FOUR,
        backed=True,
        in_polls=True,
    ),
    Cheat(
        "a majority that undoes moves",
        (),
        _undoing(Phase.PLAY),
        CheckCode.CUT,
        How.UNASKED,
        backed=True,
        in_polls=True,
    ),
    Cheat(
        "a majority that undoes a game",
        (),
        _undoing(Phase.OVER),
        CheckCode.CUT,
        How.UNASKED,
        backed=True,
        in_polls=True,
    ),
)
