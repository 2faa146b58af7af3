"""The places to try for one table: the one chosen, and others that announce the same table.

An advertisement proves nothing. The host's advertisement may be out of date while its stand-in
already announces the table elsewhere. Anybody can advertise a fake twin that answers, and then
hangs up on every caller.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise

from msgspec.structs import replace

from cli.exits import sentence_about
from cli.language import say
from cli.session.frontend import FrontEnd
from netgame.errors import Disconnected, NetgameError, Refused, TimedOut
from netgame.io.discovery.advert import TableAd
from netgame.io.door.admission import WRONG_CODE
from netgame.io.node.node import Node
from netgame.io.tables.arrival import WRONG_PLACE
from netgame.io.tables.join import join_table
from netgame.io.tables.options import JoinOptions


def ways_to(where: TableAd | str) -> list[TableAd | str]:
    """Return the places to try for a table, in order: one address, or all places that announce it.

    If there are several, the first one comes again at the end, because it may only have been busy.
    A place with a different key is tried only if both announce a join code, because the code
    exposes a wrong table.
    """
    if isinstance(where, str):
        return [where]
    others = [
        each
        for each in where.others
        if each.fingerprint == where.fingerprint or (where.code_number and each.code_number)
    ]
    return [where, *others, where] if others else [where]


@asynccontextmanager
async def joined(
    front: FrontEnd, seat: JoinOptions, where: str | TableAd
) -> AsyncIterator[tuple[Node, str | TableAd]]:
    """Join a table for the duration of the block, at the first place that lets the person in.

    Yields the node and that place. Each place but the last is tried once, without waiting; after a
    failure the person reads which place is next. Raises as `join_table` does.
    """
    *ways, last = ways_to(where)
    async with AsyncExitStack() as stack:
        for way, following in pairwise([*ways, last]):
            try:
                coming = join_table(replace(seat, insists=False), way)
                node = await stack.enter_async_context(coming)
            except (Disconnected, TimedOut, Refused) as error:
                if not _may_be_elsewhere(error, front):
                    raise
                at = following if isinstance(following, str) else following.endpoints[0]
                text = "{problem} The same table is announced at {address}: trying there."
                front.say(say(text, problem=sentence_about(error), address=at))
            else:
                break
        else:
            way, node = last, await stack.enter_async_context(join_table(seat, last))
        yield node, way


def _may_be_elsewhere(error: NetgameError, front: FrontEnd) -> bool:
    """Return True if the next place should be tried after this failure.

    False for a refusal that any place would give. After a wrong code, it is True only if no person
    can be asked to type it again.
    """
    if isinstance(error, Refused):
        is_wrong = error.code == WRONG_CODE.code and not front.asks_back
        return is_wrong or error.code in WRONG_PLACE
    return True
