"""The page for browsers beside a table: served where this install has one, else done without."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct

from netgame.errors import NetgameError
from netgame.io.network.listen import LOOPBACK
from netgame.io.tables.options import ReachedBy
from netgame.io.work import apart

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from netgame.io.network.streams import Listener
    from netgame.io.node.node import Node
    from netgame.io.page.place import PagePlace
    from netgame.io.page.serving import PageDoor


class PageBeside(Struct, eq=False):
    """The page beside one table, or the lack of one."""

    door: PageDoor | None = None
    """None where no page is served."""
    trouble: str = ""
    """Why not, where one should be."""

    @property
    def listeners(self) -> Sequence[Listener]:
        """Where streams of browsers come from."""
        return () if self.door is None else (self.door.listener,)

    def show(self, node: Node) -> None:
        """Let the person at this node know of the page, or of the trouble with it."""
        node.page = self.door
        if self.door is not None:
            self.door.is_open = lambda: node.door.anybody
        if self.trouble:
            node.tell_trouble(self.trouble)


@asynccontextmanager
async def page_beside(
    reach: ReachedBy, *, wanted: bool | None, place: PagePlace | None = None
) -> AsyncIterator[PageBeside]:
    """Serve the page within the block, if this install has one and it is `wanted`.

    With None it is wanted where the network reaches the seat. `place` is where it was served before
    to the same company. Trouble with it keeps nobody from the table, and is not raised.
    """
    beside = PageBeside()
    async with AsyncExitStack() as stack:
        match reach:
            case ReachedBy.NETWORK if wanted is not False:
                await _serve(beside, None, place, stack)
            case ReachedBy.COMPUTER if wanted:
                await _serve(beside, LOOPBACK, place, stack)
            case ReachedBy.NETWORK | ReachedBy.COMPUTER | ReachedBy.PROGRAM:
                pass
            case _:
                assert_never(reach)
        yield beside


async def _serve(
    beside: PageBeside, host: str | None, place: PagePlace | None, stack: AsyncExitStack
) -> None:
    """Serve the page, if there is one, until the stack is closed; note what comes of it."""
    from netgame.io.page.built import find_page, read_page

    folder = find_page()
    if folder is None:
        return
    from netgame.io.page.serving import page_door

    try:
        page = await apart(partial(read_page, folder))
        beside.door = await stack.enter_async_context(page_door(page, host, place))
    except NetgameError as trouble:
        beside.trouble = str(trouble)
