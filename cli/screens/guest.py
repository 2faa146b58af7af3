"""The loop at a terminal: asyncio hosts, trio runs as its guest in the same thread.

prompt-toolkit lives in asyncio, everything else in trio; as both run in one thread, nothing here
needs a lock.
"""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import trio

from cli.exits import ExitCode
from cli.session.frontend import FrontEnd


class HostedFront(FrontEnd, Protocol):
    """A front end whose keys and drawings belong to asyncio, and all else to trio."""

    token: trio.lowlevel.TrioToken | None
    scope: trio.CancelScope

    def interrupt(self) -> None:
        """End the loop at once."""

    async def read_lines(self) -> None:
        """Read keys until it is closed."""

    async def print_lines(self) -> None:
        """Print until it is closed."""

    def close(self) -> None:
        """Read and print no more."""


def in_trio(token: trio.lowlevel.TrioToken | None, call: Callable[[], None]) -> None:
    """Have trio call something, from a key; nothing happens once the loop has ended."""
    if token is not None:
        with contextlib.suppress(trio.RunFinishedError):
            token.run_sync_soon(call)


F = TypeVar("F", bound=HostedFront)


def run_terminal(make: Callable[[], F], main: Callable[[F], Awaitable[ExitCode]]) -> ExitCode:
    """Run the loop at the front end that is made for it; asyncio hosts it.

    After it Ctrl-C interrupts, as before.
    """
    try:
        return asyncio.run(_host(make, main))
    finally:  # prompt-toolkit puts a handler back that does nothing
        signal.signal(signal.SIGINT, signal.default_int_handler)


async def _host(make: Callable[[], F], main: Callable[[F], Awaitable[ExitCode]]) -> ExitCode:
    loop = asyncio.get_running_loop()
    front = make()
    outcome: asyncio.Future[object] = loop.create_future()

    async def guest() -> ExitCode:
        front.token = trio.lowlevel.current_trio_token()
        with front.scope:
            return await main(front)
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        # where a loop has no signal handlers, prompt-toolkit's own keys still work
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, front.interrupt)
    trio.lowlevel.start_guest_run(
        guest,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=outcome.set_result,
        host_uses_signal_set_wakeup_fd=True,
        restrict_keyboard_interrupt_to_checkpoints=True,
    )
    tasks = [asyncio.create_task(front.read_lines()), asyncio.create_task(front.print_lines())]
    try:
        waited: list[asyncio.Future[object]] = [outcome, *tasks]  # type: ignore[list-item]
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done() and task.exception() is not None:
                front.interrupt()
        result = await outcome
    finally:
        front.close()
        await asyncio.gather(*tasks)
    return result.unwrap()  # type: ignore[attr-defined, no-any-return]
