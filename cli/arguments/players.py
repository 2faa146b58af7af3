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
from cli.settings.declared import NAME, PACE, SETTINGS
from cli.typed.names import is_no_name
from engine.bots.levels import LEVELS, BotLevel
from engine.longest_train import Aim
from engine.tiles import PIP_MAX
from netgame.limits import NAME_CELLS_MAX
from netgame.protocol.fold.options import OPTIONS
from netgame.protocol.text import clean_text


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


def _name(text: str) -> str:
    """Read what somebody wants to be called at a table."""
    if is_no_name(clean_text(text, NAME_CELLS_MAX)):
        raise ArgumentTypeError(say("{word!r} is not {words}", word=text, words=NAME.kind.words))
    return text


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


def _add(
    group: argparse._ActionsContainer, name: str, metavar: str | None, about: str, **more: object
) -> None:
    group.add_argument(name, metavar=metavar, help=about, **more)  # type: ignore[arg-type]


# ---- at a table -----------------------------------------------------------------------------


def play(parser: ArgumentParser) -> None:
    """Play here against bots."""
    _add_game(parser)
    about = say("deal from this seed, not fairly; the same moves give the same game again")
    _add(parser, "--seed", "N", about, type=count(0, 2**63 - 1))
    _add_person(parser)


def host(parser: ArgumentParser) -> None:
    """Open a table on this network."""
    _add_game(parser)
    about = say("listen here (default: 4747 or next)")
    _add(parser, "--port", None, about, type=count(1, 65535))
    about = say("let anybody sit down, without a code")
    _add(parser, "--open", None, about, dest="newcomers", action="store_const", const="open")
    _flag(parser, "--no-seat", say("open the table without playing"))
    _add_person(parser)


def join(parser: ArgumentParser) -> None:
    """Sit down at a table on this network."""
    _add(parser, "table", "TABLE|HOST:PORT", say("which table"), nargs="?")
    _flag(parser, "--yes", say("sit down without being asked"))
    _flag(parser, "--watch", say("watch, and take no seat"))
    _add(parser, "--code", "CODE", say("its join code, such as 7-otter-violin"))
    _add_person(parser)


def resume(parser: ArgumentParser) -> None:
    """Return to a table."""
    about = say(
        "which of your unfinished games, by its number in `boneyard games` (default: the only "
        "one, or you are asked)"
    )
    _add(parser, "table", "NUMBER", about, nargs="?", default="")
    _add_pace(parser)
    _add_person(parser)


def _add_pace(group: argparse._ActionsContainer) -> None:
    text = (
        "seconds that a bot takes for a move, so that you can follow (default: "
        "{usual} at a terminal, or as set, else 0)"
    )
    _add(group, "--pace", "S", say(text, usual=PACE.usual), type=_seconds)


