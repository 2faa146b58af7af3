"""The command line: every option once, checked as far as that needs nothing but argparse.

Nothing but argparse that takes time is imported here, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from cli.visible import visible

SET_CHOICES: Final = (6, 9, 12, 15, 18)
"""Must agree with `engine.tiles.SET_SIZES`; not imported, to keep `--help` quick."""

OPTION_CHOICES: Final = {
    "draws": ("shown", "hidden"),
    "audit": ("hands", "keys", "seeds"),
    "leaver": ("rebuild", "redeal"),
    "patience": ("five-minutes", "minute", "vote"),
    "latecomers": ("seated", "watch"),
}
"""Must agree with `netgame.protocol.fold.options.OPTIONS`."""

_OPTION_HELP: Final = {
    "draws": "whether a lay shows when its tile was drawn",
    "audit": "what is laid open after a round",
    "leaver": "how a round goes on when somebody has left for good",
    "patience": "when somebody who is away is given up",
    "latecomers": "what becomes of people who come after the start",
}

SEATS_MIN: Final = 2
SEATS_MAX: Final = 14
ROUNDS_MAX: Final = 99
DEAL_MAX: Final = 190
"""Must agree with the engine: the most seats, rounds, and tiles of a set."""

_ABOUT: Final = "Mexican Train dominoes for a LAN party: no server, and nobody to trust."
_EPILOG: Final = """\
Without a command: the tables found on this network, and a menu.
Exit codes: 0 ok, 1 failed, 2 usage, 3 not found or timed out, 4 refused by a peer,
130 interrupted."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one sentence, and where to read more."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        text = visible(message[:1].upper() + message[1:].rstrip("."))
        self.exit(2, f"{text}. See: {self.prog} --help\n")


class _Version(argparse.Action):
    """Looks the version up only when it is asked for, as that takes longer than all the rest."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> NoReturn:
        """Print the version and leave."""
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("boneyard")
        except PackageNotFoundError:
            number = "(not installed)"
        print(f"boneyard {number}")
        parser.exit()


def _count(least: int, most: int) -> Callable[[str], int]:
    """Make a reader of whole numbers in a range, whose complaint names the range."""

    def number(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= 20 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")

    return number


def _key(text: str) -> str:
    """Read a key, or the fingerprint of one."""
    folded = text.lower()
    if re.fullmatch(r"[0-9a-f]{64}|[a-z2-7]{8}", folded, re.ASCII) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no key of 64 hex digits and no fingerprint such as eh7ddx5b"
        )
    return folded


def _digest(text: str) -> str:
    """Read the digest of a game, or enough of its beginning."""
    folded = text.lower()
    if re.fullmatch(r"[0-9a-f]{16,128}", folded, re.ASCII) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no digest of 16 to 128 hex digits")
    return folded


def _switch(text: str) -> tuple[str, str]:
    """Read `NAME=VALUE`; whether there is such a switch is for the engine to say."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip() or not value.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, such as blanks=25-50")
    return name.strip(), value.strip()


