"""Odds and reviews as tables: golden screens, and no line wider than the window."""

import re
from dataclasses import replace
from itertools import chain

import pytest
from msgspec import structs

from cli.render.cells import Canvas, line_cells
from cli.render.odds import odds_lines
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS, plain_text
from cli.render.review import review_body, review_lines
from cli.screens.json_answers import odds_facts, review_facts
from cli.wording.hints import reason_text
from cli.wording.odds import odds_sentences
from cli.wording.review import moment_sentence, points_sentence, review_sentences
from engine.bots.advice import MoveReason, ReasonKind
from engine.bots.effort import Effort
from engine.bots.odds import table_odds
from engine.bots.review import RoundReview, own_moves, review_move
from engine.table.trains import Seat, TrainId
from engine.tiles import make_tile
from engine.view import SeatView
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from tests.cli.brackets import words
from tests.cli.scenes import (
    NAMES,
    check_screen,
    history_of,
    scene_after,
    walk,
    walk_all,
    with_owed,
    written,
)
from tests.engine.deals import spec_of

WINDOWS = {"40": Canvas(40, 24, ASCII_GLYPHS), "80": Canvas(80, 24, UNICODE_GLYPHS)}


def odds_of(scene, effort=None):
    """Return the odds as the scene's seat sees them, or None if this moment has none."""
    view = SeatView(scene.table, scene.seat, scene.hand)
    return table_odds(view, seeded(b"odds"), effort)


@pytest.mark.parametrize("width", WINDOWS)
@pytest.mark.parametrize(
    ("name", "scene"),
    [("middle", scene_after(9, 4, 40)), ("owed", with_owed()), ("eight", scene_after(12, 8, 60))],
)
def test_odds_fit_the_window(name, scene, width):
    """The table of odds fits the window and matches its golden screen.

    Ends are rows and players are columns; columns that have no room are put in further blocks.
    """
    lines = odds_lines(scene, odds_of(scene), WINDOWS[width])
    assert max(line_cells(line) for line in lines) <= WINDOWS[width].columns
    check_screen(f"odds-{name}-{width}", lines)


@pytest.mark.parametrize("number", range(12))
def test_odds_under_any_rules_fit_any_window(number):
    """Odds under random rules fit every window.

    Moments without odds are passed over.
    """
    spec = random_spec(seeded(bytes([number])))
    for scene in [*walk_all(spec, b"any", 60)][::9]:
        if (odds := odds_of(scene)) is not None:
            for canvas in WINDOWS.values():
                lines = odds_lines(scene, odds, canvas)
                assert max(line_cells(line) for line in lines) <= canvas.columns


def test_what_is_estimated_is_marked_and_explained():
    """Estimated chances are marked with ~, and a sentence explains that mark.

    If all chances are counted, a sentence says that they are exact.
    """
    scene = scene_after(9, 4, 40)
    counted, estimated = (
        written(odds_lines(scene, odds_of(scene, effort), WINDOWS["80"]))
        for effort in (None, Effort(is_stopped=lambda: True))
    )
    assert "~" not in counted
    assert "All of it is counted exactly." in counted
    assert "~ is estimated from sampled deals" in estimated
    assert "All of it" not in estimated
    assert all("if they play at random" in " ".join(said.split()) for said in (counted, estimated))


def test_a_program_reads_the_odds_as_numbers():
    """The facts about odds list the chances of the other seats by name.

    A chance is null for a seat to which the train is closed.
    """
    scene = with_owed()
    facts = odds_facts(scene, odds_of(scene))
    assert any(end["owed"] for end in facts["ends"])
    for end in facts["ends"]:
        assert scene.names[scene.seat] not in end["seats"]
        for each in end["seats"].values():
            assert each is None or (0 <= each["likely"] <= 1 and each["exact"])


@pytest.fixture(scope="module")
def review():
    """Return a review of the first seat's last choices in a random round."""
    return reviewed(7)


