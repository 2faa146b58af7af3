"""Announcing the last tile, and catching a silent player: how long a person may wait."""

from msgspec.structs import replace

from engine.play.calls import offenders
from engine.refusals import Refusal
from engine.table.events import Caught, Tapped
from engine.table.moves import Catch, Tap
from netgame.limits import CALL_S
from netgame.protocol import notices
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import until_in_play
from tests.netgame.simtable import full_table

RULES = wire.Settings("standard", ("last-tile=tap", "tap-penalty=2"), 6, 3, 1, 3)


def at_the_first_call():
    """Return a table of three people, the player who has just kept silent, and another player.

    Every log is at the step of the calls, and the silent player can be caught.
    """
    table = full_table(NAMES[:3], RULES, seed=bytes([1]) * 32, bots=True)
    for sitter in table.sitters:
        table.act(sitter, lambda parts: parts.context.attend())
    table.run(lambda: all(sitter.state.phase is Phase.CALLS for sitter in table.sitters))
    state = table.host.state
    (seat,) = offenders(state.table)
    silent = table.by_key[state.seats[seat].key]
    other = next(sitter for sitter in table.sitters if sitter is not silent)
    return table, silent, other


def call(table, sitter, move):
    """Let the person at a seat make a call, which must not be refused."""
    effects = sitter.core.act(lambda: sitter.parts.calling.say(move), table.now)
    assert not isinstance(effects, Refusal), effects
    table.do(sitter, effects)


def events(sitter, kind):
    """Return the events of one kind that this sitter read of."""
    played = (each for each in sitter.told if isinstance(each, notices.Played))
    return [event for each in played for event in each.events if isinstance(event, kind)]


def after_the_calls(table):
    """Let time pass until the step of the calls is done."""
    step = table.host.state.step
    table.run(lambda: all(sitter.state.step > step for sitter in table.sitters))


def test_a_person_is_given_a_moment_and_then_says_nothing():
    """Everybody reads that they may call; the step waits a moment for a call, and no longer."""
    table, silent, _ = at_the_first_call()
    for sitter in table.sitters:
        assert sitter.told_of(notices.MayCall)
    began = table.now
    after_the_calls(table)
    assert CALL_S - 0.1 <= table.now - began < CALL_S + 1.1
    assert not events(silent, Tapped)
    assert not events(silent, Caught)


def test_who_tells_at_once_is_in_time():
    """A player who taps at once is in time, even if another player catches at once."""
    table, silent, other = at_the_first_call()
    call(table, other, Catch(other.seat, silent.seat))
    call(table, silent, Tap(silent.seat))
    after_the_calls(table)
    assert events(other, Tapped) == [Tapped(silent.seat)]
    assert not events(other, Caught)


def test_who_keeps_silent_is_caught_and_draws():
    """A player who keeps silent and is caught draws two tiles."""
    table, silent, other = at_the_first_call()
    call(table, other, Catch(other.seat, silent.seat))
    after_the_calls(table)
    assert events(silent, Caught) == [Caught(silent.seat, other.seat, 2)]
    table.run(lambda: len(silent.view.hand.tiles) == 3)


def test_a_catch_in_a_later_step_beats_the_late_tap():
    """A catch in the next step beats the tap of a player who let a step go by."""
    table, silent, other = at_the_first_call()
    after_the_calls(table)
    assert offenders(silent.state.table) == (silent.seat,)
    call(table, silent, Tap(silent.seat))
    call(table, other, Catch(other.seat, silent.seat))
    told = Tapped(silent.seat)
    table.run(lambda: bool(events(other, Caught)) or told in events(other, Tapped))
    assert events(other, Caught)
    assert told not in events(other, Tapped)


def test_a_catch_that_waits_ends_with_its_round():
    """A catch that waits counts only in its own round, not in the next."""
    table, silent, other = at_the_first_call()
    catch, before = Catch(other.seat, silent.seat), table.host.state.table
    calling, after = other.parts.calling, replace(before, round_number=before.round_number + 1)
    for then, counts in ((before, True), (after, False)):
        assert calling.say(catch) is None
        assert (calling.answer(then, other.seat) == catch) == counts


def test_there_is_nothing_to_call_when_nobody_is_silent():
    """A call is refused while there is nothing to announce."""
    table = full_table(NAMES[:3], RULES, seed=bytes(32), bots=False)
    until_in_play(table)
    core = table.host.core
    tap = Tap(table.host.seat)
    refusal = core.act(lambda: core.parts.calling.say(tap), table.now)
    assert isinstance(refusal, Refusal)
    assert refusal.code.value == "not-allowed"


def test_a_seat_nobody_attends_tells_by_itself():
    """A program without a person taps in time when its last tile is left."""
    table, silent, other = at_the_first_call()
    silent.context.attended = False
    table.act(silent, lambda parts: None)
    after_the_calls(table)
    assert events(other, Tapped) == [Tapped(silent.seat)]


def test_a_seat_nobody_attends_catches_by_itself():
    """A program without a person catches a silent player once a turn has gone by."""
    table, silent, other = at_the_first_call()
    third = next(s for s in table.sitters if s is not silent and s is not other)
    other.context.attended = third.context.attended = False
    table.run(lambda: bool(events(silent, Caught)))
    assert events(silent, Caught)[0].seat == silent.seat
