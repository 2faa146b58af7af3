"""Two players look at tiles before everybody else; one leaves if the tiles are bad, and pays."""

from functools import cache
from operator import attrgetter

import pytest

from engine.play import leavers
from lab.simulation import exposure
from lab.simulation.cheats.cheat import Cheat
from lab.simulation.cheats.second_look import SECOND_LOOKS
from lab.simulation.exposure import first_row

paid_row = cache(first_row)
"""Returns the row of the first game in which a cheat has its chance, or the row found earlier."""


@pytest.mark.parametrize("cheat", SECOND_LOOKS, ids=attrgetter("name"))
def test_a_second_look_is_paid_for_and_told_of(cheat: Cheat) -> None:
    """The leaver pays for leaving in the round's scores, and nobody is accused.

    It pays even if it has come back by then.
    """
    row = paid_row(cheat, real=False)
    assert not row.trouble, row
    assert row.verdicts == ()


@pytest.mark.parametrize("cheat", SECOND_LOOKS, ids=attrgetter("name"))
def test_a_second_look_that_costs_nothing_is_noticed(
    cheat: Cheat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game in which the leaver pays nothing is reported as trouble."""
    same_game = cheat._replace(first_seed=paid_row(cheat, real=False).seed)
    monkeypatch.setattr(exposure, "SEEDS_MOST", 1)
    monkeypatch.setattr(leavers, "forfeit", lambda *_: 0)
    assert any("has paid" in said for said in first_row(same_game, real=False).trouble)
