"""A verb: one row that says everything about it.

    line -> TableVerb.read -> MoveIntent -> .resolved(scene)   a move, which the session makes
                              Ask        -> .do(session)       anything else
                              UsageError                       a sentence

A row has the verb's words in both languages, its arguments, its line of help, the reader of the
words after it, and what Tab offers after it. The class that it is read into is just above the row,
and gives the answer. So a verb is added in one place: `cli.session.verbs.table` collects the rows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import astuple, dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from msgspec import Struct

from cli.input.lexer import Words
from cli.input.readers import UsageError
from cli.input.resolution import MoveIntent, Resolved, judged
from cli.language import say, spoken
from cli.scene import LobbyScene, Scene
from cli.session.until import OnChange, Until
from engine.rules.ruleset import RuleSet
from engine.rules.switches.switch import Switch
from engine.table.moves import Move, WordMove
from engine.table.table import ENDED
from engine.table.trains import Seat

if TYPE_CHECKING:
    from cli.session.session import Session
    from netgame.protocol.peer.view import TableView


class Ask(Struct, frozen=True):
    """One request that is not a move, read from a line; `do` answers it in a session."""

    until: ClassVar[Until] = Until.TABLE_ENDS
    """The time after which the session does not answer, but says that it is too late."""
    on_change: ClassVar[OnChange] = OnChange.HOLDS

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return the facts of the view that the answer is about; by default the table."""
        return (view.table,)

    def typed_as(self, _word: str) -> Ask:
        """Return this request with the word that was typed for it; by default it is unchanged."""
        return self

    @abstractmethod
    async def do(self, session: Session) -> None:
        """Answer the request on the session's screen, or carry it out."""


Read: TypeAlias = MoveIntent | Ask | UsageError
Reader: TypeAlias = Callable[[Words], Read]
Offers: TypeAlias = list[tuple[str, str]]
"""The words that may be typed next, each with its meaning."""
Offering: TypeAlias = Callable[[Scene | None, Words, str], Offers]
"""Offers words that may follow a verb and the words after it, and that continue the last argument,
the word being typed. Offers only words that are legal now."""


def one_word(offer: Callable[[Scene], Offers]) -> Offering:
    """Return an offering for a verb that takes a single word.

    It offers nothing once there is a word, or without a table.
    """
    return lambda scene, before, _typing: [] if before or scene is None else offer(scene)


def has_seat(place: Scene | LobbyScene) -> bool:
    """Return True if the game has begun and the person has a seat in it."""
    return isinstance(place, Scene) and place.sits


def in_play(place: Scene | LobbyScene) -> bool:
    """Return True if the person has a seat in a round that is not over."""
    return isinstance(place, Scene) and place.sits and place.table.phase not in ENDED


class Where(Enum):
    """When a verb means something, and to whom."""

    LOBBY = "before the game"
    HOST = "before the game, for its host"
    SEATS = "for whoever gives the seats: the host before the game, the chair during it"
    DOOR = "at any time, for whoever announces the table"
    GAME = "during the game"
    ALWAYS = "at any time"

    def is_now(self, *, playing: bool, hosts: bool = True) -> bool:
        """Return True if help and completion offer the verb now.

        Before the game, `hosts` is True for the host; once the game has begun, for whoever
        announces the table. `playing` is True from the first deal on, even after the game.
        """
        if self is Where.HOST:
            return hosts and not playing
        if self is Where.SEATS:
            return hosts or playing
        if self is Where.DOOR:
            return hosts
        return self is Where.ALWAYS or self is (Where.GAME if playing else Where.LOBBY)


@dataclass(frozen=True, slots=True)
class TableVerb:
    """One verb that can be typed at a table."""

    syntax: str
    """Its word and its arguments, as help writes them."""
    sentence: str
    """Its description, for help."""
    means: MoveIntent | Ask | Reader
    """Its only meaning, or the reader of the words after it."""
    missing: str = ""
    """The question to ask back, if it needs words after it."""
    short: tuple[str, ...] = ()
    spanish: tuple[str, ...] = ()
    """Its names in Spanish, each of one or two words.

    They are known without their accents too, in whichever language the program speaks, so that
    people of two languages can help each other.
    """
    examples: tuple[str, ...] = ()
    where: Where = Where.GAME
    makes: tuple[type[Move], ...] = ()
    """The moves it can mean; completion offers it only while one of them is legal."""
    needs: frozenset[Switch] = frozenset()
    """The rule values that give it a use; `help` leaves it out under other rules. Empty: any rules.
    """
    is_of_use: Callable[[Scene | LobbyScene], bool] = lambda _place: True
    """Returns False where the verb is of no use to the person, so that Tab does not offer it."""
    offers: Offering = lambda _scene, _before, _typing: []
    """The words that Tab offers after it at a table."""
    offers_there: Callable[[Scene | LobbyScene, Words], Offers] = lambda _place, _before: []
    """The words that Tab offers after it at a table or in a lobby."""
    also: tuple[str, ...] = ()
    """Phrases for it, each of one word or several, in any language: understood, but not listed.

    They may also be players' names: no command begins with a name.
    """
    with_words: tuple[str, ...] = ()
    """Phrases like `also`, each with a colon and the words to put after the verb."""
    takes_text: bool = False
    """True if the words after it are for people or settings, and are read exactly as typed."""

    @property
    def word(self) -> str:
        """The English word of the verb."""
        return self.syntax.partition(" ")[0]

    @property
    def called(self) -> str:
        """The word in help and completion: Spanish if there is one and the program speaks it."""
        return self.spanish[0] if self.spanish and spoken() == "es" else self.word

    @property
    def takes(self) -> str:
        """The arguments, as help writes them."""
        return self.syntax.partition(" ")[2]

    @property
    def usage(self) -> str:
        """The word and the arguments, in the language of the program."""
        takes = say(self.takes) if self.takes.isupper() else self.takes
        return f"{self.called} {takes}".rstrip()

    def known(self, rules: RuleSet) -> bool:
        """Return True if the verb is of use under these rules."""
        return not self.needs or not self.needs.isdisjoint(astuple(rules))

    def read(self, words: Words, typed: str) -> Read:
        """Read the `words` after the verb, whose own word was `typed`.

        Return a `UsageError` if there are words and the verb takes none, or if it needs some and
        there are none. A verb's own reader gets any words, even if help names no arguments.
        """
        if words and not (self.takes or callable(self.means)):
            return UsageError(say("type {word} alone", word=typed))
        if not words and self.missing:
            return UsageError(say(self.missing), orders=self.where is Where.HOST)
        if callable(self.means):
            return self.means(words)
        if isinstance(self.means, MoveIntent):
            return self.means
        return self.means.typed_as(self.called if typed.casefold() == self.word else typed)


class Speak(MoveIntent, frozen=True):
    """Say a word of the game that is a whole move by itself, such as `pass`."""

    kind: type[WordMove]

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the move that the word means, or the reason against it."""
        return judged(self.kind(seat), scene)


def says(
    kind: type[WordMove],
    sentence: str,
    *spanish: str,
    needs: frozenset[Switch] = frozenset(),
    short: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
) -> TableVerb:
    """Return the verb for a word of the game that is a whole move; it takes no arguments."""
    said = Speak(kind)
    return TableVerb(
        kind.word,
        sentence,
        said,
        short=short,
        spanish=spanish,
        makes=(kind,),
        needs=needs,
        also=also,
    )
