"""Every preset by its name: the only registry of rule sets. [docs/rules.md §8.4]"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

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
    MarkerDownBy,
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
    marker_down=MarkerDownBy.ANY_PLAY,
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
    marker_down=MarkerDownBy.OWN_COVERED,
    last_double=LastDouble.MUST_COVER,
)
_GOOD_SAM: Final = RuleSet(
    deal=DealTable.GOOD_SAM,
    engine=Engine.HOLDER,
    engine_missing=EngineMissing.ALL_DRAW,
    first=First.ENGINE_LAYER,
    mexican_from=MexicanFrom.FIRST_TURN,
)


class Preset(NamedTuple):
    """A published rule set: its switches, what it is like in one sentence, and whose it is."""

    rules: RuleSet
    sentence: str
    source: str


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        STANDARD: Preset(
            RuleSet(),
            "One tile to open, and a double is covered at once on the double itself.",
            "the first text: what most rule sheets agree on",
        ),
        "parsons-1994": Preset(
            _PARSONS,
            "One tile to open, the Mexican train from the first turn, a second tile anywhere.",
            "Parsons 1994 (Puremco)",
        ),
        "galt-1994": Preset(
            _GALT,
            "Whole trains to open, on the first player's highest double.",
            "Galt 1994 (Cardinal)",
        ),
        "bauguess-2012": Preset(
            _BAUGUESS,
            "Whole trains to open, several doubles in a turn shared out among the players.",
            "Bauguess 2012",
        ),
        "roundhouse": Preset(
            _ROUNDHOUSE,
            "The engine's holder leads, whole trains to open, doubles in chains, the last one "
            "covered first; tap at your last tile.",
            "roundhouse",
        ),
        "walnut": Preset(
            _WALNUT,
            "The engine's holder leads, whole trains to open, a second tile anywhere, the first "
            "open double covered first.",
            "walnut",
        ),
        "wolf-lake": Preset(
            _WOLF_LAKE,
            "Declared engines, spurs at doubles, markers by choice, Choo Choo, one last play each.",
            "wolf-lake",
        ),
        "fundex": Preset(
            _FUNDEX, "As standard, on the highest double that anybody holds.", "Fundex 2003"
        ),
        "university": Preset(
            _UNIVERSITY,
            "Wild blanks that cost 25 in the hand, a second tile anywhere.",
            "University Games 2015",
        ),
        "spruce": Preset(
            _SPRUCE,
            "The engine's holder leads, whole trains to open, and you may cover your double.",
            "Spruce",
        ),
        "masters-of-games": Preset(
            _MASTERS_OF_GAMES,
            "The highest double held, whole trains to open, your last double must be covered.",
            "Masters of Games",
        ),
        "good-sam": Preset(
            _GOOD_SAM,
            "The engine's holder leads, one tile to open, the Mexican train from the first turn.",
            "Good Sam, Idaho",
        ),
    }
)
"""Every preset by its name."""

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {name: preset.rules for name, preset in PRESETS.items()}
)
"""The rules of every preset by its name."""
