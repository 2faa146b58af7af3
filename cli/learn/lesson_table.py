"""The table of a lesson: dealt alike for everybody, and read under the learner's own name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from netgame.io.node.node import Node
from netgame.io.tables.host import BOT_NAMES
from netgame.protocol.peer.view import TableView

LEARNER: Final = "Sam"
"""The name by which every learner sits in the log: a deal from a seed depends on all names too."""


class LessonTable:
    """A node whose view has other names for its seats; in all else it is that node."""

    def __init__(self, node: Node, names: Mapping[str, str]) -> None:
        self._node = node
        self._names = names

    def __getattr__(self, name: str) -> object:
        """Be the node in all else."""
        return getattr(self._node, name)

    def view(self) -> TableView:
        """Return what the node sees, with the names that the learner reads."""
        view = self._node.view()
        seats = (replace(seat, name=self._names.get(seat.name, seat.name)) for seat in view.seats)
        return replace(view, seats=tuple(seats))


def names_read(own: str) -> dict[str, str]:
    """Return what the learner reads for each name in the log: no bot has the learner's `own`."""
    others = (name for name in BOT_NAMES if name.casefold() != own.casefold())
    return {LEARNER: own, **dict(zip(BOT_NAMES, others, strict=False))}
