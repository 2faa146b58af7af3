"""A switch declares facts, and each of its values may set them."""

import pytest

from engine.rules.switches.switch import Switch, switch


def test_a_value_gives_the_facts_in_which_it_is_not_like_most():
    """A fact that a value does not set is False or 0."""

    @switch("pace", "How fast.", "nobody")
    class Pace(Switch):
        is_fast: bool
        stops: int

        WALK = ("walk", "Slowly.", "nobody")
        RUN = ("run", "Fast.", "nobody", {"is_fast": True})

    assert (Pace.WALK.is_fast, Pace.WALK.stops) == (False, 0)
    assert (Pace.RUN.is_fast, Pace.RUN.stops) == (True, 0)


def test_a_value_with_a_fact_that_its_switch_has_not_cannot_be_declared():
    """Declaring a value with a fact that its switch does not declare raises TypeError."""
    with pytest.raises(TypeError, match=r"Pace walk gives a fact that its switch has not\."):

        @switch("pace", "How fast.", "nobody")
        class Pace(Switch):
            is_fast: bool

            WALK = ("walk", "Slowly.", "nobody", {"is_slow": True})
