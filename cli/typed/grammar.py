"""The one table of what can be typed at the table.

Parser, completion, `help` and the documentation all read it; nothing else lists commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from cli.typed.intent import (
    DrawIntent,
    Intent,
    LookOn,
    MoveIntent,
    PassTurn,
    Quit,
    Saying,
    ShowScore,
    SitDown,
    Speak,
    UsageError,
    Who,
    Why,
)
from cli.typed.readers import (
    Words,
    bare,
    read_board,
    read_bullet,
    read_catch,
    read_discard,
    read_hand,
    read_help,
    read_hub,
    read_move,
    read_play,
    read_pull,
    read_rules,
    read_say,
    read_start,
    read_without,
)
from cli.typed.tokens import Word
from engine.rules.ruleset import RuleSet
from engine.rules.switches import (
    Bullet,
    Cover,
    Engine,
    First,
    LastTile,
    MarkerVoluntary,
    Opening,
    SwanDrive,
)
from engine.table.moves import (
    Catch,
    Declare,
    Discard,
    Done,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    Move,
    NoDouble,
    Pass,
    PullBack,
    Silent,
    Tap,
    TurnUp,
)


class Offered(Enum):
    """What completion offers after a command's word."""

    NOTHING = "nothing"
    MOVE = "move"
    WHY = "why"
    TRAIN = "train"
    COMMAND = "command"
    SORT = "sort"
    TOPIC = "topic"
    OFFENDER = "offender"
    AWAY = "away"
    DOUBLE = "double"
    HELD = "held"
    NUMBER = "number"


class Where(Enum):
    """When a command means something."""

    LOBBY = "before the game"
    GAME = "during the game"
    ALWAYS = "at any time"


def _always(_rules: RuleSet) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its word, short forms, syntax, a sentence, examples, and how it is read.

    `read` gets the words after the command's own and that word itself (for its column). `makes`
    are the moves it can mean: completion offers it only while one of them is legal. `known` says
    whether rules have any use for it: `help` leaves out what they have not.
    """

    word: str
    short: tuple[str, ...]
    syntax: str
    sentence: str
    examples: tuple[str, ...]
    where: Where
    offer: Offered
    read: Callable[[Words, Word], Intent | UsageError]
    makes: tuple[type[Move], ...] = ()
    known: Callable[[RuleSet], bool] = _always


def _read_why(words: Words, verb: Word) -> Intent | UsageError:
    """Read the move that is asked about, with or without its command's word."""
    if not words:
        return UsageError(verb.column + len(verb.text), "which move? such as: why 9-4 ben")
    first = words[0]
    if first.text[0].isdigit() or first.text[0] == "[":
        found: Intent | UsageError = read_move(words)
    else:
        command = find_command(first.text)
        if not isinstance(command, Command) or not command.makes:
            return UsageError(first.column, f"{first.text} is no move; such as: why 9-4 ben")
        found = command.read(words[1:], first)
    return Why(found) if isinstance(found, MoveIntent) else found


# ---- which rules have a use for a word ------------------------------------------------------


def _ends_by_word(rules: RuleSet) -> bool:
    return (
        rules.opening is not Opening.SINGLE
        or rules.cover in (Cover.LAYER_MAY, Cover.OPTIONAL)
        or rules.swan_drive is SwanDrive.YES
        or rules.bullet is Bullet.YES
    )


def _taps(rules: RuleSet) -> bool:
    return rules.last_tile is not LastTile.NONE


def _catches(rules: RuleSet) -> bool:
    return rules.last_tile in (LastTile.TAP, LastTile.BEFORE_PLAY)


def _marks(rules: RuleSet) -> bool:
    return rules.marker_voluntary is MarkerVoluntary.YES


def _seeks(rules: RuleSet) -> bool:
    return rules.engine is not Engine.SET_ASIDE


def _declares(rules: RuleSet) -> bool:
    return rules.engine is Engine.DECLARED


