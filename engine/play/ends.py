"""Where the seat in turn may lay, and whether it has to draw: the table's own answers.

Everything that judges, lists or proves moves asks `places`. It reads the public table only.
[docs/rules.md §2-§5]
"""

from typing import Final, NamedTuple

from engine.rules.ruleset import RuleSet
from engine.rules.switches import (
    Cover,
    MexicanFrom,
    Opening,
    OpeningDouble,
    OpeningElsewhere,
    OwnTrainFirst,
    Partners,
    Several,
    SwanDrive,
)
from engine.table.table import Owed, RoundPhase, Table, fitting_bits
from engine.table.trains import End, Seat, Train, TrainId
from engine.table.turn import Turn, TurnStage
from engine.tiles import TILES, tile_bits

DOUBLE_BITS: Final = tile_bits(tuple(tile for tile in TILES if tile.is_double))
"""Bit set of every double of the largest set."""


class OpenEnd(NamedTuple):
    """A place where the seat in turn may lay a tile that fits `pip`."""

    train: TrainId
    on: int
    pip: int


class Places(NamedTuple):
    """Where tiles may go now."""

    plain: tuple[OpenEnd, ...]
    """For tiles that are no doubles."""
    doubles: tuple[OpenEnd, ...]
    """For doubles."""
    paired: bool = False
    """Whether a double may only be laid together with the tile that follows it."""


_NOWHERE: Final = Places((), ())


