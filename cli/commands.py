"""The one table of what can be typed at the table.

Parser, completion, `help` and the documentation all read it; nothing else lists commands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from cli.intents import (
    Choose,
    Draw,
    Help,
    Intent,
    PassTurn,
    Play,
    Quit,
    Reading,
    SayText,
    ShowBoard,
    ShowHand,
    ShowRules,
    ShowScore,
    Start,
    UsageError,
    Who,
    Why,
)
from cli.tokens import Word, read_pair, split_run

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["COMMANDS", "Command", "Offer", "Where", "find_command", "read_move"]

Words: TypeAlias = tuple[Word, ...]

TILE_HINT: Final = "write a tile as 9-4, 9|4, 94 or 9 4, then the train: 9-4 ben"


class Offer(Enum):
    """What completion offers after a command's word."""

    NOTHING = "nothing"
    MOVE = "move"
    TRAIN = "train"
    COMMAND = "command"
    SORT = "sort"
    TOPIC = "topic"


class Where(Enum):
    """When a command means something."""

    LOBBY = "before the game"
    GAME = "during the game"
    ALWAYS = "at any time"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its word, short forms, syntax, a sentence, examples, and how it is read.

    `read` gets the words after the command's own and that word itself (for its column).
    """

    word: str
    short: tuple[str, ...]
    syntax: str
    sentence: str
    examples: tuple[str, ...]
    where: Where
    offer: Offer
    read: Callable[[Words, Word], Intent | UsageError]


def read_move(words: Words) -> Play | Choose | UsageError:
    """Read `9-4 ben`, `94 ben`, `9 4 b`, `9-4` or a number of the list; `words` is not empty."""
    first, rest = words[0], words[1:]
    pair = read_pair(first.text)
    if pair is not None:
        return Play((Reading(pair, _train_words(rest)),))
    runs = tuple(Reading(cut, _train_words(rest)) for cut in split_run(first.text))
    if rest and _small_number(first.text) and _small_number(rest[0].text):
        spaced = int(first.text), int(rest[0].text)
        return Play((Reading(spaced, _train_words(rest[1:])), *runs))
    if not rest and first.text.isascii() and first.text.isdigit() and len(first.text) < 5:
        return Choose(int(first.text), Play(runs) if runs else None)
    if runs:
        return Play(runs)
    return UsageError(first.column, f"{first.text} is no tile: {TILE_HINT}")


def _small_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= 18


def _train_words(words: Words) -> str | None:
    """Join the train's words, without a leading `on`; None if there are none."""
    kept = words[1:] if len(words) > 1 and words[0].text.lower() == "on" else words
    return " ".join(word.text for word in kept) or None


def _read_play(words: Words, verb: Word) -> Intent | UsageError:
    if not words:
        return UsageError(verb.column + len(verb.text), f"which tile? {TILE_HINT}")
    return read_move(words)


def _read_why(words: Words, verb: Word) -> Intent | UsageError:
    if not words:
        return UsageError(verb.column + len(verb.text), "which move? such as: why 9-4 ben")
    first = words[0].text.lower()
    for command in (DRAW, PASS):
        if first in (command.word, *command.short):
            return Why(Draw() if command is DRAW else PassTurn())
    if first in (PLAY.word, *PLAY.short) and len(words) > 1:
        words = words[1:]
    move = read_move(words)
    return move if isinstance(move, UsageError) else Why(move)


def _read_say(words: Words, verb: Word) -> Intent | UsageError:
    if not words:
        return UsageError(verb.column + len(verb.text), "say what?")
    return SayText(" ".join(word.text for word in words))


def _read_hand(words: Words, _verb: Word) -> Intent | UsageError:
    if words and not "sort".startswith(words[0].text.lower()):
        return UsageError(words[0].column, "only `hand` or `hand sort`")
    return ShowHand(sort=bool(words))


def _read_help(words: Words, _verb: Word) -> Intent | UsageError:
    return Help(words[0].text.lower() if words else None)


def _read_board(words: Words, _verb: Word) -> Intent | UsageError:
    return ShowBoard(_train_words(words))


