"""The table of a round before the first move: the deal, and the seat that begins."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from engine.rules.spec import TableSpec
from engine.table.table import Owed, Scored, Table, here_from, hub_double, seat_after
from engine.table.trains import HUB, MEXICAN, End, Position, Seat, Train, TrainId, put
from engine.table.turn import (
    NEW_GAME,
    EngineSearch,
    GameMemory,
    HighDraw,
    InPlay,
    OpeningAll,
    SeekStep,
)
from engine.tiles import SET_BITS, TILE_BITS, Tile, full_set, tiles_in


def round_deck(spec: TableSpec, round_number: int) -> tuple[Tile, ...]:
    """Return the tiles that are shuffled and dealt in a round, in canonical order.

    They are the whole set, without the round's own double if that is set aside. Position p is index
    p of the deck after the last shuffle. With hands of h tiles, seat i gets positions i*h to
    i*h + h - 1; the rest is the boneyard, lowest first. [docs/rules.md §1.3]
    """
    if not spec.rules.engine.is_set_aside:
        return full_set(spec.pip_max)
    return _without_double(spec.pip_max, hub_double(spec, round_number).high)


@cache
def _without_double(pip_max: int, pip: int) -> tuple[Tile, ...]:
    return tuple(tile for tile in full_set(pip_max) if tile != (pip, pip))


def start_game(spec: TableSpec, first: Seat) -> Table:
    """Return the table at the start of the first round.

    The lead by rotation begins with `first`; under some rules another seat plays first.
    """
    return begin_round(spec, 0, first, _round_double(spec, 0), past=())


def next_round(table: Table) -> Table:
    """Return the table at the start of the next round, with the next double and the next lead.

    A round that is dealt again keeps its number, its double, its lead, and the forfeits of seats
    that left in it. A seat that has left never leads. [docs/rules.md §7.11] Raise AssertionError
    unless the phase is `Scored`: no round follows a finished game.
    """
    # the caller has branched on the phase
    assert isinstance(table.now, Scored)
    number = next_round_number(table)
    game = game_on(table)
    if not table.is_called_off:
        game = replace(game, winner=round_winners(table)[0])
    hub = _round_double(table.spec, number)
    return begin_round(table.spec, number, game.lead, hub, past=table.past, game=game)


def game_on(table: Table) -> GameMemory:
    """Return the game's memory as the next round begins, except for `winner`, which is not updated.

    The lead has moved on, forfeits are dropped, and no seat counts as a newcomer. If the round is
    dealt again, it keeps its forfeits, and its lead unless that seat has left.
    """
    game = table.game
    if not table.is_called_off:
        return replace(game, lead=seat_after(table, game.lead), forfeits=(), came=0)
    return replace(game, lead=here_from(table, game.lead), came=0)


def next_round_number(table: Table) -> int:
    """Return the number of the next round, or this round's number if it was called off."""
    return table.round_number + (not table.is_called_off)


def _round_double(spec: TableSpec, number: int) -> Tile | None:
    return hub_double(spec, number) if spec.rules.engine.has_own_double else None


def round_winners(table: Table) -> tuple[Seat, ...]:
    """Return the winners of a scored round: the seat that went out, or else those that score best.

    They are in seat order. A seat that joins for the next round has not played this one; it counts
    only if no other seat is present. Raise IndexError if no seat went out and no round has been
    scored.
    """
    if table.outcome is not None and table.outcome.seat is not None:
        return (table.outcome.seat,)
    scores, came = table.past[-1], table.game.came
    played = [seat for seat in table.present if not came >> seat & 1] or table.present
    ranks = {seat: table.rules.standing(scores[seat]) for seat in played}
    return tuple(seat for seat in played if ranks[seat] == min(ranks.values()))


def begin_round(
    spec: TableSpec,
    round_number: int,
    first: Seat,
    hub: Tile | None,
    *,
    past: tuple[tuple[int, ...], ...],
    hand_sizes: tuple[int, ...] | None = None,
    boneyard_count: int | None = None,
    led: bool = False,
    game: GameMemory = NEW_GAME,
) -> Table:
    """Return the table at the start of a round: dealt, or in the high draw before the deal.

    `hub` is the round's own double, or None if any will do. By default the hands have the size that
    the rules deal, or 0 for seats that have left, and all other tiles are in the boneyard. A game
    written down by hand may have other sizes, and may name the seat that plays first: `led` then
    skips the high draw and the question for the heaviest tile. `game` is the memory of the earlier
    rounds.
    """
    sizes = hand_sizes or _deal_sizes(spec, game.gone)
    dealt = sum(sizes)
    if boneyard_count is None:
        boneyard_count = len(round_deck(spec, round_number)) - dealt
    ids = [TrainId(seat) for seat in range(spec.seats)]
    if spec.rules.mexican.has_any or spec.rules.mexican.arms:
        ids.append(MEXICAN)
    table = Table(
        spec=spec,
        round_number=round_number,
        first=first,
        hub=None,
        trains=tuple(Train(id_, (), marker=False, ends=()) for id_ in ids),
        hands=((),) * spec.seats,
        boneyard=tuple(map(Position, range(dealt + boneyard_count))),
        to_move=first,
        now=HighDraw(),
        turns=0,
        drawn=False,
        owed=(),
        passed=0,
        seen=0,
        past=past,
        game=replace(game, lead=first, own=hub),
    )
    if spec.rules.first.turns_up(round_number) and not led:
        return table
    return deal_hands(table, sizes, led=led)


