"""Taking a port: the first free one from the default on, or exactly the one asked for."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import trio

from netgame.errors import NetgameError
from netgame.limits import PORT_DEFAULT, PORTS_TRIED

LOOPBACK: Final = "127.0.0.1"
_TAKEN: Final = {errno.EADDRINUSE, errno.EACCES}


class PortTrouble(NetgameError):
    """This computer does not let us listen where we want to; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen: `host` None is every interface; `port` None the next free one, 0 any."""

    host: str | None = None
    port: int | None = None


async def open_listeners(listen: Listen) -> Sequence[trio.SocketListener]:
    """Listen as asked. Raises `PortTrouble` with one sentence if that cannot be."""
    if listen.port is not None:
        return await _open(listen.host, listen.port)
    for port in range(PORT_DEFAULT, PORT_DEFAULT + PORTS_TRIED):
        try:
            return await _open(listen.host, port)
        except PortTrouble as refused:
            if not isinstance(refused.__cause__, OSError) or not _is_taken(refused.__cause__):
                raise
    last = PORT_DEFAULT + PORTS_TRIED - 1
    raise PortTrouble(f"all ports from {PORT_DEFAULT} to {last} are in use on this computer")


async def _open(host: str | None, port: int) -> Sequence[trio.SocketListener]:
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTrouble(f"port {port} is in use on this computer") from error
        reason = error.strerror or str(error)
        raise PortTrouble(f"cannot listen on port {port}: {reason}") from error


def _is_taken(error: OSError) -> bool:
    return error.errno in _TAKEN


def port_of(listeners: Sequence[trio.SocketListener]) -> int:
    """Return the TCP port that listeners have."""
    return int(listeners[0].socket.getsockname()[1])
