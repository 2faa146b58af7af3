"""Keeping a table advertised as it changes: by its host, or by a member that stands in for it.

The host announces the table from the lobby to the end. A member announces it while the core says
that it stands in; its own door then lets newcomers in, with a code of its own unless the table is
open to anybody.
"""

from typing import Final

import trio

from netgame.io.discovery.advert import TableAd, TablePhase, advertise
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.node.node import Node
from netgame.io.tables.arrival import tell_damage
from netgame.protocol.notices import Announcing
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import fingerprint

_PHASES: Final[dict[TableStage, TablePhase]] = {
    TableStage.LOBBY: "lobby",
    TableStage.OVER: "over",
    TableStage.HALTED: "over",
}

_HOST: Final = "The host"
"""Replaces the name of a host without a seat."""


async def announce(node: Node) -> None:
    """Advertise the table and keep the advertisement up to date until cancelled.

    If advertising fails, tell the player and return.
    """

    def describe() -> TableAd:
        return advert_of(node.view(), node.name, node.port, node.door.number, node.key)

    await advertise(describe, node.when_changed, node.tell_trouble)


async def announce_when_due(node: Node, known: KnownPeers) -> None:
    """Announce the table, and let strangers in, whenever `announces` is True in the node's view.

    Runs until cancelled. The player is told when an announcement begins, with the join code, and
    when it ends, unless the game has ended.
    """
    while True:
        await node.until(lambda view: view.announces)
        view = node.view()
        stands_in_for = "" if view.is_host else view.name_of(view.host_key) or _HOST
        trusted: frozenset[bytes] = await node.on_disk(known.trusted, frozenset())
        tell_damage(node, known)
        code = node.door.open(trusted, anybody=view.is_open)
        node.tell(Announcing(stands_in_for, code, left=view.has_host_left))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(announce, node)
            await node.until(lambda view: not view.announces)
            nursery.cancel_scope.cancel()
        node.door.shut()
        if not node.view().has_ended:
            node.tell(Announcing(stands_in_for, "", ends=True))


def advert_of(view: TableView, own_name: str, port: int, code_number: int, key: bytes) -> TableAd:
    """Return the advertisement of a table, without addresses: `discovery` fills them in.

    `key` is the announcer's. The advertisement gives the announcer's name at the table, because
    newcomers ask that player for the join code, or `own_name` for a host without a seat. Only
    occupied seats count as taken; abandoned ones still count among the seats offered.
    """
    settings = view.settings
    assert settings is not None, "who announces a table knows its settings"
    return TableAd(
        name=view.name_of(key) or own_name,
        table_id=view.table_id.hex(),
        fingerprint=fingerprint(key),
        preset=settings.preset,
        pip_max=settings.pip_max,
        seats_taken=len(view.here),
        seats_offered=max(view.seats_offered, len(view.seats)),
        phase=_PHASES.get(view.stage, "playing"),
        addresses=(),
        port=port,
        code_number=code_number,
    )
