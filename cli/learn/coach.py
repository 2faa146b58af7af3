"""Whoever stands behind a player and says what to do next: a screen before the real screen."""

import trio

from cli.language import say
from cli.learn.lessons import Lesson, lesson_for, play_text
from cli.scene import RoundCard
from cli.seat.frontend import FrontEnd, Happened, Occasion, TurnBegins
from cli.typed.grammar import LEAVING


class Coach:
    """Adds a lesson to what `front` shows, where a turn is good for one.

    After the round, or whenever the player wants to leave, `scope` is cancelled.
    """

    def __init__(self, front: FrontEnd, scope: trio.CancelScope) -> None:
        self.front = front
        self.scope = scope
        self.learnt: set[Lesson] = set()
        self._hint = ""
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
                if found is None:
                    self._hint = ""
                    return
                lesson, move = found
                self._hint = play_text(scene, move)
                self._teach(lesson, self._hint)
            case Happened():
                self._told_off = False
            case RoundCard():
                self._hint = ""
                self._teach(Lesson.SCORE, "")
                self.scope.cancel()
            case _:
                pass

    def _teach(self, lesson: Lesson, play: str) -> None:
        self.learnt.add(lesson)
        facts = {"number": len(self.learnt), "lessons": len(Lesson), "title": lesson.title}
        text = "Lesson {number} of {lessons}, {title}: {sentence}"
        self.front.say(say(text, **facts, sentence=lesson.sentence(play)))

    async def next_line(self) -> str | None:
        """Return the next line; if something was said to the last one, say what would be a move."""
        if self._told_off and self._hint:
            self.front.say(say("It is still your turn. The lesson wants: {play}", play=self._hint))
        line = await self.front.next_line()
        if line is None or line.strip().lower() in LEAVING:
            self.scope.cancel()
            await trio.sleep_forever()
        self._told_off = False
        return line