def reviewed(first=0):
    """Return a review of the first seat's choices in a random round.

    The first `first` of them are left out.
    """
    scenes = [*walk(spec_of(9, 3), b"review", 60)]
    tiles = {}
    for scene in scenes:
        tiles |= dict(scene.hand.tiles)
    history = history_of(scenes)
    choices = [
        review_move(own, seeded(bytes([at])))
        for at, own in [*enumerate(own_moves(history, tiles, Seat(0)))][first:]
    ]
    return RoundReview(1, Seat(0), tuple(choices), 2)


def test_a_move_about_as_good_as_the_best_does_not_count_against_anybody():
    """A move about as good as the best one is shown with a cost of ~0.

    If no reason speaks for the best move, the sentence about it says how it ends the round better.
    """
    review = reviewed(4)
    rows = [plain_text(line) for line in review_body(review, NAMES, WINDOWS["80"], own=True)]
    equal = [each for each in review.choices if not each.is_best and not each.cost]
    assert 0 < len(equal) == sum(row.endswith(" ~0") for row in rows)
    good, count = sum(not each.cost for each in review.choices), len(review.choices)
    assert any(f" (~0): {good} of {count} choices" in row for row in rows)
    for one in review.choices:
        alike = structs.replace(one.margin, rival=one.best)  # so no reason sets the best apart
        told = moment_sentence(structs.replace(one, margin=alike), NAMES, own=True)
        assert told.endswith(
            ("go out first more often.", "with less at the end.", "more at the end.")
        )


@pytest.mark.campaign
@pytest.mark.parametrize("width", WINDOWS)
def test_a_review_fits_the_window(width):
    """A review fits the window and matches its golden screen.

    Each choice is a row; the key moments and the unjudged moves are told in sentences.
    """
    review = reviewed()
    lines = review_lines(review, NAMES, WINDOWS[width])
    assert max(line_cells(line) for line in lines) <= WINDOWS[width].columns
    check_screen(f"review-{width}", lines)
    text = " ".join(written(lines).split())
    assert "2 moves cannot be judged" in text
    assert points_sentence() in text
    assert all(f"Turn {each.own.turn}: " in text for each in review.moments)
    assert len(review.moments) == 3


def test_who_reads_a_review_of_somebody_else_is_not_called_you(review):
    """A review says "you" only to the player whose moves it judges; others read the name."""
    own, other = (" ".join(review_sentences(review, NAMES, own=own)) for own in (True, False))
    assert re.search(r"\byour?\b", own)
    assert not re.search(r"\byour?\b", other)
    assert "Ana's train" in other


def test_every_reason_is_said_to_the_player_and_of_a_player():
    """No reason says "you" to an onlooker; seven reasons say it to the player."""
    scene = scene_after(9, 4, 40)
    onlooker = replace(scene, seat=None)
    said = [kind for kind in ReasonKind if kind is not ReasonKind.OPENS_DOUBLE]  # in the sentence
    reasons = [MoveReason(kind, 2, make_tile(3, 3), TrainId(scene.seat)) for kind in said]
    for reason in reasons:
        assert "you" not in reason_text(onlooker, reason)
    assert sum("you" in reason_text(scene, reason) for reason in reasons) == 7


@pytest.mark.usefixtures("dots")
def test_odds_and_reviews_are_translated(review):
    """All sentences that accompany odds and reviews are translated."""
    scene = scene_after(9, 4, 40)
    reviews = (review_sentences(review, NAMES, own=own) for own in (True, False))
    said = [points_sentence(), *chain(*reviews), *odds_sentences(odds_of(scene))]
    assert words(*said) <= {*NAMES}


def test_a_program_reads_a_review_as_numbers(review):
    """The facts of a review have its round, its player, and the number of moves not judged.

    The costs of the choices add up to the cost of the whole review.
    """
    facts = review_facts(review, NAMES)
    assert (facts["round"], facts["name"], facts["unknown"]) == (1, "Ana", 2)
    assert len(facts["choices"]) == len(review.choices)
    assert sum(each["cost"] for each in facts["choices"]) == pytest.approx(facts["cost"], abs=0.1)


def test_a_round_without_choices_has_a_sentence():
    """A round without any real choice gets a sentence in place of a table."""
    empty = RoundReview(2, Seat(1), (), 0)
    text = " ".join(written(review_lines(empty, NAMES, WINDOWS["40"])).split())
    assert "no move in it with a real choice" in text
