"""The command `judge`: what it prints for right games, wrong games and files without a game."""

import json

import pytest

from cli.commands.judge import judged
from engine.notation.notation import parse
from tests.cli.running import boneyard_here, complaint, printed
from tests.tree import ROOT

GAME = """\
rules: standard
set: 9
seats: Ann Bob Cy
first: Ann
rounds: 1
hand Ann: 9-5 5-5 5-3 2-2
boneyard: 1-2 3-0

Ann 9-5 Ann
! Bob 9-4 mexican : no-such-train
Bob 9-4 Bob
Cy draw
Cy pass
? public: Cy mexican
Ann 5-5 Ann
Ann 3-5 Ann
? ends: Ann=3 Bob=4 Cy=9
? turn: Bob
"""
"""The example game of docs/rules.md §11."""

HEADER = GAME.partition("\n\n")[0]


def written(folder, text: str):
    """Write this text to a file in `folder`, and return its path."""
    path = folder / "game.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_game_that_is_right_is_one_sentence(tmp_path):
    """A game without a wrong line, such as the one in docs/rules.md, gets one sentence."""
    assert GAME in (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert printed("judge", written(tmp_path, GAME)) == "All 10 lines are right.\n"
    one = written(tmp_path, f"{HEADER}\nAnn 9-5 Ann\n")
    assert printed("judge", one) == "The 1 line of this game is right.\n"


@pytest.mark.parametrize(
    ("right", "wrong", "first", "left"),
    [
        ("Bob 9-4 Bob", "Bob 4-8 Bob", "Line 11, Bob 4-8 Bob: 8-4 does not fit: Bob's train", 7),
        ("no-such-train", "owed-double", "refused as owed-double, and it is refused as no-such", 8),
        ("Cy draw", "! Cy draw", "Line 12, Cy draw: you wrote that this is refused, and the", 6),
        ("turn: Bob", "turn: Ann", "Line 18, turn: you wrote Ann, and the table has Bob.", 0),
        ("public: Cy mexican", "public:", "wrote nothing, and the table has Cy mexican.", 4),
        ("set: 9", "set: 8", "Line 2: this header makes no table. There is no double-8 set", 10),
    ],
)
def test_the_first_wrong_line_is_told_and_how_to_go_on(tmp_path, right, wrong, first, left):
    """`judge` explains only the first wrong line, and says how many lines remain after it."""
    text = GAME.replace(right, wrong)
    told = printed("judge", written(tmp_path, text), code=1).splitlines()
    assert first in told[0]
    number = 1 + next(at for at, line in enumerate(text.splitlines()) if wrong in line)
    assert told[-1].startswith(f"Correct line {number}, then judge the game again.")
    assert (f"The {left} lines after it have not been judged yet." in told[-1]) is bool(left)
    assert sum(line.startswith("Line ") for line in told) == 1
    is_move = wrong.startswith("Bob")
    assert len(told) == 2 + is_move
    assert ("exclamation mark" in told[-1]) is is_move
    if is_move:
        assert told[1].startswith("A tile you hold joins an open end")
        kept = printed("judge", written(tmp_path, text.replace(wrong, f"! {wrong}")), code=1)
        assert "Line 11" not in kept, "the line is right now, and what comes after it is not"


def test_one_line_that_is_left_is_one_line():
    """If only one line is left after the wrong one, the sentence is in the singular."""
    said, _ = judged(parse(GAME.replace("Ann=3", "Ann=5")))
    assert said[-1].endswith("again. The line after it has not been judged yet.")


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty: there is no game to judge."),
        (" \n\n", "is empty: there is no game to judge."),
        ("# nothing yet\n", "expected a header"),
        (HEADER, "has no line below its header: there is nothing to judge."),
    ],
    ids=["empty", "blank", "comment", "header"],
)
def test_a_file_without_a_game_is_no_success(tmp_path, text, why, options):
    """A file with nothing to judge is an error with exit code 5, also with `--json`."""
    assert why in complaint("judge", *options, written(tmp_path, text), code=5)


def test_of_several_games_each_is_told_and_all_of_them_counted(tmp_path):
    """The last line counts the games by verdict; an unreadable file does not stop the others."""
    texts = GAME, GAME.replace("Bob 9-4 Bob", "Bob 4-8 Bob"), "Ann what\n", HEADER
    paths = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    told = printed("judge", *paths, code=5).splitlines()
    assert told[0] == f"{paths[0]}: All 10 lines are right."
    assert told[1].startswith(f"{paths[1]}: Line 11, Bob 4-8 Bob: ")
    assert told[-1] == "4 games: 1 right, 1 wrong, 2 not judged."
    assert printed("judge", *paths[:2], code=1).endswith("2 games: 1 right, 1 wrong.\n")


def test_programs_hear_of_every_line(tmp_path):
    """`--json` prints an object for each line, then the totals, in English under any locale."""
    path = written(tmp_path, GAME.replace("Bob 9-4 Bob", "Bob 4-8 Bob"))
    said = printed("judge", "--json", path, code=1, LANG="es_ES.UTF-8")
    objects = [json.loads(line) for line in said.splitlines()]
    assert len(objects) == 11
    assert objects[2]["why"] == "8-4 does not fit: Bob's train takes 9."
    assert objects[-1] == {"passed": 3, "failed": 7}


ARMS = """\
rules: chickenfoot
set: 9
seats: Ann Bob
engine: 9-9
first: Ann

Ann 9-7 mexican
! Bob 7-4 mexican : owed-double
Bob 4-3 mexican
"""


def test_programs_hear_of_the_arms_where_there_are_no_trains(tmp_path):
    """In a game without trains, the reasons in `--json` speak of arms."""
    path = written(tmp_path, ARMS)
    said = printed("judge", "--json", path, code=1)
    refused, wrong = (json.loads(line) for line in said.splitlines()[1:3])
    assert refused["why"] == "Start all arms of 9=9 first."
    assert wrong["why"] == "4-3 does not fit: the arms take 7 or 9."


def test_a_person_hears_it_in_their_language(tmp_path):
    """`judge` answers in the language that the environment sets."""
    path = written(tmp_path, GAME)
    told = boneyard_here("judge", path, LANG="es_ES.UTF-8").stdout
    assert told == "Las 10 líneas están bien.\n"
