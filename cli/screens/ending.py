"""Ending a run in trio from outside, because the system or a key asks for it.

request      while somebody sits at a table     elsewhere
first        leave it, as `quit` answered yes   end at once
second       end at once                        end at once
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

import trio

from cli.exits import ExitCode
from cli.signals import listening
from cli.streams import drop_closed_terminal
from netgame.io import clock

T = TypeVar("T")

_ONE_HANGUP_S: Final = 1.0
"""Several SIGHUP within this time count as one.

When a window closes, its shell sends one to the program, and the system sends another when the
shell has ended.
"""


class RunEnding:
    """The end of one run; `leave` makes the session leave its table, and is None without a table.

    If the end is asked for before the run begins, the run ends as soon as it begins; after the run,
    nothing happens.
    """

    def __init__(self) -> None:
        self.leave: Callable[[], None] | None = None
        self._asked: ExitCode | None = None
        self._asked_at = 0.0
        self._token: trio.lowlevel.TrioToken | None = None
        self._scope = trio.CancelScope()

    async def run(self, main: Callable[[], Awaitable[T]]) -> T:
        """Run `main` and return its result.

        Raise `SystemExit` with the code if an end was asked for, and `KeyboardInterrupt` if `cut`
        ended the run without such a request.
        """
        self._token = trio.lowlevel.current_trio_token()
        with self._scope:
            if self._asked is None:
                result = await main()
        if self._asked is not None:
            raise SystemExit(self._asked)
        if self._scope.cancelled_caught:
            raise KeyboardInterrupt
        return result

    @property
    def is_asked(self) -> bool:
        """True once an end has been asked for."""
        return self._asked is not None

    def ask(self, code: ExitCode) -> None:
        """Ask for the end with this code; a second request ends the run at once.

        The code of the first request is kept. A hang-up within a second of the first request does
        not count. Call this in the main thread, at any time. It also stops all writing to a closed
        terminal.
        """
        if self._asked is None:
            self._asked, self._asked_at = code, clock.seconds()
            self.call(self._leave)
        elif code is not ExitCode.HUNG_UP or clock.seconds() > self._asked_at + _ONE_HANGUP_S:
            self.cut()
        drop_closed_terminal()

    def cut(self) -> None:
        """End the run at once, whatever it is waiting for; do nothing unless it is running."""
        self.call(self._scope.cancel)

    def call(self, call: Callable[[], None]) -> None:
        """Have the trio loop call `call` soon; do nothing unless it is running."""
        if self._token is not None:
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(call)

    def _leave(self) -> None:
        (self.leave or self._scope.cancel)()


def run_trio(main: Callable[[], Awaitable[T]], ending: RunEnding | None = None) -> T:
    """Run `main` in trio and return its result; raise its exceptions and those of `RunEnding`."""
    ending = ending or RunEnding()
    with listening(ending.ask):
        return trio.run(ending.run, main)
