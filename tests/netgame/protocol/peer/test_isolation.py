"""A network that keeps guests apart: a guest heard through others counts as present."""

import pytest

from netgame.limits import IDLE_S
from netgame.protocol import notices
from netgame.protocol.log.entry import filled_mask
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import apart, go_on, gone, heal
from tests.netgame.simtable import LATENCY_S, SimTable, kill
from tests.netgame.small_games import MINUTE, end_whole, is_its_turn

VOTE = ("patience=vote",)
PATIENCE_S = 60.0
SLACK_S = 20.0
"""The time of a poll, with the pauses before its ballots."""


def kept_apart(seats=5, options=MINUTE, rounds=1, seed=1, *, people=False):
    """Return a table whose guests have no links to one another; the game begins by itself.

    With `people`, a person sits at each program.
    """
    settings = wire.Settings("standard", (), 6, seats, rounds, 3, options)
    table = SimTable(settings, bytes([seed]) * 32)
    for name in NAMES[:seats]:
        table.seat(name, start_at=None if table.sitters else seats)
        apart(table, *([each] for each in table.sitters[1:]))
    for each in table.sitters if people else ():
        each.context.attend()
    return table


def in_play(table):
    """Play until it is the same guest's turn in every log; return that guest."""

    def movers():
        if len({each.state.step for each in table.sitters}) > 1:
            return []
        return [each for each in table.sitters[1:] if is_its_turn(each)]

    table.bots = False
    while not movers():
        table.run(lambda: bool(may_move(table)))
        play_on(table)
        table.pass_time(1.0)
    return movers()[0]


def think(table, seconds):
    """Play on to the end; every player thinks `seconds` about each move."""
    table.bots = False
    while not all(each.finished for each in table.sitters):
        table.run(lambda: all(s.finished for s in table.sitters) or bool(may_move(table)), 600)
        table.pass_time(seconds)
        play_on(table)


def play_on(table):
    """Let everybody who can move make one move."""
    for each in may_move(table):
        table.move(each)


def may_move(table):
    """Return the sitters that may make a move."""
    return [each for each in table.sitters if is_its_turn(each) and each.view.can_move]


def nobody_was_missed(table):
    """Check that nobody read of a vote, a lost seat, a late answer or, during play, a lost link."""
    for each in table.sitters:
        assert not each.told_of(notices.VoteCast), each.name
        assert not each.told_of(notices.SeatsLeft), each.name
        assert not each.told_of(notices.AnswerAwaited), each.name
        ends = {notice.end for notice in each.told_of(notices.LinkChanged) if not notice.up}
        assert each.finished or not ends


def claims(table, liar, *victims):
    """Let a liar say over all its links that it misses the victims."""
    missed = wire.Missed(liar.state.log_id, filled_mask([each.seat for each in victims]))
    for other in table.sitters:
        if frozenset((liar.key, other.key)) in table.links:
            table.do(other, other.core.frame(liar.key, encode(missed), table.now))


def silence(sitter):
    """Make this seat never say that it misses anybody."""
    sitter.parts.wishes.misses = frozenset


def behind(table, hub):
    """Cut a player off from all but the hub; link all other sitters to one another.

    Return that player, once it is their turn again, and the sitters other than the two.
    """
    heal(table, table.sitters)
    far = in_play(table)
    while far is hub:
        play_on(table)
        far = in_play(table)
    others = [each for each in table.sitters if each not in (far, hub)]
    apart(table, [far], others)
    for _ in range(2 * len(table.sitters)):
        play_on(table)
        table.pass_time(1.0)
    while not is_its_turn(far):
        play_on(table)
        table.pass_time(1.0)
    assert all(far.key in each.parts.absence.through for each in others)
    return far, others


# ---- nobody is missed -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 5])
def test_guests_who_are_kept_apart_play_a_whole_game(seats):
    """Guests who are kept apart play a whole game, even if each move takes long."""
    table = kept_apart(seats)
    in_play(table)
    began = table.now
    think(table, 40.0)
    assert table.now - began > 5 * PATIENCE_S
    assert not any(map(gone, table.sitters))
    nobody_was_missed(table)
    end_whole(table)


def test_who_thinks_for_long_behind_the_host_is_not_missed():
    """A player linked only to the host is not missed, however long they think.

    The player's program signs nothing meanwhile.
    """
    table = kept_apart()
    in_play(table)
    table.pass_time(10 * PATIENCE_S)
    assert not any(map(gone, table.sitters))
    nobody_was_missed(table)
    table.bots = True
    play_on(table)
    end_whole(table)


