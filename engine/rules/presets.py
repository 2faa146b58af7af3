"""Every preset by its name: the only registry of rule sets. [docs/rules.md §8.4]"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.rules.deals import DealTable
from engine.rules.ruleset import RuleSet
from engine.rules.switches import (
    Blanks,
    Branching,
    Cover,
    DrawnDouble,
    DutyOrder,
    Engine,
    EngineMissing,
    First,
    LastDouble,
    LastTile,
    LayerMiss,
    MarkerDouble,
    MarkerDown,
    MarkerEmpty,
    MarkerVoluntary,
    MexicanFrom,
    Opening,
    OpeningDouble,
    OpeningMiss,
    OthersTrains,
    OwnTrainFirst,
    RoundEnd,
    Several,
    TapPenalty,
    WildBlanks,
)

STANDARD: Final = "standard"
"""The preset that a table has when nobody names one."""

_WHOLE_TRAINS: Final = replace(
    RuleSet(),
    engine=Engine.HOLDER,
    first=First.ENGINE_LAYER,
    opening=Opening.WHOLE_TRAIN,
    opening_miss=OpeningMiss.MARKER,
)
"""What roundhouse, walnut and spruce share: the engine's holder leads with a whole train."""

_PARSONS: Final = RuleSet(
    deal=DealTable.PARSONS,
    mexican_from=MexicanFrom.FIRST_TURN,
    cover=Cover.ANYWHERE_THEN_DUTY,
    several=Several.TWO_HELD,
    last_tile=LastTile.COURTESY,
)
_GALT: Final = RuleSet(
    deal=DealTable.GALT,
    engine=Engine.FIRST_SEAT,
    engine_missing=EngineMissing.TURN_DRAW,
    opening=Opening.WHOLE_TRAIN,
    marker_double=MarkerDouble.FREE,
)
_BAUGUESS: Final = RuleSet(
    deal=DealTable.BAUGUESS, opening=Opening.WHOLE_TRAIN, several=Several.SHARE
)
_ROUNDHOUSE: Final = replace(
    _WHOLE_TRAINS,
    deal=DealTable.ROUNDHOUSE,
    engine_missing=EngineMissing.ALL_DRAW,
    marker_down=MarkerDown.ANY_PLAY,
    marker_empty=MarkerEmpty.PASS,
    cover=Cover.ANYWHERE_THEN_DUTY,
    several=Several.CHAIN,
    duty_order=DutyOrder.LAST_PLAYED,
    layer_miss=LayerMiss.DRAW_ONLY,
    last_tile=LastTile.TAP,
    tap_penalty=TapPenalty.TWO,
)
_WALNUT: Final = replace(
    _WHOLE_TRAINS,
    deal=DealTable.WALNUT,
    engine_missing=EngineMissing.TURN_DRAW,
    cover=Cover.ANYWHERE_THEN_DUTY,
    several=Several.CHAIN,
)
_WOLF_LAKE: Final = RuleSet(
    deal=DealTable.WOLF_LAKE,
    engine=Engine.DECLARED,
    first=First.AFTER_LAYER,
    own_train_first=OwnTrainFirst.ALWAYS,
    others_trains=OthersTrains.MAY,
    mexican_from=MexicanFrom.OWN_STARTED,
    marker_voluntary=MarkerVoluntary.YES,
    drawn_double=DrawnDouble.NO_DRAW,
    last_double=LastDouble.MUST_COVER,
    branching=Branching.SPUR,
    last_tile=LastTile.BEFORE_PLAY,
    tap_penalty=TapPenalty.ONE,
    round_end=RoundEnd.LAST_PLAYS,
)
_FUNDEX: Final = RuleSet(
    deal=DealTable.FUNDEX,
    engine=Engine.HIGHEST_HELD,
    engine_missing=EngineMissing.ALL_DRAW,
    first=First.ENGINE_LAYER,
)
_UNIVERSITY: Final = RuleSet(
    deal=DealTable.UNIVERSITY,
    cover=Cover.ANYWHERE_THEN_DUTY,
    last_double=LastDouble.ENDS,
    blanks=Blanks.EACH_25_DOUBLE_50,
    wild_blanks=WildBlanks.YES,
)
_SPRUCE: Final = replace(
    _WHOLE_TRAINS,
    deal=DealTable.SPRUCE,
    engine_missing=EngineMissing.TURN_DRAW,
    cover=Cover.LAYER_MAY,
    blanks=Blanks.DOUBLE_50,
)
_MASTERS_OF_GAMES: Final = RuleSet(
    deal=DealTable.MASTERS_OF_GAMES,
    engine=Engine.HIGHEST_HELD,
    engine_missing=EngineMissing.TURN_DRAW,
    first=First.ENGINE_LAYER,
    opening=Opening.WHOLE_TRAIN,
    opening_double=OpeningDouble.REFUSED,
    mexican_from=MexicanFrom.OWN_STARTED,
    marker_down=MarkerDown.OWN_COVERED,
    last_double=LastDouble.MUST_COVER,
)
_GOOD_SAM: Final = RuleSet(
    deal=DealTable.GOOD_SAM,
    engine=Engine.HOLDER,
    engine_missing=EngineMissing.ALL_DRAW,
    first=First.ENGINE_LAYER,
    mexican_from=MexicanFrom.FIRST_TURN,
)

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        STANDARD: RuleSet(),
        "parsons-1994": _PARSONS,
        "galt-1994": _GALT,
        "bauguess-2012": _BAUGUESS,
        "roundhouse": _ROUNDHOUSE,
        "walnut": _WALNUT,
        "wolf-lake": _WOLF_LAKE,
        "fundex": _FUNDEX,
        "university": _UNIVERSITY,
        "spruce": _SPRUCE,
        "masters-of-games": _MASTERS_OF_GAMES,
        "good-sam": _GOOD_SAM,
    }
)
"""Every preset by its name."""
