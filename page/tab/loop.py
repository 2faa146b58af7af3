"""Runs trio as the guest of a browser tab's loop, where it can wait only for time to pass.

trio asks its platform for three things: the sockets that are ready, a thread in which to wait for
them, and a pair of sockets for waking another thread. A tab has no sockets and only one thread. So
no socket is ever ready, trio waits by a timer of the host's loop, and waking it means running its
next tick early. python-trio/trio#3311 asks trio for a way to do this. Until there is one, this
module replaces private parts of trio, and `page/wheels.txt` pins a version to which they fit.
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
"""After a tick of trio that took this long, everything else that is due runs before the next."""
_YIELDED_S: Final = 0.001
_LATEST_S: Final = 86_400.0
"""The longest timer to set; browsers accept none longer than about 24 days."""


class Wakeup:
    """A stand-in for trio's `WakeupSocketpair`: one task waits until another wakes it."""

    def __init__(self) -> None:
        self._waits: Any = None
        self._is_woken = False

    def wakeup_thread_and_signal_safe(self) -> None:
        """Wake the waiting task; if none is waiting, the next `wait_woken` returns at once."""
        self._is_woken = True
        if self._waits is not None:
            import trio.lowlevel

            waits, self._waits = self._waits, None
            trio.lowlevel.reschedule(waits)

    async def wait_woken(self) -> None:
        """Wait until another task wakes this one; return at once if it has already done so."""
        import trio.lowlevel

        if not self._is_woken:
            self._waits = trio.lowlevel.current_task()

            def abort(_: object) -> trio.lowlevel.Abort:
                self._waits = None
                return trio.lowlevel.Abort.SUCCEEDED

            await trio.lowlevel.wait_task_rescheduled(abort)
        self._is_woken = False

    def drain(self) -> None:
        """Forget any wake-up for which no task has waited yet."""
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
        """Return None: there is nothing to count."""
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def force_wakeup(self) -> None:
        """Have the next tick run as soon as possible."""
        self.wake()

    def get_events(self, _timeout: float) -> tuple[()]:
        """Return no events: nothing is ready."""
        return ()

    def process_events(self, _events: object) -> None:
        """Do nothing: there were no events."""


_managers: Final[WeakSet[NoSockets]] = WeakSet()


def stir() -> None:
    """Have trio check its clock now, because timers may be late in a tab that has slept."""
    for manager in tuple(_managers):
        manager.force_wakeup()


def prepare() -> None:
    """Change Python's modules and parts of trio so that trio can run in a tab.

    Call this from a task of the host's loop, before anything imports trio.
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
    """Run one tick of trio, and have the host's loop run the next one when it is due.

    This replaces a method of trio, which would wait for sockets in a thread.
    """
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
