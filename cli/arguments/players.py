"""The arguments of the players' commands: one function for each, named after the command.

The readers of single arguments come first; each complaint says what is accepted.
"""

import argparse
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from cli.choices.choice import Choice, find, read_value
from cli.choices.kinds import Kind, OneOf, Seconds
from cli.choices.table import FIRST, SIZES, TABLE
from cli.language import say
from cli.settings.bots import BOTS
from cli.settings.declared import NAME, PACE, SETTINGS
from engine.bots.levels import BotLevel
from engine.longest_train import Aim
from engine.rules.choose import STANDARD, SWITCHES
from engine.rules.spec import ROUNDS_MAX
from engine.tiles import PIP_MAX
from netgame.protocol.state.options import OPTIONS

_SECONDS_MAX: Final = 99_999
_RECORD: Final = "a file (- for standard input), the number of a game in `boneyard games`, or last"
_CHOICES: Final = {**TABLE, FIRST.key: FIRST}


def _change(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`, for any choice of a table, as the choice's key and its proper word.

    Raises `ArgumentTypeError` if either part is missing, and `CommandFailed` for an unknown name or
    a value that the choice does not accept.
    """
    name, _, value = (part.strip() for part in text.partition("="))
    if not name or not value:
        raise ArgumentTypeError(say("{word!r} is not NAME=VALUE, such as blanks=25-50", word=text))
    choice = find(_CHOICES, name)
    return choice.key, choice.word(value, f"--with {choice.key}")


def _matching(pattern: str, words: str) -> Callable[[str], str]:
    """Return a reader that takes text matching the whole `pattern`, and returns it in lower case.

    For other text the reader raises `ArgumentTypeError`; `words` tells a person what is accepted.
    """

    def read(text: str) -> str:
        if re.fullmatch(pattern, text.lower(), re.ASCII) is None:
            raise ArgumentTypeError(say("{word!r} is not {words}", word=text, words=words))
        return text.lower()

    return read


def _flag(group: argparse._ActionsContainer, name: str, about: str) -> None:
    group.add_argument(name, action="store_true", help=say(about))


def _add(
    group: argparse._ActionsContainer,
    name: str,
    metavar: str | tuple[str, ...] | None,
    about: str,
    kind: Kind[Any] | None = None,
    facts: Mapping[str, object] = MappingProxyType({}),
    **more: object,
) -> None:
    if kind is not None:
        more["type"] = partial(read_value, kind, name)
    group.add_argument(name, metavar=metavar, help=say(about, **facts), **more)  # type: ignore[arg-type]


def with_code_as_word(words: Sequence[str]) -> Sequence[str]:
    """Return the words, with three that form a join code joined by hyphens.

    `62 pickle river` becomes `62-pickle-river`. Words without a join code are returned unchanged.
    """
    from netgame.io.door.codes import looks_like_code  # late: importing it takes time

    for at in range(len(words) - 2):
        code = words[at : at + 3]
        if looks_like_code(" ".join(code)):
            return [*words[:at], "-".join(code), *words[at + 3 :]]
    return words


# ---- at a table -----------------------------------------------------------------------------


def play(parser: ArgumentParser) -> None:
    """Add the arguments of `play`."""
    _add_game(parser)
    about = "deal from this seed, not fairly; the same moves give the same game again"
    _add(parser, "--seed", "N", about, kind=OneOf({}, range(2**63)))
    _flag(parser, "--wall", "fill this screen for a whole room to see")
    _add_person(parser)


def host(parser: ArgumentParser) -> None:
    """Add the arguments of `host`."""
    _add_game(parser)
    about = "listen here (default: 4747 or next)"
    _add(parser, "--port", None, about, kind=OneOf({}, range(1, 65536)))
    about, opened = "let anybody sit down, without a code", ("newcomers", "open")
    _add(parser, "--open", None, about, dest="changes", action="append_const", const=opened)
    _flag(parser, "--no-seat", "open the table without playing")
    _flag(parser, "--no-page", "serve no page for browsers")
    _flag(parser, "--wall", "fill this screen for a whole room to see, and take no seat")
    _add_person(parser)


def join(parser: ArgumentParser) -> None:
    """Add the arguments of `join`."""
    about = "which table; unless you give an address, you may come up to two minutes early"
    _add(parser, "table", "TABLE|HOST:PORT", about, nargs="?")
    _flag(parser, "--yes", "sit down without being asked")
    _flag(parser, "--watch", "watch, and take no seat")
    _flag(parser, "--wall", "fill this screen for a whole room to see, and take no seat")
    _flag(
        parser, "--page", "serve the page for browsers; it leads to the host through your computer"
    )
    _add(parser, "--code", "CODE", "its join code, such as 7-otter-violin")
    _add_person(parser)


def resume(parser: ArgumentParser) -> None:
    """Add the arguments of `resume`."""
    about = (
        "which of your unfinished games, by its number in `boneyard games` (default: the only "
        "one, or you are asked)"
    )
    _add(parser, "table", "NUMBER", about, nargs="?", default="")
    _flag(parser, "--wall", "fill this screen for a whole room to see")
    _add_pace(parser)
    _add_person(parser)


def _add_pace(group: argparse._ActionsContainer) -> None:
    text = (
        "seconds that a bot takes for a move, so that you can follow (default: "
        "{usual} at a terminal, or as set, else 0)"
    )
    _add(group, "--pace", "S", text, kind=PACE.kind, facts={"usual": PACE.usual})


def _add_game(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(say("the game"))
    about = "a rule set by name, or a file of your own (see: boneyard rules --write)"
    _add(group, "--rules", "NAME|FILE", about, default=STANDARD)
    _add_rules(group)
    for name in OPTIONS:
        choice = TABLE[name]
        text = "{decides} (default: {value})"
        about = say(text, decides=say(choice.about), value=choice.usual.value)
        _add_change(group, choice, about)
    text = "how many bots play, or the level of each (default: normal, or as set). {levels}"
    levels = " ".join(f"{level.value}: {say(level.sentence)}" for level in BotLevel)
    _add(group, "--bots", "N|LEVEL,…", text, kind=BOTS.kind, facts={"levels": levels})
    _add_pace(group)
    about = say(
        "who plays first, with first=chosen-rotate (default: the player who sat down first)"
    )
    _add_change(group, FIRST, about, "NAME")


def _add_rules(group: argparse._ActionsContainer) -> None:
    """Add `--with`, an option for each size of a table, and a hidden one for each switch.

    Each appends a pair of key and word to `changes`, which is an empty list by default.
    """
    about = "change one rule, as --blanks 25-50 does; may be repeated (see: boneyard rules)"
    repeated: dict[str, Any] = {"dest": "changes", "action": "append", "default": []}
    _add(group, "--with", "K=V", about, type=_change, **repeated)
    for size in SIZES.values():
        _add_change(group, size, f"{say(size.about)} ({size.kind.words})", "N")
    for name, choice in TABLE.items():
        if name in SWITCHES and name not in SIZES:
            _add_change(group, choice, argparse.SUPPRESS)


def _add_change(
    group: argparse._ActionsContainer, choice: Choice[Any], about: str, metavar: str | None = None
) -> None:
    """Add a choice of a table as an option that appends its key and proper word to `changes`.

    Every name of the choice is an option. Parsing raises `CommandFailed` for a value that the
    choice does not accept.
    """
    argument = f"--{choice.key}"
    group.add_argument(
        *(f"--{name}" for name, each in _CHOICES.items() if each is choice),
        metavar=metavar or f"{{{','.join(choice.kind.sentences)}}}",
        help=about,
        dest="changes",
        action="append",
        type=lambda text: (choice.key, choice.word(text, argument)),
    )


def _add_person(parser: ArgumentParser) -> None:
    parser.set_defaults(
        no_seat=False, no_page=False, page=False, seed=None, watch=False, port=None, pace=None
    )
    group = parser.add_argument_group(say("you"))
    about = "your name at the table (default: as set, as at the last one, or login)"
    _add(group, "--name", None, about, kind=NAME.kind)
    _flag(group, "--auto", "let the program play your seat")
    _flag(group, "--plain", "sentences and numbered choices, no board drawing")
    _flag(group, "--json", "one JSON object per line on stdout")
    _add(group, "--record", "FILE", "write the record of the game here too")
    _add_data(group)


def _add_data(group: argparse._ActionsContainer) -> None:
    _add(group, "--data", "DIR", "where identity and records are kept (or $BONEYARD_DATA)")


def _add_records(parser: ArgumentParser, nargs: str | None = None) -> None:
    """Add `file`, for the number of records that `nargs` allows, and `--data`, their folder."""
    _add(parser, "file", "RECORD", _RECORD, nargs=nargs)
    _add_data(parser)


# ---- without one ----------------------------------------------------------------------------


def learn(parser: ArgumentParser) -> None:
    """Add the arguments of `learn`."""
    about = "1: how to play; 2: doubles owed, open trains, counting what is out (default: 1)"
    _add(parser, "lesson", "LESSON", about, nargs="?", choices=("1", "2"), default="1")
    _add(parser, "--name", None, "your name (default: as at other tables)", kind=NAME.kind)
    _flag(parser, "--plain", "sentences and numbered choices, no board drawing")


def demo(parser: ArgumentParser) -> None:
    """Add the arguments of `demo` and its epilog."""
    from cli.lies import LIES  # late: no other command needs what a cheat needs

    parser.epilog = say(
        "Four programs play on this computer, and one of them cheats. The others name it, and the "
        "evidence is written to a file and verified. Nothing is staged but the lie."
    )
    about = "how it cheats (default: you are asked, or the first in a pipe). {cheats}"
    cheats = " ".join(f"{word}: {say(lie.sentence)}." for word, lie in LIES.items())
    _add(parser, "cheat", "CHEAT", about, facts={"cheats": cheats}, nargs="?", choices=[*LIES])
    about = "deal from this seed: the same tiles and the same lie come again"
    _add(parser, "--seed", "N", about, kind=OneOf({}, range(2**63)))
    about = "how fast it is told: 2 is twice as fast, 0 all at once (default: 1 at a terminal)"
    number = _matching(r"\d{1,3}(\.\d{1,3})?", say("a number such as 2 or 0.5"))
    _add(parser, "--speed", "X", about, type=number)
    _add_data(parser)


def tables(parser: ArgumentParser) -> None:
    """Add the arguments of `tables`."""
    _flag(parser, "--json", "one JSON object per line")


def rules(parser: ArgumentParser) -> None:
    """Add the arguments of `rules`."""
    _add(
        parser,
        "name",
        "NAME|FILE",
        "a rule set, a switch, a section such as 2.2, or a file of your own",
        nargs="?",
    )
    _add_rules(parser)
    _add(parser, "--write", "FILE", "write a file to change and to play by")
    _flag(parser, "--json", "as one JSON object")


def judge(parser: ArgumentParser) -> None:
    """Add the arguments of `judge` and its epilog."""
    parser.epilog = say(
        "It stops at the first line that is wrong, and says why. With --json it judges every line."
    )
    _add(parser, "file", "FILE", "a game, or several; - for standard input", nargs="+")
    _flag(parser, "--json", "one JSON object per line")


def verify(parser: ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    _add_records(parser, nargs="+")
    words = say("a key of 64 hex digits or a fingerprint such as eh7ddx5b")
    about = (
        "fail unless this key signed in it: 64 hex digits, or a fingerprint of 8 letters, "
        "which is weaker; may be given several times"
    )
    key = _matching(r"[0-9a-f]{64}|[a-z2-7]{8}", words)
    _add(parser, "--expect", "KEY", about, type=key, action="append", default=[])
    about = "fail unless the final digest is this one, or begins with it (16 to 128 hex digits)"
    digest = _matching(r"[0-9a-f]{16,128}", say("a digest of 16 to 128 hex digits"))
    _add(parser, "--head", "DIGEST", about, type=digest)
    _flag(parser, "--json", "one JSON object for each record")


def replay(parser: ArgumentParser) -> None:
    """Add the arguments of `replay`."""
    _add_records(parser)
    form = parser.add_mutually_exclusive_group()
    _flag(form, "--notation", "write it down, for judge to read")
    _flag(form, "--json", "one JSON object per line")


def games(parser: ArgumentParser) -> None:
    """Add the arguments of `games`."""
    does = parser.add_mutually_exclusive_group()
    about = (
        "copy the record of a game to a new file, to give to somebody, or to standard output (-); "
        "N is its number or last"
    )
    _add(does, "--copy", ("N", "FILE"), about, nargs=2)
    about = "delete games by their numbers; practice means all against bots that are not finished"
    _add(does, "--forget", "N", about, nargs="+")
    _flag(parser, "--force", "with --forget: delete without a question, as in a script")
    _flag(parser, "--json", "one JSON object per line")
    _add_data(parser)


def stats(parser: ArgumentParser) -> None:
    """Add the arguments of `stats` and its epilog."""
    parser.epilog = say("Games dealt from a seed and games you only watched do not count.")
    _flag(parser, "--json", "as one JSON object")
    _add_data(parser)


def standings(parser: ArgumentParser) -> None:
    """Add the arguments of `standings` and its epilog."""
    parser.epilog = say(
        "Each record is checked from its first byte on. A game of which several records are given "
        "counts once. One that is not over does not count, nor does one dealt from a seed."
    )
    about = "{record} (default: all of yours)"
    _add(parser, "file", "RECORD", about, facts={"record": say(_RECORD)}, nargs="*")
    _add_data(parser)
    _flag(parser, "--json", "as one JSON object")


def sheet(parser: ArgumentParser) -> None:
    """Add the arguments of `sheet`."""
    _add_records(parser)
    form = parser.add_mutually_exclusive_group()
    _flag(form, "--csv", "a line a round, for a spreadsheet")
    _flag(form, "--svg", "a plot of the totals, for a browser")
    _flag(form, "--json", "as one JSON object")
    _add(parser, "--out", "FILE", "write it there (default: standard output)")


def review(parser: ArgumentParser) -> None:
    """Add the arguments of `review` and its epilog."""
    parser.epilog = say(
        "It judges every move that was a real choice by what the player knew then: it plays "
        "out deals that fit after each move. Points are how much further behind the others "
        "end."
    )
    _add_records(parser)
    about = "one round only (default: every one)"
    _add(parser, "--round", "N", about, kind=OneOf({}, range(1, ROUNDS_MAX + 1)))
    about = "whose moves, by name or by number of the seat (default: yours)"
    _add(parser, "--name", None, about)
    _flag(parser, "--json", "one JSON object per round")


def solve(parser: ArgumentParser) -> None:
    """Add the arguments of `solve` and its epilog."""
    parser.epilog = say(
        "Type the tiles you hold, also those of a real table, and see the longest train that they "
        "make: boneyard solve 12-3 3-4 4-4 --from 12. Blanks join blanks only."
    )
    about = "a tile, such as 12-3 or 3|12, or several; - for those on standard input"
    _add(parser, "tile", "TILE", about, nargs="+")
    about = "the pips that the train begins with: the engine's (default: whatever is best)"
    _add(parser, "--from", "N", about, dest="start", kind=OneOf({}, range(PIP_MAX + 1)))
    about = "what to maximise: tiles or pips; the other breaks ties (default: tiles)"
    _add(parser, "--by", None, about, choices=[aim.value for aim in Aim], default=Aim.TILES.value)
    about = "with no double at its end, for rules by which you would have to cover it"
    _flag(parser, "--cover", about)
    about = (
        "take the best that is found in that time, and say how much longer one could be "
        "(default: until none can be; that takes milliseconds)"
    )
    _add(parser, "--seconds", "S", about, kind=Seconds(_SECONDS_MAX))
    _flag(parser, "--json", "as one JSON object")


def completion(parser: ArgumentParser) -> None:
    """Add the arguments of `completion` and its epilog."""
    parser.epilog = say(
        "For bash: boneyard completion bash > ~/.local/share/bash-completion/completions/boneyard"
    )
    _add(parser, "shell", None, "which shell", choices=["bash", "zsh", "fish"])


def config(parser: ArgumentParser) -> None:
    """Add the arguments of `config`, its epilog, and the actions show, path, get, set and unset."""
    parser.epilog = say(
        "Without an action: every setting, its value, and where that comes from. An option "
        "on the command line comes first, then BONEYARD_ and the key in the environment, "
        "then the file."
    )
    parser._positionals.title = say("actions")
    _flag(parser, "--write", "write a file in which every setting is explained")
    add = parser.add_subparsers(dest="action", metavar="ACTION")
    each = add.add_parser("show", help=say("show all, or explain one"))
    keys = {"words": ", ".join(SETTINGS)}
    _add(each, "key", "KEY", "one of: {words}", facts=keys, nargs="?")
    add.add_parser("path", help=say("print where the file is"))
    each = add.add_parser("get", help=say("print the value of one, for a script"))
    _add(each, "key", "KEY", "which")
    each = add.add_parser("set", help=say("set one"))
    _add(each, "key", "KEY", "which; see: boneyard config")
    _add(each, "value", "VALUE", "its new value")
    each = add.add_parser("unset", help=say("go back to the default"))
    _add(each, "key", "KEY", "which")


def page(parser: ArgumentParser) -> None:
    """Add the arguments of `page` and its epilog."""
    parser.epilog = say(
        "host serves the page beside the table, and shows its address. A page from a file asks for "
        "the address of a table, where the host has typed: page files."
    )
    _add(parser, "--out", "FILE", "write the whole page there, for a stick")


def share(parser: ArgumentParser) -> None:
    """Add the arguments of `share`."""
    _flag(parser, "--gather", "fetch it for other kinds of computers, while there is internet")
    _add(parser, "--data", "DIR", "the data folder that keeps what was fetched")


def doctor(parser: ArgumentParser) -> None:
    """Add the arguments of `doctor`."""
    _add(parser, "address", "HOST:PORT", "a table to try to reach", nargs="?")
    _add(parser, "--data", "DIR", "the data folder to look at")
    _flag(parser, "--json", "as one JSON object")


def selftest(parser: ArgumentParser) -> None:
    """Add the arguments of `selftest`."""
    _flag(parser, "--lan", "look at the network too, as doctor does")
    _add(parser, "--data", "DIR", "the data folder to try")
    _flag(parser, "--json", "as one JSON object")


def help(parser: ArgumentParser) -> None:  # noqa: A001 - called like the command
    """Add the arguments of `help`."""
    _add(parser, "topic", "COMMAND", "which (default: all)", nargs="?")
