"""The end of a game for one person: card, result, evening and last words, and what comes then."""

import math
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from cli.exits import ExitCode
from cli.kept import evening_of, evening_until, summary_of
from cli.results.summary import Player, Summary, summary_of_view
from cli.scene import RoundCard, Scene, convicts_of, scene_of
from cli.session.endings.last_words import last_words
from cli.session.endings.next_table import NextTable
from cli.session.endings.round_pause import RoundPause
from cli.session.frontend import EveningShown, FrontEnd, ScoresShown
from cli.session.sitting import Sitting
from cli.session.stay import WayOut, is_over
from cli.session.tasks import Lock, in_thread, within
from cli.wording.convicts import stopped_texts
from cli.wording.game_end import GameEnd
from netgame.errors import NetgameError
from netgame.io.node.node import Node
from netgame.protocol.peer.view import TableStage

_FINISH_PATIENCE_S: Final = 15.0
"""After the last score; the core leaves by itself after 10 s [limits.LEAVE_AFTER_S]."""

READ_S: Final = 6.0
"""A person waits no longer for what records tell of a game; usually it takes a second."""


@dataclass(slots=True)
class EndOfGame:
    """Tells the end of a game, and ends the session with it, unless another game may follow."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    pause: RoundPause
    way_out: WayOut
    next_table: NextTable
    is_read: bool
    """True if a person reads here, who waits for no record that takes too long."""
    _telling: Lock = field(default_factory=Lock)
    """Held while the end is told."""

    async def tell(self, scene: Scene | None, card: RoundCard | None) -> None:
        """Show card, result and evening, and say where the record is; ask for another game.

        Without a card only the scores are shown. If nobody can be asked, the session ends in a
        while even if the table should never say that it is done.
        """
        async with self._telling:
            if scene is not None:
                await self._show_result(scene, card)
            self._say_last()
            if not self.next_table.ask():
                self.way_out.end_after(_FINISH_PATIENCE_S)

    def say_again(self) -> None:
        """Say once more what can be done now that the game is over."""
        self._say_last()
        self.next_table.say_what_follows()

    def _say_last(self) -> None:
        for sentence in last_words(self.node, self.sitting):
            self.front.say(sentence)

    async def _show_result(self, scene: Scene, card: RoundCard | None) -> None:
        if card is not None:
            self.pause.last = card if self.pause.reads else None
        self.front.tell(card or ScoresShown(scene))
        told, view = await self._told(), self.node.view()
        result = GameEnd(scene, told, view.departures, convicts_of(view))
        self.pause.result = result if self.pause.reads else None
        self.front.tell(result)
        await self.show_evening()

    async def is_told(self) -> None:
        """Return once nothing of the game's end is being told: what is typed comes after that."""
        async with self._telling:
            pass

    async def end_with_table(self) -> None:
        """Wait until the game is over for everybody, or the table has halted; then end the session.

        A halted table ends it as failed, and says with what result. Where another game may follow,
        it goes on instead; a closed lobby ends elsewhere.
        """
        await self.node.finished.wait()
        stage = self.node.view().stage
        if stage is TableStage.LOBBY:
            return  # what closes it says whether there is another
        halted = stage is TableStage.HALTED
        await self.is_told()
        if halted:
            self._tell_stop()
        if halted or not self.next_table.ask():
            self.way_out.end(ExitCode.FAILED if halted else ExitCode.OK)

    def _tell_stop(self) -> None:
        """Say that the game ends with a fault, how it stood, and what proves who cheated."""
        view = self.node.view()
        for text in stopped_texts(scene_of(view), convicts_of(view)):
            self.front.say(text)
        self._say_last()

    # ---- what the records tell --------------------------------------------------------------

    async def _told(self) -> Summary:
        """Return what the record tells of the game; a person who waits too long gets less.

        That is what the view tells, also if there is no record that can be read.
        """
        view, folder = self.node.view(), self.node.folder
        found = summary_of_view(view)

        async def read() -> None:
            nonlocal found
            if folder is not None:
                with suppress(NetgameError):
                    work = partial(summary_of, folder.path)
                    found = await in_thread(work, is_left_behind=True)

        await within(self._patience_s, read)
        return found

    async def show_evening(self) -> None:
        """Show what the games of the evening come to, once there was one at another table.

        Before a game it is the evening of those who have played at the last table. Nothing is shown
        if this table keeps no record, or to a person who waits too long for the records.
        """
        view, folder, last = self.node.view(), self.node.folder, self.sitting.visit.last
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

        await within(self._patience_s, show)

    @property
    def _patience_s(self) -> float:
        """How many seconds what the records tell is waited for: infinity in a script."""
        return READ_S if self.is_read else math.inf
