"""Answers to questions that are not commands.

For most topics a command gives the answer (`COMMANDS_FOR`). The others have their own `Ask`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from cli.choices.table import TABLE
from cli.input.asking import name_asked, topic_asked
from cli.input.phrases import bare_words, leads
from cli.input.topics import Topic
from cli.language import say
from cli.program import typed_in_shell
from cli.render.sheets import is_reached
from cli.session.answers import NOT_BEGUN
from cli.session.frontend import explain
from cli.session.stay import is_over
from cli.session.until import OnChange, Until
from cli.session.verbs.company import Who
from cli.session.verbs.questions import OfTable
from cli.session.verbs.verb import Ask
from cli.wording.asked import (
    began_sentence,
    happened_sentence,
    held_sentences,
    open_sentences,
    unable_sentences,
    win_sentences,
)
from cli.wording.departures import whereabouts_text
from cli.wording.glossary import legend

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from cli.scene import Scene
    from cli.session.session import Session
    from netgame.protocol.peer.view import TableView

COMMANDS_FOR: Final[Mapping[Topic, str]] = {
    Topic.NOW: "plays",
    Topic.HINT: "hint",
    Topic.WHY: "why",
    Topic.SCORE: "score",
    Topic.COUNTING: "rules blanks",
    Topic.FAIR: "fair",
    Topic.ODDS: "odds",
    Topic.HAND: "hand",
    Topic.COVER: "rules cover",
    Topic.RULES: "rules",
    Topic.CHANGE: "help change",
    Topic.COMPANY: "who",
    Topic.WITHOUT: "help without",
    Topic.REVIEW: "review",
    Topic.TAKE_BACK: "back",
    Topic.CHAT: "help say",
    Topic.NAMING: "help name",
    Topic.COMMANDS: "help",
}
"""The command that answers a question, by topic."""


class TilesHeld(OfTable, frozen=True):
    """Ask how many tiles everybody has, and how many points the person's own tiles are worth."""

    async def do(self, session: Session) -> None:
        """Say the counts; while a round's card is up, show that instead, as it lists all tiles."""
        if not (session.pause.stands and session.pause.shows_last()):
            await super().do(session)

    def show(self, session: Session, scene: Scene) -> None:
        """Say how many tiles everybody has, and what the person's own are worth."""
        explain(session.front, held_sentences(scene))


class OpenTrains(OfTable, frozen=True):
    """Ask which trains one may play on, or where the markers are."""

    until: ClassVar = Until.ROUND_ENDS

    def show(self, session: Session, scene: Scene) -> None:
        """Say which trains are open to all, and why."""
        explain(session.front, open_sentences(scene))


class WaysToWin(OfTable, frozen=True):
    """Ask how one wins, or what the game is about."""

    on_change: ClassVar = OnChange.HOLDS

    def show(self, session: Session, scene: Scene) -> None:
        """Say briefly how to win."""
        explain(session.front, win_sentences(scene))


class WhatHappened(OfTable, frozen=True):
    """Ask what was played since the person's last turn."""

    on_change: ClassVar = OnChange.CLOSES

    async def do(self, session: Session) -> None:
        """Say what was played; while a card is up, or after the game, show the card again."""
        if not (session.pause.stands or is_over(session.node.view())):
            await OfTable.do(self, session)
        else:
            session.show_again()

    def show(self, session: Session, scene: Scene) -> None:
        """Say what has happened since this seat's last turn."""
        since = session.desk.picture(session.node.view(), scene).since
        explain(session.front, happened_sentence(scene, since))


class SignsOfBoard(Ask, frozen=True):
    """Ask what the signs on the board mean."""

    async def do(self, session: Session) -> None:
        """Explain all the signs."""
        signs = legend(session.front.canvas().glyphs.open_end)
        explain(session.front, say("Board: {signs}.", signs=signs))


class LobbyAgain(Ask, frozen=True):
    """Ask, before the game, what to do now or how to play again."""

    async def do(self, session: Session) -> None:
        """Say that the game has not begun, and show the lobby again."""
        session.answer(NOT_BEGUN)
        session.invitation.show_again()


class WhereIs(Ask, frozen=True):
    """Ask what has become of a player: here, away, gone for good or voted out."""

    name: str
    on_change: ClassVar = OnChange.RENEWS

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return the seats and who has left them."""
        return (view.seats, view.departures)

    async def do(self, session: Session) -> None:
        """Say where the player is; if the name is the asker's or no player's, list who is here."""
        view = session.node.view()
        found = (info for info in view.seats if info.name == self.name)
        info = next(found, None)
        if info is None or info.key == session.node.key:
            await Who().do(session)
        else:
            explain(session.front, whereabouts_text(view, info, here=is_reached(view, info)))


class WhoBegan(OfTable, frozen=True):
    """Ask who had the first turn."""

    on_change: ClassVar = OnChange.HOLDS

    def show(self, session: Session, scene: Scene) -> None:
        """Say who had the first turn of the present round, or of the last one."""
        explain(session.front, began_sentence(scene))


class WhenUnable(OfTable, frozen=True):
    """Ask what a player does if no tile fits."""

    on_change: ClassVar = OnChange.HOLDS

    def show(self, session: Session, scene: Scene) -> None:
        """Say what a player has to do by the rules of this table if no tile fits."""
        explain(session.front, unable_sentences(scene))


class HowToSet(Ask, frozen=True):
    """Ask how to turn a setting on or off."""

    key: str

    async def do(self, session: Session) -> None:
        """Say the setting's value, its possible values and what to type; or that it is unknown."""
        told = session.sitting.habits.config(("show", self.key), session.front.canvas().columns)
        for sentence in told.said:
            session.front.say(sentence)
        if len(told.said) > 1:
            session.answer("To change it type: config {key} VALUE", key=self.key)


