"""Refusals: the first rule that a move breaks, as a reason with facts; `cli` words the sentence."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine.tiles import Tile


class RefusalCode(Enum):
    """The notation's word for a refusal. If several apply, the first member wins."""

    NOT_ALLOWED = "not-allowed"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_YOUR_TILE = "not-your-tile"
    NO_SUCH_TRAIN = "no-such-train"
    OWED_DOUBLE = "owed-double"
    OWN_TRAIN_FIRST = "own-train-first"
    TRAIN_CLOSED = "train-closed"
    END_MISMATCH = "end-mismatch"
    PLAYABLE_TILE = "playable-tile"
    MUST_DRAW = "must-draw"
    ALREADY_DRAWN = "already-drawn"
    BONEYARD_EMPTY = "boneyard-empty"
    WRONG_ENGINE = "wrong-engine"
    MUST_DECLARE = "must-declare"
    CHAIN_ENDS_DOUBLE = "chain-ends-double"
    IMPOSSIBLE_TABLE = "impossible-table"


class RefusalReason(Enum):
    """The reason for a refusal, in as much detail as one sentence needs.

    Each reason has its code, the section of docs/rules.md that states its rule, and the key of the
    switch whose value sets that rule, if there is one. The comment or docstring beside a reason
    lists the facts of its refusals, if they have any.
    """

    code: RefusalCode
    section: str
    switch: str | None

    def __new__(cls, code: RefusalCode, section: str, switch: str | None = None) -> "RefusalReason":
        """Number the members from 0, because two of them may share code and section."""
        reason = object.__new__(cls)
        reason._value_ = len(cls.__members__)
        reason.code, reason.section, reason.switch = code, section, switch
        return reason

    # No such action under these rules, or not now.
    ROUND_OVER = RefusalCode.NOT_ALLOWED, "§7.1"
    NO_DRAW = RefusalCode.NOT_ALLOWED, "§2.4", "draw"
    NO_OPENING_DRAW = RefusalCode.NOT_ALLOWED, "§3.2", "opening-miss"
    NOBODY_DRAWS = RefusalCode.NOT_ALLOWED, "§2.4", "draw"
    NO_PASS = RefusalCode.NOT_ALLOWED, "§2.1"
    NOT_DONE = RefusalCode.NOT_ALLOWED, "§2.1"
    NO_CHAIN = RefusalCode.NOT_ALLOWED, "§3.1", "opening"
    NO_BULLET = RefusalCode.NOT_ALLOWED, "§7.10", "bullet"
    TILE_LOST = RefusalCode.NOT_ALLOWED, "§5.10", "layer-miss"
    LAID_ENOUGH = RefusalCode.NOT_ALLOWED, "§5.8", "several"
    COVER_DRAWN = RefusalCode.NOT_ALLOWED, "§5.8", "several"
    DOUBLE_ALONE = RefusalCode.NOT_ALLOWED, "§5.8", "several"
    LAST_DOUBLE = RefusalCode.NOT_ALLOWED, "§7.1", "last-double"
    LAST_PLAY_ALONE = RefusalCode.NOT_ALLOWED, "§7.8", "round-end"
    MARKER_NOT_UP = RefusalCode.NOT_ALLOWED, "§6.4", "marker-voluntary"
    MARKER_NOT_DOWN = RefusalCode.NOT_ALLOWED, "§6.4", "marker-voluntary"
    NO_TAP = RefusalCode.NOT_ALLOWED, "§7.7", "last-tile"
    NOBODY_TO_CATCH = RefusalCode.NOT_ALLOWED, "§7.7", "last-tile"
    NOTHING_TO_CALL = RefusalCode.NOT_ALLOWED, "§7.7", "last-tile"
    LAY_BEFORE_HUB = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    DRAW_BEFORE_HUB = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    TURN_BEFORE_HUB = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    """A pass, done or marker choice while the double is looked for."""
    NO_DOUBLE_ASKED = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    NO_DECLARING = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    NO_SILENCE = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    NO_DECLARED_DOUBLES = RefusalCode.NOT_ALLOWED, "§1.7", "engine"
    """Under these rules no double is ever declared."""
    NO_LOOK = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    NO_DISCARD = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    NO_PULL = RefusalCode.NOT_ALLOWED, "§1.6", "engine"
    TURN_BEFORE_LEAD = RefusalCode.NOT_ALLOWED, "§1.5", "first"
    """A move of a turn while the heaviest tile is asked for."""
    NO_SHOWING = RefusalCode.NOT_ALLOWED, "§1.5", "first"
    TILE_NOT_ASKED = RefusalCode.NOT_ALLOWED, "§1.5", "first"
    """Another tile is asked for. Facts: `tile`, the one shown."""
    HAS_LEFT = RefusalCode.NOT_ALLOWED, "§7.11"
    """Facts: `seat`."""
    LEFT_BEFORE_PLAY = RefusalCode.NOT_ALLOWED, "§7.11"
    LEFT_AMID_PLAY = RefusalCode.NOT_ALLOWED, "§7.11"
    NOTHING_TO_REDEAL = RefusalCode.NOT_ALLOWED, "§7.11"
    ALL_LEAVE = RefusalCode.NOT_ALLOWED, "§7.11"

    ANOTHERS_TURN = RefusalCode.NOT_YOUR_TURN, "§2.1"
    """Facts: `to_move` (a seat), if there is one."""
    ANOTHERS_ANSWER = RefusalCode.NOT_YOUR_TURN, "§1.6", "engine"
    """Facts: `to_move` (a seat)."""
    OPENED_ALREADY = RefusalCode.NOT_YOUR_TURN, "§3.1", "opening"
    """In a simultaneous opening."""

    # Not in the hand, not in the set, or already seen. Facts: `tile`, if the move names one.
    TILE_NOT_HELD = RefusalCode.NOT_YOUR_TILE, "§2.2"
    DOUBLE_NOT_HELD = RefusalCode.NOT_YOUR_TILE, "§1.4"
    TILE_NOT_THERE = RefusalCode.NOT_YOUR_TILE, "§1.7", "engine"
    TILE_NOT_DRAWN = RefusalCode.NOT_YOUR_TILE, "§2.4", "draw"
    TILE_NOT_PAID = RefusalCode.NOT_YOUR_TILE, "§7.7", "last-tile"

    # Facts: `train`.
    NO_TRAIN = RefusalCode.NO_SUCH_TRAIN, "§4.1", "mexican"
    NOT_STARTED_YET = RefusalCode.NO_SUCH_TRAIN, "§4.2", "mexican-from"

    # Another end must be covered. Facts: `double`, `train` (the double's).
    DOUBLE_OWED = RefusalCode.OWED_DOUBLE, "§5.2", "cover"
    THREE_OWED = RefusalCode.OWED_DOUBLE, "§5.7", "branching"
    ARMS_OWED = RefusalCode.OWED_DOUBLE, "§4.3", "mexican"
    RING_OWED = RefusalCode.OWED_DOUBLE, "§4.3", "arms-then"
    """No facts: each of several ends still needs its double."""
    SECOND_DOUBLE = RefusalCode.OWED_DOUBLE, "§5.8", "several"

    OWN_TRAIN_FIRST = RefusalCode.OWN_TRAIN_FIRST, "§3.4", "own-train-first"
    # Facts: `train`.
    FIRST_TURN = RefusalCode.TRAIN_CLOSED, "§3.1", "opening"
    FIRST_TURN_MEXICAN = RefusalCode.TRAIN_CLOSED, "§4.2", "mexican-from"
    PRIVATE_TRAIN = RefusalCode.TRAIN_CLOSED, "§2.2"
    NO_OWN_TRAINS = RefusalCode.NO_SUCH_TRAIN, "§4.3", "mexican"
    START_NOT_HELD = RefusalCode.TRAIN_CLOSED, "§3.6"

    END_MISMATCH = RefusalCode.END_MISMATCH, "§2.2"
    """Facts: `tile`, `train`, `pip` once for each open end."""

    # A draw or pass with a playable tile. Facts: `tile`, if it is known.
    TILE_PLAYABLE = RefusalCode.PLAYABLE_TILE, "§2.3"
    COVER_HELD = RefusalCode.PLAYABLE_TILE, "§5.8", "several"
    CHAIN_HELD = RefusalCode.PLAYABLE_TILE, "§3.5", "opening-double"
    LAST_PLAY_HELD = RefusalCode.PLAYABLE_TILE, "§7.8", "round-end"

    MUST_DRAW = RefusalCode.MUST_DRAW, "§2.4", "draw"
    ALREADY_DRAWN = RefusalCode.ALREADY_DRAWN, "§2.4", "draw"
    DRAWN_AND_LOST = RefusalCode.ALREADY_DRAWN, "§5.10", "layer-miss"
    DOUBLE_DRAWN = RefusalCode.ALREADY_DRAWN, "§5.11", "drawn-double"
    BONEYARD_EMPTY = RefusalCode.BONEYARD_EMPTY, "§2.4", "draw"

    # Facts: `tile`.
    WRONG_ENGINE = RefusalCode.WRONG_ENGINE, "§1.4"
    HIGHER_HELD = RefusalCode.WRONG_ENGINE, "§1.4"
    """Facts: `tile`, the higher double."""
    # Facts: `tile`, if it is known.
    DOUBLE_KEPT = RefusalCode.MUST_DECLARE, "§1.6", "engine"
    FOUND_DOUBLE_KEPT = RefusalCode.MUST_DECLARE, "§1.7", "engine"
    HEAVIEST_KEPT = RefusalCode.MUST_DECLARE, "§1.5", "first"
    CHAIN_ENDS_DOUBLE = RefusalCode.CHAIN_ENDS_DOUBLE, "§3.5", "opening-double"

    # Impossible tables. In a written game, facts: `line`, if one line is at fault.
    # Rules, and the size of a table:
    UNKNOWN_PRESET = RefusalCode.IMPOSSIBLE_TABLE, "§8.4"
    """Facts: `preset`, `known`."""
    UNKNOWN_SWITCH = RefusalCode.IMPOSSIBLE_TABLE, "§8.1"
    """Facts: `switch`, `known`."""
    UNKNOWN_VALUE = RefusalCode.IMPOSSIBLE_TABLE, "§8.1"
    """Facts: `switch`, `value`, `known`."""
    CLASH = RefusalCode.IMPOSSIBLE_TABLE, "§8.2"
    """Facts: `one`, `other` (both as `switch=value`), `reason`."""
    SET_UNKNOWN = RefusalCode.IMPOSSIBLE_TABLE, "§1.1"
    """Facts: `set`. Choose one of `SET_SIZES`."""
    SEATS_OUT_OF_RANGE = RefusalCode.IMPOSSIBLE_TABLE, "§1.2"
    """Facts: `seats`, `least`, `most`."""
    PARTNER_SEATS = RefusalCode.IMPOSSIBLE_TABLE, "§2.5"
    """`partners=yes` with a number of seats other than 4, 6 or 8. Facts: `seats`."""
    ROUNDS_OUT_OF_RANGE = RefusalCode.IMPOSSIBLE_TABLE, "§1.4"
    """Facts: `rounds`, `most` (one per double, if each is used only once)."""
    DEAL_UNLISTED = RefusalCode.IMPOSSIBLE_TABLE, "§1.3"
    """The deal table has no entry. Facts: `set`, `seats`, `most`. A number after `deal=` helps."""
    DEAL_OUT_OF_RANGE = RefusalCode.IMPOSSIBLE_TABLE, "§1.3"
    """The hands do not fit the set. Facts: `set`, `seats`, `hand`, `tiles`, `most`."""
    # Tiles. Facts: `tile`, if one is at fault.
    HUB_NO_DOUBLE = RefusalCode.IMPOSSIBLE_TABLE, "§1.4"
    HUB_USED_BEFORE = RefusalCode.IMPOSSIBLE_TABLE, "§1.4"
    HUB_DEALT = RefusalCode.IMPOSSIBLE_TABLE, "§1.4"
    TILE_NOT_IN_SET = RefusalCode.IMPOSSIBLE_TABLE, "§1"
    TILE_TWICE = RefusalCode.IMPOSSIBLE_TABLE, "§1"
    TOO_FEW_TILES = RefusalCode.IMPOSSIBLE_TABLE, "§1"
    # Seats and rounds. Facts: `seat`, if one is at fault.
    ROUND_NOT_OVER = RefusalCode.IMPOSSIBLE_TABLE, "§11.6"
    GAME_OVER = RefusalCode.IMPOSSIBLE_TABLE, "§11.6"
    SEATED_ALREADY = RefusalCode.IMPOSSIBLE_TABLE, "§7.12"
    LEFT_ALREADY = RefusalCode.IMPOSSIBLE_TABLE, "§7.11"
    NOBODY_STAYS = RefusalCode.IMPOSSIBLE_TABLE, "§7.11"
    SEAT_HAS_LEFT = RefusalCode.IMPOSSIBLE_TABLE, "§7.11"


Fact: TypeAlias = tuple[str, int | str | Tile]
"""The name and value of a fact that a refusal's sentence may use. Seats and trains are numbers."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first rule that a move, a table or a written game breaks, with the facts about it."""

    reason: RefusalReason
    facts: tuple[Fact, ...] = ()

    @property
    def code(self) -> RefusalCode:
        """The code of the refusal's reason."""
        return self.reason.code

    @property
    def rule(self) -> str:
        """The page and section that state the rule, for example `rules.md §5.2`."""
        return f"rules.md {self.reason.section}"


def refused(reason: RefusalReason, /, **facts: int | str | Tile) -> Refusal:
    """Return a refusal for this reason, with its facts in the order given."""
    return Refusal(reason, tuple(facts.items()))


_RANK: Final = {code: rank for rank, code in enumerate(RefusalCode)}


def first_refusal(*refusals: Refusal | None) -> Refusal | None:
    """Return the refusal whose code comes first in `RefusalCode`, or None if all are None.

    Of several with that code, return the one given first.
    """
    given = [refusal for refusal in refusals if refusal is not None]
    return min(given, key=lambda refusal: _RANK[refusal.code], default=None)
