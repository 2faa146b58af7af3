"""`boneyard simulate`: many tables nobody sits at, in search of what must never happen."""

from __future__ import annotations

import json
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from cli.exits import ExitCode

if TYPE_CHECKING:
    import argparse

    from engine.random_tables import Simulated

__all__ = ["run", "tables_facts", "tables_lines"]

_SEED: Final = b"boneyard simulate"
"""With the number of a table it fixes everything about it: the number alone brings it back."""

_COUNTS: Final = ("tables", "rounds", "moves", "stuck", "divergent", "illegal", "crashed")


def run(options: argparse.Namespace) -> ExitCode:
    """Simulate what was asked for; fails if anything went wrong that must not."""
    from engine.random_tables import Simulated

    result = Simulated()
    interrupted = False
    try:
        _play_tables(options.tables, options.first, result)
    except KeyboardInterrupt:
        interrupted = True
    if options.json:
        print(json.dumps(tables_facts(result), ensure_ascii=False))
    else:
        print("\n".join(tables_lines(result)))
    if result.troubles:
        return ExitCode.FAILED
    return ExitCode.INTERRUPTED if interrupted else ExitCode.OK


def _play_tables(count: int, first: int, result: Simulated) -> None:
    from engine.random_tables import simulate_table

    for number in range(first, first + count):
        simulate_table(number, _SEED, result)


def tables_facts(result: Simulated) -> dict[str, object]:
    """Give the result as JSON has it."""
    facts: dict[str, object] = {name: getattr(result, name) for name in _COUNTS}
    facts["troubles"] = [
        {"table": each.table, "what": each.what, "rules": each.rules, "again": _again(each.table)}
        for each in result.troubles
    ]
    facts["played"] = _by_switch(result)
    return facts


def tables_lines(result: Simulated) -> list[str]:
    """Give the result as a person reads it."""
    lines = [f"{name:<10}{getattr(result, name):>12,}" for name in _COUNTS]
    lines += ["", "tables played under each value of each switch"]
    for name, values in _by_switch(result).items():
        told = ", ".join(f"{value} {count}" for value, count in values.items())
        lines += wrap(f"  {name:<17} {told}", 80, subsequent_indent=" " * 20)
    for each in result.troubles:
        lines += ["", f"table {each.table}: {each.what}", f"  {each.rules}"]
        lines.append(f"  see it again: {_again(each.table)}")
    return lines


def _by_switch(result: Simulated) -> dict[str, dict[str, int]]:
    """Count the tables by value, those that no table had included."""
    from engine.rules import SWITCHES

    counts = {name: dict.fromkeys(switch.values, 0) for name, switch in SWITCHES.items()}
    for (name, value), count in sorted(result.played.items()):
        counts[name][value] = count
    return counts


def _again(number: int) -> str:
    return f"boneyard simulate --tables 1 --from {number}"
