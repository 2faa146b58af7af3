"""Hints, computed while the table goes on: when a search begins, is cut short or is reused."""

import pytest
import trio
import trio.testing

from cli.scene import Scene
from cli.session import thinking
from cli.session.loop import sit
from cli.wording.hints import hint_sentence
from engine.bots.advice import Advice, advise
from engine.bots.effort import Effort
from engine.bots.pieces import in_pieces
from engine.bots.review import own_moves
from engine.view import SeatView
from lab.rounds.seeds import seeded
from netgame.protocol import notices
from netgame.protocol.ledger.finished import finished_rounds
from netgame.protocol.ledger.record import walk
from tests.cli.fakes import FakeFront, FakeNode, no_thread_works, sitting_with
from tests.cli.running import boneyard
from tests.cli.scenes import with_plays

THINKS = "Thinking about a hint…"
CUT = "This hint was cut short, before enough was tried out."


class Asker(FakeFront):
    """A fake person who, at a number among the lines, waits until that many hints have come."""

    @property
    def hints(self):
        """The hints so far."""
        return [said for said in self.said if said.startswith("Try ")]

    async def next_line(self):
        """Return the next line, after waiting for the hints before it."""
        while isinstance(self.lines[0], int):
            await trio.sleep(0.001)
            if len(self.hints) >= self.lines[0]:
                self.lines.pop(0)
        return await super().next_line()


class Script(Asker):
    """A script, which waits for the answers to its lines."""

    asks_back = False


@in_pieces
def thinks_until_it_is_cut(view, _entropy, effort):
    """Yield until stopped, then return advice."""
    while effort.lasts():
        yield
    return Advice(view.legal[0], (), None, effort.was_stopped)


@pytest.mark.parametrize(
    ("resumable", "lines", "count"),
    [(True, ["hint", 1, "1", 2], 2), (False, ["hint", 1, "1", 2], 2), (True, [], 0)],
)
async def test_a_hint_comes_when_it_is_asked_again_or_the_move_is_made(
    monkeypatch, resumable, lines, count
):
    """A search ends early if the hint is asked for again or the move is made.

    The hint then says that it was cut short, in a game from a seed as well. A person who leaves
    does not wait for a hint.
    """
    monkeypatch.setattr(thinking, "advise", thinks_until_it_is_cut)
    monkeypatch.setattr("netgame.io.tables.bot.THOUGHT_S", 600.0)
    node, front = FakeNode(with_plays(2)), Asker("hint", *lines)
    await sit(node, front, sitting_with(resumable=resumable))
    assert len(front.hints) == count
    assert all(hint.endswith(CUT) for hint in front.hints)
    assert len(node.asked) == bool(count)


class Watched(Asker):
    """A fake screen that records the hints, and when a search is announced and over."""

    def __init__(self, *lines):
        super().__init__(*lines)
        self.seen_in_order = []

    def working(self, sentence):
        """Record the sentence, or None when the search is over."""
        self.seen_in_order.append(sentence)

    def say(self, sentence):
        """Record that a hint was said."""
        super().say(sentence)
        if sentence.startswith("Try "):
            self.seen_in_order.append("Try")


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        # either of two searches may end first
        (
            ["hint", "hint", 2],
            [[THINKS, THINKS, "Try", None, "Try"], [THINKS, THINKS, None, "Try", "Try"]],
        ),
        (["hint", "1", 1], [[THINKS, None, "Try"]]),
    ],
    ids=["asked again", "moved on"],
)
async def test_that_a_hint_is_thought_about_is_said_until_it_is_there(monkeypatch, lines, seen):
    """A sentence says that a hint is being searched for, until the newest search has ended."""
    found = []

    @in_pieces
    def advise_at_last(view, _entropy, effort):
        found.append(view)
        while len(found) == 1 and effort.lasts():
            yield
        return Advice(view.legal[0], ())

    monkeypatch.setattr(thinking, "advise", advise_at_last)
    monkeypatch.setattr("netgame.io.tables.bot.THOUGHT_S", 600.0)
    front = Watched(*lines)
    await sit(FakeNode(with_plays(2)), front, sitting_with())
    assert front.seen_in_order in seen


class Quiet(Asker):
    """A person who must not read that a search goes on."""

    def working(self, sentence):
        """Fail, because no search may be announced to this person."""
        raise AssertionError(sentence)


