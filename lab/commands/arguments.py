"""The arguments of the laboratory's commands: each command has a function of the same name."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

from cli.choices.kinds import OneOf
from cli.language import say
from engine.rules.choose import STANDARD


def count(least: int, most: int) -> Callable[[str], int]:
    """Return a function that reads a whole number from `least` to `most` for argparse.

    It raises `ArgumentTypeError` for any other text.
    """
    kind: OneOf[int] = OneOf({}, range(least, most + 1))

    def read(text: str) -> int:
        if (number := kind.read(text)) is None:
            raise ArgumentTypeError(say("{word!r} is not {words}", word=text, words=kind.words))
        return number

    return read


def _number(
    add: Callable[..., object],
    name: str,
    about: str,
    least: int = 1,
    most: int = 10**9,
    **more: Any,  # noqa: ANN401 - whatever an argument has besides
) -> None:
    """Add an option that takes a number, which the help calls N unless `more` has a metavar."""
    add(name, type=count(least, most), help=about, **{"metavar": "N", **more})


def _flag(add: Callable[..., object], name: str, about: str) -> None:
    add(name, action="store_true", help=about)


def arena(parser: ArgumentParser) -> None:
    """Add the arguments of `arena`: bots against bots."""
    add = parser.add_argument
    add("--seats", metavar="LEVEL,LEVEL…", required=True, help="a level for each seat")
    about = "how many (100); every deal is played in all rotations of the seats"
    _number(add, "--games", about, most=10**7, default=100)
    add("--rules", metavar="PRESET", default=STANDARD, help="a rule set (standard)")
    add(
        "--with", dest="switch", metavar="SWITCH=VALUE", action="append", default=[],
        help="change a switch; may be given several times",
    )  # fmt: skip
    add("--set", metavar="N", type=int, help="highest pips of the set")
    _number(add, "--rounds", "rounds of a game", most=99)
    _number(add, "--deal", "tiles of a hand", most=190)
    _number(add, "--seed", "other deals", 0, 2**62, default=0)
    _number(add, "--rollouts", "the most rounds played out for a move", default=inf)
    about = "rounds played out for its next turn at each move of another (0)"
    _number(add, "--between", about, 0, default=0)
    where = parser.add_mutually_exclusive_group().add_argument
    _number(where, "--workers", "processes (1)", most=256, default=1)
    where("--cluster", metavar="ADDRESS", help="the scheduler of a Dask cluster")
    about = "CSV of all games; what it has is not played again"
    add("--out", metavar="FILE", type=Path, help=about)
    add("--plot", metavar="FILE", type=Path, help="a picture of the standings")
    _flag(add, "--json", "as a JSON array")


def bench(parser: ArgumentParser) -> None:
    """Add the arguments of `bench`: measurements of this program."""
    add = parser.add_argument
    add("part", nargs="*", metavar="PART", help="some parts only")
    form = parser.add_mutually_exclusive_group().add_argument
    _flag(form, "--json", "as a JSON array")
    _flag(form, "--table", "what has a goal, as a table with the spread of runs")
    _number(add, "--repeat", "runs of each part (1; for a table 3)", most=100)
    _flag(add, "--strict", "fail if a figure misses its goal")
    about = "another clone, measured in turns with this one; all figures of both in a table"
    add("--before", metavar="DIR", type=Path, help=about)


def fuzz(parser: ArgumentParser) -> None:
    """Add the arguments of `fuzz`: broken input for every reader."""
    add = parser.add_argument
    add("part", nargs="*", metavar="PART", help="some parts only")
    long = parser.add_mutually_exclusive_group().add_argument
    _number(long, "--inputs", "how many (100,000)", most=10**12)
    _number(long, "--seconds", "for how long", most=10**7, metavar="S")
    _number(add, "--seed", "other inputs", 0, 2**62, default=0)
    _number(add, "--records", "how many broken records to verify")
    _number(add, "--built", "how many false records, signed by seats that conspire")
    _first(add, "begin with this input of every part")
    _number(add, "--processes", "share the inputs (1)", most=256, default=1)
    _flag(add, "--json", "as one JSON object")


def simulate(parser: ArgumentParser) -> None:
    """Add the arguments of `simulate`: many games without people."""
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group(required=True).add_argument
    _number(what, "--tables", "tables under random rules")
    _number(what, "--rules", "twenty rounds of each preset, then of random rule sets, N in all")
    _number(what, "--seeds", "games of peers under faults")
    _number(what, "--seconds", "the same for so long", most=10**7, metavar="S")
    _flag(what, "--cheats", "every way to cheat, and how each is caught")
    _flag(what, "--crashes", "two games, a seat crashing at each of their effects")
    _flag(add, "--liars", "keys sign faults in every game of peers (default: 1 seed of 32)")
    _first(add, "begin with this table, rule set, seed or crash")
    about = "how many of the tables peers play, with real proofs (default: 20)"
    _number(add, "--network", about, 0, 10**6, metavar="M")
    _number(add, "--every", "only every N-th of the crashes")
    group = parser.add_mutually_exclusive_group().add_argument
    _flag(group, "--toy", "all with a toy group (default: 19 seeds of 20)")
    _flag(group, "--real", "all with the real group")
    _flag(add, "--json", "as one JSON object")


def _first(add: Callable[..., object], about: str) -> None:
    _number(add, "--from", about, 0, 2**62, dest="first", metavar="NUMBER", default=0)
