"""Headers of written games that make no table: why, by which paragraph, and in which line."""

from dataclasses import replace
from typing import Final, TypeVar

from engine.refusals import Fact, Refusal, RefusalCode
from engine.written.game import GameText, RoundText


def impossible(problem: str, *facts: Fact) -> Refusal:
    """Why a header makes no table, with the paragraph that says so."""
    rule = _PARAGRAPHS.get(problem, "rules.md §1")
    return Refusal(RefusalCode.IMPOSSIBLE_TABLE, (("problem", problem), *facts), rule)


_Made = TypeVar("_Made")


def in_line(line: int, made: _Made | Refusal) -> _Made | Refusal:
    """The same; a refusal then says in which line of the header its reason stands."""
    if isinstance(made, Refusal):
        return replace(made, facts=(*made.facts, ("line", line)))
    return made


_PARAGRAPHS: Final = {
    "unknown-preset": "rules.md §8.4",
    "unknown-switch": "rules.md §8.1",
    "unknown-value": "rules.md §8.1",
    "clash": "rules.md §8.2",
    "set-unknown": "rules.md §1.1",
    "seats-out-of-range": "rules.md §1.2",
    "partner-seats": "rules.md §2.5",
    "rounds-out-of-range": "rules.md §1.4",
    "deal-unlisted": "rules.md §1.3",
    "deal-out-of-range": "rules.md §1.3",
    "hub-no-double": "rules.md §1.4",
    "hub-used-before": "rules.md §1.4",
    "hub-dealt": "rules.md §1.4",
    "round-not-over": "rules.md §11.6",
    "game-over": "rules.md §11.6",
    "seated-already": "rules.md §7.12",
    "left-before": "rules.md §7.11",
    "nobody-stays": "rules.md §7.11",
    "has-left": "rules.md §7.11",
}
"""Where it is written why a header makes no table; the tiles of a header are of §1."""

_KEYS: Final = {
    "unknown-preset": ("rules",),
    "unknown-switch": ("with",),
    "unknown-value": ("with",),
    "clash": ("with", "rules"),
    "set-unknown": ("set",),
    "seats-out-of-range": ("seats",),
    "partner-seats": ("seats",),
    "rounds-out-of-range": ("rounds",),
    "deal-unlisted": ("with", "set", "seats"),
    "deal-out-of-range": ("with", "set", "seats"),
    "hub-no-double": ("engine",),
    "hub-used-before": ("engine",),
}
"""Header keys that may be at fault, the likeliest first."""


def refused_line(game: GameText, text: RoundText, refusal: Refusal) -> int:
    """The line to which a header's refusal belongs; its first, where no key is at fault."""
    facts = dict(refusal.facts)
    if "line" in facts:
        return int(str(facts["line"]))
    lines = {**dict(game.lines_of), **dict(text.lines_of)}
    tile = facts.get("tile")
    holders = [
        f"hand {name}" for name, hand in text.hands if tile in [written.tile for written in hand]
    ]
    if text.boneyard is not None and tile in [written.tile for written in text.boneyard]:
        holders.append("boneyard")
    keys = _KEYS.get(str(facts["problem"]), tuple(reversed(holders)))
    return next((lines[key] for key in keys if key in lines), text.line)
