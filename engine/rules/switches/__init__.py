"""The choices that make up a rule set: one class a switch, which declares all about it.

Names, values, a sentence for players on each value, sources. `RuleSet` has a field for each; its
effect is in `engine.play` and `engine.scoring`, contradictions in `engine.rules.clashes`.
"""

from engine.rules.switches.doubles import *  # noqa: F403
from engine.rules.switches.endings import *  # noqa: F403
from engine.rules.switches.opening import *  # noqa: F403
from engine.rules.switches.switch import Switch
from engine.rules.switches.trains import *  # noqa: F403
