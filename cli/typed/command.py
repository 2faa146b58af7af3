"""What a command is: its word, what help says of it, and how the words after it are read."""

from dataclasses import astuple, dataclass
from enum import Enum

from cli.typed.intent import Intent, UsageError
from cli.typed.readers import Reader, Words
from engine.rules.ruleset import RuleSet
from engine.rules.switches.switch import Switch
from engine.table.moves import Move


class Takes(Enum):
    """What is typed after a command's word, as help writes it."""

    NOTHING = ""
    PLAY = "TILE [TRAIN]"
    TILES = "[TILES]"
    MOVE = "[MOVE]"
    TRAIN = "[TRAIN]"
    COMMAND = "[WORD]"
    SORT = "[sort]"
    TOPIC = "[TOPIC]"
    PLAYER = "[NAME]"
    AWAY = "NAME …"
    DOUBLE = "[TILE]"
    HELD = "TILE"
    NUMBER = "[NUMBER]"
    TEXT = "TEXT"


class Where(Enum):
    """When a command means something."""

    LOBBY = "before the game"
    GAME = "during the game"
    ALWAYS = "at any time"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its word and what it takes, as help writes them, and a sentence.

    It `means` one thing, or what its reader makes of the words after it; if it cannot do without
    them, `missing` is the question back. `makes` are the moves it can mean: completion offers it
    only while one of them is legal. Rules with none of the values it `needs` have no use for it,
    and `help` leaves it out.
    """

    syntax: str
    sentence: str
    means: Intent | Reader
    missing: str = ""
    short: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    where: Where = Where.GAME
    makes: tuple[type[Move], ...] = ()
    needs: frozenset[Switch] = frozenset()

    @property
    def word(self) -> str:
        """What is typed first."""
        return self.syntax.partition(" ")[0]

    @property
    def takes(self) -> Takes:
        """What is typed after it."""
        return Takes(self.syntax.partition(" ")[2])

    def known(self, rules: RuleSet) -> bool:
        """Whether these rules have any use for it."""
        return not self.needs or not self.needs.isdisjoint(astuple(rules))

    def intent(self, words: Words, verb: str) -> Intent | UsageError:
        """Read the words after this command's own, which is `verb`."""
        if words and self.takes is Takes.NOTHING:
            return UsageError(f"type {verb} alone")
        if not words and self.missing:
            return UsageError(self.missing)
        return self.means(words) if callable(self.means) else self.means
