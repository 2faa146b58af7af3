"""News of the table, as one person hears and sees it."""

from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from msgspec import structs

from cli.exits import ExitCode
from cli.kept import summary_of
from cli.language import say
from cli.logbook import log_notice
from cli.render.board import board_lines
from cli.render.status import status_text
from cli.results.summary import Summary, summary_of_view
from cli.scene import RoundCard, Scene, convicts_of, scene_of
from cli.session.frontend import ScoresShown
from cli.session.next_table import is_closed_lobby
from cli.session.round_pause import CARD_S
from cli.session.session import Session
from cli.session.stay import is_over
from cli.session.tasks import Lock, in_thread, sleep, within
from cli.wording.convicts import stopped_texts
from cli.wording.game_end import GameEnd
from engine.table.events import Passed
from engine.table.table import ENDED, RoundPhase
from netgame.errors import NetgameError
from netgame.protocol import notices
from netgame.protocol.notices import LaidOpen
from netgame.protocol.peer.view import TableStage, TableView

_FINISH_PATIENCE_S: Final = 15.0
"""After the last score; the core leaves by itself after 10 s [limits.LEAVE_AFTER_S]."""

_QUIET_S: Final = 1.0
_CATCH_UP_S: Final = 6.0
"""The seconds of quiet, and the most in all, after which somebody who is back has caught up."""

_LOOK_S: Final = 0.25
"""Between two looks at a table of which nothing is told; somebody may be missed no more."""

_ADVISE_S: Final = 3.0
"""Whoever shares a computer or a cable is gone within this time, and is told of with the others."""


