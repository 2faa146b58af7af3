"""Answers that stay beside the table while the others play."""

from dataclasses import replace

import pytest
import trio

from cli.session.frontend import OddsShown, ScoresShown
from cli.session.loop import sit
from cli.session.thinking import Thinking
from netgame.io.door.codes import parse_code
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.scenes import scene_after, written


class LiveNode(FakeNode):
    """A fake node whose scene a test can change."""

    def __init__(self, scene) -> None:
        super().__init__(scene)
        self.moved = trio.Event()

    def when_moved(self) -> trio.Event:
        """Return an event that is set when somebody has played."""
        return self.moved

    def play(self, scene) -> None:
        """Replace the scene, and set the event that somebody has played."""
        self.scene = scene
        moved, self.moved = self.moved, trio.Event()
        moved.set()


class Panel(FakeFront):
    """A screen that keeps an answer beside the table until it is replaced or closed."""

    keeps_board = True

    def __init__(self, *lines) -> None:
        super().__init__(*lines)
        self.panel, self.is_old = [], False

    def show(self, lines) -> None:
        """Show lines below the answer, or in place of an answer that is to be replaced."""
        self.panel = [*([] if self.is_old else self.panel), *lines]
        self.is_old = False

    def renews(self, closed) -> bool:
        """Return True if an answer is shown; the next lines then replace it."""
        self.is_old, self.closed = bool(self.panel), closed
        return self.is_old

    def tell(self, occasion) -> None:
        """Show odds and scores in the panel, as a screen does."""
        if isinstance(occasion, OddsShown | ScoresShown):
            self.show([occasion])
        super().tell(occasion)


WAITS = replace(scene_after(9, 3, 8), can_move=False)
PLAYED = replace(WAITS, table=scene_after(9, 3, 14).table)


async def stood(scene, line: str, *, closed: bool = False):
    """Type this line; return its answer before and after somebody plays, and the screen.

    If `closed`, the answer is closed just before the play.
    """
    node, seen = LiveNode(scene), []

    def play() -> None:
        seen.append([*front.panel])
        if closed:
            front.panel = []
        node.play(PLAYED)

    front = Panel(line, 1, play, lambda: seen.append([*front.panel]))
    await sit(node, front, sitting_with())
    return *seen, front


async def test_odds_are_reckoned_anew_when_somebody_has_played(autojump_clock):
    """After a play, the odds on the screen are those of the new table."""
    (before,), (after,), _ = await stood(WAITS, "odds")
    assert before.scene.table is WAITS.table
    assert after.scene.table is PLAYED.table


@pytest.mark.parametrize("line", ["odds", "board Ben", "why 9-4"])
async def test_what_was_closed_is_not_opened_by_a_play(line, autojump_clock):
    """An answer that was closed stays closed when somebody plays."""
    before, after, front = await stood(WAITS, line, closed=True)
    assert (len(before) > 0, after) == (True, [])
    assert front.count(OddsShown) == (line == "odds")


async def test_what_is_closed_while_it_is_reckoned_anew_stays_closed(monkeypatch, autojump_clock):
    """Odds that are closed while they are being computed again stay closed."""
    real = Thinking.thought

    async def thought(thinking, *more):
        if thinking.front.panel:  # it is renewed, and somebody presses Esc
            thinking.front.panel = []
            thinking.front.closed()
            await trio.lowlevel.checkpoint()
        return await real(thinking, *more)

    monkeypatch.setattr(Thinking, "thought", thought)
    before, after, _ = await stood(WAITS, "odds")
    assert (len(before), after) == (1, [])


@pytest.mark.parametrize("line", ["help", "score", "who"])
async def test_what_no_play_changes_stands(line, autojump_clock):
    """Help, scores and the list of players stay as they are when somebody plays."""
    before, after, _ = await stood(WAITS, line)
    assert before == after != []


async def test_who_is_here_is_listed_anew_when_somebody_comes_or_goes(autojump_clock):
    """The list of players is drawn again when somebody comes or goes."""
    node, seen = LiveNode(WAITS), []

    def goes() -> None:
        seen.append(written(front.panel))
        seats = node.view().seats
        node.facts = {"seats": (*seats[:-1], replace(seats[-1], connected=False))}
        node.play(WAITS)

    def watches() -> None:
        seen.append(written(front.panel))
        node.facts |= {"watchers": ("Zoe",)}
        node.play(WAITS)

    node.door.code = parse_code("7-otter-violin")
    front = Panel("who", 1, goes, watches, lambda: seen.append(written(front.panel)))
    await sit(node, front, sitting_with())
    assert ["not connected" in each for each in seen] == [False, True, True]
    assert ["Watching: Zoe" in each for each in seen] == [False, False, True]
    assert all(each.count("The join code is 7-otter-violin.") == 1 for each in seen)


async def test_a_train_grows_where_it_was_asked_for(autojump_clock):
    """After somebody plays on a train that is on the screen, the longer train replaces it."""
    names = [WAITS.names[train.id] for train in PLAYED.table.trains if not train.is_mexican]
    grown = [name for name in names if await _grows(name)]
    assert 0 < len(grown) < len(names)


async def _grows(name: str) -> bool:
    before, after, _ = await stood(WAITS, f"board {name}")
    assert len(before) == len(after)
    return before != after


async def test_a_hint_is_closed_when_its_turn_is_over(monkeypatch, autojump_clock):
    """A hint is closed when the turn that it was given for is over."""
    monkeypatch.setattr("netgame.io.tables.bot.THOUGHT_S", 0.01)
    before, after, _ = await stood(replace(WAITS, can_move=True), "hint")
    assert (len(before) > 0, after) == (True, [])
