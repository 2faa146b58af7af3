"""What an entry carries that nobody asked for convicts: octets of no use are room to hide in."""

import pytest
from msgspec.structs import replace

from engine.table.moves import Quiet
from engine.table.trains import Seat
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import Accepted, CheckCode
from netgame.protocol.state import phases
from netgame.protocol.state.acts import turn_entry
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, ledger_until, played_widely, signed_at
from tests.netgame.protocol.ledger.intake import at_phase, checked_by, honest_entry
from tests.netgame.shared_checks import once_a_group
from tests.netgame.simtable import full_table


@once_a_group
def played_with_keys():
    """A whole game after whose rounds the keys are laid open, and no seeds."""
    table = full_table(NAMES[:3], wire.Settings("standard", (), 6, 3, 1, 3, ("audit=keys",)))
    table.run_game()
    return table


def _a_call():
    """Give a log, a seat that is due there, what it honestly says, and the game."""
    ledger = ledger_until(at_phase(Phase.CALLS), played_widely())
    (seat, *_) = due(ledger.state).authors
    return ledger, seat, turn_entry(Quiet(Seat(seat))), played_widely()


def _keys():
    """Give the same where keys are laid open."""
    ledger = ledger_until(at_phase(Phase.AUDIT), played_with_keys())
    entry = read_entry(honest_entry(ledger, played_with_keys()))
    return ledger, entry.seat, entry.payload, played_with_keys()


@pytest.mark.parametrize(
    ("asked", "extra"),
    [*((_a_call, extra) for extra in ("tokens", "proof", "claim")), (_keys, "seed")],
)
def test_octets_that_nobody_asked_for_convict(asked, extra):
    """The same entry without them is a good one."""
    ledger, seat, honest, game = asked()
    assert isinstance(ledger.judge(signed_at(ledger, honest, seat, game=game)), Accepted)
    more = replace(honest, **{extra: bytes(32)})
    assert checked_by(ledger, signed_at(ledger, more, seat, game=game)) is CheckCode.SHAPE


@pytest.mark.parametrize(
    ("now", "payload"),
    [
        (phases.HandingOver, wire.HandOver(bytes(229))),
        (
            phases.ShowingOpenings,
            wire.OpeningReveal(bytes(32), wire.Act("dance", 0, -1, (), b"", b"", b"")),
        ),
    ],
)
def test_what_has_its_form_and_says_nothing_convicts(now, payload):
    """A tile handed over as points that are none; an opening that is no move."""
    ledger = ledger_until(lambda state: isinstance(state.now, now), played_widely())
    (seat, *_) = due(ledger.state).authors
    entry = signed_at(ledger, payload, seat, game=played_widely())
    assert checked_by(ledger, entry) is CheckCode.SHAPE
