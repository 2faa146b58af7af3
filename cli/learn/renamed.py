"""A table at which somebody has another name than in its log, from whose names a deal follows."""

from dataclasses import replace
from functools import cached_property

from netgame.io.node.node import Node
from netgame.protocol.peer.view import SeatInfo, TableView
from netgame.protocol.state.lobby import free_name
from netgame.protocol.state.phases import Member


class Renamed:
    """The node of a table whose others all sit, as somebody sees it who has another name there.

    That name is made unlike those of the others, as at any table. All else is done by the node.
    """

    def __init__(self, node: Node, name: str) -> None:
        self._node = node
        self._wanted = name

    def __getattr__(self, name: str) -> object:
        """Be the node in all else."""
        return getattr(self._node, name)

    def view(self) -> TableView:
        """Return what the player may see, under the other name."""
        view = self._node.view()
        return replace(view, seats=tuple(map(self._seen, view.seats)))

    def _seen(self, seat: SeatInfo) -> SeatInfo:
        return replace(seat, name=self.name) if seat.key == self._node.key else seat

    @cached_property
    def name(self) -> str:
        """The name that is shown."""
        others = (each for each in self._node.view().seats if each.key != self._node.key)
        sitting = [Member(each.key, each.name, (), each.bot) for each in others]
        return free_name(sitting, self._wanted)
