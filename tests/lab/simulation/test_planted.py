"""The simulator finds what is wrong: bugs planted on purpose, each within a few seeds.

`python -m tests.lab.simulation.planted` measures all of them; here are those that are quick.
"""

import pytest

from netgame.protocol.peer.standing.journal import Silence
from tests.lab.simulation.planted.catalogue import BUGS, found_by, planted

QUICK = {
    "send before persist": 14,
    "own entries are not synced": 14,
    "a damaged tail stays in the record": 4,
    "half a frame is forgotten": 9,
    "a step begun is forgotten": 2,
    "the host opens its table again": 2,
    "the host dismisses in mid-game": 0,
    "a repeated entry ends the link": 1,
    "the wrong seat is blamed": 43,
    "evidence is empty": 7,
    "the chair forgets a newcomer's signature": 2,
    "a newcomer writes before the coin": 2,
}
"""Bugs, each with the seed to begin with: one that shows it, as long as games stay as they are."""


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_bug_is_found(name: str) -> None:
    """Within so many seeds that missing it would be no accident."""
    game = found_by(name, 100, first=QUICK[name])
    assert game is not None


def test_there_are_enough_bugs_to_be_found() -> None:
    """At least twenty-five, each of another kind."""
    assert len(BUGS) >= 25
    assert set(QUICK) <= set(BUGS)


@pytest.mark.parametrize("name", BUGS)
def test_every_bug_has_its_place(name: str) -> None:
    """What a bug replaces is still there; a function that was moved takes its bug along."""
    with planted(name):
        pass


def test_a_bug_is_gone_after_its_block() -> None:
    """The right function stands in its place again."""
    right = Silence.lasts
    with planted("restart writes at once"):
        assert Silence.lasts is not right
    assert Silence.lasts is right
