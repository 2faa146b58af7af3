"""Past games and lessons have no English but names, rules and what one types."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from cli.history.film import Frame
from cli.history.listing import company_text, game_sentence
from cli.history.sheet import sheet_title, text_sheet
from cli.history.viewing import Viewing, answered, view_lines
from cli.learn.lessons import Lesson
from cli.render.palette import plain_text
from netgame.io.tables.kept import SavedGame
from tests.cli.brackets import words
from tests.cli.history.test_stats import game
from tests.cli.render.test_sheets import WIDE
from tests.cli.scenes import NAMES, scene_after

pytestmark = pytest.mark.usefixtures("dots")

GIVEN = {*NAMES, "Ann", "Ada", "standard", "ties", "shared"}


@pytest.mark.parametrize("finished", [True, False])
def test_a_past_game_is_told_without_english(finished):
    """Its line, its sheet and its title, for who played and who watched."""
    kept = SavedGame(1, Path("x"), 0.0, None)
    for winners, turn in (((0,), 0), ((0, 1), 1), ((), -1)):
        told = game([(0, 9, 9)], winners, switches=("ties=shared",), finished=finished)
        told = replace(told, turn=turn)
        for key in (told.players[0].key, ""):
            assert words(game_sentence(kept, told, key)) <= GIVEN
        assert words(*text_sheet(told, WIDE), sheet_title(told), company_text(told, None)) <= GIVEN


@pytest.mark.parametrize("mover", [0, -1])
def test_a_game_is_watched_without_english(mover):
    """Where one is, what is open, and what cannot be."""
    frame = Frame(scene_after(9, 4, 3), "", 7, mover, {})
    view = Viewing([frame], hands=True, plays=True)
    for line in ("h", "play", "x", "/zoe", "g 9", "help"):
        seen = answered(view, line)
        drawn = " ".join(map(plain_text, view_lines(seen, WIDE)))
        assert words(drawn) <= {*GIVEN, "Mexican", "M", "x", "zoe"}


def test_a_lesson_is_taught_without_english():
    """Its name, and what to type."""
    facts = dict.fromkeys(("double", "tiles", "plan", "pip", "seen", "out"), "p")
    assert words(*(f"{each.title} {each.sentence('p', **facts)}" for each in Lesson)) <= {"p"}
