"""A player's plan and hand arrangement, kept in the game's folder from one run to the next."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec

from cli.input.plan import Plan, part_that_holds, without_played
from cli.render.layout import HandLayout, HandOrder
from cli.scene import Scene
from engine.table.trains import TrainId
from engine.tiles import PIP_MAX
from netgame.io.disk.storage import read_kept, replace_file

_FILE: Final = "desk.json"
_BYTES_MAX: Final = 4_096
"""A plan of all the tiles that a hand can hold takes 1 kB, and so do its groups."""

_Pip: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=PIP_MAX)]
_Pairs: TypeAlias = tuple[tuple[_Pip, _Pip], ...]


class _Kept(msgspec.Struct, frozen=True):
    """A plan and a hand arrangement, with the number of their round; a part may be empty."""

    round: int
    train: int = 0
    plan: _Pairs = ()
    order: str = ""
    """The name of a `HandOrder`."""
    groups: tuple[_Pairs, ...] = ()


def keep_desk(
    folder: Path, round_number: int, plan: Plan | None, arranged: HandLayout | None
) -> None:
    """Write the plan and the hand arrangement to a table's folder; None means that there is none.

    Replace the file there. Raise `DiskTrouble` if that fails.
    """
    kept = _Kept(
        round_number,
        0 if plan is None else plan.train,
        () if plan is None else plan.pairs,
        "" if arranged is None else arranged.order.name,
        () if arranged is None else arranged.groups,
    )
    replace_file(folder / _FILE, msgspec.json.encode(kept))


def kept_desk(folder: Path, scene: Scene) -> tuple[Plan | None, HandLayout | None]:
    """Return the part of the kept plan that is still valid, and the kept arrangement.

    Each is None if it was not kept or is no longer valid; both are None if the file is missing or
    damaged. A plan and groups of tiles are valid only in their own round.
    """
    try:
        kept = msgspec.json.decode(read_kept(folder / _FILE, _BYTES_MAX), type=_Kept)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None, None
    is_over = kept.round != scene.table.round_number
    order = None if is_over and kept.groups else HandOrder.__members__.get(kept.order)
    arranged = None if order is None else HandLayout(order, kept.groups)
    return None if is_over else _plan(kept, scene), arranged


def _plan(kept: _Kept, scene: Scene) -> Plan | None:
    if all(each.id != kept.train for each in scene.table.trains):
        return None
    plan = Plan(TrainId(kept.train), kept.plan)
    left = part_that_holds(without_played(plan, scene), scene)
    return left if left.pairs else None
