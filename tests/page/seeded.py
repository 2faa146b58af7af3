"""A whole game from a seed, whose entries have the same octets on every platform."""

from hashlib import sha256
from types import SimpleNamespace

from prompt_toolkit.application import create_app_session

from cli.__main__ import main_here
from cli.settings.place import ENVIRONMENT
from cli.streams import Streams
from cli.visible import served_by
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.disk.memory import IN_MEMORY, in_memory
from netgame.io.disk.storage import inside, read_kept
from netgame.protocol.log.entry import read_frames
from page.tab.terminal import Keys, Screen, Typed, drawn_on

WORDS = "play --auto --seed 7 --bots 2 --set 6 --rounds 1 --name Ann"


async def record_of_seed():
    """Play the game without threads, and return the SHA-256 of its record's frames, in hex.

    The frames are sorted first, because those of one step may be in any order.
    """
    ENVIRONMENT.set({"BONEYARD_DATA": str(IN_MEMORY)})
    ABILITIES.set(Abilities(**dict.fromkeys(Abilities.__struct_fields__, False)))
    said = []
    page = SimpleNamespace(write=said.append, columns=lambda: 80, rows=lambda: 24)
    screen = Screen(page)
    with (
        in_memory(),
        served_by(Streams(Typed(), screen, screen, lambda: (80, 24))),
        create_app_session(input=Keys(), output=drawn_on(screen, page)),
    ):
        code = await main_here([*WORDS.split(), f"--data={IN_MEMORY}"])
        assert code == 0, "".join(said)
        (record,) = (path / "record" for path in inside(IN_MEMORY / "tables"))
        payloads, _ = read_frames(read_kept(record, 1 << 24))
        return sha256(b"".join(sorted(payloads))).hexdigest()
