"""The loop at a terminal: asyncio hosts, trio runs as its guest in the same thread.

prompt-toolkit runs in asyncio, and everything else in trio. Both run in one thread, so nothing here
needs a lock.
"""

import asyncio
import contextlib
import math
import signal
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.output import create_output

from cli.exits import ExitCode
from cli.render.status import leaving_text
from cli.scene import CompletionContext, LobbyScene
from cli.screens.ending import RunEnding
from cli.session.frontend import LEAVE, FrontEnd
from cli.signals import listening
from cli.streams import who_hears
from cli.visible import open_door

L = TypeVar("L")


class TrioSide(Generic[L]):
    """The trio loop as the code in asyncio sees it: it takes lines, and can be ended.

    Lines and interrupts are lost before the loop runs and after it has ended.
    """

    def __init__(self) -> None:
        self.ending = RunEnding()
        self._typed, self._lines = trio.open_memory_channel[L](math.inf)

    def push(self, line: L) -> None:
        """Hand a line to `next_line`; it is lost unless the loop is running."""
        self.ending.call(partial(self._typed.send_nowait, line))

    def interrupt(self) -> None:
        """End the loop at once, whatever it is waiting for; do nothing unless it is running."""
        self.ending.cut()

    async def next_line(self) -> L:
        """Return the next line, in the order of the pushes; wait for one if there is none."""
        return await self._lines.receive()


class CtrlC:
    """A counter of Ctrl-C presses in a row: the second leaves, and in a lobby tells the others.

    The front end resets `presses` to 0 when the person does something else.
    """

    def __init__(self, push: Callable[[str], None], interrupt: Callable[[], None]) -> None:
        self._push, self._interrupt = push, interrupt
        self.presses = 0

    def press(self, place: CompletionContext, *, resumable: bool) -> str:
        """Count a press: the first returns a warning; later ones leave, and return "".

        The warning says what the next press does; a screen reader gets it, too. The second press in
        a lobby types `LEAVE`, so that the others hear of it. Any other press after the first ends
        the loop at once.
        """
        self.presses += 1
        if self.presses == 1:
            text = leaving_text(place, resumable=resumable)
            if (hears := who_hears()) is not None:
                hears(text)  # the screen's own key says this, which bypasses `HeardFront`
            return text
        if self.presses == 2 and isinstance(place, LobbyScene):
            self._push(LEAVE)
        else:
            self._interrupt()
        return ""


class HostedFront(FrontEnd, Protocol):
    """A front end whose keys and drawings run in asyncio, and everything else in trio's `loop`."""

    loop: TrioSide[Any]

    async def read_lines(self) -> None:
        """Read keys until the front end is closed."""

    async def print_lines(self) -> None:
        """Print until the front end is closed."""

    def close(self) -> None:
        """End `read_lines` now, and `print_lines` once it has printed the rest."""


F = TypeVar("F", bound=HostedFront)


def run_terminal(make: Callable[[], F], main: Callable[[F], Awaitable[ExitCode]]) -> ExitCode:
    """Run `main` in trio at the front end that `make` returns, and return the exit code of `main`.

    asyncio hosts trio. The front end draws on standard output. Raise `KeyboardInterrupt` if SIGINT
    or a key ends the run, and `SystemExit` if the system asks for the end. Also raise any exception
    of `main` or the front end. Afterwards Ctrl-C interrupts the program as before.
    """
    with create_app_session(output=create_output(stdout=open_door())):
        return asyncio.run(host_terminal(make, main))


async def host_terminal(
    make: Callable[[], F], main: Callable[[F], Awaitable[ExitCode]]
) -> ExitCode:
    """Run `main` like `run_terminal`, in the asyncio loop that awaits this.

    Keys come from, and drawings go to, the input and output that the caller has given to
    prompt-toolkit's `create_app_session`. Only one such run is possible in a thread at a time,
    because a thread can have only one trio loop.
    """
    front = make()
    with _hosted(front.loop.ending):
        guest = _as_guest(partial(front.loop.ending.run, partial(main, front)))
        tasks = [asyncio.create_task(front.read_lines()), asyncio.create_task(front.print_lines())]
        try:
            waited: list[asyncio.Future[object]] = [guest, *tasks]  # type: ignore[list-item]
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done() and task.exception() is not None:
                    front.loop.interrupt()
            result = await guest
        finally:
            front.close()
            await asyncio.gather(*tasks)
        return result.unwrap()  # type: ignore[attr-defined, no-any-return]


async def host_lines(main: Callable[[], Awaitable[ExitCode]], ending: RunEnding) -> ExitCode:
    """Run `main` with its `ending`, like `run_trio`, in the asyncio loop that awaits this."""
    with _hosted(ending):
        result = await _as_guest(partial(ending.run, main))
    return result.unwrap()  # type: ignore[attr-defined, no-any-return]


@contextlib.contextmanager
def _hosted(ending: RunEnding) -> Iterator[None]:
    """Within the block, let SIGINT cut the run, and let other signals ask for its end.

    On a loop without signal handlers, SIGINT is left alone.
    """
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)
    # where a loop has no signal handlers, prompt-toolkit's own keys still work
    with contextlib.suppress(NotImplementedError):
        # this also wakes the loop for all other signals, such as those of `cli.signals`
        loop.add_signal_handler(signal.SIGINT, ending.cut)
    try:
        with listening(ending.ask):
            yield
    finally:
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)
        # prompt-toolkit restores a handler that does nothing
        with contextlib.suppress(ValueError):  # outside the main thread
            signal.signal(signal.SIGINT, before)


def _as_guest(main: Callable[[], Awaitable[object]]) -> asyncio.Future[object]:
    """Start `main` in trio, as a guest of the running loop; return a future for its outcome."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[object] = loop.create_future()
    trio.lowlevel.start_guest_run(
        main,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=outcome.set_result,
        host_uses_signal_set_wakeup_fd=True,
        restrict_keyboard_interrupt_to_checkpoints=True,
    )
    return outcome
