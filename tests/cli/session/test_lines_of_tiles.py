"""Several tiles on one line at the table: which are played, and which become a plan."""

from dataclasses import replace

import pytest
import trio
from msgspec import structs

from cli.input.plan import longest_plan, tiles_text
from cli.scene import lays, tile_text
from cli.session.loop import sit
from engine.play.apply import apply
from engine.play.judge import why_illegal_holding
from engine.table.moves import Done, LayTile, Pass
from netgame.io.node.question import Granted
from netgame.protocol import notices
from netgame.protocol.peer.view import TableView
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.running import boneyard
from tests.cli.scenes import scenes_of, with_plays

GAME = ("play", "--name=Root", "--set=9", "--deal=16", "--seats=2", "--bots=1", "--seed=5")


class Table(FakeNode):
    """A fake table that makes legal moves, and tells the session when this seat is to move."""

    async def propose(self, move):
        """Make a legal move and return `Granted`; return the refusal of an illegal one."""
        refusal = why_illegal_holding(self.scene.table, self.scene.hand, move)
        if refusal is not None:
            return refusal
        await super().propose(move)
        table, events = apply(self.scene.table, move)
        left = [held for held in self.scene.hand.tiles if held[0] in table.hands[move.seat]]
        hand = structs.replace(self.scene.hand, tiles=tuple(left))
        mine = table.to_move == move.seat
        self.scene = replace(self.scene, table=table, hand=hand, can_move=mine)
        self.tell(notices.Played(move.seat, events), *([notices.YourTurn()] if mine else []))
        return Granted()

    def view(self) -> TableView:
        """Return the view of the table; its step is the number of moves made so far."""
        return replace(super().view(), step=len(self.asked))


async def played_at(scene, *lines: str) -> tuple[list[object], FakeFront]:
    """Type these lines at this scene; return the moves that they made, and the front."""
    node, front = Table(scene), FakeFront(*lines)
    await sit(node, front, sitting_with())
    return [move for _, move in node.asked], front


