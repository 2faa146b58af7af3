"""Notices of votes: who agrees on whom, and silence about votes that a healed cut made moot."""

from itertools import product

import pytest

from netgame.limits import IDLE_S, SUSPECT_S
from netgame.protocol import notices
from netgame.protocol.notices import Agreed, VoteCast
from tests.netgame.protocol.happenings import apart, go_on, gone, heal, say_farewell
from tests.netgame.protocol.peer.test_polls import VOTE, table_of
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import is_its_turn


def six_in_play():
    """Return a table of six in the middle of a round, with a person at each seat.

    Its players move only by `moves`.
    """
    table = table_of(6, VOTE, seed=3)
    for each in table.sitters:
        each.context.attend()
    table.run(lambda: any(is_its_turn(each) for each in table.sitters))
    table.bots = False
    moves(table, 2)
    return table


def two_away():
    """Return a table of six and its sitters, of whom the first two have been killed.

    The first sitter is the player to move.
    """
    table = six_in_play()
    order = by_turn(table)
    for each in order[:2]:
        kill(table, each)
    table.pass_time(1.0)
    return table, order


def moves(table, number):
    """Play `number` turns, one after the other."""
    for _ in range(number):
        table.run(lambda: any(each.view.can_move for each in table.sitters), 10)
        table.move(next(each for each in table.sitters if each.view.can_move))
        table.pass_time(0.1)


def by_turn(table):
    """Return all sitters, with the player to move first."""
    return sorted(table.sitters, key=lambda each: not each.view.can_move)


def link_one_by_one(table, one, other):
    """End all cuts; link each sitter of one group to each of the other, one link after another."""
    table.cut.clear()
    for here, there in product(one, other):
        table.connect(here, there)
        table.pass_time(0.3)


def names(*sitters):
    """Return the names of these sitters, in the order of their seats."""
    found = sorted(sitters, key=lambda each: each.context.seat or 0)
    return tuple(each.name for each in found)


def votes_since(sitter, number):
    """Return the votes that somebody read after their first `number` notices."""
    return [each for each in sitter.told[number:] if isinstance(each, VoteCast)]


def counts_of(sitter):
    """Return, by the name of each seat voted on, the voters' names, as in the status line."""
    return {info.name: info.missed_by for info in sitter.view.seats if info.missed_by}


# ---- after a cut ------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("away_s", [1.0, 30.0, 90.0])
def test_votes_that_a_healed_network_made_moot_are_told_to_nobody(away_s, order):
    """Votes that are moot because the network has healed are shown to nobody, and do not count.

    For example, no line says that Eve would go on without Ann, whom she will soon find.
    """
    table = six_in_play()
    mover, ann, ben, *others = by_turn(table)
    here = [mover, ann, ben]
    apart(table, here, others)
    table.pass_time(away_s)
    go_on(table, others[:1], mover)
    go_on(table, others[1:2], ann)
    go_on(table, others[2:], *here)
    go_on(table, [mover, ann], *others)
    table.pass_time(1.0)
    assert all(counts_of(each) for each in table.sitters)
    heard = {id(each): len(each.told) for each in table.sitters}
    link_one_by_one(table, here[::-1], others[::order])
    table.pass_time(SUSPECT_S + 1.0)
    assert [votes_since(each, heard[id(each)]) for each in table.sitters] == [[]] * 6
    assert [counts_of(each) for each in table.sitters] == [{}] * 6


def test_whoever_is_back_in_their_own_turn_has_time_for_it():
    """A vote on an absent player ends when the player is back in their own turn.

    A vote on a player who is present, and for whom all others wait, does count.
    """
    table = six_in_play()
    mover, *others = by_turn(table)
    apart(table, [mover], others)
    table.pass_time(90.0)
    go_on(table, others[:3], mover)
    table.pass_time(1.0)
    heal(table, table.sitters)
    table.pass_time(1.0)
    go_on(table, others[3:], mover)
    table.pass_time(10.0)
    assert not any(map(gone, table.sitters))
    assert counts_of(mover) == {mover.name: names(*others[3:])}
    go_on(table, others[:2], mover)
    table.run(lambda: all(map(gone, others)), 10)


