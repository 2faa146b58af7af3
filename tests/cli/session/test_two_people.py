"""Two people in one process: each has their own language, width and settings."""

import io
import os
import re
from pathlib import Path

import trio
from msgspec import Struct

from cli.language import speak
from cli.render.cells import line_cells
from cli.render.palette import Line
from cli.screens.plain import PlainFront
from cli.session.loop import sit
from cli.settings.chosen import chosen
from cli.settings.declared import SORT
from cli.settings.place import ENVIRONMENT, language_wanted
from netgame.io.node.node import Node
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy
from netgame.wire.messages import Settings
from tests.cli.fakes import sitting_with
from tests.cli.running import environment

LINES = ("rules", "help play", "hint", *("1",) * 80)
ENGLISH = ("Your turn.", "You played", "Play a tile", "Round 1 of 1 is dealt")
SPANISH = ("Tu turno.", "Jugaste", "Juega una ficha", "Ronda 1 de 1 repartida")
GAME = Settings("standard", (), 6, 2, 1, 9)  # hands with which each has a choice


class Pages(PlainFront):
    """A plain screen that notes the width of the widest line on its pages."""

    widest = 0

    def show(self, lines: tuple[Line, ...]) -> None:
        """Print lines, and note the width of the widest line so far."""
        self.widest = max(self.widest, *map(line_cells, lines))
        super().show(lines)


class Person(Struct):
    """A person: environment, window width, the text they read, and the width of its widest line."""

    environment: dict[str, str]
    columns: int
    told: str = ""
    widest: int = 0

    async def play(self, node: Node) -> None:
        """Sit at a table, type the lines of a script, and keep what was read."""
        ENVIRONMENT.set(self.environment)
        speak(language_wanted())
        source, sink = os.pipe()
        os.write(sink, "".join(f"{line}\n" for line in LINES).encode())
        os.close(sink)
        front = Pages(source, out := io.StringIO(), self.columns)
        await sit(node, front, sitting_with(starts_itself=True, order=chosen(SORT)))
        os.close(source)
        self.told, self.widest = out.getvalue(), front.widest


def hands(told: str, begins: str) -> list[list[int]]:
    """Return the sum of each tile's pips, as one list for each line that begins with `begins`."""
    lines = [line for line in told.splitlines() if line.startswith(begins)]
    tiles = [re.findall(r"(\d)[-=](\d)", line) for line in lines]
    return [[int(high) + int(low) for high, low in hand] for hand in tiles]


async def test_two_people_with_two_languages_and_two_widths_play_in_one_process(tmp_path: Path):
    """Each person reads their own language at their own width; Ann's tiles are sorted by value."""
    ann = Person(environment(LANG="en_GB.UTF-8", BONEYARD_SORT="value"), 100)
    eva = Person(environment(LANG="en_GB.UTF-8", BONEYARD_LANGUAGE="es"), 40)
    code = "7-otter-violin"
    host = HostOptions(
        name="Ann",
        settings=GAME,
        start_at=2,
        code=code,
        reach=ReachedBy.COMPUTER,
        data_dir=tmp_path / "a",
    )
    guest = JoinOptions(name="Eva", code=code, reach=ReachedBy.COMPUTER, data_dir=tmp_path / "eva")
    async with host_table(host) as table, trio.open_nursery() as nursery:
        nursery.start_soon(ann.play, table)
        async with join_table(guest, f"127.0.0.1:{table.port}") as place:
            await eva.play(place)
    for person, mine, others in ((ann, ENGLISH, SPANISH), (eva, SPANISH, ENGLISH)):
        assert all(words in person.told for words in mine), person.told
        assert not any(words in person.told for words in others), person.told
    assert 40 < ann.widest <= 100
    assert 20 < eva.widest <= 40
    by_value = [[*hand] == sorted(hand, reverse=True) for hand in hands(ann.told, "You hold")]
    assert by_value
    assert all(by_value)
