"""Nothing stays English but names, tiles and words that are typed."""

import re

import pytest

from cli.language import ENGLISH, speak
from cli.said.events import event_sentence
from cli.said.notices import notice_text
from cli.said.refusals import refusal_sentence, rule_sentence
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.spec import make_spec
from engine.table.trains import Seat
from netgame.protocol import notices
from tests.cli.said.test_translation import Strict
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


class Masked(Strict):
    """Speaks in dots, so that letters are only where no sentence of the catalogues is."""

    def gettext(self, message):
        """Return a sentence without its letters."""
        return masked(super().gettext(message))

    def ngettext(self, msgid1, msgid2, n):
        """Return one of two."""
        return masked(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, context, message):
        """Return a sentence of somebody."""
        return masked(super().pgettext(context, message))


def masked(text):
    """Put dots in place of letters, but for facts."""
    return re.sub(r"\{[^}]*\}|[^\W\d_]", lambda found: found[0] if len(found[0]) > 1 else ".", text)


def words(*texts):
    """All words of some texts."""
    return set(re.findall(r"[^\W\d_]+", " ".join(texts)))


@pytest.fixture(autouse=True)
def dots():
    """Speak in dots."""
    speak("dots", Masked())
    yield
    speak(ENGLISH)


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
