"""Actions of a written game, tried on the table: the move that a line means, and its effect.

A line contains the words that people say at a table. One line may be several moves of the engine,
and some moves have no line at all. A refused action changes nothing. [docs/rules.md §11.3]
"""

from dataclasses import replace
from typing import Final

from engine.notation import hub_answers
from engine.notation import position as places
from engine.notation.game import Action, Verb, WrittenTile
from engine.play.chain import bullet_now
from engine.play.due import due_seats
from engine.play.judge import unseen_tiles, why_illegal_written
from engine.play.leavers import leave, void_round
from engine.play.legal_moves import bullet_of, legal_moves
from engine.play.playable import is_for_drawn
from engine.refusals import Refusal, RefusalReason, first_refusal, refused
from engine.table import moves
from engine.table.table import RoundPhase, joining_halves
from engine.table.trains import HUB, End, Seat, Train, TrainId
from engine.table.turn import TurnStage
from engine.tiles import Tile

_SAID: Final[dict[Verb, type[moves.WordMove]]] = {
    Verb.PASS: moves.Pass,
    Verb.DONE: moves.Done,
    Verb.TAP: moves.Tap,
}
"""The moves that have no field but their seat, by verb."""


def attempt(here: places.WrittenPosition, action: Action) -> places.Tried:
    """Return the game after an action and None, or the unchanged game and the refusal.

    First make any unsaid moves that the action implies. The action's seat must be in `here.names`.
    """
    seat = Seat(here.names.index(action.seat))
    if action.verb is Verb.LEAVES:
        return _depart(here, action)
    if here.table.game.gone >> seat & 1:
        return here, refused(RefusalReason.HAS_LEFT, seat=seat)
    after, refusal = _tried(hub_answers.with_unsaid(here, seat, action), seat, action)
    if refusal is None:
        return after, None
    if refusal.reason is RefusalReason.NO_TRAIN:
        refusal = refused(refusal.reason, train=str(action.train))
    return here, refusal


def _tried(here: places.WrittenPosition, seat: Seat, action: Action) -> places.Tried:
    match action.verb:
        case Verb.LAY if len(action.tiles) == 1 and here.bullet != seat:
            train, on, joined = _place(here, seat, action)
            position = places.position_of(here, seat, action.tile)
            return places.make_move(
                here, moves.LayTile(seat, position, action.tile, train, on, joined)
            )
        case Verb.LAY:
            return _chain(here, seat, action)
        case Verb.DRAW if here.table.phase is RoundPhase.HIGH_DRAW and action.tiles:
            return hub_answers.turn_up(here, seat, action.tile)
        case Verb.DRAW:
            return _draw(here, seat, action.tile if action.tiles else None)
        case Verb.PASS | Verb.DONE | Verb.TAP:
            return places.make_move(here, _SAID[action.verb](seat))
        case Verb.OPEN | Verb.CLOSE:
            return places.make_move(here, moves.Mark(seat, up=action.verb is Verb.OPEN))
        case Verb.CATCHES:
            offender = Seat(here.names.index(str(action.other)))
            return _catch(here, seat, offender, tuple(each.tile for each in action.tiles))
        case Verb.BULLET:
            return _bullet(here, seat)
        case _:
            return hub_answers.answer(here, seat, action)


# ---- laying -------------------------------------------------------------------------------


def _chain(here: places.WrittenPosition, seat: Seat, action: Action) -> places.Tried:
    """Lay the tiles of one line as a single move, each tile on the one before.

    If the seat has declared a bullet train, this move is that train, and the declaration ends.
    """
    train, on, joined = _place(here, seat, action)
    links: list[moves.ChainLink] = []
    for written in action.tiles:
        if links:
            end = links[-1].tile.other_end(links[-1].joined)
            halves = joining_halves(here.table.rules, written.tile, end)
            joined = written.first if written.first in halves else (*halves, written.first)[0]
        taken = {link.position for link in links}
        position = places.position_of(here, seat, written.tile, taken)
        links.append(moves.ChainLink(position, written.tile, joined))
    bullet = here.bullet == seat
    move = moves.LayChain(seat, train, tuple(links), on=on, bullet=bullet)
    return places.make_move(replace(here, bullet=None), move)


