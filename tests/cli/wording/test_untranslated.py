"""Nothing stays English but names, tiles and words that are typed."""

import pytest

from cli.scene import legal
from cli.wording.events import event_sentence
from cli.wording.hints import hint_sentence, plan_sentence
from cli.wording.moves import (
    HeldDraws,
    duty_sentences,
    forced_text,
    thinking_sentence,
    thinking_text,
)
from cli.wording.notices import notice_text
from cli.wording.refusals import refusal_sentence, rule_sentence
from cli.wording.round_end import card_sentences
from cli.wording.since import Since, one_left_sentences, since_sentence
from engine.bots.advice import Advice, MoveReason, PlannedTrain, ReasonKind
from engine.bots.margin import Gain, Margin
from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.spec import make_spec
from engine.table import events, moves
from engine.table.trains import MEXICAN, Position, Seat
from engine.tiles import Tile
from netgame.protocol import notices
from tests.cli.brackets import words
from tests.cli.render.test_round_card import card
from tests.cli.scenes import scenes_of
from tests.cli.wording.test_wording import (
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
    quoted = notices.ChatHeard | notices.FaultFound | notices.Trouble
    said = [notice_text(SCENE, each) for each in NOTICES if not isinstance(each, quoted)]
    assert words(*said) <= {*NAMES, "Zoe", "Ann", "otter", "violin"}
    for kind in notices.TroubleKind:
        assert words(notice_text(SCENE, notices.Trouble(kind, ("Ann", "so")))) <= {
            "Ann",
            "so",
            "So",
        }


@pytest.mark.parametrize("preset", ["galt-1994", "parsons-1994", "roundhouse", "wolf-lake"])
def test_duties_are_translated(preset):
    """In searches for an engine too, and where last tiles are told; others pass or draw."""
    said = {text for scene in scenes_of(preset, 40, 1) for text in duty_sentences(scene)}
    assert said
    assert words(*said) <= {*NAMES}


def test_draws_hints_and_what_others_did_are_translated():
    """Whatever speaks for a move, and whoever drew."""
    lays = [move for move in legal(SCENE) if isinstance(move, moves.LayTile)]
    margins = [Margin(lays[1], points, 2.0, 0.6, gain) for gain in Gain for points in (1.1, 4.2)]
    reasons = [MoveReason(kind, 3, Tile(5, 5), MEXICAN) for kind in ReasonKind]
    said = [hint_sentence(SCENE, Advice(lays[0], (each,), margins[0])) for each in reasons]
    said += [hint_sentence(SCENE, Advice(lays[0], (), margin)) for margin in margins]
    said += [hint_sentence(SCENE, Advice(lays[0], ())), thinking_text(9), thinking_sentence(9)]
    held = tuple(tile for _, tile in SCENE.hand.tiles)
    said += [plan_sentence(SCENE, PlannedTrain(4, each)) for each in ((), held[:1], held)]
    said += [forced_text(each) for each in (moves.LayHub(Seat(0), Position(1), held[0]), lays[0])]
    draws = HeldDraws()
    for seat in (Seat(0), Seat(1)):
        drawn = events.TileDrawn(seat, SCENE.hand.tiles[0][0])
        laid = events.TileLaid(seat, held[0], MEXICAN, 4)
        for happened in (drawn, laid, drawn, events.Passed(seat), drawn, events.Tapped(seat)):
            said.append(draws.told(SCENE, notices.Played(seat, (happened,)), ""))
    others = tuple(moves.LayTile(Seat(1), Position(1), held[0], train, 0, 4) for train in (0, 1, 2))
    for seat_moves in (others, (moves.DrawTile(Seat(1)), moves.Pass(Seat(1)))):
        said += [since_sentence(SCENE, Since(seat_moves, had_turn=turn)) for turn in (True, False)]
    said += one_left_sentences(SCENE)
    assert words(*said) <= {*NAMES}


def test_the_end_of_a_round_is_translated():
    """For who reads no tables."""
    shown = card()
    assert words(*card_sentences(shown)) <= {*shown.names}
