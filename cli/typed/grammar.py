"""A typed line -> what it asks for; and the one table of what can be typed at the table.

Parser, completion, `help` and the documentation all read the table; nothing else lists commands.
"""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Final

from cli.typed.command import Command, Offered, Where
from cli.typed.intent import (
    CatchSeat,
    Help,
    Intent,
    Look,
    LookOn,
    MoveIntent,
    Nothing,
    Quit,
    SetMarker,
    ShowBoard,
    ShowRules,
    ShowScore,
    SitDown,
    Speak,
    UsageError,
    Who,
    Why,
)
from cli.typed.readers import (
    TILE_HINT,
    Word,
    Words,
    begins_tile,
    name_of,
    read_bullet,
    read_discard,
    read_hand,
    read_hub,
    read_move,
    read_pull,
    read_say,
    read_start,
    read_without,
    split_words,
    topic_of,
)
from engine.rules.ruleset import RuleSet
from engine.rules.switches import (
    Bullet,
    Cover,
    Engine,
    LastTile,
    MarkerVoluntary,
    Opening,
    SwanDrive,
)
from engine.table import moves


def _read_why(words: Words) -> Intent | UsageError:
    """Read the move that is asked about, with or without its command's word."""
    if not words:
        return Why(None)
    first = words[0]
    if begins_tile(first):
        found: Intent | UsageError = read_move(words)
    else:
        command = find_command(first.text)
        if not isinstance(command, Command) or not command.makes:
            return UsageError(first.column, f"{first.text} is no move; such as: why 9-4 ben")
        found = command.intent(words[1:], first)
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
    return rules.engine is Engine.DECLARED or rules.first.turns_up(0)


def _shoots(rules: RuleSet) -> bool:
    return rules.bullet is Bullet.YES


# ---- the table ------------------------------------------------------------------------------


def _says(
    kind: type[moves.WordMove],
    sentence: str,
    known: Callable[[RuleSet], bool] = lambda _rules: True,
    short: tuple[str, ...] = (),
) -> Command:
    """Make a command that is one word of the game."""
    return Command(
        kind.word, sentence, lambda _: Speak(kind), short=short, makes=(kind,), known=known
    )


def _asks(
    word: str, sentence: str, intent: Intent, where: Where, short: tuple[str, ...] = ()
) -> Command:
    """Make a command that is one word, and no move."""
    return Command(word, sentence, lambda _: intent, short=short, where=where)