@pytest.mark.parametrize("people", [1, 3])
def test_programs_follow_no_vote_of_who_has_yet_to_find_somebody_again(people):
    """Programs do not follow the vote of a seat that has yet to find the named player again.

    Otherwise bots that were cut off together with that player would add the missing votes, or
    decide alone. The network is cut twice while the player thinks.
    """
    table = six_in_play()
    mover, *rest = by_turn(table)
    bots, others = rest[:2], rest[2:]
    for each in (*bots, *others[people:]):
        each.context.attended = False
    for away_s in (90.0, 20.0):
        apart(table, [mover, *bots], others)
        table.pass_time(away_s)
        go_on(table, others[:people], mover)
        table.pass_time(10.0)
        table.cut -= {frozenset((a.key, b.key)) for a, b in product(bots, others)}
        for one, other in product(bots, others):
            table.connect(one, other)
        table.pass_time(SUSPECT_S - 1.0)
        heal(table, table.sitters)
        table.pass_time(2 * SUSPECT_S)
    assert not any(map(gone, table.sitters))


def test_a_wish_that_programs_have_followed_ends_with_it():
    """A wish that programs without a person have followed ends for all when it is taken back.

    Such programs wait a minute before they follow a person, and do not follow each other.
    """
    table, (eve, _, ann, ben, *programs) = two_away()
    for each in programs:
        each.context.attended = False
    go_on(table, [ann], eve)
    table.pass_time(IDLE_S - 2.0)
    assert counts_of(ben) == {eve.name: names(ann)}
    table.pass_time(2.0)
    assert counts_of(ben) == {eve.name: names(ann, *programs)}
    go_on(table, [ann])
    table.pass_time(1.0)
    assert [counts_of(each) for each in (ann, ben, *programs)] == [{}] * 4
    assert not any(map(gone, table.sitters))


def test_a_vote_taken_back_is_no_news_to_who_was_not_told_of_it():
    """A vote taken back is reported only to players who had read of the vote.

    A vote that lapses because the player is back is not reported as taken back.
    """
    table, (eve, flo, ann, ben, cy, dee) = two_away()
    apart(table, [dee], [ann, ben, cy])
    go_on(table, [ann], eve)
    table.pass_time(1.0)
    go_on(table, [ann])
    table.pass_time(1.0)
    heal(table, [dee], [ann, ben, cy])
    go_on(table, [ben], flo)
    table.pass_time(1.0)
    revive(table, flo)
    link_all(table)
    table.pass_time(10.0)
    assert [len(each.told_of(notices.VoteTakenBack)) for each in (ann, ben, cy, dee)] == [
        1,
        1,
        1,
        0,
    ]


def test_programs_follow_votes_on_an_idler_whose_links_come_and_go():
    """Programs follow votes on an idler, even if the idler's links come and go.

    A player who comes back gets new time only a few times in a step.
    """
    table = six_in_play()
    idler, asks, *programs = by_turn(table)
    for each in programs:
        each.context.attended = False
    table.pass_time(60.0)
    go_on(table, [asks], idler)
    for times in range(6):
        assert times > 2 or not gone(asks)
        if not gone(asks):
            apart(table, [idler], [asks, *programs])
            heal(table, table.sitters)
            table.pass_time(4.0)
    assert all(map(gone, programs))


def test_a_vote_on_somebody_who_is_here_is_told_once_it_has_stood_for_a_while():
    """A vote on somebody who is linked here is reported only after a while.

    Ann alone reaches Eve. She reads that two others would go on without Eve, and that she may
    not agree.
    """
    table = six_in_play()
    ann, eve, *others = by_turn(table)
    apart(table, [eve], others)
    go_on(table, others[:2], eve)
    table.pass_time(SUSPECT_S - 1.0)
    assert not ann.told_of(VoteCast)
    assert not counts_of(ann)
    table.pass_time(2.0)
    assert [each.without for each in ann.told_of(VoteCast)] == [names(eve)] * 2
    assert not any(each.may_agree for each in ann.told_of(VoteCast))
    assert counts_of(ann) == {eve.name: names(*others[:2])}


