"""One person at one table: the parts of a session, and what a verb may ask of it.

Its state has two halves. The state of the table, from its lobby to its end, is in the node's view
and never copied here. The other half is what the person has to answer: three parts keep that, while
`desk`, `moves` and `next_table` keep what is offered beside it:

    before the person           kept by       a line that answers it      any other line
    leave the table?            way_out       yes, no, Enter, `quit`      stays open; moves mean no
    sit down?                   invitation    yes, no, Enter, `quit`      leaves it open
    the card of a round         pause         Enter: the next round       Until.ROUND_ENDS: not now
    the table, or its lobby                   Enter: what is planned      depends on the verb

A line goes to the first of these that it answers (`answered`, `loop`). While a card is up, notices
of play wait behind it; all others are told at once (`RoundPause.holds`). Completion and suggestions
are about the `place`: the round of the card, else the table as it is. After the game `Until` bars
verbs that no longer make sense, and `next_table` follows the company.

Notices come in through `hear`, lines through `loop`; each may change what is before the person,
and then shows it. The board is drawn from the view whenever it is needed. The session remembers
what it has shown where a later line may refer to it: a card and its result (`RoundPause`), the turn
(`Moves`), the move offered last (`Desk`), the last answer (`LastAnswer`).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from msgspec import structs

from cli.exits import ExitCode
from cli.language import say
from cli.logbook import log_notice
from cli.render.board import board_lines
from cli.render.hand import Suggestion
from cli.render.layout import HandLayout
from cli.render.status import status_text
from cli.scene import CompletionContext, RoundCard, Scene, card_of, choices, scene_of
from cli.session.advice import AbsenceAdvice
from cli.session.answers import CATCHING_UP, NOT_BEGUN
from cli.session.commentary import AbsenceRead, Commentary, OwnAbsence
from cli.session.desk import Desk
from cli.session.endings.end_of_game import EndOfGame
from cli.session.endings.next_table import NextTable, is_closed_lobby
from cli.session.endings.review import Reviews
from cli.session.endings.round_pause import CARD_S, NOT_NOW, RoundPause
from cli.session.frontend import FrontEnd, ScoresShown
from cli.session.invitation import Invitation, SeatQuestion
from cli.session.last_answer import LastAnswer
from cli.session.moves import Moves
from cli.session.sitting import Habits, Sitting
from cli.session.stay import Anew, NextTableOffer, WayOut, is_over
from cli.session.tasks import Tasks, sleep, within
from cli.session.thinking import Thinking
from cli.session.until import Until
from cli.wording.fair import unclaimed
from engine.bots.levels import BotLevel
from engine.table.events import Passed
from engine.table.table import ENDED, RoundPhase
from netgame.io.door.codes import JoinCode
from netgame.io.node.node import Node
from netgame.protocol import notices
from netgame.protocol.notices import LaidOpen
from netgame.protocol.peer.view import TableStage, TableView
from netgame.wire.messages import Settings

_QUIET_S: Final = 1.0
_CATCH_UP_S: Final = 6.0
"""A returning player has caught up after this much quiet, or after this long in all."""

_LOOK_S: Final = 0.25
"""Seconds between two looks for changes that come without a notice, such as who is missed."""


class Session:
    """One person at the table of one `node`, from sitting down until a way out is taken.

    It tells each notice, shows hands and cards, and keeps table and status line up to date. Each
    part owns its state; the methods here are those that verbs or several parts need. `sit` makes
    one session per table, and runs all its `tasks`.
    """

    def __init__(self, node: Node, front: FrontEnd, sitting: Sitting, tasks: Tasks) -> None:
        self.node = node
        self.front = front
        self.sitting = sitting
        self.tasks = tasks
        resumable, was_refused = sitting.resumable, sitting.visit.was_refused
        self.way_out = WayOut(node, front, resumable=resumable, was_refused=was_refused)
        self.desk = Desk(node, front, teacher=sitting.teacher)
        self.desk.offers_trains = sitting.offers_trains
        self.moves = Moves(node, front, tasks, self.desk)
        self.take_habits(sitting.habits)
        question = SeatQuestion.WAITS if sitting.looks_first else SeatQuestion.SETTLED
        self.invitation = Invitation(node, front, sitting, self.way_out, self.desk, question)
        self.commentary = Commentary(
            node.key,
            front,
            self.moves.draws,
            reminds=not sitting.auto,
            absence=OwnAbsence.RETURNS if sitting.visit.returns else OwnAbsence.HERE,
        )
        self.advice = AbsenceAdvice(node, front, self.commentary.contacts, self.way_out, tasks)
        self.pause = RoundPause(front, reads=self.is_read)
        self.next_table = NextTable(node, front, sitting, self.way_out, tasks)
        self.reviews = Reviews(node, front, tasks, self.pause, self.refresh)
        self.end_of_game = EndOfGame(
            node, front, sitting, self.pause, self.way_out, self.next_table, is_read=self.is_read
        )
        self.last_answer = LastAnswer(node, front)
        self.thinking = Thinking(node, front, tasks, repeats=sitting.seed is not None)
        self._turn = 0  # the seat in turn at the last play
        self._owes_table = False  # show the table as soon as it stops changing
        self._was_owed = False
        self.asked_to_start = False  # a host alone with bots was asked whether to begin

    def take_habits(self, habits: Habits) -> None:
        """Apply a person's settings from now on, but keep a hand arrangement made at this table."""
        self.way_out.confirms = habits.confirms
        self.desk.usual = HandLayout(habits.order)
        self.desk.asks_draw = habits.asks_draw and self.is_read
        self.moves.grace_s = habits.grace_s

    @property
    def is_read(self) -> bool:
        """True if a person plays and reads here, not a script or a bot in their place."""
        return self.front.asks_back and not self.sitting.auto

    # ---- before the person ------------------------------------------------------------------

    def answer(self, text: str, /, **facts: object) -> None:
        """Say a sentence to the person, with `facts` for its placeholders."""
        self.front.say(say(text, **facts))

    @property
    def on_enter(self) -> Suggestion | None:
        """The answer that Enter gives to the open yes-or-no question; None if none is open."""
        if self.way_out.asks:
            return Suggestion(say("no"), plays=True)
        return Suggestion(say("yes"), plays=True) if self.invitation.asks else None

    async def answered(self, word: str) -> bool:
        """Answer the open question with this word; return False if it answers no open question.

        A question stays open until it is answered.
        """
        asked = await self.way_out.answered(word) or await self.invitation.answered(word)
        return asked or self.desk.declines(word)

    def is_too_late(self, until: Until) -> bool:
        """Return True, and say so, if it is later than the time that `until` names.

        `ROUND_ENDS` is past at the card of a round; after the game, it and `GAME_ENDS` are past.
        """
        if until is Until.ROUND_ENDS and self.pause.stands:
            self.answer(NOT_NOW)
        elif until is not Until.TABLE_ENDS and is_over(self.node.view()):
            self.next_table.say_over()
        else:
            return False
        return True

    def place(self) -> CompletionContext:
        """Return what a line is about: the round whose card is up, else the table or its lobby."""
        place = self.pause.scene() or self.desk.place()
        muted = self.sitting.muted
        if place is not None:
            talkers = muted.others(self.node.view(), self.node.key).values()
            place = replace(place, talkers=(*talkers,), muted=(*muted.names.values(),))
        if isinstance(place, Scene) and self.sitting.seed is not None:
            return replace(place, mixers=())
        return place

    def show_again(self) -> None:
        """Show the card again if there is one, else the table, else the lobby.

        After the game, show the last card and the result. While catching up without a card, say so
        instead.
        """
        if self.pause.show_again():
            if not self.pause.stands:
                self.end_of_game.say_again()
            return
        if self.node.view().catching_up:
            self.answer(CATCHING_UP)
        elif not self.desk.show():
            self.invitation.show_again()

    def was_seen(self, scene: Scene | None) -> bool:
        """Return True if the screen showed the present plays when the typing of the line began.

        Always True in a script.
        """
        seen = self.front.seen
        return seen is None or (scene is not None and seen == choices(scene))

    # ---- the table --------------------------------------------------------------------------

    def table_begun(self) -> Scene | None:
        """Return the table as it is; before the game, say so and return None."""
        scene = scene_of(self.node.view())
        if scene is None:
            self.answer(NOT_BEGUN)
        return scene

    async def table_in_play(self) -> Scene | None:
        """Return the table once it can be played at; before the game, say so and return None.

        A script's line waits until its hand (for a watcher, the table) has arrived and its log has
        caught up. A person's line does not wait: the company may be moving to another table.
        """
        watches = self.sitting.watches
        await self.hold(
            lambda view: bool(view.hand or (watches and view.table)) and not view.catching_up
        )
        return self.table_begun()

    async def hold(self, ready: Callable[[TableView], bool]) -> None:
        """Make a script's line wait until the view is `ready` or the table is over.

        Return at once for a person, and in the lobby for a host whose next line may be `start`.
        """
        while not self.front.asks_back:
            changed = self.node.when_changed()
            view = self.node.view()
            begins_by_itself = self.sitting.starts_itself or not view.is_host
            waits_for_start = view.stage is TableStage.LOBBY and not begins_by_itself
            if ready(view) or waits_for_start or is_over(view):
                return
            await changed.wait()

    def join_code(self) -> JoinCode | None:
        """Return the join code for newcomers; None at a hidden table, or if there is none here."""
        return None if self.node.is_hidden else self.node.door.shown

    # ---- a host's table ---------------------------------------------------------------------

    async def reopen(
        self,
        said: str,
        *,
        bots: tuple[BotLevel, ...] | None = None,
        settings: Settings | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        """Say `said` to everybody here and end this session with the offer to reopen the table.

        Only a host may call this, before the game. The caller of `sit` reopens the table, and the
        other programs tell their players that they stay. None keeps the `bots` or `settings` of
        this table. The new bots take the `names`.
        """
        await self.node.chat(said)
        self.way_out.end(NextTableOffer(Anew(bots, settings, names)))

    # ---- news of the table ------------------------------------------------------------------

    async def hear(self) -> None:
        """Tell the notices of the table in order, until they end or this is cancelled.

        Save the desk and refresh the screen after each. While a card is up, notices of play wait
        behind it. Once a way out is taken, tell only talk: a host often says something just before
        leaving for the next table.
        """
        async for notice in self.node.notices:
            log_notice(notice)
            talk = notices.ChatHeard | notices.AgainHeard
            is_late = self.way_out.is_taken and not isinstance(notice, talk)
            is_hidden = self.sitting.muted.hides(notice)
            if not (is_late or is_hidden or self.pause.holds(notice)):
                await self._take(notice)
                await self.desk.keep()
            self._settle()
            await self.sitting.has_read()

    async def go_on(self) -> None:
        """Take the card away, and tell what has happened while it was up.

        If that brings up another card, later notices wait behind it.
        """
        for notice in self.pause.end():
            if not self.pause.holds(notice):
                await self._take(notice)
        self._settle()

    async def _turn_over(self, card: RoundCard) -> None:
        """Take this card away after `CARD_S` seconds, unless it is gone by then."""
        await sleep(CARD_S)
        if self.pause.card is card:
            await self.go_on()

    async def watch(self) -> None:
        """Keep the status line up to date, even on changes without a notice, until cancelled.

        Renew or close an answer that is still on the screen when its subject has changed.
        """
        while True:
            moved = self.node.when_moved()
            self._settle()
            await self.last_answer.renew()
            await moved.wait()
            await sleep(_LOOK_S)

    def _settle(self) -> None:
        """Refresh the status line; then show the table if that is owed and no card is up.

        While a card is up, answer a search for the engine instead.
        """
        self.refresh()
        if self.pause.stands:
            self.moves.answer_search()
        elif self._owes_table and not self.way_out.is_taken:
            self._show_owed()

    def _show_owed(self) -> None:
        """Show the table that is owed, or this seat's turn, unless it is about to change.

        Show nothing before or after the game, or if this very table was the last one shown.
        """
        view = self.node.view()
        scene = scene_of(view)
        if view.catching_up or (scene is not None and _is_to_change(view, scene)):
            return
        self._owes_table, self._was_owed = False, True
        if scene is None or is_over(view) or self.desk.shown == scene.table:
            return
        if view.can_move and not self.sitting.auto:
            self._your_turn()
        else:
            self.desk.show()

    def _your_turn(self) -> None:
        """Show this seat's turn; for a person, close any old review and begin to seek a hint."""
        self.moves.your_turn()
        view = self.node.view()
        scene = scene_of(view)
        if scene is not None and self.is_read and self.moves.has_shown(view):
            self.reviews.make_way(self.last_answer)
            self.thinking.begin(scene)

    async def show_to_returned(self) -> None:
        """Show the table to a person who has come back, once they have been told what they missed.

        Show nothing if it is their turn, a card is up, or the table was shown meanwhile.
        """
        await within(_CATCH_UP_S, self._quiet)
        self.commentary.has_read(AbsenceRead.MISSED)
        if not (self.node.view().can_move or self.pause.stands or self._was_owed):
            self._owes_table = True
            self._settle()

    async def _quiet(self) -> None:
        while await within(_QUIET_S, self.node.when_changed().wait):
            pass

    def refresh(self) -> None:
        """Give the front end the present status line, completion and suggestion."""
        view = self.node.view()
        place, asks = self.place(), self.desk.asks_draw
        status = status_text(view, at_card=self.pause.stands, asks_draw=asks)
        beside, answer = self.desk.beside(place), self.on_enter
        if answer is not None:  # Enter answers, and neither plays nor turns the card over
            beside = structs.replace(beside, asks=True, back="n", suggestion=answer, notes=())
        elif self.pause.stands:
            status = f"{say('press Enter')} | {status}"
        elif self.moves.holds:
            beside = structs.replace(beside, back="back")
        if progress := self.reviews.progress:
            status = f"{progress} | {status}"
        self.front.scene_is(place, status, beside)

    async def _take(self, notice: notices.Notice) -> None:
        scene = scene_of(self.node.view())
        if self.sitting.seed is not None:
            notice = unclaimed(notice)
        self._tell(scene, notice)
        match notice:
            case notices.Dealt() | notices.Played() | notices.MovesUndone() if scene is not None:
                if isinstance(notice, notices.Dealt):
                    self.moves.forget()
                self._show_onlooker(scene)
                if not self.sitting.auto:
                    self._show_seated(scene, notice)
            case notices.LobbyChanged():
                self.invitation.lobby_changed()
                if self.sitting.on_wall:  # show the room the evening so far of the seated people
                    self.tasks.start_soon(self.end_of_game.show_evening)
            case notices.YourTurn() if not self.sitting.auto:
                self._your_turn()
            case notices.RoundOver(end=end) if scene is not None:
                self._round_over(scene, end)
            case notices.GameOver(end=end):
                card = None
                if scene is not None and end is not None:
                    card = card_of(end, scene, self.node.view(), is_last=True)
                await self.end_of_game.tell(scene, card)
            case notices.CaughtUp():
                self._owes_table = True
                self.invitation.caught_up()
            case _:
                self._end_by(notice)
        self.next_table.hear(notice)
        self.invitation.ask()

    def _tell(self, scene: Scene | None, notice: notices.Notice) -> None:
        view = self.node.view()
        if not self.next_table.is_to_be_expected(notice):
            self.commentary.take(scene, notice, view)
        self.desk.follow(scene, notice)
        self.moves.follow(notice)
        self.advice.hear(notice)
        self.reviews.follow(notice)

    def _show_onlooker(self, scene: Scene) -> None:
        """Show the board to a person without a seat each time that play has gone round the table.

        Do not show it on a screen that keeps the board, or while catching up.
        """
        before, self._turn = self._turn, scene.table.to_move
        comes_round = not scene.sits and self._turn < before and self.front.asks_back
        shows = comes_round and not self.front.keeps_board
        if shows and not self.node.view().catching_up:
            self.front.show(board_lines(scene, self.front.canvas()))

    def _show_seated(
        self, scene: Scene, notice: notices.Dealt | notices.Played | notices.MovesUndone
    ) -> None:
        """Show the table after a deal, and to a person after their own pass.

        Show nothing while catching up, or after a deal if this seat plays first: its turn shows the
        table. When moves other than draws are undone, the table is owed, and shown once it settles.
        """
        if isinstance(notice, notices.MovesUndone):
            shows = scene.seat is not None or self.front.asks_back
            self._owes_table |= shows and not notice.only_draws
            return
        if self.node.view().catching_up:
            return
        if isinstance(notice, notices.Dealt):
            begins = scene.table.phase is RoundPhase.PLAY and scene.table.to_move == scene.seat
            shows = scene.hand is not None and not scene.can_move and not begins
        else:
            passed = any(isinstance(event, Passed) for event in notice.events)
            own = notice.seat == scene.seat and scene.table.phase not in ENDED
            shows = passed and own and self.front.asks_back
        if shows:
            self.desk.show()

    def _end_by(self, notice: notices.Notice) -> None:
        """End the session if this notice leaves no reason to stay; follow a host to the next table.

        Being refused a seat in a later round ends only a script that does not stay to watch. A
        refused move that this program chose ends only a script; a bot's refused move ends nothing.
        """
        may_watch = self.front.asks_back or self.sitting.stays
        match notice:
            case notices.TableClosed() if is_closed_lobby(notice, self.node.view()):
                self.next_table.come_along(notice)
            case notices.TableClosed():
                self.way_out.end(ExitCode.FAILED)
            case notices.HostMoved():
                self.next_table.host_moved()
            case notices.SeatRefused() | notices.OtherRules():
                self.way_out.end(ExitCode.REFUSED)
            case notices.SeatLater(granted=False) if not may_watch:
                self.way_out.end(ExitCode.REFUSED)
            case notices.Trouble(notices.TroubleKind.MOVE_REFUSED, of_bot=of_bot):
                self.way_out.was_refused = True
                if not (of_bot or self.front.asks_back):
                    # nobody is here to play the seat instead, and the others would wait for it
                    self.tasks.start_soon(self.way_out.leave)
            case _:
                pass

    def _round_over(self, scene: Scene, end: LaidOpen | None) -> None:
        """Show the card of a round and keep it up, or show only the scores if there is no `end`.

        The card does not stay up for a watcher. If other people wait, remove it after `CARD_S`.
        """
        if end is None:
            self.front.tell(ScoresShown(scene))
            return
        card = card_of(end, scene, self.node.view())
        self.front.tell(card)
        self.pause.seen = card
        if not scene.sits:
            return  # no card holds up a watcher: the table may be rounds further on
        waited_for = self.moves.others_wait
        self.pause.begin(card, ends=waited_for)
        if self.pause.stands and waited_for:
            self.tasks.start_soon(self._turn_over, card)


def _is_to_change(view: TableView, scene: Scene) -> bool:
    """Return True if a new table or this seat's turn comes so soon that showing this one can wait.

    This is so while the boneyard is being mixed, or when this seat is to move and everybody who
    must still sign is in reach.
    """
    here = all(view.seats[seat].in_reach for seat in scene.awaited)
    in_turn = scene.table.to_move == scene.seat and scene.table.phase is RoundPhase.PLAY
    return scene.is_mixing or (scene.sits and in_turn and here and not view.can_move)
