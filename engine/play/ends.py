"""Where the seat in turn may lay, and whether it has to draw: the table's own answers.

Everything that judges, lists or proves moves asks `places`. It reads the public table only.
[docs/rules.md §2-§5]
"""

from typing import Final, assert_never

from engine.rules.ruleset import RuleSet
from engine.rules.spec import SEATS_MAX
from engine.rules.switches import (
    MarkerDouble,
    MexicanFrom,
    OpeningDouble,
    OpeningElsewhere,
    Several,
)
from engine.struct import Struct
from engine.table.table import Owed, RoundPhase, Table
from engine.table.trains import End, Seat, Train, TrainId
from engine.table.turn import TurnStage
from engine.tiles import TILES, tile_bits

DOUBLE_BITS: Final = tile_bits(tuple(tile for tile in TILES if tile.is_double))
"""Bit set of every double of the largest set."""


class Places(Struct, frozen=True, gc=False):
    """Where tiles may go now."""

    plain: tuple[End, ...]
    """For tiles that are no doubles."""
    doubles: tuple[End, ...]
    """For doubles."""
    paired: bool = False
    """Whether a double may only be laid together with the tile that follows it."""
    led: bool = False
    """Whether a double in a chain on the own train has to be followed in that chain."""


_NOWHERE: Final = Places((), ())

_OWN: Final = tuple((TrainId(seat),) for seat in range(SEATS_MAX))
_PLAY: Final = RoundPhase.PLAY
_START: Final = TurnStage.START
"""Members that every move asks for: Python 3.11 is slow to look one up in its enumeration."""


