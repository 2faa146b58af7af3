"""A plan: tiles meant for one train, one after another, over this turn and later ones.

A plan is kept while all its tiles are in hand and the first one joins the train. If another rule
forbids the play, the plan waits.
"""

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from msgspec import Struct

from cli.input.chains import PlayChain, tiles_amiss
from cli.input.resolution import (
    NOWHERE,
    NotFound,
    NotLegal,
    TileByTile,
    could_be_text,
    find_trains,
    no_train_text,
    position_of,
    unclear_train,
)
from cli.input.single_tiles import single_tiles
from cli.language import either, say
from cli.scene import Scene, lays, own_train, place_text, tile_text, train_name
from engine.longest_train import joints, longest_train
from engine.play.reach import played_trains
from engine.refusals import RefusalReason
from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import RoundPhase, joining_halves
from engine.table.trains import TrainId
from engine.tiles import Tile, make_tile


class Plan(Struct, frozen=True):
    """Tiles in the order in which they go on `train`, each with its joining half first."""

    train: TrainId
    pairs: tuple[tuple[int, int], ...]

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles themselves, in order."""
        return tuple(make_tile(*pair) for pair in self.pairs)

    def begins_with(self, other: "Plan") -> bool:
        """Return True if `other` is this plan, or its first tiles."""
        return self.train == other.train and self.pairs[: len(other.pairs)] == other.pairs


def plan_text(scene: Scene, plan: Plan) -> str:
    """Return a plan as it could be typed: its tiles, and its train unless it is `own_train`."""
    own = plan.train == own_train(scene)
    return tiles_text(plan.pairs) + ("" if own else f" {train_name(scene, plan.train)}")


def tiles_text(pairs: Sequence[tuple[int, int]]) -> str:
    """Return tiles as text, the joining half first, separated by spaces; empty for none."""
    return " ".join(tile_text(make_tile(*pair), pair[0]) for pair in pairs)


def plan_of(intent: PlayChain, scene: Scene) -> Plan | NotFound:
    """Return a plan of the typed tiles, or why they make none; nothing is stored.

    The tiles must be in hand, and must join one another from an end of the train. If no train is
    named, it is the player's own, or else the only other open train that they can join. They need
    not be playable now. The intent must have tiles.
    """
    trains = _unnamed(scene) if intent.train is None else find_trains(scene, intent.train)
    if intent.train is not None and not trains:
        return NotFound(no_train_text(scene, intent.train))
    if intent.train is not None and (names := unclear_train(scene, intent.train)):
        return NotFound(could_be_text(intent.train, names))
    tiles = [make_tile(*pair) for pair in intent.tiles]
    if (amiss := tiles_amiss(tiles, scene)) is not None:
        return amiss
    if missing := [tile for tile in tiles if not holds(scene, tile)]:
        return NotFound(say("You don't have {tile}.", tile=tile_text(missing[0])))
    joined = [
        (train, end.pip, _chained(scene, intent.tiles, end.pip))
        for train in trains
        for end in scene.table.train(train).ends
    ]
    if not joined:
        return NotFound(say("There is no engine yet to begin a plan at."))
    whole = [Plan(train, pairs) for train, _, pairs in joined if len(pairs) == len(tiles)]
    if own := [plan for plan in whole if plan.train == trains[0]] or whole[:1]:
        others = {plan.train: plan for plan in whole}
        if own[0].train == trains[0] or len(others) == 1:
            return own[0]
        return _several([plan_text(scene, plan) for plan in others.values()])
    _, pip, best = max(joined, key=lambda each: len(each[2]))
    pip = best[-1][1] if best else pip
    text = "{tile} does not join the {pip}." if best else "{tile} does not join a {pip}."
    if intent.train is None and not best:
        text = "{tile} fits no end that you could play on now."
    return NotFound(
        say(text, tile=tile_text(tiles[len(best)], intent.tiles[len(best)][0]), pip=pip)
    )


def _several(plans: Sequence[str]) -> NotFound:
    return NotFound(say("That could be {moves}.", moves=either(plans)))


def plan_on(before: Plan | None, intent: PlayChain, scene: Scene) -> Plan | NotFound:
    """Return the plan `before` with these tiles added, or else what `plan_of` returns for them.

    They are added if they are in hand, join the end of that plan and are not in it yet, and if no
    other train is named.
    """
    trains = find_trains(scene, intent.train) if intent.train is not None else ()
    if before is None or (intent.train is not None and before.train not in trains):
        return plan_of(intent, scene)
    added = _chained(scene, intent.tiles, before.pairs[-1][1])
    tiles = {make_tile(*pair) for pair in intent.tiles}
    is_new = len(tiles) == len(intent.tiles) and tiles.isdisjoint(before.tiles)
    if len(added) < len(intent.tiles) or not is_new or not all(holds(scene, at) for at in added):
        return plan_of(intent, scene)
    return Plan(before.train, (*before.pairs, *added))


def _unnamed(scene: Scene) -> tuple[TrainId, ...]:
    """Return the player's own train, then the open ones; every train if the player has none."""
    own = own_train(scene)
    trains = played_trains(scene.table)
    others = [train.id for train in trains if train.marker or train.is_mexican or own is None]
    return tuple(dict.fromkeys(([] if own is None else [own]) + others))


def _chained(
    scene: Scene, pairs: Sequence[tuple[int, int]], pip: int
) -> tuple[tuple[int, int], ...]:
    """Return the tiles that join in a row from the pip of an end, each joining half first.

    The row stops before the first tile that does not join.
    """
    found: list[tuple[int, int]] = []
    for pair in pairs:
        tile = make_tile(*pair)
        halves = joining_halves(scene.table.rules, tile, pip)
        if not halves:
            break
        joined = pair[0] if pair[0] in halves else halves[0]
        pip = tile.other_end(joined)
        found.append((joined, pip))
    return tuple(found)


