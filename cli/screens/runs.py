"""A program to run at a screen: by itself, or inside an asyncio loop that runs already."""

from collections.abc import Awaitable, Callable
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, assert_never

from cli.exits import ExitCode
from cli.streams import who_hears


class Screen(Enum):
    """The kinds of front end; each is imported only when needed."""

    TERMINAL = "terminal"
    WALL = "wall"
    PLAIN = "plain"
    JSON = "json"


class AtScreen(NamedTuple):
    """A program to run, and its screen."""

    screen: Screen
    main: Callable[[Any], Awaitable[ExitCode]]
    """Takes the front end."""

    def run(self) -> ExitCode:
        """Run the program to its end, and return its exit code.

        Raise what `run_terminal` or `run_trio` raises.
        """
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
        """Run the program like `run`, but in the asyncio loop that awaits this.

        It draws on the terminal that the caller has given to prompt-toolkit's `create_app_session`,
        and prints to the caller's `STREAMS`.
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
        """Return a factory for the front end, a `HeardFront` if a screen reader listens."""
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
