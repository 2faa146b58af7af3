"""The ends where the seat to move may or must lay, and the rules that shut the others.

A turn has stages, and a double may shut all ends but its own. `places` finds the ends that take
tiles, the ends that take doubles, the trains on which the seat need not lay, and the double that
shuts other ends. `reach` finds the rule that shuts a train while no double does. All code that
judges, lists, explains, proves or guesses moves uses these two, so its parts cannot disagree;
`why_left_out` only picks the refusal. They read only the public table. [docs/rules.md §2-§5]
"""

from typing import Final, assert_never

from msgspec import Struct

from engine.play.reach import (
    in_order,
    open_ends_of,
    opens_elsewhere,
    opens_on_mexican,
    owes_start,
    own_ends,
    own_trains,
    usual_ends,
    why_shut_off,
)
from engine.refusals import Refusal, RefusalCode, RefusalReason, refused
from engine.rules.switches import ArmsThen, MarkerDouble, OpeningDouble, OthersTrains
from engine.table.table import Owed, Table
from engine.table.trains import HUB, MEXICAN, End, Train, TrainId
from engine.table.turn import InChain, InDrive, InPlay, MayCover, MustCover, Stage, TurnStage
from engine.tiles import TILE_BITS, TILES, Tile, tile_bits

DOUBLE_BITS: Final = tile_bits(tuple(tile for tile in TILES if tile.is_double))
"""The bit set of every double of the largest set."""


class OpenEnds(Struct, frozen=True, gc=False):
    """The ends that take tiles now, and the constraints on laying there.

    If doubles may go exactly where other tiles may, `plain` and `doubles` are the same object; fast
    code tests for that with `is`.
    """

    plain: tuple[End, ...]
    """Ends for tiles that are not doubles."""
    doubles: tuple[End, ...]
    """Ends for doubles."""
    paired: bool = False
    """True if a double may be laid only together with the tile that follows it."""
    led: bool = False
    """True if a double in a chain on the seat's own train must be followed in that chain."""
    duty: End | None = None
    """The double that must be covered first; at most a further double may go elsewhere."""
    only_own: bool = False
    """True if a chain or a bullet train shuts all trains but the seat's own."""
    unbound: tuple[TrainId, ...] = ()
    """The trains on which the seat may lay but need not, whatever it holds."""
    needs_start: bool = False
    """True if only a seat that could start its own train may lay on `unbound`. [rules.md §3.6]"""


_NOWHERE: Final = OpenEnds((), ())


def places(table: Table) -> OpenEnds:
    """Return the places where the seat to move may lay now; outside play there are none.

    For a simultaneous opening, pass the table that `turn_of` makes.
    """
    if not isinstance(table.now, InPlay):
        return _NOWHERE
    if table.turn.stage is TurnStage.START:
        return _at_start(table)
    return _later(table, table.turn.stage)


def _later(table: Table, stage: Stage) -> OpenEnds:
    """Return the places at a stage after the start of a turn. [docs/rules.md §5]

    They are those of a chain or a swan drive, or those that a double of this turn leaves or
    requires. There are none once the tile that was owed is lost.
    """
    match stage:
        case MustCover():
            due = due_double(table)
            return _with_doubles(table, due, _first(due))
        case MayCover(drive):
            may = _may_cover(table, drive)
            return _with_doubles(table, may, _first(may) if table.rules.cover.leaves_duty else None)
        case InChain(train, on):
            last = (End(train, on, table.train(train).lays[on].end),)
            return OpenEnds(last, last, led=_leads(table), only_own=True)
        case InDrive(train):
            stops = drive_stops(table, train)
            return OpenEnds(stops, stops, closes_at_once(table))
        case TurnStage.EXTRA:
            duty = _duty(table)
            return _with_doubles(table, _joined(_free_ends(table, duty), double_ends(table)), duty)
        case TurnStage.HELD:
            bare = double_ends(table)
            return OpenEnds(bare, (), closes_at_once(table), duty=_first(bare))
        case TurnStage():
            return _NOWHERE
        case _:
            assert_never(stage)


def why_left_out(table: Table, train: Train, on: int) -> Refusal | None:
    """Return the refusal by the first rule that shuts a place which `places` leaves out.

    Return None if only the stage of the turn shuts it. Do not call this for a place that `places`
    includes.
    """
    now = places(table)
    own = own_trains(table, table.to_move)
    reason = why_shut_off(table, train)
    if reason is not None and reason.code is RefusalCode.NO_SUCH_TRAIN:
        return refused(reason, train=train.id)
    if now.duty is not None and (now.duty.train, now.duty.on) != (train.id, on):
        return names_double(why_owed(table, now.duty.on), now.duty)
    if reason is RefusalReason.OWN_TRAIN_FIRST:
        return Refusal(reason)
    if reason is None and not table.owed and ring_ends(table):
        return Refusal(RefusalReason.RING_OWED)
    if now.only_own and train.id not in own:
        return refused(RefusalReason.FIRST_TURN, train=train.id)
    return None if reason is None else refused(reason, train=train.id)


