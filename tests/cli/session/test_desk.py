"""A player's desk: kept plans, the numbers that were shown, and the order of the hand."""

from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
import trio.testing
from msgspec import structs

from cli.input.chains import PlayChain
from cli.input.plan import Plan, is_opening, longest_plan, next_lay, next_step, plan_of, tiles_text
from cli.render.layout import AS_DEALT, HandLayout, HandOrder
from cli.render.palette import Span
from cli.scene import Scene, choices, lays, legal, scene_of, tile_text
from cli.screens.plain import table_sentences
from cli.session.desk import Desk
from cli.session.frontend import REDRAW, TableShown
from cli.session.kept_desk import kept_desk
from cli.session.loop import sit
from cli.session.session import Session
from cli.session.verbs.reading import parse
from cli.wording.moves import move_text
from cli.wording.since import Since, since_last_turn
from engine.play.apply import apply
from engine.table.moves import DrawTile
from engine.table.table import Ending, Outcome, PlayOver
from engine.table.trains import Seat
from engine.tiles import make_tile
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from tests.cli.fakes import FakeFront, FakeNode, played, sitting_with
from tests.cli.scenes import check_screen, history_of, scene_after, some_scenes, walk
from tests.engine.deals import spec_of

SCENE = scene_after(12, 4, 0)
"""The player's first turn. `PLAN` is the longest train in the hand."""

PLAN = longest_plan(SCENE)
assert PLAN is not None
PLANNED = tiles_text(PLAN.pairs)
WAITING = replace(SCENE, can_move=False, table=structs.replace(SCENE.table, to_move=Seat(2)))


async def sat(scene, *lines: str, folder: Path | None = None, returns=False, **screen):
    """Type these lines at a screen with these attributes; return the node and the screen."""
    node, front = FakeNode(scene), FakeFront(*lines)
    node.folder = folder and SimpleNamespace(path=folder)
    for name, fact in screen.items():
        setattr(front, name, fact)
    await sit(node, front, sitting_with(returns=returns))
    return node, front


async def test_of_a_line_of_tiles_the_first_is_played_and_the_rest_is_a_plan():
    """Of a typed line of tiles, the first is played and the rest becomes the plan.

    This is so under rules that allow one tile a turn.
    """
    node, front = await sat(SCENE, PLANNED)
    ((asked, move),) = node.asked
    assert (asked, move.tile) == ("propose", PLAN.tiles[0])
    assert any("the rest is your plan" in said for said in front.said)


async def test_out_of_turn_the_whole_line_is_a_plan():
    """A line of tiles typed out of turn becomes a plan, and a longer line extends that plan."""
    first = tiles_text(PLAN.pairs[:2])
    node, front = await sat(WAITING, first, first, PLANNED, "plan", "plan none", "plan none")
    assert node.asked == []
    assert sum(f"{PLANNED} is your plan: " in each for each in front.said) == 1
    assert not any("in place of" in each for each in front.said)
    assert any("Not your turn yet" in said for said in front.said)
    assert any(said.startswith("Your plan: ") for said in front.said)
    assert [said for said in front.said if "no plan" in said] == [
        "You have no plan now.",
        "You had no plan.",
    ]


async def test_a_line_of_tiles_that_cannot_be_played_leaves_the_plan_as_it_is():
    """A line of tiles that cannot be played now leaves the plan as it is.

    The answer says why it cannot be played, and what to type to plan it for a later turn.
    """
    scene, owner, barred = next(
        (scene, name, barred)
        for scene in some_scenes()
        for name in scene.names
        for pair in permutations([tile for _, tile in scene.hand.tiles], 2)
        if isinstance(barred := plan_of(PlayChain(pair, name), scene), Plan)
        if next_lay(barred, scene) is None and longest_plan(scene) and not scene.table.owed
    )
    line = f"{tiles_text(barred.pairs)} {owner}"
    node, front = await sat(scene, "plan", line, "plan")
    assert node.asked == []
    kept = next(said for said in front.said if said.startswith("Your plan: "))
    assert front.said.count(kept) == 2
    refused, how = front.said[front.said.index(kept) + 1 :][:2]
    why = "train is private: only its owner plays there until a marker opens it. "
    assert refused.startswith(f"{owner}'s {why}")
    assert how == f"To keep it for a later turn, type: plan {line}"


