"""A clock that reminds its player, and nobody else, of a long turn."""

import trio

from cli.scene import forced_move
from cli.session.turn_clock import TurnClock
from tests.cli.fakes import FakeNode
from tests.cli.scenes import scene_after, some_scenes


class Thinker(FakeNode):
    """A fake node whose view can change, and also a screen that keeps the reminders."""

    def __init__(self, scene):
        super().__init__(scene)
        self.changed = trio.Event()
        self.told = []

    def when_changed(self):
        """Return the event that is set at the next change of the view."""
        return self.changed

    def change(self, **facts):
        """Change the view, and set the event of that change."""
        self.facts |= facts
        self.changed.set()
        self.changed = trio.Event()

    def thinking(self, seconds, *, first=False):
        """Keep a reminder: the seconds, or None at the end, and whether it is the first."""
        self.told.append((seconds, first))


async def test_a_long_turn_is_told_once_loudly_and_then_counted(nursery, autojump_clock):
    """A long turn is announced once and then counted until it ends; a quick turn is not."""
    seat = Thinker(scene_after(12, 4, 43))
    nursery.start_soon(TurnClock(seat, seat, 60, ticks=True).watch)
    await trio.sleep(71)
    seat.change(can_move=False)
    await trio.sleep(500)
    assert seat.told == [(60, True), (65, False), (70, False), (None, False)]
    seat.told.clear()
    seat.change(can_move=True, step=8)
    await trio.sleep(50)
    seat.change(step=9)
    await trio.sleep(50)
    seat.change(can_move=False)
    await trio.sleep(500)
    assert seat.told == [(None, False), (None, False)]


async def test_without_ticks_it_is_told_once(nursery, autojump_clock):
    """Without ticks, as with reduced motion, a long turn is announced once and not counted."""
    seat = Thinker(scene_after(12, 4, 43))
    nursery.start_soon(TurnClock(seat, seat, 60, ticks=False).watch)
    await trio.sleep(600)
    assert seat.told == [(60, True)]


async def test_a_turn_with_nothing_to_choose_is_not_timed(nursery, autojump_clock):
    """A turn whose only possible move the program makes by itself is not timed."""
    forced = next(scene for scene in some_scenes() if forced_move(scene) is not None)
    seat = Thinker(forced)
    nursery.start_soon(TurnClock(seat, seat, 60, ticks=True).watch)
    await trio.sleep(600)
    assert seat.told == []
