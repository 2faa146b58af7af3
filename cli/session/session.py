"""One person at one table: a machine of parts, and what a verb may ask of it.

Two things make its state. What the table does is in the view of the node, and never kept here: it
forms (`LOBBY`), it plays, it is over. What stands before the person is kept by three parts; what
they are offered beside it, by `desk`, `moves` and `next_table`:

    stands                      kept by       a line that answers it      all other lines
    leave the table?            way_out       yes, no, Enter, `quit`      close the question
    sit down?                   invitation    yes, no, Enter              leave it open
    the card of a round         pause         Enter: the next round       Until.ROUND_ENDS: not now
    the table, or its lobby                   Enter: what is planned      as the verb has it

The first of these that a line answers takes it (`answered`, `loop`). While a card stands, notices
of play wait with it; all others are heard at once (`RoundPause.holds`). What is offered is about
the `place`: the round of the card, else the table as it is. After the game `Until` bars what makes
no sense any more, and `next_table` follows the company.

Notices come in by `SeatNews`, lines by `loop`; both may change what stands, and each shows it when
it has done so. The board is made of the view whenever it is needed. What was shown is kept where a
later line may mean it: a card and its result (`RoundPause`), numbered plays (`Moves`), the last
answer (`Desk`).
"""

import math
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Final, TypeVar

from cli.kept import evening_of, evening_until
from cli.language import say
from cli.render.hand import Suggestion
from cli.render.layout import HandLayout
from cli.results.summary import Player
from cli.scene import CompletionContext, Scene, choices, scene_of
from cli.session.answers import CATCHING_UP, NOT_BEGUN
from cli.session.commentary import Commentary
from cli.session.desk import Desk
from cli.session.frontend import EveningShown, FrontEnd
from cli.session.invitation import Invitation
from cli.session.moves import Moves
from cli.session.next_table import NextTable
from cli.session.review import Reviews
from cli.session.round_pause import NOT_NOW, RoundPause
from cli.session.stay import NextTableOffer, SessionOptions, WayOut, is_over
from cli.session.tasks import Lock, Signal, Stoppable, Tasks, from_thread, in_thread, within
from cli.session.until import About, OnChange, Until
from cli.wording.hints import hint_sentence
from engine.bots.advice import advise
from engine.bots.effort import Effort, never
from engine.bots.levels import BotLevel
from engine.view import SeatView
from netgame.crypto.group import Entropy
from netgame.io.door.codes import JoinCode
from netgame.io.node.node import Node
from netgame.io.tables.again import level_of
from netgame.io.tables.bot import effort_for_move, informed
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView
from netgame.wire.messages import Settings

T = TypeVar("T")

READ_S: Final = 6.0
"""A person waits no longer for what records tell of a game; usually it takes a second."""