def _bullet(here: places.WrittenPosition, seat: Seat) -> places.Tried:
    """Declare a bullet train, which a later line lays.

    Refuse it if the seat may not declare one now, or if its hand is fully known and makes none.
    """
    table = here.table
    may = bullet_now(table)
    if may and seat != table.to_move:
        return here, refused(RefusalReason.ANOTHERS_TURN, to_move=table.to_move)
    if may and not places.unknown_count(here, seat):
        may = bullet_of(table, places.known_hand(here, seat)) is not None
    return (replace(here, bullet=seat), None) if may else (here, Refusal(RefusalReason.NO_BULLET))


def _place(here: places.WrittenPosition, seat: Seat, action: Action) -> tuple[TrainId, int, int]:
    """Return the train, the index of the lay to join, and the joining half of a line's first tile.

    If several places fit, prefer one that is legal (only if the line lays a single tile), then one
    on an owed double, then one where the half written first joins. If none fits, return a place
    that the judge refuses for the right reason. For a train that does not exist, return its id and
    `HUB`.
    """
    written = action.tiles[0]
    train_id = places.train_of(here.names, str(action.train))
    table = here.table
    if not table.has_train(train_id):
        return train_id, HUB, written.first
    train = table.train(train_id)
    ends = [end for end in train.ends if _hangs(train, end, action.hangs_on)]
    hand = places.known_hand(here, seat)
    position = places.position_of(here, seat, written.tile)
    fitting = [
        (end, joined)
        for end in dict.fromkeys(ends)
        for joined in joining_halves(table.rules, written.tile, end.pip)
    ]
    duties = {due.on for due in table.owed if due.train == train_id}
    owed = [end for end in ends if end.on in duties]

    def rank(place: tuple[End, int]) -> tuple[bool, bool, bool]:
        end, joined = place
        move = moves.LayTile(seat, position, written.tile, train_id, end.on, joined)
        refused = len(action.tiles) == 1 and why_illegal_written(table, hand, move) is not None
        return refused, end not in owed, joined != written.first

    if fitting:
        end, joined = min(fitting, key=rank)
        return train_id, end.on, joined
    # nothing fits: return the most relevant end, so that the right rule refuses it
    at = (owed or ends or [End(train_id, HUB - 1, written.first)])[0]
    return train_id, at.on, written.first


def _hangs(train: Train, end: End, double: WrittenTile | None) -> bool:
    if double is None:
        return True
    return end.on != HUB and train.lays[end.on].tile == double.tile


# ---- drawing --------------------------------------------------------------------------------


def _draw(here: places.WrittenPosition, seat: Seat, tile: Tile | None) -> places.Tried:
    """Draw a tile, and note it as known if the line names it.

    Refuse a line that names a tile which cannot be the next one in the boneyard.
    """
    table, wrong = here.table, None
    if tile is not None and seat in due_seats(table):
        wrong = _why_not_next(here, tile)
    after, refusal = places.make_move(here, moves.DrawTile(seat))
    refusal = first_refusal(refusal, wrong)
    if refusal is not None:
        return here, refusal
    if tile is not None:
        after = replace(after, known={**after.known, table.boneyard[0]: tile})
    return after, None


def _why_not_next(here: places.WrittenPosition, tile: Tile, at: int = 0) -> Refusal | None:
    """Return the refusal if the tile at index `at` of the boneyard cannot be this one, else None.

    If the boneyard has no such index, refuse only a tile that is open or known to be elsewhere.
    """
    table = here.table
    next_one = here.known.get(table.boneyard[at]) if at < len(table.boneyard) else None
    unseen = tile in unseen_tiles(table)
    elsewhere = next_one != tile and tile in here.known.values()
    if unseen and not elsewhere and next_one in (None, tile):
        return None
    return refused(RefusalReason.TILE_NOT_DRAWN, tile=tile)


