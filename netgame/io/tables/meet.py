"""Whom this player meets at a table, noted among the known peers, and known ones found again."""

from contextlib import suppress

import trio

from netgame.errors import DiskTrouble, Malformed, Refused
from netgame.io.disk.known_peers import How, KnownPeers
from netgame.io.network.addresses import parse_address
from netgame.io.node.node import Node
from netgame.io.tables.arrival import Arrival
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableView

_CHAIR = "(host)"
"""Stands for the name of a host that has no seat."""


async def meet_host(node: Node, arrival: Arrival, how: How) -> None:
    """Once the host's name is known, note it; a name known with another key ends it here.

    Raises `Refused` (`changed-key`).
    """
    key = arrival.seen.key
    name = await node.until(lambda view: _name_at(view, key))
    warning = await _meet(node, arrival.known, name, str(arrival.address), key, how)
    if warning is not None:
        raise Refused("changed-key", warning)


def _name_at(view: TableView, key: bytes) -> str:
    """The name of who answered, once the log is here; who only chairs a table has none."""
    if view.settings is None:
        return ""
    chair = _CHAIR if key == view.host_key else ""
    return next((seat.name for seat in view.seats if seat.key == key), chair)


async def meet_guests(node: Node, known: KnownPeers) -> None:
    """Note everybody who sits down and has shown the code: they need none the next time."""
    met: set[bytes] = set()
    while True:
        changed = node.when_changed()
        for seat in node.view().seats:
            source = node.door.source_of(seat.key)
            if source is not None and seat.key not in met:
                met.add(seat.key)
                warning = await _meet(node, known, seat.name, source, seat.key, "code")
                if warning is not None:
                    node.tell_trouble(warning)
        await changed.wait()


async def _meet(
    node: Node, known: KnownPeers, name: str, where: str, key: bytes, how: How
) -> str | None:
    """Note a peer, as `KnownPeers.meet`; what the disk refuses is told."""
    try:
        return await trio.to_thread.run_sync(known.meet, name, where, key, how)
    except DiskTrouble as trouble:
        node.tell_trouble(str(trouble))
        return None


async def trusted_keys(node: Node, known: KnownPeers) -> frozenset[bytes]:
    """Return the keys that need no code here; none if the file cannot be read, which is told."""
    try:
        trusted = await trio.to_thread.run_sync(known.trusted)
    except DiskTrouble as trouble:
        node.tell_trouble(str(trouble))
        return frozenset()
    tell_damage(node, known)
    return trusted


def tell_damage(node: Node, known: KnownPeers) -> None:
    """Say why nobody is known, if the file could not be read."""
    if known.trouble is not None:
        node.tell_trouble(known.trouble)


def recall(node: Node, known: KnownPeers) -> None:
    """Dial peers where they were met before, though that be no address of this network."""
    with suppress(DiskTrouble):
        for peer in known.read():
            with suppress(Malformed, ValueError):
                key = PeerKey(bytes.fromhex(peer.key))
                node.pool.neighbours.meet(key, parse_address(peer.address).host)
