"""One of two players leaves for good: the game ends at once, unless an applicant waits."""

from itertools import product

import pytest

from engine.table.events import GameEnded
from netgame.protocol import notices
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import go_on, say_farewell, until_turn, verified
from tests.netgame.simtable import full_table, kill, link_all, revive
from tests.netgame.small_games import at, is_its_turn
from tests.sliced import sliced

VOTE = "patience=vote"


def new_table(*options, rounds=2, bots=True):
    """Return a table of Ann and Ben, double-6 with four tiles each.

    A seat that is silent is given up only by a vote.
    """
    settings = wire.Settings("standard", (), 6, 2, rounds, 4, (VOTE, *options))
    return full_table(("Ann", "Ben"), settings, seed=bytes([7]) * 32, bots=bots)


def is_second(who):
    """Return True if a sitter's log is in the second round."""
    table = who.state.table
    return table is not None and table.round_number == 1


PLACES = {
    "coin": at(Phase.COIN_REVEAL),
    "shares": at(Phase.SHARES),
    "its turn": lambda who: is_its_turn(who) and who.state.table.turns > 2,
    "open": at(Phase.OPEN),
    "score": lambda who: at(Phase.SCORE)(who) or is_second(who),
    "second round": is_second,
}


def expect_end(table, who):
    """Check that this seat's game ends with a finished record that verifies, and with no fault."""
    table.until(who, Phase.OVER, 30)
    assert not who.faults()
    verdict = verified(who.record_octets)
    assert verdict.ok, verdict.sentence
    assert verdict.finished


@sliced(("place", "options", "leaver"), product(PLACES, [(), ("leaver=redeal",)], [0, 1]), 3)
def test_the_game_ends_at_once_when_one_of_two_leaves(place, options, leaver):
    """If one of two leaves, in any phase, the game ends within 30 seconds, and the other wins."""
    table = new_table(*options)
    left, stays = table.sitters[leaver], table.sitters[1 - leaver]
    table.run(lambda: PLACES[place](left))
    say_farewell(table, left)
    expect_end(table, stays)
    told = [n for n in stays.told if isinstance(n, notices.GameOver | notices.TableClosed)]
    assert [type(each) for each in told] == [notices.GameOver]
    assert stays.state.gone
    (ended,) = (each for each in told[0].events if isinstance(each, GameEnded))
    assert ended.winners == (stays.seat,)


def test_a_turn_need_not_be_played_when_all_others_have_left():
    """A player whose turn it is need not move once all others have left."""
    table = new_table(bots=False)
    ann, ben = table.sitters
    table.run(lambda: any(is_its_turn(each) for each in table.sitters))
    stays = next(each for each in table.sitters if is_its_turn(each))
    step = stays.state.step
    say_farewell(table, ben if stays is ann else ann)
    expect_end(table, stays)
    assert stays.ledger.steps[step] == ()
    assert [(each.step, each.goes) for each in stays.ledger.decisions if each.goes] == [
        (step, 1 << (1 - stays.seat))
    ]


@pytest.mark.parametrize("farewell", [True, False])
def test_one_of_two_cannot_go_on_without_the_other_s_word(farewell):
    """One of two cannot go on without the other's farewell, however long it waits.

    With a farewell the game is over.
    """
    table = new_table()
    ann, ben = table.sitters
    until_turn(table, ben)
    if farewell:
        say_farewell(table, ben)
    else:
        kill(table, ben)
        table.pass_time(30.0)
        go_on(table, [ann], ben)
    for _ in range(2):
        table.pass_time(450.0)
    assert (ann.state.phase is Phase.OVER) == farewell
    assert bool(ann.state.gone) == farewell
    if not farewell:
        revive(table, ben)
        link_all(table)
        table.run_game()
        assert not ann.state.gone
        expect_end(table, ann)


@pytest.mark.parametrize("place", ["its turn", "shares", "score"])
def test_who_waits_for_a_seat_plays_the_next_round(place):
    """When one of two leaves, an applicant plays the next round, and the game does not end."""
    table = new_table(rounds=3)
    ann, ben = table.sitters
    table.until(ann, Phase.DEAL)
    zoe = table.seat("Zoe")
    table.run(lambda: bool(ann.parts.applicants.waiting))
    table.run(lambda: PLACES[place](ben))
    say_farewell(table, ben)
    table.run(lambda: ann.state.phase is Phase.OVER and zoe.state.phase is Phase.OVER, 900)
    for who in (ann, zoe):
        assert not who.faults()
        assert verified(who.record_octets).ok
    assert ann.state.head == zoe.state.head
    assert zoe.seat in ann.state.present
    assert len(ann.state.table.past) == 3