def _read_rules(words: Words, _verb: Word) -> Intent | UsageError:
    return ShowRules(words[0].text.lower() if words else None)


def _bare(intent: Intent) -> Callable[[Words, Word], Intent | UsageError]:
    """Make the reader of a command that takes no words."""

    def read(words: Words, verb: Word) -> Intent | UsageError:
        if words:
            return UsageError(words[0].column, f"{verb.text} stands alone")
        return intent

    return read


PLAY: Final = Command(
    "play",
    ("p",),
    "play TILE [TRAIN]",
    "Lay a tile; the train may be left out if only one fits.",
    ("play 9-4 ben", "p 94 ben", "9 4 b", "9|4 2", "9-4 m", "9-4", "1"),
    Where.GAME,
    Offer.MOVE,
    _read_play,
)
DRAW: Final = Command(
    "draw",
    ("d",),
    "draw",
    "Draw a tile; done by itself when nothing else is possible.",
    ("draw",),
    Where.GAME,
    Offer.NOTHING,
    _bare(Draw()),
)
PASS: Final = Command(
    "pass",
    (),
    "pass",
    "End a turn in which nothing can be laid; done by itself when nothing else is possible.",
    ("pass",),
    Where.GAME,
    Offer.NOTHING,
    _bare(PassTurn()),
)
COMMANDS: Final[tuple[Command, ...]] = (
    PLAY,
    DRAW,
    PASS,
    Command(
        "why",
        ("w",),
        "why MOVE",
        "Say whether a move would be refused, and by which rule; nothing is played.",
        ("why 9-4 ben", "why pass"),
        Where.GAME,
        Offer.MOVE,
        _read_why,
    ),
    Command(
        "board",
        ("b",),
        "board [TRAIN]",
        "Print the board again, or one train from the hub to its end.",
        ("board", "board ben", "board m"),
        Where.GAME,
        Offer.TRAIN,
        _read_board,
    ),
    Command(
        "hand",
        ("h",),
        "hand [sort]",
        "Print your tiles; `sort` goes on to the next order.",
        ("hand", "hand sort"),
        Where.GAME,
        Offer.SORT,
        _read_hand,
    ),
    Command(
        "score",
        ("s",),
        "score",
        "Print the score sheet: every round so far, and the totals.",
        ("score",),
        Where.GAME,
        Offer.NOTHING,
        _bare(ShowScore()),
    ),
    Command(
        "say",
        ("t",),
        "say TEXT",
        "Talk to the table; talk stands in no record.",
        ("say well played",),
        Where.ALWAYS,
        Offer.NOTHING,
        _read_say,
    ),
    Command(
        "who",
        (),
        "who",
        "List who sits here, with the fingerprint of each key.",
        ("who",),
        Where.ALWAYS,
        Offer.NOTHING,
        _bare(Who()),
    ),
    Command(
        "rules",
        ("r",),
        "rules [TOPIC]",
        "Print the rules of this table, or explain one switch of them.",
        ("rules", "rules cover"),
        Where.ALWAYS,
        Offer.TOPIC,
        _read_rules,
    ),
    Command(
        "start",
        (),
        "start",
        "Begin with who sits now; only who opened the table can.",
        ("start",),
        Where.LOBBY,
        Offer.NOTHING,
        _bare(Start()),
    ),
    Command(
        "help",
        ("?",),
        "help [WORD]",
        "List what can be typed, or explain one word.",
        ("help", "help play"),
        Where.ALWAYS,
        Offer.COMMAND,
        _read_help,
    ),
    Command(
        "quit",
        ("q", "exit", "leave"),
        "quit",
        "Leave the table; asks once.",
        ("quit",),
        Where.ALWAYS,
        Offer.NOTHING,
        _bare(Quit()),
    ),
)


def find_command(word: str) -> Command | tuple[Command, ...]:
    """Return the command of this word, short form or unambiguous start; else all it may start."""
    folded = word.casefold()
    for command in COMMANDS:
        if folded in (command.word, *command.short):
            return command
    starts = tuple(command for command in COMMANDS if command.word.startswith(folded))
    return starts[0] if len(starts) == 1 else starts
