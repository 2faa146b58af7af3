"""What a command is: its word, what help says of it, and how the words after it are read."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from cli.typed.intent import Intent, UsageError
from cli.typed.readers import Reader, Word, Words
from engine.rules.ruleset import RuleSet
from engine.table.moves import Move


class Offered(Enum):
    """What completion offers after a command's word."""

    NOTHING = auto()
    MOVE = auto()
    WHY = auto()
    TRAIN = auto()
    COMMAND = auto()
    SORT = auto()
    TOPIC = auto()
    OFFENDER = auto()
    AWAY = auto()
    DOUBLE = auto()
    HELD = auto()
    NUMBER = auto()


class Where(Enum):
    """When a command means something."""

    LOBBY = "before the game"
    GAME = "during the game"
    ALWAYS = "at any time"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its word, a sentence, and how the words after it are read.

    It `takes` these words, as help writes them; if it cannot do without, `missing` is the question
    back. `makes` are the moves it can mean: completion offers it only while one of them is legal.
    `known` says whether rules have any use for it: `help` leaves out what they have not.
    """

    word: str
    sentence: str
    read: Reader
    takes: str = ""
    missing: str = ""
    short: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    where: Where = Where.GAME
    offer: Offered = Offered.NOTHING
    makes: tuple[type[Move], ...] = ()
    known: Callable[[RuleSet], bool] = lambda _rules: True

    @property
    def syntax(self) -> str:
        """The word and what it takes."""
        return f"{self.word} {self.takes}".rstrip()

    def intent(self, words: Words, verb: Word) -> Intent | UsageError:
        """Read the words after this command's own, which is `verb`."""
        if words and not self.takes:
            return UsageError(words[0].column, f"type {verb.text} alone")
        if not words and self.missing:
            return UsageError(verb.column + len(verb.text), self.missing)
        return self.read(words)
