"""The page around the program, as Python sees it; the page itself is written in TypeScript.

`page/frame/page.ts` implements `Page`, and registers it as the module `boneyard_page`.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol


class Socket(Protocol):
    """A WebSocket that `Page.open` has opened."""

    def send(self, octets: bytes, /) -> None:
        """Send these octets."""

    def close(self) -> None:
        """Close the WebSocket."""

    def waiting(self) -> int:
        """Return the number of octets that have not been sent yet."""


class Page(Protocol):
    """The page around the program."""

    def write(self, text: str, /) -> None:
        """Write text to the terminal, which also obeys control sequences in it."""

    def columns(self) -> int:
        """Return the width of the terminal in columns."""

    def rows(self) -> int:
        """Return the height of the terminal in rows."""

    def listen(
        self,
        typed: Callable[[str], None],
        resized: Callable[[], None],
        woken: Callable[[], None],
        dropped: Callable[[str, Any], None],
        /,
    ) -> None:
        """Show the terminal, and call these functions from now on.

        `typed` is called with each text typed, `resized` for each new size of the terminal, `woken`
        when the tab may have slept, and `dropped` with the name and octets of each file dropped.
        """

    def prompt(self, text: str, /) -> None:
        """Show this text, which is typed at the program's prompt, in the page's own input line."""

    def hear(self, sentence: str, /) -> None:
        """Have a screen reader read this sentence."""

    def options(self) -> Any:  # noqa: ANN401 - a proxy of JavaScript
        """Return the facts that the page was opened with.

        `code`: the join code; empty if there is none. `host`: the address that serves the page.
        `isServed`: true if a table serves it. `isFile`: true if it was opened from a file.
        `language`: its code of two letters.
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
        """Open a WebSocket to the server of the page, or to `where` if the page is a file.

        `where` is an address; it is empty for a served page. `opened` is called once the socket is
        open, `came` with the octets of each message, and `ended` when the socket closes or fails.
        """

    def kept(self) -> Awaitable[Any]:
        """Return a promise of the stored pieces, in order: each is a path, an offset and octets."""

    def keep(self, changed: Any, /) -> Awaitable[None]:  # noqa: ANN401
        """Make changes durable, all or none; this fails if another tab has the lease.

        Each is a path, an offset and octets. None instead of octets removes all from the offset on.
        """


def the_page() -> Page:
    """Return the page in which this program runs; only a tab has one."""
    import boneyard_page

    page: Page = boneyard_page
    return page
