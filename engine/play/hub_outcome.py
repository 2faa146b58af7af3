"""The moves of the search for the hub's double, carried out up to the first turn. [§1.4-§1.8]"""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from engine.play.hub_search import must_declare
from engine.play.leavers import going_back, rebuilt
from engine.play.turn_end import end_round
from engine.rules.switches import First
from engine.table import events as ev
from engine.table import moves
from engine.table.rounds import (
    asked_first,
    begin_play,
    begin_seek,
    deal_hands,
    sought_doubles,
    with_lead,
)
from engine.table.table import (
    Ending,
    Outcome,
    PlayOver,
    Scored,
    Table,
    here_from,
    seat_after,
    seat_before,
)
from engine.table.trains import Position, Seat, put
from engine.table.turn import (
    EngineSearch,
    HighDraw,
    InPlay,
    OpeningAll,
    Reshuffle,
    Returning,
    SeekStep,
)
from engine.tiles import Tile


def seek_step(table: Table, move: moves.HubMove | moves.DrawTile) -> tuple[Table, list[ev.Event]]:
    """Return the table after a legal move of the search, and the events.

    The events are that of the move, then that of the first turn or of the round's end, if either
    follows. Raise AssertionError for a move that does not belong to the phase.
    """
    after = _after(table, move)
    return after, [_told(table, move), *_begun(after)]


def _after(table: Table, move: moves.HubMove | moves.DrawTile) -> Table:
    match table.now, move:
        case HighDraw() as draw, moves.TurnUp():
            return _high_draw(table, draw, move)
        case EngineSearch() as seek, moves.LayHub() | moves.Declare():
            return _lay_hub(table, seek, move)
        case EngineSearch(), moves.Show(seat):
            return with_lead(table, seat)
        case EngineSearch() as seek, moves.NoDouble() | moves.Silent():
            return _answered(table, seek, move)
        case EngineSearch() as seek, moves.DrawTile():
            return _draw(table, seek, move.seat)
        case EngineSearch() as seek, moves.TurnUp():
            return _turned(table, seek, move)
        case Returning() as back, moves.Discard() | moves.PullBack():
            return _returned(table, back, move)
        case _:
            # `judge` lets only answers of this phase pass
            raise AssertionError(table.now, move)


def _told(table: Table, move: moves.HubMove | moves.DrawTile) -> ev.Event:
    """Return the event that shows a move of the search to all."""
    match move:
        case moves.LayHub() | moves.Declare():
            return ev.HubLaid(move.seat, move.tile)
        case moves.NoDouble() | moves.Silent():
            if isinstance(table.now, EngineSearch) and table.now.step is SeekStep.HEAVIEST:
                return ev.TileDenied(move.seat, table.now.asked[0])
            return ev.NothingHeld(move.seat, claimed=isinstance(move, moves.NoDouble))
        case moves.Show():
            return ev.TileShown(move.seat, move.position, move.tile)
        case moves.DrawTile():
            return ev.TileDrawn(move.seat, table.boneyard[0])
        case moves.TurnUp():
            return ev.TileTurned(move.seat, move.position, move.tile)
        case moves.Discard():
            return ev.TileReturned(move.seat, move.seat)
        case moves.PullBack():
            return ev.TileReturned(move.other, move.seat)
        case _:
            assert_never(move)


def _begun(after: Table) -> list[ev.Event]:
    """Return the event after the end of the search: the first turn begins, or the round is over.

    It is in a list, which is empty while the search or a shuffle goes on.
    """
    match after.now:
        case Scored(outcome) | PlayOver(outcome):
            return [ev.RoundEnded(*outcome)]
        case InPlay() | OpeningAll():
            return [ev.TurnBegan(after.first)]
        case _:
            return []


def _with(table: Table, now: HighDraw | EngineSearch | Returning, to_move: int) -> Table:
    return replace(table, to_move=here_from(table, to_move), now=now)


def _high_draw(table: Table, draw: HighDraw, move: moves.TurnUp) -> Table:
    """Turn up one more tile of the high draw; after the last one, the tiles go back. [§1.5]

    Before they do, seats that share the highest total turn up further tiles, if the rules ask for
    that and the boneyard has enough.
    """
    turned = (*draw.turned, (move.position, move.tile))
    draw = replace(draw, said=draw.said | 1 << move.seat, turned=turned)
    if draw.said != _everybody(table):
        return replace(table, now=draw)
    drawn = dict(turned)
    # each run-off uses up a tile for every seat, even those that did not turn one up
    skipped = draw.run_offs * table.spec.seats
    last = {seat: drawn.get(table.boneyard[skipped + seat]) for seat in table.present}
    ranks = {seat: (tile.pips, tile.high) for seat, tile in last.items() if tile is not None}
    lead = max(ranks, key=lambda seat: ranks[seat])
    level = [seat for seat, rank in ranks.items() if rank[0] == ranks[lead][0]]
    # a run-off needs a further tile for every seat
    room = skipped + 2 * table.spec.seats <= len(table.boneyard)
    if len(level) > 1 and room and table.rules.first.runs_off:
        said = draw.said & ~sum(1 << seat for seat in level)
        return replace(table, now=replace(draw, said=said, run_offs=draw.run_offs + 1))
    table = replace(table, game=replace(table.game, lead=lead), first=lead, to_move=lead)
    return _to_reshuffle(table, draw, ())


