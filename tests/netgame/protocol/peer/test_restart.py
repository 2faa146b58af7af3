"""A process that died takes its seat again, from its record and its secret."""

import pytest

from lab.simulation.cheats.bent import Bent
from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.protocol.log.entry import filled_mask, read_entry
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from tests.netgame.games import Driven, driven, in_turn, played
from tests.netgame.simtable import SimTable


def new_entries(one, log):
    """Return the entries that a peer has sent but this log lacks."""
    sent = {each for message in one.said(wire.Entries) for each in message.entries}
    return sent.difference(log.entries_from(0))


def false_heads(state):
    """Return, by the name of a field, a head that claims too much in that field."""
    here = state.step, state.head
    return {
        "step": wire.Head(state.step + 7, bytes(64), b"", 0),
        "polls": wire.Head(*here, b"", 50),
        "filled": wire.Head(*here, filled_mask(range(3)), 0),
    }


@pytest.mark.parametrize("lie", ["step", "polls", "filled"])
def test_a_lie_about_a_log_silences_a_restarted_seat_for_a_moment_only(lie):
    """A lie about a log silences a restarted seat only for a moment, if its journal is sound.

    Waiting longer would help only a seat that may have forgotten something, and would let any
    liar hold up a table.
    """
    game = played(3, 6, 1)
    one = in_turn(game)
    for other in game.sitters[1:]:
        one.link(other.key)
        one.hear(other.key, false_heads(one.state)[lie])
    for _ in range(7):
        one.pass_time(1.0)
        assert not one.view.can_move
        assert not one.said(wire.Entries)
    for _ in range(6):
        one.pass_time(1.0)
    assert one.view.can_move
    assert not any(isinstance(each, Trouble) for each in one.told)


def test_a_peer_that_brings_what_it_claims_is_waited_for():
    """A restarted seat waits for a peer that sends the steps it claims, however slowly."""
    game = played(3, 6, 1)
    one = in_turn(game)
    log, ben = game.host.ledger, game.sitters[1].key
    one.link(ben)
    ahead = wire.Head(one.state.step + 4, log.head_before(one.state.step + 4), b"", 1)
    one.hear(ben, ahead)
    until = one.state.step + 4
    for signed in log.entries_from(one.state.step):
        if one.state.step == until:
            break
        one.pass_time(7.0)
        assert not new_entries(one, log)
        one.hear(ben, wire.Pulled((signed,)))
    assert one.state.step == until


def test_a_seat_that_may_have_forgotten_stays_silent_and_says_who_claims_more():
    """A seat that starts without record and journal stays silent if a peer claims a longer log.

    It may lack an entry of its own. Its player reads which peer makes the claim.
    """
    game = played(3, 6, 1)
    ann, *others = game.sitters
    core = Core(ann.signer, "Ann", expand(bytes(32), "anew"), bytes(32), ()).look_for_table()
    one = Driven(core)
    ben, cy = (each.key for each in others)
    one.meet(ben, ann.state.table_id)
    one.link(cy)
    step = next(n for n, each in enumerate(ann.ledger.steps) if len(each) == 3) + 1
    for signed in ann.ledger.entries_from(0):
        if read_entry(signed).step < step:
            one.hear(ben, wire.Pulled((signed,)))
    one.hear_head(ben)
    one.hear(cy, wire.Head(step + 7, bytes(64), b"", 0))
    for _ in range(40):
        one.pass_time(1.0)
    assert one.state.step == step
    assert not new_entries(one, ann.ledger)
    told = [each for each in one.told if isinstance(each, Trouble)]
    assert [each.kind for each in told] == [TroubleKind.CLAIMS_MORE]
    assert told[0].facts[0].startswith("Cy")
    assert one.core.is_missed(cy, one.now)
    assert not one.core.is_missed(ben, one.now)


class FalseHeads(Bent):
    """A core that sends false heads to everybody but one spared peer, and is honest otherwise."""

    spared = b""

    def send(self, peer, message):
        """Send a message; a head for a peer that is not spared claims seven steps too many."""
        if isinstance(message, wire.Head) and peer != self.spared:
            message = wire.Head(message.step + 7, bytes(64), b"", message.polls)
        super().send(peer, message)


@pytest.mark.parametrize("place", [1, 3])
def test_one_guest_with_false_heads_keeps_no_table_from_beginning(place):
    """One guest with false heads does not keep a table from beginning.

    A newcomer that is seated on its own request has signed nothing that it could forget.
    """
    names = ["Ann", "Ben", "Cy", "Dee", "Eve"]
    names[place] = "Mal"
    table = SimTable(wire.Settings("standard", (), 6, 5, 1, 4, ()), bytes([6]) * 32)
    for name in names:
        kind = FalseHeads if name == "Mal" else Core
        sitter = table.seat(name, start_at=None if table.sitters else 5, core_class=kind)
        sitter.core.spared = table.host.key
        table.pass_time(5.0)
    table.run_game(60)
    assert not any(each.faults() for each in table.sitters)


def test_a_restarted_seat_dials_everybody_at_once():
    """A restarted seat dials everybody at once, even peers with lower keys.

    After a lost link only the lower key dials at first, but that peer may be pausing between
    tries.
    """
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
    """A record with a gap in its entries is refused."""
    table = played(3, 6, 1)
    ann = table.host
    broken = [*ann.record[:20], *ann.record[21:]]
    with pytest.raises(Malformed):
        Core(ann.signer, "Ann", expand(table.seed, "x"), ann.secret, ()).restore(broken, 0.0)
