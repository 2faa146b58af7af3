"""The choices a rule set is made of: a class a switch, where all about it is declared.

Names, values, a sentence a value for players, sources. `RuleSet` has a field for each; what it does
is in `engine.play` and `engine.scoring`, what contradicts what in `engine.rules.clashes`.
"""

from engine.rules.switches.doubles import (
    Branching,
    ContinuousDraw,
    Cover,
    DoublePublic,
    DrawnDouble,
    DutyOrder,
    LastDouble,
    LayerMiss,
    Several,
)
from engine.rules.switches.endings import (
    Blanks,
    BlockedWinner,
    Bullet,
    HandPoints,
    LastTile,
    Partners,
    RoundEnd,
    StrategicError,
    TapPenalty,
    Target,
    Ties,
)
from engine.rules.switches.opening import (
    Engine,
    EngineMissing,
    First,
    Opening,
    OpeningDouble,
    OpeningElsewhere,
    OpeningMiss,
    OwnTrainFirst,
    StartDouble,
)
from engine.rules.switches.switch import Switch
from engine.rules.switches.trains import (
    DrawRule,
    MarkerDouble,
    MarkerDownBy,
    MarkerEmpty,
    MarkerLayer,
    MarkerVoluntary,
    Mexican,
    MexicanFrom,
    OthersTrains,
    SwanDrive,
    WildBlanks,
)
