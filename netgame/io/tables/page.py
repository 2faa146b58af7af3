"""The page for browsers beside a table, served where this install has one.

A host's door takes the streams of its browsers. A guest serves the page when its player asks for
it, and carries the streams on to the host.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, assert_never

import trio
from msgspec import Struct

from netgame.errors import NetgameError
from netgame.io.network.listen import LOOPBACK
from netgame.io.tables.options import JoinOptions, ReachedBy
from netgame.io.tables.shown_code import show_code
from netgame.io.work import apart
from netgame.protocol.peer.effects import PeerKey
from netgame.saying import Saying

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from netgame.io.network.addresses import Address
    from netgame.io.network.streams import Listener
    from netgame.io.node.node import Node
    from netgame.io.page.place import PagePlace
    from netgame.io.page.serving import PageDoor


class PageBeside(Struct, eq=False):
    """The page that is served beside one table, if any, and any trouble with serving it."""

    door: PageDoor | None = None
    """None where no page is served."""
    trouble: Saying | None = None
    """The reason why no page is served where one should be."""

    @property
    def listeners(self) -> Sequence[Listener]:
        """The listeners that bring browsers' streams."""
        return () if self.door is None else (self.door.listener,)

    def show(self, node: Node) -> None:
        """Give the page to this node, and tell its player of any trouble with it."""
        node.page = self.door
        if self.door is not None:
            self.door.is_open = lambda: node.door.anybody
        if self.trouble is not None:
            node.tell_trouble(self.trouble)


@asynccontextmanager
async def page_beside(
    reach: ReachedBy, *, wanted: bool | None, place: PagePlace | None = None
) -> AsyncIterator[PageBeside]:
    """Serve the page within the block, if this install has one and it is `wanted`.

    If `wanted` is None, the page is served if the network reaches the seat. A seat that only this
    program reaches never has one. `place` is where the same company had the page before. Trouble
    with the page is noted in the `PageBeside`, and not raised: the table goes on without a page.
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


async def serve_as_guest(nursery: trio.Nursery, node: Node, options: JoinOptions) -> None:
    """Let this guest serve the page when its player asks for it; at once if `options.page` is True.

    It is served until `nursery` ends. The join code with which the guest came in is shown with it,
    as long as the host asks for that code.
    """
    asking = trio.Lock()

    async def serve() -> None:
        async with asking:
            if node.page is None:
                await nursery.start(_serve_onward, node, options)

    node.serve_page = serve
    if options.page:
        await serve()


async def _serve_onward(
    node: Node, options: JoinOptions, task_status: trio.TaskStatus[None]
) -> None:
    """Serve the page until cancelled, and carry the streams of its browsers to the host.

    Reports `started` once it is served. Returns if this install has none, or it cannot be served.
    """
    place = options.page_place
    async with (
        page_beside(options.reach, wanted=True, place=place) as beside,
        trio.open_nursery() as nursery,
    ):
        if beside.door is not None:
            from netgame.io.page.pipes import Pipes

            pipes = Pipes(partial(_way_to_host, node))
            beside.door.takes = pipes.takes
            nursery.start_soon(pipes.carry_all, beside.door.listener)
            if node.door.came_by is not None and not options.shown_code:
                await nursery.start(show_code, node, node.door.came_by)
        beside.show(node)
        task_status.started()


def _way_to_host(node: Node) -> tuple[Address, ...]:
    """Return the host's addresses to dial for a browser; empty without a direct link to it."""
    host = PeerKey(node.view().host_key)
    return node.pool.way_to(host, node.addresses_of(host))


async def _serve(
    beside: PageBeside, host: str | None, place: PagePlace | None, stack: AsyncExitStack
) -> None:
    """Serve the page, if this install has one, until `stack` closes.

    Its door is noted in `beside`, or the trouble if it cannot be served.
    """
    from netgame.io.page.built import find_page, read_page

    folder = find_page()
    if folder is None:
        return
    from netgame.io.page.serving import page_door

    try:
        page = await apart(partial(read_page, folder))
        beside.door = await stack.enter_async_context(page_door(page, host, place))
    except NetgameError as trouble:
        beside.trouble = trouble.said
