"""A latecomer gets a vote once enough members besides the chair name it."""

import pytest

from netgame.protocol import notices
from netgame.protocol.epochs.company import Company
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.seating import VoteWithheld
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.wire.statements import bit, seats_in
from tests.netgame.protocol.happenings import apart
from tests.netgame.protocol.peer.test_seating import OPEN, allow, come, in_play
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import end_whole, given_up_and_back, new_table, until_round


def _misses(sitter, *others):
    """Make this program always say that it would go on without `others`."""
    keys = frozenset(each.key for each in others)
    vars(sitter.parts.wishes).update(misses=lambda: keys, are_none=lambda: False)


def _knows(sitter, *others):
    """Make the chair part of this sitter's program know only the keys of `others`."""
    keys = {each.key for each in others}
    sitter.parts.chair.knows = keys.__contains__


def _think(table, seconds):
    """Let time pass while nobody moves; then let everybody move."""
    table.bots = False
    table.pass_time(seconds)
    table.bots = True
    for each in table.sitters:
        table.move(each)


def test_a_chair_makes_no_majority_of_strangers():
    """A chair that seats three strangers cannot vote a player out with them.

    All four want to go on without Ben, who is here.
    """
    table = new_table((), seats=3, rounds=5)
    until_round(table)
    ann, ben, cy = table.sitters
    strangers = [table.seat(name) for name in ("Xi", "Yu", "Zoe")]
    link_all(table)
    _knows(ben)
    _knows(cy)
    until_round(table, 1)
    assert all(each.context.sits(each.key) for each in strangers)
    for each in (ann, *strangers):
        _misses(each, ben)
    for number in range(1, 5):
        until_round(table, number)
        _think(table, 20.0)
        assert ann.context.sits(ben.key), f"they have gone on without Ben in round {number}"
    end_whole(table)


# ---- naming for a vote --------------------------------------------------------------------------


def _votes(table):
    """Return the names of the voters in the host's log."""
    state = table.host.state
    return {state.name_of(seat) for seat in seats_in(state.company.now.voters)}


def _open(seats=3, **more):
    """Return a table in its first round, where no chair knows any key."""
    return in_play(seats, rounds=5, **more)


def _late(table, *names):
    """Seat these players for the second round with the host's consent; return them."""
    late = come(table, *names)
    allow(table, table.host, *late)
    until_round(table, 1)
    assert all(each.context.sits(each.key) for each in late)
    return late


def test_who_comes_late_plays_a_round_and_then_has_a_vote():
    """A latecomer plays a round without a vote, and then gets one from the other players."""
    table = _open()
    (zoe,) = _late(table, "Zoe")
    assert _votes(table) == {"Ann", "Ben", "Cy"}
    assert [info.no_vote for info in table.host.view.seats].count(True) == 1
    assert zoe.view.has_no_vote_yet
    until_round(table, 2)
    assert _votes(table) == {"Ann", "Ben", "Cy", "Zoe"}
    assert zoe.told_of(notices.VotesCame) == [notices.VotesCame(("Zoe",))]
    assert len(zoe.told_of(notices.SeatsCame)) == 1
    assert not zoe.view.has_no_vote_yet
    end_whole(table)


def test_strangers_get_votes_until_they_and_the_chair_are_half():
    """Strangers get votes in seat order, until they and the chair are half of the voters.

    Ben and Cy each read once which stranger their own program does not name.
    """
    table = _open()
    late = _late(table, "Xi", "Zoe")
    until_round(table, 3)
    first, second = sorted(late, key=lambda each: each.seat)
    assert _votes(table) == {"Ann", "Ben", "Cy", first.name}
    ann, ben, cy = table.sitters[:3]
    for each in (ben, cy):
        assert each.told_of(VoteWithheld) == [VoteWithheld(second.name)]
    assert not ann.told_of(VoteWithheld), "its person has said yes"
    for each in (ben, cy):
        allow(table, each, second)
    until_round(table, 4)
    assert second.name in _votes(table)
    end_whole(table)


def test_at_a_table_of_two_both_have_to_know_who_comes():
    """At a table of two, both players must know a newcomer; the chair alone gives no vote."""
    table = _open(2)
    (zoe,) = _late(table, "Zoe")
    ben = table.sitters[1]
    until_round(table, 2)
    assert _votes(table) == {"Ann", "Ben"}
    assert ben.told_of(VoteWithheld) == [VoteWithheld("Zoe")]
    allow(table, ben, zoe)
    until_round(table, 3)
    assert _votes(table) == {"Ann", "Ben", "Zoe"}
    end_whole(table)


def test_a_chair_whose_guests_name_each_other_gives_no_vote():
    """A chair cannot give votes through its guests: it does not matter whom guests name."""
    table = _open()
    late = _late(table, "Xi", "Zoe")
    ann, *others = table.sitters[:3]
    for each in (ann, *late):
        _names_all(each)
    for each in others:
        vars(each.parts.franchise)["names"] = lambda: 0
    until_round(table, 2)
    assert _votes(table) == {"Ann", "Ben", "Cy"}
    end_whole(table)


def _names_all(sitter):
    """Make this program name every guest."""
    context = sitter.context
    vars(sitter.parts.franchise)["names"] = lambda: sum(map(bit, context.state.guests))


def test_no_host_vouches_for_a_voter():
    """A newcomer does not get a vote just because the host vouches for them."""
    table = _open(2, options=("patience=vote",))
    ann, ben = table.sitters
    ann.parts.chair.knows = lambda _key: True
    vars(ben.parts.watchers)["vouches"] = lambda _by, _key: True
    table.seat("Zoe")
    until_round(table, 2)
    assert _votes(table) == {"Ann", "Ben"}
    end_whole(table)


