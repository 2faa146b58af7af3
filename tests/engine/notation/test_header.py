"""docs/rules.md §11: an impossible header is reported at the line that is wrong."""

import pytest

from engine.notation.game import GameText, NotationProblem
from engine.notation.notation import parse
from engine.notation.referee import judge

GAME = """rules: {rules}
with: {switches}
set: {pips}
seats: Ann Bob
hand Ann: {ann}
hand Bob: 9-8 {bob}
boneyard: {yard}

Ann pass
"""
FINE = {
    "rules": "standard",
    "switches": "blanks=0",
    "pips": "9",
    "ann": "9-5",
    "bob": "1-1",
    "yard": "2-2",
}


def refused(**changed):
    """Return the only verdict on a game with these parts of its header changed."""
    game = parse(GAME.format(**FINE | changed))
    assert isinstance(game, GameText), game
    (verdict,) = judge(game)
    return verdict


@pytest.mark.parametrize(
    ("changed", "line", "rule"),
    [
        ({"rules": "wolf-lack"}, 1, "rules.md §8.4"),
        ({"switches": "blank=0"}, 2, "rules.md §8.1"),
        ({"switches": "blanks=1"}, 2, "rules.md §8.1"),
        ({"switches": "engine=set-aside first=engine-layer"}, 2, "rules.md §8.2"),
        ({"switches": "partners=yes"}, 4, "rules.md §2.5"),
        ({"pips": "7"}, 3, "rules.md §1.1"),
        ({"bob": "12-1"}, 6, "rules.md §1"),
        ({"yard": "9-9"}, 7, "rules.md §1.4"),
        ({"yard": "5-9"}, 7, "rules.md §1"),
    ],
)
def test_a_refused_header_is_reported_at_its_own_line(changed, line, rule):
    """The verdict is about the line at fault, and cites the rule that this line breaks."""
    verdict = refused(**changed)
    assert (verdict.line, verdict.refusal.rule, verdict.ok) == (line, rule, False)


def test_a_later_round_is_reported_at_its_own_line():
    """A second round whose hub was used already is refused at the line that names the hub."""
    text = """set: 9
seats: Ann Bob
rounds: 2
hand Ann: 9-5
hand Bob: 9-4 1-1

Ann 9-5 Ann

first: Bob
engine: 9-9
hand Ann: 8-1
hand Bob: 8-2
Bob 8-2 Bob
"""
    *_, verdict = judge(parse(text))
    assert (verdict.line, verdict.refusal.rule) == (10, "rules.md §1.4")


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("seat: Ann Bob", "seats"),
        ("boneyrad: 1-1", "boneyard"),
        ("rulse: standard", "rules"),
        ("hnad Ann: 1-1", "hand"),
    ],
)
def test_a_misspelt_key_gets_the_nearest_name(line, near):
    """The nearest key is suggested, whether the line comes before or after the seats are named."""
    for text in (f"{line}\n", f"seats: Ann Bob\n{line}\n", f"{line}\nseats: Ann Bob\n"):
        problem = parse(text)
        assert isinstance(problem, NotationProblem)
        assert f"did you mean `{near}`?" in problem.expected


def test_a_seat_that_looks_like_a_key_is_a_seat():
    """A seat whose name looks like a key is parsed as a seat, even in a line with a colon."""
    game = parse("seats: Rule Hands\nfirst: Rule\n! Rule pass : must-draw\n? turn: Rule\n")
    assert isinstance(game, GameText)
