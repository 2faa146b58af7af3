"""What is drawn, in a language that says nothing: names, tiles and what one types are left."""

import gettext
import re
from dataclasses import replace

import pytest

from cli.drawn.board import board_lines, train_lines
from cli.drawn.hand import hand_lines, strip_texts
from cli.drawn.round_card import plot_lines
from cli.language import ENGLISH, speak
from docs.make_catalogues import FACT
from tests.cli.drawn.test_round_card import ROUNDS
from tests.cli.drawn.test_sheets import NARROW, WIDE
from tests.cli.scenes import NAMES, scene_after, with_owed, written

KEPT = re.compile(rf"\b({'|'.join(NAMES)}|Mexican|M)\b")


class Mute(gettext.NullTranslations):
    """Says the facts of a sentence, and nothing else."""

    def gettext(self, message):
        """Return the facts."""
        return " ".join(found.group() for found in FACT.finditer(message))

    def ngettext(self, msgid1, msgid2, n):
        """Return the facts of one of two."""
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context, message):
        """Return the facts, whoever it is."""
        return self.gettext(message)


@pytest.fixture
def mute():
    """Say nothing for the time of a test."""
    speak("mute", Mute())
    yield
    speak(ENGLISH)


def english(text: str) -> list[str]:
    """What is English in a text."""
    return re.findall(r"[^\W\d_]{2,}", KEPT.sub("", text))


@pytest.mark.usefixtures("mute")
@pytest.mark.parametrize("canvas", [NARROW, WIDE])
@pytest.mark.parametrize("scene", [scene_after(9, 4, 40), with_owed()])
def test_a_board_and_a_hand_have_no_english(scene, canvas):
    """Names, tiles and numbers alone stand on it."""
    waiting = replace(scene, can_move=False)
    trains = [train.id for train in waiting.table.trains]
    drawn = [*board_lines(waiting, canvas), *hand_lines(waiting, canvas)]
    drawn += [line for train in trains for line in train_lines(waiting, train, canvas)]
    drawn += plot_lines(NAMES[:4], ROUNDS, canvas)[:1]
    assert english(written(drawn) + " ".join(strip_texts(waiting, canvas))) == []