def _catch(
    here: places.WrittenPosition, seat: Seat, offender: Seat, tiles: tuple[Tile, ...]
) -> places.Tried:
    """Catch a silent seat, and note the tiles of its penalty if the line names them. [§7.7]

    Refuse a line that names too many tiles, one tile twice, or a tile that cannot be part of the
    penalty.
    """
    yard = here.table.boneyard
    after, refusal = places.make_move(here, moves.Catch(seat, offender))
    if refusal is not None or not tiles:
        return after, refusal
    count = len(yard) - len(after.table.boneyard)
    known = dict(here.known)
    for at, tile in enumerate(tiles):
        wrong = at >= count or _why_not_next(here, tile, at) is not None
        if wrong or tile in tiles[:at]:
            return here, refused(RefusalReason.TILE_NOT_PAID, tile=tile)
        known[yard[at]] = tile
    return replace(after, known=known), None


# ---- leaving, and unsaid ends of turns ------------------------------------------------------


def _depart(here: places.WrittenPosition, action: Action) -> places.Tried:
    """Return the game after seats leave and None, or the unchanged game and the refusal. [§7.11]

    If the line says `redeal`, the round is given up. Otherwise it goes on, as among peers: in play,
    the boneyard is shuffled again with the leavers' tiles. Forfeits count either way.
    """
    seats = [Seat(here.names.index(name)) for name in (action.seat, *action.together)]
    refusal = _why_stays(here, seats, redeal=action.redeal)
    if refusal is not None:
        return here, refusal
    if action.redeal:
        table = void_round(here.table, seats)
        return replace(here, table=table, said={}, bullet=None), None
    after = replace(here, table=leave(here.table, seats))
    return places.with_reshuffled(after), None


def _why_stays(here: places.WrittenPosition, seats: list[Seat], *, redeal: bool) -> Refusal | None:
    table = here.table
    gone = [seat for seat in seats if seat not in table.present]
    if gone:
        return refused(RefusalReason.HAS_LEFT, seat=gone[0])
    if len(seats) == len(table.present):
        return Refusal(RefusalReason.ALL_LEAVE)
    if redeal:
        called_off = table.phase in (RoundPhase.SCORED, RoundPhase.FINISHED)
        return Refusal(RefusalReason.NOTHING_TO_REDEAL) if called_off else None
    if table.phase not in (RoundPhase.PLAY, RoundPhase.OVER, RoundPhase.SCORED):
        return Refusal(RefusalReason.LEFT_BEFORE_PLAY)
    if here.bullet is not None or table.turn.stage is TurnStage.HELD:
        return Refusal(RefusalReason.LEFT_AMID_PLAY)
    return None


def settled(here: places.WrittenPosition, following: Action | None) -> places.WrittenPosition:
    """Return the game with the turn ended if the seat to move can do nothing else.

    The turn ends with `done`, if that is legal, when the seat's hand is fully known and allows no
    lay, draw or pass. It ends with a pass if the seat leaves a drawn double to the others [§5.11].
    Return the game unchanged in all other cases, and if the next action, `following`, is by that
    seat.
    """
    table = here.table
    if table.phase is not RoundPhase.PLAY:
        return here
    seat = table.to_move
    if following is not None and here.names.index(following.seat) == seat:
        return here
    if is_for_drawn(table):
        return places.make_move(here, moves.Pass(seat))[0]
    if places.unknown_count(here, seat):
        return here
    kinds = (moves.LayTile, moves.LayChain, moves.DrawTile, moves.Pass)
    if any(isinstance(move, kinds) for move in legal_moves(table, places.known_hand(here, seat))):
        return here
    return places.make_move(here, moves.Done(seat))[0]
