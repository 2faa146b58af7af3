"""What is drawn has no English but names, tiles and what one types."""

from dataclasses import replace

import pytest

from cli.drawn.board import board_lines, train_lines
from cli.drawn.cells import Canvas
from cli.drawn.hand import hand_lines, strip_texts
from cli.drawn.palette import ASCII_GLYPHS
from cli.drawn.round_card import plot_lines
from cli.drawn.rule_sheet import changed_lines, offer_from, offer_lines
from cli.drawn.sheets import (
    help_lines,
    lobby_lines,
    score_lines,
    status_text,
    switch_lines,
    who_lines,
)
from cli.language import ENGLISH, speak
from cli.scene import LobbyScene
from cli.typed.grammar import COMMANDS
from engine.rules.choose import RULE_SETS, SWITCHES, parse_rules
from netgame.protocol.fold.options import OPTIONS
from netgame.protocol.notices import DealPhase, DealStage
from netgame.protocol.peer.view import TableStage
from tests.cli.drawn.test_round_card import ROUNDS
from tests.cli.drawn.test_sheets import NARROW, WIDE, playing, seat, view
from tests.cli.said.test_untranslated import Masked, words
from tests.cli.scenes import NAMES, scene_after, scenes_of, with_owed, written

NAMED = {*NAMES, "Bix", "Mexican", "M", "R", "abcd"}


@pytest.fixture(autouse=True)
def dots():
    """Speak in dots."""
    speak("dots", Masked())
    yield
    speak(ENGLISH)


@pytest.mark.parametrize("canvas", [NARROW, WIDE])
@pytest.mark.parametrize("scene", [scene_after(9, 4, 40), with_owed()])
def test_a_board_and_a_hand_have_no_english(scene, canvas):
    """Names, tiles and numbers alone stand on it."""
    waiting = replace(scene, can_move=False)
    trains = [train.id for train in waiting.table.trains]
    drawn = [*board_lines(waiting, canvas), *hand_lines(waiting, canvas)]
    drawn += [line for train in trains for line in train_lines(waiting, train, canvas)]
    drawn += plot_lines(NAMES[:4], ROUNDS, canvas)[:1]
    assert words(written(drawn), *strip_texts(waiting, canvas)) <= NAMED
