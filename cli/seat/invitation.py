"""How a person sits at a table: what they are shown as they come, and whether they sit down."""

from collections.abc import Callable
from dataclasses import dataclass

from cli.drawn.board import board_lines
from cli.drawn.rule_sheet import changed_lines, offer_of
from cli.scene import LobbyScene, Scene
from cli.seat.frontend import FrontEnd
from cli.seat.way_out import WayOut
from netgame.io.node.node import Node
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import join_names


@dataclass(frozen=True, slots=True)
class Sitting:
    """How this person sits at the table.

    With `auto` something else plays the seat; `stays` keeps going when the input ends; a table
    that `starts_itself` needs no `start`; `ending` says after the game where the record is and
    how to check it. `code` gives the join code as it is now, if this is a host who asks for one.
    Who `looks_first` reads what is played before sitting down; who `watches` takes no seat.
    """

    addresses: tuple[str, ...] = ()
    auto: bool = False
    stays: bool = False
    starts_itself: bool = False
    ending: Callable[[], tuple[str, ...]] = tuple
    code: Callable[[], str] = str
    looks_first: bool = False
    watches: bool = False


@dataclass(slots=True)
class Invitation:
    """Shows the lobby; tells once what is played, and asks while somebody is undecided."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    way_out: WayOut
    undecided: bool
    _told: bool = False
    _shown: tuple[object, ...] = ()

    def lobby_changed(self) -> None:
        """Show who sits, if that or what is played has changed."""
        view = self.node.view()
        if self.undecided and view.stage not in (TableStage.LOBBY, TableStage.HALTED):
            self.undecided = False
            self.front.say("The game has begun without you: you watch. For a seat later type sit.")
        if view.stage is not TableStage.LOBBY or (view.seats, view.settings) == self._shown:
            return
        self._shown = (view.seats, view.settings)
        if not view.is_host:
            self._tell(view)
        if not self.undecided:
            sitting, key = self.sitting, self.node.key
            itself, code = sitting.starts_itself, sitting.code()
            self.front.tell(LobbyScene(view, key, sitting.addresses, itself, code, sitting.watches))

    async def caught_up(self, scene: Scene | None) -> None:
        """Show the game that had begun when we came, and ask for the seat we came for."""
        self._tell(self.node.view())
        if scene is not None:
            self.front.show(board_lines(scene, self.front.canvas()))
        if self.undecided:
            self.undecided = False
            await self.node.take_seat()

    def _tell(self, view: TableView) -> None:
        offer = None if view.settings is None else offer_of(view.settings)
        if offer is None or self._told:
            return
        self._told = True
        self.front.show(changed_lines(offer, self.front.canvas()))
        if self.undecided and view.stage is TableStage.LOBBY:
            names = join_names([info.name for info in view.seats]) or "nobody"
            self.front.say(f"Seated: {names}. Type rules for all of the rules.")
            self.front.say("Sit down? [Y/n]")

    async def answered(self, word: str) -> bool:
        """Take a seat or leave, if that was asked and this is an answer."""
        if not (self.undecided and self._told):
            return False
        if word in ("n", "no", "q", "quit"):
            await self.way_out.leave()
        elif word in ("", "y", "yes"):
            self.undecided, self._shown = False, ()
            await self.node.take_seat()
        else:
            return False
        return True