def test_a_vote_is_not_told_anew_when_a_link_takes_the_place_of_another():
    """A vote is not reported again when a new link replaces an old one.

    If both ends of a link have dialled, Eve or the voter seems to go and come back for a moment.
    After a real break of the voter's link, the vote is reported again.
    """
    table = six_in_play()
    eve, ann, *others = by_turn(table)
    apart(table, [eve], [ann, *others])
    table.pass_time(1.0)
    go_on(table, others[:1], eve)
    table.pass_time(1.0)
    assert len(ann.told_of(VoteCast)) == 1
    table.cut.discard(frozenset((eve.key, ann.key)))
    table.connect(eve, ann)
    table.pass_time(0.1)
    for other in (eve, others[0]):
        for here, there in ((other, ann), (ann, other)):
            table.do(here, here.core.link_up(there.key, table.now))
        table.pass_time(1.0)
        assert len(ann.told_of(VoteCast)) == 1
    table.disconnect(ann, eve)
    table.disconnect(ann, others[0])
    table.pass_time(1.0)
    table.connect(ann, others[0])
    table.pass_time(1.0)
    assert len(ann.told_of(VoteCast)) == 2


# ---- agreement on each seat -------------------------------------------------------------------


def test_each_vote_says_who_agrees_on_whom():
    """Each notice of a vote tells who agrees on whom.

    Ben names Eve, and Cy names Eve and Flo: two agree on Eve, and one on Flo.
    """
    table, (eve, flo, ann, ben, cy, dee) = two_away()
    go_on(table, [ben], eve)
    go_on(table, [cy], eve, flo)
    table.pass_time(1.0)
    told = dee.told_of(VoteCast)
    assert [each.agreed for each in told] == [
        (Agreed(names(eve), names(ben)),),
        (Agreed(names(eve), names(ben, cy)), Agreed(names(flo), names(cy))),
    ]
    go_on(table, [ben, ann], eve, flo)
    table.pass_time(1.0)
    assert dee.told_of(VoteCast)[-1].agreed == (Agreed(names(eve, flo), names(ann, ben, cy)),)
    assert {each.needed for each in dee.told_of(VoteCast)} == {4}


def test_who_typed_a_vote_is_told_of_it_each_time():
    """A player who types a vote reads it each time; the others read only what is new."""
    table, (eve, flo, ann, ben, *_) = two_away()
    for whom in ([eve, flo], [eve, flo], [eve]):
        go_on(table, [ann], *whom)
        table.pass_time(1.0)
    assert [each.without for each in ann.told_of(VoteCast)] == [
        names(eve, flo),
        names(eve, flo),
        names(eve),
    ]
    assert [each.without for each in ben.told_of(VoteCast)] == [names(eve, flo)]


def test_whoever_parts_from_a_vote_leaves_fewer_who_must_agree_and_that_is_told():
    """A farewell during a vote leaves fewer who must agree, and everybody reads the numbers.

    Of six, four must agree; once one has left for good, three are enough.
    """
    table = six_in_play()
    dan, eva, *others = by_turn(table)[::-1]
    apart(table, [dan], [eva, *others])
    table.pass_time(30.0)
    go_on(table, others[:3], dan)
    table.pass_time(1.0)
    assert not any(map(gone, others))
    say_farewell(table, eva)
    table.run(lambda: all(map(gone, others)), 10)
    farewell = notices.SaidFarewell(eva.name, 3, 5)
    assert all(each.told.count(farewell) == 1 for each in others)


def test_a_vote_that_is_taken_back_counts_no_more():
    """A vote that is taken back no longer counts, but the player's vote on another seat stays.

    Promises are shown only once they have been signed in a ballot.
    """
    table, (eve, flo, ann, ben, cy, dee) = two_away()
    go_on(table, [ann, ben, cy], eve, flo)
    table.pass_time(1.0)
    go_on(table, [ann], flo)
    table.pass_time(1.0)
    counted = counts_of(dee)
    assert counted[eve.name] == names(ben, cy)
    assert counted[flo.name] == names(ann, ben, cy)
    assert not any(info.promised for info in ann.view.seats)
    for each in (ann, ben, cy, dee):
        told = notices.VoteTakenBack(ann.name, names(eve), own=each is ann)
        assert each.told_of(notices.VoteTakenBack) == [told]
    go_on(table, [dee], flo)
    table.run(lambda: any(info.promised for info in dee.view.seats), 5)
    table.pass_time(5.0)
    assert [info.name for info in ann.view.seats if info.left] == list(names(flo))
