"""Useless octets in an entry convict its author, because they could hide a message."""

from msgspec.structs import replace

from netgame.protocol.log.fault import Accepted, CheckCode
from netgame.protocol.state import phases
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from tests.netgame.games import ledger_until, played_widely, signed_at
from tests.netgame.protocol.ledger.intake import at_phase, checked_by


def test_octets_that_nobody_asked_for_convict():
    """Extra octets in the opening of an empty hand convict; the same entry without them is good."""
    game = played_widely()
    ledger = ledger_until(at_phase(Phase.OPEN), game)
    table = ledger.state.table
    seat = next(each for each in due(ledger.state).authors if not table.hands[each])
    honest = wire.Open((), b"", b"")
    assert isinstance(ledger.judge(signed_at(ledger, honest, seat, game=game)), Accepted)
    for extra in ("tokens", "proof"):
        more = replace(honest, **{extra: bytes(33)})
        assert checked_by(ledger, signed_at(ledger, more, seat, game=game)) is CheckCode.SHAPE


def test_a_tile_handed_over_as_points_that_are_none_convicts():
    """A hand-over whose octets are not points convicts, even if their number is right."""
    ledger = ledger_until(lambda state: isinstance(state.now, phases.HandingOver), played_widely())
    (seat, *_) = due(ledger.state).authors
    entry = signed_at(ledger, wire.HandOver(bytes(229)), seat, game=played_widely())
    assert checked_by(ledger, entry) is CheckCode.SHAPE