async def test_enter_plays_the_plan_and_else_shows_everything_again():
    """An empty line plays the plan, or shows the table again if there is none.

    The key that redraws plays nothing.
    """
    node, _ = await sat(SCENE, "plan", REDRAW, "")
    assert [move.tile for _, move in node.asked] == [PLAN.tiles[0]]
    node, front = await sat(SCENE, "", REDRAW)
    assert node.asked == []
    assert len(front.shown) == 2


class Prompt(FakeFront):
    """A fake screen that records each change of what the prompt offers."""

    def scene_is(self, place, status, beside):
        """Record the offer, and whether there are notes above the hand, if either has changed."""
        super().scene_is(place, status)
        offered = beside.suggestion.told, beside.notes != ()
        if self.__dict__.setdefault("offers", [])[-1:] != [offered]:
            self.offers.append(offered)


async def test_enter_at_the_question_whether_to_leave_stays_and_plays_nothing():
    """At the question about leaving, Enter means no and plays nothing.

    Neither the prompt nor the notes offer the plan until the question is answered.
    """
    node, front = FakeNode(SCENE), Prompt("plan", "quit", "", "")
    await sit(node, front, sitting_with())
    assert "You stay." in front.said
    assert [move.tile for _, move in node.asked] == [PLAN.tiles[0]]
    planned, stays = (f"(Enter) {next_step(PLAN, SCENE)}", True), ("(Enter) no", False)
    first = front.offers.index(stays)
    assert front.offers[first - 1 : first + 2] == [planned, stays, planned]


async def test_enter_in_vain_says_once_a_turn_what_to_type():
    """On a screen that keeps the board in sight, Enter with nothing to play says what to type.

    It says so once a turn.
    """
    plays, offers = "type the number of a play", "Press Tab to write the train"
    unplanned = next(
        scene for scene in some_scenes() if choices(scene) and longest_plan(scene) is None
    )
    for (scene, text), keeps in product(((SCENE, offers), (unplanned, plays)), (True, False)):
        node, front = await sat(scene, "", "", "who", "", keeps_board=keeps)
        assert node.asked == []
        assert sum(text in said for said in front.said) == keeps


@pytest.mark.parametrize("seen", [True, False])
async def test_enter_confirms_a_train_that_was_in_doubt(seen):
    """If it is in doubt which train is meant, the program asks, and Enter plays on its suggestion.

    Enter plays nothing if the question was not seen yet, or if another line was typed since.
    """
    scene = replace(scene_after(12, 4, 43), names=("Ann", "Anna", "Annabel", "Cy"))
    move = next(move for move in lays(scene) if sum(m.tile == move.tile for m in lays(scene)) == 1)
    line = f"{move.tile.high}-{move.tile.low} {scene.names[move.train][:2]}"
    for lines, asked in ((("",), [("propose", move)]), (("who", ""), [])):
        node, front = await sat(scene, line, *lines, seen=choices(scene) if seen else ())
        assert node.asked == (asked if seen else [])
        assert any("could be Ann or Anna or Annabel" in said for said in front.said)


async def test_a_no_drops_the_train_that_was_in_doubt():
    """A no to the question about which train is meant plays nothing; Esc answers no.

    Without such a question, `no` has no meaning.
    """
    scene = replace(scene_after(12, 4, 43), names=("Ann", "Anna", "Annabel", "Cy"))
    move = next(move for move in lays(scene) if sum(m.tile == move.tile for m in lays(scene)) == 1)
    line = f"{move.tile.high}-{move.tile.low} {scene.names[move.train][:2]}"
    for no in ("n", "NO"):
        node, front = await sat(scene, line, no, "", seen=choices(scene))
        assert node.asked == []
        assert "Nothing is played." in front.said
    desk = Desk(FakeNode(scene), FakeFront())
    assert (desk.beside(scene).back, desk.declines("n")) == ("", False)
    desk.offered = (desk.node.view().step, move)
    assert desk.beside(scene).back == "n"
    _, front = await sat(scene, "no", seen=choices(scene))
    assert "Nothing is played." not in front.said


