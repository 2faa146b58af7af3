"""Cheats with what seats sign of who goes on: pairs, what does not follow, and what only delays.

A cheat signs in the turn of another, where it owes nothing itself. Where it needs promises of
others, it opens a ballot first, as anybody may.
"""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from lab.simulation.cheats.cheat import Bend, Cheat, Cheater, How, Ready
from lab.simulation.cheats.words import (
    accept,
    own,
    parting,
    promise,
    promised_in,
    proposal,
    seat_of,
)
from netgame.crypto.transcript import expand
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.log.entry import Said, filled_mask, sign_statement
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.standing.journal import bound
from netgame.wire import messages as wire
from netgame.wire.statements import COUNTER_MAX, NO_BALLOT, Ballot, Parting, Promise, Proposal, bit

_FOUR: Final = wire.Settings("standard", (), 6, 4, 1, 4)
_ROUNDS: Final = wire.Settings("standard", (), 6, 4, 3, 3, ("leaver=rebuild", "patience=minute"))
_TURN: Final = (wire.Lay, wire.Draw, wire.Pass)
_FLOOD: Final = 200
_IN_A_FRAME: Final = 200
_LONG_DONE: Final = 6  # steps back, which everybody has written since
_DELAY_S: Final = 60.0
"""A game in which somebody only holds up a poll is over by then; alone it takes some seconds."""


def _ready(*said: Said, apart: bool = False, as_evidence: bool = False) -> Ready:
    """Have these statements told; the last one is the lie."""
    kind = str(said[-1].statement.__struct_config__.tag)
    signed = tuple(each.signed for each in said)
    return Ready(kind, (), signed, apart=apart, as_evidence=as_evidence)


# ---- when -----------------------------------------------------------------------------------


def _idle_seat(core: Core) -> int | None:
    """Our seat in the turn of another, while nobody decides anything; else None."""
    state, seat = core.state, core.state.seat_of(core.key)
    is_free = state.phase is Phase.PLAY and seat is not None and seat not in due(state).authors
    return seat if is_free and not core.ledger.poll.said else None


def _unasked(made: Callable[[Core, int], Ready]) -> Bend:
    """Have this said in the turn of another, out of the blue."""

    def bend(core: Core, _: object) -> Ready | None:
        seat = _idle_seat(core)
        if core.ledger.poll.cut.company.bit_count() < 3:
            return None  # the other could not go on without who says nothing more in this poll
        return None if seat is None else made(core, seat)

    return bend


def _in_own_ballot(made: Callable[[Core, Ballot], Ready], *, names_somebody: bool = False) -> Bend:
    """Open a ballot, and have this said when all have promised, if it has not proposed before."""

    def bend(core: Core, _: object) -> Ready | None:
        if core.ledger.poll.cut.company.bit_count() < 3:
            return None  # there is one quorum, and one to tell
        if (ballot := _own_ballot(core, names_somebody=names_somebody)) is None:
            return None
        all_have = len(promised_in(core, ballot)) == core.ledger.poll.cut.company.bit_count()
        return made(core, ballot) if all_have and not own(core, Proposal) else None

    return bend


def _own_ballot(core: Core, *, names_somebody: bool = False) -> Ballot | None:
    """The ballot of our own that is open; one is opened if there is none and it is time."""
    if core.state.phase is not Phase.PLAY or not core.place.sits(core.key):
        return None
    names = own(core, Promise)
    for said in (core.ledger.poll.cut.statements[name] for name in names):
        if isinstance(said, Promise) and said.ballot.owner == said.seat:
            return said.ballot
    seat = _idle_seat(core)
    if seat is not None and not names:
        polls = core.parts.polls
        voter = bound(core.parts.journal, core.ledger, seat)
        keys = frozenset({core.state.seats[_victim(core)].key} if names_somebody else ())
        polls._sign(polls._promise_of(voter, Ballot(1, seat), keys))
    return None


def _victim(core: Core) -> int:
    """Somebody else who is there."""
    return next(seat for seat in core.state.present if seat != seat_of(core))


def _counted(core: Core, ballot: Ballot) -> list[Said]:
    """All promises of a ballot, as they were signed."""
    said = core.ledger.poll.said
    return [said[name] for name in sorted(promised_in(core, ballot).values())]