def without_played(plan: Plan, scene: Scene) -> Plan:
    """Return a plan without its first tiles that are already on its train; it may be empty."""
    laid = {each.tile for each in scene.table.train(plan.train).lays}
    pairs = plan.pairs
    while pairs and make_tile(*pairs[0]) in laid:
        pairs = pairs[1:]
    return Plan(plan.train, pairs)


def part_that_holds(plan: Plan, scene: Scene) -> Plan:
    """Return the longest part of a plan that is still possible, the first of several equally long.

    Its `pairs` are empty if there is none. A tile that is no longer in hand breaks a plan in two,
    and a tile in the middle of the plan may fit a new end of the train.
    """
    rules, ends = scene.table.rules, scene.table.train(plan.train).ends
    best: tuple[tuple[int, int], ...] = ()
    for at, (joined, other) in enumerate(plan.pairs):
        tile = make_tile(joined, other)
        if any(joined in joining_halves(rules, tile, end.pip) for end in ends):
            best = max(best, (*takewhile(partial(holds, scene), plan.pairs[at:]),), key=len)
    return Plan(plan.train, best)


def holds(scene: Scene, pair: tuple[int, int]) -> bool:
    """Return True if this tile is in hand; False for a watcher."""
    return scene.hand is not None and position_of(make_tile(*pair), scene) != NOWHERE


def why_not_whole(plan: Plan, scene: Scene) -> str:
    """Return why part of a plan is gone, without a full stop. The plan must have tiles."""
    gone = [pair for pair in plan.pairs if not holds(scene, pair)]
    if gone:
        return say("you no longer have {tile}", tile=tile_text(make_tile(*gone[0])))
    return say("{tile} does not fit there any more", tile=tile_text(plan.tiles[0]))


def next_lay(plan: Plan, scene: Scene) -> LayTile | None:
    """Return the play of the plan's first tile; None while the rules forbid it.

    The plan must have tiles.
    """
    first = plan.tiles[0], plan.pairs[0][0], plan.train
    fits = (move for move in lays(scene) if (move.tile, move.joined, move.train) == first)
    return next(fits, None)


def lays_now(plan: Plan, scene: Scene) -> tuple[LayTile, ...]:
    """Return the plays of as many tiles as this turn takes; empty while the rules forbid the first.

    The plan must have tiles.
    """
    first = next_lay(plan, scene)
    if first is None:
        return ()
    links = [
        ChainLink(position_of(tile, scene), tile, pair[0])
        for tile, pair in zip(plan.tiles, plan.pairs, strict=True)
    ]
    return single_tiles(LayChain(first.seat, plan.train, tuple(links), first.on), scene).lays


def next_step(plan: Plan, scene: Scene) -> str:
    """Return the part of the plan that can be played now, as it could be typed; empty if none can.

    That part is the whole plan if it is one move or an opening, else the first tile. The name of
    the train follows the tiles, with a double added if several ends would take the tile. The plan
    must have tiles.
    """
    if not scene.can_move or scene.seat is None:
        return ""
    typed = PlayChain(plan.pairs, train_name(scene, plan.train))
    found = typed.resolved(scene, scene.seat)
    if isinstance(found, LayChain) or (isinstance(found, TileByTile) and found.opens):
        return f"{tiles_text(plan.pairs)} {train_name(scene, plan.train)}"
    lay = next_lay(plan, scene)
    return "" if lay is None else f"{tiles_text(plan.pairs[:1])} {place_text(scene, lay)}"


def longest_plan(scene: Scene) -> Plan | None:
    """Return a plan of the longest train in hand, for the player's own train; None if none fits.

    Also None before there is a hub, and for a player without a hand or a train of their own.
    """
    own = own_train(scene)
    if own is None or scene.hand is None or scene.table.hub is None:
        return None
    tiles = [tile for _, tile in scene.hand.tiles]
    found = [(end.pip, longest_train(tiles, end.pip)) for end in scene.table.train(own).ends]
    pip, train = max(found, key=lambda each: len(each[1]), default=(0, ()))
    pairs = tuple((joined, tile.other_end(joined)) for tile, joined in joints(pip, train))
    return Plan(own, pairs) if pairs else None


def longest_line(scene: Scene) -> Plan | None:
    """Return the `longest_plan`, shortened to tiles that can be typed in one line.

    An opening may have to end before its last double. None if there is no plan, or if no tile of it
    is left.
    """
    found = longest_plan(scene)
    while found is not None and _may_not_end(found, scene):
        found = Plan(found.train, found.pairs[:-1]) if found.pairs[1:] else None
    return found


def _may_not_end(plan: Plan, scene: Scene) -> bool:
    """Return True if the plan, typed in one line, is refused for the double at its end."""
    if scene.seat is None or not plan.tiles[-1].is_double:
        return False
    whole = PlayChain(plan.pairs).resolved(scene, scene.seat)
    bad_end = RefusalReason.CHAIN_ENDS_DOUBLE
    return isinstance(whole, NotLegal) and whole.refusal.reason is bad_end


def is_opening(scene: Scene) -> bool:
    """Return True if the player has yet to lay the first tile of their own train.

    False if the player has no train, or if the round is neither in play nor being opened by all
    players at once.
    """
    own = own_train(scene)
    phase = scene.table.phase in (RoundPhase.PLAY, RoundPhase.OPENING_ALL)
    return phase and own is not None and not scene.table.train(own).lays
