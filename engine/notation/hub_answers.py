"""The search for the hub's double in a written game: answers, and the moves that go unsaid.

An answer such as `none` counts for every double still to be asked for. Where the heaviest tile is
asked for, a line that shows a tile implies that nobody has a heavier one. [docs/rules.md §1.5,
§1.6, §11.3]
"""

from dataclasses import replace
from typing import Final

from engine.notation import position as places
from engine.notation.game import Action, Verb
from engine.play.due import due_seats
from engine.play.hub_search import (
    answers,
    found_position,
    is_looked_at,
    must_declare,
    next_turned,
    not_asked,
)
from engine.refusals import Refusal, RefusalReason, refused
from engine.table import moves
from engine.table.rounds import sought_doubles
from engine.table.table import RoundPhase, Table
from engine.table.trains import Seat
from engine.table.turn import EngineSearch, SeekStep
from engine.tiles import Tile

ANSWERS: Final[dict[Verb, type[moves.HubMove]]] = {
    Verb.ENGINE: moves.LayHub,
    Verb.NONE: moves.NoDouble,
    Verb.DECLARES: moves.Declare,
    Verb.SILENT: moves.Silent,
    Verb.TURNS: moves.TurnUp,
    Verb.DISCARDS: moves.Discard,
    Verb.PULLS: moves.PullBack,
    Verb.SHOWS: moves.Show,
}
"""The verbs of the search, each with the type of its move."""


def answer(here: places.WrittenPosition, seat: Seat, action: Action) -> places.Tried:
    """Return the game after a move of the search and None, or the unchanged game and the refusal.

    The verb must be one of `ANSWERS`. Refuse it in any phase other than the search and the high
    draw.
    """
    if here.table.phase not in (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW):
        return here, not_asked(ANSWERS[action.verb])
    match action.verb:
        case Verb.TURNS:
            return turn_up(here, seat, action.tile)
        case Verb.SHOWS:
            here = _asked_down_to(here, action.tile)
            position = places.position_of(here, seat, action.tile)
            return places.make_move(here, moves.Show(seat, position, action.tile))
        case Verb.NONE | Verb.SILENT:
            return _deny(here, seat, action.verb)
        case Verb.DISCARDS:
            return places.make_move(
                here, moves.Discard(seat, places.position_of(here, seat, action.tile))
            )
        case Verb.PULLS:
            other = Seat(here.names.index(str(action.other)))
            position = places.position_of(here, other, action.tile)
            return places.make_move(here, moves.PullBack(seat, other, position))
        case _:
            return _lay_hub(here, seat, action.tile, action.verb)


def _lay_hub(here: places.WrittenPosition, seat: Seat, tile: Tile, verb: Verb) -> places.Tried:
    """Lay or declare the double, after the seats have denied the higher ones that are asked for.

    Take it from the boneyard if it is known to be the double found there, else from the hand.
    Refuse `declares` if the rules have no declaring; otherwise the rules, not the verb, decide
    whether the double is laid or declared.
    """
    here = _asked_down_to(here, tile)
    table = here.table
    found = found_position(table)
    position = places.position_of(here, seat, tile)
    is_declared = table.rules.engine.is_declared
    if found is not None and here.known.get(found) == tile:
        position = found
    if verb is Verb.DECLARES and not is_declared:
        return here, Refusal(RefusalReason.NO_DECLARED_DOUBLES)
    is_laid = not is_declared or moves.LayHub in answers(table)
    kind = moves.LayHub if is_laid else moves.Declare
    return _settle_answers(places.make_move(here, kind(seat, position, tile)))


def _asked_down_to(here: places.WrittenPosition, tile: Tile) -> places.WrittenPosition:
    """Return the game after all due seats have denied the tiles that are asked for before `tile`.

    Stop at a tile that a known hand must lay or show. Return the game unchanged if `tile` is not
    asked for, or if tiles are not asked for one by one.
    """
    table = here.table
    while isinstance(seek := table.now, EngineSearch) and seek.asks_one:
        if tile not in seek.asked or seek.asked[0] == tile:
            break
        after, kind = here, _denial(table)
        for seat in due_seats(table):
            after, refusal = places.make_move(after, kind(seat))
            if refusal is not None:
                return here
        here, table = after, after.table
    return here


def _denial(table: Table) -> type[moves.NoDouble | moves.Silent]:
    """Return the type of move by which a seat declines to lay or show the tile asked for now."""
    return moves.NoDouble if moves.NoDouble in answers(table) else moves.Silent


