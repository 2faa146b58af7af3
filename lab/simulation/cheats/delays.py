"""Cheats with what seats sign of who goes on that convict nobody: they only hold up a poll."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from lab.simulation.cheats.ballots import (
    TURN,
    accepted_in,
    idle_seat,
    in_own_ballot,
    made_in,
    ready,
    unasked,
)
from lab.simulation.cheats.cheat import How, Ready, cheat
from lab.simulation.cheats.cheater import Cheater
from lab.simulation.cheats.seats import FLOOD, flood, floods
from lab.simulation.cheats.words import parting, promise, promised_in, proposal, seat_of
from lab.simulation.computers.small_tables import small
from netgame.crypto.transcript import expand
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import Said, filled_mask, sign_statement
from netgame.protocol.peer.core import Core
from netgame.wire.messages import LinkMessage, Missed, Statements
from netgame.wire.statements import COUNTER_MAX, NO_BALLOT, Ballot, Parting, Promise

_FOUR: Final = small(4, 4)
_ROUNDS: Final = small(4, 3, "leaver=rebuild", "patience=minute", rounds=3)
_MANY: Final = 1_001
_DELAY_S: Final = 60.0
"""A game in which somebody only holds up a poll is over by then; alone it takes some seconds."""


def _counts_what_is_not_there(core: Core, ballot: Ballot) -> list[Said]:
    """A proposal that goes back to what it shows to nobody."""
    missing = expand(bytes(32), "missing", ballot.counter)(64)
    return [proposal(core, ballot, [*promised_in(core, ballot).values(), missing])]


def _outbids(core: Core) -> Iterator[Said]:
    """A higher ballot, whenever others have promised the last, or somebody else has the highest."""
    assert isinstance(core, Cheater)
    poll, seat = core.ledger.poll, seat_of(core)
    said = (each.statement for each in core.told_statements())
    first = next(filter(poll.is_of, said), None)
    promises = [each for each in poll.cut.statements.values() if isinstance(each, Promise)]
    highest = max((each.ballot for each in promises), default=NO_BALLOT)
    is_taken = any(e.ballot == highest and e.seat != seat for e in promises)
    if isinstance(first, Promise) and (is_taken or highest.owner != seat):
        yield promise(core, Ballot(highest.counter + 1, seat), last=first.last)


def _too_few_accepts(core: Core, ballot: Ballot) -> Ready:
    """It alone accepts what is good if more than half do; a file goes on as if they had."""
    assert isinstance(core, Cheater)
    said = accepted_in(core, ballot)
    last = said[0].statement
    assert isinstance(last, Promise)
    again = replace(last, poll=last.poll + 1, seat=seat_of(core), ballot=Ballot(1, ballot.owner))
    signed = sign_statement(core.place.signer, again).signed
    told = ready(*said)
    return told._replace(files=(core.record_with((*told.statements, signed)),))


def _old_parting(core: Core, _: object) -> Ready | None:
    """Who has left has been seated again by a coin: its farewell is shown once more."""
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
    """Promises of an epoch that never was."""
    strange = expand(bytes(32), "epoch")(64)
    for number in range(FLOOD):
        said = Promise(strange, 0, 0, Ballot(1 + number, 0), 9, strange, 9, 0, b"")
        signed = sign_statement(core.place.signer, said).signed
        yield Statements((signed,) * 50)


def _misses_on_and_off(core: Core) -> list[LinkMessage]:
    """It misses somebody, and does not, and does."""
    one, other = (Missed(core.state.log_id, filled_mask((seat,))) for seat in (1, 0))
    return [one, other] * (FLOOD // 2)


_never_proposes: Final = unasked(lambda core: [promise(core)])
_idle = partial(cheat, how=How.IDLE)
_delay = partial(_idle, within_s=_DELAY_S)


def _nothing(core: Core, label: str) -> bytes:
    """The name of what nobody has."""
    return expand(bytes(32), label, seat_of(core))(64)


DELAYS: Final = (
    _delay(  # what it proposes follows: nobody goes whom it alone has named
        "a proposer that names somebody who is there",
        bend=in_own_ballot(made_in, names_somebody=True),
    ),
    _delay(  # and one that binds all others
        "a ballot at the end of all numbers",
        bend=unasked(
            lambda core: [promise(core, Ballot(COUNTER_MAX, seat_of(core))), promise(core)]
        ),
    ),
    _delay(
        "a promise behind a log that nobody has",
        bend=unasked(lambda core: [promise(core, head=_nothing(core, "head"))]),
    ),
    _delay(
        "a promise that has accepted what nobody has",
        bend=unasked(lambda core: [promise(core, accepted=_nothing(core, "name"))]),
    ),
    _delay("a proposal that counts what nobody has", bend=in_own_ballot(_counts_what_is_not_there)),
    _delay("a ballot that comes to nothing", bend=_never_proposes),
    _delay("a certificate of too few accepts", bend=in_own_ballot(_too_few_accepts)),
    _delay(
        "a flood of promises",
        bend=unasked(
            lambda core: [promise(core, Ballot(n, seat_of(core))) for n in range(1, _MANY)]
        ),
    ),
    _delay("an owner that outbids every ballot", bend=_never_proposes, goes_on=_outbids),
    _idle(
        "a farewell of before its seat was given again", bend=_old_parting, place=_ROUNDS, back=True
    ),
    cheat(
        "is silent behind a farewell that nobody can follow",
        TURN,
        lambda core, _: ready(parting(core, head=expand(bytes(32), "nowhere")(64))),
        how=How.SILENT,
        phase=Phase.PLAY,
        place=_FOUR,
    ),
    flood("a flood of strange statements", TURN, floods(_strange_statements)),
    flood("a flood of whom it misses", TURN, floods(_misses_on_and_off)),
)
