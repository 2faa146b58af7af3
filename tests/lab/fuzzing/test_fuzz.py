"""The fuzzer finds a planted bug, finds it again, and finds no bug in the real readers."""

import json
import math
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio

from cli.arguments.parser import read_arguments
from cli.exits import ExitCode
from lab.commands import fuzz as command
from lab.fuzzing import campaign, mutation
from lab.fuzzing.campaign import Lot, fuzz, together
from lab.fuzzing.part import Broken, Part
from lab.fuzzing.parts import parts
from lab.fuzzing.record_games import played
from tests.cli.running import boneyard_here

NAMES = [part.name for part in parts()]
SLOW_TO_BEGIN = ("built-records", "spoilt-records")
"""Parts that play many games first; `test_fuzz_records` runs a slice of each."""


def run(chosen, folder, *, seed=0, first=0, inputs=200):
    """Fuzz the `chosen` parts and return their counts."""
    return trio.run(fuzz, chosen, Path(folder), Lot(seed, first, inputs, math.inf))


def part(name):
    """Return the part with this name."""
    return next(part for part in parts() if part.name == name)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.campaign if name in SLOW_TO_BEGIN else ())
        for name in NAMES
    ],
)
def test_readers_hold(tmp_path, name):
    """No reader raises an exception or breaks a promise, over valid and invalid inputs."""
    inputs = 60 if name == "pake" else 200
    (count,) = run([part(name)], tmp_path, inputs=inputs)
    assert not [failure for failure in count.failures if not failure.what.startswith("took")]
    assert count.inputs == inputs
    assert 0 <= count.taken < count.inputs
    assert count.taken or name == "handshake"


def test_all_parts_share_the_inputs(tmp_path):
    """Of a thousand inputs, each part gets as many as its share."""
    readers = [each._replace(make=lambda _folder: lambda _chance: True) for each in parts()]
    counts = run(readers, tmp_path, inputs=1000)
    assert [count.inputs for count in counts] == [part.share for part in parts()]
    assert sum(part.share for part in parts()) == 1000


@pytest.mark.campaign
def test_processes_share_the_inputs_of_one(tmp_path):
    """Each input is run by one process, and the counts add up to those of a single run."""
    for chosen in ([part("codes"), part("txt")], [planted(crash)]):
        whole = run(chosen, tmp_path, inputs=7_300)
        lots = [Lot(0, 0, 7_300, math.inf, turn, 3) for turn in range(3)]
        shared = [trio.run(fuzz, chosen, Path(tmp_path), lot) for lot in lots]
        assert all(counts[0].inputs < whole[0].inputs for counts in shared)
        for one, other in zip(together(shared), whole, strict=True):
            assert (one.inputs, one.taken) == (other.inputs, other.taken)
            assert [each.index for each in one.failures] == [each.index for each in other.failures]
            assert bool(one.failures) == (one.name == "planted")


@pytest.mark.parametrize("name", ["decoder", "notation", "record", "txt"])
def test_one_seed_gives_the_same_inputs_and_another_gives_others(tmp_path, name):
    """A run in two parts has the same inputs as a whole one; a different seed has others."""

    def taken(**lot):
        noted = []
        (count,) = run([noting(part(name), noted)], tmp_path, **lot)
        assert (count.inputs, count.taken) == (len(noted), sum(taken for taken, _ in noted))
        return noted

    whole = taken(inputs=150)
    assert taken(inputs=50) + taken(first=50, inputs=100) == whole
    assert set(taken(seed=1, inputs=150)).isdisjoint(whole)


def noting(reader, noted):
    """Return a part that records for each of its inputs, in order, whether it was accepted.

    A number drawn from the same generator, after the input, shows whether two inputs were alike.
    """

    def make(folder):
        read = reader.make(folder)

        def note(chance):
            taken = read(chance)
            noted.append((taken, chance.random()))
            return taken

        return note

    return reader._replace(make=make, slow_s=math.inf)


