"""`boneyard solve`: the longest train that can be made of given tiles."""

import json

import pytest

from cli.exits import ExitCode
from tests.cli.running import boneyard, boneyard_here, complaint, data_of, printed

HAND = ("12-3", "4|3", "[4-4]", "9,4", "99", "7-8")


def test_a_shell_can_ask_for_a_train():
    """`solve` prints the longest train, says that it is proven, and lists the tiles left over."""
    done = boneyard("solve", *HAND, "--from", "12")
    assert done.returncode == ExitCode.OK
    assert done.stdout.splitlines() == [
        "The longest train from 12: 5 tiles, 61 pips.",
        "  12-3 3-4 4=4 4-9 9=9",
        "Proven: no train from 12 is longer.",
        "Left over: 1 tile, 15 pips.",
        "  8-7",
    ]


def test_programs_read_the_last_line():
    """With `--json`, the last line has the train, each tile with the half that joins first."""
    done = boneyard_here("solve", *HAND, "--from", "12", "--json")
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "length": 5,
        "pips": 61,
        "train": ["12-3", "3-4", "4-4", "4-9", "9-9"],
        "optimal": True,
    }


def test_tiles_may_stand_on_standard_input():
    """`-` reads tiles from standard input, alone or beside typed ones; reading none is an error."""
    typed = boneyard("solve", "-", "9,4", "--from", "12", text="12-3 4|3\n[4-4]\n99 7-8\n").stdout
    assert typed == printed("solve", *HAND, "--from", "12")
    empty = boneyard("solve", "-", text=" \n")
    assert (empty.returncode, empty.stderr) == (5, "There is no tile on standard input.\n")
    wrong = boneyard("solve", "-", text="12-3 x\n")
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_without_a_pip_the_best_of_all():
    """Without `--from`, `solve` finds the pip with which the longest train begins, and names it."""
    done = boneyard_here("solve", "3-4", "4-7", "1-2")
    assert done.stdout.splitlines()[:3] == [
        "The longest train begins with 7: 2 tiles, 18 pips.",
        "  7-4 4-3",
        "Proven: no train is longer.",
    ]


def test_by_pips():
    """`--by pips` prefers two heavy tiles to three light ones."""
    hand = ("6-1", "6-12", "1-2", "2-3", "0-3")
    light = printed("solve", *hand, "--from", "1")
    assert "longest train from 1: 3 tiles, 11 pips" in light
    heavy = printed("solve", *hand, "--from", "1", "--by", "pips")
    assert "heaviest train from 1: 25 pips, 2 tiles" in heavy
    assert "Proven: no train from 1 is heavier." in heavy


def test_a_double_that_would_have_to_be_covered():
    """With `--cover` a double cannot end the train, so it stays in the hand."""
    done = boneyard_here("solve", "5-5", "5-6", "6-6", "--from", "5", "--cover")
    assert done.stdout.splitlines() == [
        "The longest train from 5: 2 tiles, 21 pips.",
        "  5=5 5-6",
        "Proven: no train from 5 without a double at its end is longer.",
        "Left over: 1 tile, 12 pips.",
        "  6=6",
    ]
    none = boneyard_here("solve", "5-5", "--from", "5", "--cover")
    assert none.stdout == "These tiles make no train from 5 without a double at its end.\n"


def test_a_train_that_is_not_there():
    """If no tile fits the first pip, a sentence says so, and the exit code is 0."""
    done = boneyard_here("solve", "5-5", "--from", "4")
    assert (done.returncode, done.stdout) == (0, "These tiles make no train from 4.\n")
    done = boneyard_here("solve", "5-5", "--from", "4", "--json")
    assert json.loads(done.stdout) == {"length": 0, "pips": 0, "train": [], "optimal": True}


def test_when_time_is_up_there_is_a_bound():
    """When time is up, `solve` prints the longest train found, and a bound for all trains."""
    hand = ("8-11", "8-9", "9-9", "--from", "8", "--seconds", "0")
    done = boneyard_here("solve", *hand)
    assert done.stdout.splitlines()[:3] == [
        "The longest train found from 8: 1 tile, 19 pips.",
        "  8-11",
        "Time is up: no train from 8 has more than 2 tiles.",
    ]
    told = {"length": 1, "pips": 19, "train": ["8-11"], "optimal": False, "bound": 2}
    assert data_of("solve", *hand) == told
    enough = boneyard_here("solve", *hand[:-1], "60", "--json")
    assert json.loads(enough.stdout)["length"] == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["9-4", "4-9"], "9-4 is there twice."),
        (["9-4", "20-4"], "20-4 is not a tile: write tiles as 9-4 4-12"),
        (["9-4", "--seconds", "soon"], "--seconds cannot be 'soon', only a number"),
        (["9-4", "--from", "19"], "--from cannot be '19', only a whole number from 0 to 18"),
        ([], "The following arguments are required: TILE"),
    ],
)
def test_what_cannot_be_read_is_said(words, sentence):
    """A mistake in the arguments gets one sentence and exit code 2."""
    assert sentence in complaint("solve", *words)