@pytest.mark.parametrize("seen", [True, False])
async def test_a_number_picks_only_from_a_list_that_was_on_the_screen(seen):
    """Numbers and Enter typed before the list was shown play nothing."""
    node, front = await sat(SCENE, "1", "plan", "", seen=choices(SCENE) if seen else ())
    assert len(node.asked) == (2 if seen else 0)
    assert any("is new since you typed 1" in said for said in front.said) != seen


@pytest.mark.parametrize("has_keys", [True, False])
async def test_enter_plays_the_only_legal_move_where_the_prompt_names_it(has_keys):
    """Enter plays the only move if the prompt names it, which it does not for a script."""
    scene = next(s for s in walk(spec_of(12, 4), b"screen", 40) if s.table.turns and only_lay(s))
    (move,) = lays(scene)
    node, front = await sat(scene, "", has_keys=has_keys, seen=choices(scene))
    assert (Desk(node, front).suggestion(scene) == (move_text(scene, move), True)) == has_keys
    assert node.asked == ([("propose", move)] if has_keys else [])


async def test_enter_plays_the_only_legal_move_also_while_a_plan_waits():
    """Enter plays the only legal move even if that move is not part of the plan."""
    scene, plan = next(
        (scene, plan)
        for scene in walk(spec_of(12, 4), b"b", 40)
        if only_lay(scene) and (plan := longest_plan(scene)) and not next_step(plan, scene)
    )
    line = f"plan {tiles_text(plan.pairs)}"
    node, _ = await sat(scene, line, "", has_keys=True, seen=choices(scene))
    assert node.asked == [("propose", lays(scene)[0])]


def only_lay(scene) -> bool:
    """Return True if exactly one move is legal, and it is a play."""
    return legal(scene) == lays(scene) and len(lays(scene)) == 1


@pytest.mark.parametrize("seed", [b"screen", b"e"])
def test_where_there_is_no_plan_the_train_is_offered_again(seed):
    """A turn with a choice offers the longest train, unless its first tile cannot be played now.

    A double elsewhere may have to be covered first.
    """
    offers = set()
    for scene in walk(spec_of(12, 4), seed, 60):
        train = longest_plan(scene)
        if is_opening(scene) or train is None or len(train.pairs) < 2 or len(lays(scene)) < 2:
            continue
        can = next_lay(train, scene) is not None
        offered = Desk(FakeNode(scene), FakeFront()).suggestion(scene)
        assert offered == ((tiles_text(train.pairs), False) if can else None)
        offers.add(can)
    assert offers >= ({False} if seed == b"e" else {True})


async def test_a_plan_outlives_the_program(tmp_path):
    """The plan is kept in a file beside the game, and loses tiles that were played meanwhile.

    An impossible plan in that file counts as none.
    """
    move = next(each for each in lays(SCENE) if each.tile == PLAN.tiles[0])
    table, _ = apply(SCENE.table, move)
    hand = structs.replace(SCENE.hand, tiles=[t for t in SCENE.hand.tiles if t[1] != move.tile])
    later = replace(SCENE, table=table, hand=hand, can_move=False)
    await sat(SCENE, f"plan {tiles_text(PLAN.pairs[:3])}", folder=tmp_path)
    back = {"folder": tmp_path, "returns": True}
    for scene, left in ((SCENE, PLAN.pairs[:3]), (later, PLAN.pairs[1:3])):
        _, front = await sat(scene, "plan", **back)
        assert any(f"Your plan: {tiles_text(left)}. " in said for said in front.said)
    await sat(SCENE, "plan none", **back)
    kept = tmp_path / "desk.json"
    assert b'"plan":[]' in kept.read_bytes()
    for train, pairs in (
        (0, "[]"),
        (0, "[[99,98]]"),
        (7, "[[1,2]]"),
        (-9, "[[1,2]]"),
        (0, "[[1]]"),
    ):
        kept.write_text(f'{{"round":0,"train":{train},"plan":{pairs}}}')
        _, front = await sat(SCENE, "plan none", **back)
        assert "You had no plan." in front.said, (train, pairs)


