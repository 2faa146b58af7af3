"""Everybody is told if the table waits in vain for a player: a phone asleep, a stuck program."""

from netgame.limits import DROP_S, SUSPECT_S, UNANSWERED_S
from netgame.protocol import notices
from netgame.protocol.state.phases import Phase
from tests.netgame.protocol.happenings import apart, heal
from tests.netgame.protocol.peer.test_isolation import in_play, kept_apart
from tests.netgame.simtable import full_table, kill, revive, standard
from tests.netgame.small_games import is_its_turn

LEFT_S = UNANSWERED_S - DROP_S
"""The rest of `UNANSWERED_S` once a silent link has been dropped."""


def linked_through_the_host():
    """Return a table, the player to move, and the guests whose links to that player are forwarded.

    The player to move plays in a browser tab, on a phone that may fall asleep.
    """
    table = kept_apart(people=True)
    tab = in_play(table)
    heal(table, table.sitters)
    table.pass_time(5.0)
    guests = [each for each in table.sitters[1:] if each is not tab]
    for guest in guests:
        for near, far in ((guest, tab), (tab, guest)):
            near.links[far.key].ending = notices.LinkEnd.FORWARDER
    return table, tab, guests


def answers(sitter, of):
    """Return, for each notice to `sitter` about the answer of `of`, whether the answer came."""
    told = sitter.told_of(notices.AnswerAwaited)
    return [each.came for each in told if each.name == of.name]


def links(sitter, of):
    """Return, for each notice to `sitter` about the link to `of`, whether the link came up."""
    return [each.up for each in sitter.told_of(notices.LinkChanged) if each.name == of.name]


def test_a_tab_asleep_is_named_to_those_whose_links_to_it_are_forwarded():
    """Guests with a forwarded link to a tab are told that it does not answer, and when it is back.

    The host has lost its own link; the guests know only that nothing arrives.
    """
    table, tab, guests = linked_through_the_host()
    table.pass_time(UNANSWERED_S)
    assert not any(answers(each, tab) for each in guests), "who thinks is there"
    kill(table, tab)
    table.pass_time(LEFT_S)
    assert links(table.host, tab)[-1] is False
    for guest in guests:
        assert answers(guest, tab) == [False], guest.name
        assert guest.view.seats[tab.seat].unanswered
        assert not guest.parts.wishes.misses(), "it may be awake, and its forwarder lie"
    revive(table, tab)
    heal(table, table.sitters)
    table.pass_time(5.0)
    for guest in guests:
        assert answers(guest, tab) == [False, True]
        assert not guest.view.seats[tab.seat].unanswered


def test_who_looks_on_reads_of_it_too():
    """A watcher also reads that a tab is out of reach, once no player says that it is in reach."""
    table, tab, _ = linked_through_the_host()
    zoe = table.seat("Zoe", watches=True)
    table.pass_time(2.0)
    apart(table, [zoe], [tab])
    table.pass_time(2.0)
    assert zoe.view.seats[tab.seat].in_reach
    kill(table, tab)
    table.pass_time(LEFT_S + 1.0)
    assert not zoe.view.seats[tab.seat].in_reach
    assert links(zoe, tab)[-1] is False


def test_whose_forwarder_cuts_the_link_is_not_named_once_their_moves_come():
    """A player cut off by a forwarder is not named once their moves arrive through the host."""
    table, tab, guests = linked_through_the_host()
    apart(table, guests, [tab])
    table.pass_time(LEFT_S - 2.0)
    table.move(tab)
    table.bots = True
    here = [tab, *guests]
    table.run(lambda: is_its_turn(tab) and len({each.state.step for each in here}) == 1, 600.0)
    table.bots = False
    told = [answers(each, tab) for each in guests]
    table.pass_time(3 * UNANSWERED_S)
    assert [answers(each, tab) for each in guests] == told
    assert not any(False in each for each in told)


def test_a_program_that_is_linked_and_does_not_do_its_part_is_named():
    """A linked program that does not do its part is named; its disk may be full, for example."""
    table = full_table(["Ann", "Ben", "Cy"], standard(6, 3, 1))
    table.until(table.host, Phase.DEAL)
    ann, ben, cy = table.sitters
    is_stuck = [True]
    may_write = ben.parts.entry_signer.may_write
    ben.parts.entry_signer.may_write = lambda: not is_stuck and may_write()
    table.pass_time(UNANSWERED_S - SUSPECT_S)
    assert answers(ann, ben) == answers(cy, ben) == []
    table.pass_time(SUSPECT_S + 1.0)
    for each in (ann, cy):
        assert each.told_of(notices.AnswerAwaited) == [
            notices.AnswerAwaited("Ben", came=False, linked=True)
        ]
    is_stuck.clear()
    table.act(ben, lambda parts: None)
    table.pass_time(5.0)
    assert answers(ann, ben) == answers(cy, ben) == [False, True]


def test_nobody_is_named_who_thinks():
    """A player who thinks for a long time is not named, because their program answers."""
    table = full_table(["Ann", "Ben", "Cy"], standard(6, 3, 1), bots=False)
    table.until(table.host, Phase.PLAY)
    table.pass_time(3 * UNANSWERED_S)
    assert not any(each.told_of(notices.AnswerAwaited) for each in table.sitters)
