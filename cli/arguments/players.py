"""The arguments of the players' commands: a function for each, called like the command.

The readers of single arguments come first, each with a complaint that says what would do.
"""

import argparse
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence

from cli.house_rules.choice import SIZES
from cli.language import say
from cli.settings.bots import BOTS_MAX, read_bots
from cli.settings.declared import PACE, SETTINGS
from engine.bots.levels import LEVELS, BotLevel
from engine.longest_train import Aim
from engine.tiles import PIP_MAX
from netgame.protocol.fold.options import OPTIONS


def _number(values: Sequence[int], words: str) -> Callable[[str], int]:
    """Make a reader of whole numbers; `words` tells a person which there are."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= 20 and int(text) in values:
            return int(text)
        raise ArgumentTypeError(say("{word!r} is not {words}", word=text, words=words))

    return read


def count(least: int, most: int) -> Callable[[str], int]:
    """Make a reader of whole numbers in a range."""
    words = "a whole number from {least} to {most}"
    return _number(range(least, most + 1), say(words, least=least, most=most))


def _matching(pattern: str, words: str) -> Callable[[str], str]:
    """Make a reader of text in lower case; `words` tells a person what it has to be."""

    def read(text: str) -> str:
        if re.fullmatch(pattern, text.lower(), re.ASCII) is None:
            raise ArgumentTypeError(say("{word!r} is not {words}", word=text, words=words))
        return text.lower()

    return read


def _seconds(text: str) -> float:
    """Read a time in seconds, or a part of one."""
    if re.fullmatch(r"\d{1,5}(\.\d{1,3})?", text, re.ASCII) is None:
        sentence = "{word!r} is not a number of seconds, such as 2 or 0.5"
        raise ArgumentTypeError(say(sentence, word=text))
    return float(text)


def _switch(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`; whether there is such a switch is for the engine to say."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip() or not value.strip():
        raise ArgumentTypeError(say("{word!r} is not NAME=VALUE, such as blanks=25-50", word=text))
    return name.strip(), value.strip()


def _bots(text: str) -> tuple[BotLevel, ...]:
    """Read how many bots play, or a level for each."""
    if (found := read_bots(text)) is None:
        sentence = (
            "{word!r} is neither a whole number from 0 to {most} nor levels such as easy,normal; "
            "there are: {levels}"
        )
        facts = {"word": text, "most": BOTS_MAX, "levels": ", ".join(LEVELS)}
        raise ArgumentTypeError(say(sentence, **facts))
    return found


def _flag(group: argparse._ActionsContainer, name: str, about: str) -> None:
    group.add_argument(name, action="store_true", help=about)


# ---- at a table -----------------------------------------------------------------------------


def play(parser: ArgumentParser) -> None:
    """Play here against bots."""
    _add_game(parser)
    parser.add_argument(
        "--seed",
        metavar="N",
        type=count(0, 2**63 - 1),
        help=say("deal from this seed, not fairly; the same moves give the same game again"),
    )
    _add_person(parser)


def host(parser: ArgumentParser) -> None:
    """Open a table on this network."""
    _add_game(parser)
    parser.add_argument(
        "--port", type=count(1, 65535), help=say("listen here (default: 4747 or next)")
    )
    _flag(parser, "--open", say("let anybody sit down, without a code"))
    _flag(parser, "--no-seat", say("open the table without playing"))
    _add_person(parser)


def join(parser: ArgumentParser) -> None:
    """Sit down at a table on this network."""
    parser.add_argument("table", nargs="?", metavar="TABLE|HOST:PORT", help=say("which table"))
    _flag(parser, "--yes", say("sit down without being asked"))
    _flag(parser, "--watch", say("watch, and take no seat"))
    parser.add_argument("--code", metavar="CODE", help=say("its join code, such as 7-otter-violin"))
    _add_person(parser)


def resume(parser: ArgumentParser) -> None:
    """Return to a table."""
    parser.add_argument(
        "table",
        nargs="?",
        default="",
        metavar="NUMBER",
        help=say(
            "which of your unfinished games, by its number in `boneyard games` (default: the only "
            "one, or you are asked)"
        ),
    )
    _add_pace(parser)
    _add_person(parser)


def _add_pace(group: argparse._ActionsContainer) -> None:
    text = (
        "seconds that a bot takes for a move, so that you can follow (default: "
        "{usual} at a terminal, or as set, else 0)"
    )
    group.add_argument("--pace", metavar="S", type=_seconds, help=say(text, usual=PACE.usual))


def _add_game(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(say("the game"))
    group.add_argument(
        "--rules",
        metavar="NAME|FILE",
        default="standard",
        help=say("a rule set by name, or a file of your own (see: boneyard rules --write)"),
    )
    _add_rules(group)
    for name, kind in OPTIONS.items():
        values = [each.value for each in kind]
        usual = say("{decides} (default: {value})", decides=say(kind.decides), value=values[0])
        group.add_argument(f"--{name}", choices=values, help=usual)
    group.add_argument(
        "--bots",
        metavar="N|LEVEL,…",
        type=_bots,
        help=say(
            "how many bots play, or the level of each (default: normal, or as set). {levels}",
            levels=" ".join(f"{level.value}: {say(level.sentence)}" for level in BotLevel),
        ),
    )
    _add_pace(group)
    group.add_argument(
        "--first-player",
        metavar="NAME",
        help=say("who plays first, with first=chosen-rotate (default: whoever sat down first)"),
    )


def _add_rules(group: argparse._ActionsContainer) -> None:
    """Add what the rules of a table are made of."""
    group.add_argument(
        "--with",
        dest="switches",
        metavar="K=V",
        action="append",
        type=_switch,
        default=[],
        help=say("change one rule; may be repeated (see: boneyard rules)"),
    )
    for name, size in SIZES.items():
        group.add_argument(
            f"--{name}",
            metavar="N",
            type=_number(size.values, size.words),
            help=f"{say(size.about)} ({size.words})",
        )


def _add_person(parser: ArgumentParser) -> None:
    parser.set_defaults(no_seat=False, seed=None, watch=False, port=None, open=False, pace=None)
    group = parser.add_argument_group(say("you"))
    group.add_argument("--name", help=say("your name at the table (default: as set, or login)"))
    _flag(group, "--auto", say("let the program play your seat"))
    _flag(group, "--plain", say("sentences and numbered choices, no board drawing"))
    _flag(group, "--json", say("one JSON object per line on stdout"))
    group.add_argument(
        "--record", metavar="FILE", help=say("write the record of the game here too")
    )
    _add_data(group)


def _add_data(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--data", metavar="DIR", help=say("where identity and records are kept (or $BONEYARD_DATA)")
    )


def _add_records(parser: ArgumentParser, **more: str) -> None:
    """Add which records are meant, and where those with a number are."""
    parser.add_argument(
        "file",
        metavar="RECORD",
        help=say("a file, the number of a game in `boneyard games`, or last"),
        **more,  # type: ignore[arg-type]
    )
    _add_data(parser)


# ---- without one ----------------------------------------------------------------------------


def learn(parser: ArgumentParser) -> None:
    """Learn to play."""
    parser.add_argument("--name", help=say("your name (default: as at other tables)"))
    _flag(parser, "--plain", say("sentences and numbered choices, no board drawing"))


def tables(parser: ArgumentParser) -> None:
    """List the tables on this network."""
    _flag(parser, "--json", say("one JSON object per line"))


def rules(parser: ArgumentParser) -> None:
    """List the rule sets, or explain one, or one switch."""
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME|FILE",
        help=say("a rule set, a switch, or a file of your own"),
    )
    _add_rules(parser)
    parser.add_argument(
        "--write", metavar="FILE", help=say("write a file to change and to play by")
    )
    _flag(parser, "--json", say("as JSON"))


def judge(parser: ArgumentParser) -> None:
    """Referee written games; what it answers is JSON, always."""
    parser.set_defaults(json=True)
    parser.add_argument(
        "file", metavar="FILE", nargs="+", help=say("a game, or several; - for standard input")
    )


def verify(parser: ArgumentParser) -> None:
    """Check a record, or evidence."""
    words = "a key of 64 hex digits or a fingerprint such as eh7ddx5b"
    _add_records(parser, nargs="+")
    parser.add_argument(
        "--expect",
        metavar="KEY",
        type=_matching(r"[0-9a-f]{64}|[a-z2-7]{8}", say(words)),
        action="append",
        default=[],
        help=say(
            "fail unless this key signed in it: 64 hex digits, or a fingerprint of 8 letters, "
            "which is weaker; may be given several times"
        ),
    )
    parser.add_argument(
        "--head",
        metavar="DIGEST",
        type=_matching(r"[0-9a-f]{16,128}", say("a digest of 16 to 128 hex digits")),
        help=say(
            "fail unless the final digest is this one, or begins with it (16 to 128 hex digits)"
        ),
    )
    _flag(parser, "--json", say("one JSON object for each record"))


def replay(parser: ArgumentParser) -> None:
    """Watch a recorded game again."""
    _add_records(parser)
    _flag(parser, "--notation", say("write it down, for judge to read"))


def games(parser: ArgumentParser) -> None:
    """List the games you have played."""
    _flag(parser, "--json", say("one JSON object per line"))
    _add_data(parser)


def stats(parser: ArgumentParser) -> None:
    """Add up the games you have played."""
    parser.description = say("Games dealt from a seed and games you only watched do not count.")
    _flag(parser, "--json", say("as one JSON object"))
    _add_data(parser)


def sheet(parser: ArgumentParser) -> None:
    """Print the scores of one game."""
    _add_records(parser)
    form = parser.add_mutually_exclusive_group()
    _flag(form, "--csv", say("a line a round, for a spreadsheet"))
    _flag(form, "--svg", say("a plot of the totals, for a browser"))
    parser.add_argument(
        "--out", metavar="FILE", help=say("write it there (default: standard output)")
    )


def review(parser: ArgumentParser) -> None:
    """Go through somebody's moves."""
    parser.description = say(
        "Weighs every move that was a real choice by what the player knew then: deals that fit it "
        "are played out after each move. Points are how much further the others end behind."
    )
    _add_records(parser)
    parser.add_argument(
        "--round", metavar="N", type=count(1, 99), help=say("one round only (default: every one)")
    )
    parser.add_argument(
        "--name", help=say("whose moves, by name or by number of the seat (default: yours)")
    )
    _flag(parser, "--json", say("one JSON object per round"))