def planted(what):
    """Return a part whose reader calls `what` on a few of its inputs."""

    def reader(chance):
        octets = mutation.mutated(chance, (b"sample of a good input",))
        if octets[:1] == b"S" or octets[2:3] == b"M":
            what()
        return True

    return Part("planted", 1, lambda _folder: reader)


def crash():
    """Raise IndexError, like a reader with a bug."""
    raise IndexError("planted")


def lie():
    """Raise `Broken`, like a reader that breaks its promise."""
    raise Broken("planted")


@pytest.mark.parametrize(("what", "says"), [(crash, "IndexError: planted"), (lie, "Broken: plan")])
def test_planted_bug_is_found_and_found_again(tmp_path, what, says):
    """A failure names its input, and a run of that input alone fails again."""
    (count,) = run([planted(what)], tmp_path, inputs=3000)
    assert count.failures
    failure = count.failures[0]
    assert failure.what.startswith(says)
    assert failure.again(0) == f"boneyard fuzz planted --inputs 1 --from {failure.index} --seed 0"
    (again,) = run([planted(what)], tmp_path, first=failure.index, inputs=1)
    assert [each.what for each in again.failures] == [failure.what]


def test_slow_input_is_a_failure(tmp_path):
    """An input that stays slow when measured again is a failure."""
    (count,) = run([part("codes")._replace(slow_s=0.0)], tmp_path, inputs=5)
    assert len(count.failures) == 5
    assert all("took" in failure.what for failure in count.failures)


def test_command_prints_a_table_and_ends_well(capsys):
    """A run without failures prints its seed and "0 failures", and ends with exit code 0."""
    code = command.run(read_arguments(["fuzz", "codes", "txt", "--inputs", "500"]))
    said = capsys.readouterr().out
    assert code is ExitCode.OK
    assert "inputs from seed 0" in said
    assert "0 failures" in said


def test_command_fails_with_the_command_that_shows_it_again(capsys, monkeypatch):
    """The failure is printed with the command that repeats it; `--json` has the failure too."""
    monkeypatch.setattr(command, "parts", lambda: (planted(crash),))
    assert command.run(read_arguments(["fuzz", "--inputs", "2000"])) is ExitCode.FAILED
    assert "boneyard fuzz planted --inputs 1 --from" in capsys.readouterr().out
    assert command.run(read_arguments(["fuzz", "--inputs", "2000", "--json"])) is ExitCode.FAILED
    (row,) = json.loads(capsys.readouterr().out)["parts"]
    assert row["failures"][0]["what"] == "IndexError: planted"


@pytest.mark.campaign
def test_command_shares_the_inputs_among_processes(capsys):
    """Two processes run as many inputs together as were asked for, and the exit code is 0."""
    words = ["fuzz", "codes", "--inputs", "2500", "--processes", "2"]
    assert command.run(read_arguments(words)) is ExitCode.OK
    assert "2,500 inputs from seed 0" in capsys.readouterr().out


def test_command_stops_when_its_seconds_are_over(capsys, monkeypatch):
    """Only `--seconds` ends the run; in this test a quarter passes at each look at the time.

    The command looks twice before the first batch of inputs, so that three batches are run.
    """
    looks = count(step=0.25)
    clock = SimpleNamespace(monotonic=lambda: next(looks), thread_time=time.thread_time)
    monkeypatch.setattr(command, "time", clock)
    monkeypatch.setattr(campaign, "time", clock)
    assert command.run(read_arguments(["fuzz", "codes", "--seconds", "1"])) is ExitCode.OK
    assert f"{3 * campaign._BATCH:,} inputs from seed 0 in 1.5 s" in capsys.readouterr().out


def test_unknown_part_names_the_known_ones():
    """A command with an unknown part ends with exit code 2 and names the known parts."""
    done = boneyard_here("fuzz", "nonsense")
    assert done.returncode == 2
    assert "decoder" in done.stderr


def test_samples_are_a_whole_game_and_the_same_each_time():
    """A game's frames are a header, entries and statements; a second play has the same frames."""
    game = played(0)
    assert len(game.turns) == len(game.payloads) - len(game.statements) - 1
    assert played.__wrapped__(0).payloads == game.payloads