def _names(said: list[Said]) -> list[bytes]:
    return [each.name for each in said]


# ---- pairs ----------------------------------------------------------------------------------


def _two_promises(core: Core, seat: int) -> Ready:
    ballot = Ballot(1, seat)
    return _ready(promise(core, ballot), promise(core, ballot, without=bit(_victim(core))))


def _two_partings(core: Core, seat: int) -> Ready:
    return _ready(parting(core, NO_BALLOT), parting(core, Ballot(1, seat)))


def _says_less(core: Core, seat: int) -> Ready:
    """In a later ballot its log ends a step earlier, and it has signed as far as it said before."""
    step = core.state.step
    first = promise(core, Ballot(1, seat), last=step - 1)
    return _ready(first, promise(core, Ballot(2, seat), step=step - 1, last=step - 1))


def _promises_after_parting(core: Core, seat: int) -> Ready:
    return _ready(parting(core, NO_BALLOT), promise(core, Ballot(1, seat)))


def _made(core: Core, ballot: Ballot) -> tuple[list[Said], Said]:
    """The promises of a ballot of ours, and the proposal that they allow."""
    counted = _counted(core, ballot)
    found = best_proposal(core.ledger.poll.cut, ballot)
    assert found is not None
    value, names = found
    made = proposal(core, ballot, names, goes=value.goes, step=value.step, head=value.head)
    return counted, made


def _accepts_below(core: Core, ballot: Ballot) -> Ready:
    """It has promised a higher ballot already, which it tells first."""
    counted, made = _made(core, ballot)
    higher = _later_promise(core, ballot)
    return _ready(*counted, made, higher, accept(core, made.name))


def _forgets(core: Core, ballot: Ballot) -> Ready:
    """It promises a higher ballot later, in which it has accepted nothing."""
    counted, made = _made(core, ballot)
    return _ready(*counted, made, accept(core, made.name), _later_promise(core, ballot))


def _forgets_and_leaves(core: Core, ballot: Ballot) -> Ready:
    counted, made = _made(core, ballot)
    left = parting(core, ballot, last=_promised_last(core, ballot))
    return _ready(*counted, made, accept(core, made.name), left)


def _later_promise(core: Core, ballot: Ballot) -> Said:
    higher = Ballot(ballot.counter + 1, ballot.owner)
    return promise(core, higher, last=_promised_last(core, ballot))


def _promised_last(core: Core, ballot: Ballot) -> int:
    said = core.ledger.poll.cut.statements[promised_in(core, ballot)[seat_of(core)]]
    assert isinstance(said, Promise)
    return said.last


def _two_proposals(core: Core, ballot: Ballot) -> Ready:
    """Both follow, and say the same: one counts one of the others, the next another."""
    counted, seat = _counted(core, ballot), seat_of(core)
    least = core.ledger.poll.cut.company.bit_count() // 2
    mine = [each for each in counted if each.statement.seat == seat]  # type: ignore[union-attr]
    others = [each for each in counted if each not in mine]
    one = proposal(core, ballot, _names([*mine, *others[:least]]))
    return _ready(*counted, one, proposal(core, ballot, _names([*mine, *others[-least:]])))


def _two_values(core: Core, ballot: Ballot) -> Ready:
    """One peer is told that somebody goes, all others that nobody does."""
    counted = _counted(core, ballot)
    one = proposal(core, ballot, _names(counted))
    other = proposal(core, ballot, _names(counted), goes=bit(_victim(core)))
    return _ready(*counted, one, other, apart=True)


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
    counted = _counted(core, ballot)
    return _ready(*counted, proposal(core, ballot, _names(counted), goes=bit(_victim(core))))


def _stops_earlier(core: Core, ballot: Ballot) -> Ready:
    """The log is to stop where none of the promises says that one ends."""
    counted, step = _counted(core, ballot), core.state.step - 1
    return _ready(*counted, proposal(core, ballot, _names(counted), step=step))