def _turns_up(rules: RuleSet) -> bool:
    return rules.engine is Engine.DECLARED or rules.first is First.HIGH_DRAW


def _shoots(rules: RuleSet) -> bool:
    return rules.bullet is Bullet.YES


def _word(
    saying: Saying,
    short: tuple[str, ...],
    sentence: str,
    makes: type[Move],
    known: Callable[[RuleSet], bool],
) -> Command:
    """Make a command that is one word of the game."""
    word = saying.value
    reads = bare(Speak(saying))
    return Command(
        word, short, word, sentence, (word,), Where.GAME, Offered.NOTHING, reads, (makes,), known
    )


def _plain(
    word: str, short: tuple[str, ...], sentence: str, where: Where, intent: Intent
) -> Command:
    """Make a command that is one word, and no move."""
    return Command(word, short, word, sentence, (word,), where, Offered.NOTHING, bare(intent))


COMMANDS: Final[tuple[Command, ...]] = (
    Command(
        "play",
        ("p",),
        "play TILE [TRAIN]",
        "Lay a tile; the train may be left out if only one fits. A whole opening may be typed in "
        "one line.",
        (
            *("play 9-4 ben", "p 94 ben", "9 4 b", "9|4 2", "9-4 m", "9-4", "1"),
            *("play 9-7 7-5 5-5", "play 9-9 hub"),
        ),
        Where.GAME,
        Offered.MOVE,
        read_play,
        (LayTile, LayChain),
    ),
    Command(
        "draw",
        ("d",),
        "draw",
        "Draw a tile; done for you when nothing else is possible.",
        ("draw",),
        Where.GAME,
        Offered.NOTHING,
        bare(DrawIntent()),
        (DrawTile,),
    ),
    Command(
        "pass",
        (),
        "pass",
        "End a turn in which nothing can be laid; done for you when nothing else is possible.",
        ("pass",),
        Where.GAME,
        Offered.NOTHING,
        bare(PassTurn()),
        (Pass,),
    ),
    _word(
        Saying.DONE,
        (),
        "End a turn in which you may lay more, but need not.",
        Done,
        _ends_by_word,
    ),
    _word(
        Saying.TAP,
        ("choo",),
        "Say that you have one tile left, or are about to.",
        Tap,
        _taps,
    ),
    Command(
        "catch",
        ("c", "catches"),
        "catch [NAME]",
        "Catch a player who has one tile left and did not tap.",
        ("catch ben", "catch"),
        Where.GAME,
        Offered.OFFENDER,
        read_catch,
        (Catch,),
        _catches,
    ),
    Command(
        "bullet",
        (),
        "bullet [TILES]",
        "Lay your whole hand on your own train; the program finds the order if you name none.",
        ("bullet", "bullet 9-7 7-5"),
        Where.GAME,
        Offered.NOTHING,
        read_bullet,
        (LayChain,),
        _shoots,
    ),
    _word(
        Saying.OPEN,
        (),
        "Leave your marker up when this turn ends; said before its last tile.",
        Mark,
        _marks,
    ),
    _word(
        Saying.CLOSE,
        (),
        "Take down a marker that you left up, when this turn ends.",
        Mark,
        _marks,
    ),
    Command(
        "hub",
        ("engine",),
        "hub [TILE]",
        "Lay the double that is asked for in the hub.",
        ("hub 9-9", "engine 9-9", "hub"),
        Where.GAME,
        Offered.DOUBLE,
        read_hub,
        (LayHub, Declare),
        _seeks,
    ),
    Command(
        "declare",
        ("declares",),
        "declare [TILE]",
        "Declare a double of yours and lay it in the hub.",
        ("declare 9-9", "declare"),
        Where.GAME,
        Offered.DOUBLE,
        read_hub,
        (Declare, LayHub),
        _declares,
    ),
    _word(
        Saying.NONE,
        (),
        "Say that you do not hold the double that is asked for; it is proved.",
        NoDouble,
        _seeks,
    ),
    _word(
        Saying.SILENT,
        (),
        "Declare nothing, whatever you hold.",
        Silent,
        _declares,
    ),
    _word(
        Saying.LOOK,
        ("turn", "turns"),
        "Look at the next tile of the boneyard, or turn it up.",
        TurnUp,
        _turns_up,
    ),
    Command(
        "discard",
        ("discards",),
        "discard TILE",
        "Put a tile of yours back into the boneyard.",
        ("discard 9-4",),
        Where.GAME,
        Offered.HELD,
        read_discard,
        (Discard,),
        _declares,
    ),
    Command(
        "pull",
        ("pulls",),
        "pull [NUMBER]",
        "Pull a tile unseen out of the hand that you may pull from.",
        ("pull 3", "pull"),
        Where.GAME,
        Offered.NUMBER,
        read_pull,
        (PullBack,),
        _declares,
    ),
    Command(
        "why",
        ("w",),
        "why MOVE",
        "Say whether a move would be refused, and by which rule; nothing is played.",
        ("why 9-4 ben", "why pass", "why tap"),
        Where.GAME,
        Offered.WHY,
        _read_why,
    ),
    Command(
        "board",
        ("b",),
        "board [TRAIN]",
        "Print the board again, or one train from the hub to its end.",
        ("board", "board ben", "board m"),
        Where.GAME,
        Offered.TRAIN,
        read_board,
    ),
    Command(
        "hand",
        ("h",),
        "hand [sort]",
        "Print your tiles; `sort` goes on to the next order.",
        ("hand", "hand sort"),
        Where.GAME,
        Offered.SORT,
        read_hand,
    ),
    _plain(
        "score",
        ("s",),
        "Print the score sheet: every round so far, and the totals.",
        Where.GAME,
        ShowScore(),
    ),
    Command(
        "say",
        ("t",),
        "say TEXT",
        "Talk to the table. Chat is not recorded.",
        ("say well played",),
        Where.ALWAYS,
        Offered.NOTHING,
        read_say,
    ),
    _plain(
        "who",
        (),
        "List who sits and who watches, with the fingerprint of each key.",
        Where.ALWAYS,
        Who(),
    ),
    Command(
        "without",
        (),
        "without NAME …",
        "Vote to go on without players who are away; all others, more than half, must agree.",
        ("without ben", "without ben cy"),
        Where.GAME,
        Offered.AWAY,
        read_without,
    ),
    _plain(
        "sit",
        (),
        "Ask for a seat if you only watch; once the game has begun, you get it at the next round.",
        Where.ALWAYS,
        SitDown(),
    ),
    _plain("watch", (), "Cancel that and just watch.", Where.GAME, LookOn()),
    Command(
        "rules",
        ("r",),
        "rules [TOPIC]",
        "Print the rules of this table, or explain one switch of them.",
        ("rules", "rules cover"),
        Where.ALWAYS,
        Offered.TOPIC,
        read_rules,
    ),
    Command(
        "start",
        (),
        "start [NAME]",
        "Begin with those who sit now; only the host can. By rules with first=chosen-rotate you "
        "may name who plays first.",
        ("start",),
        Where.LOBBY,
        Offered.NOTHING,
        read_start,
    ),
    Command(
        "help",
        ("?",),
        "help [WORD]",
        "List what can be typed, or explain one word.",
        ("help", "help play"),
        Where.ALWAYS,
        Offered.COMMAND,
        read_help,
    ),
    _plain(
        "quit",
        ("q", "exit"),
        "Leave; in mid-game the others wait, and boneyard resume brings you back.",
        Where.ALWAYS,
        Quit(),
    ),
    _plain(
        "leave",
        (),
        "Leave for good: the others go on without you.",
        Where.ALWAYS,
        Quit(for_good=True),
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