@dataclass(slots=True)
class SeatNews:
    """Tells one person what happens at their table, until the session's tasks are cancelled.

    It says each notice, shows hands, cards and results, and keeps table and status line true.
    Behind the card of a round that is being read, notices of play wait.
    """

    session: Session
    _turn: int = 0
    _owes_table: bool = False
    """Whether the table is to be shown as soon as it stands still."""
    _was_owed: bool = False
    _telling_end: Lock = field(default_factory=Lock)
    """Held while the end of the game is told."""

    async def hear(self) -> None:
        """Tell the notices of the table in their order, until they end or this is cancelled.

        After each the desk is kept and the screen refreshed. While a card stands, those of play
        wait with it. Once a way out is taken only talk is told: what is said before a table is left
        for the next is often heard then.
        """
        async for notice in self.session.node.notices:
            log_notice(notice)
            is_late = self.session.way_out.is_taken and not isinstance(notice, notices.ChatHeard)
            if not (is_late or self.session.pause.holds(notice)):
                await self._take(notice)
                await self.session.desk.keep()
            self._settle()

    async def go_on(self) -> None:
        """Take the card away, as it has been read, and tell what has happened meanwhile.

        If that brings another card, what comes after waits with it.
        """
        for notice in self.session.pause.end():
            if not self.session.pause.holds(notice):
                await self._take(notice)
        self._settle()

    async def _turn_over(self, card: RoundCard) -> None:
        """Take this card away after `CARD_S` seconds, unless it has been read by then."""
        await sleep(CARD_S)
        if self.session.pause.card is card:
            await self.go_on()

    async def watch(self) -> None:
        """Keep the status line true, also of what is told by no notice, until cancelled.

        An answer that stands in sight is renewed or closed when what it is about has changed.
        """
        while True:
            moved = self.session.node.when_moved()
            self._settle()
            await self.session.renew_answer()
            await moved.wait()
            await sleep(_LOOK_S)

    def _settle(self) -> None:
        """Refresh the status line; then show the table if that is owed and no card stands.

        Behind a card a search for the engine is answered instead.
        """
        self.refresh()
        if self.session.pause.stands:
            self.session.moves.answer_search()
        elif self._owes_table and not self.session.way_out.is_taken:
            self._show_owed()

    def _show_owed(self) -> None:
        """Show the table that is owed, or this seat's turn; it stays owed while it is to change.

        Before and after the game, or if this very table was drawn last, nothing is shown.
        """
        view = self.session.node.view()
        scene = scene_of(view)
        if view.catching_up or (scene is not None and _is_to_change(view, scene)):
            return
        self._owes_table, self._was_owed = False, True
        if scene is None or is_over(view) or self.session.desk.shown == scene.table:
            return
        if view.can_move and not self.session.sitting.auto:
            self.session.moves.your_turn()
        else:
            self.session.desk.show()

    async def _advise(self) -> None:
        """After a moment, say what can be done about all who are away, if that is news.

        Whoever goes or comes in that moment is told of in one sentence.
        """
        await sleep(_ADVISE_S)
        view = self.session.node.view()
        nothing_helps = is_over(view) or view.stage is TableStage.HALTED
        scene = None if nothing_helps or self.session.way_out.is_taken else scene_of(view)
        if scene is not None and (text := self.session.commentary.advice(view, scene)):
            self.session.front.say(text)

    async def show_to_returned(self) -> None:
        """Show the table to a person who has come back, once what was missed has been told.

        Nothing is shown if it is their turn, a card stands, or the table was shown meanwhile.
        """
        await within(_CATCH_UP_S, self._quiet)
        self.session.commentary.returns = False
        if not (self.session.node.view().can_move or self.session.pause.stands or self._was_owed):
            self._owes_table = True
            self._settle()

    async def _quiet(self) -> None:
        while await within(_QUIET_S, self.session.node.when_changed().wait):
            pass

    async def end_with_table(self) -> None:
        """Wait until the game is over for everybody, or the table has halted; then end the session.

        A halted table ends it as failed, and says with what result. Where another game may follow,
        it goes on instead; a closed lobby ends elsewhere.
        """
        await self.session.node.finished.wait()
        stage = self.session.node.view().stage
        if stage is TableStage.LOBBY:
            return  # what closes it says whether there is another
        halted = stage is TableStage.HALTED
        await self.end_is_told()
        if halted:
            self._tell_stop()
        if halted or not self.session.next_table.ask():
            self.session.way_out.end(ExitCode.FAILED if halted else ExitCode.OK)

    def _tell_stop(self) -> None:
        """Say that the game ends with a fault, how it stood, and what proves who cheated."""
        view, front = self.session.node.view(), self.session.front
        for text in stopped_texts(scene_of(view), convicts_of(view)):
            front.say(text)
        for text in self.session.sitting.ending():
            front.say(text)

    async def end_is_told(self) -> None:
        """Return once nothing of the game's end is being told: what is typed comes after that."""
        async with self._telling_end:
            pass

    def refresh(self) -> None:
        """Tell the front end what status line, completion and suggestion are now."""
        view = self.session.node.view()
        status, place = status_text(view, at_card=self.session.pause.stands), self.session.place()
        beside, answer = self.session.desk.beside(place), self.session.on_enter
        if answer is not None:  # Enter plays nothing, nor does it turn the card over
            beside = structs.replace(beside, asks=True, suggestion=answer, notes=())
        elif self.session.pause.stands:
            status = f"{say('press Enter')} | {status}"
        self.session.front.scene_is(place, status, beside)

    async def _take(self, notice: notices.Notice) -> None:
        scene = scene_of(self.session.node.view())
        self._tell(scene, notice)
        match notice:
            case notices.Dealt() | notices.Played() | notices.MovesUndone() if scene is not None:
                self._show_onlooker(scene)
                if not self.session.sitting.auto:
                    self._show_seated(scene, notice)
            case notices.LobbyChanged():
                self._lobby_changed()
            case notices.YourTurn() if not self.session.sitting.auto:
                self.session.moves.your_turn()
            case notices.RoundOver(end=end) if scene is not None:
                self._round_over(scene, end)
            case notices.GameOver():
                async with self._telling_end:
                    await self._game_over(scene, notice.end)
            case notices.CaughtUp():
                self._owes_table = True
                self.session.invitation.caught_up()
            case _:
                self._end_by(notice)
        self.session.next_table.hear(notice)
        self.session.invitation.ask()

    def _lobby_changed(self) -> None:
        """Show who sits; to a room also the evening of those who have played before."""
        self.session.invitation.lobby_changed()
        if self.session.sitting.on_wall:
            self.session.tasks.start_soon(self.session.show_evening)

    def _tell(self, scene: Scene | None, notice: notices.Notice) -> None:
        view = self.session.node.view()
        self.session.commentary.own_name = view.name_of(self.session.node.key)
        self.session.commentary.no_seat = view.no_seat
        if not self.session.next_table.is_to_be_expected(notice):
            bots = [info.name for info in view.seats if info.bot]
            own = bots if view.is_host else ()
            gone = view.departures
            self.session.commentary.take(scene, notice, bots=bots, own_bots=own, departures=gone)
        self.session.desk.follow(scene, notice)
        self.session.moves.follow(notice)
        if isinstance(notice, notices.LinkChanged):
            self.session.tasks.start_soon(self._advise)

    def _show_onlooker(self, scene: Scene) -> None:
        """Show the board to a person without a seat whenever play has come round.

        A screen that keeps the board shows it anyway; while catching up none is shown.
        """
        before, self._turn = self._turn, scene.table.to_move
        comes_round = not scene.sits and self._turn < before and self.session.front.asks_back
        shows = comes_round and not self.session.front.keeps_board
        if shows and not self.session.node.view().catching_up:
            self.session.front.show(board_lines(scene, self.session.front.canvas()))

    def _show_seated(
        self, scene: Scene, notice: notices.Dealt | notices.Played | notices.MovesUndone
    ) -> None:
        """Show the table after a deal, and to a person after their own pass.

        Not after a deal if this seat plays first, as its turn shows it, nor while catching up. When
        moves are undone the table is owed instead, unless they were only draws.
        """
        if isinstance(notice, notices.MovesUndone):
            shows = scene.seat is not None or self.session.front.asks_back
            self._owes_table |= shows and not notice.only_draws
            return
        if self.session.node.view().catching_up:
            return
        if isinstance(notice, notices.Dealt):
            begins = scene.table.phase is RoundPhase.PLAY and scene.table.to_move == scene.seat
            shows = scene.hand is not None and not scene.can_move and not begins
        else:
            passed = any(isinstance(event, Passed) for event in notice.events)
            own = notice.seat == scene.seat and scene.table.phase not in ENDED
            shows = passed and own and self.session.front.asks_back
        if shows:
            self.session.desk.show()

    def _end_by(self, notice: notices.Notice) -> None:
        """End the session if this notice leaves nothing to stay for; follow a host who has gone on.

        A seat refused for later ends only a script that does not stay to watch, and so does a move
        that the rules refuse to what plays the seat. Other notices end nothing.
        """
        may_watch = self.session.front.asks_back or self.session.sitting.stays
        match notice:
            case notices.TableClosed() if is_closed_lobby(notice, self.session.node.view()):
                self.session.next_table.come_along(notice)
            case notices.TableClosed():
                self.session.way_out.end(ExitCode.FAILED)
            case notices.HostMoved():
                self.session.next_table.host_moved()
            case notices.SeatRefused() | notices.OtherRules():
                self.session.way_out.end(ExitCode.REFUSED)
            case notices.SeatLater(granted=False) if not may_watch:
                self.session.way_out.end(ExitCode.REFUSED)
            case notices.Trouble(notices.TroubleKind.MOVE_REFUSED, of_bot=of_bot):
                self.session.way_out.was_refused = True
                if not (of_bot or self.session.front.asks_back):
                    # nobody is here to play the seat instead, and the others would wait for it
                    self.session.tasks.start_soon(self.session.way_out.leave)
            case _:
                pass

    def _round_over(self, scene: Scene, end: LaidOpen | None) -> None:
        """Show the card of a round and have it stand, or show only the scores if there is no `end`.

        For whoever only watches the card does not stand. Where other people wait, it goes by
        itself.
        """
        if end is None:
            self.session.front.tell(ScoresShown(scene))
            return
        card = _card(end, scene, self.session.node.view())
        self.session.front.tell(card)
        if not scene.sits:
            return  # who watches is held up by no card: the table may be rounds further
        others = (
            info for info in self.session.node.view().seats if info.key != self.session.node.key
        )
        waited_for = any(not (info.bot or info.left) for info in others)
        self.session.pause.begin(card, ends=waited_for)
        if self.session.pause.stands and waited_for:
            self.session.tasks.start_soon(self._turn_over, card)

    async def _game_over(self, scene: Scene | None, end: LaidOpen | None) -> None:
        """Show card, result and evening, and say where the record is; ask for another game.

        If nobody can be asked, it ends in a while even if the table should never say that it is
        done.
        """
        session, front = self.session, self.session.front
        if scene is not None and end is not None:
            card = _card(end, scene, session.node.view(), is_last=True)
            session.pause.last = card if session.pause.reads else None
            front.tell(card)
        elif scene is not None:
            front.tell(ScoresShown(scene))
        if scene is not None:
            told, view = await self._told(), session.node.view()
            result = GameEnd(scene, told, view.departures, convicts_of(view))
            session.pause.result = result if session.pause.reads else None
            front.tell(result)
            await session.show_evening()
        for sentence in session.sitting.ending():
            front.say(sentence)
        if not session.next_table.ask():
            session.way_out.end_after(_FINISH_PATIENCE_S)

    async def _told(self) -> Summary:
        """Return what the record tells of the game; a person who waits too long gets less.

        That is what the view tells, also if there is no record that can be read.
        """
        view, folder = self.session.node.view(), self.session.node.folder
        found = summary_of_view(view)

        async def read() -> None:
            nonlocal found
            if folder is not None:
                with suppress(NetgameError):
                    work = partial(summary_of, folder.path)
                    found = await in_thread(work, is_left_behind=True)

        await within(self.session.patience_s, read)
        return found


def _is_to_change(view: TableView, scene: Scene) -> bool:
    """Whether a table is not worth showing yet: another, or this seat's turn, comes in a moment.

    That is while the boneyard is made anew, or it is our turn and all who must sign are in reach.
    """
    here = all(view.seats[seat].in_reach for seat in scene.awaited)
    in_turn = scene.table.to_move == scene.seat and scene.table.phase is RoundPhase.PLAY
    return scene.is_mixing or (scene.sits and in_turn and here and not view.can_move)


def _card(end: LaidOpen, scene: Scene, view: TableView, *, is_last: bool = False) -> RoundCard:
    """Make the card of a round; whoever came when it was scored has no part in it."""
    played = end.table.spec.seats
    seat = scene.seat if scene.seat is not None and scene.seat < played else None
    names, convicts = scene.names[:played], convicts_of(view)
    return RoundCard(end, names, seat, is_last, departures=view.departures, convicts=convicts)
