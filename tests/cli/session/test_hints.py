"""A hint is thought about beside the table, and comes at once when something else is typed."""

import pytest
import trio

from cli.scene import lays
from cli.session import session
from cli.session.loop import sit
from cli.session.stay import SessionOptions
from engine.bots.advice import Advice, advise
from engine.bots.effort import Effort
from engine.view import SeatView
from lab.rounds.seeds import seeded
from tests.cli.fakes import FakeFront, FakeNode
from tests.cli.scenes import scenes_of

CUT = "This hint was cut short, before enough was tried out."


class Asker(FakeFront):
    """A person who waits for so many hints where a number stands in place of a line."""

    def __init__(self, *lines):
        super().__init__(*lines)
        self.hints, self._hinted = [], trio.Event()

    def say(self, sentence):
        """Count hints."""
        super().say(sentence)
        if sentence.startswith("Try "):
            self.hints.append(sentence)
            self._hinted.set()
            self._hinted = trio.Event()

    async def next_line(self):
        """Type the next line, after what stands before it."""
        while isinstance(self.lines[0], int) and len(self.hints) < self.lines[0]:
            await self._hinted.wait()
        if isinstance(self.lines[0], int):
            self.lines.pop(0)
        return await super().next_line()


def thinks_until_it_is_cut(view, _entropy, effort):
    """An adviser that never has enough."""
    while effort.lasts():
        pass
    return Advice(view.legal[0], (), None, effort.was_stopped)


@pytest.mark.parametrize("resumable", [True, False])
async def test_a_hint_comes_when_it_is_asked_again_or_the_move_is_made(monkeypatch, resumable):
    """As good as it is then, which it says; in a game from a seed too, where no clock counts."""
    monkeypatch.setattr(session, "advise", thinks_until_it_is_cut)
    monkeypatch.setattr("netgame.io.tables.bot.THOUGHT_S", 600.0)
    scene = next(each for each in scenes_of("standard", 40, 40) if len(lays(each)) >= 2)
    node, front = FakeNode(scene), Asker("hint", "hint", 1, "1", 2)
    await sit(node, front, SessionOptions(resumable=resumable))
    assert len(front.hints) == 2
    assert all(hint.endswith(CUT) for hint in front.hints)
    assert len(node.asked) == 1


async def test_whoever_leaves_waits_for_no_hint(monkeypatch):
    """The thread ends with the session."""
    monkeypatch.setattr(session, "advise", thinks_until_it_is_cut)
    monkeypatch.setattr("netgame.io.tables.bot.THOUGHT_S", 600.0)
    scene = next(each for each in scenes_of("standard", 40, 40) if len(lays(each)) >= 2)
    front = Asker("hint")
    await sit(FakeNode(scene), front, SessionOptions())
    assert front.hints == []


def test_a_hint_is_cut_short_by_time_with_few_rounds():
    """Not where counted rounds end it, and not after many."""
    scene = next(each for each in scenes_of("standard", 40, 40) if len(lays(each)) >= 2)
    view = SeatView(scene.table, scene.seat, scene.hand)
    for effort, is_cut_short in ((Effort(is_stopped=lambda: True), True), (Effort(0), False)):
        assert advise(view, seeded(b"cut"), effort).is_cut_short == is_cut_short
    spent = Effort(is_stopped=lambda: True)
    spent.spend(1_000)
    assert not advise(view, seeded(b"cut"), spent).is_cut_short
