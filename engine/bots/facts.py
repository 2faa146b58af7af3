"""Facts of a table's switches, for rounds that are played in the wheel of `native/engine`.

No rule is declared here: each fact is read off the member that says it.
"""

from functools import cache
from typing import Final, assert_never

from engine.bots.numbered import numbered
from engine.rules.spec import TableSpec
from engine.rules.switches import (
    Branching,
    DrawRule,
    DutyOrder,
    LastTile,
    LayerMiss,
    MarkerDouble,
    MarkerEmpty,
    MarkerLayer,
    OpeningDouble,
    OpeningElsewhere,
    OthersTrains,
    RoundEnd,
)

try:
    from engine._flat import FACTS, Rules
except ImportError:
    IS_BUILT = False
else:
    IS_BUILT = True

FLAT_SOURCES: Final = "d55865a59282f9966b2584cdc47091e987ed8a495373fc08e633654a74a8c535"
"""The digest of `native/engine/flat`. A wheel is taken where the modules are those it was made of;
as this is in one of them, none with other C is. A test compares."""


def _branching(kind: Branching) -> int:
    match kind:
        case Branching.NONE:
            return 0
        case Branching.CHICKEN_FOOT:
            return 1
        case Branching.THREE_REQUIRED:
            return 2
        case Branching.SPUR:
            return 3
        case _:
            assert_never(kind)


def _taps(kind: LastTile) -> int:
    """When a tap saves a seat from being caught: 0 never, 1 with one tile left, 2 before a play."""
    match kind:
        case LastTile.NONE | LastTile.COURTESY:
            return 0
        case LastTile.TAP:
            return 1
        case LastTile.BEFORE_PLAY:
            return 2
        case _:
            assert_never(kind)


def facts_of(spec: TableSpec) -> dict[str, int]:
    """The facts of a table's switches, seats and set by the wheel's names; a truth is 0 or 1."""
    rules, seats = spec.rules, spec.seats
    return {
        "seats": seats,
        "pip_max": spec.pip_max,
        "arms": rules.mexican.arms,
        "many_mexican": rules.mexican.is_many,
        "partners": rules.partners.is_yes,
        "passes_duty": rules.own_train_first.passes_duty,
        "shuts_others": rules.own_train_first.shuts_others,
        "needs_own": rules.mexican_from.needs_own,
        "first_turns": min(rules.mexican_from.first_turns, seats),
        "elsewhere": rules.opening_elsewhere is not OpeningElsewhere.NO,
        "branching": _branching(rules.branching),
        "more_covers": rules.branching.more_covers,
        "others_may": rules.others_trains is OthersTrains.MAY,
        "chain": rules.opening.is_chain,
        "may_wait": rules.opening.may_wait,
        "chain_double_refused": rules.opening_double is OpeningDouble.REFUSED,
        "leaves_duty": rules.cover.leaves_duty,
        "brings_extra": rules.cover.brings_extra,
        "ends_turn": rules.cover.ends_turn,
        "free_to_layer": rules.cover.is_free_to_layer,
        "shared": rules.several.is_shared,
        "one_double": rules.several.is_one,
        "held_pair": rules.several.is_held_pair,
        "marker_frees": rules.marker_double is MarkerDouble.FREE,
        "down_by_open_double": rules.marker_down.by_open_double,
        "down_by_anybody": rules.marker_down.by_anybody,
        "last_refused": rules.last_double.is_refused,
        "last_asks_cover": rules.last_double.asks_for_cover,
        "miss_draws": rules.opening_miss.draws,
        "layer_draw_only": rules.layer_miss is LayerMiss.DRAW_ONLY,
        "until_playable": rules.draw is DrawRule.UNTIL_PLAYABLE,
        "continuous": rules.continuous_draw.is_yes,
        "draws_again": rules.drawn_double.draws_again,
        "double_public": rules.double_public.is_yes,
        "last_played_first": rules.duty_order is DutyOrder.LAST_PLAYED,
        "last_plays": rules.round_end is RoundEnd.LAST_PLAYS,
        "caught": rules.last_tile.is_caught,
        "voluntary": rules.marker_voluntary.is_yes,
        "pass_without_marker": rules.marker_empty is MarkerEmpty.PASS,
        "marks_always": rules.marker_layer is MarkerLayer.ALWAYS,
        "taps": _taps(rules.last_tile),
        "bullet": rules.bullet.is_yes,
        "speaks": rules.last_tile.is_told or rules.marker_voluntary.is_yes or rules.bullet.is_yes,
    }


@cache
def rules_of(spec: TableSpec) -> "Rules":
    """The rules of a table as the wheel takes them, made once and kept; only where `IS_BUILT`."""
    facts, blanks = facts_of(spec), spec.rules.wild_blanks
    in_set = (2 << spec.pip_max) - 1
    faces = tuple([face & in_set for face in blanks.faces[: spec.pip_max + 1]])
    asked = tuple([int(facts[name]) for name in FACTS])
    return Rules(asked, faces, numbered(spec.pip_max, blanks).tiles)