def _counts_too_few(core: Core, ballot: Ballot) -> Ready:
    """Its own promise alone is to be enough for somebody to go."""
    mine = core.ledger.poll.said[promised_in(core, ballot)[seat_of(core)]]
    return _ready(mine, proposal(core, ballot, [mine.name]))


def _accepts_what_is_false(core: Core, seat: int) -> Ready:
    """A partner proposes what follows from nothing, and it accepts."""
    assert isinstance(core, Cheater)
    assert core.partner is not None
    lent = core.partner.lent
    ballot = Ballot(1, seat_of(core, lent))
    counted = [promise(core, ballot, signer=lent), promise(core, ballot)]
    goes = bit(next(s for s in core.state.present if s not in (seat, ballot.owner)))
    made = proposal(core, ballot, _names(counted), goes=goes, signer=lent)
    return _ready(*counted, made, accept(core, made.name), as_evidence=True)


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
        made = proposal(core, ballot, _names(both), goes=goes, step=step)
        return _ready(*both, made, *(accept(core, made.name, each) for each in signers))

    return bend


# ---- what only delays -----------------------------------------------------------------------


def _names_who_is_here(core: Core, ballot: Ballot) -> Ready:
    """What it proposes follows: nobody goes whom it alone has named."""
    counted, made = _made(core, ballot)
    return _ready(*counted, made)


def _far_ahead(core: Core, seat: int) -> Ready:
    """A ballot at the end of all numbers, and one that binds all others."""
    return _ready(promise(core, Ballot(COUNTER_MAX, seat)), promise(core, Ballot(1, seat)))


def _no_such_head(core: Core, seat: int) -> Ready:
    return _ready(promise(core, Ballot(1, seat), head=expand(bytes(32), "head", seat)(64)))


def _no_such_proposal(core: Core, seat: int) -> Ready:
    return _ready(promise(core, Ballot(1, seat), accepted=expand(bytes(32), "name", seat)(64)))


def _counts_what_is_not_there(core: Core, ballot: Ballot) -> Ready:
    """A proposal that goes back to what it shows to nobody."""
    missing = expand(bytes(32), "missing", ballot.counter)(64)
    return _ready(proposal(core, ballot, [*promised_in(core, ballot).values(), missing]))


def _never_proposes(core: Core, seat: int) -> Ready:
    return _ready(promise(core, Ballot(1, seat)))


def _outbids(core: Core) -> Iterator[Said]:
    """A higher ballot, whenever others have promised the last, or somebody else has the highest."""
    assert isinstance(core, Cheater)
    poll, seat = core.ledger.poll, seat_of(core)
    first = [read for read in core.told_statements() if poll.is_of(read.statement)]
    promises = [each for each in poll.cut.statements.values() if isinstance(each, Promise)]
    highest = max((each.ballot for each in promises), default=NO_BALLOT)
    is_taken = any(e.ballot == highest and e.seat != seat for e in promises)
    if first and (is_taken or highest.owner != seat):
        (said,) = (e.statement for e in first[:1])
        assert isinstance(said, Promise)
        yield promise(core, Ballot(highest.counter + 1, seat), last=said.last)


def _too_few_accepts(core: Core, ballot: Ballot) -> Ready:
    """It alone accepts what is good if more than half do; a file goes on as if they had."""
    assert isinstance(core, Cheater)
    counted, made = _made(core, ballot)
    said = [*counted, made, accept(core, made.name)]
    told = _ready(*said)
    last = said[0].statement
    assert isinstance(last, Promise)
    again = replace(last, poll=last.poll + 1, seat=seat_of(core), ballot=Ballot(1, ballot.owner))
    signed = sign_statement(core.place.signer, again).signed
    file = core.record_with((*told.statements, signed))
    return Ready(told.kind, (), told.statements, files=(file,))


def _old_parting(core: Core, _: object) -> Ready | None:
    """Who has left has been seated again by a coin: its farewell is shown once more."""
    state = core.state
    if _idle_seat(core) is None:
        return None
    for decision in core.ledger.decisions:
        for said in decision.said:
            if not isinstance(said.statement, Parting):
                continue
            epoch = state.company.of_id(said.statement.id)
            key = epoch.keys[said.statement.seat] if epoch is not None else b""
            if state.seat_of(key) in state.present:
                return _ready(said)
    return None