def partner_of(rules: RuleSet, seats: int, seat: int) -> Seat:
    """The opposite seat, or the seat itself where nobody has a partner. [docs/rules.md §2.5]"""
    return Seat(seat if rules.partners is Partners.NO else (seat + seats // 2) % seats)


def own_trains(table: Table, seat: int) -> tuple[TrainId, ...]:
    """The trains that are a seat's own: with a partner both ends of the one they share."""
    partner = partner_of(table.spec.rules, table.spec.seats, seat)
    return (TrainId(seat),) if partner == seat else (TrainId(seat), TrainId(partner))


def has_started(table: Table, seat: int) -> bool:
    """Whether the seat's own train has a tile, whoever laid it."""
    return any(table.trains[own].lays for own in own_trains(table, seat))


def owes_start(table: Table) -> bool:
    """Whether the seat in turn owes its start, so that a duty passes over it. [§3.4]"""
    return table.spec.rules.own_train_first is OwnTrainFirst.ALWAYS and not has_started(
        table, table.to_move
    )


def chains_now(table: Table) -> bool:
    """Whether the first tile on the own train begins a chain. [docs/rules.md §3.1]"""
    opening = table.spec.rules.opening
    if opening is Opening.SINGLE or table.turn.stage is not TurnStage.START:
        return False
    if opening is Opening.DELAYED:
        return not table.trains[table.to_move].lays
    return table.turns < table.spec.seats


def may_start_mexican(table: Table) -> bool:
    """Whether the seat in turn may start a Mexican train now. [docs/rules.md §4.2]"""
    source = table.spec.rules.mexican_from
    if source is MexicanFrom.AFTER_OPENING:
        return table.turns >= table.spec.seats
    if source is MexicanFrom.FIRST_TURN:
        return True
    return has_started(table, table.to_move) and not table.turn.started


def open_ends_of(train: Train) -> tuple[OpenEnd, ...]:
    """Every end of a train once, in the order of its lays."""
    ends = train.ends
    if len(ends) == 1:
        return (OpenEnd(train.id, ends[0].on, ends[0].pip),)
    return tuple([OpenEnd(train.id, end.on, end.pip) for end in sorted(set(ends), key=_by_lay)])


def _by_lay(end: End) -> tuple[int, int]:
    return end.on, end.pip


def usual_ends(table: Table) -> tuple[OpenEnd, ...]:
    """The ends open to the seat in turn while no double matters. [docs/rules.md §2.2]"""
    seats, rules = table.spec.seats, table.spec.rules
    own: int = table.to_move
    partner: int = own if rules.partners is Partners.NO else (own + seats // 2) % seats
    trains = table.trains
    if table.turns < seats or _own_train_comes_first(table):
        trains = _first_trains(table, own, partner)
    found: list[OpenEnd] = []
    for id_, lays, marker, ends in trains:
        if id_ < 0:
            if not lays and not may_start_mexican(table):
                continue
        elif id_ != own and not marker and id_ != partner:
            continue
        if len(ends) == 1:
            pip, on = ends[0]
            found.append(OpenEnd(id_, on, pip))
        else:
            found += [OpenEnd(id_, on, pip) for pip, on in sorted(set(ends), key=_by_lay)]
    return tuple(found)


def _first_trains(table: Table, own: int, partner: int) -> tuple[Train, ...]:
    """The own train, with both its ends; in a first turn the Mexican train if rules say so."""
    seats = table.spec.seats
    if opens_elsewhere(table):
        return table.trains
    trains = tuple(table.trains[at] for at in sorted({own, partner}))
    if table.turns < seats and table.spec.rules.mexican_from is MexicanFrom.FIRST_TURN:
        trains += table.trains[seats:]
    return trains


def opens_elsewhere(table: Table) -> bool:
    """Whether the first turn of the seat in turn may go to a public train. [docs/rules.md §3.6]

    Not once it has drawn for want of a start: then it starts with that tile, or not at all.
    """
    if table.spec.rules.opening_elsewhere is OpeningElsewhere.NO:
        return False
    if table.drawn and table.turn.stage is TurnStage.START:
        return False
    return 0 < table.turns < table.spec.seats and not table.turn.at_once


def _own_train_comes_first(table: Table) -> bool:
    if table.spec.rules.own_train_first is OwnTrainFirst.NO:
        return False
    return not has_started(table, table.to_move)


def double_ends(table: Table) -> tuple[OpenEnd, ...]:
    """The doubles of this turn that are still to be covered, in the order played."""
    return tuple(
        OpenEnd(owed[0], owed[1], pip)
        for owed in table.turn.doubles
        for pip in (_pip_if_open(table, owed),)
        if pip is not None
    )


def _pip_if_open(table: Table, double: tuple[TrainId, int]) -> int | None:
    train = table.train(double[0])
    pip = train.lays[double[1]].tile.high
    uncovered = all(lay.on != double[1] for lay in train.lays[double[1] + 1 :])
    return pip if uncovered else None


def owed_before(table: Table) -> Owed | None:
    """The next owed double that was not laid in this turn."""
    own = table.turn.doubles
    return next((owed for owed in table.owed if (owed.train, owed.on) not in own), None)


def places(table: Table) -> Places:
    """Where the seat in turn may lay now. Empty places when nothing is being played.

    Under the commonest rules (`plain_lays`) an owed double is all there is to a turn.
    """
    if table.phase is not RoundPhase.PLAY:
        return _NOWHERE
    if table.spec.plain_lays:
        if table.owed:
            train, on, tile = table.owed[0][:3]
            ends: tuple[OpenEnd, ...] = (OpenEnd(train, on, tile[1]),)
        else:
            ends = usual_ends(table)
        return Places(ends, ends)
    turn = table.turn
    stage = turn.stage
    if stage is TurnStage.START:
        return _at_start(table)
    plain, doubles, paired = _BY_STAGE[turn.stage](table, turn)
    return Places(plain, doubles, paired or table.aside.last is not None)


def _at_start(table: Table) -> Places:
    rules, owed, aside = table.spec.rules, table.owed, table.aside
    if aside.bullet is not None:
        ends = own_ends(table)
        return Places(ends, ends)
    if table.turn.at_once:
        ends = open_ends_of(table.trains[table.to_move])
    elif not owed:
        ends = usual_ends(table)
    elif owes_start(table):
        ends = own_ends(table)
    else:
        train, on, tile = owed[0][:3]
        ends = (OpenEnd(train, on, tile[1]),)
    paired = aside.last is not None or (
        rules.opening_double is OpeningDouble.REFUSED and chains_now(table)
    )
    return Places(ends, ends, paired)


def own_ends(table: Table) -> tuple[OpenEnd, ...]:
    """Every end of the trains that are the own of the seat in turn."""
    found: tuple[OpenEnd, ...] = ()
    for own in sorted(own_trains(table, table.to_move)):
        found += open_ends_of(table.trains[own])
    return found


def _in_chain(table: Table, turn: Turn) -> Places:
    assert turn.chain is not None
    train, on = turn.chain
    ends = (OpenEnd(train, on, table.train(train).lays[on].end),)
    refused = table.spec.rules.opening_double is OpeningDouble.REFUSED
    return Places(ends, ends, refused and table.aside.bullet is None)


def _to_cover(table: Table, turn: Turn) -> Places:
    """A double of this turn has to be covered on itself. [docs/rules.md §5.2, §5.8]"""
    targets = double_ends(table)
    match table.spec.rules.several:
        case Several.SHARE:
            plain = targets[:1]
        case _:
            plain = targets[-1:]
    return Places(plain, *_further_doubles(table, turn, plain))


def _further_doubles(
    table: Table, turn: Turn, plain: tuple[OpenEnd, ...]
) -> tuple[tuple[OpenEnd, ...], bool]:
    """Where another double may go in a turn that has had one, and whether only with its cover."""
    several = table.spec.rules.several
    if several is Several.ONE or (several is Several.TWO_HELD and len(turn.doubles) != 1):
        return (), False
    return _joined(_free_ends(table), plain), several is Several.TWO_HELD


def _free_ends(table: Table) -> tuple[OpenEnd, ...]:
    """The ends open to the seat in turn, its own doubles of this turn left aside."""
    before = owed_before(table)
    if before is not None:
        return (OpenEnd(before.train, before.on, before.tile.high),)
    return usual_ends(table)


def _joined(ends: tuple[OpenEnd, ...], more: tuple[OpenEnd, ...]) -> tuple[OpenEnd, ...]:
    """Both, each end once, in the order of the table's trains."""
    if not set(more) - set(ends):
        return ends
    return tuple(sorted({*ends, *more}, key=_by_train))


def _by_train(end: OpenEnd) -> tuple[bool, int, int]:
    return end.train < 0, abs(end.train), end.on


def _extra(table: Table, turn: Turn) -> Places:
    """One more tile, on any open end or on a double of this turn. [docs/rules.md §5.2]"""
    ends = _joined(_free_ends(table), double_ends(table))
    doubles, paired = _further_doubles(table, turn, ends)
    return Places(ends, doubles, paired)


def _may_cover(table: Table, turn: Turn) -> Places:
    """The double of this turn may be covered; a drive may go on where nobody owes it."""
    plain = double_ends(table)[-1:]
    if turn.drive is not None and table.spec.rules.cover is Cover.OPTIONAL:
        plain = _joined(plain, drive_stops(table, turn.drive))
    doubles, paired = _further_doubles(table, turn, plain)
    return Places(plain, doubles, paired)


def _held_cover(table: Table, turn: Turn) -> Places:
    del turn
    return Places(double_ends(table), ())


def _driving(table: Table, turn: Turn) -> Places:
    assert turn.drive is not None
    stops = drive_stops(table, turn.drive)
    return Places(stops, stops)


def _nowhere(table: Table, turn: Turn) -> Places:
    del table, turn
    return _NOWHERE


_BY_STAGE: Final = {
    TurnStage.COVER: _to_cover,
    TurnStage.EXTRA: _extra,
    TurnStage.MAY: _may_cover,
    TurnStage.HELD: _held_cover,
    TurnStage.CHAIN: _in_chain,
    TurnStage.DRIVE: _driving,
    TurnStage.LOST: _nowhere,
}


def drives(table: Table) -> bool:
    """Whether a lay on the own train may be followed by a drive. [docs/rules.md §2.6]"""
    return (
        table.spec.rules.swan_drive is SwanDrive.YES
        and table.turns >= table.spec.seats
        and not table.owed
        and table.turn.stage is TurnStage.START
        and table.aside.bullet is None
    )


def drive_stops(table: Table, after: TrainId) -> tuple[OpenEnd, ...]:
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
    found: list[OpenEnd] = []
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


def open_ends(table: Table) -> tuple[OpenEnd, ...]:
    """Every end where the seat in turn may lay some tile that fits, in the order of the table.

    Must agree with `why_illegal`. Empty when nothing is being played.
    """
    plain, doubles, _ = places(table)
    return plain if plain is doubles else _joined(plain, doubles)


def ends_bits(table: Table, ends: tuple[OpenEnd, ...]) -> int:
    """Bit set of the tiles that fit one of these ends."""
    bits, rules = 0, table.spec.rules
    for end in ends:
        bits |= fitting_bits(rules, end[2])
    return bits
