"""A value of a switch tells what it means to play where it is declared."""

import pytest

from engine.rules.switches.switch import Switch, about


@pytest.mark.parametrize("facts", [{}, {"is_slow": True}, {"is_fast": True, "is_slow": True}])
def test_a_value_without_each_fact_of_its_switch_cannot_be_declared(facts):
    """Else play would ask it for a meaning that it does not have."""
    with pytest.raises(TypeError, match=r"Pace walk has to give each fact of its switch\."):

        @about("pace", "How fast.", "nobody")
        class Pace(Switch):
            is_fast: bool

            WALK = ("walk", "Slowly.", "nobody", facts)