@pytest.mark.parametrize("what", ["kicked", "convicted", "missed", "unlinked"])
def test_nobody_is_named_of_whom_something_is_known(what):
    """Nobody is named for a vote by a player who kicked, convicted, misses or cannot reach them."""
    table = _open(2)
    (zoe,) = _late(table, "Zoe")
    ben = table.sitters[1]
    allow(table, ben, zoe)
    chair = ben.parts.chair
    table.bots = False
    if what == "kicked":
        table.act(ben, lambda parts: parts.chair.kick(zoe.key, "Zoe"))
    elif what == "convicted":
        chair.convicted.add(zoe.key)
    elif what == "missed":
        vars(ben.parts.wishes)["misses"] = lambda: frozenset({zoe.key})
    else:
        apart(table, [ben], [zoe])
    table.bots = True
    for each in table.sitters:
        table.move(each)
    until_round(table, 2)
    assert _votes(table) == {"Ann", "Ben"}


def test_who_comes_back_has_a_vote_again_a_round_later():
    """A player who comes back has a vote again a round later, like any newcomer."""
    table, ann, victim = given_up_and_back()
    until_round(table, 1)
    assert ann.context.sits(victim.key)
    assert victim.name not in _votes(table)
    until_round(table, 2)
    assert victim.name in _votes(table)
    end_whole(table)


# ---- going without a vote -----------------------------------------------------------------------


def test_who_leaves_without_a_vote_is_waited_for_by_nobody():
    """A player without a vote who says farewell is gone at once, even in the middle of a round."""
    table = _open()
    (zoe,) = _late(table, "Zoe")
    ann = table.host
    table.act(zoe, leave_for_good)
    table.pass_time(0.05)
    kill(table, zoe)
    table.run(lambda: zoe.seat in ann.state.gone, 3.0)
    (gone,) = ann.view.departures
    assert (gone.name, gone.farewell) == ("Zoe", True)
    end_whole(table)


def test_who_has_votes_goes_on_without_who_has_none():
    """The only voter left goes on without a player who has no vote."""
    table = _open(2, options=("newcomers=open", "patience=minute"))
    (zoe,) = _late(table, "Zoe")
    ann = table.host
    kill(table, zoe)
    table.run(lambda: zoe.seat in ann.state.gone)
    end_whole(table)


def test_who_has_no_vote_lets_nobody_go():
    """A player without a vote does not count when the others want to go on without a voter.

    Ben is gone; Ann and Zoe are two of three at the table, but only one of two voters.
    """
    table = _open(2, options=("newcomers=open", "patience=minute"))
    _late(table, "Zoe")
    ann, ben = table.sitters[:2]
    kill(table, ben)
    table.pass_time(600.0)
    assert not ann.state.gone
    assert ann.view.needed == 2
    revive(table, ben)
    link_all(table)
    end_whole(table)


def test_who_is_left_without_a_vote_reads_that_nothing_can_be_decided():
    """A player left without a vote reads that nothing can be decided any more."""
    table = _open(2)
    (zoe,) = _late(table, "Zoe")
    table.bots = False
    for each in table.sitters[:2]:
        table.act(each, leave_for_good)
        table.pass_time(1.0)
        kill(table, each)
    table.pass_time(5.0)
    assert zoe.told_of(notices.NobodyDecides) == [notices.NobodyDecides()]
    assert not zoe.faults()


def test_only_a_voter_stands_in_as_chair():
    """Only a voter stands in as chair; the host, once back, is chair even without a vote."""
    company = Company.of_table(b"").then(5, keys=(b"h", b"a", b"b"), gone=frozenset({0}))
    state = State(host=b"h", company=company.then(9, guests=frozenset({1})))
    assert state.chair == 2
    back = State(host=b"h", company=company.then(9, gone=frozenset(), guests=frozenset({0})))
    assert back.chair == 0


@pytest.mark.parametrize("options", [OPEN, (*OPEN, "audit=keys")])
@pytest.mark.parametrize("comes", [False, True])
def test_votes_outlast_somebody_who_goes_before_the_coin(comes, options):
    """New votes and seats last if somebody else leaves before the coin.

    Cy leaves while the roster is being signed. Zoe still gets her vote, and Xi, if she has come,
    her seat.
    """
    table = _open(4, options=options)
    (zoe,) = _late(table, "Zoe")
    ann, _, cy, _ = table.sitters[:4]
    xi = come(table, "Xi") if comes else []
    allow(table, ann, *xi)
    table.until(ann, Phase.ROSTER)
    table.act(cy, leave_for_good)
    table.pass_time(0.02)
    until_round(table, 2)
    assert cy.name not in _votes(table)
    assert zoe.name in _votes(table)
    for each in xi:
        assert ann.context.sits(each.key)
        assert each.name not in _votes(table)
    end_whole(table)


def test_who_is_to_have_a_vote_may_go_before_the_coin():
    """A player who is about to get a vote may leave before the coin; the next round is dealt."""
    table = _open(4)
    (zoe,) = _late(table, "Zoe")
    ann = table.host
    table.until(ann, Phase.ROSTER)
    table.act(zoe, leave_for_good)
    table.pass_time(0.02)
    until_round(table, 2)
    assert zoe.seat in ann.state.gone
    assert len(_votes(table)) == 4
    assert len(ann.state.company.sessions) == 2
    end_whole(table)