def test_an_opening_goes_on_behind_several_tiles_of_one_line(tmp_path):
    """In an opening with a whole train, several tiles on one line do not end the turn.

    Further tiles may follow until `done` is typed.
    """
    text = "9-2\n2-5 5-4\n4-4 4-0\n0-3\ndone\nquit\n"
    done = boneyard(*GAME, "--rules=masters-of-games", "--plain", data=tmp_path, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    own = [line for line in told if line.startswith("You played ") and "engine" not in line]
    tiles = ("9-2", "2-5", "5-4", "4=4", "4-0", "0-3")
    assert own == [f"You played {tile} on your own train." for tile in tiles]
    between = told[told.index(own[0]) : told.index(own[-1])]
    assert not [line for line in between if "Ada" in line and not line.startswith("Ends: ")]
    assert sum("Your train goes on: play the next tile" in line for line in told) >= 3


def test_a_script_is_read_when_the_tiles_are_dealt(tmp_path):
    """A script is read only after the deal, so its lines are answered as in a game."""
    done = boneyard(*GAME, "--plain", data=tmp_path, text="plan 9-x\nnonsense\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game has not begun yet." not in done.stdout
    assert "Type plan, plan none, or tiles: plan 9-7 7-5 5-5." in done.stdout


def test_who_gives_a_game_up_reads_that_and_not_that_the_bots_leave(tmp_path):
    """A player who leaves a practice game for good reads that they have given the game up.

    A game from a seed is listed as one that cannot be resumed.
    """
    done = boneyard(*GAME, "--plain", data=tmp_path, text="9-7\nleave\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "You have given this game up."
    assert "for good" not in done.stdout
    assert "a game from a seed is not resumed" in done.stdout
    listed = boneyard("games", data=tmp_path).stdout
    assert "with Ada: from a seed, not finished, so it is not resumed" in listed


def opening(tiles: int):
    """Return a scene at the opening and the longest train there, of at least `tiles` tiles."""
    return next(
        (scene, train)
        for scene in scenes_of("walnut", 20, 20)
        if lays(scene) and scene.table.opening and (train := longest_plan(scene))
        if len(train.pairs) >= tiles
    )


async def test_a_train_behind_which_something_fits_is_played_tile_by_tile():
    """The tiles on a line are played one by one, and the turn stays open if more could follow.

    Further tiles can then be played, and `done` ends the turn.
    """
    scene, train = opening(4)
    moves, _ = await played_at(scene, tiles_text(train.pairs[:2]), tiles_text(train.pairs[2:3]))
    assert [move.tile for move in moves if isinstance(move, LayTile)] == list(train.tiles[:3])
    moves, _ = await played_at(scene, tiles_text(train.pairs[:2]), "done")
    assert isinstance(moves[-1], Done)


async def test_enter_plays_a_planned_opening_and_leaves_it_open():
    """Enter plays all tiles of a planned opening and empties the plan; the turn goes on."""
    scene, train = opening(4)
    moves, front = await played_at(scene, f"plan {tiles_text(train.pairs[:2])}", "", "plan none")
    assert [move.tile for move in moves] == list(train.tiles[:2])
    assert "You had no plan." in front.said


async def test_of_a_train_with_a_double_the_turn_takes_the_double_and_its_cover():
    """If a line begins with a double, the turn takes the double and its cover.

    The rest of the line becomes the plan.
    """
    for scene in scenes_of("standard", 40, 40):
        train = longest_plan(scene)
        if train is None or len(train.pairs) < 3 or not train.tiles[0].is_double:
            continue
        if not any(lay.tile == train.tiles[0] and lay.train == scene.seat for lay in lays(scene)):
            continue
        moves, front = await played_at(scene, tiles_text(train.pairs))
        assert [move.tile for move in moves if not isinstance(move, Pass)] == list(train.tiles[:2])
        said = f"This turn takes {tiles_text(train.pairs[:2])}; the rest is your plan."
        assert any(each.startswith(said) for each in front.said)
        return
    raise AssertionError("no such hand")


async def test_tiles_behind_one_that_could_not_be_played_are_not_played_later():
    """If the first tile of a line is not played, the rest of the line is dropped.

    The first tile may then be typed again.
    """
    scene, train = opening(4)
    node = FakeNode(scene)
    await sit(
        node, FakeFront(tiles_text(train.pairs[:3]), tile_text(train.tiles[0])), sitting_with()
    )
    assert [move.tile for _, move in node.asked] == [train.tiles[0]] * 2


class SlowTable(Table):
    """A table whose log receives each move only `seconds` after it was made."""

    def __init__(self, scene, seconds: float) -> None:
        super().__init__(scene)
        self.seconds, self.logged, self.changed = seconds, 0, trio.Event()
        self.tell(notices.YourTurn())

    def when_changed(self) -> trio.Event:
        """Return the event that is set at the next change."""
        return self.changed

    async def propose(self, move):
        """Make the move, and let the log receive it `seconds` later; return the answer."""
        if (answer := await super().propose(move)) == Granted():
            trio.lowlevel.spawn_system_task(self._log)
        return answer

    async def _log(self) -> None:
        await trio.sleep(self.seconds)
        self.logged += 1
        changed, self.changed = self.changed, trio.Event()
        changed.set()

    async def farewell(self) -> None:
        """Do nothing, so that leaving for good is not counted as a move."""

    def view(self) -> TableView:
        """Return a view in which the player cannot move until the log has every move so far."""
        view, is_settled = super().view(), self.logged == len(self.asked)
        return replace(view, step=self.logged, can_move=view.can_move and is_settled)


async def piped(scene, seconds: float, *lines: str):
    """Type these lines without pauses, as a script does; return the node and the seconds taken."""
    node, front, left = SlowTable(scene, seconds), FakeFront(), [*lines]

    async def next_line() -> str | None:
        return left.pop(0) if left else None

    front.asks_back, front.next_line = False, next_line
    began = trio.current_time()
    await sit(node, front, sitting_with())
    return node, trio.current_time() - began


@pytest.mark.parametrize(("seconds", "logged"), [(0.0, 1), (4.0, 1), (3600.0, 0)])
@pytest.mark.parametrize("word", ["quit", "leave"])
async def test_a_scripts_quit_waits_for_the_move_before_it(word, seconds, logged, autojump_clock):
    """A script's `quit` or `leave` waits until the log has the move before it.

    If the log does not get the move, the wait ends in less than 30 seconds.
    """
    scene = next(each for each in scenes_of("standard", 40, 40) if len(lays(each)) == 1)
    node, took_s = await piped(scene, seconds, tile_text(lays(scene)[0].tile), word)
    assert [kind for kind, _ in node.asked][:1] == ["propose"]
    assert node.logged == logged
    assert took_s < 30


async def test_a_scripts_quit_waits_for_nothing_after_a_refusal(autojump_clock):
    """A script's `quit` does not wait if the move before it was refused."""
    node, took_s = await piped(with_plays(1), 4.0, "pass", "quit")
    assert (node.asked, took_s < 2) == ([], True)


@pytest.mark.parametrize("how", ["--plain", "--json"])
def test_each_tile_of_an_opening_that_all_lay_at_once_is_told_as_a_turn(tmp_path, how):
    """In a simultaneous opening, the player reads after each tile what they can play next.

    They read it before any of these tiles is in the log.
    """
    rules = ("--set=6", "--rounds=1", "--bots=1", "--seed=124", "--with=opening=simultaneous")
    done = boneyard("play", "--name=Root", *rules, how, data=tmp_path, text="6-4\n4-0\n")
    assert (done.returncode, done.stderr) == (0, "")
    begun = done.stdout.partition("Ada played")[0]
    wanted = {"--plain": "You can play: ", "--json": '"type": "turn"'}[how]
    turns = [line for line in begun.splitlines() if wanted in line]
    assert [first in turn for first, turn in zip(("6-4", "4-0"), turns, strict=True)] == [True] * 2
    assert "6-4 Root" not in turns[1]
