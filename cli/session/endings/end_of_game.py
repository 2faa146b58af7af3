"""The end of a game for one person: card, result, evening, last words, and the next table."""

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
"""The longest that a session lasts after the last score if no game may follow; the core leaves by
itself after 10 s [limits.LEAVE_AFTER_S]."""

READ_S: Final = 6.0
"""The longest that a person waits while records are read; usually it takes a second."""


@dataclass(slots=True)
class EndOfGame:
    """The end of a game, which also ends the session unless another game may follow."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    pause: RoundPause
    way_out: WayOut
    next_table: NextTable
    is_read: bool
    """True if a person reads here, who should not wait long for a record."""
    _telling: Lock = field(default_factory=Lock)
    """Locked while the end is being told."""

    async def tell(self, scene: Scene | None, card: RoundCard | None) -> None:
        """Show card, result and evening, and say the last words; ask for another game.

        Without a card, show the scores in its place. If no other game may follow, the session ends
        after `_FINISH_PATIENCE_S` even if the table never reports its end.
        """
        async with self._telling:
            if scene is not None:
                await self._show_result(scene, card)
            self._say_last()
            if not self.next_table.ask():
                self.way_out.end_after(_FINISH_PATIENCE_S)

    def say_again(self) -> None:
        """Say the last words again, and ask again for another game."""
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
        """Wait while the end of the game is being told, so that a typed line comes after it."""
        async with self._telling:
            pass

    async def end_with_table(self) -> None:
        """Wait until the game is over for everybody, or the table has halted; then end the session.

        If the table has halted, tell the result, and end the session as failed. If another game may
        follow, the session goes on instead. For a closed lobby do nothing: the notice of the
        closing decides.
        """
        await self.node.finished.wait()
        stage = self.node.view().stage
        if stage is TableStage.LOBBY:
            return  # the notice that closes the lobby decides whether another follows
        halted = stage is TableStage.HALTED
        await self.is_told()
        if halted:
            self._tell_stop()
        if halted or not self.next_table.ask():
            self.way_out.end(ExitCode.FAILED if halted else ExitCode.OK)

    def _tell_stop(self) -> None:
        """Say that a fault has ended the game, what the score was, and how to prove who cheated."""
        view = self.node.view()
        for text in stopped_texts(scene_of(view), convicts_of(view)):
            self.front.say(text)
        self._say_last()

    # ---- records ----------------------------------------------------------------------------

    async def _told(self) -> Summary:
        """Return the summary from the record, or a shorter one from the view.

        It is from the view if no record can be read, or if that takes longer than a person should
        wait.
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
        """Show the evening's games, added up, if one of them was at another table.

        Before a game, show the evening up to the last table. Show nothing if this table keeps no
        record, or if reading the records takes longer than a person should wait.
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
        """The longest wait for records, in seconds; infinity in a script."""
        return READ_S if self.is_read else math.inf
