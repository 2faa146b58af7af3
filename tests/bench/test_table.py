"""The command `bench`: it sums up several runs, prints a table, and checks goals."""

import argparse
import importlib
import json
import signal
import subprocess
import sys
from contextlib import nullcontext
from itertools import count

import pytest

from bench import start, startup
from bench._machine import deaf_to_ctrl_c
from bench.figure import Figure, format_table, middle, summed_up, until_steady
from cli.exits import CommandFailed, ExitCode
from lab.commands import bench


def asked(**more):
    """Return options of the command `bench`: one quick part, except where `more` says otherwise."""
    options = {"part": ["startup"], "json": False, "table": False, "repeat": None, "strict": False}
    return argparse.Namespace(**options | {"before": None} | more)


@pytest.fixture
def measured(monkeypatch):
    """Make `startup` measure 1, then 2, 3 … with a goal of 2, and always 7 without a goal."""
    numbers = count(1)

    def measure():
        return [Figure("quick", next(numbers), "s", 2.0), Figure("told", 7.0, "s")]

    monkeypatch.setattr(startup, "measure", measure)


def test_of_several_runs_the_median_is_told_and_the_spread():
    """Several runs are summed up by the median and the spread of each figure.

    The figures of a single run stay as they are.
    """
    runs = [[Figure("a", value, "s", 4.0), Figure("a", 10 * value, "ms")] for value in (3, 1, 5)]
    assert summed_up(runs) == [
        Figure("a", 3, "s", 4.0, spread=(1, 5)),
        Figure("a", 30, "ms", spread=(10, 50)),
    ]
    assert summed_up(runs[:1]) == runs[0]


def test_a_spread_within_a_run_is_part_of_that_of_all_runs():
    """The spread extends from the lowest to the highest single value of all runs."""
    runs = [[middle("a", values, "s")] for values in ((2, 3, 9), (1, 4, 5), (6, 6, 6))]
    assert summed_up(runs) == [Figure("a", 4, "s", spread=(1, 9))]


def test_the_table_has_what_is_held_to_a_goal():
    """The table lists value, spread, goal and verdict of each figure that has a goal.

    With `before`, it lists figures without goals too, and their earlier values.
    """
    figures = [
        Figure("deal", 216.0, "ms", 115.0, spread=(210.0, 230.0)),
        Figure("told", 1.0, "s"),
        Figure("let in", 50, "", 50, more_is_better=True),
    ]
    assert format_table(figures).splitlines()[2:] == [
        "| deal | 216 ms | 210 to 230 | <= 115 | **missed** |",
        "| let in | 50 |  | >= 50 | met |",
    ]
    before = [Figure("deal", 300.0, "ms", spread=(290.0, 310.0))]
    assert format_table(figures, before).splitlines()[2:] == [
        "| deal | 300 ms | 290 to 310 | 216 ms | 210 to 230 | <= 115 | **missed** |",
        "| told |  |  | 1 s |  |  |  |",
        "| let in |  |  | 50 |  | >= 50 | met |",
    ]


def test_a_measurement_is_repeated_until_its_medians_stand_still():
    """Samples are taken until no median changes much: at least four, and at most the limit."""
    steady = iter([9.0, 5.0, 5.0, 5.0, 8.0])
    assert until_steady(lambda: {"a": next(steady)}, 9) == {"a": [9.0, 5.0, 5.0, 5.0]}
    restless = count(1)
    two = until_steady(lambda: {"a": 1.0, "b": 2.0 ** next(restless)}, 6)
    assert [len(values) for values in two.values()] == [6, 6]


def test_a_table_is_made_of_three_runs(measured, capsys):
    """A table is made of three runs by default; the first line printed describes the machine."""
    assert bench.run(asked(table=True)) is ExitCode.OK
    out = capsys.readouterr().out
    assert "cores" in out.splitlines()[0]
    assert out.splitlines()[-1] == "| quick | 2 s | 1 to 3 | <= 2 | met |"
    assert bench.run(asked(table=True, repeat=2)) is ExitCode.OK
    assert capsys.readouterr().out.splitlines()[-1].endswith("| 4 to 5 | <= 2 | **missed** |")


