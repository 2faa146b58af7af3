"""Headers of written games that make no table: in which line the reason stands."""

from dataclasses import replace
from typing import Final, TypeVar

from engine.refusals import Refusal, RefusalReason
from engine.written.game import GameText, RoundText

_Made = TypeVar("_Made")


def in_line(line: int, made: _Made | Refusal) -> _Made | Refusal:
    """The same; a refusal then says in which line of the header its reason stands."""
    if isinstance(made, Refusal):
        return replace(made, facts=(*made.facts, ("line", line)))
    return made


_KEYS: Final = {
    RefusalReason.UNKNOWN_PRESET: ("rules",),
    RefusalReason.UNKNOWN_SWITCH: ("with",),
    RefusalReason.UNKNOWN_VALUE: ("with",),
    RefusalReason.CLASH: ("with", "rules"),
    RefusalReason.SET_UNKNOWN: ("set",),
    RefusalReason.SEATS_OUT_OF_RANGE: ("seats",),
    RefusalReason.PARTNER_SEATS: ("seats",),
    RefusalReason.ROUNDS_OUT_OF_RANGE: ("rounds",),
    RefusalReason.DEAL_UNLISTED: ("with", "set", "seats"),
    RefusalReason.DEAL_OUT_OF_RANGE: ("with", "set", "seats"),
    RefusalReason.HUB_NO_DOUBLE: ("engine",),
    RefusalReason.HUB_USED_BEFORE: ("engine",),
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
    keys = _KEYS.get(refusal.reason, tuple(reversed(holders)))
    return next((lines[key] for key in keys if key in lines), text.line)
