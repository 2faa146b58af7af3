"""Whoever stands behind a player and says what to do next: a screen before the real screen."""

import trio

from cli.drawn.hand import BARE, Picture
from cli.language import say
from cli.learn.lessons import Lesson, lesson_for, play_text
from cli.scene import RoundCard, Scene, lays
from cli.seat.frontend import FrontEnd, Happened, Occasion, TurnBegins
from cli.typed.complete import Place
from cli.typed.grammar import LEAVING
from engine.table.events import Passed, TileDrawn
from engine.table.moves import LayTile
from netgame.protocol.notices import Notice, Played


class Coach:
    """Adds a lesson to what `front` shows, where a turn is good for one.

    After the round, or whenever the player wants to leave, `scope` is cancelled.
    """

    def __init__(self, front: FrontEnd, scope: trio.CancelScope) -> None:
        self.front = front
        self.scope = scope
        self.learnt: set[Lesson] = set()
        self._wanted: LayTile | None = None
        self._place: Place = None
        self._drew = False
        self._told_off = False

    def __getattr__(self, name: str) -> object:
        """Be the screen in all else."""
        return getattr(self.front, name)

    def say(self, sentence: str) -> None:
        """Pass it on; after a typed line it is the answer to that."""
        self._told_off = True
        if not self.scope.cancel_called:
            self.front.say(sentence)

    def tell(self, occasion: Occasion) -> None:
        """Pass it on, and teach what it shows."""
        self.front.tell(occasion)
        match occasion:
            case TurnBegins(scene):
                found = lesson_for(scene, self.learnt)
                self._wanted = None
                if found is not None:
                    lesson, self._wanted = found
                    self._teach(lesson, lesson.sentence(play_text(scene, self._wanted)))
            case Happened(notice):
                self._told_off = False
                self._teach_pass(notice)
            case RoundCard():
                self._wanted = None
                self._teach(Lesson.SCORE, Lesson.SCORE.sentence(""))
                self.scope.cancel()
            case _:
                pass

    def scene_is(self, place: Place, status: str, beside: Picture = BARE) -> None:
        """Pass it on, and learn whose turn it is."""
        self._place = place
        self.front.scene_is(place, status, beside)

    def _teach_pass(self, notice: Notice) -> None:
        """Teach drawing where the tile did not fit, so that no turn of one's own shows it."""
        own = self._place.seat if isinstance(self._place, Scene) else None
        if not isinstance(notice, Played) or notice.seat != own:
            return
        passed = any(isinstance(event, Passed) for event in notice.events)
        if self._drew and passed and self.learnt and Lesson.DRAW not in self.learnt:
            text = (
                "Nothing you held fitted, so you drew a tile from the boneyard. It did not fit "
                "either, and your turn was over."
            )
            self._teach(Lesson.DRAW, say(text))
        self._drew = any(isinstance(event, TileDrawn) for event in notice.events)

    def _teach(self, lesson: Lesson, sentence: str) -> None:
        self.learnt.add(lesson)
        facts = {"number": len(self.learnt), "lessons": len(Lesson), "title": lesson.title}
        text = "Lesson {number} of {lessons}, {title}: {sentence}"
        self.front.say(say(text, **facts, sentence=sentence))

    async def next_line(self) -> str | None:
        """Return the next line; if something was said to the last one, say what would be a move."""
        scene, move = self._place, self._wanted
        if self._told_off and isinstance(scene, Scene) and move is not None and move in lays(scene):
            wanted = play_text(scene, move)
            self.front.say(say("It is still your turn. The lesson wants: {play}", play=wanted))
        line = await self.front.next_line()
        if line is None or line.strip().lower() in LEAVING:
            self.scope.cancel()
            await trio.sleep_forever()
        self._told_off = False
        return line