def solve(parser: ArgumentParser) -> None:
    """Find the longest train."""
    parser.description = say(
        "Type the tiles you hold, also those of a real table, and see the longest train that they "
        "make: boneyard solve 12-3 3-4 4-4 --from 12. Blanks join blanks only."
    )
    parser.add_argument("tile", metavar="TILE", nargs="+", help=say("a tile, such as 12-3 or 3|12"))
    parser.add_argument(
        "--from",
        dest="start",
        metavar="N",
        type=count(0, PIP_MAX),
        help=say("the pips that the train begins with: the engine's (default: whatever is best)"),
    )
    parser.add_argument(
        "--by",
        choices=[aim.value for aim in Aim],
        default=Aim.TILES.value,
        help=say("what it has most of; the other decides between equals (default: tiles)"),
    )
    about = say("with no double at its end, for rules by which you would have to cover it")
    _flag(parser, "--cover", about)
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=_seconds,
        help=say(
            "take the best that is found in that time, and say how much longer one could be "
            "(default: until none can be; that takes milliseconds)"
        ),
    )
    _flag(parser, "--json", say("as one JSON object"))


def completion(parser: ArgumentParser) -> None:
    """Complete commands in a shell."""
    parser.description = say(
        "Print a script for your shell. For bash: "
        "boneyard completion bash > ~/.local/share/bash-completion/completions/boneyard"
    )
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help=say("which shell"))


