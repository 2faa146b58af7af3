"""The choices that make up a rule set, one class per switch.

Each class declares the switch's names, its values with a sentence for players, and its sources.
`RuleSet` has a field for each switch. `engine.play` and `engine.scoring` carry out the effects of
the switches; `engine.rules.clashes` lists the values that contradict each other.
"""

from engine.rules.switches.doubles import *  # noqa: F403
from engine.rules.switches.endings import *  # noqa: F403
from engine.rules.switches.opening import *  # noqa: F403
from engine.rules.switches.switch import Switch
from engine.rules.switches.trains import *  # noqa: F403
