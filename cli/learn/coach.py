"""Whoever stands behind a player and says what to do next: a screen before the real screen."""

from collections.abc import Sequence

import trio

from cli.language import say
from cli.learn.lessons import FIRST, Lesson, Taught, lesson_for, met_by, play_text, sentence_of
from cli.render.hand import BARE, Picture
from cli.scene import CompletionContext, RoundCard, Scene
from cli.session.frontend import FrontEnd, NoticeShown, Occasion, TableShown
from cli.session.verbs.leaving import LEAVING
from engine.table.events import Passed, TileLaid
from engine.table.moves import LayTile
from engine.table.table import Hand, Table
from netgame.protocol import notices


class Coach:
    """Adds a lesson to what `front` shows, where a turn is good for one.

    A lesson is `learnt` once it was told and has `met` the player: what it teaches has happened.
    Lessons that are not of this `course` are met and not told.
    After the round, or whenever the player wants to leave, `scope` is cancelled.
    """

    def __init__(
        self, front: FrontEnd, scope: trio.CancelScope, course: Sequence[Lesson] = FIRST
    ) -> None:
        self.front = front
        self.scope = scope
        self.course = course
        self.met: set[Lesson] = set()
        self._told: list[Lesson] = []
        self._turn: tuple[Table, Hand | None] | None = None
        self._turn_told = False
        self._lesson: Taught | None = None
        self._place: CompletionContext = None
        self._drew = False
        self._owed = False
        self._told_off = False

    @property
    def missed(self) -> list[Lesson]:
        """The lessons of the `course` that were neither told nor met in a turn of the player."""
        met = self.met.union(self._told, {Lesson.OWED} if self._owed else ())
        return [lesson for lesson in self.course if lesson not in met]

    def __getattr__(self, name: str) -> object:
        """Be the screen in all else."""
        return getattr(self.front, name)

    def say(self, sentence: str) -> None:
        """Pass a sentence on, unless `scope` is cancelled.

        After a typed line it is taken for the answer to that, until something happens at the table.
        """
        self._told_off = True
        if not self.scope.cancel_called:
            self.front.say(sentence)

    def tell(self, occasion: Occasion) -> None:
        """Pass it on, and teach what it shows; the end of the round cancels `scope`."""
        self.front.tell(occasion)
        match occasion:
            case TableShown(scene) if scene.can_move:
                if self._turn != (scene.table, scene.hand):
                    self.wanted(scene)
                self._turn_told = True
                if self._lesson is not None:
                    self._teach(self._lesson.lesson, sentence_of(scene, self._lesson))
            case NoticeShown(notices.Played() as notice):
                self._told_off = False
                self._teach_of(notice)
            case NoticeShown():
                self._told_off = False
            case RoundCard():
                self.met.add(Lesson.SCORE)
                self._teach(Lesson.SCORE, Lesson.SCORE.sentence())
                self.scope.cancel()
            case _:
                pass

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Pass it on; note the place, and whether a double was ever owed in the player's turn."""
        self._place = place
        if isinstance(place, Scene):
            self._owed |= place.table.to_move == place.seat and bool(place.table.owed)
        self.front.scene_is(place, status, beside)

    def wanted(self, scene: Scene, planned: LayTile | None = None) -> LayTile | None:
        """Return the play that the lesson of this turn wants; Enter makes it.

        None if the seat cannot move, or the turn teaches nothing new. What is `planned` will do if
        it shows the same. Once told it stays the same.
        """
        if not scene.can_move:
            return None
        turn = scene.table, scene.hand
        if self._turn != turn or not self._turn_told:
            learnt = self.met.intersection(self._told)
            self._lesson = lesson_for(scene, learnt, self._told, planned, self.course)
            self._turn, self._turn_told = turn, False
        return None if self._lesson is None else self._lesson.play

    def _teach_of(self, notice: notices.Played) -> None:
        """Note what a play of one's own shows; explain a draw and a marker that end the turn."""
        own = self._place.seat if isinstance(self._place, Scene) else None
        if own is None or notice.seat != own:
            return
        met = met_by(notice.events, own)
        self.met |= met
        laid = [(each.tile, each.train) for each in notice.events if isinstance(each, TileLaid)]
        if (lesson := self._lesson) and (lesson.play.tile, lesson.play.train) in laid:
            self.met.add(lesson.lesson)
        passed = any(isinstance(event, Passed) for event in notice.events)
        if self._drew and passed and Lesson.DRAW not in self._told:
            text = (
                "Nothing you held fitted, so you drew a tile from the boneyard. It did not fit "
                "either, and your turn was over."
            )
            self._teach(Lesson.DRAW, say(text))
        if Lesson.MARKER in met and Lesson.MARKER not in self._told:
            self._teach(Lesson.MARKER, Lesson.MARKER.sentence())
        self._drew = Lesson.DRAW in met

    def _teach(self, lesson: Lesson, sentence: str) -> None:
        if lesson not in self.course:
            return
        if lesson not in self._told:
            self._told.append(lesson)
        number = self._told.index(lesson) + 1
        text = "Lesson {number} of {lessons}, {title}: {sentence}"
        told = say(
            text, number=number, lessons=len(self.course), title=lesson.title, sentence=sentence
        )
        self.front.say(told)

    async def next_line(self, back: str = "") -> str | None:
        """Return the next line; if something was said to the last one, say what would be a move.

        At the end of the input, or at a word that leaves, `scope` is cancelled instead, and this
        does not return.
        """
        scene = self._place
        move = self.wanted(scene) if self._told_off and isinstance(scene, Scene) else None
        if isinstance(scene, Scene) and move is not None:
            wanted = play_text(scene, move)
            self.front.say(say("It is still your turn. The lesson wants: {play}", play=wanted))
        line = await self.front.next_line(back)
        if line is None or line.strip().lower() in LEAVING:
            self.scope.cancel()
            await trio.sleep_forever()
        self._told_off = False
        return line