class PlayForMe(Ask, frozen=True):
    """Ask the program to play the person's seat."""

    async def do(self, session: Session) -> None:
        """Say how to start the program so that it plays the seat."""
        text = (
            "The program plays your seat if you start it with --auto. Type quit, and in your "
            "shell: {command}. Here hint says what an expert would play."
        )
        command = typed_in_shell("resume", "--auto")
        if not session.front.resumable or session.node.view().table is None:
            text = (
                "The program plays your seat if you start it with --auto: {command}. Here hint "
                "says what an expert would play."
            )
            command = typed_in_shell("play", "--auto")
        session.answer(text, command=command)


class NextGame(Ask, frozen=True):
    """Ask how to get another game."""

    async def do(self, session: Session) -> None:
        """Say how to get another game, or that this one is not over or has not begun."""
        view = session.node.view()
        if is_over(view):
            session.next_table.say_over()
        else:
            session.next_table.say_not_over(view)


class WaysOut(Ask, frozen=True):
    """Ask how to leave the table; asking does not leave it."""

    async def do(self, session: Session) -> None:
        """Say which words to type to leave, and whether one can come back."""
        text = (
            "Type quit to leave: in mid-game the others wait, and you come back with: {command}. "
            "Type leave to go for good; then you can begin another game from the menu."
        )
        if not session.front.resumable:
            text = "Type quit to leave. You cannot come back to this game, but can begin another."
        session.answer(text, command=typed_in_shell("resume"))


_ANSWERS: Final[Mapping[Topic, Ask]] = {
    Topic.SINCE: WhatHappened(),
    Topic.COUNT: TilesHeld(),
    Topic.GOAL: WaysToWin(),
    Topic.LEARN: WaysToWin(),
    Topic.TRAINS: OpenTrains(),
    Topic.SIGNS: SignsOfBoard(),
    Topic.AGAIN: NextGame(),
    Topic.UNABLE: WhenUnable(),
    Topic.FIRST: WhoBegan(),
    Topic.AUTO: PlayForMe(),
    Topic.LEAVE: WaysOut(),
}
_BEFORE_GAME: Final[Mapping[Topic, Ask | str]] = {
    Topic.NOW: LobbyAgain(),
    Topic.AGAIN: LobbyAgain(),
    Topic.COUNT: "rules",
    Topic.GOAL: "rules",
    Topic.LEARN: "rules",
    Topic.UNABLE: "rules draw",
    Topic.FIRST: "rules first",
}


_TURNING: Final = frozenset({"turn", "switch"})
_ON_OFF: Final = frozenset({"on", "off"})
_ENABLING: Final = frozenset(
    {"enable", "disable", "activate", "deactivate", "activar", "activo", "activa"}
    | {"desactivar", "desactivo", "desactiva"}
)
_SETTING: Final = frozenset({"setting", "option", "ajuste", "opcion"})
_KEY_WORDS_MAX: Final = 2


def how_to_set(line: str) -> Ask | str | None:
    """Return a command or an `Ask` that answers how to turn something on or off, or None.

    It is a command if a choice of the table is named; any other name is taken for a setting. None
    if the line is not such a question.
    """
    words = bare_words(line)
    turns = not (_TURNING.isdisjoint(words) or _ON_OFF.isdisjoint(words))
    around = _TURNING | _ON_OFF | _ENABLING | _SETTING
    rest = [word for word in words if word not in around and not leads([word])]
    if not (turns or not _ENABLING.isdisjoint(words)) or not 0 < len(rest) <= _KEY_WORDS_MAX:
        return None
    key = "-".join(rest)
    return f"rules {key}" if key in TABLE else HowToSet(key)


def is_talk(line: str) -> bool:
    """Return True if a line has words that people say to each other, not to the program."""
    return topic_asked(line) is Topic.TALK


def answer_for(line: str, names: Iterable[str], *, in_lobby: bool) -> Ask | str | None:
    """Return an `Ask` or a command that answers a question; None for any other line."""
    names = tuple(names)
    if (found := how_to_set(line)) is not None:
        return found
    topic = topic_asked(line, names)
    if topic is None or topic is Topic.TALK:
        return None
    if topic is Topic.COMPANY and (name := name_asked(line, names)):
        return WhereIs(name)
    if in_lobby and topic in _BEFORE_GAME:
        return _BEFORE_GAME[topic]
    return COMMANDS_FOR.get(topic) or _ANSWERS[topic]


_QUESTIONS: Final = {
    "plays": "what now",
    "hint": "hint",
    "why": "why",
    "score": "who is winning",
    "rules": "rules",
    "who": "who is here",
}
"""The verbs that answer the commonest questions, each with a way to ask."""
_TOLD_MAX: Final = 4


def ways_to_ask(usable: Container[str]) -> str:
    """Return up to four questions whose verbs are usable now, separated by commas."""
    return ", ".join([say(_QUESTIONS[verb]) for verb in _QUESTIONS if verb in usable][:_TOLD_MAX])
