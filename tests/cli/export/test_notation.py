"""Rounds written in notation: the referee accepts all their moves and computes the same scores."""

import pytest

from cli.export.notation import MoveWriter
from engine.chance import below
from engine.notation.game import Assertion, GameText, RoundText, WrittenDone, WrittenTile
from engine.notation.notation import parse
from engine.notation.referee import judge
from engine.play.apply import score_round
from engine.play.hub_search import asks_heaviest
from engine.play.leavers import waiting_double
from engine.rules.choose import RULE_SETS, RuleSet, format_rules, parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.table.table import Ending, RoundPhase
from engine.table.trains import Seat
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from tests.cli.scenes import played_out
from tests.sliced import sliced


def written(spec: TableSpec, seed: bytes) -> GameText | None:
    """Play a round and return it as notation with its scores; None if it has to be dealt again."""
    entropy = seeded(seed)
    first = Seat(below(entropy, spec.seats))
    history, known, tiles, table = played_out(spec, entropy, first)
    if table.outcome is None or table.outcome.ending is Ending.REDEAL:
        return None
    scored, _ = score_round(table, [[tiles[at] for at in held] for held in table.hands])
    history = [pair for pair in history if pair[0].phase is not RoundPhase.HIGH_DRAW]
    began = history[0][0]
    names = tuple(f"S{seat + 1}" for seat in range(spec.seats))
    hands = tuple(
        (name, tuple(WrittenTile(*known[at]) for at in held))
        for name, held in zip(names, began.hands, strict=True)
    )
    scores = tuple(f"{name}={each}" for name, each in zip(names, scored.past[-1], strict=True))
    lines = (
        *map(WrittenDone, MoveWriter(known, names).actions(history)),
        Assertion("score", None, scores),
    )
    double = began.hub or waiting_double(began)
    hub = None if double is None else WrittenTile(*double)
    first = None if asks_heaviest(began) else names[began.first]
    text = RoundText(first, hub, hands, lines=lines)
    preset, words = format_rules(spec.rules)
    switches = tuple(tuple(word.split("=", 1)) for word in words)
    return GameText(names, (text,), preset, switches, spec.pip_max, spec.rounds)


def check(spec: TableSpec, seed: bytes) -> bool:
    """Write a round, read it back, and assert that the referee accepts it.

    Return False if the round has to be dealt again, so that there is nothing to write.
    """
    game = written(spec, seed)
    if game is None:
        return False
    text = str(game)
    assert parse(text) == game
    wrong = [verdict for verdict in judge(game) if not verdict.ok]
    assert not wrong, f"{wrong[:2]}\n{text}"
    return True


@sliced("preset", RULE_SETS, 3, first=1)
def test_rounds_of_every_preset_are_judged_as_they_were_played(preset):
    """For every preset, more than 3 of 12 rounds can be written, and the referee accepts those."""
    rules = RULE_SETS[preset]
    spec = make_spec(rules, 9, 3, deal=6)
    assert isinstance(spec, TableSpec)
    assert sum(check(spec, bytes([number])) for number in range(12)) > 3


@pytest.mark.parametrize(
    "switches",
    [
        {"opening": "simultaneous"},
        {"opening": "whole-train", "opening-double": "refused"},
        {"first": "high-draw"},
        {"first": "heaviest-held"},
        {"first": "heaviest-once", "engine": "highest-held"},
        {"first": "heaviest-held", "engine": "declared"},
        {"bullet": "yes", "deal": "3"},
        {"branching": "chicken-foot"},
        {"several": "two-held"},
        {"partners": "yes"},
        {"swan-drive": "yes"},
        {"mexican": "many"},
        {"wild-blanks": "yes"},
    ],
    ids=lambda switches: " ".join(f"{name}={value}" for name, value in switches.items()),
)
def test_rounds_under_single_switches_are_judged_as_they_were_played(switches):
    """The referee accepts rounds under each switch for which notation has a special form."""
    rules = parse_rules("standard", switches)
    assert isinstance(rules, RuleSet)
    spec = make_spec(rules, 9, 4, deal=int(switches.get("deal", 6)))
    assert isinstance(spec, TableSpec)
    assert all(check(spec, bytes([number])) for number in range(8))


def test_rounds_under_random_rules_are_judged_as_they_were_played():
    """Under random rules, the referee accepts every round that can be written in notation."""
    for number in range(60):
        seed = number.to_bytes(2, "big")
        check(random_spec(seeded(b"notation" + seed)), seed)
