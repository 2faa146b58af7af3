"""Hints and chances, in words."""

import pytest

from cli.scene import legal
from cli.wording.hints import hint_sentence, move_phrase, plan_sentence
from cli.wording.moves import forced_text, thinking_sentence
from cli.wording.odds import likelihood_text
from engine.bots.advice import Advice, MoveReason, PlannedTrain, ReasonKind
from engine.bots.margin import Gain, Margin
from engine.bots.odds import Likelihood
from engine.table import moves
from engine.table.trains import MEXICAN, Position, Seat
from engine.tiles import Tile
from tests.cli.wording.test_wording import SCENE, is_sentence

LAYS = [move for move in legal(SCENE) if isinstance(move, moves.LayTile)]


def all_hints() -> list[str]:
    """Return sentences of every kind about hints.

    They end with three plans, the sentence about thinking, and one about a forced move.
    """
    reasons = [MoveReason(kind, 3, Tile(5, 5), MEXICAN) for kind in ReasonKind]
    margins = [Margin(LAYS[1], points, 2.0, gain) for gain in Gain for points in (1.1, 4.2)]
    advised = [Advice(LAYS[0], (reason,), margin) for reason in reasons for margin in margins]
    advised += [Advice(LAYS[0], (reason,)) for reason in reasons]
    untiled = moves.DrawTile(Seat(0)), moves.Pass(Seat(0)), moves.Tap(Seat(0))
    advised += [Advice(move, ()) for move in untiled]
    tiles = tuple(tile for _, tile in SCENE.hand.tiles)
    plans = (PlannedTrain(tiles[0].low, each) for each in ((), tiles[:1], tiles))
    return [
        *(hint_sentence(SCENE, each) for each in advised),
        *(plan_sentence(SCENE, each) for each in plans),
        thinking_sentence(9),
        forced_text(moves.LayHub(Seat(0), Position(1), tiles[0])),
    ]


def test_every_hint_is_a_sentence():
    """Every hint is a whole sentence, including the one for a plan of the whole hand."""
    said = all_hints()
    assert [text for text in said if not is_sentence(text)] == []
    assert "whole hand" in said[-3]


def test_a_hint_says_what_trials_found():
    """A hint says what the move gains over its rival, or that the rival is about as good.

    For the last tile of a hand, trials are not mentioned.
    """
    sheds, out = MoveReason(ReasonKind.SHEDS, 7), MoveReason(ReasonKind.GOES_OUT)
    for margin, reason, said in (
        ((4.2, 2.0, Gain.GOES_OUT), sheds, ": you go out first more often."),
        ((4.2, 2.0, Gain.HOLDS_LESS), sheds, ": you are left with less."),
        ((4.2, 2.0, Gain.OTHERS_HOLD_MORE), sheds, ": others are left with more."),
        ((4.2, 6.0, Gain.GOES_OUT), sheds, " is about as good."),
        ((-1.0, 6.0, Gain.GOES_OUT), sheds, " is about as good."),
        ((4.2, 2.0, Gain.GOES_OUT), out, "Try {}: it is your last tile."),
    ):
        sentence = hint_sentence(SCENE, Advice(LAYS[0], (reason,), Margin(LAYS[1], *margin)))
        assert is_sentence(sentence)
        assert sentence.endswith(said.format(move_phrase(SCENE, LAYS[0])))
        assert ("about 4 points better than" in sentence) == said.startswith(":")


@pytest.mark.parametrize(
    ("likely", "is_exact", "said"),
    [
        (0.0, True, "0%"),
        (0.001, True, "<1%"),
        (0.45, True, "45%"),
        (0.999, True, ">99%"),
        (1.0, True, "100%"),
        (0.45, False, "~45%"),
        (0.0, False, "~0%"),
    ],
)
def test_a_chance_says_whether_it_is_sure_or_estimated(likely, is_exact, said):
    """A percentage is marked with `~` if it is an estimate.

    Exact chances just above 0 and just below 1 are shown as <1% and >99%.
    """
    assert likelihood_text(Likelihood(likely, is_exact)) == said