def reshuffled(
    table: Table, new_positions: Sequence[Position], hand_sizes: Sequence[int] | None = None
) -> Table:
    """Return the table with a freshly shuffled boneyard of these positions, next one first. [§1.8]

    After the high draw, deal the hands, by default in the usual sizes. After the search, begin
    play, or end the round if the seat that laid the double holds no more tiles. If seats have left,
    `rebuilt` does the same and also returns the events. Raise AssertionError unless the table waits
    for this many positions.
    """
    stocked = replace(table, boneyard=tuple(new_positions))
    match going_back(table, new_positions).since:
        case HighDraw():
            return deal_hands(stocked, hand_sizes)
        case Returning(layer=layer, tile=tile):
            return _begin(stocked, layer, tile)
        case InPlay():
            return rebuilt(table, new_positions)[0]


def _answered(table: Table, seek: EngineSearch, move: moves.NoDouble | moves.Silent) -> Table:
    """Take a seat's answer that it does not lay or show a tile; the last answer ends the step."""
    everybody = _everybody(table)
    bit = 1 << move.seat
    seek = replace(seek, said=seek.said | bit)
    if isinstance(move, moves.NoDouble):
        seek = replace(seek, proven=seek.proven | bit)
    match seek.step:
        case SeekStep.DRAWN:
            return _next_draw(table, seek, seat_after(table, table.to_move))
        case SeekStep.LOOKED:
            return _next_look(table, seek)
        case SeekStep.IN_TURN if seek.said != everybody:
            return _with(table, seek, seat_after(table, table.to_move))
        case _ if seek.said != everybody:
            return replace(table, now=seek)
        case SeekStep.IN_TURN:
            return _missing(table, seek)
        case SeekStep.CLAIM if seek.proven == everybody:
            return _begin_turning(table)
        case SeekStep.CLAIM:
            return _begin_looking(table, seek)
        case _:
            return _asked_on(table, seek)


def _everybody(table: Table) -> int:
    """Return the bit set of all seats that have not left."""
    return (1 << table.spec.seats) - 1 & ~table.game.gone


def _asked_on(table: Table, seek: EngineSearch) -> Table:
    """Ask for the next lower double or tile, because nobody has laid or shown this one.

    After the last one, seats draw for the double, turn up tiles, or claim to hold no unused double,
    or the round is dealt again.
    """
    if len(seek.asked) > 1:
        return replace(table, now=replace(seek, asked=seek.asked[1:], said=0, proven=0))
    if seek.step is SeekStep.HEAVIEST:  # only in a written game whose hands are unknown
        return _redeal(table)
    if seek.step is SeekStep.FORCED:
        return _begin_turning(table)
    if not table.rules.engine.is_declared:
        return _missing(table, seek)
    if must_declare(table):
        return _begin_turning(table)
    return replace(table, now=EngineSearch(SeekStep.CLAIM, sought_doubles(table)))


def _missing(table: Table, seek: EngineSearch) -> Table:
    """Go on as the rules say when no hand has the double. [docs/rules.md §1.6]

    All seats draw at once, or one seat after the other draws. The round is dealt again if the rules
    say so, or if the boneyard has too few tiles.
    """
    if table.rules.engine_missing.deals_again:
        return _redeal(table)
    if not table.rules.engine_missing.all_draw:
        return _next_draw(table, seek, table.game.lead)
    if len(table.boneyard) < len(table.present):
        return _redeal(table)
    return _with(table, EngineSearch(SeekStep.ALL_DRAW, sought_doubles(table)), table.game.lead)


def _next_draw(table: Table, seek: EngineSearch, seat: int) -> Table:
    if not table.boneyard:
        return _redeal(table)
    return _with(table, replace(seek, step=SeekStep.TURN_DRAW, asked=sought_doubles(table)), seat)


def _redeal(table: Table) -> Table:
    """End the round without scores; `next_round` deals it again. [docs/rules.md §1.6]"""
    return replace(table, now=Scored(Outcome(Ending.REDEAL, None)))


def _draw(table: Table, seek: EngineSearch, seat: Seat) -> Table:
    position, *left = table.boneyard
    hands = put(table.hands, seat, (*table.hands[seat], position))
    table = replace(table, hands=hands, boneyard=tuple(left))
    if seek.step is SeekStep.TURN_DRAW:
        return replace(table, now=replace(seek, step=SeekStep.DRAWN))
    seek = replace(seek, said=seek.said | 1 << seat)
    if seek.said != _everybody(table):
        return replace(table, now=seek)
    return _with(table, begin_seek(table), asked_first(table))


