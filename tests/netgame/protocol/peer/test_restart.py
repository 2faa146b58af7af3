"""A process that died takes its seat again from its record and its one secret."""

import pytest

from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from tests.netgame.games import driven, in_turn, played


def test_a_liar_about_its_log_cannot_make_an_honest_seat_sign_twice():
    """As long as anybody claims more than we hold, silence is the safe side."""
    game = played(3, 6, 1)
    one = in_turn(game)
    state = one.state
    for other in game.sitters[1:]:
        one.link(other.key)
        one.hear(other.key, wire.Head(state.step + 1, bytes(64), b"", 0))
    one.pass_time(30.0)
    assert not one.view.can_move
    assert not one.said(wire.Entries)
    for other in game.sitters[1:]:
        one.hear_head(other.key)
    one.pass_time(4.0)
    assert one.view.can_move


def test_a_restarted_seat_dials_everybody_at_once():
    """Who has only lost a link leaves it to the lower key for a while; here that may be resting."""
    game = played(3, 6, 1)
    keys = [each.key for each in game.sitters]
    back = driven(40, keys.index(max(keys)), game)
    others = {*keys} - {back.key}
    assert {peer for peer, _ in back.dialled} == others
    back.dialled.clear()
    for other in others:
        back.link(other)
        back.unlink(other)
    assert not back.dialled


def test_a_record_that_is_no_log_is_refused():
    """Entries that do not follow each other do not restore."""
    table = played(3, 6, 1)
    ann = table.host
    broken = [*ann.record[:20], *ann.record[21:]]
    with pytest.raises(Malformed):
        Core(ann.signer, "Ann", expand(table.seed, "x"), ann.secret, ()).restore(broken, 0.0)
