"""Answers to what is typed are in the language that is spoken, but for what is typed."""

from dataclasses import replace

import pytest

from cli.input.chains import PlayChain
from cli.input.plan import Plan, plan_of, why_no_more
from cli.input.readers import UsageError, read_tiles
from cli.input.resolution import NotFound, resolve
from cli.session.verbs.complete import complete
from cli.session.verbs.questions import ORDERS
from cli.session.verbs.table import VERBS, parse
from tests.cli.brackets import words
from tests.cli.scenes import NAMES, scene_after, scenes_of

pytestmark = pytest.mark.usefixtures("dots")

SCENE = scene_after(9, 3, 7)
NOT_UNDERSTOOD = (
    *("why board", "why x", "fly", "bord", "ben 9-4", "play", "p x", "bullet ben", "hub x"),
    *("hub 9-9 8-8", "pull x", "start a b", "hand x", "hand 9-4 9-4", "plan x", "hint x"),
    *("review x", "draw x", *(each.word for each in VERBS if each.missing)),
)
NOT_FOUND = (
    *("99", "16-16", "9-4 fly", "9-4 94", "catch", "catch fly", "hub", "pull 99", "bullet"),
    *("9-9 8-8 back", "9-8 8-9", "bullet 9-8 8-9", "12-3", "tap", "9-4 an"),
)


def test_what_is_not_understood_is_answered_in_the_language_spoken():
    """Each way to get a line wrong."""
    hints = {line: parse(line) for line in NOT_UNDERSTOOD}
    hints |= {each: read_tiles(each.split()) for each in ("x", "112", "12 13")}
    typed = words(*hints, *ORDERS, *(each.word for each in VERBS))
    for hint in hints.values():
        assert isinstance(hint, UsageError)
        assert words(hint.hint) <= typed


def test_what_is_not_found_is_answered_in_the_language_spoken():
    """In turn, out of turn and where one only watches; under rules with other words too."""
    said = []
    scenes = [SCENE, replace(SCENE, can_move=False), replace(SCENE, seat=None)]
    for scene in (*scenes, *list(scenes_of("galt-1994", 40, 1))[::9]):
        found = [resolve(parse(line), scene) for line in NOT_FOUND]
        said += [each.hint for each in found if isinstance(each, NotFound)]
    assert len(said) > len(NOT_FOUND)
    assert words(*said) <= words(*NAMES, *NOT_FOUND)


def test_plans_are_refused_in_the_language_spoken():
    """Of tiles that nobody has, that do not join, or twice the same."""
    (a, b), *_ = pairs = [(tile.high, tile.low) for _, tile in SCENE.hand.tiles]
    lost = next(pair for pair in ((9, 9), (8, 8), (7, 6)) if pair not in pairs)
    chains = [PlayChain(each) for each in (((a, b), (a, b)), (lost,), ((16, 16),), (*pairs,))]
    found = [plan_of(each, SCENE) for each in (*chains, PlayChain(((a, b),), "fly"))]
    said = [each.hint for each in found if isinstance(each, NotFound)]
    assert len(said) == len(found)
    said += [why_no_more(Plan(0, (each,)), SCENE) for each in (lost, *pairs)]
    assert words(*said) <= {*NAMES, "fly"}


@pytest.mark.parametrize("preset", ["galt-1994", "wolf-lake"])
def test_what_tab_offers_is_explained_in_the_language_spoken(preset):
    """What follows a command, a tile, or nothing yet."""
    said = set()
    for scene in list(scenes_of(preset, 40, 1))[::7]:
        before = ["", *(f"{each.word} " for each in VERBS)]
        before += [f"{each.text} " for each in complete("", scene) if each.text[0].isdigit()]
        said |= {each.meta for line in before for each in complete(line, scene)}
    assert said
    assert words(*said) <= {*NAMES}
