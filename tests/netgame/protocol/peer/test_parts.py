"""The parts of a peer, each by itself."""

from collections import Counter
from math import inf

from msgspec import structs

from netgame.limits import HEAD_DELAY_S, HEAD_QUIET_S, HEAD_S, HEAD_TURN_S, LEAVE_AFTER_S
from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.place import PeerContext
from netgame.protocol.peer.receipt.pulls import Heads
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.peer.sync import Peer
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.games import driven, ledger_until, played

BEN = fx.PeerKey(b"b" * 32)


def seated() -> PeerContext:
    """The first seat of a game in play."""
    ann = PeerContext(played().sitters[0].signer, "Ann", (), bot=False)
    ann.ledger = ledger_until(lambda state: state.phase is Phase.PLAY)
    return ann


def others(place: PeerContext) -> list[fx.PeerKey]:
    """Who else sits."""
    return [fx.PeerKey(each.key) for each in place.state.seats if each.key != place.key]


def own_head(place: PeerContext) -> wire.Head:
    """Where our log stands."""
    polls = len(place.ledger.decisions)
    return wire.Head(place.state.step, place.state.head, place.ledger.filled(), polls)


def test_a_head_is_told_a_moment_after_a_change_and_every_second_to_who_stands_elsewhere() -> None:
    """And a time to look again is asked for."""
    place = seated()
    heads = Heads(place, Stay(place))
    place.links.peers[BEN] = Peer(greeted=True)
    heads.tell()
    assert [decode_any(each.frame, wire.LinkMessage) for each in place.outbox.take()] == [
        own_head(place)
    ]
    place.now = 0.5
    place.ledger = ledger_until(lambda state: state.phase is Phase.OPEN)
    told = []
    for place.now in (0.1, 0.1 + HEAD_DELAY_S, 0.1 + HEAD_DELAY_S + HEAD_S):
        heads.tell()
        told.append(len(place.outbox.take()))
    assert told == [0, 1, 1]
    assert heads.round_at == place.now + HEAD_TURN_S


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


def test_at_a_table_in_play_each_seat_hears_of_a_step_from_one_other() -> None:
    """From another after each pause, until it is known that all have heard it."""
    rounds = [Counter[fx.PeerKey]() for _ in range(3)]
    for sitter in played(4).sitters:
        place = PeerContext(sitter.signer, "Ann", (), bot=False)
        place.ledger = ledger_until(lambda state: state.phase is Phase.PLAY, played(4))
        place.links.peers = {key: Peer(greeted=True, told_at=0.0) for key in others(place)}
        heads = Heads(place, Stay(place))
        for turn, heard in enumerate(rounds):
            place.now = turn * HEAD_TURN_S
            heads.tell()
            heard.update(each.peer for each in place.outbox.take())
    assert [set(heard.values()) for heard in rounds] == [{1}] * 3


def test_who_says_once_more_where_it_stands_is_told_where_we_stand() -> None:
    """It may not have heard us; but two that hear each other do not go on for ever."""
    one = driven(30)
    ben = others(one.core.place)[0]
    one.link(ben)
    where = own_head(one.core.place)
    one.hear(ben, where)
    one.pass_time(HEAD_QUIET_S / 2)
    one.sent.clear()
    for _ in range(3):
        one.hear(ben, where)
    assert one.said(wire.Head) == [where]


def test_all_who_sit_are_looked_after_and_each_link_anew() -> None:
    """Whoever's turn it is; whoever has gone watches, and a link to a watcher may be a dead one."""
    place = seated()
    mesh, keys = Mesh(place), place.state.company.now.keys
    mesh.look_after()
    mesh.look_after()
    assert place.outbox.take() == (fx.Await(frozenset(map(fx.PeerKey, keys))),)
    company = place.state.company.then(place.state.step, gone=frozenset({1}))
    place.ledger.state = structs.replace(place.state, company=company)
    mesh.came(BEN)
    mesh.look_after()
    sit = {fx.PeerKey(key) for key in keys} - {fx.PeerKey(keys[1])}
    assert place.outbox.take() == (fx.Await(frozenset(sit)),)


def test_a_peer_stays_until_everybody_has_the_whole_log() -> None:
    """Or has been waited for long enough."""
    place = seated()
    place.ledger = played().sitters[0].core.ledger
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
