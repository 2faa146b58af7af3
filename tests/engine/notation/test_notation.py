"""Reading and writing games in notation."""

import pytest

from engine.notation.game import Action, NotationProblem, Verb, WrittenTile
from engine.notation.notation import parse, parse_tile

HEAD = "seats: Ann Bob\n"


@pytest.mark.parametrize("text", ["9-5", "5-9", "0-0", "18-3"])
def test_tiles_are_read_in_either_orientation(text):
    """The tile is the same in either orientation, and is printed as it was written."""
    written = parse_tile(text)
    assert str(written) == text
    assert parse_tile(str(written.tile)).tile == written.tile


@pytest.mark.parametrize(
    "text", ["", "9", "9-", "9-19", "99-1", "9-5-1", "a-b", "9 5", "-9-5", "٣-٣"]
)
def test_what_is_no_tile_is_not_read_as_one(text):
    """`parse_tile` returns None for text that is not a tile."""
    assert parse_tile(text) is None


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("Ann 9-5 Ann\n", 1, 1),
        ("colour: red\n", 1, 1),
        ("seats:\n", 1, 1),
        ("seats: Ann Ann\n", 1, 1),
        ("seats: Ann mexican\n", 1, 12),
        ("seats: Ann table\n", 1, 12),
        ("seats: Ann 9-5\n", 1, 12),
        ("seats: Ann B/b\n", 1, 12),
        (HEAD + "Ann leaves now\n", 2, 12),
        (HEAD + "Ann leaves with\n", 2, 17),
        (HEAD + "Ann leaves with Zoe\n", 2, 17),
        (HEAD + "Ann leaves with Ann\n", 2, 17),
        (HEAD + "Ann leaves with Bob redeal\n", 2, 21),
        (HEAD + "Zoe leaves\n", 2, 1),
        (HEAD + "leaves:\n", 2, 1),
        (HEAD + "leaves: Zoe\n", 2, 9),
        (HEAD + "joins: mexican\n", 2, 8),
        (HEAD + "joins: Zoe Zoe\n", 2, 1),
        (HEAD + "hand Zoe: 1-1\njoins: Zoe\n", 2, 6),
        (HEAD + "joins Zoe: Eve\n", 2, 1),
        (HEAD + "Ann draw\njoin: Zoe\n", 3, 1),
        (HEAD + "rules:\n", 2, 1),
        (HEAD + "rules: a b\n", 2, 10),
        (HEAD + "set: nine\n", 2, 6),
        (HEAD + "set: 9\nset: 9\n", 3, 1),
        (HEAD + "with: blanks\n", 2, 7),
        (HEAD + "with: blanks=0 blanks=0\n", 2, 1),
        (HEAD + "first: Zoe\n", 2, 8),
        (HEAD + "hand: 9-5\n", 2, 1),
        (HEAD + "hand Ann:\n", 2, 1),
        (HEAD + "hand Ann: 9-5 x\n", 2, 15),
        (HEAD + "boneyard:\n", 2, 1),
        (HEAD + "Ann\n", 2, 5),
        (HEAD + "Ann jumps\n", 2, 5),
        (HEAD + "Ann 9-5\n", 2, 9),
        (HEAD + "Ann 9-5 Ann/5\n", 2, 13),
        (HEAD + "Ann pass now\n", 2, 10),
        (HEAD + "Ann draw now\n", 2, 10),
        (HEAD + "Ann engine\n", 2, 12),
        (HEAD + "Ann pulls 3-3\n", 2, 11),
        (HEAD + "Ann catches Zoe\n", 2, 13),
        (HEAD + "Ann catches Bob now\n", 2, 17),
        (HEAD + "!\n", 2, 2),
        (HEAD + "! Ann pass : nonsense\n", 2, 14),
        (HEAD + "! Ann pass : must-draw now\n", 2, 24),
        (HEAD + "?\n", 2, 2),
        (HEAD + "? turn Ann\n", 2, 11),
        (HEAD + "? : Ann\n", 2, 2),
        (HEAD + "? mood: good\n", 2, 3),
        (HEAD + "? turn Ann: Ann\n", 2, 8),
        (HEAD + "? legal Zoe: -\n", 2, 9),
        (HEAD + "Ann pass\nset: 9\n", 3, 1),
    ],
)
def test_what_cannot_be_read_is_a_place_and_an_expectation(text, line, column):
    """The problem has the line and column of the wrong word, and says what was expected."""
    problem = parse(text)
    assert isinstance(problem, NotationProblem), problem
    assert (problem.line, problem.column) == (line, column), problem
    assert problem.expected


def test_an_action_is_told_without_its_seat():
    """An action's words, as verdicts show them, leave out the seat."""
    assert Action("Ann", Verb.LAY, (WrittenTile(5, 3),), "Ann").words == "5-3 Ann"
    assert Action("Ann", Verb.CATCHES, other="Bob").words == "catches Bob"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("Ann 9–5 Ann", "write `-` and not `–` (U+2013, en dash)"),
        ("Ann 9−5 Ann", "write `-` and not `−` (U+2212, minus sign)"),
        ("Ann ９-5 Ann", "write `9` and not `９` (U+FF19, fullwidth digit nine)"),
        ("set: ９", "write `9` and not `９` (U+FF19, fullwidth digit nine)"),
        ("hand Ann: 9-5 ５‐5", "write `-` and not `‐` (U+2010, hyphen)"),
    ],
)  # fmt: skip
def test_a_sign_that_only_looks_right_is_named_by_its_code_point(line, named):
    """A character that only looks like a dash or digit is refused, and the problem names it."""
    problem = parse(f"{HEAD}{line}\n")
    assert isinstance(problem, NotationProblem)
    assert problem.expected.endswith(named)
    plain = parse(f"{HEAD}Ann 9-x Ann\n")
    assert isinstance(plain, NotationProblem)
    assert "U+" not in plain.expected