def _deal_sizes(spec: TableSpec, gone: int) -> tuple[int, ...]:
    return tuple(0 if gone >> seat & 1 else spec.hand for seat in range(spec.seats))


def deal_hands(table: Table, sizes: Sequence[int] | None = None, *, led: bool = False) -> Table:
    """Return the table with hands dealt from the boneyard, ready for the first step after the deal.

    `sizes` is the number of tiles for each seat: by default the number that the rules deal, or 0
    for a seat that has left. The first step asks for the heaviest tile if the rules say so and
    nobody has been named to lead (`led`). Otherwise it is the search for the double, or the
    opening.
    """
    spec = table.spec
    sizes = sizes or _deal_sizes(spec, table.game.gone)
    starts = [sum(sizes[:seat]) for seat in range(spec.seats)]
    yard = table.boneyard
    table = replace(
        table,
        hands=tuple(yard[start : start + size] for start, size in zip(starts, sizes, strict=True)),
        boneyard=yard[sum(sizes) :],
        memory=replace(table.memory, stocked=len(yard) > sum(sizes)),
    )
    if spec.rules.first.asks_heaviest(table.round_number) and not led:
        return replace(table, now=EngineSearch(SeekStep.HEAVIEST, _dealt_tiles(table)))
    return with_lead(table, table.game.lead)


def _dealt_tiles(table: Table) -> tuple[Tile, ...]:
    """Return the tiles that may be in a hand, heaviest first. [§1.5]

    Of two equally heavy tiles, the one with the higher half comes first.
    """
    own = table.game.own
    aside = TILE_BITS[own] if table.rules.engine.is_set_aside and own is not None else 0
    tiles = tiles_in(SET_BITS[table.spec.pip_max] & ~aside)
    return tuple(sorted(tiles, key=lambda tile: (tile.pips, tile.high), reverse=True))


def with_lead(table: Table, lead: Seat) -> Table:
    """Return the dealt table, led by this seat, ready to look for the double or to open."""
    table = replace(table, game=replace(table.game, lead=lead), now=begin_seek(table), first=lead)
    table = replace(table, to_move=asked_first(table))
    own = table.game.own
    if table.rules.engine.is_set_aside and own is not None:
        return begin_play(table, own, lead)
    return table


def begin_seek(table: Table) -> EngineSearch:
    """Return the search for the double at its first question. [docs/rules.md §1.4]"""
    in_turn = table.rules.engine.asks_in_turn or _winner_leads(table)
    return EngineSearch(SeekStep.IN_TURN if in_turn else SeekStep.ASK, sought_doubles(table))


def asked_first(table: Table) -> Seat:
    """Return the seat asked first for the double. [docs/rules.md §1.4]

    It is the lead by rotation, or the last winner if the rules ask that seat first. If the last
    winner has left, it is the next seat.
    """
    winner, lead = table.game.winner, table.game.lead
    return lead if winner is None or not _winner_leads(table) else here_from(table, winner)


def _winner_leads(table: Table) -> bool:
    """Return True if there is a last winner and the rules ask that seat first, for any double."""
    return table.rules.engine.winner_leads and table.game.winner is not None


def with_positions(table: Table, seat: Seat, positions: tuple[Position, ...]) -> Table:
    """Return the table with the tiles of a hand at new positions, as many as before.

    Raise AssertionError if there are more or fewer.
    """
    # mixed hands of another length do not decode (protocol.md 7.10)
    assert len(positions) == len(table.hands[seat])
    return replace(table, hands=put(table.hands, seat, positions))


def sought_doubles(table: Table) -> tuple[Tile, ...]:
    """Return the doubles that may go in the hub of this round, highest first. [docs/rules.md §1.4]

    If each round has its own double, return that one; under `next-lower`, that one and every lower
    one. Else return all doubles that may be used, which may be none.
    """
    engine, game = table.rules.engine, table.game
    doubles = tuple(Tile(pip, pip) for pip in range(table.spec.pip_max, -1, -1))
    if engine.has_own_double and game.own is not None:
        lower = doubles[doubles.index(game.own) :]
        return lower if table.rules.engine_missing.asks_lower else lower[:1]
    if engine.uses_again:
        return doubles
    return tuple(tile for tile in doubles if tile not in game.hubs)


def begin_play(table: Table, hub: Tile, first: Seat) -> Table:
    """Return the table with this double in the hub, ready for the opening. [docs/rules.md §3]

    All trains are new. Under rules with arms, the hub must be covered with a tile for each arm, or
    with as many as fit if those are fewer.
    """
    at_once, arms = table.rules.opening.is_at_once, table.rules.mexican.arms
    table = replace(
        table,
        hub=hub,
        game=replace(table.game, hubs=(*table.game.hubs, hub)),
        first=first,
        to_move=first,
        now=OpeningAll() if at_once else InPlay(),
        trains=tuple(
            new_train(train.id, hub, arms if arms and train.id < 0 else 1) for train in table.trains
        ),
        seen=table.seen | TILE_BITS[hub],
    )
    need = min(arms, table.fitting(hub.high))
    return replace(table, owed=(Owed(MEXICAN, HUB, hub, need, begun=True),)) if need else table


def new_train(train: TrainId, hub: Tile, arms: int = 1) -> Train:
    """Return a train that is not started: it has `arms` ends, each with the hub's value."""
    return Train(train, (), marker=False, ends=(End(train, HUB, hub.high),) * arms)