def _add_game(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(say("the game"))
    about = say("a rule set by name, or a file of your own (see: boneyard rules --write)")
    _add(group, "--rules", "NAME|FILE", about, default="standard")
    _add_rules(group)
    for name, kind in OPTIONS.items():
        values = [each.value for each in kind]
        usual = say("{decides} (default: {value})", decides=say(kind.decides), value=values[0])
        _add(group, f"--{name}", None, usual, choices=values)
    text = "how many bots play, or the level of each (default: normal, or as set). {levels}"
    levels = " ".join(f"{level.value}: {say(level.sentence)}" for level in BotLevel)
    _add(group, "--bots", "N|LEVEL,…", say(text, levels=levels), type=_bots)
    _add_pace(group)
    about = say("who plays first, with first=chosen-rotate (default: whoever sat down first)")
    _add(group, "--first-player", "NAME", about)


def _add_rules(group: argparse._ActionsContainer) -> None:
    """Add what the rules of a table are made of."""
    about = say("change one rule; may be repeated (see: boneyard rules)")
    repeated = {"action": "append", "default": []}
    _add(group, "--with", "K=V", about, dest="switches", type=_switch, **repeated)
    for name, size in SIZES.items():
        about, read = f"{say(size.about)} ({size.words})", _number(size.values, size.words)
        _add(group, f"--{name}", "N", about, type=read)


def _add_person(parser: ArgumentParser) -> None:
    parser.set_defaults(no_seat=False, seed=None, watch=False, port=None, pace=None)
    group = parser.add_argument_group(say("you"))
    about = say("your name at the table (default: as set, or login)")
    _add(group, "--name", None, about, type=_name)
    _flag(group, "--auto", say("let the program play your seat"))
    _flag(group, "--plain", say("sentences and numbered choices, no board drawing"))
    _flag(group, "--json", say("one JSON object per line on stdout"))
    _add(group, "--record", "FILE", say("write the record of the game here too"))
    _add_data(group)


def _add_data(group: argparse._ActionsContainer) -> None:
    _add(group, "--data", "DIR", say("where identity and records are kept (or $BONEYARD_DATA)"))


def _add_records(parser: ArgumentParser, **more: str) -> None:
    """Add which records are meant, and where those with a number are."""
    about = say("a file, the number of a game in `boneyard games`, or last")
    _add(parser, "file", "RECORD", about, **more)
    _add_data(parser)


# ---- without one ----------------------------------------------------------------------------


def learn(parser: ArgumentParser) -> None:
    """Learn to play."""
    _add(parser, "--name", None, say("your name (default: as at other tables)"), type=_name)
    _flag(parser, "--plain", say("sentences and numbered choices, no board drawing"))


def tables(parser: ArgumentParser) -> None:
    """List the tables on this network."""
    _flag(parser, "--json", say("one JSON object per line"))


def rules(parser: ArgumentParser) -> None:
    """List the rule sets, or explain one, or one switch."""
    _add(parser, "name", "NAME|FILE", say("a rule set, a switch, or a file of your own"), nargs="?")
    _add_rules(parser)
    _add(parser, "--write", "FILE", say("write a file to change and to play by"))
    _flag(parser, "--json", say("as JSON"))


def judge(parser: ArgumentParser) -> None:
    """Referee written games; what it answers is JSON, always."""
    parser.set_defaults(json=True)
    _add(parser, "file", "FILE", say("a game, or several; - for standard input"), nargs="+")


def verify(parser: ArgumentParser) -> None:
    """Check a record, or evidence."""
    _add_records(parser, nargs="+")
    words = say("a key of 64 hex digits or a fingerprint such as eh7ddx5b")
    about = say(
        "fail unless this key signed in it: 64 hex digits, or a fingerprint of 8 letters, "
        "which is weaker; may be given several times"
    )
    key = _matching(r"[0-9a-f]{64}|[a-z2-7]{8}", words)
    _add(parser, "--expect", "KEY", about, type=key, action="append", default=[])
    about = say(
        "fail unless the final digest is this one, or begins with it (16 to 128 hex digits)"
    )
    digest = _matching(r"[0-9a-f]{16,128}", say("a digest of 16 to 128 hex digits"))
    _add(parser, "--head", "DIGEST", about, type=digest)
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
    _add(parser, "--out", "FILE", say("write it there (default: standard output)"))


def review(parser: ArgumentParser) -> None:
    """Go through somebody's moves."""
    parser.description = say(
        "Weighs every move that was a real choice by what the player knew then: deals that fit it "
        "are played out after each move. Points are how much further the others end behind."
    )
    _add_records(parser)
    _add(parser, "--round", "N", say("one round only (default: every one)"), type=count(1, 99))
    about = say("whose moves, by name or by number of the seat (default: yours)")
    _add(parser, "--name", None, about)
    _flag(parser, "--json", say("one JSON object per round"))


def solve(parser: ArgumentParser) -> None:
    """Find the longest train."""
    parser.description = say(
        "Type the tiles you hold, also those of a real table, and see the longest train that they "
        "make: boneyard solve 12-3 3-4 4-4 --from 12. Blanks join blanks only."
    )
    _add(parser, "tile", "TILE", say("a tile, such as 12-3 or 3|12"), nargs="+")
    about = say("the pips that the train begins with: the engine's (default: whatever is best)")
    _add(parser, "--from", "N", about, dest="start", type=count(0, PIP_MAX))
    about = say("what it has most of; the other decides between equals (default: tiles)")
    _add(parser, "--by", None, about, choices=[aim.value for aim in Aim], default=Aim.TILES.value)
    about = say("with no double at its end, for rules by which you would have to cover it")
    _flag(parser, "--cover", about)
    about = say(
        "take the best that is found in that time, and say how much longer one could be "
        "(default: until none can be; that takes milliseconds)"
    )
    _add(parser, "--seconds", "S", about, type=_seconds)
    _flag(parser, "--json", say("as one JSON object"))


def completion(parser: ArgumentParser) -> None:
    """Complete commands in a shell."""
    parser.description = say(
        "Print a script for your shell. For bash: "
        "boneyard completion bash > ~/.local/share/bash-completion/completions/boneyard"
    )
    _add(parser, "shell", None, say("which shell"), choices=["bash", "zsh", "fish"])


def config(parser: ArgumentParser) -> None:
    """Show settings, or change them."""
    parser.epilog = say(
        "Without more: every setting, its value, and where that comes from. An option on the "
        "command line comes first, then BONEYARD_ and the key in the environment, then the file."
    )
    _flag(parser, "--write", say("write a file in which every setting is explained"))
    add = parser.add_subparsers(dest="action", metavar="ACTION")
    each = add.add_parser("show", help=say("show all, or explain one"))
    about = say("one of: {words}", words=", ".join(SETTINGS))
    _add(each, "key", "KEY", about, nargs="?")
    add.add_parser("path", help=say("print where the file is"))
    each = add.add_parser("set", help=say("set one"))
    _add(each, "key", "KEY", say("which; see: boneyard config"))
    _add(each, "value", "VALUE", say("what it is from now on"))
    each = add.add_parser("unset", help=say("go back to the default"))
    _add(each, "key", "KEY", say("which"))


def doctor(parser: ArgumentParser) -> None:
    """Find out why computers do not meet."""
    _add(parser, "address", "HOST:PORT", say("a table to try to reach"), nargs="?")
    _add(parser, "--data", "DIR", say("the data folder to look at"))
    _flag(parser, "--json", say("as one JSON object"))