def test_who_owes_nothing_cannot_show_that_they_are_there():
    """Guests who have nothing to sign while the host thinks do not count as away."""
    table = kept_apart()
    in_play(table)
    while not is_its_turn(table.host):
        play_on(table)
        table.pass_time(1.0)
    table.pass_time(5 * PATIENCE_S)
    nobody_was_missed(table)
    views = [each.view for each in table.sitters[1:]]
    assert all(info.in_reach for view in views for info in view.seats)
    assert sum(info.through for info in views[0].seats) == len(table.sitters) - 2


def test_a_network_that_begins_to_keep_guests_apart_throws_nobody_out():
    """A network that begins to keep guests apart throws nobody out.

    A guest counts as away until an entry of theirs comes through the host.
    """
    table = kept_apart(people=True)
    mover = in_play(table)
    heal(table, table.sitters)
    table.pass_time(5.0)
    apart(table, *([each] for each in table.sitters[1:]))
    table.pass_time(PATIENCE_S - 5.0)
    table.move(mover)
    think(table, 40.0)
    assert not any(map(gone, table.sitters))
    other = next(each for each in table.sitters[1:] if each is not mover)
    said = [each.up for each in other.told_of(notices.LinkChanged) if each.name == mover.name]
    assert said[:4] == [True, False, True], "away, and back when the move came"


def test_who_was_linked_by_a_forwarder_that_cuts_the_link_is_not_away():
    """A guest whose forwarded link was cut by its forwarder does not count as away.

    A guest whose direct link is lost counts as away.
    """
    table = kept_apart(people=True)
    mover = in_play(table)
    heal(table, table.sitters)
    table.pass_time(5.0)
    other = next(each for each in table.sitters[1:] if each is not mover)
    for near, far in ((mover, other), (other, mover)):
        near.links[far.key].ending = notices.LinkEnd.FORWARDER
    apart(table, *([each] for each in table.sitters[1:]))
    table.pass_time(5.0)
    assert mover.key in other.parts.absence.through
    third = next(each for each in table.sitters[1:] if each not in (mover, other))
    assert third.parts.absence.is_away(mover.key)
    ups = [each.up for each in other.told_of(notices.LinkChanged) if each.name == mover.name]
    assert ups == [True]
    table.pass_time(2 * PATIENCE_S)
    nobody_goes = not any(map(gone, table.sitters))
    assert nobody_goes, "the host, who has a link, does not miss them"


# ---- a guest who vanishes is missed ------------------------------------------------------------


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_guest_who_vanishes_behind_the_host_goes_once_the_patience_is_over(seats, people):
    """A vanished guest who was linked only to the host is given up once the patience has run out.

    The other guests believe the host, and nobody reads of a vote.
    """
    table = kept_apart(seats, people=people)
    victim = in_play(table)
    kill(table, victim)
    table.bots = True
    table.pass_time(PATIENCE_S - 1.0)
    assert not any(map(gone, table.sitters))
    table.pass_time(SLACK_S)
    rest = [each for each in table.sitters if each is not victim]
    assert all(gone(each) == {victim.name} for each in rest)
    assert not any(info.in_reach for each in rest for info in each.view.seats if info.left)
    assert not any(each.told_of(notices.VoteCast) for each in rest)
    end_whole(table)


def test_all_who_vanish_together_go_together():
    """A host and a guest who vanish together are given up together, after a single wait.

    Examples are a host with its bots, or a room whose Wi-Fi fails.
    """
    table = kept_apart(5)
    heal(table, table.sitters)
    first = in_play(table)
    victims = [first, next(each for each in table.sitters if each is not first)]
    for each in victims:
        kill(table, each)
    table.bots = True
    table.pass_time(PATIENCE_S + SLACK_S)
    assert all(gone(s) == {v.name for v in victims} for s in table.sitters if s.alive)
    end_whole(table)


def test_where_the_host_is_gone_nobody_is_heard_through_others():
    """A guest cut off from the host hears nobody through the host until that link is back."""
    table = kept_apart(3, VOTE)
    in_play(table)
    ann, ben, cy = table.sitters
    apart(table, [ann], [ben, cy])
    assert [info.in_reach for info in ben.view.seats if info.key != ben.key] == [False, False]
    heal(table, [ann, ben], [])
    heal(table, [ann, cy], [])
    table.pass_time(1.0)
    assert all(info.in_reach for info in ben.view.seats)
    told = [(each.name, each.up) for each in ben.told_of(notices.LinkChanged)]
    assert told.count(("Cy", False)) == 1
    assert [up for name, up in told if name == "Cy"][-1]


def test_who_has_signed_a_step_that_waits_for_another_is_heard():
    """A guest whose entry waits in an open step counts as heard; one who vanished does not."""
    table = kept_apart(5)
    ann, ben, cy, dee, eve = table.sitters
    table.until(ann, Phase.COIN_COMMIT)
    kill(table, dee)
    table.pass_time(5.0)
    assert ben.state.phase is Phase.COIN_COMMIT
    assert ben.parts.absence.through == {cy.key, eve.key}


