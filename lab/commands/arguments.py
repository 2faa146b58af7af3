"""The arguments of the laboratory's commands: a function for each, called like the command."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from cli.choices.kinds import OneOf
from cli.language import say
from engine.rules.choose import STANDARD


def count(least: int, most: int) -> Callable[[str], int]:
    """Make a reader of whole numbers in a range."""
    kind: OneOf[int] = OneOf({}, range(least, most + 1))

    def read(text: str) -> int:
        if (number := kind.read(text)) is None:
            raise ArgumentTypeError(say("{word!r} is not {words}", word=text, words=kind.words))
        return number

    return read


def arena(parser: ArgumentParser) -> None:
    """Play bots against bots."""
    parser.add_argument(
        "--seats", metavar="LEVEL,LEVEL…", required=True, help="a level for each seat"
    )
    parser.add_argument(
        "--games", metavar="N", type=count(1, 10**7), default=100,
        help="how many (100); every deal is played in all rotations of the seats",
    )  # fmt: skip
    parser.add_argument("--rules", metavar="PRESET", default=STANDARD, help="a rule set (standard)")
    parser.add_argument(
        "--with", dest="switch", metavar="SWITCH=VALUE", action="append", default=[],
        help="change a switch; may be given several times",
    )  # fmt: skip
    parser.add_argument("--set", metavar="N", type=int, help="highest pips of the set")
    parser.add_argument("--rounds", metavar="N", type=count(1, 99), help="rounds of a game")
    parser.add_argument("--deal", metavar="N", type=count(1, 190), help="tiles of a hand")
    parser.add_argument("--seed", metavar="N", type=count(0, 2**62), default=0, help="other deals")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers", metavar="N", type=count(1, 256), default=1, help="processes (1)"
    )
    where.add_argument("--cluster", metavar="ADDRESS", help="the scheduler of a Dask cluster")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="CSV of all games; what it has is not played again"
    )
    parser.add_argument("--plot", metavar="FILE", type=Path, help="a picture of the standings")
    parser.add_argument("--json", action="store_true", help="as a JSON array")


def bench(parser: ArgumentParser) -> None:
    """Measure this program."""
    parser.add_argument("part", nargs="*", metavar="PART", help="some parts only")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as a JSON array")
    form.add_argument(
        "--table", action="store_true", help="what has a goal, as a table with the spread of runs"
    )
    parser.add_argument(
        "--repeat", metavar="N", type=count(1, 100), help="runs of each part (1; for a table 3)"
    )
    parser.add_argument("--strict", action="store_true", help="fail if a figure misses its goal")
    parser.add_argument(
        "--before", metavar="DIR", type=Path, help="another clone, measured in turns with this one"
    )


def fuzz(parser: ArgumentParser) -> None:
    """Feed broken input to everything that reads."""
    parser.add_argument("part", nargs="*", metavar="PART", help="some parts only")
    long = parser.add_mutually_exclusive_group()
    long.add_argument("--inputs", metavar="N", type=count(1, 10**12), help="how many (100,000)")
    long.add_argument("--seconds", metavar="S", type=count(1, 10**7), help="for how long")
    parser.add_argument("--seed", metavar="N", type=count(0, 2**62), default=0, help="other inputs")
    parser.add_argument(
        "--records", metavar="N", type=count(1, 10**9), help="how many broken records to verify"
    )
    parser.add_argument(
        "--built",
        metavar="N",
        type=count(1, 10**9),
        help="how many false records, signed by seats that conspire",
    )
    _add_first(parser, "begin with this input of every part")
    parser.add_argument(
        "--processes", metavar="N", type=count(1, 256), default=1, help="share the inputs (1)"
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def simulate(parser: ArgumentParser) -> None:
    """Play many games without people."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--tables", metavar="N", type=count(1, 10**9), help="tables under random rules"
    )
    what.add_argument(
        "--rules",
        metavar="N",
        type=count(1, 10**9),
        help="twenty rounds of each preset, then of random rule sets, N in all",
    )
    what.add_argument(
        "--seeds", metavar="N", type=count(1, 10**9), help="games of peers under faults"
    )
    what.add_argument("--seconds", metavar="S", type=count(1, 10**7), help="the same for so long")
    what.add_argument(
        "--cheats", action="store_true", help="every way to cheat, and how each is caught"
    )
    what.add_argument(
        "--crashes", action="store_true", help="one game, a seat crashing at each of its effects"
    )
    _add_first(parser, "begin with this table, rule set, seed or crash")
    parser.add_argument(
        "--network",
        metavar="M",
        type=count(0, 10**6),
        help="how many of the tables peers play, with real proofs (default: 20)",
    )
    parser.add_argument(
        "--every", metavar="N", type=count(1, 10**9), help="only every N-th of the crashes"
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--toy", action="store_true", help="all with a toy group (default: 19 seeds of 20)"
    )
    group.add_argument("--real", action="store_true", help="all with the real group")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def _add_first(parser: ArgumentParser, about: str) -> None:
    parser.add_argument(
        "--from", dest="first", metavar="NUMBER", type=count(0, 2**62), default=0, help=about
    )