def _searcher(table: Table) -> Seat:
    """Return the seat that looks first: the last round's winner, or seat 0 without one. [§1.7]"""
    return Seat(0) if table.game.winner is None else table.game.winner


def _begin_looking(table: Table, seek: EngineSearch) -> Table:
    if not table.boneyard:
        return replace(table, now=EngineSearch(SeekStep.FORCED, sought_doubles(table)))
    seek = EngineSearch(SeekStep.LOOK, sought_doubles(table), proven=seek.proven)
    return _with(table, seek, _searcher(table))


def _begin_turning(table: Table) -> Table:
    if not table.boneyard:
        return _redeal(table)
    return _with(table, EngineSearch(SeekStep.TURN, sought_doubles(table)), _searcher(table))


def _turned(table: Table, seek: EngineSearch, move: moves.TurnUp) -> Table:
    """Note the tile that a seat has looked at or turned up.

    A seat that looked must then answer. A seat that turned up an unused double must lay it. After
    any other tile turned up, the next seat turns one up; after the last tile the round is dealt
    again.
    """
    seek = replace(seek, turned=(*seek.turned, (move.position, move.tile)))
    if seek.step is SeekStep.LOOK:
        return replace(table, now=replace(seek, step=SeekStep.LOOKED))
    if move.tile in seek.asked:
        return replace(table, now=replace(seek, step=SeekStep.FOUND))
    if len(seek.turned) == len(table.boneyard):
        return _redeal(table)
    return _with(table, seek, seat_after(table, table.to_move))


def _next_look(table: Table, seek: EngineSearch) -> Table:
    if len(seek.turned) == len(table.boneyard):
        forced = EngineSearch(SeekStep.FORCED, sought_doubles(table), turned=seek.turned)
        return replace(table, now=forced)
    seek = replace(seek, step=SeekStep.LOOK, said=0)
    return _with(table, seek, seat_after(table, table.to_move))


def _lay_hub(table: Table, seek: EngineSearch, move: moves.LayHub | moves.Declare) -> Table:
    """Lay the double in the hub, and go on to the next phase. [docs/rules.md §1.7]

    If the double was found in the boneyard, a tile must first go back to it. If the seats have
    looked through the boneyard, it is shuffled. Otherwise play begins.
    """
    seat = move.seat
    held = tuple(at for at in table.hands[seat] if at != move.position)
    table = replace(
        table,
        hands=put(table.hands, seat, held),
        boneyard=tuple(at for at in table.boneyard if at != move.position),
    )
    laid = Returning(seek.step, seat, move.tile, seek.turned)
    if seek.step is SeekStep.LOOKED:
        return replace(table, now=replace(laid, step=SeekStep.DISCARD))
    if seek.step is SeekStep.FOUND:
        return _with(table, replace(laid, step=SeekStep.PULL), seat_before(table, seat))
    if seek.step is SeekStep.FORCED and seek.turned:
        return _to_reshuffle(table, laid, ())
    return _begin(table, seat, move.tile)


def _returned(table: Table, back: Returning, move: moves.Discard | moves.PullBack) -> Table:
    owner = move.other if isinstance(move, moves.PullBack) else move.seat
    held = tuple(at for at in table.hands[owner] if at != move.position)
    hands = put(table.hands, owner, held)
    return _to_reshuffle(replace(table, hands=hands), back, ((owner, move.position),))


def _to_reshuffle(
    table: Table, since: HighDraw | Returning, hidden: tuple[tuple[Seat, Position], ...]
) -> Table:
    # without tiles that only one seat has seen, and without a double found here: it is in the hub
    shown = tuple(
        (at, tile) for at, tile in since.turned if tile is not None and at in table.boneyard
    )
    open_ = {at for at, _ in shown}
    undrawn = tuple(at for at in table.boneyard if at not in open_)
    return replace(table, now=Reshuffle(undrawn, shown, hidden, since), boneyard=())


def _begin(table: Table, layer: Seat, hub: Tile) -> Table:
    """Begin play with the double in the hub. [docs/rules.md §1.5]

    The round is over at once if the seat that laid it has no tile left. [§1.6]
    """
    first = _first_after(table, layer)
    table = begin_play(table, hub, first)
    if not table.hands[layer]:
        # drop the event, because `_begun` adds it
        return end_round(replace(table, to_move=layer), [], Ending.OUT, layer)
    return table


def _first_after(table: Table, layer: Seat) -> Seat:
    """Return the seat that plays first once `layer` has laid the double. [docs/rules.md §1.5]"""
    rules = table.rules
    if rules.engine.asks_in_turn:
        return layer
    match rules.first:
        case (
            First.RANDOM_ROTATE
            | First.CHOSEN_ROTATE
            | First.HIGH_DRAW
            | First.HIGH_DRAW_ONCE
            | First.HEAVIEST_HELD
            | First.HEAVIEST_ONCE
        ):
            return table.game.lead
        case First.ENGINE_LAYER:
            return layer
        case First.AFTER_LAYER:
            return seat_after(table, layer)
        case _:
            assert_never(rules.first)