def _add_person(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("you")
    group.add_argument("--name", help="your name at the table (default: $BONEYARD_NAME, login)")
    group.add_argument("--auto", action="store_true", help="let the program play your seat")
    group.add_argument(
        "--plain", action="store_true", help="sentences and numbered choices, no board drawing"
    )
    group.add_argument("--json", action="store_true", help="one JSON object a line on stdout")
    group.add_argument("--record", metavar="FILE", help="write the record of the game here too")
    group.add_argument(
        "--data", metavar="DIR", help="where identity and records are kept (or $BONEYARD_DATA)"
    )


def _add_game(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the game")
    group.add_argument(
        "--rules",
        metavar="NAME|FILE",
        default="standard",
        help="a rule set by name, or your own in a file (see: boneyard rules --write)",
    )
    _add_rules(group)
    for name, values in OPTION_CHOICES.items():
        usual = f"{_OPTION_HELP[name]} (default: {values[0]})"
        group.add_argument(f"--{name}", choices=values, help=usual)
    group.add_argument("--bots", metavar="N", type=_count(0, 13), help="seats for the program")
    group.add_argument(
        "--seats", metavar="N", type=_count(SEATS_MIN, SEATS_MAX), help="start by itself when N sit"
    )
    group.add_argument(
        "--first-player",
        metavar="NAME",
        help="who plays first, by rules with first=chosen-rotate (default: who sat down first)",
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
        help="change one rule; may be repeated (see: boneyard rules)",
    )
    group.add_argument(
        "--set", dest="pip_max", type=int, choices=SET_CHOICES, help="the highest double of the set"
    )
    group.add_argument(
        "--deal", metavar="TILES", type=_count(1, DEAL_MAX), help="tiles in each hand"
    )
    group.add_argument("--rounds", metavar="N", type=_count(1, ROUNDS_MAX), help="rounds to play")


def _add_host(add: object) -> None:
    assert isinstance(add, argparse._SubParsersAction)
    play = add.add_parser("play", help="play here against the program")
    _add_game(play)
    play.add_argument(
        "--seed",
        metavar="N",
        type=_count(0, 2**63 - 1),
        help="the same moves bring the same game again; not fair",
    )
    _add_person(play)
    host = add.add_parser("host", help="open a table on this network")
    _add_game(host)
    host.add_argument("--port", type=_count(1, 65535), help="listen here (default: 4747 or next)")
    host.add_argument("--open", action="store_true", help="let anybody sit down, without a code")
    host.add_argument("--no-seat", action="store_true", help="open the table, but do not play")
    _add_person(host)
    join = add.add_parser("join", help="sit down at a table of this network")
    join.add_argument("table", nargs="?", metavar="TABLE|HOST:PORT", help="which table")
    join.add_argument("--yes", action="store_true", help="sit down without being asked")
    join.add_argument("--watch", action="store_true", help="look on, and take no seat")
    join.add_argument("--code", metavar="CODE", help="its join code, such as 7-otter-violin")
    _add_person(join)
    resume = add.add_parser("resume", help="come back to a table after a crash or a break")
    resume.add_argument("table", nargs="?", default="", metavar="TABLE", help="its folder's name")
    _add_person(resume)


def _add_offline(add: object) -> None:
    assert isinstance(add, argparse._SubParsersAction)
    tables = add.add_parser("tables", help="list the tables of this network")
    tables.add_argument("--json", action="store_true", help="one JSON object a line")
    rules = add.add_parser("rules", help="list the rule sets, or explain one, or one switch")
    rules.add_argument(
        "name", nargs="?", metavar="NAME|FILE", help="a rule set, a switch, or a file of your own"
    )
    _add_rules(rules)
    rules.add_argument(
        "--seats", metavar="N", type=_count(SEATS_MIN, SEATS_MAX), help="for so many players"
    )
    rules.add_argument("--write", metavar="FILE", help="write a file to change and to play by")
    rules.add_argument("--json", action="store_true", help="as JSON")
    judge = add.add_parser("judge", help="be the referee of a game written down in notation")
    judge.add_argument(
        "file", metavar="FILE", nargs="+", help="a game, or several; - for standard input"
    )
    verify = add.add_parser("verify", help="check a record, or evidence, from its first byte on")
    verify.add_argument("file", metavar="FILE", help="the record")
    verify.add_argument(
        "--expect",
        metavar="KEY",
        type=_key,
        action="append",
        default=[],
        help="fail unless this key signed in it: 64 hex digits, or a fingerprint of 8 letters, "
        "which is weaker; may be given several times",
    )
    verify.add_argument(
        "--head",
        metavar="DIGEST",
        type=_digest,
        help="fail unless the final digest is this one, or begins so (16 to 128 hex digits)",
    )
    verify.add_argument("--json", action="store_true", help="as one JSON object")
    replay = add.add_parser("replay", help="see a recorded game again, move by move")
    replay.add_argument("file", metavar="RECORD", help="the record")
    replay.add_argument("--notation", action="store_true", help="write it down, for judge to read")
    bench = add.add_parser("bench", help="measure this program on this machine")
    bench.add_argument("part", nargs="*", metavar="PART", help="some parts only")
    bench.add_argument("--json", action="store_true", help="as a JSON array")
    _add_doctor(add)
    _add_fuzz(add)
    _add_simulate(add)


def _add_fuzz(add: object) -> None:
    assert isinstance(add, argparse._SubParsersAction)
    fuzz = add.add_parser("fuzz", help="feed spoilt input to everything that reads, and check")
    fuzz.add_argument("part", nargs="*", metavar="PART", help="some parts only")
    long = fuzz.add_mutually_exclusive_group()
    long.add_argument("--inputs", metavar="N", type=_count(1, 10**12), help="so many (100,000)")
    long.add_argument("--seconds", metavar="S", type=_count(1, 10**7), help="for so long")
    fuzz.add_argument("--seed", metavar="N", type=_count(0, 2**62), default=0, help="other inputs")
    fuzz.add_argument(
        "--records", metavar="N", type=_count(1, 10**9), help="so many spoilt records to verify"
    )
    fuzz.add_argument(
        "--built",
        metavar="N",
        type=_count(1, 10**9),
        help="so many false records, signed by seats that conspire",
    )
    fuzz.add_argument(
        "--from",
        dest="first",
        metavar="NUMBER",
        type=_count(0, 2**62),
        default=0,
        help="begin with this input of every part",
    )
    fuzz.add_argument(
        "--processes", metavar="N", type=_count(1, 256), default=1, help="share the inputs (1)"
    )
    fuzz.add_argument("--json", action="store_true", help="as one JSON object")


def _add_doctor(add: object) -> None:
    assert isinstance(add, argparse._SubParsersAction)
    doctor = add.add_parser("doctor", help="say why this computer and the others do not meet")
    doctor.add_argument("address", nargs="?", metavar="HOST:PORT", help="a table to try to reach")
    doctor.add_argument("--data", metavar="DIR", help="the data folder to look at")
    doctor.add_argument("--json", action="store_true", help="as one JSON object")


def _add_simulate(add: object) -> None:
    assert isinstance(add, argparse._SubParsersAction)
    simulate = add.add_parser("simulate", help="play many tables that nobody sits at, and check")
    what = simulate.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--tables", metavar="N", type=_count(1, 10**9), help="tables under random rules"
    )
    what.add_argument(
        "--seeds", metavar="N", type=_count(1, 10**9), help="games of peers under faults"
    )
    what.add_argument(
        "--seconds", metavar="S", type=_count(1, 10**7), help="such games for so long"
    )
    what.add_argument(
        "--cheats", action="store_true", help="every way to cheat, and how each is found out"
    )
    what.add_argument(
        "--crashes", action="store_true", help="one game, a seat crashing at each of its effects"
    )
    simulate.add_argument(
        "--from",
        dest="first",
        metavar="NUMBER",
        type=_count(0, 2**62),
        default=0,
        help="begin with this table, seed or crash",
    )
    simulate.add_argument(
        "--network",
        metavar="M",
        type=_count(0, 10**6),
        help="of the tables so many as peers play them, with real proofs (default: 20)",
    )
    simulate.add_argument(
        "--every", metavar="N", type=_count(1, 10**9), help="of the crashes only every N-th"
    )
    group = simulate.add_mutually_exclusive_group()
    group.add_argument(
        "--toy", action="store_true", help="all with a toy group (default: 19 seeds of 20)"
    )
    group.add_argument("--real", action="store_true", help="all with the real group")
    simulate.add_argument("--json", action="store_true", help="as one JSON object")


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of the whole command line."""
    parser = _Parser(
        prog="boneyard",
        description=_ABOUT,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    add = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    _add_host(add)
    _add_offline(add)
    return parser


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; leaves by itself (SystemExit) for `--help` and for nonsense."""
    return build_parser().parse_args(argv)