class Session:
    """One person at the table of one `node`, from sitting down until a way out is taken.

    Its parts each hold a state of their own; its methods are what verbs and several parts need.
    `sit` makes one for each table, and runs all its `tasks`.
    """

    def __init__(self, node: Node, front: FrontEnd, sitting: SessionOptions, tasks: Tasks) -> None:
        self.node, self.front, self.sitting, self.tasks = node, front, sitting, tasks
        self.way_out = WayOut(node, front, sitting.confirms, sitting.resumable, sitting.was_refused)
        self.desk = Desk(node, front, HandLayout(sitting.order), sitting.wish)
        self.moves = Moves(node, front, tasks, self.desk, sitting.grace_s)
        self.invitation = Invitation(
            node, front, sitting, self.way_out, self.desk, sitting.looks_first
        )
        self.commentary = Commentary(
            front, self.moves.draws, reminds=not sitting.auto, returns=sitting.returns
        )
        self.pause = RoundPause(front, reads=self.is_read)
        self.next_table = NextTable(node, front, sitting, self.way_out, tasks)
        self.reviews = Reviews(node, front, tasks)
        self._answer: tuple[OnChange, About, Callable[[], Awaitable[None]]] | None = None
        self._answering, self._answered_of = Lock(), tuple[object, ...]()
        self._hint = Signal()

    @property
    def is_read(self) -> bool:
        """Whether a person plays and reads here: no script, and no bot in their place."""
        return self.front.asks_back and not self.sitting.auto

    # ---- what stands before the person ------------------------------------------------------

    def answer(self, text: str, /, **facts: object) -> None:
        """Say a sentence with its facts to the person."""
        self.front.say(say(text, **facts))

    def explain(self, sentence: str) -> None:
        """Tell a sentence that was asked for: beside the board if a screen keeps it, else said."""
        if self.front.keeps_board:
            self.front.show(self.front.canvas().prose(sentence))
        else:
            self.front.say(sentence)

    async def give_answer(
        self, on_change: OnChange, about: About, give: Callable[[], Awaitable[None]]
    ) -> None:
        """Give what was asked for, and remember what becomes of it once what it is about changes.

        It returns once `give` has. Only one answer is given at a time: others wait.
        """
        async with self._answering:
            self._answer, self._answered_of = (on_change, about, give), about(self.node.view())
            await give()

    async def renew_answer(self) -> None:
        """Give the last answer anew, or close it, if it stands and what it is about has changed.

        Once for each change: that depends on whether it `RENEWS` or `CLOSES`; one that `HOLDS`
        stays. One that is closed meanwhile is not given. It does nothing while an answer is being
        given.
        """
        if self._answering.locked() or self._answer is None:
            return
        (on_change, about, give), before = self._answer, self._answered_of
        self._answered_of = about(self.node.view())
        if on_change is OnChange.HOLDS or self._answered_of == before:
            return
        with Stoppable() as renewal:
            if self.front.renews(renewal.cancel):
                async with self._answering:
                    if on_change is OnChange.RENEWS:
                        await give()
                    self.front.show(())  # closes what was not given anew

    @property
    def on_enter(self) -> Suggestion | None:
        """Return how Enter answers the question that waits for a yes or no; None if none does."""
        if self.way_out.asks:
            return Suggestion(say("no"), plays=True)
        return Suggestion(say("yes"), plays=True) if self.invitation.asks else None

    async def answered(self, word: str) -> bool:
        """Do what a word says to the question that stands; False if it answers none.

        Any word closes the question whether to leave. That about a seat stays until it is answered.
        """
        return await self.way_out.answered(word) or await self.invitation.answered(word)

    def is_too_late(self, until: Until) -> bool:
        """Whether it is too late for something that makes sense `until` then; a person is told.

        `ROUND_ENDS` is past at the card of a round too, and both it and `GAME_ENDS` after the game.
        """
        if until is Until.ROUND_ENDS and self.pause.stands:
            self.answer(NOT_NOW)
        elif until is not Until.TABLE_ENDS and is_over(self.node.view()):
            self.next_table.say_over()
        else:
            return False
        return True

    def place(self) -> CompletionContext:
        """Return what is typed about: the round whose card stands, else the table or its lobby."""
        return self.pause.scene() or self.desk.place()

    def show_again(self) -> None:
        """Show the card that stands once more, else the table, else the lobby.

        After the game it is the last card and the result. While catching up, without a card, that
        is said instead.
        """
        if self.pause.show_again():
            return
        if self.node.view().catching_up:
            self.answer(CATCHING_UP)
        elif not self.desk.show():
            self.invitation.show_again()

    async def show_evening(self) -> None:
        """Show what the games of the evening come to, once there was one at another table.

        Before a game it is the evening of those who have played at the last table. Nothing is shown
        if this table keeps no record, or to a person who waits too long for the records.
        """
        view, folder, last = self.node.view(), self.node.folder, self.sitting.last
        players = [Player(each.name, each.key.hex(), each.bot) for each in view.seats]
        if last is not None and view.stage is TableStage.LOBBY:
            read = partial(evening_until, last)
        elif folder is not None:
            read = partial(evening_of, folder.path, players, is_over=is_over(view))
        else:
            return

        async def show() -> None:
            games = await in_thread(read, is_left_behind=True)
            if any(game.game != view.table_id.hex() for game in games):
                self.front.tell(EveningShown(games))

        await within(self.patience_s, show)

    @property
    def patience_s(self) -> float:
        """How many seconds what the records tell is waited for: infinity in a script."""
        return READ_S if self.is_read else math.inf

    def was_seen(self, scene: Scene | None) -> bool:
        """Whether the plays of now were on the screen when the line was begun; True in a script."""
        seen = self.front.seen
        return seen is None or (scene is not None and seen == choices(scene))

    # ---- the table --------------------------------------------------------------------------

    def table_begun(self) -> Scene | None:
        """Return the table as it is; None before the game, which is said."""
        scene = scene_of(self.node.view())
        if scene is None:
            self.answer(NOT_BEGUN)
        return scene

    async def table_in_play(self) -> Scene | None:
        """Return the table, or None before the game, which is said.

        A script's line waits until its hand is there, or for a watcher the table, and all is caught
        up. A person's does not: the table may be on its way to another.
        """
        watches = self.sitting.watches
        await self.hold(
            lambda view: bool(view.hand or (watches and view.table)) and not view.catching_up
        )
        return self.table_begun()

    async def hold(self, ready: Callable[[TableView], bool]) -> None:
        """Hold a script's line until it is `ready` or the table over: scripts need no timing.

        It returns at once for a person, and in the lobby for a host whose next line may be `start`.
        """
        while not self.front.asks_back:
            changed = self.node.when_changed()
            view = self.node.view()
            begins_by_itself = self.sitting.starts_itself or not view.is_host
            waits_for_start = view.stage is TableStage.LOBBY and not begins_by_itself
            if ready(view) or waits_for_start or is_over(view):
                return
            await changed.wait()

    async def thought(
        self,
        scene: Scene,
        think: Callable[[SeatView, Entropy, Effort], T],
        is_cut: Callable[[], bool] = never,
    ) -> T:
        """Return what `think` makes, in a thread, of what this seat knows.

        Of the same step it comes to the same in a game from a seed; in others a clock limits it. It
        ends sooner once `is_cut`.
        """
        view = self.node.view()
        chance = Random(view.step).randbytes

        def is_stopped() -> bool:
            from_thread(None)
            return is_cut()

        effort = effort_for_move(repeats=not self.sitting.resumable, is_stopped=is_stopped)
        return await in_thread(lambda: think(informed(view, scene.table), chance, effort))

    async def hint(self, scene: Scene) -> None:
        """Say what an expert would do; a person may type on meanwhile, a script waits.

        Asked again, or by a move, the last hint comes at once, as good as it is. Out of turn none
        comes.
        """
        self.cut_hint()
        self._hint = asked = Signal()

        async def tell() -> None:
            advice = await self.thought(scene, advise, lambda: asked.is_given)
            if advice is not None:
                is_past = self.node.view().table is not scene.table
                (self.front.say if is_past else self.explain)(hint_sentence(scene, advice))

        if self.front.asks_back:
            self.tasks.start_soon(tell)
        else:
            await tell()

    def cut_hint(self) -> None:
        """Have a hint that is still thought about come at once; nothing if none is."""
        self._hint.give()

    def join_code(self) -> JoinCode | None:
        """Return what newcomers are asked for; None for nothing, or on a hidden table."""
        return None if self.node.is_hidden else self.node.door.code

    # ---- a host's table ---------------------------------------------------------------------

    async def send_bot_away(self, gone: SeatInfo) -> None:
        """Say it to all, and `reopen` the table with the other bots, who keep their names."""
        view = self.node.view()
        left = [bot for bot in self.node.bots if bot.key != gone.key]
        await self.reopen(
            say("{name} leaves the table.", name=gone.name),
            bots=tuple(map(level_of, left)),
            names=tuple(view.name_of(bot.key) for bot in left),
        )

    async def reopen(
        self,
        said: str,
        *,
        bots: tuple[BotLevel, ...] | None = None,
        settings: Settings | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        """Say it to all, oneself included, and end this session with the offer to open it anew.

        The caller of `sit` opens it. This is for a host before the game. Give `bots` or `settings`,
        without which the next table counts as one after a game; None keeps those of this table. The
        new bots take the `names`.
        """
        await self.node.chat(f"{said} {say('I open the table anew, and you come along.')}")
        self.way_out.end(NextTableOffer(bots=bots, settings=settings, names=names))
