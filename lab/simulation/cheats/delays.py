"""Cheats that convict nobody: statements that only delay a poll, and floods."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from lab.simulation.cheats.ballots import (
    TURN,
    accepted_in,
    idle_seat,
    made_in,
    ready,
    says_in_own_ballot,
    says_unasked,
)
from lab.simulation.cheats.cheat import How, Ready, cheat
from lab.simulation.cheats.cheater import Cheater
from lab.simulation.cheats.seats import FLOOD, flood
from lab.simulation.cheats.words import parting, promise, promised_in, proposal, seat_of
from lab.simulation.computers.small_tables import small
from netgame.crypto.transcript import expand
from netgame.protocol.log.entry import ReceivedStatement, filled_mask, sign_statement
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import LinkMessage, Missed, Statements
from netgame.wire.statements import (
    COUNTER_MAX,
    NO_BALLOT,
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    author,
)

_FOUR: Final = small(4, 4)
_ROUNDS: Final = small(4, 3, "leaver=rebuild", "patience=minute", rounds=3)
_MANY: Final = 1_001
_CHAIN: Final = 110
_REPEATS: Final = 50
_DELAY_S: Final = 60.0
"""A game in which somebody only holds up a poll is over within this time; without a delay it takes
some seconds.
"""


def _counts_what_is_not_there(core: Core, ballot: Ballot) -> list[ReceivedStatement]:
    """Return a proposal that counts a promise which nobody has seen."""
    missing = expand(bytes(32), "missing", ballot.counter)(64)
    return [proposal(core, ballot, [*promised_in(core, ballot).values(), missing])]


def _outbids(core: Core) -> Iterator[ReceivedStatement]:
    """Yield a promise of a ballot of this seat that outbids the highest one.

    Yield nothing until it has made a promise in this poll, or while the highest ballot is its own
    and nobody else has promised that one.
    """
    assert isinstance(core, Cheater)
    poll, seat = core.ledger.poll, seat_of(core)
    said = (each.statement for each in core.told_statements())
    first = next(filter(poll.is_of, said), None)
    promises = [each for each in poll.cut.statements.values() if isinstance(each, Promise)]
    highest = max((each.ballot for each in promises), default=NO_BALLOT)
    is_taken = any(e.ballot == highest and e.seat != seat for e in promises)
    if isinstance(first, Promise) and (is_taken or highest.owner != seat):
        yield promise(core, Ballot(highest.counter + 1, seat), last=first.last)


def _chain(core: Core) -> list[ReceivedStatement]:
    """Return many ballots of this seat, each with a proposal that counts an unknown promise.

    The promise of each later ballot says that the seat has accepted the proposal before it.
    """
    said: list[ReceivedStatement] = []
    for counter in range(1, _CHAIN + 1):
        ballot = Ballot(counter, seat_of(core))
        said.append(promise(core, ballot, accepted=said[-1].name if said else NOTHING))
        said.append(proposal(core, ballot, [said[-1].name, _nothing(core, "name")]))
    return said


def _repeats_others(core: Core) -> Iterator[ReceivedStatement]:
    """Yield all statements of others in the poll, many times, if the cheater has made one there."""
    assert isinstance(core, Cheater)
    poll, seat = core.ledger.poll, seat_of(core)
    if any(poll.is_of(each.statement) for each in core.told_statements()):
        others = [each for each in poll.said.values() if author(each.statement) != seat]
        yield from others * _REPEATS


def _too_late(core: Core) -> list[ReceivedStatement]:
    book = core.ledger.decisions[0].book
    own = [each for each in book.said.values() if each.is_by(core.key)]
    first = next(each.statement for each in own if isinstance(each.statement, Promise))
    accepted = [each.statement.proposal for each in own if isinstance(each.statement, Accept)]
    last = replace(first, accepted=accepted[-1] if accepted else first.accepted)
    ballots = (Ballot(first.ballot.counter + n, first.ballot.owner) for n in range(1, _MANY))
    return [sign_statement(core.context.signer, replace(last, ballot=each)) for each in ballots]


def _too_few_accepts(core: Core, ballot: Ballot) -> Ready:
    """Return a proposal that the cheater alone accepts.

    A file for outsiders adds the cheater's promise in the next poll, as if more than half had
    accepted the proposal.
    """
    assert isinstance(core, Cheater)
    said = accepted_in(core, ballot)
    last = said[0].statement
    assert isinstance(last, Promise)
    again = replace(last, poll=last.poll + 1, seat=seat_of(core), ballot=Ballot(1, ballot.owner))
    signed = sign_statement(core.context.signer, again).signed
    told = ready(*said)
    return told._replace(files=(core.record_with((*told.statements, signed)),))


def _old_parting(core: Core, _: object) -> Ready | None:
    """Return the farewell of a seat that a coin has seated again, to show it once more.

    Return None unless it is another seat's turn, or if there is no such farewell.
    """
    state = core.state
    if idle_seat(core) is None:
        return None
    for decision in core.ledger.decisions:
        for said in decision.said:
            if not isinstance(said.statement, Parting):
                continue
            epoch = state.company.of_id(said.statement.id)
            key = epoch.keys[said.statement.seat] if epoch is not None else b""
            if state.seat_of(key) in state.present:
                return ready(said)
    return None


# ---- floods ---------------------------------------------------------------------------------


def _strange_statements(core: Core) -> Iterator[LinkMessage]:
    strange = expand(bytes(32), "epoch")(64)
    for number in range(FLOOD):
        said = Promise(
            id=strange,
            poll=0,
            seat=0,
            ballot=Ballot(1 + number, 0),
            step=9,
            head=strange,
            last=9,
            without=0,
            accepted=b"",
        )
        signed = sign_statement(core.context.signer, said).signed
        yield Statements((signed,) * 50)


def _misses_on_and_off(core: Core) -> list[LinkMessage]:
    one, other = (Missed(core.state.log_id, filled_mask((seat,))) for seat in (1, 0))
    return [one, other] * (FLOOD // 2)


_idle = partial(cheat, how=How.IDLE)
_delay = partial(says_unasked, how=How.IDLE, within_s=_DELAY_S)
_delay_in_ballot = partial(says_in_own_ballot, how=How.IDLE, within_s=_DELAY_S)


def _nothing(core: Core, label: str) -> bytes:
    """Return the name of a statement that nobody has."""
    return expand(bytes(32), label, seat_of(core))(64)


DELAYS: Final = (
    _delay_in_ballot(  # its proposal is sound: a seat that it alone has named stays
        "a proposer that names somebody who is there",
        made_in,
        names_somebody=True,
        about=(
            "in a ballot of its own it would go on without somebody whom nobody else "
            "misses; all of a quorum would have to name that one"
        ),
    ),
    _delay(  # and a promise that binds all others
        "a ballot at the end of all numbers",
        lambda core: [promise(core, Ballot(COUNTER_MAX, seat_of(core))), promise(core)],
        about=(
            "the highest counter there is; nobody follows a counter far above what it has "
            "promised, or most have"
        ),
    ),
    _delay(
        "a promise behind a log that nobody has",
        lambda core: [promise(core, head=_nothing(core, "head"))],
        about="a made-up head is like silence; it counts nowhere",
    ),
    _delay(
        "a promise that has accepted what nobody has",
        lambda core: [promise(core, accepted=_nothing(core, "name"))],
        about="a made-up name is like silence; it counts nowhere",
    ),
    _delay_in_ballot(
        "a proposal that counts what nobody has",
        _counts_what_is_not_there,
        about="it also counts a name of nothing; nobody accepts what it cannot look at",
    ),
    _delay(
        "a ballot that comes to nothing",
        lambda core: [promise(core)],
        about=(
            "all promise and nothing is proposed; another owner opens the next ballot within 6 s"
        ),
    ),
    _delay_in_ballot(
        "a certificate of too few accepts",
        _too_few_accepts,
        about=(
            "its own accept alone, and in a file a promise of the poll after it; the file "
            "is refused"
        ),
    ),
    _delay(
        "a flood of promises",
        lambda core: [promise(core, Ballot(n, seat_of(core))) for n in range(1, _MANY)],
        about=("a thousand ballots of its own; as many as its allowance (peer.md 9) are judged"),
    ),
    _delay(
        "a flood of promises in a poll that is over",
        _too_late,
        about=(
            "a thousand that it might have made there; as many as its allowance are looked "
            "at and 64 of its seat kept, which can only convict it"
        ),
    ),
    _delay(
        "a flood of ballots that nobody can judge",
        _chain,
        goes_on=_repeats_others,
        about=(
            "110 ballots, each with a proposal that counts what nobody has and that it has "
            "accepted in the next; and what others have said, again and again; 64 "
            "statements of each seat are kept, so none pushes out another's, and nothing "
            "counts twice against its author"
        ),
    ),
    _delay(
        "an owner that outbids every ballot",
        lambda core: [promise(core)],
        goes_on=_outbids,
        about=(
            "it opens a higher ballot as soon as another owner opens one; its pauses "
            "double, so within some 20 s another owner has a ballot to itself"
        ),
    ),
    _idle(
        "a farewell of before its seat was given again",
        bend=_old_parting,
        place=_ROUNDS,
        back=True,
        about=(
            "shown once more, for somebody whom a coin has seated since; a farewell holds "
            "until a coin seats its key"
        ),
    ),
    cheat(
        "is silent behind a farewell that nobody can follow",
        TURN,
        lambda core, _: ready(parting(core, head=expand(bytes(32), "nowhere")(64))),
        how=How.SILENT,
        phase=Phase.PLAY,
        place=_FOUR,
    ),
    flood(
        "a flood of strange statements",
        _strange_statements,
        TURN,
        about=(
            "ten thousand promises of an epoch that never was; they are of no poll here, "
            "and cost no signature"
        ),
    ),
    flood(
        "a flood of whom it misses",
        _misses_on_and_off,
        TURN,
        about=(
            "two hundred times that it misses somebody, and does not; what is over the "
            "key's allowance fills no screen"
        ),
    ),
)
