"""Where the seat in turn may lay, where it must, and what shuts the rest: the one relation.

A turn has stages, and a double may shut every end but its own. `places` says for the table as it
stands which ends take tiles and which take doubles, which trains bind nobody, and which double
shuts the rest; `reach` says what shuts a train while no double does. All code that judges, lists,
explains, proves or guesses moves is a view of these, so no two of them can differ; `why_left_out`
only words the refusal. It reads the public table only. [docs/rules.md §2-§5]
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
"""Bit set of every double of the largest set."""


class OpenEnds(Struct, frozen=True, gc=False):
    """The ends that take tiles now, and why others do not.

    Where doubles may go just where other tiles may, `plain` and `doubles` are the same object, and
    readers that are in a hurry ask for that with `is`.
    """

    plain: tuple[End, ...]
    """Ends for tiles that are not doubles."""
    doubles: tuple[End, ...]
    """Ends for doubles."""
    paired: bool = False
    """Whether a double may be laid only together with the tile that follows it."""
    led: bool = False
    """Whether a double in a chain on the own train must be followed in that chain."""
    duty: End | None = None
    """The double that must be covered first; at most a further double may go elsewhere."""
    only_own: bool = False
    """Whether a chain or a bullet train shuts all but the own train."""
    unbound: tuple[TrainId, ...] = ()
    """The trains on which the seat may lay but need not, whatever it holds."""
    needs_start: bool = False
    """Whether only a seat that could start its own train may lay on these. [docs/rules.md §3.6]"""


_NOWHERE: Final = OpenEnds((), ())


def places(table: Table) -> OpenEnds:
    """The places where the seat in turn may lay now; no ends when nothing is being played.

    For an opening of all at once ask about the table that `turn_of` makes.
    """
    if not isinstance(table.now, InPlay):
        return _NOWHERE
    if table.turn.stage is TurnStage.START:
        return _at_start(table)
    return _later(table, table.turn.stage)


def _later(table: Table, stage: Stage) -> OpenEnds:
    """The places in a turn in which something has happened that matters. [docs/rules.md §5]

    They are those of a chain or a drive, or what a double of this turn leaves or asks for; there
    are none once the tile that was owed is lost.
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
    """The first rule that shuts a place which `places` leaves out to the seat in turn.

    None where no rule does, but the stage of the turn. Not to be asked of a place that it lists.
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
    """Which rule lets an owed double shut all other ends; `on` is where it lies on its train.

    That of the arms for the hub, that of its branches for a double that takes three tiles, else
    that of any double.
    """
    if on == HUB:
        return RefusalReason.ARMS_OWED
    takes_more = table.rules.branching.more_covers
    return RefusalReason.THREE_OWED if takes_more else RefusalReason.DOUBLE_OWED


def names_double(reason: RefusalReason, double: End) -> Refusal:
    """A refusal that names a double which shuts other ends, and its train."""
    return refused(reason, double=Tile(double.pip, double.pip), train=double.train)


# ---- a turn in which nothing that matters has happened --------------------------------------


def _at_start(table: Table) -> OpenEnds:
    """The usual ends, or the double that is owed, or a ring of doubles. [§2.2, §3.4, §4.3]

    The own train alone after a bullet train, in an opening of all at once, and if a duty passes
    over the seat until it has started.
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
    """Whether the seat in turn need not lay on this end, whatever it holds.

    That is so on others' trains, if the rules leave those to the seat and no double is owed [§2.8];
    on all trains but its own, in a first turn that may go elsewhere [§3.6]; and at the start of
    its own train, after a draw under a delayed opening [§3.1].
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
    """The arms that must have a double before anything else is laid; else none. [§4.3]

    They have one tile, and the double that joins it does not lie on the table. Empty where rules
    ask for no such ring. Whether the hub has all its tiles is not asked.
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
    """These ends for doubles, and those of every train with a tile, by the rules. [§5.12]"""
    if not table.spec.rules.double_anywhere.is_yes:
        return ends
    laid = [train for train in table.trains if train.lays]
    return _joined(ends, tuple(end for train in laid for end in open_ends_of(train)))


def chains_now(table: Table) -> bool:
    """Whether the first tile on the own train begins a chain. [docs/rules.md §3.1]"""
    opening = table.spec.rules.opening
    if not opening.is_chain or table.turn.stage is not TurnStage.START:
        return False
    if opening.may_wait:
        return not table.trains[table.to_move].lays
    return table.turns < table.spec.seats


