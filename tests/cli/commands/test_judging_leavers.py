"""docs/rules.md §11.7: what is wrong about who leaves and who comes is said at its own line."""

import pytest

from cli.commands.judge import judge_lines
from engine.notation.notation import parse
from tests.cli.running import complaint

GAME = """rules: standard
set: 6
seats: Ann Bob Cy
first: Ann
rounds: 3
hand Ann: 6-1 1-2
hand Bob: 6-2 2-3
hand Cy: 6-3 5-5
boneyard: 4-0

Ann 6-1 Ann
Bob 6-2 Bob
"""
OUT = GAME + "Cy 6-3 Cy\nAnn 1-2 Ann\n"


def first_wrong(text):
    """What `judge` prints of the first line that is not as written."""
    facts, failed = judge_lines(parse(text))
    assert failed, facts
    return next(each for each in facts if each.get("ok") is False)


@pytest.mark.parametrize(
    ("text", "line", "code", "why"),
    [
        (GAME + "Cy leaves\nCy 6-3 Cy\n", 14, "not-allowed", "Cy has left the game for good."),
        (GAME + "Cy leaves\nCy leaves\n", 14, "not-allowed", "Cy has left the game for good."),
        (
            GAME + "Bob leaves\nAnn leaves with Bob\n",
            14,
            "not-allowed",
            "Bob has left the game for good.",
        ),
        (
            GAME + "Ann leaves with Bob Cy\n",
            13,
            "not-allowed",
            "Somebody has to stay at the table.",
        ),
        (
            GAME.replace("Bob 6-2 Bob", "Cy leaves\nAnn 1-2 Ann"),
            13,
            "not-your-turn",
            "It is Bob's turn.",
        ),
        (
            GAME + "Cy leaves redeal\nBob leaves redeal\n",
            14,
            "not-allowed",
            "There is no round now to deal again.",
        ),
        (OUT + "joins: Zoe Bob\n", 15, "impossible-table", "Bob has a seat already."),
        (OUT + "joins: Zoe\njoins: Zoe\n", 16, "impossible-table", "Zoe has a seat already."),
        (
            OUT + "leaves: Bob\nleaves: Bob\n",
            16,
            "impossible-table",
            "Bob has left the game before.",
        ),
        (
            OUT + "leaves: Bob Cy Ann\n",
            15,
            "impossible-table",
            "Somebody has to stay at the table.",
        ),
        (
            OUT + "leaves: Bob\nhand Ann: 5-1\nhand Bob: 5-2\n",
            17,
            "impossible-table",
            "Bob has left the game, so gets no hand and does not play first.",
        ),
        (
            OUT + "first: Bob\nleaves: Bob\n",
            15,
            "impossible-table",
            "Bob has left the game, so gets no hand and does not play first.",
        ),
        (
            OUT + "joins: D E F G H I J K L M N O\n",
            15,
            "impossible-table",
            "A table seats 2 to 14, not 15 (seats).",
        ),
        (
            GAME + "joins: Zoe\n",
            13,
            "impossible-table",
            "A new round begins before the last one is over.",
        ),
    ],
)
def test_what_nobody_can_do_is_one_sentence_at_its_line(text, line, code, why):
    """Who plays on after leaving, is seated twice, leaves twice, or leaves nobody behind."""
    wrong = first_wrong(text)
    assert (wrong["line"], wrong["code"], wrong["why"]) == (line, code, why)


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ("score: Ann=0 Bob=5 Cy=0", "Ann=0 Bob=5 Cy=21"),
        ("total: Cy=10", "Ann=0 Bob=5 Cy=21"),
        ("winner: Cy", "-"),
        ("over: blocked", "out"),
    ],
)
def test_scores_that_do_not_count_who_has_left_are_wrong(claim, found):
    """Cy held two tiles when 6-6, 6-1 and 6-2 lay open, and forfeits 6-5 and 6-4."""
    wrong = first_wrong(f"{GAME}Cy leaves\nAnn 1-2 Ann\n? {claim}\n")
    assert (wrong["line"], wrong["found"]) == (15, found)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Cy leaves with Zoe", "line 13, column 16: expected a seat: Ann Bob Cy."),
        ("leaves: Zoe", "line 13, column 9: expected a seat: Ann Bob Cy."),
        ("joins: mexican", "line 13, column 8: expected a one-word name"),
        ("Cy leaves void", "line 13, column 11: expected the end of the line, or `with`"),
    ],
)
def test_unknown_names_and_words_are_one_sentence_at_their_place(tmp_path, line, said):
    """The file cannot be read, with line, column and what was expected."""
    path = tmp_path / "game.txt"
    path.write_text(f"{GAME}{line}\n", "utf-8")
    assert said in complaint("judge", path)
