"""Nothing that honest seats ever signed convicts one of them, alone or in pairs, at any prefix."""

import pytest

from netgame.protocol.ledger import ledger
from tests.lab.simulation.honest_signatures import Convicted, Tries, play_and_try
from tests.sliced import sliced


@sliced(("how", "seeds"), [("leave", (8,)), ("company", (0, 2)), ("faults", (0, 2))], 3)
def test_nothing_that_was_signed_convicts(how: str, seeds: tuple[int, ...]) -> None:
    """Games with polls, leavers, latecomers and faults."""
    tries = Tries()
    for seed in seeds:
        play_and_try(seed, tries, **{how: True})
    assert not tries.skipped
    assert tries.all > 1_000
    if how == "leave":
        assert tries.statements > 20


def test_a_verifier_that_convicts_the_honest_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where evidence of an entry and a vote of one step is taken for a fork, as it once was."""

    def same_step(one, other) -> bool:
        return one.signed.body != other.signed.body and one.slot[:3] == other.slot[:3]

    monkeypatch.setattr(ledger, "is_fork", same_step)
    with pytest.raises(Convicted):
        play_and_try(8, Tries(), leave=True, faults=False)
