"""The simulator finds planted bugs, each within a few seeds.

`python -m tests.lab.simulation.planted` measures all of them; these are the quick ones.
"""

import pytest

from netgame.protocol.peer.core import Core
from netgame.protocol.peer.status.recovery import Recovery
from tests.lab.simulation.planted.catalogue import BUGS, BY_TEST, fails_by_test, found_by, planted
from tests.lab.simulation.planted.swaps import BadlyPlanted, Bug, Swap

QUICK = {
    "send before persist": 18,
    "own entries are not synced": 53,
    "a damaged tail stays in the record": 8,
    "half a frame is forgotten": 38,
    "a step begun is forgotten": 7,
    "the host opens its table again": 2,
    "the host dismisses in mid-game": 10,
    "a repeated entry ends the link": 1,
    "the wrong seat is blamed": 3,
    "evidence is empty": 11,
    "the chair forgets a newcomer's signature": 2,
    "a newcomer writes before the coin": 2,
    "a promise forgets what was accepted": 88,
    "a proposal is accepted below a promise": 242,
    "a bad entry binds": 0,
    "a fault of who has gone binds": 2,
    "a fork of an old epoch binds": 14,
    "a second body is taken for good unjudged": 2,
    "two statements bind for ever": 16,
    "a convicted key is not missed": 270,
    "a program that a fault stops signs on": 2,
    "an owner's ballots are promised without a pause": 43,
    "a line that was heard before is shown again": 152,
    "a line is shown as that of who has passed it on": 126,
    "whoever is in opens the table": 9,
}
"""Bugs, each with the first seed to try.

The game of that seed shows the bug as long as games are drawn from their seeds in the same way.
"""
STUCK = (
    "the host opens its table again",
    "a promise forgets what was accepted",
    "a proposal is accepted below a promise",
    "a convicted key is not missed",
    "an owner's ballots are promised without a pause",
)
"""Bugs whose games take long: the table hangs until its time is up, or only decides polls."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.campaign if number % 3 or name in STUCK else ())
        for number, name in enumerate(QUICK)
    ],
)
def test_a_planted_bug_is_found(name: str) -> None:
    """Each of these bugs is found within a hundred seeds, counted from its seed in `QUICK`."""
    game = found_by(name, 100, first=QUICK[name])
    assert game is not None


@pytest.mark.campaign
@pytest.mark.parametrize("name", BY_TEST)
def test_what_no_game_shows_fails_a_test(name: str) -> None:
    """The bug's test passes without the bug and fails with it."""
    BY_TEST[name]()
    assert fails_by_test(name)


def test_there_are_enough_bugs_to_be_found() -> None:
    """There are at least twenty-five bugs, and those in `QUICK` are among them."""
    assert len(BUGS) >= 25
    assert set(QUICK) <= set(BUGS)


@pytest.mark.parametrize("name", BUGS)
def test_every_bug_has_its_place(name: str) -> None:
    """Each bug can be planted: the code that it replaces is where the bug looks for it."""
    with planted(name):
        pass


def _takes_less() -> list[Swap]:
    return [(Core, "start", lambda self, now: ())]


def _takes_more() -> list[Swap]:
    return [(Core, "wake", lambda self, now, how: ())]


def _takes_other_names() -> list[Swap]:
    def wrong(self, payloads, now, *, diary=()):
        del payloads, now, diary
        return self

    return [(Core, "restore", wrong)]


def _is_nowhere() -> list[Swap]:
    return [(Core, "begin", lambda self: None)]


def _is_no_function() -> list[Swap]:
    return [(Core, "state", lambda self: None)]


@pytest.mark.parametrize(
    "bug", [_takes_less, _takes_more, _takes_other_names, _is_nowhere, _is_no_function]
)
def test_a_patch_that_does_not_fit_is_not_planted(
    bug: Bug, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A patch whose type or signature does not fit is refused; it would only crash the code."""
    monkeypatch.setitem(BUGS, "one that does not fit", bug)
    with pytest.raises(BadlyPlanted), planted("one that does not fit"):
        pass


def _crashes() -> list[Swap]:
    def wrong(self, now):
        return self.no_such_part.wake(now)

    return [(Core, "wake", wrong)]


def _calls_wrongly() -> list[Swap]:
    true = Core.wake
    return [(Core, "wake", lambda self, now: true(self, now, "soon"))]


def _asserts() -> list[Swap]:
    def wrong(self, now):
        raise ValueError(now)

    return [(Core, "wake", wrong)]


def _has_others_slip() -> list[Swap]:
    true = Core.frame
    return [(Core, "frame", lambda self, peer, body, now: true(self, peer, None, now))]


@pytest.mark.parametrize("bug", [_crashes, _calls_wrongly, _asserts, _has_others_slip])
def test_a_crash_of_the_patch_is_no_find(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash in the patch raises BadlyPlanted and does not count as finding the bug.

    It shows only that the patch is out of date.
    """
    monkeypatch.setitem(BUGS, "one that crashes", bug)
    with pytest.raises(BadlyPlanted):
        found_by("one that crashes", 3)


def test_a_bug_is_gone_after_its_block() -> None:
    """Inside the block the bug replaces a function; after it, the right function is back."""
    right = Recovery.look
    with planted("restart writes at once"):
        assert Recovery.look is not right
    assert Recovery.look is right
