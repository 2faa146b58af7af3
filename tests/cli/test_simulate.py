"""`boneyard simulate`: what it counts, what it says, how it ends."""

from __future__ import annotations

import json

from cli import simulate
from cli.arguments import read_arguments
from cli.exits import ExitCode
from engine import random_tables
from engine.rules import SWITCHES


def run(*arguments: str) -> ExitCode:
    """Run the command in this process."""
    return simulate.run(read_arguments(["simulate", *arguments]))


def test_tables_are_counted_and_the_same_twice(capsys) -> None:
    """Ten tables in two runs are the same as ten in one."""
    assert run("--tables", "10", "--json") is ExitCode.OK
    whole = json.loads(capsys.readouterr().out)
    assert whole["tables"] == 10
    assert whole["moves"] > whole["rounds"] >= 10
    assert whole["stuck"] == whole["divergent"] == whole["illegal"] == whole["crashed"] == 0
    parts = []
    for first in ("0", "4"):
        run("--tables", "4" if first == "0" else "6", "--from", first, "--json")
        parts.append(json.loads(capsys.readouterr().out))
    assert sum(part["moves"] for part in parts) == whole["moves"]


def test_every_table_counts_once_for_every_switch(capsys) -> None:
    """The values that were never played are there as well, with a zero."""
    run("--tables", "3", "--json")
    played = json.loads(capsys.readouterr().out)["played"]
    assert set(played) == set(SWITCHES)
    for name, counts in played.items():
        assert sum(counts.values()) == 3
        assert set(counts) >= set(SWITCHES[name].values)


def test_a_bug_is_told_with_the_command_that_shows_it_again(capsys, monkeypatch) -> None:
    """Exit code 1, the table's number, its rules; the other tables are played."""
    true, calls = random_tables.apply, []

    def broken(table, move):
        calls.append(move)
        if len(calls) == 40:
            raise KeyError("planted")
        return true(table, move)

    monkeypatch.setattr(random_tables, "apply", broken)
    assert run("--tables", "3", "--from", "7") is ExitCode.FAILED
    out = capsys.readouterr().out
    assert "crashed: KeyError('planted')" in out
    assert "boneyard simulate --tables 1 --from 7" in out
    assert "tables               3" in out


def test_an_unequal_table_is_trouble(capsys, monkeypatch) -> None:
    """A transition that is not a function of table and move is told as divergence."""
    true, calls = random_tables.apply, []

    def unsteady(table, move):
        calls.append(move)
        after, events = true(table, move)
        return (after, events) if len(calls) != 20 else (after, ())

    monkeypatch.setattr(random_tables, "apply", unsteady)
    assert run("--tables", "1") is ExitCode.FAILED
    assert "divergent            1" in capsys.readouterr().out


def test_an_interrupted_run_tells_what_it_has(capsys, monkeypatch) -> None:
    """Ctrl-C ends it with what has been counted so far."""
    true = random_tables.simulate_table

    def until_third(number, seed, result):
        if number == 2:
            raise KeyboardInterrupt
        true(number, seed, result)

    monkeypatch.setattr(random_tables, "simulate_table", until_third)
    assert run("--tables", "100") is ExitCode.INTERRUPTED
    assert "tables               2" in capsys.readouterr().out