async def test_a_hand_lies_as_it_was_put_when_the_program_comes_back(tmp_path):
    """The order of a hand is kept when the program ends, but groups only for the same hand.

    A damaged file counts as none.
    """
    held = tiles_text(PLAN.pairs[:2])
    back = {"folder": tmp_path, "returns": True}
    anew = replace(SCENE, table=structs.replace(SCENE.table, round_number=1))
    grouped, train = HandLayout(HandOrder.GROUPS, (PLAN.pairs[:2],)), HandLayout(HandOrder.TRAIN)
    for line, then, there in (
        ("hand train", SCENE, train),
        ("plan", SCENE, train),
        ("plan none", anew, train),
        (f"hand {held}", SCENE, grouped),
        ("hand", anew, AS_DEALT),
        (None, SCENE, AS_DEALT),
    ):
        if line is None:
            (tmp_path / "desk.json").write_bytes(b"{")
        else:
            await sat(SCENE, line, **back)
        _, front = await sat(then, REDRAW, **back)
        (shown,) = {each.picture.layout for each in front.shown}
        assert structs.replace(shown, new=frozenset()) == there, line


async def test_of_two_plans_in_one_moment_the_newer_is_kept(tmp_path):
    """The newer plan is kept even if a slow disk is still writing the older one."""

    class SlowDisk(FakeNode):
        """A node whose first write waits until the disk is ready."""

        begun = 0
        ready = trio.Event()

        async def on_disk(self, work, _otherwise):
            self.begun += 1
            if self.begun == 1:
                await self.ready.wait()
            return work()

    node = SlowDisk(SCENE)
    node.folder = SimpleNamespace(path=tmp_path)
    desk = Desk(node, FakeFront())
    async with trio.open_nursery() as nursery:
        for each in (Plan(PLAN.train, PLAN.pairs[:1]), PLAN):
            desk.plan = each
            nursery.start_soon(desk.keep)
            await trio.testing.wait_all_tasks_blocked()
        node.ready.set()
    assert kept_desk(tmp_path, SCENE) == (PLAN, None)


async def test_a_plan_that_does_not_hold_any_more_is_dropped_with_one_sentence():
    """A plan that does not fit any more is dropped when the turn begins, with one sentence."""
    front = FakeFront()
    desk = Desk(FakeNode(SCENE), front)
    desk.plan = Plan(PLAN.train, PLAN.pairs[:2])
    for _ in range(2):
        desk.follow(scene_after(12, 4, 43), notices.YourTurn())
    assert desk.plan is None
    assert len([said for said in front.said if "is dropped" in said]) == 1


async def test_of_a_plan_the_rest_is_kept_when_a_tile_of_it_is_played_elsewhere():
    """If a planned tile has left the hand, the plan keeps only the tiles before it.

    One sentence says so, and Enter still plays the rest of the plan.
    """
    front = FakeFront()
    desk = Desk(FakeNode(SCENE), front)
    desk.plan = Plan(PLAN.train, PLAN.pairs[:4])
    lost = make_tile(*PLAN.pairs[2])
    held = tuple(each for each in SCENE.hand.tiles if each[1] != lost)
    for _ in range(2):
        scene = replace(SCENE, hand=type(SCENE.hand)(SCENE.hand.seat, held))
        desk.follow(scene, notices.YourTurn())
    assert desk.plan == Plan(PLAN.train, PLAN.pairs[:2])
    (told,) = front.said
    kept, rest = tiles_text(PLAN.pairs[:2]), tiles_text(PLAN.pairs[2:4])
    assert told.startswith(f"Your plan is {kept} now, without {rest}: you no longer have ")
    assert next_step(desk.plan, SCENE) != ""


@pytest.mark.parametrize("gone", ["round over", "next round", "gone on without"])
async def test_nothing_is_said_of_a_plan_that_ends_with_its_round_or_its_seat(gone):
    """A plan that ends with its round or its seat is dropped without a sentence."""
    table = SCENE.table
    after = {
        "round over": replace(
            SCENE, hand=None, table=structs.replace(table, now=PlayOver(Outcome(Ending.OUT, 2)))
        ),
        "next round": replace(
            scene_after(12, 4, 43),
            table=structs.replace(table, round_number=table.round_number + 1),
        ),
        "gone on without": replace(SCENE, hand=None, sits=False),
    }[gone]
    front = FakeFront()
    desk = Desk(FakeNode(SCENE), front)
    desk.plan = PLAN
    desk.follow(after, notices.YourTurn())
    assert desk.plan is None
    assert front.said == []


