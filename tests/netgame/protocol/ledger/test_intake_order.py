"""The checks of protocol.md §7 are made in its order."""

import pytest

from netgame.limits import ENTRY_BYTES_MAX
from netgame.protocol.log.entry import ENTRY_DOMAIN
from netgame.protocol.log.fault import CheckCode, Garbage, Guilty, Stray, Unlinked
from netgame.protocol.state.phases import Playing
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import holder, ledger_until, played
from tests.netgame.protocol.ledger.intake import stranger

RECEIPT = tuple(code for code in CheckCode if code not in (CheckCode.SHUFFLE, CheckCode.AUDIT))
"""The checks that an entry passes before it counts, in order."""


def _breaking(first, ledger):
    """Return an entry that breaks `first` and as many of the later checks as it can."""
    order = list(RECEIPT)
    breaks = set(order[order.index(first) :])
    state = ledger.state
    mover = state.table.to_move
    seat = mover if CheckCode.TURN not in breaks else (mover + 1) % 3
    if CheckCode.AUTHOR in breaks:
        seat = 9
    if CheckCode.FORK in breaks:
        step, seat_of_fork = state.step - 1, ledger.steps[-1][0].seat
        seat = seat if CheckCode.AUTHOR in breaks else seat_of_fork
    else:
        step = state.step
    payload = wire.Lay(65_535, (18, 18), -16, 400, bytes(33), bytes(98))
    if CheckCode.KIND in breaks:
        payload = wire.KeyOpen(99, bytes(130))
    signer = stranger()
    if CheckCode.SIGNATURE not in breaks:
        signer = holder(played(), state.seats[seat].key).signer
    body = wire.Body(
        bytes(64) if CheckCode.TABLE in breaks else state.log_id,
        step,
        bytes(64) if CheckCode.LINK in breaks else ledger.head_before(step),
        seat,
        0,
        payload,
    )
    octets = encode(body)
    if CheckCode.CANONICAL in breaks:
        octets += b"\x00"
    if CheckCode.SIZE in breaks:
        octets += bytes(ENTRY_BYTES_MAX)
    return wire.SignedEntry(octets, signer.sign(ENTRY_DOMAIN, octets))


OUTCOMES = {
    CheckCode.SIZE: Garbage,
    CheckCode.CANONICAL: Garbage,
    CheckCode.TABLE: Stray,
    CheckCode.AUTHOR: Stray,
    CheckCode.LINK: Unlinked,
}


@pytest.mark.parametrize(
    "check",
    [check for check in RECEIPT if check not in (CheckCode.SHAPE, CheckCode.PROOF, CheckCode.CUT)],
    ids=lambda code: code.value,
)
def test_the_first_check_that_fails_decides(check):
    """An entry that breaks several checks is judged by the first of them."""
    ledger = ledger_until(lambda s: isinstance(s.now, Playing) and s.table.turns > 3)
    judged = ledger.judge(_breaking(check, ledger))
    assert isinstance(judged, OUTCOMES.get(check, Guilty)), judged
    if isinstance(judged, Guilty):
        assert judged.fault.finding.check is check
    if isinstance(judged, Garbage):
        assert ("octets" in judged.reason) == (check is CheckCode.SIZE)
