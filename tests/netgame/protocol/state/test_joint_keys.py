"""Round keys that turn out to be wrong only when all of them are known [protocol.md §5.3]."""

import pytest

from netgame.crypto import keys
from netgame.crypto.group import Q, encode
from netgame.protocol.log.entry import read_entry
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.deal import moved_on
from netgame.protocol.state.phases import Late
from netgame.wire import messages as wire
from tests.netgame.games import ledger_until, signed_at
from tests.netgame.protocol.ledger.intake import at_deal


def _opened(secrets):
    """Return the phase after the seats have opened the keys of these secrets."""
    ledger = ledger_until(at_deal(DealPhase.KEY_OPEN))
    entries = []
    for seat, x in enumerate(secrets):
        opening = keys.open_key(bytes(32), keys.RoundSecret(x, bytes(32)))
        payload = wire.KeyOpen(0, encode(opening))
        entries.append(read_entry(signed_at(ledger, payload, seat)))
    return moved_on(ledger.state, ledger.state.deal, tuple(entries))


@pytest.mark.parametrize(
    ("secrets", "seat", "says"),
    [
        ((2, 3, 2), 2, "another seat has"),
        ((2, 2, 3), 1, "another seat has"),
        ((2, 3, Q - 5), 2, "cancels those of the other seats"),
    ],
    ids=["a copy of the first", "a copy of two", "no key at all together"],
)
def test_keys_that_leave_no_joint_one_are_told_by_what_is_wrong_with_them(secrets, seat, says):
    """A key that copies another seat's key, or cancels the other keys, convicts its seat."""
    late = _opened(secrets)
    assert isinstance(late, Late)
    assert late.seat == seat
    assert says in late.finding.says
