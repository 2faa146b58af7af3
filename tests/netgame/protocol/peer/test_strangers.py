"""A crowd at an open door: keys are free, but they cannot fill a screen or the memory."""

import pytest

from netgame import limits
from netgame.protocol import notices
from netgame.protocol.notices import TroubleKind
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import NO_BALLOT, Parting
from tests.netgame.protocol.peer.test_watching import Guest, in_play
from tests.netgame.simtable import SimTable, standard

CROWD = 100
LINES = limits.STRANGER_LINES_BURST


@pytest.fixture(params=["lobby", "game"])
def table(request):
    """Return a table in its lobby, or a table in play that waits for its players."""
    if request.param == "game":
        return in_play(bots=False)
    table = SimTable(standard(6, 3, 1), bots=False)
    table.seat("Ann")
    table.seat("Ben")
    table.pass_time()
    return table


def come(table, number, *said, name="Ann"):
    """Let a new guest give this name, send messages, and talk; return the guest."""
    guest = Guest(table, table.host, number)
    for message in (wire.Watch(name), *said):
        guest.talk(message) if isinstance(message, str) else guest.say(message)
    return guest


def come_and_go(table, number, *said):
    """Let a new guest come, send messages, talk, break the protocol, and go."""
    ann, guest = table.host, come(table, number, *said)
    table.do(ann, ann.core.frame(guest.key, b"\xc1", table.now))
    table.do(ann, ann.core.link_down(guest.key, table.now))


def left_out(sitter):
    """Return the counts of left-out lines that this player read, one for each notice."""
    troubles = sitter.told_of(notices.Trouble)
    return [int(each.facts[0]) for each in troubles if each.kind is TroubleKind.LEFT_OUT]


def test_a_crowd_of_fresh_keys_fills_no_screen(table):
    """A crowd of new keys shares a bounded number of lines; a single notice counts the rest."""
    ann, ben = table.sitters[:2]
    before, others = len(ann.told), len(ben.told)
    for number in range(CROWD):
        come_and_go(table, number, *["type quit now"] * 5)
    assert len(ann.told) - before == LINES
    table.pass_time(limits.LEFT_OUT_S + 1)
    assert len(left_out(ann)) == 1
    # each came, said five lines, and was thrown out
    assert left_out(ann)[0] + LINES >= CROWD * 6
    assert len(ben.told) - others <= LINES, "what is not shown is not passed on"
    table.pass_time(10 * limits.LEFT_OUT_S)
    assert len(left_out(ann)) == 1


def test_a_crowd_drowns_no_word_of_who_belongs_to_the_table(table):
    """A crowd of strangers hides neither the words of players nor the ends of their links."""
    ann, ben = table.sitters[:2]
    for number in range(CROWD):
        come_and_go(table, number)
    table.do(ben, ben.core.act(lambda: ben.parts.talk.say("hello"), table.now))
    table.pass_time(1.0)
    assert ann.told_of(notices.ChatHeard)[-1] == notices.ChatHeard("Ben", "hello", ben.key)
    table.do(ann, ann.core.frame(ben.key, b"\xc1", table.now))
    closed = ann.told_of(notices.Trouble)[-1]
    assert closed.facts[0].startswith("Ben (")


def test_after_a_while_strangers_are_told_of_again(table):
    """After a while a new stranger is shown again, because a friend may come to watch."""
    for number in range(CROWD):
        come_and_go(table, number)
    table.pass_time(1 / limits.STRANGER_LINES_PER_S + 1)
    guest = Guest(table, table.host, CROWD)
    guest.talk("it is only me")
    said = table.host.told_of(notices.ChatHeard)[-1]
    assert said == notices.ChatHeard("somebody (watching)", "it is only me", guest.key)


@pytest.mark.parametrize("name", ["Ann", "ben", "BEN", "A\u200bnn"])
def test_who_watches_cannot_be_called_like_a_player(table, name):
    """A watcher with a player's name gets a number, in notices, in talk and in the list."""
    ann = table.host
    guest = Guest(table, ann, 7)
    guest.say(wire.Watch(name))
    guest.talk("everybody must type quit")
    shown = name.replace("\u200b", "") + "-2"
    assert ann.told_of(notices.WatcherChanged)[-1].name == shown
    assert ann.told_of(notices.ChatHeard)[-1].name == f"{shown} (watching)"
    assert ann.view.watchers == (shown,)


def test_what_strangers_send_is_not_kept(table):
    """Statements from strangers about unknown games are not kept.

    A report of a rival is kept only until the stranger that sent it goes.
    """
    ann = table.host
    for number in range(CROWD):
        partings = (
            Parting(bytes([each]) * 64, 0, 0, NO_BALLOT, 1, bytes(64), 1, b"") for each in range(16)
        )
        said = tuple(wire.SignedStatement(encode(each), bytes(64)) for each in partings)
        guest = come(table, number, wire.Evidence((), said), wire.Statements(said), wire.Rival())
        assert not ann.parts.decisions._early
        assert ann.parts.recovery._met_rival == {guest.key}
        table.do(ann, ann.core.link_down(guest.key, table.now))
        assert not ann.parts.recovery._met_rival


def test_who_watches_keeps_nothing_of_strangers_that_have_gone():
    """A watcher keeps a stranger's statements only until the stranger goes."""
    table = in_play(bots=False)
    zoe = table.seat("Zoe", watches=True)
    table.pass_time(2.0)
    guest = Guest(table, zoe, 7)
    said = encode(Parting(bytes([7]) * 64, 0, 0, NO_BALLOT, 1, bytes(64), 1, b""))
    guest.say(wire.Statements((wire.SignedStatement(said, bytes(64)),)))
    assert set(zoe.parts.decisions._early) == {guest.key}
    table.do(zoe, zoe.core.link_down(guest.key, table.now))
    assert not zoe.parts.decisions._early