def partner_of(rules: RuleSet, seats: int, seat: int) -> Seat:
    """The opposite seat, or the seat itself where nobody has a partner. [docs/rules.md §2.5]"""
    return Seat((seat + seats // 2) % seats if rules.partners.is_yes else seat)


def own_trains(table: Table, seat: int) -> tuple[TrainId, ...]:
    """The trains that are a seat's own: with a partner both ends of the one they share."""
    rules = table.spec.rules
    if not rules.partners.is_yes:
        return _OWN[seat]
    return TrainId(seat), TrainId(partner_of(rules, table.spec.seats, seat))


def has_started(table: Table, seat: int) -> bool:
    """Whether the seat's own train has a tile, whoever laid it."""
    return any(table.trains[own].lays for own in own_trains(table, seat))


def owes_start(table: Table) -> bool:
    """Whether the seat in turn owes its start, so that a duty passes over it. [§3.4]"""
    return table.spec.rules.own_train_first.passes_duty and not has_started(table, table.to_move)


def is_free_on(table: Table, train: TrainId) -> bool:
    """Whether a double there asks for nothing because it takes the own marker down. [§5.6]"""
    rules = table.spec.rules
    if rules.marker_double is not MarkerDouble.FREE:
        return False
    if not (rules.marker_down.by_open_double and train in own_trains(table, table.to_move)):
        return False
    return table.train(train).marker


def chains_now(table: Table) -> bool:
    """Whether the first tile on the own train begins a chain. [docs/rules.md §3.1]"""
    opening = table.spec.rules.opening
    if not opening.is_chain or table.turn.stage is not _START:
        return False
    if opening.may_wait:
        return not table.trains[table.to_move].lays
    return table.turns < table.spec.seats


def may_start_mexican(table: Table) -> bool:
    """Whether the seat in turn may start a Mexican train now. [docs/rules.md §4.2]"""
    source = table.spec.rules.mexican_from
    match source:
        case MexicanFrom.AFTER_OPENING:
            return table.turns >= table.spec.seats
        case MexicanFrom.FIRST_TURN:
            return True
        case MexicanFrom.FIRST_PLAYER:
            return opens_on_mexican(table) or not table.opening
        case MexicanFrom.OWN_STARTED:
            return has_started(table, table.to_move) and not table.turn.started
        case _:
            assert_never(source)


def opens_on_mexican(table: Table) -> bool:
    """Whether the first turn of the seat in turn may go to a Mexican train. [§4.2]"""
    source = table.spec.rules.mexican_from
    match source:
        case MexicanFrom.FIRST_PLAYER:
            return table.turns == 0 and not table.turn.at_once
        case MexicanFrom.FIRST_TURN:
            return table.opening
        case MexicanFrom.AFTER_OPENING | MexicanFrom.OWN_STARTED:
            return False
        case _:
            assert_never(source)


def usual_ends(table: Table) -> tuple[End, ...]:
    """The ends open to the seat in turn while no double matters. [docs/rules.md §2.2]"""
    spec, rules, trains = table.spec, table.spec.rules, table.trains
    own: int = table.to_move
    partner = partner_of(rules, spec.seats, own) if rules.partners.is_yes else own
    if table.turns < spec.seats or rules.own_train_first.shuts_others:
        trains = _first_trains(table, own, partner)
    found: list[End] = []
    for train in trains:
        mine = train.id == own or train.id == partner
        if mine or train.marker or (train.id < 0 and (train.lays or may_start_mexican(table))):
            ends = train.ends
            found += ends if len(ends) == 1 else sorted(set(ends))
    return tuple(found)


def _first_trains(table: Table, own: int, partner: int) -> tuple[Train, ...]:
    """All trains; only the own ones before it is started, or in a first turn, if rules say so.

    In a first turn the Mexican train too, where they do.
    """
    seats = table.spec.seats
    opening = table.turns < seats
    if not opening and has_started(table, own):
        return table.trains
    if opening and opens_elsewhere(table):
        return table.trains
    trains = tuple(table.trains[at] for at in sorted({own, partner}))
    if opens_on_mexican(table):
        trains += table.trains[seats:]
    return trains


def opens_elsewhere(table: Table) -> bool:
    """Whether the first turn of the seat in turn may go to a public train. [docs/rules.md §3.6]

    Not once it has drawn for want of a start: then it starts with that tile, or not at all.
    """
    return chooses_elsewhere(table) and (not table.drawn or table.turn.stage is not _START)


def chooses_elsewhere(table: Table) -> bool:
    """Whether this is a first turn that may go to a public train if the own one can be started."""
    if not 0 < table.turns < table.spec.seats or table.turn.at_once:
        return False
    return table.spec.rules.opening_elsewhere is not OpeningElsewhere.NO


def double_ends(table: Table) -> tuple[End, ...]:
    """The doubles of this turn that are still to be covered, in the order played."""
    found: list[End] = []
    for id_, on in table.turn.doubles:
        train = table.train(id_)
        if train.is_bare(on):
            found.append(End(id_, on, train.lays[on].end))
    return tuple(found)


def owed_before(table: Table) -> Owed | None:
    """The next owed double that was not laid in this turn."""
    own = table.turn.doubles
    return next((owed for owed in table.owed if (owed.train, owed.on) not in own), None)


_latest: tuple[Table | None, Places] = (None, _NOWHERE)
"""The table that was asked about last: the list, the judge and the proof ask one after another."""


def places(table: Table) -> Places:
    """Where the seat in turn may lay now. Empty places when nothing is being played."""
    global _latest
    asked, found = _latest
    if asked is not table:
        found = _places(table)
        _latest = (table, found)
    return found


def _places(table: Table) -> Places:  # noqa: C901 - one branch a stage
    if table.phase is not _PLAY:
        return _NOWHERE
    stage = table.turn.stage
    if stage is _START:
        return _at_start(table)
    match stage:
        case TurnStage.COVER:
            return _with_doubles(table, _due_double(table))
        case TurnStage.EXTRA:
            return _with_doubles(table, _joined(_free_ends(table), double_ends(table)))
        case TurnStage.MAY:
            return _with_doubles(table, _may_cover(table))
        case TurnStage.HELD:
            return Places(double_ends(table), (), table.aside.last is not None)
        case TurnStage.CHAIN:
            return _in_chain(table)
        case TurnStage.DRIVE:
            assert table.turn.drive is not None
            stops = drive_stops(table, table.turn.drive)
            return Places(stops, stops, table.aside.last is not None)
        case TurnStage.LOST:
            return _NOWHERE
        case _:
            assert_never(stage)


def _due_double(table: Table) -> tuple[End, ...]:
    """The double of this turn that has to be covered next. [docs/rules.md §5.8]"""
    targets, several = double_ends(table), table.spec.rules.several
    match several:
        case Several.SHARE:
            return targets[:1]
        case Several.ONE | Several.TWO_HELD | Several.CHAIN | Several.UNTIL_COVERED:
            return targets[-1:]
        case _:
            assert_never(several)


def _at_start(table: Table) -> Places:
    """Nothing that matters has happened in this turn. [docs/rules.md §2.2, §3.4]"""
    aside = table.aside
    if aside.bullet is not None:
        ends = own_ends(table)
        return Places(ends, ends)
    if table.turn.at_once:
        ends = open_ends_of(table.trains[table.to_move])
    elif not table.owed:
        ends = usual_ends(table)
    else:
        ends = own_ends(table) if owes_start(table) else _free_ends(table)
    return Places(ends, ends, aside.last is not None, chains_now(table) and _leads(table))


def own_ends(table: Table) -> tuple[End, ...]:
    """Every end of the trains that are the own of the seat in turn."""
    own = sorted(own_trains(table, table.to_move))
    return tuple([end for id_ in own for end in open_ends_of(table.trains[id_])])


def open_ends_of(train: Train) -> tuple[End, ...]:
    """Every end of a train once, in the order of its lays."""
    return train.ends if len(train.ends) == 1 else tuple(sorted(set(train.ends)))


def _in_chain(table: Table) -> Places:
    """A chain goes on from its last tile. [docs/rules.md §3.1]"""
    assert table.turn.chain is not None
    id_, on = table.turn.chain
    ends = (End(id_, on, table.train(id_).lays[on].end),)
    return Places(ends, ends, led=_leads(table))


def _leads(table: Table) -> bool:
    """Whether a chain that is laid now may not end on a double. [docs/rules.md §3.5, §7.8]"""
    if table.aside.bullet is not None:
        return False
    refused = table.spec.rules.opening_double is OpeningDouble.REFUSED
    return refused or table.aside.last is not None


def _with_doubles(table: Table, plain: tuple[End, ...]) -> Places:
    """These ends, and where one more double may go in a turn that has had one. [§5.8]"""
    several, turn = table.spec.rules.several, table.turn
    last = table.aside.last is not None
    match several:
        case Several.ONE:
            return Places(plain, (), last)
        case Several.TWO_HELD:
            if len(turn.doubles) != 1:
                return Places(plain, (), last)
            return Places(plain, _joined(_free_ends(table), plain), paired=True)
        case Several.SHARE | Several.CHAIN | Several.UNTIL_COVERED:
            return Places(plain, _joined(_free_ends(table), plain), last)
        case _:
            assert_never(several)


def _free_ends(table: Table) -> tuple[End, ...]:
    """The ends open to the seat in turn, its own doubles of this turn left aside."""
    before = owed_before(table) if table.owed else None
    if before is not None:
        return (End(before.train, before.on, before.tile.high),)
    return usual_ends(table)


def _joined(ends: tuple[End, ...], more: tuple[End, ...]) -> tuple[End, ...]:
    """Both, each end once, in the order of the table's trains."""
    if not set(more) - set(ends):
        return ends
    return tuple(sorted({*ends, *more}, key=_by_train))


def _by_train(end: End) -> tuple[bool, int, int]:
    return end.train < 0, abs(end.train), end.on


def _may_cover(table: Table) -> tuple[End, ...]:
    """The double of this turn may be covered; a drive may go on where nobody owes it."""
    ends, drive = double_ends(table)[-1:], table.turn.drive
    if drive is not None and not table.spec.rules.cover.leaves_duty:
        return _joined(ends, drive_stops(table, drive))
    return ends


def drives(table: Table) -> bool:
    """Whether a lay on the own train may be followed by a drive. [docs/rules.md §2.6]"""
    return (
        table.spec.rules.swan_drive.is_yes
        and table.turns >= table.spec.seats
        and not table.owed
        and table.turn.stage is TurnStage.START
        and table.aside.bullet is None
    )


def drive_stops(table: Table, after: TrainId) -> tuple[End, ...]:
    """Where a drive may go on that was last on the train `after`.

    The next public train clockwise; a Mexican train, which lies just after the seat that started
    it, may be left out. Nothing once the own train or a dead end is next. [docs/rules.md §2.6]
    """
    circle: list[Train] = []
    for seat in range(table.spec.seats):
        circle.append(table.trains[seat])
        circle += [train for train in table.mexican_trains if _started_by(train) == seat]
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


def _started_by(train: Train) -> Seat | None:
    return train.lays[0].seat if train.lays else None


def open_ends(table: Table) -> tuple[End, ...]:
    """Every end where the seat in turn may lay some tile that fits, in the order of the table.

    Must agree with `why_illegal`. Empty when nothing is being played.
    """
    now = places(table)
    return now.plain if now.plain is now.doubles else _joined(now.plain, now.doubles)


def ends_bits(table: Table, ends: tuple[End, ...]) -> int:
    """Bit set of the tiles that fit one of these ends."""
    bits, fits = 0, table.spec.rules.wild_blanks.fits
    for end in ends:
        bits |= fits[end.pip]
    return bits
