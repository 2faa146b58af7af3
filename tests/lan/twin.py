"""A second announcement of somebody else's table: `python -m tests.lan.twin PORT FINGERPRINT`.

It announces the first table it finds once more, at PORT of this computer, and hangs up on every
caller there. FINGERPRINT names the key that it claims; `same` claims the table's own.
"""

import sys

import trio
from msgspec.structs import replace

from netgame.io.discovery import advert
from netgame.io.discovery.browse import find_tables
from netgame.limits import SURVEY_TABLES_S


async def twin(port: int, key: str) -> None:
    """Find a table, and announce it a second time for as long as this process lives."""
    found = ()
    while not found:
        found = await find_tables(SURVEY_TABLES_S, at_least=1)
    ad = min(found, key=lambda each: each.port)  # another twin may be here
    copied = replace(ad, port=port, others=(), fingerprint=ad.fingerprint if key == "same" else key)
    # its own name: of two announcements of one name, the network decides which is seen
    advert._label = lambda _: f"twin-{port}"
    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_tcp, trio.aclose_forcefully, port)
        print(f"announces {copied.name} as {copied.fingerprint} at {port}", flush=True)
        await advert.advertise(
            lambda: copied, trio.Event, lambda trouble: print(trouble, flush=True)
        )


if __name__ == "__main__":
    trio.run(twin, int(sys.argv[1]), sys.argv[2])
