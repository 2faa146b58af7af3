"""Opening a table: the host's seat, its door, and its bots.

Bots are peers like any other, in the process of the host. They reach the host, and each other, by
streams in memory. They need no port, because they dial the guests.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio
from msgspec import structs

from engine.bots.levels import BotLevel
from engine.refusals import Refusal
from netgame.io.disk.identity import Identity, load_or_create
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.storage import STORAGE, inside
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.codes import draw_code, parse_code
from netgame.io.entropy import fresh_octets
from netgame.io.node.node import Node
from netgame.io.node.opening import open_node
from netgame.io.tables import seat
from netgame.io.tables.announce import announce
from netgame.io.tables.arrival import meet_guests, tell_damage
from netgame.io.tables.bot import play_seat
from netgame.io.tables.notes import leave_for_good, note_down, read_notes
from netgame.io.tables.options import HostOptions, Randomness, ReachedBy, SeatOptions
from netgame.io.tables.page import page_beside
from netgame.io.tasks import unwrapped
from netgame.io.work import apart
from netgame.protocol.notices import Trouble
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.view import TableStage
from netgame.protocol.state.options import is_open
from netgame.wire.messages import PlayedBy

BOT_NAMES: Final = (
    "Ada", "Bix", "Cleo", "Dot", "Edo", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Max",
)  # fmt: skip
"""Enough for every other seat of the largest table; the lobby numbers a name that is taken."""

_BOTS: Final = "bots"


@asynccontextmanager
async def host_table(options: HostOptions) -> AsyncIterator[Node]:
    """Open a table with its bots and sit at it within the block.

    Raises on entry `DiskTrouble`, `PortTrouble`, and `Malformed` for a bad code. Any later trouble
    is a notice. After the block, the bots' files are removed if the node is `finished`.
    """
    randomness = Randomness(options.seed)
    data = seat.data_folder(options)
    secret = randomness.secret("host")
    notes = seat.notes_of(options)
    if randomness.is_fixed:
        # A demonstration comes out the same on every computer: its key comes from the seed, and
        # its table, which always has the same id, gets a new folder each time.
        identity = Identity(randomness.secret("identity"))
        notes["ended"] = "demonstration"
    else:
        identity = load_or_create(data.path)
    entropy = randomness.same("host")
    core = Core(
        identity, options.name, entropy, secret, (), played_by=seat.played_here()
    ).open_table(
        entropy(32),
        options.settings,
        seated=options.seated,
        start_at=options.start_at,
        lead=options.lead,
        kicked=options.kicked,
    )
    known = KnownPeers(data.path)
    door = _door_of(options, known)
    listen = seat.listen_of(options)
    folder = partial(data.open_table, secret=secret, is_new=randomness.is_fixed)
    with unwrapped():
        async with (
            page_beside(options.reach, wanted=options.page, place=options.page_place) as page,
            open_node(
                core, identity, folder, listen, randomness.aliases, door, listeners=page.listeners
            ) as node,
            seat.at_table(node, options, notes, randomness.source("choices")) as nursery,
        ):
            page.show(node)
            tell_damage(node, known)
            nursery.start_soon(meet_guests, node, known)
            for number, level in enumerate(options.bots):
                name = bot_name(node, number, options.bot_names)
                await nursery.start(sit_bot, node, randomness, number, level, name, options)
            if options.announce and options.reach is ReachedBy.NETWORK:
                nursery.start_soon(announce, node)
            yield node
    await forget_bots(node)


def bot_folders(table: Path) -> list[Path]:
    """Return the data folders of a host's bots at a table, sorted; empty if it has none."""
    return [*inside(table / _BOTS)]


async def forget_bots(host: Node) -> None:
    """Remove the files of the bots of a finished game; nobody resumes it.

    Nothing is lost, because each bot's record is a copy of the host's. Does nothing before the host
    is `finished`; files that cannot be removed stay.
    """
    if host.finished.is_set() and host.folder is not None:
        folder = host.folder.path / _BOTS
        with suppress(OSError):
            await apart(partial(STORAGE.get().remove, folder))


