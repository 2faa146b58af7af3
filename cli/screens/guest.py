"""The loop at a terminal: asyncio hosts, trio runs as its guest in the same thread.

prompt-toolkit lives in asyncio, everything else in trio; as both run in one thread, nothing here
needs a lock.
"""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable

import trio

from cli.exits import ExitCode
from cli.screens.terminal import TerminalFront


def run_terminal(main: Callable[[TerminalFront], Awaitable[ExitCode]]) -> ExitCode:
    """Run the loop at a terminal; asyncio hosts it. After it Ctrl-C interrupts, as before."""
    try:
        return asyncio.run(_host(main))
    finally:  # prompt-toolkit puts a handler back that does nothing
        signal.signal(signal.SIGINT, signal.default_int_handler)


async def _host(main: Callable[[TerminalFront], Awaitable[ExitCode]]) -> ExitCode:
    loop = asyncio.get_running_loop()
    front = TerminalFront()
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
