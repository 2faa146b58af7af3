"""Which rules have a use for a verb: the values of switches of which they need one."""

from typing import Final

from engine.rules import switches as rules
from engine.rules.switches.switch import Switch

BULLET: Final[frozenset[Switch]] = frozenset({rules.Bullet.YES})
MARKS: Final[frozenset[Switch]] = frozenset({rules.MarkerVoluntary.YES})
DECLARES: Final[frozenset[Switch]] = frozenset({rules.Engine.DECLARED})
SEEKS: Final[frozenset[Switch]] = frozenset(rules.Engine) - {rules.Engine.SET_ASIDE}
TAPS: Final[frozenset[Switch]] = frozenset(rules.LastTile) - {rules.LastTile.NONE}
CATCHES: Final[frozenset[Switch]] = frozenset({rules.LastTile.TAP, rules.LastTile.BEFORE_PLAY})
TURNS_UP: Final = DECLARES.union(each for each in rules.First if each.turns_up(0))
ENDS_BY_WORD: Final = BULLET.union(
    (each for each in rules.Opening if each is not rules.Opening.SINGLE),
    (rules.Cover.LAYER_MAY, rules.Cover.OPTIONAL, rules.SwanDrive.YES),
)