def _door_of(options: HostOptions, known: KnownPeers) -> Door:
    """Return the door of a new table; raises `Malformed` for a bad code, and `DiskTrouble`."""
    door = Door(blocked=set(options.blocked))
    door.known = known.trusted()
    if is_open(options.settings):
        door.anybody = True
        return door
    door.code = parse_code(options.code) if options.code else draw_code()
    door.by_code = dict(options.by_code)
    door.allowed = set(options.allowed)
    return door


async def sit_bot(
    host: Node,
    randomness: Randomness,
    number: int,
    level: BotLevel,
    name: str,
    options: HostOptions,
    task_status: trio.TaskStatus[None],
) -> None:
    """Run one bot at the host's table; report `started` once it sits or the lobby has closed.

    Returns only if its move was refused and it has left; otherwise it runs until cancelled. The
    host's door knows its key, and `host.bots` contains it while it plays. Errors are as for
    `open_node` and `dial.race`.
    """
    assert host.folder is not None, "a host opens its folder when it opens its table"
    data = DataFolder(host.folder.path / _BOTS / str(number))
    identity = load_or_create(data.path, randomness.secret("bot identity", number))
    secret = randomness.secret("bot", number)
    host.door.known |= {identity.public}
    core = Core(identity, name, randomness.same("bot", number), secret, (), played_by=PlayedBy.BOT)
    core.look_for_table(host=host.key)
    folder = partial(data.open_table, secret=secret)
    aliases, beside = randomness.aliases, host.pool.beside
    async with open_node(core, identity, folder, None, aliases, beside=beside) as node:
        await node.pool.connect((), host.key)
        await node.until(lambda view: view.stage is not TableStage.LOBBY or view.sits)
        await note_down(node, level=level.value)
        task_status.started()
        choices = randomness.source("bot choices", number)
        play = partial(
            play_seat,
            node,
            level,
            choices,
            options.pause_s,
            may_move=options.may_move,
            repeats=randomness.is_fixed,
        )
        await _play_on(node, host, play)


def bot_name(host: Node, number: int, wanted: Sequence[str] = ()) -> str:
    """Return the `wanted` name for the bot of this number, or another one if that is taken.

    The names wanted for later bots count as taken. If all names are taken, return the first choice.
    """
    sit = (info.name for info in host.view().seats)
    taken = {name.casefold() for name in (*sit, *wanted[number + 1 :])}
    at = number % len(BOT_NAMES)
    names = (*wanted[number : number + 1], *BOT_NAMES[at:], *BOT_NAMES[:at])
    return next((name for name in names if name.casefold() not in taken), names[0])


async def resume_bot(
    data: DataFolder, host: Node, pause_s: float, task_status: trio.TaskStatus[None]
) -> None:
    """Run a bot again at a table that its host has resumed; report `started` once its node runs.

    Returns at once if the bot has no table to come back to, otherwise as `sit_bot` does. Raises
    `DiskTrouble` and `PortTrouble`.
    """
    identity = load_or_create(data.path)
    options = SeatOptions(name="bot", reach=ReachedBy.PROGRAM)
    tables = data.tables()
    if not tables:
        task_status.started()
        return
    folder = TableFolder(tables[0])
    level = read_notes(folder.path).bot_level
    core = seat.restore_core(folder, identity, options.name, PlayedBy.BOT)
    beside = host.pool.beside
    async with seat.reopen_node(core, identity, folder, options, beside=beside) as node:
        task_status.started()
        play = partial(play_seat, node, level, fresh_octets, pause_s)
        await _play_on(node, host, play)


async def _play_on(node: Node, host: Node, play: Callable[[], Awaitable[Refusal | None]]) -> None:
    """Have a bot play and then, until cancelled, stay for peers that have not seen the end.

    Returns only if a move was refused: then the bot leaves, because all would wait for it. Nobody
    reads a bot's notices, so the host's player is told of its troubles.
    """

    async def play_out() -> None:
        if await play() is not None:
            host.bots.remove(node)
            await leave_for_good(node)
            await node.say_goodbye()
            nursery.cancel_scope.cancel()

    host.bots.append(node)
    # A bot that gives out seats decides as its host would.
    node.parts.chair.knows = host.door.knows
    node.parts.chair.convicted = host.parts.chair.convicted
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_out)
        async for notice in node.notices:
            if isinstance(notice, Trouble):
                host.tell(structs.replace(notice, of_bot=True))
