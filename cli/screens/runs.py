"""A program that is to run at a screen: by itself, or awaited by whoever has a loop already."""

from collections.abc import Awaitable, Callable
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, assert_never

from cli.exits import ExitCode
from cli.streams import who_hears


class Screen(Enum):
    """The kinds of front end. Each is imported when it is asked for."""

    TERMINAL = "terminal"
    WALL = "wall"
    PLAIN = "plain"
    JSON = "json"


class AtScreen(NamedTuple):
    """A program that is to run, and the screen for it."""

    screen: Screen
    main: Callable[[Any], Awaitable[ExitCode]]
    """Takes the front end."""

    def run(self) -> ExitCode:
        """Run it to its end, and return its exit code; raises as `run_terminal` or `run_trio`."""
        from cli.screens.ending import run_trio

        match self.screen:
            case Screen.TERMINAL | Screen.WALL:
                from cli.screens.guest import run_terminal

                return run_terminal(self._hosted(), self.main)
            case Screen.PLAIN | Screen.JSON:
                front = self._lines()
                return run_trio(partial(self.main, front), front.ending)
            case _:
                assert_never(self.screen)

    async def here(self) -> ExitCode:
        """Run it in the asyncio loop that awaits this; else as `run`.

        What is drawn goes to the terminal that the caller has given to prompt-toolkit's
        `create_app_session`, and what is printed to the caller's `STREAMS`.
        """
        from cli.screens.guest import host_lines, host_terminal

        match self.screen:
            case Screen.TERMINAL | Screen.WALL:
                return await host_terminal(self._hosted(), self.main)
            case Screen.PLAIN | Screen.JSON:
                front = self._lines()
                return await host_lines(partial(self.main, front), front.ending)
            case _:
                assert_never(self.screen)

    def _hosted(self) -> Callable[[], Any]:
        """Return what makes the front end; it is heard, too, where somebody hears what is said."""
        made, hears = self._drawn(), who_hears()
        if hears is None:
            return made
        from cli.screens.heard import HeardFront

        return lambda: HeardFront(made(), hears)

    def _drawn(self) -> Callable[[], Any]:
        if self.screen is Screen.WALL:
            from cli.screens.wall import WallFront

            return WallFront
        from cli.screens.terminal import TerminalFront

        return TerminalFront

    def _lines(self) -> Any:  # noqa: ANN401 - a front end, which is imported late
        if self.screen is Screen.JSON:
            from cli.screens.json_lines import JsonFront

            return JsonFront()
        from cli.screens.plain import PlainFront

        return PlainFront()
