"""The coach, who tells a player what to do next: a wrapper of the screen that adds lessons."""

from collections.abc import Sequence
from dataclasses import replace as with_facts

import trio
from msgspec.structs import replace

from cli.input.resolution import MoveIntent
from cli.language import say
from cli.learn.happenings import TAUGHT_BY, Happening, explained, legend
from cli.learn.lessons import (
    ASKED_DRAW,
    FIRST,
    LOST_DRAW,
    ON_YOUR_OWN,
    PLAY_ON,
    Lesson,
    Taught,
    lesson_for,
    play_on,
    play_text,
    sentence_of,
)
from cli.learn.reading import Explanations
from cli.render.hand import BARE, Picture, Suggestion
from cli.scene import CompletionContext, RoundCard, Scene, asked_draw
from cli.session.frontend import REDRAW, FrontEnd, NoticeShown, Occasion, TableShown
from cli.session.verbs.complete import usable_words
from cli.session.verbs.leaving import LEAVING
from cli.session.verbs.questions import Plays
from cli.session.verbs.reading import parse
from engine.table.events import MarkerUp, Passed, TileDrawn
from engine.table.moves import LayTile, Move
from engine.table.table import Hand, Table
from engine.table.trains import TrainId
from netgame.protocol import notices


class Coach:
    """Shows the lesson that a turn can teach, in addition to what `front` shows.

    Until all lessons of the `course` are told, each turn has one play: the lesson's, or one that
    leads to the next lesson. Other legal plays are `withheld`, so the course does not depend on
    what is typed.

    A screen that keeps the board shows the lesson of a turn beside the table until it is played;
    explanations of events wait in `reading`. After the round, or when the player wants to leave,
    `scope` is cancelled.
    """

    def __init__(
        self, front: FrontEnd, scope: trio.CancelScope, course: Sequence[Lesson] = FIRST
    ) -> None:
        self.front = front
        self.scope = scope
        self.course = course
        self.reading = Explanations(front)
        self._told: list[Lesson] = []
        self._seen: set[Happening] = set()
        self._turn: tuple[Table, Hand | None] | None = None
        self._lesson: Taught | None = None
        self._play: LayTile | None = None
        self._place: CompletionContext = None
        self._status = ""
        self._beside = BARE
        self._stands = ""  # the text beside the table
        self._stays_above = False  # that text is printed above when its turn is over
        self._was_alone = False  # the last turn was the player's own
        self._owes_legend = False
        self._drew = False
        self._told_off = False

    @property
    def is_over(self) -> bool:
        """True if all lessons of the course are told, except the one on the score."""
        return {*self.course} <= {*self._told, Lesson.SCORE}

    def __getattr__(self, name: str) -> object:
        """Return the screen's attribute, so that the coach can replace the screen."""
        return getattr(self.front, name)

    def say(self, sentence: str) -> None:
        """Pass a sentence on to the screen, unless `scope` is cancelled.

        `next_line` may then remind the player of the wanted play, unless something happens at the
        table first.
        """
        self._told_off = True
        if not self.scope.cancel_called:
            self.front.say(sentence)

    def tell(self, occasion: Occasion) -> None:
        """Pass an occasion on to the screen, and teach what it shows.

        The end of the round cancels `scope`.
        """
        if isinstance(occasion, NoticeShown):
            self._told_off = False
            self._end_turn(occasion.notice)
        self.front.tell(occasion)
        match occasion:
            case TableShown(scene) if scene.can_move:
                self._teach_turn(scene)
            case NoticeShown(notices.Dealt()):
                self._owes_legend = self.course is FIRST
            case NoticeShown(notices.Played() as notice):
                self._teach_of(notice)
            case RoundCard():
                if Lesson.SCORE in self.course:
                    self.front.say(self._numbered(Lesson.SCORE, Lesson.SCORE.sentence()))
                self.scope.cancel()
            case _:
                pass

    def scene_is(self, place: CompletionContext, status: str, beside: Picture = BARE) -> None:
        """Note the scene, and pass it on to the screen.

        After a deal in the first course, also explain how to read the table.
        """
        asked_before = self._beside.asks
        self._place, self._status, self._beside = place, status, beside
        if isinstance(place, Scene) and self._owes_legend and place.table.hub is not None:
            self._owes_legend = False
            draws = self.front.has_keys  # a screen that reads keys draws the table
            self.reading.explain(legend(place, self.front.canvas(), has_board=draws))
        if asked_before and not beside.asks:
            self.reading.show()  # the session's own question has replaced it
        self._draw()

    def _draw(self) -> None:
        """Show the table on the screen: with a lesson beside it, or with a text that is to be read.

        While there is something to read, the screen suggests only to press Enter to go on.
        """
        place, status, beside = self._place, self._status, self._beside
        if not (self.reading.goes_on or beside.asks):
            on = Suggestion(say("go on"), plays=True)
            beside = replace(beside, asks=True, suggestion=on, notes=())
            place = with_facts(place, asks_draw=False) if isinstance(place, Scene) else place
            status = f"{say('press Enter')} | {status}"
        elif self._stands:
            beside = replace(beside, lesson=self._stands)
        self.front.scene_is(place, status, beside)

    def wanted(self, scene: Scene) -> LayTile | None:
        """Return the play that this turn is for: the lesson's, or one that leads to the next.

        None if the seat cannot move or lay a tile, or if all lessons were told before this turn.
        """
        if not scene.can_move:
            return None
        if self._turn != (scene.table, scene.hand):
            self._turn = scene.table, scene.hand
            self._lesson = lesson_for(scene, self._told, self.course)
            self._play = None if self.is_over else play_on(scene)
            self._play = self._lesson.play if self._lesson else self._play
        return self._play

    def withheld(self, scene: Scene, move: Move) -> str:
        """Return a sentence naming the play that this turn wants.

        Empty if `move` is that play, or if the turn wants none.
        """
        wanted = self.wanted(scene)
        if wanted in (None, move):
            return ""
        text = "You may play that, but the next lesson needs another tile: type {play}."
        if self._lesson is not None:
            text = "You may play that, but this lesson shows something else: type {play}."
        return say(text, play=play_text(scene, wanted))

    # ---- what is taught -------------------------------------------------------------------

    def _teach_turn(self, scene: Scene) -> None:
        """Show the lesson of this turn.

        Without a lesson, show the play that leads to the next one, or that all lessons are over.
        """
        wanted = self.wanted(scene)
        was_alone, self._was_alone = self._was_alone, False
        if asked_draw(scene) is not None:
            if Lesson.DRAW in self.course and Lesson.DRAW not in self._told:
                self._stand(self._numbered(Lesson.DRAW, say(ASKED_DRAW)))
        elif self._lesson is not None:
            self._stand(self._numbered(self._lesson.lesson, sentence_of(scene, self._lesson)))
        elif wanted is not None:
            self._stand(say(PLAY_ON, play=play_text(scene, wanted)), stays_above=False)
        else:
            self._was_alone = True
            if self.front.keeps_board or not was_alone:
                self._stand(say(ON_YOUR_OWN), stays_above=False)

    def _teach_of(self, notice: notices.Played) -> None:
        """Explain what is new in another seat's play, or the player's own failed draw or marker.

        Nothing is explained to somebody without a seat.
        """
        own = self._place.seat if isinstance(self._place, Scene) else None
        if own is None:
            return
        if notice.seat != own:
            self._explain(notice)
            return
        events = notice.events
        if self._drew and any(isinstance(event, Passed) for event in events):
            self._explain_once(Lesson.DRAW, say(LOST_DRAW))
        if MarkerUp(TrainId(own)) in events:
            self._explain_once(Lesson.MARKER, Lesson.MARKER.sentence())
        self._drew = any(isinstance(event, TileDrawn) for event in events)

    def _explain(self, notice: notices.Played) -> None:
        """Explain another seat's play if it shows something not seen yet.

        Only the first course explains such plays.
        """
        if self.course is not FIRST or not isinstance(self._place, Scene):
            return
        known = {*self._seen, *(each for each, by in TAUGHT_BY.items() if by in self._told)}
        if (found := explained(self._place, notice.events, known)) is not None:
            happening, sentence = found
            self._seen.add(happening)
            self.reading.explain(sentence)

    def _explain_once(self, lesson: Lesson, sentence: str) -> None:
        if lesson in self.course and lesson not in self._told:
            self.reading.explain(self._numbered(lesson, sentence))

    def _numbered(self, lesson: Lesson, sentence: str) -> str:
        """Return the text of a lesson with its number, and note the lesson as told."""
        if lesson not in self._told:
            self._told.append(lesson)
        number = self._told.index(lesson) + 1
        text = "Lesson {number} of {lessons}, {title}: {sentence}"
        return say(
            text, number=number, lessons=len(self.course), title=lesson.title, sentence=sentence
        )

    def _stand(self, text: str, *, stays_above: bool = True) -> None:
        """Show this text beside the table for the turn; a screen without a board says it."""
        self._stays_above = stays_above
        if self.front.keeps_board:
            self._stands = text
            self._draw()
        else:
            self.front.say(text)

    def _end_turn(self, notice: notices.Notice) -> None:
        """Remove the text beside the table once the player's turn is played.

        A lesson is then printed above, so that it can be read again.
        """
        own = self._place.seat if isinstance(self._place, Scene) else None
        ends = isinstance(notice, notices.Played) and notice.seat == own
        if self._stands and ends:
            if self._stays_above:
                self.front.say(self._stands)
            self._stands = ""

    # ---- what is typed --------------------------------------------------------------------

    async def next_line(self, back: str = "") -> str | None:
        """Return the next line that is not meant for the coach.

        While there is a text to read, Enter shows the next one, a move skips them all, and a
        question about possible plays shows the text again. If the last line was answered, and no
        lesson is beside the table, the player is first reminded of the wanted play. At the end of
        the input, or at a word that leaves, `scope` is cancelled instead, and this does not return.
        """
        self._remind()
        while True:
            line = await self.front.next_line(back)
            word = "" if line is None else line.strip().lower()
            if line is None or word in LEAVING:
                self.scope.cancel()
                await trio.sleep_forever()
            if self.reading.goes_on or line == REDRAW:
                break
            if word in ("", say("go on")):
                if self.front.saw_question:
                    self.reading.turn_over()
                    self._draw()
                continue
            read = parse(line, usable_words(self._place))
            if isinstance(read, Plays):
                self.reading.show()  # the next thing to type is Enter, whoever's turn it is
                continue
            if isinstance(read, MoveIntent):
                while not self.reading.goes_on:
                    self.reading.turn_over()
                self._draw()
            break
        self._told_off = False
        return line

    def _remind(self) -> None:
        scene = self._place
        reminds = self._told_off and not self._stands and self.reading.goes_on
        move = self.wanted(scene) if reminds and isinstance(scene, Scene) else None
        if isinstance(scene, Scene) and move is not None:
            wanted = play_text(scene, move)
            self.front.say(say("It is still your turn. The lesson wants: {play}", play=wanted))
