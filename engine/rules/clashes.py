"""Switches that contradict each other, with the reason. [docs/rules.md §8.2]

A row has values of two switches that clash, and says why. Everything else works together.
"""

from typing import Final, NamedTuple

from engine.rules.switches import (
    Branching,
    ContinuousDraw,
    Cover,
    DoublePublic,
    Engine,
    First,
    HandPoints,
    LastDouble,
    LastTile,
    MarkerDouble,
    Mexican,
    MexicanFrom,
    Opening,
    OpeningDouble,
    OpeningElsewhere,
    OpeningMiss,
    OwnTrainFirst,
    Several,
    StrategicError,
    SwanDrive,
    Switch,
    TapPenalty,
    Ties,
)


class Clash(NamedTuple):
    """Two settings that cannot both be: any of `ones` against any of `others`."""

    ones: tuple[Switch, ...]
    others: tuple[Switch, ...]
    reason: str

    @property
    def one(self) -> str:
        """The key of the one switch."""
        return self.ones[0].key

    @property
    def other(self) -> str:
        """The key of the other."""
        return self.others[0].key


_NOBODY_LAYS: Final = "nobody plays a double that is set aside"
_KNOWN_BY_LAYING: Final = "the first seat cannot be known by what it plays"
_NOBODY_OWES: Final = "nobody owes the double"
_NOTHING_FOLLOWS: Final = "nothing is owed, so nothing follows"
_ONE_COVER: Final = "the tile after a double has to go on it"
_ON_DOUBLE_ONLY: Final = "it says who covers which double, so doubles must be covered"
_THREE: Final = "three tiles must go on one double before anything else"
_FREE_TILE: Final = "the free tile breaks the order of the drive"

CLASHES: Final = (
    Clash((Engine.SET_ASIDE,), (First.ENGINE_LAYER, First.AFTER_LAYER), _NOBODY_LAYS),
    Clash((Engine.FIRST_SEAT,), (First.ENGINE_LAYER, First.AFTER_LAYER), _KNOWN_BY_LAYING),
    Clash((Cover.OPTIONAL, Cover.ANYWHERE), (LastDouble.MUST_COVER,), _NOBODY_OWES),
    Clash((Cover.OPTIONAL, Cover.ANYWHERE), (ContinuousDraw.YES,), _NOBODY_OWES),
    Clash((Cover.OPTIONAL, Cover.ANYWHERE), (Branching.THREE_REQUIRED,), _NOBODY_OWES),
    Clash(
        (Cover.OPTIONAL,),
        (Several.TWO_HELD, Several.SHARE, Several.CHAIN, Several.UNTIL_COVERED),
        _NOTHING_FOLLOWS,
    ),
    Clash((Several.CHAIN,), (Cover.ON_DOUBLE, Cover.LAYER_MAY), _ONE_COVER),
    Clash(
        (Several.SHARE, Several.UNTIL_COVERED),
        (Cover.ANYWHERE_THEN_DUTY, Cover.ANYWHERE, Cover.LAYER_MAY),
        _ON_DOUBLE_ONLY,
    ),
    Clash((Branching.THREE_REQUIRED,), (Cover.ANYWHERE_THEN_DUTY, Cover.LAYER_MAY), _THREE),
    Clash(
        (Branching.THREE_REQUIRED,),
        (Several.TWO_HELD, Several.SHARE, Several.CHAIN, Several.UNTIL_COVERED),
        _THREE,
    ),
    Clash(
        (MarkerDouble.FREE,),
        (DoublePublic.YES,),
        "one takes down the marker that the other puts up",
    ),
    Clash(
        (OwnTrainFirst.ELSEWHERE, OwnTrainFirst.ALWAYS),
        (MexicanFrom.FIRST_TURN, MexicanFrom.FIRST_PLAYER),
        "the Mexican train cannot be both open and closed in the first turn",
    ),
    Clash(
        (OwnTrainFirst.ELSEWHERE, OwnTrainFirst.ALWAYS),
        (OpeningElsewhere.MAY,),
        "one shuts other trains before the own one has a tile, the other opens them",
    ),
    Clash(
        (Opening.DELAYED,),
        (OpeningMiss.MARKER, OpeningMiss.DRAW_UNTIL),
        "a seat that cannot start draws one and may then start",
    ),
    Clash(
        (OpeningDouble.REFUSED,), (Opening.SINGLE,), "there is no chain that could end on a double"
    ),
    Clash(
        (TapPenalty.ONE, TapPenalty.TWO),
        (LastTile.NONE, LastTile.COURTESY),
        "nobody can be caught silent",
    ),
    Clash(
        (TapPenalty.ZERO,),
        (LastTile.TAP, LastTile.BEFORE_PLAY),
        "being caught silent has to cost something",
    ),
    Clash(
        (HandPoints.WINNER_TAKES,), (Ties.ZERO_ROUNDS,), "there a round at 0 is one that was lost"
    ),
    Clash((HandPoints.WINNER_TAKES,), (StrategicError.YES,), "there points are no penalty"),
    Clash((SwanDrive.YES,), (Cover.ANYWHERE_THEN_DUTY, Cover.ANYWHERE), _FREE_TILE),
    Clash(
        (SwanDrive.YES,),
        (Several.TWO_HELD, Several.SHARE, Several.CHAIN, Several.UNTIL_COVERED),
        "a second double breaks the order of the drive",
    ),
)
"""Every pair that is refused, `NO_MEXICAN` apart."""

NO_MEXICAN: Final = Clash(
    (Mexican.NONE,), tuple(MexicanFrom), "there is no Mexican train to be started"
)
"""Refused only where somebody sets the other by hand: from a preset it comes with any value."""
