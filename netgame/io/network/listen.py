"""Listening on a port: the first free one from the default on, or exactly the one asked for."""

import errno
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import trio

from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct
from netgame.io.abilities import ABILITIES
from netgame.io.network.tcp import TcpListener
from netgame.limits import PORT_DEFAULT, PORTS_TRIED

LOOPBACK: Final = "127.0.0.1"
_TAKEN: Final = {errno.EADDRINUSE, errno.EACCES}


class PortTrouble(NetgameError):
    """This program cannot listen as asked; the text says why in one sentence."""


class Listen(FrozenStruct):
    """The host and port to listen on."""

    host: str | None = None
    """None for every interface."""
    port: int | None = None
    """0 for any free port; None for the first free one of `PORTS_TRIED` from the default on."""
    former: int = 0
    """The former port of a seat that comes back; tried first, unless one port is asked for."""


@asynccontextmanager
async def listening(listen: Listen | None) -> AsyncIterator[Sequence[TcpListener]]:
    """Listen as asked within the block, and yield the listeners; none if `listen` is None.

    Raises `PortTrouble` on entry if that fails.
    """
    listeners = () if listen is None else await open_listeners(listen)
    try:
        yield listeners
    finally:
        for listener in listeners:
            listener.close()


def check_listens() -> None:
    """Raise `PortTrouble` if this program runs where it cannot listen, such as in a browser."""
    if not ABILITIES.get().listens:
        raise PortTrouble(
            "nobody can come to a table that is opened here; join somebody's, or play against bots"
        )


async def open_listeners(listen: Listen) -> Sequence[TcpListener]:
    """Listen as asked and return the listeners, all on the same port; the caller closes them.

    Raises `PortTrouble` if that fails.
    """
    first, last = PORT_DEFAULT, PORT_DEFAULT + PORTS_TRIED - 1
    ports = [*range(first, last + 1)] if listen.port is None else [listen.port]
    if listen.former and not listen.port:
        ports.insert(0, listen.former)
    check_listens()
    for port in ports:
        try:
            return [
                TcpListener(each) for each in await trio.open_tcp_listeners(port, host=listen.host)
            ]
        except OSError as error:
            if port != listen.port and error.errno in _TAKEN:
                continue
            if error.errno == errno.EADDRINUSE:
                raise PortTrouble("port {port} is in use on this computer", port=port) from error
            reason = error.strerror or str(error)
            text = "cannot listen on port {port}: {reason}"
            raise PortTrouble(text, port=port, reason=reason) from error
    raise PortTrouble(
        "all ports from {first} to {last} are in use on this computer", first=first, last=last
    )
