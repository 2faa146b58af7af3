"""What the wheel is told, and what it is made of."""

import ast
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

from engine.bots.facts import FLAT_SOURCES
from engine.rules.ruleset import RuleSet

ENGINE = Path(__file__).parents[3] / "engine"
FLAT = ENGINE.parent / "native" / "engine" / "flat"

KEPT_AWAY = {
    "engine": "the hub is laid before play",
    "engine_missing": "the hub is laid before play",
    "first": "who begins is known before play",
    "swan_drive": "`is_flat` asks for it",
    "tap_penalty": "a catch is carried out by the rulebook alone",
}


def asked(*paths):
    """The switches that these modules ask."""
    switches = {field.name for field in fields(RuleSet)}
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return switches & {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_every_switch_that_play_asks_is_told_or_kept_away():
    """A new one would be played wrongly, and in silence."""
    rulebook = asked(*(ENGINE / "play").glob("*.py"), ENGINE / "bots" / "policy.py")
    told = asked(ENGINE / "bots" / "facts.py")
    assert len(told) > 25
    assert rulebook - told == KEPT_AWAY.keys()
    assert told <= rulebook


def test_a_wheel_with_other_c_is_made_of_other_modules():
    """Else one that was built before a change of the C alone would be taken after it."""
    octets = [path.read_bytes() for path in sorted(FLAT.iterdir())]
    assert sha256(b"".join(octets)).hexdigest() == FLAT_SOURCES