def _leaves_nowhere(core: Core, _: object) -> Ready | None:
    """Its farewell is behind a head that it has made up, so that it counts nowhere."""
    return _ready(parting(core, NO_BALLOT, head=expand(bytes(32), "nowhere")(64)))


# ---- floods ---------------------------------------------------------------------------------


def _promises_on_and_on(core: Core, seat: int) -> Ready:
    """A ballot after the other, of which each is good."""
    counters = range(1, 5 * _IN_A_FRAME + 1)
    return _ready(*(promise(core, Ballot(each, seat)) for each in counters))


def _strange_statements(core: Core, payload: wire.Payload) -> wire.Payload:
    """Promises of an epoch that never was."""
    strange = expand(bytes(32), "epoch")(64)
    for number in range(_FLOOD):
        said = Promise(strange, 0, 0, Ballot(1 + number, 0), 9, strange, 9, 0, b"")
        signed = sign_statement(core.place.signer, said).signed
        core.place.links.tell_all(wire.Statements((signed,) * 50))
    return payload


def _misses_on_and_off(core: Core, payload: wire.Payload) -> wire.Payload:
    """It misses somebody, and does not, and does."""
    state = core.state
    for number in range(_FLOOD):
        mask = filled_mask((0,) if number % 2 else (1,))
        core.place.links.tell_all(wire.Missed(state.log_id, mask))
    return payload


_PAIRS: Final = (
    ("two promises of one ballot", _unasked(_two_promises)),
    ("two farewells", _unasked(_two_partings)),
    ("a promise after a farewell", _unasked(_promises_after_parting)),
    ("a later promise that says less of its log", _unasked(_says_less)),
    ("an accept below a promise", _in_own_ballot(_accepts_below)),
    ("a promise that hides what was accepted", _in_own_ballot(_forgets)),
    ("a farewell that hides what was accepted", _in_own_ballot(_forgets_and_leaves)),
    ("two proposals of one ballot", _in_own_ballot(_two_proposals)),
    ("two values in one ballot", _in_own_ballot(_two_values)),
    ("a proposal that names somebody whom nobody names", _in_own_ballot(_names_somebody)),
    ("a proposal that stops the log earlier", _in_own_ballot(_stops_earlier)),
    ("a proposal that counts too few", _in_own_ballot(_counts_too_few)),
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
_DELAYS: Final = (
    (
        "a proposer that names somebody who is there",
        _in_own_ballot(_names_who_is_here, names_somebody=True),
    ),
    ("a ballot at the end of all numbers", _unasked(_far_ahead)),
    ("a promise behind a log that nobody has", _unasked(_no_such_head)),
    ("a promise that has accepted what nobody has", _unasked(_no_such_proposal)),
    ("a proposal that counts what nobody has", _in_own_ballot(_counts_what_is_not_there)),
    ("a ballot that comes to nothing", _unasked(_never_proposes)),
    ("a certificate of too few accepts", _in_own_ballot(_too_few_accepts)),
    ("a flood of promises", _unasked(_promises_on_and_on)),
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
        _unasked(_accepts_what_is_false),
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
    *(
        Cheat(name, (), bend, None, How.IDLE, within_s=_DELAY_S, in_polls=True)
        for name, bend in _DELAYS
    ),
    Cheat(
        "an owner that outbids every ballot",
        (),
        _unasked(_never_proposes),
        None,
        How.IDLE,
        within_s=_DELAY_S,
        goes_on=_outbids,
        in_polls=True,
    ),
    Cheat(
        "a farewell of before its seat was given again",
        (),
        _old_parting,
        None,
        How.IDLE,
        place=_ROUNDS,
        back=True,
        in_polls=True,
    ),
    Cheat(
        "is silent behind a farewell that nobody can follow",
        _TURN,
        _leaves_nowhere,
        None,
        How.SILENT,
        phase=Phase.PLAY,
        place=_FOUR,
        in_polls=True,
    ),
    Cheat("a flood of strange statements", _TURN, _strange_statements, None, How.IDLE),
    Cheat("a flood of whom it misses", _TURN, _misses_on_and_off, None, How.IDLE),
)
