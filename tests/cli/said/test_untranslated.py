"""Nothing stays English but names, tiles and words that are typed."""

import pytest

from cli.said.events import event_sentence
from cli.said.notices import notice_text
from cli.said.refusals import refusal_sentence, rule_sentence
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.spec import make_spec
from engine.table.trains import Seat
from netgame.protocol import notices
from tests.cli.brackets import words
from tests.cli.said.test_wording import (
    EVENTS,
    FACTS,
    NAMES,
    NOTICES,
    OF_RULES,
    OF_SIZES,
    RULES,
    SCENE,
    SIZES,
)

pytestmark = pytest.mark.usefixtures("dots")


def test_refusals_are_translated():
    """With their facts, and without; what is typed is read back."""
    for reason in {*RefusalReason} - OF_RULES - OF_SIZES:
        for refusal in (Refusal(reason), Refusal(reason, FACTS)):
            said = [refusal_sentence(refusal, NAMES, you) for you in (None, Seat(1))]
            said.append(rule_sentence(refusal, RULE_SETS["standard"]))
            assert words(*said) <= {*NAMES}, reason
    refused = [*(parse_rules(*each) for each in RULES), *(make_spec(*each) for each in SIZES)]
    typed = words(
        *(str(value) for each in refused for name, value in each.facts if name != "reason")
    )
    assert words(*map(refusal_sentence, refused)) <= typed


def test_events_and_notices_are_translated():
    """For those it happens to and for others; what others write is as they wrote it."""
    assert words(*(event_sentence(SCENE, event) for event in EVENTS)) <= {*NAMES}
    quoted = (
        notices.ChatHeard | notices.FaultFound | notices.SeatRefused | notices.SeatLater
        | notices.Trouble
    )  # fmt: skip
    said = [notice_text(SCENE, each) for each in NOTICES if not isinstance(each, quoted)]
    assert words(*said) <= {*NAMES, "Zoe", "Ann", "otter", "violin"}
    for kind in notices.TroubleKind:
        assert words(notice_text(SCENE, notices.Trouble(kind, ("Ann", "so")))) <= {
            "Ann",
            "so",
            "So",
        }
