"""A seat that lost its whole record sits down at its table again, and does no harm."""

import pytest

from engine.refusals import Refusal, RefusalCode
from engine.table.moves import Quiet
from engine.table.trains import Seat
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.ledger.verdict import record_frames
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import Driven, driven, in_turn, ledger_until, played


def newcomer(secret=b""):
    """Return a new core for Ben of a finished game, which looks for his host.

    It has his key but no record. With `secret` it has that secret instead of his.
    """
    host, sitter = played().host.key, played().sitters[1]
    entropy = expand(bytes(32), "newcomer")
    return Driven(
        Core(sitter.signer, "Ben", entropy, secret or sitter.secret, ()).look_for_table(host=host)
    )


def test_a_seat_without_its_record_signs_no_slot_again():
    """A seat without its record signs no slot twice, although its slots look empty for a while.

    The log reaches the seat one frame at a time, and often an entry of its own seems to be due.
    """
    table = played().host.ledger.state.table_id
    log = played().host.ledger
    ann, cy = played().host.key, played().sitters[2].key
    one = newcomer()
    for other in (ann, cy):
        one.meet(other, table)
        one.hear(other, wire.Head(log.state.step, log.state.head, b"", len(log.decisions)))
    owed = 0
    for frame in record_frames(log):
        state = one.state
        sits = state.phase is not Phase.LOBBY
        owed += sits and state.seat_of(one.key) in due(state).authors
        one.read(ann, (encode(frame),))
    assert owed > 10
    assert one.state.head == log.state.head
    said = {signed for message in one.said(wire.Entries) for signed in message.entries}
    assert said <= set(log.entries_from(0)), "its own old entries at most"


@pytest.mark.parametrize("steps", [7, 9, 10, 12, 15, 17, 19, 22, 33])
def test_a_seat_without_its_secret_says_so_and_writes_nothing_false(steps):
    """A seat with a new secret tells its player that the old one is lost, and writes nothing false.

    Anything that it said about its tiles with the new secret would be false.
    """
    log = played().host.ledger
    ann, table = played().host.key, log.state.table_id
    one = newcomer(bytes(32))
    one.link(ann)
    one.hear(ann, wire.Hello(table))
    ledger = ledger_until(lambda state: state.step == steps)
    one.hear(ann, wire.Head(steps, ledger.state.head, b"", len(ledger.decisions)))
    one.read(ann, map(encode, record_frames(ledger)))
    for _ in range(2):  # all heads are known; then it looks round for others of its name
        one.pass_time(10.0)
    assert one.state.head == ledger.state.head
    assert not one.core.fault
    assert one.view.hand is None
    closed = one.told_of(notices.TableClosed)
    assert [each.why for each in closed] == [notices.WhyClosed.NO_SECRET]
    said = {signed for message in one.said(wire.Entries) for signed in message.entries}
    assert said <= set(log.entries_from(0)), "its own old entries at most"


def test_a_call_in_a_turn_is_refused_before_it_is_signed():
    """A call during a turn is refused before it is signed; it would convict its author."""
    game = played(3, 6, 1)
    one = in_turn(game)
    state = one.state
    for other in game.sitters[1:]:
        one.link(other.key)
        one.hear_head(other.key)
    one.pass_time(4.0)
    assert one.view.can_move
    quiet = Quiet(Seat(state.seat_of(one.key)))
    refused = one.core.act(lambda: one.parts.writer.try_move(quiet), one.now)
    assert isinstance(refused, Refusal)
    assert refused.code is RefusalCode.NOT_ALLOWED
    assert not one.core.fault


def test_a_peer_that_comes_back_is_told_what_it_wrote_before_any_head():
    """A peer that comes back is first sent its own entries of later steps, and then a head.

    It may have forgotten those entries.
    """
    log = played().host.ledger
    ann, ben = driven(40), played().sitters[1].key
    later = next(
        entry
        for step in log.steps[ann.state.step + 1 :]
        for entry in step
        if log.state.author_key(entry.step, entry.seat) == ben
    )
    forged = wire.SignedEntry(later.signed.body, bytes(64))
    cy = played().sitters[2].key
    ann.link(cy)
    ann.hear(cy, wire.Entries((forged, later.signed)))
    before = len(ann.sent)
    ann.link(ben)
    told = [message for peer, message in ann.sent[before:] if peer == ben]
    kinds = [type(message) for message in told]
    assert wire.Entries((later.signed,)) in told, "and not what it never signed"
    assert kinds.index(wire.Entries) < kinds.index(wire.Head)


def test_who_speaks_before_the_one_looked_for_is_heard_or_dropped_once_that_has_spoken():
    """If a peer greets before the host, it has to wait, and is dropped if it named another table.

    The host's greeting tells which table is right.
    """
    table = played().host.ledger.state.table_id
    ann, ben, cy = (sitter.key for sitter in played().sitters)
    one = newcomer()
    for other, named in ((cy, table), (ben, bytes(64)), (ann, table)):
        one.meet(other, named)
    assert one.dropped == [ben]
    assert (cy, wire.Hello(table)) in one.sent
    assert one.context.links.peers[cy].greeted
