"""The parts of a peer, each by itself."""

from math import inf

from netgame.limits import HEAD_QUIET_S, LEAVE_AFTER_S
from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.place import PeerContext
from netgame.protocol.peer.receipt.pulls import Heads
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.peer.sync import Peer
from netgame.wire import messages as wire
from tests.netgame.games import driven, ledger_until, played

BEN = fx.PeerKey(b"b" * 32)


def seated() -> PeerContext:
    """The first seat of a game in play."""
    ann = PeerContext(played().host.signer, "Ann", (), bot=False)
    ann.ledger = ledger_until(lambda state: state.phase is Phase.PLAY)
    return ann


def others(place: PeerContext) -> list[fx.PeerKey]:
    """Who else sits."""
    return [fx.PeerKey(each.key) for each in place.state.seats if each.key != place.key]


def own_head(place: PeerContext) -> wire.Head:
    """Where our log stands."""
    polls = len(place.ledger.decisions)
    return wire.Head(place.state.step, place.state.head, place.ledger.filled(), polls)


def test_who_stands_where_we_do_is_told_again_seldom() -> None:
    """Unless it says where it stands once more."""
    place = seated()
    heads = Heads(place, Stay(place))
    heads.tell()
    head = own_head(place)
    place.links.peers[BEN] = Peer(greeted=True, head=head, told=head, told_at=0.0)
    told = []
    for place.now in map(float, range(1, 3 * int(HEAD_QUIET_S))):
        place.wake_at = inf
        heads.tell()
        assert min(heads.round_at, place.wake_at) > place.now
        told += [place.now] * len(place.outbox.take())
    assert told == [HEAD_QUIET_S, 2 * HEAD_QUIET_S]


def test_who_says_once_more_where_it_stands_is_told_where_we_stand() -> None:
    """It may not have heard us; but two that hear each other do not go on for ever."""
    one = driven(30)
    ben = others(one.place)[0]
    one.link(ben)
    where = own_head(one.place)
    one.hear(ben, where)
    one.pass_time(HEAD_QUIET_S / 2)
    one.sent.clear()
    for _ in range(3):
        one.hear(ben, where)
    assert one.said(wire.Head) == [where]


def test_a_peer_stays_until_everybody_has_the_whole_log() -> None:
    """Or has been waited for long enough."""
    place = seated()
    place.ledger = played().host.ledger
    stay = Stay(place)
    assert stay.begins_to_end()
    assert not stay.begins_to_end()
    stay.leave_when_done()
    assert place.outbox.take() == ()
    for member in place.state.members:
        stay.note_head(member.key, own_head(place))
    stay.leave_when_done()
    assert place.outbox.take() == (fx.Finished(),)
    alone = Stay(place)
    alone.begins_to_end()
    place.now = LEAVE_AFTER_S
    alone.leave_when_done()
    assert place.outbox.take() == (fx.Finished(),)
