"""What `why` answers: the rule behind a refusal, as it stands at this table, and its section."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.refusals import Refusal, RefusalReason
from engine.rules.choose import SWITCHES
from engine.rules.ruleset import RuleSet

_OUT: Final = "A round is over when somebody has played their last tile."
_TURNS: Final = "Turns go clockwise; in a turn you play a tile, draw, or pass."
_HUB: Final = "The double asked for goes into the hub, if you hold it and nobody has used it."
_ENDS: Final = (
    "A tile you hold joins an open end with the same number, on your own train or on any train "
    "that is open to all."
)
_LEAVERS: Final = "A seat leaves for good between two plays, and somebody stays."
_TABLE: Final = "A game is played at a table that its rules allow, with each tile of the set once."

_RULES: Final[Mapping[RefusalReason, str]] = MappingProxyType(
    {
        RefusalReason.ROUND_OVER: _OUT,
        RefusalReason.NO_PASS: _TURNS,
        RefusalReason.NOT_DONE: _TURNS,
        RefusalReason.ANOTHERS_TURN: _TURNS,
        RefusalReason.TILE_NOT_HELD: _ENDS,
        RefusalReason.PRIVATE_TRAIN: _ENDS,
        RefusalReason.END_MISMATCH: _ENDS,
        RefusalReason.DOUBLE_NOT_HELD: _HUB,
        RefusalReason.WRONG_ENGINE: _HUB,
        RefusalReason.HIGHER_HELD: _HUB,
        RefusalReason.TILE_PLAYABLE: "If you can play a tile, you must.",
        RefusalReason.START_NOT_HELD: "You may play on a public train in your first turn only if "
        "you could start yours.",
        RefusalReason.HAS_LEFT: _LEAVERS,
        RefusalReason.LEFT_BEFORE_PLAY: _LEAVERS,
        RefusalReason.LEFT_AMID_PLAY: _LEAVERS,
        RefusalReason.NOTHING_TO_REDEAL: _LEAVERS,
        RefusalReason.ALL_LEAVE: _LEAVERS,
    }
)
"""The rule of each reason that no switch decides; `_TABLE` is that of an impossible table."""


def rule_sentence(refusal: Refusal, rules: RuleSet) -> str:
    """Say the rule that a move breaks, and where it is written."""
    reason = refusal.reason
    if reason.switch is None:
        rule = _RULES.get(reason, _TABLE)
    else:
        rule = getattr(rules, SWITCHES[reason.switch].field).sentence
    return f"{rule} See docs/rules.md {reason.section}."
