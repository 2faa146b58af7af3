"""More than half of the seats decide who leaves and at which step; all end with the same log."""

import pytest

from engine.table.events import GameEnded
from netgame.protocol import notices
from netgame.protocol.log.entry import read_statement
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import BetweenTurns, Phase
from netgame.wire import messages as wire
from netgame.wire.statements import Parting
from tests.netgame.games import NAMES, statements_of
from tests.netgame.protocol.happenings import apart, go_on, gone, heal, in_turn, say_farewell
from tests.netgame.simtable import full_table, kill, link_all, revive
from tests.netgame.small_games import MINUTE, at, come_late, end_whole, is_its_turn, late_table
from tests.sliced import sliced

VOTE = ("patience=vote",)


def table_of(seats, options=MINUTE, rounds=1, seed=1, **more):
    """Return a table of bots at double-6, with three tiles each."""
    settings = wire.Settings("standard", (), 6, seats, rounds, 3, options)
    return full_table(NAMES[:seats], settings, seed=bytes([seed]) * 32, **more)


# ---- majorities ------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "needed"), [(3, 2), (4, 3), (5, 3), (6, 4)])
def test_a_seat_goes_once_more_than_half_would_go_on_without_it(seats, needed):
    """A seat goes once more than half want to go on without it, and no earlier."""
    table = table_of(seats, VOTE)
    for each in table.sitters:
        each.context.attend()  # otherwise programs without a person follow what others wish
    victim = in_turn(table)
    kill(table, victim)
    table.pass_time(10.0)
    others = [each for each in table.sitters if each is not victim]
    assert {each.parts.wishes.needed() for each in others} == {needed}
    go_on(table, others[: needed - 1], victim)
    table.pass_time(300.0)
    assert not any(gone(each) for each in others)
    go_on(table, others[needed - 1 : needed], victim)
    table.run(lambda: all(gone(each) for each in others), 10)
    end_whole(table)


# ---- farewells -------------------------------------------------------------------------------


PLACES = {
    "roster": at(Phase.ROSTER),
    "coin": at(Phase.COIN_COMMIT),
    "coin shown": at(Phase.COIN_REVEAL),
    "coin fallen": at(Phase.COIN_FALLEN),
    "deal": at(Phase.DEAL),
    "shares": at(Phase.SHARES),
    "its turn": is_its_turn,
    "another's turn": lambda who: at(Phase.PLAY)(who) and not is_its_turn(who),
    "next deal": lambda who: isinstance(who.state.now, BetweenTurns),
    "drawn": at(Phase.DRAWN),
    "calls": at(Phase.CALLS),
    "mix-hand": at(Phase.MIX_HAND),
    "open": at(Phase.OPEN),
    "score": at(Phase.SCORE),
    "audit": at(Phase.AUDIT),
    "last round": lambda who: is_its_turn(who) and who.state.table.round_number == 1,
}
SWITCHES = {"calls": ("last-tile=tap", "tap-penalty=1")}
OPTIONS = {"mix-hand": ("draws=hidden",), "audit": ("audit=keys",)}
"""The options that a table needs to reach that phase."""
INTO_THE_NEXT = ("next deal", "open", "score", "audit", "last round")
"""Places at the end of a round: those who stay play one round more."""

WAYS = (
    (0, say_farewell, "rebuild"),
    (2, say_farewell, "redeal"),
    (0, kill, "redeal"),
    (2, kill, "rebuild"),
)
"""Host or guest, with a farewell or without, and what becomes of the deck in play."""


@sliced(
    ("place", "who", "how", "leaver"),
    [(place, *way) for place in PLACES for way in WAYS if (place, way[1]) != ("coin fallen", kill)],
    3,
)
def test_the_others_go_on_wherever_the_game_is(place, who, how, leaver):
    """When a seat leaves, wherever the game is, the others go on and end with the same log.

    After a farewell they wait only a moment, and nobody has to ask for anything.
    """
    options = (*MINUTE, f"leaver={leaver}", *OPTIONS.get(place, ()))
    rounds = 1 + (place in INTO_THE_NEXT)
    settings = wire.Settings("standard", SWITCHES.get(place, ()), 6, 4, rounds, 3, options)
    table = full_table(NAMES[:4], settings, seed=bytes([5]) * 32)
    victim = table.sitters[who]
    table.run(lambda: not any(each.context.in_lobby for each in table.sitters))
    table.run(lambda: PLACES[place](victim))
    begun = table.now
    how(table, victim)
    here = [each for each in table.sitters if each is not victim]
    table.run(lambda: all(each.told_of(notices.SeatsLeft) for each in here), 200)
    assert how is kill or table.now - begun < 5.0
    end_whole(table)
    for each in here:
        assert each.told_of(notices.SeatsLeft) == [notices.SeatsLeft((NAMES[who],))]
        assert each.told.count(notices.SaidFarewell(NAMES[who])) == (how is say_farewell)


