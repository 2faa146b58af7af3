"""trio as the guest of a browser tab's loop, where time is the only thing to wait for.

trio asks its platform for three things: the sockets that are ready, a thread in which to wait for
them, and a pair of sockets for waking another thread. A tab has no sockets and one thread. So
nothing is ever ready, and the wait is a timer of the host's loop; a wake-up brings the next tick
forward. python-trio/trio#3311 asks trio for a way to do this. Until there is
one, this module replaces private parts of trio, and `page/wheels.txt` pins the one version that
has them as expected.
"""

import asyncio
import ctypes  # noqa: F401 - it asks for the platform, which is soon another
import select
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final
from weakref import WeakSet

from netgame.io import clock

_LONG_S: Final = 0.004
"""After a tick of trio that took this long, everything else goes first."""
_YIELDED_S: Final = 0.001
_LATEST_S: Final = 86_400.0
"""The longest timer to set; a browser takes none longer than some 24 days."""


class Wakeup:
    """A stand-in for trio's `WakeupSocketpair`: one task waits in it until another wakes it."""

    def __init__(self) -> None:
        self._waits: Any = None
        self._is_woken = False

    def wakeup_thread_and_signal_safe(self) -> None:
        """Wake the task that waits, or the next one."""
        self._is_woken = True
        if self._waits is not None:
            import trio.lowlevel

            waits, self._waits = self._waits, None
            trio.lowlevel.reschedule(waits)

    async def wait_woken(self) -> None:
        """Return once this has been woken since the last call."""
        import trio.lowlevel

        if not self._is_woken:
            self._waits = trio.lowlevel.current_task()

            def abort(_: object) -> trio.lowlevel.Abort:
                self._waits = None
                return trio.lowlevel.Abort.SUCCEEDED

            await trio.lowlevel.wait_task_rescheduled(abort)
        self._is_woken = False

    def drain(self) -> None:
        """Forget that this has been woken."""
        self._is_woken = False

    def wakeup_on_signals(self) -> None:
        """Do nothing: a tab has no signals."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class NoSockets:
    """An I/O manager of trio for a place where nothing is ever ready."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = lambda: None
        """Brings the next tick forward."""
        _managers.add(self)

    def statistics(self) -> object:
        """Return None: nothing waits here."""
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def force_wakeup(self) -> None:
        """Make the next tick come now."""
        self.wake()

    def get_events(self, _timeout: float) -> tuple[()]:
        """Return no events: nothing is ready."""
        return ()

    def process_events(self, _events: object) -> None:
        """Do nothing: there were no events."""


_managers: Final[WeakSet[NoSockets]] = WeakSet()


def stir() -> None:
    """Have trio look at its clock now: a tab that has slept may be late with its timers."""
    for manager in tuple(_managers):
        manager.force_wakeup()


def prepare() -> None:
    """Change the platform so that trio can be imported and run here.

    Call this in the loop, before anything imports trio.
    """
    host: Any = asyncio.get_running_loop()
    # prompt-toolkit sets signal handlers, which a tab lacks, and the loop's slow-callback limit.
    host.add_signal_handler = host.remove_signal_handler = lambda *_: None
    host.slow_callback_duration = 0.0
    # trio looks for one of three ways to wait, and for sockets; none is used.
    select.epoll = NoSockets  # type: ignore[assignment,misc]
    select.EPOLLIN = select.EPOLLOUT = select.EPOLLONESHOT = 0  # type: ignore[misc]
    pair = ModuleType("trio._core._wakeup_socketpair")
    pair.WakeupSocketpair = Wakeup  # type: ignore[attr-defined]
    sys.modules[pair.__name__] = pair
    platform, sys.platform = sys.platform, "android"  # trio does not know tabs
    try:
        from trio._core import _run
    finally:
        sys.platform = platform
    _run.TheIOManager = NoSockets  # type: ignore[attr-defined,assignment]
    _run.GuestState.guest_tick = _tick  # type: ignore[method-assign]


def _tick(self: Any) -> None:  # noqa: ANN401 - trio's `GuestState`
    """Run one tick of trio, and set a timer for the next; trio's own tick waits in a thread."""
    from outcome import Value
    from sniffio import thread_local
    from trio import TrioInternalError

    host, began = asyncio.get_running_loop(), clock.seconds()
    before, thread_local.name = thread_local.name, "trio"
    try:
        timeout = self.unrolled_run_next_send.send(self.unrolled_run_gen)
    except StopIteration:
        self.done_callback(self.runner.main_task_outcome)
        return
    except TrioInternalError as error:
        from outcome import Error

        self.done_callback(Error(error))
        return
    finally:
        thread_local.name = before
    self.unrolled_run_next_send = Value(())
    if timeout <= 0:
        self.runner.guest_tick_scheduled = True
        if clock.seconds() - began < _LONG_S:
            host.call_soon(self.guest_tick)
        else:
            # A timer runs after everything due by now, such as a key on its way to the screen.
            host.call_later(_YIELDED_S, self.guest_tick)
        return

    def tick() -> None:
        timer.cancel()
        self.runner.io_manager.wake = lambda: None
        self.runner.guest_tick_scheduled = True
        self.guest_tick()

    def wake() -> None:
        timer.cancel()
        self.runner.io_manager.wake = lambda: None
        host.call_soon(tick)

    self.runner.guest_tick_scheduled = False
    timer = host.call_later(min(timeout, _LATEST_S), tick)
    self.runner.io_manager.wake = wake
