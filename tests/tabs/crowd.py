"""A crowd of useless connections to a page: `python -m tests.tabs.crowd PAGE ADDRESS …`.

It opens `SOCKETS` connections in all from the given addresses of its own computer, and replaces
each one that is closed. Some send nothing, some begin a request and never end it, and some become
WebSockets that stay silent. At each new one it prints how many are open, and how many it has opened
in all.
"""

import itertools
import sys
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import trio

SOCKETS: Final = 50
PAUSE_S: Final = 0.2


class Crowd:
    """Useless connections to one page."""

    def __init__(self, page: str) -> None:
        parts = urlsplit(page)
        self._host, self._port, self._path = parts.hostname or "", parts.port or 0, parts.path
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._here = self._ever = 0

    def _words(self, number: int) -> bytes:
        """Return what connection `number` sends: nothing, half a request, or an upgrade."""
        head = f"Host: {self._host}:{self._port}\r\nOrigin: {self._origin}\r\n"
        upgrade = (
            f"GET {self._path}ws HTTP/1.1\r\n{head}Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        words = ("", f"GET {self._path} HTTP/1.1\r\n{head}", upgrade)
        return words[number % len(words)].encode()

    async def stay(self, number: int, source: str) -> None:
        """Keep one connection open for ever; open a new one whenever it is closed."""
        while True:
            with suppress(OSError):
                await self._stay_once(number, source)
            await trio.sleep(PAUSE_S)

    async def _stay_once(self, number: int, source: str) -> None:
        near = await trio.open_tcp_stream(self._host, self._port, local_address=source)
        async with near:
            self._here += 1
            self._ever += 1
            self._tell()
            try:
                await near.send_all(self._words(number))
                while await near.receive_some(65_536):
                    pass
            except trio.BrokenResourceError:
                pass
            finally:
                self._here -= 1

    def _tell(self) -> None:
        print(f"crowd: {self._here} here, {self._ever} ever", flush=True)


async def main() -> None:
    """Open all connections, and keep them open until the process is killed."""
    crowd = Crowd(sys.argv[1])
    sources = itertools.cycle(sys.argv[2:])
    async with trio.open_nursery() as nursery:
        for number in range(SOCKETS):
            nursery.start_soon(crowd.stay, number, next(sources))


if __name__ == "__main__":
    trio.run(main)
