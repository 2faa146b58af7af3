"""Second-hand news: what a watcher learns from members about seats it has no link to."""

import pytest

from netgame.limits import SUSPECT_S
from netgame.protocol import notices
from netgame.protocol.log.entry import filled_mask
from netgame.protocol.peer.people.absence import Away, HeardThrough
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, go_on, heal, in_turn
from tests.netgame.simtable import SimTable, kill
from tests.netgame.small_games import offer

VOTE = ("patience=vote",)


def with_a_bot(seats=5, bot=1):
    """Return a table in a round in which nobody moves, and the sitter that takes a bot's part.

    Like a bot, that sitter gets no links to watchers; the tests make sure of that.
    """
    table = SimTable(offer(VOTE, seats=seats), bytes([1]) * 32, bots=False)
    for name in (*NAMES, "Eve")[:seats]:
        table.seat(name, start_at=None if table.sitters else seats)
    in_turn(table)
    for each in table.sitters:
        each.context.attend()
    return table, table.sitters[bot]


def onlooker(table, *unlinked):
    """Let Zoe come to watch, without links to the sitters in `unlinked`."""
    number = len(table.sitters)
    zoe = table.seat("Zoe", watches=True)
    assert table.sitters[number] is zoe
    apart(table, [zoe], unlinked)
    table.pass_time(2.0)
    apart(table, [zoe], unlinked)
    return zoe


def reach(sitter):
    """Return the names of everybody within reach in this sitter's view."""
    return {info.name for info in sitter.view.here if info.in_reach}


def votes_seen(sitter):
    """Return, by the name of each seat voted on, the voters' names, as this sitter sees them."""
    return {info.name: set(info.missed_by) for info in sitter.view.seats if info.missed_by}


def test_who_comes_late_sees_who_is_away():
    """A latecomer sees who is away, although the log with their entries has only just come."""
    table, bot = with_a_bot()
    gone = table.sitters[3]
    kill(table, gone)
    table.pass_time(30.0)
    zoe = onlooker(table, bot)
    assert (
        reach(zoe) == reach(table.host) == {each.name for each in table.sitters[:5]} - {gone.name}
    )
    assert isinstance(zoe.parts.absence.contacts[gone.key], Away)
    assert isinstance(zoe.parts.absence.contacts[bot.key], HeardThrough)


def test_who_comes_late_is_told_of_a_vote_cast_before():
    """A latecomer reads once of each earlier vote, after catching up with the log."""
    table, bot = with_a_bot()
    ann, gone = table.host, table.sitters[3]
    kill(table, gone)
    table.pass_time(30.0)
    go_on(table, [ann, bot], gone)
    table.pass_time(1.0)
    zoe = onlooker(table, bot)
    told = zoe.told_of(notices.VoteCast)
    assert {each.name for each in told} == {ann.name, bot.name}
    assert len(told) == 2
    assert zoe.told.index(told[0]) > zoe.told.index(zoe.told_of(notices.CaughtUp)[0])
    assert votes_seen(zoe) == votes_seen(ann) == {gone.name: {ann.name, bot.name}}


def test_a_vote_of_who_has_no_link_here_is_told_each_time_it_is_cast():
    """A watcher without a link to the voter still reads of the vote each time it is cast.

    The vote no longer counts once it is taken back.
    """
    table, bot = with_a_bot()
    zoe, gone = onlooker(table, bot), table.sitters[3]
    kill(table, gone)
    for times in (1, 2):
        go_on(table, [bot], gone)
        table.pass_time(1.0)
        assert votes_seen(zoe) == {gone.name: {bot.name}}
        assert len(zoe.told_of(notices.VoteCast)) == times
        go_on(table, [bot])
        table.pass_time(1.0)
        assert votes_seen(zoe) == {}


def test_who_watches_hears_of_each_member_that_goes_and_comes_back():
    """A watcher reads once each time a member goes or comes back, whether linked to it or not."""
    table, bot = with_a_bot()
    zoe, linked = onlooker(table, bot), table.sitters[3]
    others = [each for each in table.sitters if each not in (zoe, bot, linked)]
    before = len(zoe.told)
    for away in (bot, linked):
        apart(table, [away], [*others, zoe])
        apart(table, [bot], [linked])
        table.pass_time(20.0)
        heal(table, [away], others)
        table.pass_time(1.0)
    table.cut.discard(frozenset((zoe.key, linked.key)))
    table.connect(zoe, linked)
    table.pass_time(3.0)
    found = [each for each in zoe.told[before:] if isinstance(each, notices.LinkChanged)]
    assert [(each.name, each.up) for each in found] == [
        (bot.name, False),
        (bot.name, True),
        (linked.name, False),
        (linked.name, True),
    ]


@pytest.mark.parametrize("sits", [True, False])
def test_no_seat_takes_anybodys_word_for_another(sits):
    """A seat does not believe what one seat reports of another, but a watcher does.

    Otherwise a liar could make up votes of seats that have no link to the hearer.
    """
    table, bot = with_a_bot()
    liar, gone = table.sitters[2], table.sitters[3]
    hears = table.sitters[4] if sits else onlooker(table, bot)
    apart(table, [hears], [bot])
    kill(table, gone)
    table.pass_time(1.0)
    said = ((bot.seat, filled_mask([gone.seat])),)
    word = wire.InTouch(liar.state.log_id, filled_mask([bot.seat, gone.seat]), said)
    table.do(hears, hears.core.frame(liar.key, encode(word), table.now))
    table.pass_time(SUSPECT_S + 1.0)
    assert votes_seen(hears) == ({} if sits else {gone.name: {bot.name}})
    assert (gone.name in reach(hears)) is not sits
