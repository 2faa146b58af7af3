"""The page as the program sees it: the one door to JavaScript.

`page/frame/page.ts` makes the object behind `Page`, and hands it over as the module
`boneyard_page`.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol


class Socket(Protocol):
    """A WebSocket to the server of the page."""

    def send(self, octets: bytes, /) -> None:
        """Send these octets."""

    def close(self) -> None:
        """Close the WebSocket."""

    def waiting(self) -> int:
        """Return the number of octets that have not been sent yet."""


class Page(Protocol):
    """The page around the program."""

    def write(self, text: str, /) -> None:
        """Draw text at the terminal."""

    def columns(self) -> int:
        """Return the number of the terminal's columns."""

    def rows(self) -> int:
        """Return the number of the terminal's rows."""

    def listen(
        self,
        typed: Callable[[str], None],
        resized: Callable[[], None],
        woken: Callable[[], None],
        dropped: Callable[[str, Any], None],
        /,
    ) -> None:
        """Hand over keys, new sizes and dropped files from now on, and show the terminal.

        `woken` is called when the tab may have slept.
        """

    def prompt(self, text: str, /) -> None:
        """Show in the page's own line the text now typed at the program's prompt."""

    def hear(self, sentence: str, /) -> None:
        """Hand a sentence to a screen reader."""

    def options(self) -> Any:  # noqa: ANN401 - a proxy of JavaScript
        """Return the facts that the page was opened with.

        `code`: the join code, or empty. `host`: the address that serves the page. `isServed`: true
        if a table serves it. `isFile`: true if it was opened from a file. `language`: two letters.
        """

    def is_online(self) -> bool:
        """Return True if the browser says that its computer has a network."""

    def open(
        self,
        where: str,
        opened: Callable[[], None],
        came: Callable[[Any], None],
        ended: Callable[[], None],
        /,
    ) -> Socket:
        """Open a socket to the server of the page, or to `where` if the page is a file.

        `where` is an address; it is empty for a served page.
        """

    def kept(self) -> Awaitable[Any]:
        """Return everything in the store: path, offset and octets of each piece, in order."""

    def keep(self, changed: Any, /) -> Awaitable[None]:  # noqa: ANN401
        """Make changes durable, all or none; fails if another tab has the lease."""


def the_page() -> Page:
    """Return the page that this program runs in."""
    import boneyard_page

    page: Page = boneyard_page
    return page