def why_owed(table: Table, on: int) -> RefusalReason:
    """Return the reason why an owed double shuts all other ends; `on` is its index or `HUB`.

    It is `ARMS_OWED` for the hub; on a train it is `THREE_OWED` if the rules ask for three tiles on
    a double, else `DOUBLE_OWED`.
    """
    if on == HUB:
        return RefusalReason.ARMS_OWED
    takes_more = table.rules.branching.more_covers
    return RefusalReason.THREE_OWED if takes_more else RefusalReason.DOUBLE_OWED


def names_double(reason: RefusalReason, double: End) -> Refusal:
    """Return a refusal whose facts are the double that shuts other ends, and its train."""
    return refused(reason, double=Tile(double.pip, double.pip), train=double.train)


# ---- the start of a turn --------------------------------------------------------------------


def _at_start(table: Table) -> OpenEnds:
    """Return the usual ends, or the owed double, or the arms that need doubles. [§2.2, §3.4, §4.3]

    Return only the ends of the seat's own train in three cases: after a bullet train, in a
    simultaneous opening, and if a double is owed but the seat must start its own train first.
    """
    memory = table.memory
    rules = table.spec.rules
    duty = None
    if memory.bullet is not None:
        ends = in_order(own_ends(table, table.to_move))
        return OpenEnds(ends, ends, only_own=True)
    if table.turn.at_once:
        ends = open_ends_of(table.trains[table.to_move])
    elif not table.owed:
        ring = ring_ends(table)
        if ring:
            return OpenEnds((), ring)
        ends = usual_ends(table)
    elif owes_start(table):
        ends = in_order(own_ends(table, table.to_move))
    else:
        duty = _duty(table)
        ends = _free_ends(table, duty)
    opening = rules.opening
    led = opening.is_chain and chains_now(table) and _leads(table)
    choice = table.turns < table.spec.seats and not table.owed and opens_elsewhere(table)
    unbound: tuple[TrainId, ...] = ()
    may_wait = table.drawn and opening.may_wait
    if choice or may_wait or rules.others_trains is OthersTrains.MAY:
        unbound = tuple(end.train for end in ends if _is_free(table, end, choice=choice))
    return OpenEnds(
        plain=ends,
        doubles=ends if duty else _with_closed(table, ends),
        paired=closes_at_once(table),
        led=led,
        duty=duty,
        unbound=unbound,
        needs_start=choice,
    )


def _is_free(table: Table, end: End, *, choice: bool) -> bool:
    """Return True if the seat to move need not lay on this end, whatever it holds.

    On others' trains, that is so if the rules give the seat the choice and no double is owed
    [§2.8]. In a first turn that may go elsewhere, it is so on all trains but its own [§3.6]. At the
    start of its own train, it is so after a draw in a delayed opening [§3.1].
    """
    rules = table.spec.rules
    if end.train in own_trains(table, table.to_move):
        waits = table.drawn and rules.opening.may_wait and chains_now(table)
        return waits and end.on == HUB
    if choice:
        return end.train >= 0 or not opens_on_mexican(table)
    may = rules.others_trains is OthersTrains.MAY and (not table.owed or owes_start(table))
    return may and end.train >= 0


def ring_ends(table: Table) -> tuple[End, ...]:
    """Return the ends of the arms that must get a double before any other lay. [§4.3]

    Such an arm has one tile, and the double that joins it is not on the table yet. Return () if the
    rules do not require it. It does not matter whether the hub has all its tiles.
    """
    if table.spec.rules.arms_then is not ArmsThen.DOUBLES:
        return ()
    arms = table.train(MEXICAN)
    return tuple(
        end
        for end in open_ends_of(arms)
        if end.on != HUB
        and arms.lays[end.on].on == HUB
        and table.unseen & TILE_BITS[Tile(end.pip, end.pip)]
    )


def _with_closed(table: Table, ends: tuple[End, ...]) -> tuple[End, ...]:
    """Return these ends, plus those of every train with a tile if the rules say so. [§5.12]"""
    if not table.spec.rules.double_anywhere.is_yes:
        return ends
    laid = [train for train in table.trains if train.lays]
    return _joined(ends, tuple(end for train in laid for end in open_ends_of(train)))


def chains_now(table: Table) -> bool:
    """Return True if the first tile on the seat's own train begins a chain. [docs/rules.md §3.1]"""
    opening = table.spec.rules.opening
    if not opening.is_chain or table.turn.stage is not TurnStage.START:
        return False
    if opening.may_wait:
        return not table.trains[table.to_move].lays
    return table.turns < table.spec.seats


def _leads(table: Table) -> bool:
    """Return True if a chain that is laid now may not end on a double. [rules.md §3.5, §7.8]

    Whether a chain may be laid at all is not checked.
    """
    if table.memory.bullet is not None:
        return False
    refused = table.rules.opening_double is OpeningDouble.REFUSED
    return refused or closes_at_once(table)


# ---- a turn that has had a double -----------------------------------------------------------


