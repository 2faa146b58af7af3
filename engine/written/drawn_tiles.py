"""Tiles drawn in a written game, and named where the line says which. [docs/rules.md §11.3]"""

from dataclasses import replace

from engine.play.due import due_seats
from engine.play.judge import unseen_tiles
from engine.refusals import RANK, Refusal, RefusalReason
from engine.table.moves import Catch, DrawTile
from engine.table.trains import Seat
from engine.tiles import Tile
from engine.written.made_moves import Tried, make_move
from engine.written.position import WrittenPosition


def draw(here: WrittenPosition, seat: Seat, tile: Tile | None) -> Tried:
    """Draw, and learn which tile it was if the deal or the line says so."""
    table = here.table
    drawn = table.boneyard[0] if table.boneyard else None
    wrong = None
    if tile is not None and seat in due_seats(table):
        wrong = _why_not_next(here, tile)
    after, refusal = make_move(here, DrawTile(seat))
    if wrong and (refusal is None or RANK[wrong.code] < RANK[refusal.code]):
        refusal = wrong
    if refusal is not None:
        return here, refusal
    if tile is not None and drawn is not None:
        after = replace(after, known={**after.known, drawn: tile})
    return after, None


def _why_not_next(here: WrittenPosition, tile: Tile, at: int = 0) -> Refusal | None:
    """Why the next tile of the boneyard, or one after it, cannot be that named, if it cannot."""
    table = here.table
    next_one = here.known.get(table.boneyard[at]) if at < len(table.boneyard) else None
    unseen = tile in unseen_tiles(table)
    elsewhere = next_one != tile and tile in here.known.values()
    if unseen and not elsewhere and next_one in (None, tile):
        return None
    return Refusal(RefusalReason.TILE_NOT_DRAWN, (("tile", tile),))


def catch(here: WrittenPosition, seat: Seat, offender: Seat, tiles: tuple[Tile, ...]) -> Tried:
    """Catch who was silent, and learn which tiles that costs if the line says so. [§7.7]"""
    yard = here.table.boneyard
    after, refusal = make_move(here, Catch(seat, offender))
    if refusal is not None or not tiles:
        return after, refusal
    count = len(yard) - len(after.table.boneyard)
    known = dict(here.known)
    for at, tile in enumerate(tiles):
        wrong = at >= count or _why_not_next(here, tile, at) is not None
        if wrong or tile in tiles[:at]:
            return here, Refusal(RefusalReason.TILE_NOT_PAID, (("tile", tile),))
        known[yard[at]] = tile
    return replace(after, known=known), None