async def test_a_hand_lies_as_it_was_put():
    """A chosen order also sorts later hands, but an arrangement by hand ends with its round.

    A tile that is not held cannot be placed.
    """
    one, two, three, *_ = (tile_text(tile) for _, tile in SCENE.hand.tiles)
    own, train = (
        f"hand {one} > {two} | {three}",
        ("Your hand is sorted with its longest train first."),
    )
    front = FakeFront()
    session = Session(FakeNode(SCENE), front, sitting_with(), None)
    for line, said, order in (
        (own, "Your hand stays as you arranged it.", HandOrder.NUMBER),
        ("hand 0-0", "You don't have 0=0.", HandOrder.NUMBER),
        ("hand value", "Your hand is sorted heaviest first.", HandOrder.VALUE),
        ("hand sort", train, HandOrder.TRAIN),
        ("hand train", train, HandOrder.TRAIN),
    ):
        await parse(line).do(session)
        assert said in front.said
        front.said.clear()
        session.desk.follow(SCENE, notices.Dealt(1))
        assert session.desk.layout.order is order, "what was put by hand is gone with the hand"


async def test_a_new_hand_is_shown_before_others_move():
    """After a deal the table is shown even if another seat begins."""
    _, front = await played(WAITING, told=[notices.Dealt(0)])
    (shown,) = front.shown
    assert isinstance(shown, TableShown)
    assert "type plan to keep it" in shown.picture.notes[0]


def test_plain_mode_says_ends_and_hand_at_each_turn():
    """In plain mode each turn tells the ends and the hand in sentences."""
    scene = scene_after(12, 4, 43)
    shown = Desk(FakeNode(scene), FakeFront()).picture(FakeNode(scene).view(), scene)
    lines = [(Span(sentence),) for sentence in table_sentences(scene, shown)]
    check_screen("turn-plain", lines)


def test_the_digest_tells_what_others_did_since_ones_last_turn():
    """The digest lists, in order, what others did since the player's last turn.

    The player's own moves in a turn that still goes on do not count.
    """
    history = history_of([*walk(spec_of(9, 3), b"digest", 30)])
    seat = history[-1][0].to_move
    upto = max(at for at, (table, move) in enumerate(history) if move.seat != seat) + 1
    begun = max(at for at, (_, move) in enumerate(history[:upto]) if move.seat == seat) + 1
    since = since_last_turn(history[:upto], history[upto][0], seat, in_turn=True)
    assert since.moves == tuple(move for _, move in history[begun:upto])
    assert since.had_turn
    assert since_last_turn((), history[0][0], seat, in_turn=True) == Since()
    own = history[:begun]
    table = history[begun][0]
    assert not since_last_turn(own, table, seat, in_turn=False).moves
    assert since_last_turn(own, table, seat, in_turn=True).moves


@pytest.mark.parametrize("own", OwnPlace)
def test_whoever_was_gone_on_without_has_no_turn_since_which_others_play(own):
    """Only a player with a seat has a digest of what others did since their last turn."""
    history = history_of([*walk(spec_of(9, 3), b"digest", 30)])
    table, move = history[-1]
    scene = Scene(table, None, ("Ana", "Ben", "Cy"), move.seat, can_move=False)
    node = FakeNode(scene, history=history[:-1], own=own)
    view = node.view()
    since = Desk(node, FakeFront()).picture(view, scene_of(view)).since
    assert (since == Since()) == (own is not OwnPlace.SEAT)


def test_what_was_drawn_in_this_turn_is_new_and_what_was_held_before_is_not():
    """The digest lists all tiles drawn in this turn, and no tile that has left the hand."""
    history = history_of([*walk(spec_of(9, 3), b"digest", 60)])
    drew = [at for at, (_, move) in enumerate(history[:-1]) if isinstance(move, DrawTile)]
    assert drew
    for at in drew:
        (before, move), after = history[at], history[at + 1][0]
        came = frozenset(after.hands[move.seat]) - frozenset(before.hands[move.seat])
        for in_turn in (True, False):
            since = since_last_turn(history[: at + 1], after, move.seat, in_turn=in_turn)
            assert came <= since.drawn
            assert since.drawn <= frozenset(after.hands[move.seat])