def is_free_on(table: Table, train: TrainId) -> bool:
    """Return True if a double on this train is free: it takes down the seat's own marker. [§5.6]"""
    rules = table.spec.rules
    if rules.marker_double is not MarkerDouble.FREE or not rules.marker_down.by_open_double:
        return False
    return train in own_trains(table, table.to_move) and table.train(train).marker


def double_ends(table: Table) -> tuple[End, ...]:
    """Return the uncovered doubles of this turn, in the order played."""
    found: list[End] = []
    for id_, on in table.turn.doubles:
        train = table.train(id_)
        if train.is_bare(on):
            found.append(End(id_, on, train.lays[on].end))
    return tuple(found)


def owed_before(table: Table) -> Owed | None:
    """Return the next owed double that was not laid in this turn, or None."""
    own = table.turn.doubles
    return next((owed for owed in table.owed if (owed.train, owed.on) not in own), None)


def _duty(table: Table) -> End | None:
    """Return the double of an earlier turn that must be covered first, or None."""
    before = owed_before(table) if table.owed else None
    return None if before is None else End(before.train, before.on, before.tile.high)


def _free_ends(table: Table, duty: End | None) -> tuple[End, ...]:
    """Return the usual ends of the seat to move, or only `duty` if it is given."""
    return usual_ends(table) if duty is None else (duty,)


def closes_at_once(table: Table) -> bool:
    """Return True if a double needs its cover in the same move, as in the last plays. [§7.8]

    Return False if doubles are tiles like any other under these rules.
    """
    return table.memory.last is not None and not table.rules.cover.is_plain


def due_double(table: Table) -> tuple[End, ...]:
    """Return the double of this turn that must be covered next, in a tuple. [§5.8]

    It is the first uncovered one under `several=share`, else the last. Return () if all are
    covered.
    """
    targets = double_ends(table)
    return targets[:1] if table.rules.several.is_shared else targets[-1:]


def _first(ends: tuple[End, ...]) -> End | None:
    return ends[0] if ends else None


def _with_doubles(table: Table, plain: tuple[End, ...], duty: End | None) -> OpenEnds:
    """Return these ends, and those for one more double in a turn that has had one. [§5.8]

    `duty` is the double that must be covered first, if any.
    """
    several = table.rules.several
    last = closes_at_once(table)
    if several.is_one or (several.is_held_pair and table.turn.double_count > 1):
        return OpenEnds(plain, (), last, duty=duty)
    before = _duty(table)
    free = _free_ends(table, before)
    doubles = _joined(free if before else _with_closed(table, free), plain)
    return OpenEnds(plain, doubles, last or several.is_held_pair, duty=duty)


def _joined(ends: tuple[End, ...], more: tuple[End, ...]) -> tuple[End, ...]:
    """Return the ends of both tuples, each once, in the order of the table's trains."""
    return in_order(ends + more) if set(more) - set(ends) else ends


def _may_cover(table: Table, drive: TrainId | None) -> tuple[End, ...]:
    """Return the double that the seat may cover, and the ends where its swan drive may go on.

    The drive goes on only if later seats do not owe the double.
    """
    ends = double_ends(table)[-1:]
    if drive is not None and not table.rules.cover.leaves_duty:
        return _joined(ends, drive_stops(table, drive))
    return ends


def drives(table: Table) -> bool:
    """Return True if a lay at the start of this turn may be followed by a swan drive. [§2.6]"""
    return (
        table.rules.swan_drive.is_yes
        and table.turns >= table.spec.seats
        and not table.owed
        and table.memory.bullet is None
    )


def drive_stops(table: Table, after: TrainId) -> tuple[End, ...]:
    """Return the ends where a swan drive may go on from the train `after`. [docs/rules.md §2.6]

    These are the ends of the next public train in the order of turns. A Mexican train, which comes
    right after the seat that started it, may be skipped. Return () once the seat's own train or a
    dead end is next.
    """
    circle: list[Train] = []
    started = [train for train in table.mexican_trains if train.lays]
    for seat in range(table.spec.seats)[:: table.rules.direction.step]:
        circle.append(table.trains[seat])
        circle += [train for train in started if train.lays[0].seat == seat]
    at = next(index for index, train in enumerate(circle) if train.id == after)
    own = own_trains(table, table.to_move)
    found: list[End] = []
    for train in (*circle[at + 1 :], *circle[:at]):
        if train.id in own:
            break
        if train.is_mexican or train.marker:
            found += [end for end in open_ends_of(train) if not table.is_dead(end.pip)]
        if train.marker:
            break
    return tuple(found)


def open_ends(table: Table) -> tuple[End, ...]:
    """Return every end where the seat to move may lay some fitting tile, in table order.

    Return () outside play. This must agree with `why_illegal`.
    """
    now = places(table)
    return now.plain if now.plain is now.doubles else _joined(now.plain, now.doubles)


def ends_bits(table: Table, ends: tuple[End, ...]) -> int:
    """Return the bit set of tiles of the largest set that fit one of these ends, laid or not."""
    fits = table.spec.rules.wild_blanks.fits
    bits = 0
    for end in ends:
        bits |= fits[end.pip]
    return bits
