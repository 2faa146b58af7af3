"""A host's table, kept advertised as it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio

from netgame.io.advert import TableAd
from netgame.io.discovery import advertise
from netgame.protocol.fingerprint import fingerprint
from netgame.protocol.view import Stage

if TYPE_CHECKING:
    from netgame.io.node import Node
    from netgame.protocol.view import TableView

__all__ = ["advert_of", "announce"]

_PAUSE_S: Final = 0.2
"""In play the table changes all the time, what is said of it seldom."""

_PHASES: Final = {Stage.LOBBY: "lobby", Stage.OVER: "over", Stage.HALTED: "over"}


async def announce(node: Node, name: str) -> None:
    """Advertise the table of the host `name` and keep what is said of it true until cancelled."""
    async with advertise(
        advert_of(node.view(), name, node.port, node.door.number), node.tell_trouble
    ) as advert:
        while True:
            changed = node.when_changed()
            advert.update(advert_of(node.view(), name, node.port, node.door.number))
            await changed.wait()
            await trio.sleep(_PAUSE_S)


def advert_of(view: TableView, name: str, port: int, code_number: int = 0) -> TableAd:
    """Return what there is to say of a table; `discovery` fills the addresses in."""
    settings = view.settings
    assert settings is not None, "a host has settings from the first entry on"
    return TableAd(
        name=name,
        table_id=view.table_id.hex(),
        fingerprint=fingerprint(view.host_key),
        preset=settings.preset,
        pip_max=settings.pip_max,
        seats_taken=len(view.seats),
        seats_offered=view.seats_offered,
        phase=_PHASES.get(view.stage, "playing"),
        addresses=(),
        port=port,
        code_number=code_number,
    )