def test_a_farewell_that_nobody_heard_is_said_again_by_the_next_process():
    """A farewell that nobody heard is sent again by the next process, in the same octets."""
    table = table_of(4, (*VOTE, "latecomers=watch"))
    victim = in_turn(table)
    others = [each for each in table.sitters if each is not victim]
    apart(table, [victim], others)
    table.act(victim, leave_for_good)
    kill(table, victim)
    table.cut.clear()
    table.pass_time(60.0)
    assert not any(gone(each) for each in others)
    revive(table, victim)
    link_all(table)
    table.run(lambda: all(gone(each) for each in others), 30)
    end_whole(table)
    said = {each for sitter in table.sitters for each in statements_of(sitter)}
    partings = [each for each in said if isinstance(read_statement(each).statement, Parting)]
    assert len(partings) == 1


def test_all_leave_but_one_who_ends_the_round_as_it_stands():
    """The last player at a table ends the game at once, alone, and wins it.

    The round counts as it stands, and no other is begun.
    """
    table = table_of(4, VOTE, rounds=2)
    in_turn(table)
    for number, each in enumerate(table.sitters[1:]):
        table.later(0.01 * number, lambda each=each: say_farewell(table, each))
    begun, ann = table.now, table.host
    table.until(ann, Phase.OVER)
    assert table.now - begun < 1.0
    end_whole(table)
    assert len(gone(ann)) == 3
    assert len(ann.state.table.past) == 1
    (over,) = ann.told_of(notices.GameOver)
    assert GameEnded((ann.seat,)) in over.events


# ---- newcomers -------------------------------------------------------------------------------


FORMING = (Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL, Phase.COIN_FALLEN)


@pytest.mark.parametrize("phase", FORMING)
@pytest.mark.parametrize("who", ["guest", "member"])
def test_somebody_goes_while_a_newcomer_is_to_be_seated(phase, who):
    """If a newcomer or a member vanishes while the newcomer is being seated, the others play on.

    If the member vanishes, the newcomer still gets a seat.
    """
    table = late_table(rounds=2, seats=3)
    zoe, (ann, ben, cy) = come_late(table), table.sitters[:3]
    table.run(lambda: zoe.state.phase is phase and ann.state.table is not None)
    victim = zoe if who == "guest" else ben
    kill(table, victim)
    end_whole(table)
    state = cy.state
    here = {state.name_of(seat) for seat in state.present}
    assert here == {"Ann", "Ben", "Cy", "Zoe"} - {victim.name}


# ---- partitions ------------------------------------------------------------------------------


def test_who_has_played_on_alone_takes_it_back():
    """Two of five players who have played on alone undo their turns when they meet the others.

    The other three, a majority, have gone on without them.
    """
    table = table_of(5, (*MINUTE, "latecomers=watch"), seed=1)
    mover = in_turn(table)
    state = mover.state
    order = sorted(table.sitters, key=lambda each: state.seat_of(each.key))
    at = order.index(mover)
    two = [order[at], order[(at + 1) % 5]]
    three = [each for each in order if each not in two]
    apart(table, two, three)
    table.run(lambda: all(each.state.step > state.step + 1 for each in two))
    table.run(lambda: all(len(gone(each)) == 2 for each in three), 200)
    assert not any(gone(each) for each in two)
    heal(table, two, three)
    end_whole(table)
    for each in two:
        assert len(each.told_of(notices.MovesUndone)) == 1
        assert len(each.ledger.void) >= 2
    assert not any(each.told_of(notices.MovesUndone) for each in three)