class Advisers:
    """An adviser that answers at once and counts its calls."""

    def __init__(self) -> None:
        self.asked = 0

    def pieces(self, view, _entropy, _effort):
        """Count this call, and advise the first legal move."""
        self.asked += 1
        yield
        return Advice(view.legal[0], ())


async def searched(monkeypatch, *lines, battery=False, front=Asker, **changes):
    """Type these lines in the player's own turn.

    Return how often advice was computed before the first line, how often in all, and the hints.
    """
    advisers, before = Advisers(), []

    class Person(front):
        """A person who waits for searches to end before the first line."""

        async def next_line(self):
            if not before:
                await trio.testing.wait_all_tasks_blocked()
                await no_thread_works()
                await trio.testing.wait_all_tasks_blocked()  # take in the result of the search
                before.append(advisers.asked)
            return await super().next_line()

    monkeypatch.setattr(thinking, "advise", advisers)
    monkeypatch.setattr(thinking, "on_battery", lambda: battery)
    node, person = FakeNode(with_plays(2)), Person(*lines)
    node.tell(notices.YourTurn())
    await sit(node, person, sitting_with(**changes))
    return before[0], advisers.asked, person.hints


async def test_the_search_for_a_hint_begins_with_the_turn_and_is_kept(monkeypatch):
    """A hint asked for twice comes twice, from one search that began with the turn."""
    before, in_all, said = await searched(monkeypatch, "hint", 1, "hint", 2)
    assert (before, in_all, len(said)) == (1, 1, 2)
    watched = await searched(monkeypatch, "hint", 1, "hint", 2, front=Quiet)
    assert watched[1:] == (1, said)


@pytest.mark.parametrize(
    "changes", [{"battery": True}, {"resumable": False}, {"front": Script}], ids=str
)
async def test_nothing_is_searched_ahead_where_it_must_not_be(monkeypatch, changes):
    """On battery, in a seeded game and in a script, no search begins before somebody asks."""
    before, in_all, said = await searched(monkeypatch, "hint", 1, **changes)
    assert (before, in_all, len(said)) == (0, 1, 1)


async def test_a_hint_that_was_cut_short_is_searched_again(monkeypatch):
    """A hint that was cut short is computed again when asked for; a full one is not."""
    found = []

    @in_pieces
    def advise_worse_first(view, _entropy, _effort):
        found.append(view)
        yield
        return Advice(view.legal[0], (), None, is_cut_short=len(found) == 1)

    monkeypatch.setattr(thinking, "advise", advise_worse_first)
    node, front = FakeNode(with_plays(2)), Asker("hint", 1, "hint", 2, "hint", 3)
    await sit(node, front, sitting_with())
    assert [hint.endswith(CUT) for hint in front.hints] == [True, False, False]
    assert len(found) == 2


def test_a_hint_is_cut_short_by_time_with_few_rounds():
    """Advice counts as cut short only if it was stopped after few simulated rounds."""
    scene = with_plays(2)
    view = SeatView(scene.table, scene.seat, scene.hand)
    for effort, is_cut_short in ((Effort(is_stopped=lambda: True), True), (Effort(0), False)):
        assert advise(view, seeded(b"cut"), effort).is_cut_short == is_cut_short
    spent = Effort(is_stopped=lambda: True)
    spent.spend(1_000)
    assert not advise(view, seeded(b"cut"), spent).is_cut_short


def test_a_review_begins_with_what_the_hint_said(tmp_path):
    """For each moment, a review computes the same advice as the hint that was given then."""
    game = ("play", "--set", "9", "--rounds", "1", "--bots", "2", "--seed", "11", "--plain")
    said = boneyard(*game, data=tmp_path, text="hint\n1\n" * 40).stdout.splitlines()
    hints = {line for line in said if line.startswith("Try ") and "Tried out" in line}
    (record,) = tmp_path.glob("tables/*/record")
    (end,) = finished_rounds(walk(record.read_bytes(), seeded(b"batch")))
    names = tuple(each.name for each in end.seats)
    seat = names.index("Ann")
    begins = set()
    for own in own_moves(end.history, end.tiles, seat):
        scene = Scene(own.view.table, own.view.hand, names, seat, can_move=True)
        begins.add(hint_sentence(scene, advise(own.view, thinking.chance_at(own.view))))
    assert len(hints) > 5
    assert hints <= begins
