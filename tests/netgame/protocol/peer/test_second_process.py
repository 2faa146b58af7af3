"""One key at two computers: each process stops before it contradicts the other."""

from functools import partial

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import Driven, driven, entries_of, in_turn, played
from tests.netgame.simtable import SimTable, standard

SECRET = bytes(range(32))


def lobby():
    """Return Ann, who hosts, and Ben's program before it has a link to her."""
    table = SimTable(standard(6, 4, 1))
    ann = table.seat("Ann")
    table.pass_time()
    signer = make_signing_key(SECRET)
    core = Core(signer, "Ben", expand(SECRET, "entropy"), SECRET, ("10.0.0.2:4747",))
    return ann, Driven(core.look_for_table(host=ann.key))


def welcomed(ben, ann, *, rival=False):
    """Link Ben to Ann, who tells him of her log, and of a rival if `rival` is set."""
    ben.meet(ann.key, ann.state.table_id)
    if rival:
        ben.hear(ann.key, wire.Rival())
    log = ann.state
    ben.hear(ann.key, wire.Head(log.step, log.head, b"", 0))
    ben.hear(ann.key, wire.Pulled(entries_of(ann)))


def why(ben):
    """Return the reasons why Ben's program has left the table."""
    return [each.why for each in ben.told_of(notices.TableClosed)]


ELSEWHERE = [notices.WhyClosed.ELSEWHERE]


def test_a_rival_of_the_first_link_may_be_dead():
    """A rival reported at the first link may be dead, so the program sits down and stays.

    A program that was killed and restarted is told of its own earlier process.
    """
    ann, ben = lobby()
    welcomed(ben, ann, rival=True)
    assert len(ben.said(wire.JoinAsk)) == 1
    ben.pass_time(1.0)
    ben.unlink(ann.key)
    welcomed(ben, ann)  # a cable was out: no other process has come since
    ben.pass_time(10.0)
    assert len(ben.said(wire.JoinAsk)) == 2
    assert why(ben) == []


def test_a_rival_that_has_come_since_is_alive():
    """A rival that has come since the first link is alive: Ben asks for no seat, and leaves.

    Before he leaves, he waits for the other process to take the link.
    """
    ann, ben = lobby()
    welcomed(ben, ann)
    ben.unlink(ann.key)
    ben.sent.clear()
    welcomed(ben, ann, rival=True)
    ben.pass_time(1.0)
    assert (ben.said(wire.JoinAsk), why(ben)) == ([], [])
    ben.unlink(ann.key)
    assert why(ben) == ELSEWHERE


def test_who_was_told_last_goes_by_itself():
    """A program told of a live rival leaves by itself, even if nobody takes its link."""
    ann, ben = lobby()
    welcomed(ben, ann, rival=True)
    ben.unlink(ann.key)
    welcomed(ben, ann, rival=True)
    assert why(ben) == []
    ben.pass_time(5.1)
    assert why(ben) == ELSEWHERE
    ben.unlink(ann.key)
    assert why(ben) == ELSEWHERE, "told once"


def test_a_guest_that_says_rival_ends_nobodys_stay():
    """A guest's report of a rival makes nobody leave a lobby; only the host's report can."""
    ann, ben = lobby()
    welcomed(ben, ann)
    eve = b"e" * 32
    for _ in range(2):
        ben.meet(eve, ann.state.table_id)
        ben.hear(eve, wire.Rival())
        ben.hear_head(eve)
        ben.unlink(eve)
    ben.pass_time(6.0)
    assert why(ben) == []


def shown_by(one, sitter):
    """Let this sitter link to `one`, and report a rival when the two link again."""
    one.level(sitter.key)
    one.unlink(sitter.key)
    one.link(sitter.key)
    one.hear(sitter.key, wire.Rival())
    one.hear_head(sitter.key)


def test_one_of_two_sends_nobody_from_a_game():
    """If only one of two others reports a rival, the process stays in its game.

    That holds even before the other one has a link.
    """
    one = driven(60)
    assert one.state.phase is not Phase.LOBBY
    ben, cy = played().sitters[1:]
    shown_by(one, ben)
    one.pass_time(6.0)
    assert why(one) == []
    one.level(cy.key)
    one.pass_time(6.0)
    assert why(one) == []


def test_at_a_link_that_has_told_its_head_the_word_means_nothing():
    """A report of a rival counts only before the first head on its link.

    A liar therefore has to end the link and open a new one first.
    """
    table = played(2)
    one = in_turn(table)
    ben = table.sitters[1]
    one.level(ben.key)
    for _ in range(200):
        one.hear(ben.key, wire.Rival())
    one.pass_time(6.0)
    assert why(one) == []
    shown_by(one, ben)
    one.pass_time(6.0)
    assert why(one) == ELSEWHERE


def test_in_a_game_more_than_half_of_the_others_are_believed():
    """In a game, a rival is believed if more than half of the others report it.

    The process signs nothing more. It leaves when it has lost its last link, or after a while.
    """
    one = in_turn(played())
    for sitter in played().sitters[1:]:
        shown_by(one, sitter)
    one.pass_time(4.5)
    assert (why(one), one.parts.entry_signer.may_write()) == ([], False)
    one.unlink(played().sitters[1].key)
    assert why(one) == []
    one.unlink(played().sitters[2].key)
    assert why(one) == ELSEWHERE


@pytest.mark.parametrize(("who", "stops"), [(0, True), (2, False)])
def test_a_bot_is_told_of_by_its_host(who, stops):
    """A host's report of a rival counts for its bots too; a bot's counts for one seat only."""
    table = SimTable(standard(6, 4, 1))
    _, ben = table.seat("Ann", start_at=4), table.seat("Ben")
    for name in ("Ada", "Bix"):
        table.seat(name, core_class=partial(Core, played_by=wire.PlayedBy.BOT))
    table.until(ben, Phase.PLAY)
    core = Core(ben.signer, "Ben", expand(SECRET, "again"), ben.secret, ())
    one = Driven(core.restore(ben.record, 0.0))
    shown_by(one, table.sitters[who])
    one.pass_time(6.0)
    assert why(one) == (ELSEWHERE if stops else [])
