"""`boneyard arena`, run as from a shell."""

import json

import pytest

from lab.commands.arena import progress
from tests.cli.running import boneyard

GAME = ("--set", "6", "--deal", "5", "--rounds", "2")


@pytest.mark.campaign
def test_an_arena_tells_who_is_better_and_goes_on_from_its_file(tmp_path):
    """The better bot is listed first, and a second run takes all its games from the file."""
    out = str(tmp_path / "games.csv")
    words = ("arena", "--seats", "normal,easy", "--games", "40", *GAME)
    first = boneyard(*words, "--out", out)
    assert first.returncode == 0
    assert "40 games, every deal in 2 rotations" in first.stdout
    assert "25 of 40 games, about 1 min to go\n40 of 40 games\n" in first.stderr
    assert first.stdout.index("normal") < first.stdout.index("easy")
    again = boneyard(*words, "--out", out)
    assert again.stdout == first.stdout
    assert "of 40 games" not in again.stderr
    facts = json.loads(boneyard(*words, "--json").stdout)
    assert [row["level"] for row in facts] == ["normal", "easy"]
    assert sum(row["share"]["value"] for row in facts) == pytest.approx(1)


@pytest.mark.parametrize(
    ("left_s", "said"),
    [(3.0, "1 min"), (150.0, "2 min"), (3_600.0, "1 h 0 min"), (9_000.0, "2 h 30 min")],
)
def test_a_campaign_says_how_long_it_will_take(left_s, said):
    """The time left is shown in minutes, with hours from an hour on, and is at least a minute."""
    assert progress(25, 4_000, left_s) == f"25 of 4000 games, about {said} to go"


def test_what_cannot_be_played_is_said_in_a_sentence(tmp_path):
    """A bad level, rule, table or file gives a sentence and no traceback."""
    for words, said in (
        (("--seats", "normal,brilliant"), "There is no bot brilliant"),
        (("--seats", "normal"), "A table seats 2 to 14, not 1"),
        (("--seats", "normal,easy", "--rules", "chess"), "There is no rule set chess"),
        (("--seats", "normal,easy", "--out", str(tmp_path)), f"{tmp_path} cannot be read."),
    ):
        done = boneyard("arena", *words, "--games", "2", *GAME)
        assert done.returncode in (1, 2)
        assert said in done.stderr
        assert "Traceback" not in done.stderr
