"""A fixture that keeps the work on join codes out of threads, for tests in virtual time."""

import pytest

from netgame.io.door import channel, first_contact


@pytest.fixture
def at_once(monkeypatch):
    """Do the work on join codes without threads, which would need real time."""

    async def in_turn(work):
        return work()

    monkeypatch.setattr(channel, "in_turn", in_turn)
    monkeypatch.setattr(first_contact, "in_turn", in_turn)
