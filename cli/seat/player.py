"""What happens at the table as one person hears and sees it, and the moves that go out.

The half of the loop that notices drive; `cli.seat.loop` adds what is typed.
"""

from __future__ import annotations

from typing import Final

import trio

from cli.drawn.board import board_lines
from cli.drawn.rule_sheet import changed_lines, offer_of
from cli.drawn.status import status_text
from cli.exits import ExitCode
from cli.said.duties import Drawn, call_sentences
from cli.said.hub_search import Search
from cli.said.moves import forced_text
from cli.said.notices import notice_text
from cli.said.refusals import refusal_sentence
from cli.scene import LobbyScene, Scene, forced_move, scene_of
from cli.seat.answers import Answers
from cli.seat.frontend import FrontEnd
from cli.seat.sitting import Sitting
from cli.typed.intent import Quit
from engine.play.legality import Refusal
from engine.table.moves import Catch, Mark, Move, Tap
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from netgame.io.node.node import Node
from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import join_names

FORCED_PAUSE_S: Final = 0.7
"""Between saying that only a draw or a pass is left and doing it; always the same, so that it
tells nobody anything."""

_SCRIPT_PAUSE_S: Final = 0.05
"""The same where nobody looks on, and for the many answers of a search for the engine."""

_FINISH_PATIENCE_S: Final = 15.0
"""After the last score; the core leaves by itself after 10 s [limits.LEAVE_AFTER_S]."""


