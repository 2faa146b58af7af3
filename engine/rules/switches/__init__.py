"""The choices a rule set is made of: a class a switch, where all about it is declared.

Names, values, a sentence a value for players, sources. `RuleSet` has a field for each; what it does
is in `engine.play` and `engine.scoring`, what contradicts what in `engine.rules.clashes`.
"""

from engine.rules.switches.doubles import *  # noqa: F403
from engine.rules.switches.endings import *  # noqa: F403
from engine.rules.switches.opening import *  # noqa: F403
from engine.rules.switches.switch import Switch
from engine.rules.switches.trains import *  # noqa: F403
