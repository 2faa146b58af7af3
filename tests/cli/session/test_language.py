"""A seat answers in the language that was chosen, but for names and what is typed."""

from dataclasses import replace

import pytest

from cli.input.plan import longest_plan, tiles_text
from cli.render.hand import Picture
from cli.screens.attention import title_text
from cli.screens.plain import turn_sentences
from cli.session.invitation import seats_text
from cli.session.verbs.orders import why_not_first
from cli.session.votes import still_here
from engine.bots.levels import LEVELS
from tests.cli.brackets import words
from tests.cli.fakes import played
from tests.cli.render.test_sheets import seat, view
from tests.cli.scenes import NAMES, scene_after, with_owed
from tests.cli.session.test_hosting import ordered

pytestmark = pytest.mark.usefixtures("dots")


@pytest.mark.parametrize("can_move", [True, False])
async def test_a_game_is_played_without_english(can_move):
    """Plans, hands, questions and the way out; `Mexican` is a train's name on the board."""
    scene = scene_after(12, 4, 0)
    plan = longest_plan(scene)
    lines = ["why", "plan", "plan none", "plan none", "99"]
    lines += [
        "start",
        "kick ben",
        "sit",
        "without ben",
        "again",
        "quit",
        "n",
        "leave",
        "quit",
        "quit",
    ]
    _, front = await played(
        replace(scene, can_move=can_move), tiles_text(plan.pairs if plan else ()), *lines
    )
    assert words(*front.said) <= {*NAMES, "Mexican"}


@pytest.mark.parametrize("host", [True, False])
async def test_a_lobby_is_kept_without_english(host):
    """What is said to all is in the language of who says it."""
    lines = ["kick be", "kick zoe", "allow ben", "bots x", "bots 9", "change walnut"]
    node, front, _ = await ordered(*lines, "hint", "odds", "start", "bots easy", host=host)
    said = [text for asked, text in node.asked if asked == "chat"]
    assert words(*front.said, *said) <= {*NAMES, "Bix", *LEVELS, *words(*lines)}


def test_who_comes_and_goes_is_told_without_english():
    """Names are as they were given."""
    before, now = {b"a": "Dora"}, replace(view(), seats=(seat("Ana"), seat("Ben")))
    said = [seats_text(before, now, now.seats[0].key, ""), still_here(["Ana"]), still_here(NAMES)]
    assert words(*said, why_not_first(view(), "x") or "") <= {*NAMES}


@pytest.mark.parametrize("scene", [scene_after(9, 4, 40), with_owed()])
def test_plain_sentences_and_titles_have_no_english(scene):
    """Whoever hears the screen hears one language."""
    said = turn_sentences(scene, Picture())
    assert words(*said, title_text(scene), title_text(replace(scene, host="Eve"))) <= {
        *(*NAMES, "Mexican", "Boneyard")
    }