def _leads(table: Table) -> bool:
    """Whether a chain that is laid now may not end on a double. [docs/rules.md §3.5, §7.8]"""
    if table.memory.bullet is not None:
        return False
    refused = table.rules.opening_double is OpeningDouble.REFUSED
    return refused or closes_at_once(table)


# ---- a turn that has had a double -----------------------------------------------------------


def is_free_on(table: Table, train: TrainId) -> bool:
    """Whether a double there asks for nothing because it takes the own marker down. [§5.6]"""
    rules = table.spec.rules
    if rules.marker_double is not MarkerDouble.FREE or not rules.marker_down.by_open_double:
        return False
    return train in own_trains(table, table.to_move) and table.train(train).marker


def double_ends(table: Table) -> tuple[End, ...]:
    """The doubles of this turn that are still to be covered, in the order played."""
    found: list[End] = []
    for id_, on in table.turn.doubles:
        train = table.train(id_)
        if train.is_bare(on):
            found.append(End(id_, on, train.lays[on].end))
    return tuple(found)


def owed_before(table: Table) -> Owed | None:
    """The next owed double that was not laid in this turn; None if there is none."""
    own = table.turn.doubles
    return next((owed for owed in table.owed if (owed.train, owed.on) not in own), None)


def _duty(table: Table) -> End | None:
    """The double of an earlier turn that must be covered before anything else; None if none."""
    before = owed_before(table) if table.owed else None
    return None if before is None else End(before.train, before.on, before.tile.high)


def _free_ends(table: Table, duty: End | None) -> tuple[End, ...]:
    """The ends open to the seat in turn, apart from its own doubles of this turn.

    That is `duty` alone if there is one.
    """
    return usual_ends(table) if duty is None else (duty,)


def closes_at_once(table: Table) -> bool:
    """Whether every seat has its last play, in which a double needs its cover with it. [§7.8]"""
    return table.memory.last is not None and not table.rules.cover.is_plain


def due_double(table: Table) -> tuple[End, ...]:
    """The one double of this turn that must be covered next; empty if none is bare. [§5.8]

    The first under `several=share`, else the last.
    """
    targets = double_ends(table)
    return targets[:1] if table.rules.several.is_shared else targets[-1:]


def _first(ends: tuple[End, ...]) -> End | None:
    return ends[0] if ends else None


def _with_doubles(table: Table, plain: tuple[End, ...], duty: End | None) -> OpenEnds:
    """These ends, and where one more double may go in a turn that has had one. [§5.8]"""
    several = table.rules.several
    last = closes_at_once(table)
    if several.is_one or (several.is_held_pair and table.turn.double_count > 1):
        return OpenEnds(plain, (), last, duty=duty)
    before = _duty(table)
    free = _free_ends(table, before)
    doubles = _joined(free if before else _with_closed(table, free), plain)
    return OpenEnds(plain, doubles, last or several.is_held_pair, duty=duty)


def _joined(ends: tuple[End, ...], more: tuple[End, ...]) -> tuple[End, ...]:
    """The ends of both, each once, in the order of the table's trains."""
    return in_order(ends + more) if set(more) - set(ends) else ends


def _may_cover(table: Table, drive: TrainId | None) -> tuple[End, ...]:
    """The double that may be covered; also where a drive goes on, if the double is not owed."""
    ends = double_ends(table)[-1:]
    if drive is not None and not table.rules.cover.leaves_duty:
        return _joined(ends, drive_stops(table, drive))
    return ends


def drives(table: Table) -> bool:
    """Whether a turn may begin with a lay that a drive follows. [docs/rules.md §2.6]"""
    return (
        table.rules.swan_drive.is_yes
        and table.turns >= table.spec.seats
        and not table.owed
        and table.memory.bullet is None
    )


def drive_stops(table: Table, after: TrainId) -> tuple[End, ...]:
    """The ends where a drive may go on from the train `after`.

    The next public train in the order of turns; a Mexican train, which counts as just after the
    seat that started it, may be skipped. Empty once the own train or a dead end is next.
    [docs/rules.md §2.6]
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
    """Every end where the seat in turn may lay some tile that fits, in table order.

    Must agree with `why_illegal`. Empty when nothing is being played.
    """
    now = places(table)
    return now.plain if now.plain is now.doubles else _joined(now.plain, now.doubles)


def ends_bits(table: Table, ends: tuple[End, ...]) -> int:
    """Bit set of the tiles of the largest set that fit one of these ends, laid or not."""
    fits = table.spec.rules.wild_blanks.fits
    bits = 0
    for end in ends:
        bits |= fits[end.pip]
    return bits
