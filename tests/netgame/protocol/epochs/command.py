"""Search one table to the end, or walk through it at random.

    python -m tests.netgame.protocol.epochs.command --ballots 1.0 1.1 2.2 --steps a b "*"
    python -m tests.netgame.protocol.epochs.command --ballots 1.0 1.1 --steps a --liar 0
    python -m tests.netgame.protocol.epochs.command --seats 5 --ballots 1.0 1.1 2.0 --in-order

`--steps` gives the authors of each step of the log, `*` for all.
"""

import argparse
import random

from netgame.wire.statements import Ballot, bit
from tests.netgame.protocol.epochs.in_order import SearchInOrder
from tests.netgame.protocol.epochs.search import Search
from tests.netgame.protocol.epochs.small import Table
from tests.netgame.protocol.epochs.walks import walk


def _seat_set(text: str, seats: int) -> int:
    return (
        (1 << seats) - 1 if text == "*" else sum(bit("abcdefgh".index(letter)) for letter in text)
    )


def main() -> None:
    """Search one table, or walk through it at random, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--ballots", nargs="*", default=["1.0", "1.1"], help="COUNTER.OWNER")
    parser.add_argument("--steps", nargs="*", default=[], help="authors, such as: a b *")
    parser.add_argument("--wishes", nargs="*", default=[], help="sets of seats, such as: c cd")
    parser.add_argument("--leavers", default="", help="seats that may leave, such as: bc")
    parser.add_argument("--liar", type=int)
    parser.add_argument(
        "--final", type=int, nargs="*", default=[], help="steps at which nobody goes"
    )
    parser.add_argument("--lies", type=int, default=99, help="statements of the liar, at most")
    parser.add_argument("--exact", action="store_true", help="blame by the certificates alone")
    parser.add_argument(
        "--in-order", action="store_true", help="one ballot after the other, which is enough"
    )
    parser.add_argument("--walks", type=int, help="so many random ways instead of all states")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ballots = sorted(Ballot(*map(int, text.split("."))) for text in options.ballots)
    table = Table(
        options.seats,
        tuple(ballots),
        tuple(_seat_set(text, options.seats) for text in options.steps),
        (0, *(_seat_set(text, options.seats) for text in options.wishes)),
        _seat_set(options.leavers, options.seats),
        options.liar,
        frozenset(options.final),
        options.lies,
        options.exact or options.walks is not None,
    )
    search = (SearchInOrder if options.in_order else Search)(table)
    if options.walks is None:
        states = search.all()
        blamed = f", {search.conflicts} conflicts, each blamed on the liar" * (
            table.liar is not None
        )
        print(f"{states} states, {len(search.items)} statements and entries{blamed}: all hold")
        return
    chance = random.Random(options.seed)
    ends = {walk(search, chance) for _ in range(options.walks)}
    print(f"{options.walks} walks to {len(ends)} ends, {len(search.items)} items: all hold")


if __name__ == "__main__":
    main()
