"""Plans: tiles for one train, kept over turns while they still fit."""

from dataclasses import replace

from cli.input import plan as plans
from cli.input.chains import PlayChain
from cli.input.plan import Plan
from cli.input.resolution import NotFound, NotLegal, resolve
from cli.scene import lays, own_train, train_name
from cli.session.verbs.reading import parse
from engine.play.apply import apply
from engine.refusals import RefusalCode
from engine.table.table import joining_halves
from engine.tiles import make_tile
from tests.cli.scenes import scene_after, scenes_of, walk
from tests.engine.deals import spec_of

NAMES_ALIKE = ("Ana", "Ben", "Ann", "Cy")


def longest(scene) -> Plan:
    """Return the longest train in the hand, as a plan."""
    found = plans.longest_plan(scene)
    assert found is not None
    return found


def test_the_longest_train_joins_from_end_to_end_and_can_be_typed():
    """The tiles of the suggested plan join one another, and typing them gives the same plan."""
    scene = scene_after(12, 4, 0)
    plan = longest(scene)
    assert len(plan.pairs) > 5
    assert [pair[0] for pair in plan.pairs[1:]] == [pair[1] for pair in plan.pairs[:-1]]
    chain = parse(plans.tiles_text(plan.pairs))
    assert isinstance(chain, PlayChain)
    assert plans.plan_of(chain, scene) == plan


def test_a_plan_goes_on_with_what_lies_on_its_train():
    """A plan's first tile leaves the plan once it is played, and the rest still fits the train."""
    scene = scene_after(12, 4, 0)
    plan = longest(scene)
    lay = plans.next_lay(plan, scene)
    assert lay is not None
    assert plans.next_step(plan, scene) == f"{plans.tiles_text(plan.pairs[:1])} Ana"
    table, _ = apply(scene.table, lay)
    hand = replace_hand(scene, lay.position)
    after = replace(scene, table=table, hand=hand)
    left = plans.without_played(plan, after)
    assert left.pairs == plan.pairs[1:]
    assert plans.part_that_holds(left, after) == left
    assert plans.next_step(left, after) == ""


def replace_hand(scene, position):
    """Return the hand without the tile at this position."""
    tiles = tuple(each for each in scene.hand.tiles if each[0] != position)
    return type(scene.hand)(scene.hand.seat, tiles)


def without(scene, pair):
    """Return the scene without this tile in the hand."""
    at = next(at for at, tile in scene.hand.tiles if tile == make_tile(*pair))
    return replace(scene, hand=replace_hand(scene, at))


def test_of_a_plan_the_longest_part_is_kept_that_still_holds():
    """If a tile of the plan is lost, the longest part that can begin at the open 12 is kept."""
    scene = scene_after(12, 4, 0)
    plan = longest(scene)
    for number, pair in enumerate(plan.pairs):
        fewer = without(scene, pair)
        starts = [at for at, each in enumerate(plan.pairs) if each[0] == 12 and at > number]
        parts = [plan.pairs[:number], *(plan.pairs[at:] for at in starts)]
        assert plans.part_that_holds(plan, fewer).pairs == max(parts, key=len)
        assert plans.why_not_whole(plan, fewer).startswith("you no longer have ")


def test_of_a_plan_the_part_is_kept_that_begins_at_the_end_somebody_has_left():
    """The part of a plan that begins at an open end is kept.

    Nothing is kept if no part begins there, or if the hand is unknown.
    """
    scene = scene_after(12, 4, 0)
    first, second, third, *_ = longest(scene).pairs
    kept = Plan(longest(scene).train, (first, second, third))
    late = Plan(kept.train, (second, third))
    assert plans.part_that_holds(Plan(kept.train, (third, *kept.pairs)), scene) == kept
    assert plans.part_that_holds(late, scene).pairs == ()
    assert "does not fit there any more" in plans.why_not_whole(late, scene)
    assert plans.part_that_holds(kept, replace(scene, hand=None)).pairs == ()


def test_what_is_no_plan_says_why():
    """A plan is refused for a tile that is not held or is repeated, and for tiles that do not join.

    It is also refused for a train that is unknown or ambiguous.
    """
    scene = scene_after(12, 4, 0)
    first, second, third = longest(scene).pairs[:3]
    for tiles, train, said in (
        (((0, 0), first), None, "You don't have 0=0."),
        ((first, first), None, "only once"),
        ((first, third), None, "does not join the"),
        ((second, third), None, "fits no end that you could play on now."),
        ((second, third), "Ana", "does not join a 12"),
        ((first, second), "zoe", "There is no train zoe"),
        ((first, second), "a", "a could be Ana or Ann."),
    ):
        found = plans.plan_of(PlayChain(tiles, train), replace(scene, names=NAMES_ALIKE))
        assert isinstance(found, NotFound)
        assert said in found.hint


def test_before_the_engine_lies_there_a_plan_has_nothing_to_begin_at():
    """If there is no engine yet, a plan is refused for that reason."""
    scene = next(each for each in scenes_of("roundhouse", 1) if each.table.hub is None)
    found = plans.plan_of(PlayChain((tuple(scene.hand.tiles[0][1]),), None), scene)
    assert isinstance(found, NotFound)
    assert "no engine yet" in found.hint


def test_where_an_opening_is_one_move_the_whole_plan_is():
    """Where an opening is one move, a plan's next step may be a line of several tiles.

    If that line is typed, its tiles and its train are found.
    """
    found = 0
    for scene in scenes_of("standard", 40, 6, deal="9", opening="whole-train"):
        plan = plans.longest_plan(scene)
        if plan is None or len(plan.pairs) < 2 or not plans.is_opening(scene):
            continue
        step = plans.next_step(plan, scene)
        if step.count("-") + step.count("=") > 1:
            found += 1
            assert not isinstance(resolve(parse(step), scene), NotFound)
    assert found


def test_no_line_is_offered_if_a_forbidden_double_is_all_the_plan():
    """If the plan is a single double that may not end an opening, `longest_line` returns None."""
    double = {"opening": "whole-train", "opening_double": "refused"}
    lines = [
        plans.longest_line(scene)
        for scene in scenes_of("standard", 6, 60, deal="3", **double)
        if (plan := plans.longest_plan(scene)) is not None
        and len(plan.tiles) == 1
        and plan.tiles[0].is_double
    ]
    assert None in lines
    assert all(line is None or line.pairs for line in lines)


def test_a_tile_that_fits_nowhere_is_told_so_and_not_that_trains_are_private():
    """A tile that fits no end is refused for that reason, not because a train is private."""
    told = 0
    for number in range(12):
        for scene in walk(spec_of(9, 4), bytes([number]), 60):
            if scene.table.owed:
                continue
            fitting = {move.tile for move in lays(scene)}
            for _, tile in scene.hand.tiles:
                if tile in fitting or joins_somewhere(scene, tile):
                    continue
                for train in ("", *(f" {train_name(scene, t.id)}" for t in scene.table.trains)):
                    found = resolve(parse(f"{tile.high}-{tile.low}{train}"), scene)
                    assert isinstance(found, NotLegal)
                    assert found.refusal.code in (
                        RefusalCode.END_MISMATCH,
                        RefusalCode.NO_SUCH_TRAIN,
                    )
                    told += 1
    assert told > 20
    assert own_train(scene) is not None


def joins_somewhere(scene, tile) -> bool:
    """Return True if some end would take the tile if it were open."""
    ends = [end.pip for train in scene.table.trains for end in train.ends]
    return any(joining_halves(scene.table.rules, make_tile(*tile), pip) for pip in ends)