def _deny(here: places.WrittenPosition, seat: Seat, verb: Verb) -> places.Tried:
    """Take `none` or `silent` as a seat's answer for every double still to be asked for.

    If the step asks all seats for one double at a time, note the answer, and carry it out once all
    have answered. Otherwise make the move at once. Refuse `silent` if the rules have no silence,
    and refuse an answer that the known hand contradicts. Once the seats have looked through all
    tiles, only a seat without an unused double may keep silent.
    """
    table, seek = here.table, here.table.now
    if not isinstance(seek, EngineSearch):
        return here, not_asked(ANSWERS[verb])
    if verb is Verb.SILENT and not table.rules.engine.is_declared:
        return here, Refusal(RefusalReason.NO_DECLARED_DOUBLES)
    if seek.step is SeekStep.FOUND and seat == table.to_move:
        return here, Refusal(RefusalReason.FOUND_DOUBLE_KEPT)
    is_forced = seek.step is SeekStep.FORCED
    if not is_forced and (seek.step is not SeekStep.ASK or seat not in due_seats(table)):
        kind = moves.NoDouble if verb is Verb.NONE else moves.Silent
        return places.make_move(here, kind(seat))
    held = {tile for _, tile in places.known_hand(here, seat).tiles}
    kept = [tile for tile in seek.asked if tile in held]
    denies = is_forced or must_declare(table) or verb is Verb.NONE
    if kept and denies:
        reason = RefusalReason.FOUND_DOUBLE_KEPT if is_forced else RefusalReason.DOUBLE_KEPT
        return here, refused(reason, tile=kept[0])
    said = {**here.said, seat: Verb.NONE if is_forced else verb}
    return _settle_answers((replace(here, said=said), None))


def _settle_answers(tried: places.Tried) -> places.Tried:
    """Carry out the noted answers, question by question, as far as they go.

    Stop at a question that a due seat has not answered. The answers count for one series of
    questions: those of one step with no draw between them, and the claim that may follow. When the
    series ends, forget the answers. Return a refused try as it is.
    """
    here, refusal = tried
    if refusal is not None:
        return tried
    series = None
    while isinstance(seek := here.table.now, EngineSearch):
        table, step = here.table, seek.step
        now = step, sum(map(len, table.hands))
        series = series or now
        if now != series and step is not SeekStep.CLAIM:
            break
        asks = step in (SeekStep.ASK, SeekStep.CLAIM, SeekStep.FORCED)
        if not asks or not all(seat in here.said for seat in due_seats(table)):
            return here, None
        for seat in due_seats(table):
            kind = moves.Silent if here.said[seat] is Verb.SILENT else _denial(table)
            here, refusal = places.make_move(here, kind(seat))
            # `_deny` has already checked each answer against the known hand
            assert refusal is None, "what is said is held against the hand when it is said"
    return replace(here, said={}), None


def turn_up(here: places.WrittenPosition, seat: Seat, tile: Tile) -> places.Tried:
    """Turn up the next boneyard tile, or look at it; the line names the tile in either case.

    Refuse it if another tile is known to be there, or if this one is known to be in a hand. If a
    seat looks at a tile that may not go in the hub, the same line also counts as its silence.
    """
    table = here.table
    position = next_turned(table, seat)
    if position is None:
        return places.make_move(here, moves.TurnUp(seat, places.NOWHERE, tile))
    known = here.known.get(position)
    held = {here.known.get(at) for hand in table.hands for at in hand}
    if seat in due_seats(table) and (known not in (None, tile) or tile in held):
        return here, refused(RefusalReason.TILE_NOT_THERE, tile=tile)
    private = is_looked_at(table)
    after, refusal = places.make_move(here, moves.TurnUp(seat, position, None if private else tile))
    if refusal is not None or position not in set(after.table.boneyard):
        return after, refusal
    after = replace(after, known={**after.known, position: tile})
    if private and tile not in sought_doubles(table):
        return places.make_move(after, moves.Silent(seat))
    return after, None


def with_unsaid(here: places.WrittenPosition, seat: Seat, action: Action) -> places.WrittenPosition:
    """Return the game after the unsaid move that the next action implies, if it implies one.

    The next action is by `seat`; the unsaid move is by the seat to move. That seat need not say
    that its draw did not bring the double, or that the tile it looked at is useless. A double
    turned up for all is laid by the seat that turned it up.
    """
    seek, due = here.table.now, here.table.to_move
    if not isinstance(seek, EngineSearch) or seat == due:
        return here
    step = seek.step
    move: moves.Move | None = None
    if step is SeekStep.DRAWN and action.verb is Verb.DRAW:
        move = moves.NoDouble(due)
    elif step is SeekStep.LOOKED and action.verb is Verb.TURNS:
        move = moves.Silent(due)
    elif step is SeekStep.FOUND and action.verb is Verb.PULLS:
        position, tile = seek.turned[-1]
        move = None if tile is None else moves.LayHub(due, position, tile)
    if move is None:
        return here
    return places.make_move(here, move)[0]
