"""The page as the program sees it: the one door to JavaScript.

`page/frame/page.ts` makes the object behind `Page`, and hands it over as the module
`boneyard_page`.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol


class Socket(Protocol):
    """A WebSocket to whoever serves the page."""

    def send(self, octets: bytes, /) -> None:
        """Send these octets."""

    def close(self) -> None:
        """Close it."""

    def waiting(self) -> int:
        """How many octets have not left yet."""


class Page(Protocol):
    """The page around the program."""

    def write(self, text: str, /) -> None:
        """Draw text at the terminal."""

    def columns(self) -> int:
        """Its columns."""

    def rows(self) -> int:
        """Its rows."""

    def listen(
        self,
        typed: Callable[[str], None],
        resized: Callable[[], None],
        woken: Callable[[], None],
        dropped: Callable[[str, Any], None],
        /,
    ) -> None:
        """Have keys, new sizes and files that are dropped onto the page handed over from now on.

        It is also told when the tab may have slept.

        The terminal is seen from now on.
        """

    def prompt(self, text: str, /) -> None:
        """Show in the page's own line what stands at the program's prompt now."""

    def hear(self, sentence: str, /) -> None:
        """Hand a sentence to a screen reader."""

    def options(self) -> Any:  # noqa: ANN401 - a proxy of JavaScript
        """The facts that the page was opened with.

        `code`: the join code, or empty. `host`: the address that serves it. `isServed`: whether
        that is a table. `isFile`: whether it was opened from one.
        `language`: two letters.
        """

    def is_online(self) -> bool:
        """Whether the browser says that its computer has a network."""

    def open(
        self,
        where: str,
        opened: Callable[[], None],
        came: Callable[[Any], None],
        ended: Callable[[], None],
        /,
    ) -> Socket:
        """Open a socket to whoever serves the page; to an address where the page is a file."""

    def kept(self) -> Awaitable[Any]:
        """Everything in the store: path, offset and octets of each piece, in order."""

    def keep(self, changed: Any, /) -> Awaitable[None]:  # noqa: ANN401
        """Make changes durable, all or none; fails where the lease is another tab's."""


def the_page() -> Page:
    """The page that this program runs in."""
    import boneyard_page

    page: Page = boneyard_page
    return page