def test_another_clone_is_measured_in_turns(measured, monkeypatch, capsys, tmp_path):
    """With `before`, the other clone runs its own command, and both clones' values are shown."""
    asked_there = []

    def there(command, *, cwd, **_how):
        asked_there.append((command[-3:], cwd))
        row = {"name": "quick", "value": 8.0 + len(asked_there), "unit": "s", "goal": None}
        return argparse.Namespace(returncode=0, stdout=json.dumps([row]))

    monkeypatch.setattr(bench.subprocess, "run", there)
    bench.run(asked(table=True, before=tmp_path))
    assert asked_there == [(("bench", "startup", "--json"), tmp_path)] * 3
    quick, told = capsys.readouterr().out.splitlines()[-2:]
    assert told == "| told |  |  | 7 s | 7 to 7 |  |  |"
    assert quick == "| quick | 10 s | 9 to 11 | 2 s | 1 to 3 | <= 2 | met |"
    bench.run(asked(before=tmp_path))
    assert capsys.readouterr().out.splitlines()[-2].startswith("| quick | 12 s |")
    bench.run(asked(json=True, before=tmp_path))
    assert [row.get("before") for row in json.loads(capsys.readouterr().out)] == [13, None]


@pytest.mark.parametrize(("code", "failed"), [(2, False), (1, True)])
def test_another_clone_may_lack_a_part_but_must_not_fail(monkeypatch, tmp_path, code, failed):
    """A usage error means that the other clone lacks the part; any other failure is raised."""
    answer = argparse.Namespace(returncode=code, stdout="")
    monkeypatch.setattr(bench.subprocess, "run", lambda *_words, **_how: answer)
    with pytest.raises(CommandFailed) if failed else nullcontext():
        assert bench.measured_in(tmp_path, "startup") == []


def test_a_missed_goal_fails_the_strict_alone(measured, capsys):
    """A missed goal fails the command only with `strict`, and only after everything is printed."""
    assert bench.run(asked(strict=True)) is ExitCode.OK
    assert bench.run(asked(repeat=2)) is ExitCode.OK
    with pytest.raises(CommandFailed, match="Goals missed: quick") as failed:
        bench.run(asked(strict=True))
    assert failed.value.code == 1
    assert "MISSED" in capsys.readouterr().out


def test_it_is_said_which_part_is_measured_of_how_many(measured, monkeypatch, capsys):
    """Progress names the part; with several parts it also numbers the part and the run."""
    monkeypatch.setattr(start, "measure", list)
    bench.run(asked())
    bench.run(asked(part=["startup", "start"], repeat=2))
    assert capsys.readouterr().err.splitlines() == [
        "measuring startup ...",
        "measuring startup, part 1 of 2, run 1 of 2 ...",
        "measuring startup, part 1 of 2, run 2 of 2 ...",
        "measuring start, part 2 of 2, run 1 of 2 ...",
        "measuring start, part 2 of 2, run 2 of 2 ...",
    ]


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), BaseExceptionGroup("of trio", [KeyboardInterrupt()])]
)
def test_ctrl_c_ends_in_a_sentence(monkeypatch, error):
    """Ctrl-C ends the command with a sentence and exit code 130, even in an exception group."""

    def measure():
        raise error

    monkeypatch.setattr(startup, "measure", measure)
    with pytest.raises(CommandFailed, match="You have stopped this") as stopped:
        bench.run(asked())
    assert stopped.value.code == 130


def test_ctrl_c_is_not_heard_by_the_processes_of_a_part():
    """A child process that a part starts ignores Ctrl-C, and this process does not."""
    script = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('alive')"
    command = [sys.executable, "-c", script]
    with deaf_to_ctrl_c():
        child = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (child.returncode, child.stdout) == (0, "alive\n")
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("name", bench.parts())
def test_every_part_measures_without_being_told_how(name):
    """Every part has a function `measure`."""
    assert callable(importlib.import_module(f"bench.{name}").measure)
