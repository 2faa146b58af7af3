"""A verb: one row with all that there is to say of it.

    line -> TableVerb.read -> MoveIntent -> .resolved(scene)   a move, which the session makes
                              Ask        -> .do(session)       anything else
                              UsageError                       a sentence

A row has the verb's words in both languages, what it takes, its line of help, how the words after
it are read, and what Tab offers there. What it is read into stands just above the row, and knows
its answer. So a verb is added in one place: `cli.session.verbs.table` collects the rows.
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
    """One request that is no move, as a line was read; `do` answers it in a person's session."""

    until: ClassVar[Until] = Until.TABLE_ENDS
    """After that it is too late, which the session says."""
    on_change: ClassVar[OnChange] = OnChange.HOLDS

    def about(self, view: TableView) -> tuple[object, ...]:
        """Return what of the table the answer is about: what lies there."""
        return (view.table,)

    def typed_as(self, _word: str) -> Ask:
        """Return the same, as it was typed by this word: itself where that says no more."""
        return self

    @abstractmethod
    async def do(self, session: Session) -> None:
        """Answer it."""


Read: TypeAlias = MoveIntent | Ask | UsageError
Reader: TypeAlias = Callable[[Words], Read]
Offers: TypeAlias = list[tuple[str, str]]
"""The words that may be typed next, each with its meaning."""
Offering: TypeAlias = Callable[[Scene | None, Words, str], Offers]
"""Offers what may follow a verb and the words behind it, and continue what is being typed. Only
what is legal now."""


def one_word(offer: Callable[[Scene], Offers]) -> Offering:
    """Make an offering of one word: what `offer` gives; none behind a word, or without a table."""
    return lambda scene, before, _typing: [] if before or scene is None else offer(scene)


def has_seat(place: Scene | LobbyScene) -> bool:
    """Whether somebody has a seat in a game, so that moves of their own are of use."""
    return isinstance(place, Scene) and place.sits


def in_play(place: Scene | LobbyScene) -> bool:
    """Whether a round is played from such a seat, so that tiles in hand are of use."""
    return isinstance(place, Scene) and place.sits and place.table.phase not in ENDED


class Where(Enum):
    """When a verb means something."""

    LOBBY = "before the game"
    HOST = "before the game, for its host"
    SEATS = "for whoever gives the seats: the host before the game, the chair during it"
    DOOR = "at any time, for whoever announces the table"
    GAME = "during the game"
    ALWAYS = "at any time"

    def is_now(self, *, playing: bool, hosts: bool = True) -> bool:
        """Whether help and completion name the verb now, to somebody who `hosts` or does not.

        Once the game has begun, to host means to announce the table, as a stand-in does too.
        `GAME` is now as soon as there is a table, also after its end.
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
    """Its word and what it takes, as help writes them."""
    sentence: str
    """What it does, for help."""
    means: MoveIntent | Ask | Reader
    """The one thing it means, or the reader of the words after it."""
    missing: str = ""
    """The question back, if it cannot do without words after it."""
    short: tuple[str, ...] = ()
    spanish: tuple[str, ...] = ()
    """Its words in Spanish, each of one word or two.

    They are known without their accents too, whatever language the program speaks, so that people
    of two languages can help each other.
    """
    examples: tuple[str, ...] = ()
    where: Where = Where.GAME
    makes: tuple[type[Move], ...] = ()
    """The moves it can mean; completion offers it only while one of them is legal."""
    needs: frozenset[Switch] = frozenset()
    """Rules with none of these values have no use for it, and `help` leaves it out."""
    is_of_use: Callable[[Scene | LobbyScene], bool] = lambda _place: True
    """False where Tab does not offer the verb, as it is of no use to the person there."""
    offers: Offering = lambda _scene, _before, _typing: []
    """The words that Tab offers after it."""
    offers_there: Callable[[Scene | LobbyScene, Words], Offers] = lambda _place, _before: []
    """The words that Tab offers after it in a lobby, too."""
    also: tuple[str, ...] = ()
    """Phrases for it, each of one word or several, in any language: known, but not told.

    A player may be called so, as nothing that begins with a name is a command.
    """
    with_words: tuple[str, ...] = ()
    """Phrases as `also` has them, each with a colon and the words that it puts behind the verb."""
    takes_text: bool = False
    """True if the words after it are for people or settings, and are read as they were typed."""

    @property
    def word(self) -> str:
        """The word typed first."""
        return self.syntax.partition(" ")[0]

    @property
    def called(self) -> str:
        """The word as help and completion name it: that of the language spoken, if it has one."""
        return self.spanish[0] if self.spanish and spoken() == "es" else self.word

    @property
    def takes(self) -> str:
        """The words typed after it, as help writes them."""
        return self.syntax.partition(" ")[2]

    @property
    def usage(self) -> str:
        """How it is typed, with what it takes in the language that is spoken."""
        takes = say(self.takes) if self.takes.isupper() else self.takes
        return f"{self.called} {takes}".rstrip()

    def known(self, rules: RuleSet) -> bool:
        """Whether these rules have any use for it."""
        return not self.needs or not self.needs.isdisjoint(astuple(rules))

    def read(self, words: Words, typed: str) -> Read:
        """Return what the words after this verb's own, which was `typed` so, make of it.

        A `UsageError` if it takes none, or lacks those it needs. A reader takes or refuses what
        comes, also where help names no words.
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
    """Say one of the words of the game, which is a whole move."""

    kind: type[WordMove]

    def resolved(self, scene: Scene, seat: Seat) -> Resolved:
        """Return the word as a move, or what stands against it."""
        return judged(self.kind(seat), scene)


def says(
    kind: type[WordMove],
    sentence: str,
    *spanish: str,
    needs: frozenset[Switch] = frozenset(),
    short: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
) -> TableVerb:
    """Make a verb that is one word of the game."""
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
