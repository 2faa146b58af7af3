"""Somebody who announces another's table as his own: `python -m tests.lan.twin PORT FINGERPRINT`.

The first table that is found is announced once more, at PORT of this computer. Whoever comes there
is hung up on. FINGERPRINT is that of the key which is claimed; `same` claims that of the table.
"""

import sys

import trio
from msgspec.structs import replace

from netgame.io.discovery import advert
from netgame.io.discovery.browse import find_tables
from netgame.limits import SURVEY_TABLES_S


async def twin(port: int, key: str) -> None:
    """Find a table, and announce it for as long as this process lives."""
    found = ()
    while not found:
        found = await find_tables(SURVEY_TABLES_S, at_least=1)
    ad = min(found, key=lambda each: each.port)  # another twin may be here
    copied = replace(ad, port=port, others=(), fingerprint=ad.fingerprint if key == "same" else key)
    # A name of its own: which of two announcements of one name is seen is for the network to say.
    advert._label = lambda _: f"twin-{port}"
    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_tcp, trio.aclose_forcefully, port)
        print(f"announces {copied.name} as {copied.fingerprint} at {port}", flush=True)
        await advert.advertise(
            lambda: copied, trio.Event, lambda trouble: print(trouble, flush=True)
        )


if __name__ == "__main__":
    trio.run(twin, int(sys.argv[1]), sys.argv[2])