# ---- people -----------------------------------------------------------------------------------


def test_people_may_vote_on_who_is_heard_through_others_as_on_anybody_here():
    """A seat heard through others may be voted on only after `IDLE_S`, like a linked seat."""
    table = kept_apart(5, VOTE, people=True)
    mover = in_play(table)
    others = [each for each in table.sitters if each is not mover]
    table.pass_time(IDLE_S - 1.0)
    guest = next(each for each in others if each is not table.host)
    assert not guest.core.is_missed(mover.key, table.now)
    table.pass_time(2.0)
    assert guest.core.is_missed(mover.key, table.now)
    go_on(table, others[:3], mover)
    table.pass_time(SLACK_S)
    assert all(gone(each) == {mover.name} for each in others)


def test_a_program_without_a_person_follows_no_vote_on_who_plays_through_others():
    """A program without a person follows no vote on a seat whose entries come through others."""
    table = kept_apart(5, VOTE)
    table.host.context.attend()
    victim = in_play(table)
    play_on(table)
    table.pass_time(IDLE_S / 2)
    go_on(table, [table.host], victim)
    claims(table, table.host, victim)
    table.pass_time(IDLE_S / 4)
    assert not any(map(gone, table.sitters))


# ---- liars ------------------------------------------------------------------------------------


def test_a_lie_that_somebody_is_away_does_not_outvote_their_entries():
    """A host's false claim to miss some guests does not outweigh the entries that they send."""
    table = kept_apart()
    mover = in_play(table)
    victims = [each for each in table.sitters[1:] if each is not mover]
    claims(table, table.host, *victims)
    table.pass_time(5 * PATIENCE_S)
    assert not any(map(gone, table.sitters))
    assert not any(each.parts.wishes.misses() for each in table.sitters)


def test_the_one_with_a_link_to_who_vanished_cannot_hold_the_others_up_for_ever():
    """The only seat linked to a vanished guest can at most make the others wait twice as long.

    That seat never says whom it misses; the others decide without it.
    """
    table = kept_apart(5)
    hub = table.host
    far, others = behind(table, hub)
    silence(hub)
    kill(table, far)
    table.pass_time(2 * PATIENCE_S - 2.0)
    assert not any(map(gone, others))
    table.pass_time(SLACK_S)
    assert all(gone(each) == {far.name} for each in others)


def test_where_the_silent_one_is_needed_the_others_miss_who_vanished_as_well():
    """If the silent seat is needed, the others miss the vanished guest but cannot decide.

    They are two of four. The silent seat alone had a link to the guest.
    """
    table = kept_apart(4, seed=2)
    far, others = behind(table, table.host)
    silence(table.host)
    kill(table, far)
    table.pass_time(2 * PATIENCE_S + SLACK_S)
    assert all(each.parts.wishes.misses() == {far.key} for each in others)
    assert not any(map(gone, others))


def test_who_is_linked_to_one_alone_has_twice_the_patience_to_think():
    """A player linked to one seat only has twice the patience to think."""
    table = kept_apart(5)
    far, others = behind(table, table.host)
    table.pass_time(2 * PATIENCE_S - 2.0)
    table.bots = True
    play_on(table)
    table.pass_time(SLACK_S)
    assert not any(map(gone, table.sitters))
    assert not any(each.parts.wishes.misses() for each in (far, *others))


@pytest.mark.parametrize("link", ["lost in that step", "lost before"])
def test_an_entry_kept_back_gives_who_vanished_no_more_than_that_once(link):
    """A withheld entry restarts the patience for a vanished player only once.

    The player's last move reached only a liar, who shows it just before the others would go on.
    """
    table = kept_apart(5)
    liar = table.host
    if link == "lost before":
        mover, rest = behind(table, liar)
    else:
        heal(table, table.sitters)
        mover = in_play(table)
        rest = [each for each in table.sitters if each not in (mover, liar)]
        apart(table, [mover], rest)
    silence(liar)
    table.delays = lambda sender, _: () if sender is liar else (LATENCY_S,)
    table.move(mover)
    table.pass_time(0.1)
    kill(table, mover)
    table.pass_time(PATIENCE_S - 5.0)
    table.delays = lambda *_: (LATENCY_S,)
    table.bots = True
    play_on(table)
    table.pass_time(SLACK_S)
    assert not any(map(gone, rest)), "what it has signed has come to stand"
    patience = 1 if link == "lost in that step" else 2
    table.pass_time(patience * PATIENCE_S + SLACK_S)
    assert all(gone(each) == {mover.name} for each in rest)
