"""A plan kept beside its game, so that it outlives the program: its train, then its halves."""

from pathlib import Path
from typing import Final

import msgspec

from cli.input.plan import Plan, part_that_holds, without_played
from cli.scene import Scene
from engine.table.trains import TrainId
from engine.tiles import PIP_MAX
from netgame.io.disk.files import replace_file

_FILE: Final = "plan.json"
_BYTES_MAX: Final = 4_096
"""A plan of all the tiles that a hand can hold takes 1 kB."""


def keep_plan(folder: Path, plan: Plan | None) -> None:
    """Write this plan, or that there is none, into a table's folder in place of the one there.

    Raises `DiskTrouble` if that fails.
    """
    halves = () if plan is None else (half for pair in plan.pairs for half in pair)
    train = () if plan is None else (plan.train,)
    replace_file(folder / _FILE, msgspec.json.encode((*train, *halves)))


def kept_plan(folder: Path, scene: Scene) -> Plan | None:
    """Return what still holds of the plan that was kept.

    None if nothing does, none was kept, or the file is damaged.
    """
    try:
        with (folder / _FILE).open("rb") as file:
            train, *halves = msgspec.json.decode(file.read(_BYTES_MAX), type=tuple[int, ...])
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None
    known = any(each.id == train for each in scene.table.trains)
    if not known or len(halves) % 2 or not all(0 <= half <= PIP_MAX for half in halves):
        return None
    pairs = tuple(zip(halves[::2], halves[1::2], strict=True))
    left = part_that_holds(without_played(Plan(TrainId(train), pairs), scene), scene)
    return left if left.pairs else None
