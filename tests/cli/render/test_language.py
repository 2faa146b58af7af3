"""What is drawn has no English but names, tiles and what one types."""

from dataclasses import replace

import pytest

from cli.choices.table import TABLE
from cli.language import LANGUAGES, speak
from cli.render.board import board_lines, train_lines
from cli.render.cells import line_cells
from cli.render.game_end import end_lines, evening_lines
from cli.render.hand import hand_lines, turn_lines
from cli.render.odds import odds_lines
from cli.render.round_card import card_lines
from cli.render.rule_sheet import changed_lines, offer_from, offer_lines
from cli.render.sheets import lobby_lines, score_lines, switch_lines
from cli.render.status import status_text
from cli.scene import LobbyScene
from cli.screens.region import Region
from cli.session.verbs.table import VERBS, help_lines
from cli.wording.game_end import evening_sentences, game_sentences
from engine import struct
from engine.rules.choose import RULE_SETS, SWITCHES
from netgame.protocol.notices import DealPhase, DealStage
from netgame.protocol.peer.view import TableStage
from tests.cli.brackets import words
from tests.cli.render.test_game_end import END, EVENING
from tests.cli.render.test_odds import odds_of
from tests.cli.render.test_round_card import card
from tests.cli.render.test_sheets import NARROW, WIDE, playing, seat, view
from tests.cli.scenes import NAMES, scene_after, with_owed, written

NAMED = {*NAMES, "Bix", "M", "Dor", "abcd"}


pytestmark = pytest.mark.usefixtures("dots")


@pytest.mark.parametrize("canvas", [NARROW, WIDE])
@pytest.mark.parametrize("scene", [scene_after(9, 4, 40), with_owed()])
def test_a_board_and_a_hand_have_no_english(scene, canvas):
    """Names, tiles and numbers alone stand on it."""
    waiting = replace(scene, can_move=False)
    trains = [train.id for train in waiting.table.trains]
    drawn = [*board_lines(waiting, canvas), *hand_lines(waiting, canvas)]
    drawn += [line for train in trains for line in train_lines(waiting, train, canvas)]
    drawn += card_lines(card(), canvas)
    drawn += [*turn_lines(scene, canvas), *odds_lines(scene, odds_of(scene), canvas)]
    region = Region(is_off=False)
    for each in (scene, waiting):
        region.scene_is(each)
        drawn += region.lines(canvas)
        assert region.answer([()] * 99, canvas)
        drawn += region.lines(canvas)
    assert words(written(drawn)) <= NAMED


@pytest.mark.parametrize("canvas", [NARROW, WIDE])
def test_the_end_of_a_game_has_no_english(canvas):
    """Nor its plot, nor the evening; and no screen reader hears any."""
    drawn = [*end_lines(END, canvas), *evening_lines(EVENING, canvas)]
    marks = {"ABCD", "ABC", "ACD", "BCD", "AB", "AC", "BD", "A", "B", "C", "D"}
    said = (*game_sentences(END), *evening_sentences(EVENING))
    assert words(written(drawn), *said) <= NAMED | marks


def test_scores_have_no_english():
    """Before a round is scored, between rounds and at the end."""
    scene = scene_after(9, 3, 1)
    for rounds, past in ((2, ()), (2, ((1, 2, 3),)), (1, ((0, 4, 4),))):
        spec = replace(scene.table.spec, rounds=rounds)
        after = replace(scene, table=struct.replace(scene.table, spec=spec, past=past))
        assert words(written(score_lines(after, WIDE))) <= NAMED


def test_a_lobby_has_no_english():
    """But for what is typed."""
    seats = (seat("Ana"), seat("Ben", connected=False), replace(seat("Cy"), left=True))
    lobby = replace(view(), seats=seats, watchers=("Dora",))
    typed = {"standard", "blanks", "double", *["boneyard", "join", "start"]}
    for change in ({}, {"is_host": False}, {"settings": None}):
        waiting = replace(lobby, **change)
        for more in ({}, {"starts_itself": True}, {"watches": True}):
            scene = LobbyScene(waiting, b"", ("192.168.1.4:4747",), code="1234", **more)
            assert words(written(lobby_lines(scene, WIDE))) <= NAMED | typed


@pytest.mark.parametrize("stage", TableStage)
def test_a_status_has_no_english(stage):
    """At any stage of a table, and of a deal."""
    for step in set(DealPhase) - {DealPhase.READY}:
        waiting = view(stage=stage, deal_note=DealStage(step, "Ana"))
        going = replace(playing(with_owed()), stage=stage)
        assert words(status_text(waiting), status_text(going)) <= NAMED


def test_help_has_no_english_but_what_is_typed():
    """Of all commands and each, and of no command at all."""
    lines = [*help_lines(None, WIDE, playing=True), *help_lines("fly", WIDE, playing=True)]
    typed = {"fly", "train", *(command.word for command in VERBS)}
    assert words(written(lines)) <= typed
    for command in VERBS:
        typed = words(command.word, *command.short, *command.examples)
        assert words(written(help_lines(command.word, WIDE, playing=True))) <= typed | {"train"}


@pytest.mark.parametrize("preset", RULE_SETS)
def test_rules_have_no_english_but_their_words(preset):
    """The sheet of each rule set, each switch and each value; and its sources, which are names."""
    rules = RULE_SETS[preset]
    usual = {*words(*RULE_SETS, *TABLE)}
    usual |= {word for switch in SWITCHES.values() for word in words(*switch.words())}
    for size in ({}, {"pip_max": 9}, {"pip_max": 9, "seats": 4, "rounds": 1, "hand": 5}):
        offer = offer_from(preset, rules, ("target", "start-double"), **size)
        drawn = [*offer_lines(offer, WIDE), *changed_lines(offer, WIDE)]
        assert words(written(drawn)) <= usual
    for name, switch in SWITCHES.items():
        drawn = [*switch_lines(name, None, WIDE), *switch_lines("no", rules, WIDE)]
        assert words(written(drawn)) <= usual | words(switch.sources)


@pytest.mark.parametrize("canvas", [NARROW, WIDE])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wider_than_the_canvas_in_any_language(language, canvas):
    """Columns are as wide as their heads, and what does not fit is cut."""
    speak(language)
    scene, lobby = with_owed(), replace(view(), watchers=("Dora",))
    scored = struct.replace(scene.table, past=((10, 0, 3, 110),))
    for shown in (scene, replace(scene, table=scored)):
        odds = odds_of(shown)
        drawn = [*turn_lines(shown, canvas), *score_lines(shown, canvas)]
        drawn += [*(odds_lines(shown, odds, canvas) if odds else ()), *card_lines(card(), canvas)]
        drawn += [*end_lines(END, canvas), *evening_lines(EVENING, canvas)]
        assert max(map(line_cells, drawn)) <= canvas.columns
    drawn = [*lobby_lines(LobbyScene(lobby, b""), canvas), *help_lines(None, canvas, playing=True)]
    assert max(map(line_cells, drawn)) <= canvas.columns
