"""Refusals for trains that are closed to all but doubles. [docs/rules.md §5.12]"""

import pytest

from cli.wording.refusals import refusal_sentence
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import RULE_SETS

NAMES = ("Ana", "Ben")


@pytest.mark.parametrize(
    ("reason", "as_usual", "with_doubles"),
    [
        (
            RefusalReason.PRIVATE_TRAIN,
            "Ben's train is private: only its owner plays there until a marker opens it.",
            "Ben's train is private: others play only doubles there until a marker opens it.",
        ),
        (
            RefusalReason.FIRST_TURN,
            "In the first turn of a round you play on your own train only.",
            "In the first turn of a round only doubles go on a train that is not yours.",
        ),
    ],
)
def test_a_closed_train_is_said_to_take_doubles_where_it_does(reason, as_usual, with_doubles):
    """Where doubles may be played on a closed train, as under `longana`, the refusal says so."""
    refusal = Refusal(reason, (("train", 1),))
    said = {
        preset: refusal_sentence(refusal, NAMES, None, RULE_SETS[preset])
        for preset in ("standard", "longana")
    }
    assert said == {"standard": as_usual, "longana": with_doubles}