class Hearing:
    """One person at one table; everything runs in one thread, so nothing here is locked."""

    def __init__(self, node: Node, front: FrontEnd, sitting: Sitting) -> None:
        self.node = node
        self.front = front
        self.sitting = sitting
        self.answers = Answers(front, node.key)
        self.code: ExitCode | None = None
        self.done = trio.Event()
        self.quitting: Quit | None = None
        self.invited = False
        self.seating = sitting.looks_first
        self.shown: tuple[object, ...] = ()
        self.drawn = Drawn()
        self.turn = Seat(0)
        self.away: set[str] = set()
        self.called: tuple[str, ...] = ()
        self.search = Search()
        self.nursery: trio.Nursery | None = None

    def end(self, code: ExitCode) -> None:
        """End the loop; the first reason counts."""
        self.code = code if self.code is None else self.code
        self.done.set()

    # ---- what happens at the table --------------------------------------------------------

    async def _hear(self) -> None:
        async for notice in self.node.notices:
            await self._take(notice)
            self._refresh()

    async def _watch(self) -> None:
        """Keep the status line true."""
        while True:
            changed = self.node.when_changed()
            self._refresh()
            await changed.wait()

    async def _end_with_node(self) -> None:
        """End when the game is over for everybody, or the table has stopped."""
        await self.node.finished.wait()
        halted = self.node.view().stage is TableStage.HALTED
        self.end(ExitCode.FAILED if halted else ExitCode.OK)

    def _refresh(self) -> None:
        view = self.node.view()
        self.front.scene_is(scene_of(view), status_text(view))

    async def _take(self, notice: notices.Notice) -> None:
        scene = scene_of(self.node.view())
        self.drawn.note(scene, notice)
        self.front.happened(scene, notice, self._text_of(scene, notice))
        self._tell_calls(scene)
        if scene is not None and isinstance(notice, notices.Dealt | notices.Played):
            self._show_onlooker(scene)
        match notice:
            case notices.LobbyChanged():
                self._show_lobby()
            case notices.YourTurn() if not self.sitting.auto:
                self._your_turn()
            case notices.RoundOver() if scene is not None:
                self.front.scores(scene)
            case notices.GameOver():
                self._game_over(scene)
            case notices.CaughtUp():
                await self._look_on(scene)
            case _:
                self._end_by(notice)

    def _show_onlooker(self, scene: Scene) -> None:
        """Show the board to a person without a seat whenever play has come round."""
        before, self.turn = self.turn, scene.table.to_move
        if scene.seat is None and self.turn < before and self.front.asks_back:
            self.front.show(board_lines(scene, self.front.canvas()))

    def _end_by(self, notice: notices.Notice) -> None:
        """End if there is nothing here to stay for; only a person may change their mind."""
        may_watch = self.front.asks_back or self.sitting.stays
        match notice:
            case notices.TableClosed():
                self.end(ExitCode.FAILED)
            case notices.MoveRefused():
                self.end(ExitCode.REFUSED)
            case notices.SeatLater(granted=False) if not may_watch:
                self.end(ExitCode.REFUSED)
            case _:
                pass

    def _text_of(self, scene: Scene | None, notice: notices.Notice) -> str:
        """Say a notice; a link that comes up for the first time is no news."""
        if isinstance(notice, notices.LinkChanged):
            known_away = notice.name in self.away
            (self.away.discard if notice.up else self.away.add)(notice.name)
            if notice.up and not known_away:
                return ""
        return self.search.told(scene, notice, notice_text(scene, notice))

    def _tell_calls(self, scene: Scene | None) -> None:
        """Say once that a last tile must be told, or who may be caught; in turn the board says it.

        What can be called changes with every play, so each sentence is told anew when it is new.
        """
        said = () if scene is None or self.sitting.auto else call_sentences(scene)
        fresh = [sentence for sentence in said if sentence not in self.called]
        self.called = said
        if scene is not None and not scene.can_move:
            for sentence in fresh:
                self.front.say(sentence)

    def _show_lobby(self) -> None:
        """Show who sits, if that or what is played has changed."""
        view = self.node.view()
        shown = (view.seats, view.settings)
        if self.seating and view.stage not in (TableStage.LOBBY, TableStage.HALTED):
            self.seating = False
            self.front.say("The game has begun without you: you watch. For a seat later type sit.")
        if view.stage is TableStage.LOBBY and shown != self.shown:
            self.shown = shown
            if not view.is_host:
                self._invite(view)
            if self.seating:
                return
            sitting = self.sitting
            itself, code = sitting.starts_itself, sitting.code()
            where, key = sitting.addresses, self.node.key
            self.front.lobby(LobbyScene(view, key, where, itself, code, sitting.watches))

    async def _look_on(self, scene: Scene | None) -> None:
        """The game had begun when we came: show it, and ask for the seat we came for."""
        view = self.node.view()
        self._invite(view)
        if scene is not None:
            self.front.show(board_lines(scene, self.front.canvas()))
        if self.seating:
            self.seating = False
            await self.node.take_seat()

    def _invite(self, view: TableView) -> None:
        """Tell who comes to a table, once, what is played there; and ask who looks first."""
        offer = None if view.settings is None else offer_of(view.settings)
        if offer is None or self.invited:
            return
        self.invited = True
        self.front.show(changed_lines(offer, self.front.canvas()))
        if self.seating and view.stage is TableStage.LOBBY:
            names = join_names([info.name for info in view.seats]) or "nobody"
            self.front.say(f"Seated: {names}. Type rules for all of the rules.")
            self.front.say("Sit down? [Y/n]")

    def _your_turn(self) -> None:
        """Show the turn, or do the only thing that can be done."""
        view = self.node.view()
        scene = scene_of(view)
        if scene is None or not view.can_move:
            return
        drawn = self.drawn.tile(scene)
        only = forced_move(scene)
        if only is not None:
            assert self.nursery is not None
            said = forced_text(scene, only, drawn)
            if said:
                self.front.say(said)
            self.nursery.start_soon(self._force, only, view)
            return
        if drawn:
            self.front.say(f"It is {drawn}.")
        self.front.your_turn(scene, self.answers.order)

    async def _force(self, move: Move, seen: TableView) -> None:
        """Make the only legal move after a pause, unless somebody was quicker."""
        looking = seen.table is None or seen.table.phase is RoundPhase.ENGINE
        quick = looking or not self.front.asks_back
        await trio.sleep(_SCRIPT_PAUSE_S if quick else FORCED_PAUSE_S)
        view = self.node.view()
        if view.can_move and view.step == seen.step:
            await self._propose(move)

    def _game_over(self, scene: Scene | None) -> None:
        if scene is not None:
            self.front.scores(scene)
        for sentence in self.sitting.ending():
            self.front.say(sentence)
        assert self.nursery is not None
        self.nursery.start_soon(self._end_late)

    async def _end_late(self) -> None:
        """Leave a finished game even if the node should never say so."""
        await trio.sleep(_FINISH_PATIENCE_S)
        self.end(ExitCode.OK)

    # ---- moves ----------------------------------------------------------------------------

    async def _propose(self, move: Move) -> None:
        """Make a move; a call goes to the step in which all may speak, a tap in turn at once."""
        if isinstance(move, Catch) or (isinstance(move, Tap) and not self.node.view().can_move):
            refusal = await self._call(move)
        else:
            refusal = await self.node.propose(move)
        scene = scene_of(self.node.view())
        if refusal is not None and scene is not None:
            self.answers.refused = refusal
            self.front.say(refusal_sentence(refusal, scene.names, scene.seat))
        elif isinstance(move, Mark):
            how = "stays up" if move.up else "comes down"
            self.front.say(
                f"Your marker {how} when this turn ends, if you lay a tile of your hand."
            )

    async def _call(self, move: Tap | Catch) -> Refusal | None:
        refusal = await self.node.call(move)
        if refusal is None:
            what = "tap" if isinstance(move, Tap) else "catch"
            self.front.say(f"Your {what} is called as soon as all may speak.")
        return refusal