COMMANDS: Final = (
    Command(
        "play",
        "Play a tile; leave the train out if only one fits. You may type a whole opening in one "
        "line.",
        read_move,
        "TILE [TRAIN]",
        f"which tile? {TILE_HINT}",
        ("p",),
        (
            *("play 9-4 ben", "p 94 ben", "9 4 b", "9|4 2", "9-4 m", "9-4", "1"),
            *("play 9-7 7-5 5-5", "play 9-9 hub"),
        ),
        offer=Offered.MOVE,
        makes=(moves.LayTile, moves.LayChain),
    ),
    _says(moves.DrawTile, "Draw a tile; done for you when nothing else is possible.", short=("d",)),
    _says(
        moves.Pass,
        "End a turn in which you can play nothing; done for you when nothing else is possible.",
    ),
    _says(moves.Done, "End a turn in which you may play more, but need not.", _ends_by_word),
    _says(moves.Tap, "Say that you have one tile left, or are about to.", _taps, ("choo",)),
    Command(
        "catch",
        "Catch a player who has one tile left and did not tap.",
        name_of(CatchSeat),
        "[NAME]",
        short=("c", "catches"),
        examples=("catch ben", "catch"),
        offer=Offered.OFFENDER,
        makes=(moves.Catch,),
        known=_catches,
    ),
    Command(
        "bullet",
        "Play your whole hand on your own train; the program finds the order if you name none.",
        read_bullet,
        "[TILES]",
        examples=("bullet", "bullet 9-7 7-5"),
        makes=(moves.LayChain,),
        known=_shoots,
    ),
    Command(
        "open",
        "Leave your marker up when this turn ends; say it before the turn's last tile.",
        lambda _: SetMarker(up=True),
        makes=(moves.Mark,),
        known=_marks,
    ),
    Command(
        "close",
        "Take down a marker that you left up, when this turn ends.",
        lambda _: SetMarker(up=False),
        makes=(moves.Mark,),
        known=_marks,
    ),
    Command(
        "hub",
        "Play the double that is asked for in the hub.",
        read_hub,
        "[TILE]",
        short=("engine",),
        examples=("hub 9-9", "engine 9-9", "hub"),
        offer=Offered.DOUBLE,
        makes=(moves.LayHub, moves.Declare),
        known=_seeks,
    ),
    Command(
        "declare",
        "Declare a double of yours and play it in the hub.",
        read_hub,
        "[TILE]",
        short=("declares",),
        examples=("declare 9-9", "declare"),
        offer=Offered.DOUBLE,
        makes=(moves.Declare, moves.LayHub),
        known=_declares,
    ),
    _says(
        moves.NoDouble,
        "Say that you do not hold the double that is asked for; it is proved.",
        _seeks,
    ),
    _says(moves.Silent, "Declare nothing, whatever you hold.", _declares),
    Command(
        "look",
        "Look at the next tile of the boneyard, or turn it up.",
        lambda _: Look(),
        short=("turn", "turns"),
        makes=(moves.TurnUp,),
        known=_turns_up,
    ),
    Command(
        "discard",
        "Put a tile of yours back into the boneyard.",
        read_discard,
        "TILE",
        "which tile? such as: discard 9-4",
        short=("discards",),
        examples=("discard 9-4",),
        offer=Offered.HELD,
        makes=(moves.Discard,),
        known=_declares,
    ),
    Command(
        "pull",
        "Pull a tile unseen out of the hand that you may pull from.",
        read_pull,
        "[NUMBER]",
        short=("pulls",),
        examples=("pull 3", "pull"),
        offer=Offered.NUMBER,
        makes=(moves.PullBack,),
        known=_declares,
    ),
    Command(
        "why",
        "Say which rule a move would break, or the last one refused; nothing is played.",
        _read_why,
        "[MOVE]",
        short=("w",),
        examples=("why", "why 9-4 ben", "why pass", "why tap"),
        offer=Offered.WHY,
    ),
    Command(
        "board",
        "Print the board again, or one train from the hub to its end.",
        name_of(ShowBoard),
        "[TRAIN]",
        short=("b",),
        examples=("board", "board ben", "board m"),
        offer=Offered.TRAIN,
    ),
    Command(
        "hand",
        "Print your tiles; `sort` goes on to the next order.",
        read_hand,
        "[sort]",
        short=("h",),
        examples=("hand", "hand sort"),
        offer=Offered.SORT,
    ),
    _asks(
        "score",
        "Print the score sheet: every round so far, and the totals.",
        ShowScore(),
        Where.GAME,
        ("s",),
    ),
    Command(
        "say",
        "Talk to the table. Chat is not recorded.",
        read_say,
        "TEXT",
        "say what?",
        short=("t",),
        examples=("say well played",),
        where=Where.ALWAYS,
    ),
    _asks(
        "who",
        "List who is seated and who watches, with the fingerprint of each key.",
        Who(),
        Where.ALWAYS,
    ),
    Command(
        "without",
        "Vote to go on without players who are away; all others, more than half, must agree.",
        read_without,
        "NAME …",
        "without whom? such as: without ben",
        examples=("without ben", "without ben cy"),
        offer=Offered.AWAY,
    ),
    _asks(
        "sit",
        "Ask for a seat if you only watch; once the game has begun, you get it at the next round.",
        SitDown(),
        Where.ALWAYS,
    ),
    _asks("watch", "Cancel that and just watch.", LookOn(), Where.GAME),
    Command(
        "rules",
        "Print the rules of this table, or explain one switch of them.",
        topic_of(ShowRules),
        "[TOPIC]",
        short=("r",),
        examples=("rules", "rules cover"),
        where=Where.ALWAYS,
        offer=Offered.TOPIC,
    ),
    Command(
        "start",
        "Begin with those seated now; only the host can. If the rules have first=chosen-rotate, "
        "you may name who plays first.",
        read_start,
        "[NAME]",
        where=Where.LOBBY,
    ),
    Command(
        "help",
        "List what you can type, or explain one word.",
        topic_of(Help),
        "[WORD]",
        short=("?",),
        examples=("help", "help play"),
        where=Where.ALWAYS,
        offer=Offered.COMMAND,
    ),
    _asks(
        "quit",
        "Leave; in mid-game the others wait, and boneyard resume brings you back.",
        Quit(),
        Where.ALWAYS,
        ("q", "exit"),
    ),
    _asks(
        "leave", "Leave for good: the others go on without you.", Quit(for_good=True), Where.ALWAYS
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


def parse(line: str) -> Intent | UsageError:
    """Read one line. A line that begins with a digit or `[` is a play, all others start a command.

    Never fails on any text; which trains and tiles exist is for `resolve` to say.
    """
    words = split_words(line.lstrip("\ufeff"))
    if not words:
        return Nothing()
    first = words[0]
    if begins_tile(first):
        return read_move(words)
    found = find_command(first.text)
    if isinstance(found, Command):
        return found.intent(words[1:], first)
    return _unknown(first, found)


def _unknown(word: Word, starts: tuple[Command, ...]) -> UsageError:
    if starts:
        choices = " or ".join(command.word for command in starts)
        return UsageError(word.column, f"{word.text} could be {choices}")
    near = get_close_matches(word.text.lower(), [command.word for command in COMMANDS], 1)
    hint = f"did you mean {near[0]}?" if near else "type help for what can be typed"
    return UsageError(word.column, f"I do not know {word.text}: {hint}")
