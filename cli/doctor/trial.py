"""The table of four that `selftest` plays: a real game, except that the program plays each seat.

Four peers run in this process and talk over loopback as they would over a network: join codes,
channels, shuffles, proofs. They write their records below the data folder, and the page for
browsers is served beside the host. A browser tab cannot listen, so there the guests are bots of the
host.
"""

from collections.abc import Iterator
from contextlib import AsyncExitStack, closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import trio
from msgspec import Struct

from engine.bots.levels import BotLevel
from engine.rules.choose import STANDARD
from netgame.io.abilities import ABILITIES
from netgame.io.clock import seconds
from netgame.io.disk.record_file import read_record
from netgame.io.disk.storage import STORAGE, disk_sentences
from netgame.io.entropy import fresh_octets
from netgame.io.network.listen import LOOPBACK
from netgame.io.node.node import Node
from netgame.io.page.built import PageDamaged, find_page, read_page
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy
from netgame.io.work import apart
from netgame.protocol import notices
from netgame.protocol.ledger.verdict import RecordVerdict
from netgame.protocol.ledger.verification import verify_record
from netgame.wire.messages import Settings

LIMIT_S: Final = 120.0
"""The most that a trial may take. A round takes some seconds, or half a minute on a slow phone."""
_FOLDER: Final = "selftest"
NAMES: Final = ("Ann", "Ben", "Cleo", "Dot")
"""The players of the table; the first one hosts it."""
_HOST, _GUESTS = NAMES[0], NAMES[1:]
_FETCH_S: Final = 10.0
_SETTINGS: Final = Settings(STANDARD, (), 6, 1 + len(_GUESTS), 1, 0)


class Trial(Struct, frozen=True):
    """The results of the table of four."""

    seconds: float
    """The time from opening the table to the end of its only round."""
    over_network: bool
    """False where this program cannot listen: then no socket was opened."""
    records: tuple[RecordVerdict, ...]
    """The verdict on each program's record, read back from the disk; the host's comes first."""
    octets: int
    """The length of the host's record."""
    page: "TrialPage | None"
    """The result for the page; None if no page is installed, or the program cannot listen."""


class TrialPage(Struct, frozen=True):
    """The page that was served beside the table."""

    octets: int
    """The compressed size of all its parts."""
    trouble: str = ""
    """The problem, in English, for a report; empty if the fetched page is the built one."""


async def play_trial(data: Path) -> Trial:
    """Play one round at a table of four, and read back its records from below `data`.

    The files of the trial are then removed. Raises `DiskTrouble`, `PortTrouble`, the
    `NetgameError` of a program that was refused, and `TooSlowError` after `LIMIT_S`.
    """
    with trio.fail_after(LIMIT_S), _folder_below(data) as folder:
        began = seconds()
        async with AsyncExitStack() as stack:
            nodes = await _seated(stack, folder)
            async with trio.open_nursery() as nursery:
                for node in nodes:
                    nursery.start_soon(_played_out, node)
                page = await _page_beside(nodes[0])
            took = seconds() - began
            places = [node.folder.path / "record" for node in nodes if node.folder is not None]
        records = [read_record(place) for place in places]
        verdicts = [await apart(partial(verify_record, each, fresh_octets)) for each in records]
        return Trial(took, len(nodes) > 1, tuple(verdicts), len(records[0]), page)


@contextmanager
def _folder_below(data: Path) -> Iterator[Path]:
    """Yield a path in `data`; remove whatever is there before the block and after it."""
    folder = data / _FOLDER
    with disk_sentences("delete", folder):
        STORAGE.get().remove(folder)
    try:
        yield folder
    finally:
        with suppress(OSError):
            STORAGE.get().remove(folder)


async def _seated(stack: AsyncExitStack, folder: Path) -> list[Node]:
    """Open the table, fill its seats, and return the nodes, the host's first; the game then begins.

    If this program cannot listen, the host's bots fill the seats, and only its node is returned.
    """
    listens = ABILITIES.get().listens
    table = HostOptions(
        name=_HOST,
        settings=_SETTINGS,
        start_at=_SETTINGS.seats,
        data_dir=folder / _HOST,
        auto=True,
        reach=ReachedBy.COMPUTER if listens else ReachedBy.PROGRAM,
        page=listens and find_page() is not None,
        bots=() if listens else (BotLevel.EASY,) * len(_GUESTS),
        bot_names=_GUESTS,
    )
    host = await stack.enter_async_context(host_table(table))
    nodes = [host]
    for name in _GUESTS if listens else ():
        seat = JoinOptions(
            name=name,
            data_dir=folder / name,
            auto=True,
            reach=ReachedBy.COMPUTER,
            code=str(host.door.code or ""),
        )
        place = f"{LOOPBACK}:{host.port}"
        nodes.append(await stack.enter_async_context(join_table(seat, place)))
    return nodes


async def _played_out(node: Node) -> None:
    """Take the notices of a program until it says that the game is over."""
    async for notice in node.notices:
        if isinstance(notice, notices.GameOver):
            return


async def _page_beside(host: Node) -> TrialPage | None:
    """Fetch the page as a browser would, and compare it with the built one.

    Return None if no page is installed, or if this program cannot listen.
    """
    folder = find_page() if ABILITIES.get().listens else None
    if folder is None:
        return None
    try:
        built = await apart(partial(read_page, folder))
    except PageDamaged as damaged:
        return TrialPage(0, str(damaged))
    if host.page is None:
        return TrialPage(0, "no port could be opened")
    size = sum(len(part.octets) for part in built.parts.values())
    address = host.page.addresses()[0]
    fetched = await apart(partial(_fetched, address))
    if isinstance(fetched, str):
        return TrialPage(size, fetched)
    return TrialPage(size, "" if fetched == built.index else "another page answers")


def _fetched(address: str) -> bytes | str:
    """Return the answer from a web server on this computer, or the reason why there is none."""
    place = urlsplit(address)
    with closing(HTTPConnection(place.hostname or "", place.port, timeout=_FETCH_S)) as server:
        try:
            server.request("GET", place.path)
            answer = server.getresponse()
            return answer.read() if answer.status == 200 else f"{answer.status} {answer.reason}"
        except (OSError, HTTPException) as error:
            return str(error)