def config(parser: ArgumentParser) -> None:
    """Show settings, or change them."""
    parser.epilog = say(
        "Without more: every setting, its value, and where that comes from. An option on the "
        "command line comes first, then BONEYARD_ and the key in the environment, then the file."
    )
    _flag(parser, "--write", say("write a file in which every setting is explained"))
    add = parser.add_subparsers(dest="action", metavar="ACTION")
    each = add.add_parser("show", help=say("show all, or explain one"))
    each.add_argument(
        "key", metavar="KEY", nargs="?", help=say("one of: {words}", words=", ".join(SETTINGS))
    )
    add.add_parser("path", help=say("print where the file is"))
    each = add.add_parser("set", help=say("set one"))
    each.add_argument("key", metavar="KEY", help=say("which; see: boneyard config"))
    each.add_argument("value", metavar="VALUE", help=say("what it is from now on"))
    each = add.add_parser("unset", help=say("go back to the default"))
    each.add_argument("key", metavar="KEY", help=say("which"))


def doctor(parser: ArgumentParser) -> None:
    """Find out why computers do not meet."""
    parser.add_argument(
        "address", nargs="?", metavar="HOST:PORT", help=say("a table to try to reach")
    )
    parser.add_argument("--data", metavar="DIR", help=say("the data folder to look at"))
    _flag(parser, "--json", say("as one JSON object"))
