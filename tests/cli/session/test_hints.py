"""A hint is thought about beside the table, and comes at once when something else is typed."""

import pytest
import trio

from cli.session import thinking
from cli.session.loop import sit
from engine.bots.advice import Advice, advise
from engine.bots.effort import Effort
from engine.view import SeatView
from lab.rounds.seeds import seeded
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.scenes import with_plays

CUT = "This hint was cut short, before enough was tried out."


class Asker(FakeFront):
    """A person who waits for so many hints where a number stands in place of a line."""

    @property
    def hints(self):
        """The advice given."""
        return [said for said in self.said if said.startswith("Try ")]

    async def next_line(self):
        """Type the next line, after what stands before it."""
        while isinstance(self.lines[0], int):
            await trio.sleep(0.001)
            if len(self.hints) >= self.lines[0]:
                self.lines.pop(0)
        return await super().next_line()


def thinks_until_it_is_cut(view, _entropy, effort):
    """An adviser that never has enough."""
    while effort.lasts():
        pass
    return Advice(view.legal[0], (), None, effort.was_stopped)


@pytest.mark.parametrize(
    ("resumable", "lines", "count"),
    [(True, ["hint", 1, "1", 2], 2), (False, ["hint", 1, "1", 2], 2), (True, [], 0)],
)
async def test_a_hint_comes_when_it_is_asked_again_or_the_move_is_made(
    monkeypatch, resumable, lines, count
):
    """As good as it is then, which it says; in a game from a seed too, where no clock counts.

    Whoever leaves waits for none.
    """
    monkeypatch.setattr(thinking, "advise", thinks_until_it_is_cut)
    monkeypatch.setattr("netgame.io.tables.bot.THOUGHT_S", 600.0)
    node, front = FakeNode(with_plays(2)), Asker("hint", *lines)
    await sit(node, front, sitting_with(resumable=resumable))
    assert len(front.hints) == count
    assert all(hint.endswith(CUT) for hint in front.hints)
    assert len(node.asked) == bool(count)


def test_a_hint_is_cut_short_by_time_with_few_rounds():
    """Not where counted rounds end it, and not after many."""
    scene = with_plays(2)
    view = SeatView(scene.table, scene.seat, scene.hand)
    for effort, is_cut_short in ((Effort(is_stopped=lambda: True), True), (Effort(0), False)):
        assert advise(view, seeded(b"cut"), effort).is_cut_short == is_cut_short
    spent = Effort(is_stopped=lambda: True)
    spent.spend(1_000)
    assert not advise(view, seeded(b"cut"), spent).is_cut_short
