"""A door whose work on join codes takes no thread, for tests in virtual time."""

import pytest

from netgame.io.door import channel, first_contact


@pytest.fixture
def at_once(monkeypatch):
    """Threads would want real time."""

    async def in_turn(work):
        return work()

    monkeypatch.setattr(channel, "in_turn", in_turn)
    monkeypatch.setattr(first_contact, "in_turn", in_turn)
