"""The table of a lesson: the same deal for everybody, shown with the learner's own name."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from netgame.io.node.node import Node
from netgame.io.tables.host import BOT_NAMES
from netgame.protocol.peer.view import TableView

LEARNER: Final = "Sam"
"""Every learner's name in the log: the same for all, because the names affect a seeded deal."""


class LessonTable:
    """A wrapper of a node that changes the names of seats in its view, and nothing else."""

    def __init__(self, node: Node, names: Mapping[str, str]) -> None:
        self._node = node
        self._names = names

    def __getattr__(self, name: str) -> object:
        """Return the node's attribute, for everything but the view."""
        return getattr(self._node, name)

    def view(self) -> TableView:
        """Return the node's view, with the names that the learner reads."""
        view = self._node.view()
        seats = (replace(seat, name=self._names.get(seat.name, seat.name)) for seat in view.seats)
        return replace(view, seats=tuple(seats))


def names_read(own: str) -> dict[str, str]:
    """Return the names that the learner reads, keyed by the names in the log.

    The learner reads `own` for `LEARNER`, and no bot is called `own`.
    """
    others = (name for name in BOT_NAMES if name.casefold() != own.casefold())
    return {LEARNER: own, **dict(zip(BOT_NAMES, others, strict=False))}
