"""Signatures of honest seats, alone or in pairs, convict nobody at any prefix of the log."""

import pytest

from netgame.protocol.epochs.pairs import Pair
from netgame.protocol.ledger import evidence
from tests.lab.simulation import honest_signatures
from tests.lab.simulation.honest_signatures import Convicted, Tries, play_and_try, try_all
from tests.sliced import sliced


@sliced(("how", "seeds"), [("leave", (8,)), ("company", (0, 2)), ("faults", (0, 2))], 3)
def test_nothing_that_was_signed_convicts(how: str, seeds: tuple[int, ...]) -> None:
    """Games with polls, leavers, latecomers and faults give no evidence against anybody."""
    tries = Tries()
    for seed in seeds:
        play_and_try(seed, tries, **{how: True})
    assert not tries.skipped
    assert tries.all > 1_000
    if how == "leave":
        assert tries.statements > 10


def test_a_verifier_that_convicts_the_honest_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verifier that convicts an honest seat is noticed.

    It takes a promise to rule out even the last entry that the promise allows.
    """

    def from_its_last_on(said, entry):
        is_of_it = (entry.seat, entry.poll) == (said.seat, said.poll)
        return Pair.WENT_ON if is_of_it and entry.step >= said.last else None

    def try_wrongly(world, tries) -> None:
        with monkeypatch.context() as wrong:
            wrong.setattr(evidence, "went_on", from_its_last_on)
            try_all(world, tries)

    monkeypatch.setattr(honest_signatures, "try_all", try_wrongly)
    with pytest.raises(Convicted):
        play_and_try(8, Tries(), leave=True, faults=False)
