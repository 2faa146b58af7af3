"""Actions of a written game, tried on the table: the move that a line means, and what comes of it.

A line says what people say at a table; some of them are several moves of the engine, and some
moves go without saying. What is refused changes nothing. [docs/rules.md §11.3]
"""

from dataclasses import replace
from typing import Final

from engine.play.chain import bullet_now
from engine.play.due import due_seats
from engine.play.hub_search import asks_one, found_position, next_turned, seek_of
from engine.play.judge import why_illegal_written
from engine.play.legal_moves import bullet_of, legal_moves
from engine.refusals import Refusal, RefusalReason
from engine.table.moves import (
    ChainLink,
    Declare,
    Discard,
    Done,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    Move,
    NoDouble,
    Pass,
    PullBack,
    Silent,
    Tap,
    TurnUp,
)
from engine.table.table import RoundPhase, Table, joining_halves
from engine.table.trains import HUB, End, Seat, Train, TrainId
from engine.table.turn import SeekStep
from engine.tiles import Tile
from engine.written.drawn_tiles import catch, draw
from engine.written.game import Action, Verb, WrittenTile
from engine.written.made_moves import NOWHERE, Tried, make_move, position_of
from engine.written.position import WrittenPosition, known_hand, train_of, unknown_count


def attempt(here: WrittenPosition, action: Action) -> Tried:
    """The game after an action, or unchanged and why it is refused."""
    seat = Seat(here.names.index(action.seat))
    ready = _with_unsaid(here, seat, action)
    after, refusal = _tried(ready, seat, action)
    return (here, refusal) if refusal is not None else (after, None)


def _tried(here: WrittenPosition, seat: Seat, action: Action) -> Tried:  # noqa: C901 - one a verb
    tile = action.tiles[0].tile if action.tiles else None
    match action.verb:
        case Verb.LAY if len(action.tiles) == 1 and here.bullet != seat:
            return _lay(here, seat, action)
        case Verb.LAY:
            return _chain(here, seat, action)
        case Verb.DRAW if here.table.phase is RoundPhase.HIGH_DRAW and tile is not None:
            return _turn_up(here, seat, tile)
        case Verb.DRAW:
            return draw(here, seat, tile)
        case Verb.PASS:
            return make_move(here, Pass(seat))
        case Verb.DONE:
            return make_move(here, Done(seat))
        case Verb.OPEN | Verb.CLOSE:
            return make_move(here, Mark(seat, up=action.verb is Verb.OPEN))
        case Verb.TAP:
            return make_move(here, Tap(seat))
        case Verb.CATCHES:
            offender = Seat(here.names.index(str(action.other)))
            return catch(here, seat, offender, tuple(each.tile for each in action.tiles))
        case Verb.BULLET:
            return _bullet(here, seat)
        case _:
            return _seek(here, seat, action)


# ---- laying -------------------------------------------------------------------------------


def _lay(here: WrittenPosition, seat: Seat, action: Action) -> Tried:
    written = action.tiles[0]
    position = position_of(here, seat, written.tile)
    train, on, joined = _place(here, seat, action, written)
    move = LayTile(seat, position, written.tile, train, on, joined)
    return _named(make_move(here, move), action)


def _named(tried: Tried, action: Action) -> Tried:
    """A refusal that speaks of a train that is not there says which word was written."""
    here, refusal = tried
    if refusal is not None and refusal.reason is RefusalReason.NO_TRAIN:
        refusal = replace(refusal, facts=(("train", str(action.train)),))
    return here, refusal


def _chain(here: WrittenPosition, seat: Seat, action: Action) -> Tried:
    """Several tiles in one line, each on the one before; or the bullet train that was declared."""
    first = action.tiles[0]
    train, on, joined = _place(here, seat, action, first)
    links: list[ChainLink] = []
    for written in action.tiles:
        if links:
            end = links[-1].tile.other_end(links[-1].joined)
            halves = joining_halves(here.table.rules, written.tile, end)
            joined = written.first if written.first in halves else (*halves, written.first)[0]
        taken = {link.position for link in links}
        position = position_of(here, seat, written.tile, taken)
        links.append(ChainLink(position, written.tile, joined))
    bullet = here.bullet == seat
    move = LayChain(seat, train, tuple(links), on=on, bullet=bullet)
    return _named(make_move(replace(here, bullet=None), move), action)


def _bullet(here: WrittenPosition, seat: Seat) -> Tried:
    """A bullet train is declared; the line that lays it follows."""
    table = here.table
    refusal = Refusal(RefusalReason.NO_BULLET)
    if table.phase is not RoundPhase.PLAY or not bullet_now(table):
        return here, refusal
    if seat != table.to_move:
        facts = (("to_move", table.to_move),)
        return here, Refusal(RefusalReason.ANOTHERS_TURN, facts)
    if not unknown_count(here, seat) and bullet_of(table, known_hand(here, seat)) is None:
        return here, refusal
    return replace(here, bullet=seat), None


def _place(
    here: WrittenPosition, seat: Seat, action: Action, written: WrittenTile
) -> tuple[TrainId, int, int]:
    """The train, the end and the joining half that an action means, legal or not."""
    train_id = train_of(here.names, str(action.train))
    table = here.table
    if not table.has_train(train_id):
        return train_id, HUB, written.first
    train = table.train(train_id)
    ends = [end for end in train.ends if _hangs(train, end, action.hangs_on)]
    hand = known_hand(here, seat)
    position = position_of(here, seat, written.tile)
    fitting = [
        (end, joined)
        for end in dict.fromkeys(ends)
        for joined in joining_halves(table.rules, written.tile, end.pip)
    ]
    owed = [end for end in ends if any(end.on == due.on for due in table.owed)]

    def rank(place: tuple[End, int]) -> tuple[bool, bool, bool]:
        end, joined = place
        move = LayTile(seat, position, written.tile, train_id, end.on, joined)
        refused = len(action.tiles) == 1 and why_illegal_written(table, hand, move) is not None
        return refused, end not in owed, joined != written.first

    if fitting:
        end, joined = min(fitting, key=rank)
        return train_id, end.on, joined
    # Nothing fits: name the end that would have counted, so that the right rule refuses it.
    due = [end for end in ends if any((train_id, end.on) == (o.train, o.on) for o in table.owed)]
    at = (due or ends or [End(train_id, HUB - 1, written.first)])[0]
    return train_id, at.on, written.first


def _hangs(train: Train, end: End, double: WrittenTile | None) -> bool:
    if double is None:
        return True
    return end.on != HUB and train.lays[end.on].tile == double.tile


# ---- the search for the double ------------------------------------------------------------


_NOT_ASKED: Final = {
    Verb.ENGINE: RefusalReason.NO_DOUBLE_ASKED,
    Verb.NONE: RefusalReason.NO_DOUBLE_ASKED,
    Verb.DECLARES: RefusalReason.NO_DECLARING,
    Verb.SILENT: RefusalReason.NO_SILENCE,
    Verb.TURNS: RefusalReason.NO_LOOK,
    Verb.DISCARDS: RefusalReason.NO_DISCARD,
    Verb.PULLS: RefusalReason.NO_PULL,
}
"""What is said to an answer while no double is looked for."""


def _seek(here: WrittenPosition, seat: Seat, action: Action) -> Tried:
    tile = action.tiles[0].tile if action.tiles else None
    if here.table.phase not in (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW):
        return here, Refusal(_NOT_ASKED[action.verb])
    match action.verb:
        case Verb.TURNS:
            assert tile is not None
            return _turn_up(here, seat, tile)
        case Verb.NONE | Verb.SILENT:
            return _answer(here, seat, action.verb)
        case Verb.DISCARDS:
            assert tile is not None
            return make_move(here, Discard(seat, position_of(here, seat, tile)))
        case Verb.PULLS:
            assert tile is not None
            other = Seat(here.names.index(str(action.other)))
            return make_move(here, PullBack(seat, other, position_of(here, other, tile)))
        case _:
            assert tile is not None
            return _lay_hub(here, seat, tile, action.verb)


def _lay_hub(here: WrittenPosition, seat: Seat, tile: Tile, verb: Verb) -> Tried:
    """Lay the double: after everybody has let the higher ones go by, where rules ask so."""
    here = _asked_down_to(here, tile)
    table = here.table
    found = found_position(table)
    position = position_of(here, seat, tile)
    declaring = table.rules.engine.facts.is_declared
    if table.phase is RoundPhase.ENGINE:
        step = seek_of(table).step
        if found is not None and here.known.get(found) == tile:
            position = found
        declaring = declaring and step not in (SeekStep.FOUND, SeekStep.FORCED)
    if verb is Verb.DECLARES and not table.rules.engine.facts.is_declared:
        return here, Refusal(RefusalReason.NO_DECLARED_DOUBLES)
    kind = Declare if declaring else LayHub
    return _settle_answers(make_move(here, kind(seat, position, tile)))


def _asked_down_to(here: WrittenPosition, tile: Tile) -> WrittenPosition:
    """The table once nobody has laid a double above this one, as far as hands are known."""
    table = here.table
    while table.phase is RoundPhase.ENGINE and asks_one(table):
        seek = seek_of(table)
        if tile not in seek.asked or seek.asked[0] == tile:
            break
        after = here
        for seat in due_seats(table):
            declared = seek.step is SeekStep.ASK and table.rules.engine.facts.is_declared
            move = Silent(seat) if declared else NoDouble(seat)
            after, refusal = make_move(after, move)
            if refusal is not None:
                return here
        here, table = after, after.table
    return here


def _answer(here: WrittenPosition, seat: Seat, verb: Verb) -> Tried:
    """`none` or `silent`: said once for every double that is still asked for."""
    table = here.table
    if table.phase is not RoundPhase.ENGINE:
        return here, Refusal(_NOT_ASKED[verb])
    seek = seek_of(table)
    declared = table.rules.engine.facts.is_declared
    if verb is Verb.SILENT and not declared:
        return here, Refusal(RefusalReason.NO_DECLARED_DOUBLES)
    if seek.step is SeekStep.ASK and seat in due_seats(table):
        held = {tile for _, tile in known_hand(here, seat).tiles}
        bound = verb is Verb.NONE or table.round_number + 1 >= table.spec.rounds
        kept = [tile for tile in seek.asked if tile in held]
        if bound and kept:
            facts = (("tile", kept[0]),)
            return here, Refusal(RefusalReason.DOUBLE_KEPT, facts)
        said = {**here.said, seat: verb}
        return _settle_answers((replace(here, said=said), None))
    if seek.step is SeekStep.FOUND and seat == table.to_move:
        return here, Refusal(RefusalReason.FOUND_DOUBLE_KEPT)
    if seek.step is SeekStep.FORCED:
        return _forced_answer(here, seat, verb)
    return make_move(here, NoDouble(seat) if verb is Verb.NONE else Silent(seat))


def _forced_answer(here: WrittenPosition, seat: Seat, verb: Verb) -> Tried:
    """All was looked through: only who holds no unused double may keep silent."""
    held = {tile for _, tile in known_hand(here, seat).tiles}
    kept = [tile for tile in seek_of(here.table).asked if tile in held]
    if kept:
        facts = (("tile", kept[0]),)
        return here, Refusal(RefusalReason.FOUND_DOUBLE_KEPT, facts)
    said = {**here.said, seat: Verb.NONE if verb is Verb.SILENT else verb}
    return _settle_answers((replace(here, said=said), None))


def _settle_answers(tried: Tried) -> Tried:
    """Carry out what has been said for all doubles, ask by ask, as far as it goes."""
    here, refusal = tried
    if refusal is not None:
        return tried
    series = _series(here.table)
    while here.table.phase is RoundPhase.ENGINE:
        table = here.table
        if series is not None and _series(table) != series and not _claims(table):
            break
        if not all(seat in here.said for seat in due_seats(table)) or not _asking(table):
            return here, None
        for seat in due_seats(table):
            here, refusal = make_move(here, _said_as(here.table, here.said[seat], seat))
            assert refusal is None, "what is said is held against the hand when it is said"
    return replace(here, said={}), None


def _said_as(table: Table, verb: Verb, seat: Seat) -> Move:
    declared = table.rules.engine.facts.is_declared and seek_of(table).step is SeekStep.ASK
    return Silent(seat) if declared or verb is Verb.SILENT else NoDouble(seat)


def _asking(table: Table) -> bool:
    return seek_of(table).step in (SeekStep.ASK, SeekStep.CLAIM, SeekStep.FORCED)


def _claims(table: Table) -> bool:
    return table.phase is RoundPhase.ENGINE and seek_of(table).step is SeekStep.CLAIM


def _series(table: Table) -> tuple[SeekStep, int] | None:
    """The series of questions that is being asked: its kind, and how many tiles all hold."""
    if table.phase is not RoundPhase.ENGINE:
        return None
    return seek_of(table).step, sum(map(len, table.hands))


def _turn_up(here: WrittenPosition, seat: Seat, tile: Tile) -> Tried:
    """Turn up the next boneyard tile, or look at it, which the text tells all the same."""
    table = here.table
    position = next_turned(table, seat) if table.phase is not RoundPhase.PLAY else None
    if position is None:
        move = TurnUp(seat, NOWHERE, tile)
        return make_move(here, move)
    known = here.known.get(position)
    held = {here.known.get(at) for hand in table.hands for at in hand}
    if seat in due_seats(table) and (known not in (None, tile) or tile in held):
        return here, Refusal(RefusalReason.TILE_NOT_THERE, (("tile", tile),))
    private = table.phase is RoundPhase.ENGINE and seek_of(table).step is SeekStep.LOOK
    after, refusal = make_move(here, TurnUp(seat, position, None if private else tile))
    if refusal is not None or position not in set(after.table.boneyard):
        return after, refusal
    after = replace(after, known={**after.known, position: tile})
    if private and tile not in seek_of(after.table).asked:
        return make_move(after, Silent(seat))
    return after, None


# ---- what goes without saying -------------------------------------------------------------


def _with_unsaid(here: WrittenPosition, seat: Seat, action: Action) -> WrittenPosition:
    """The table once the seat that is due has done what the next action takes for granted.

    A seat whose draw did not bring the double need not say so, nor one that looked in vain;
    and a double turned up for all is laid by whoever turned it.
    """
    table = here.table
    if table.phase is not RoundPhase.ENGINE or seat == table.to_move:
        return here
    step, due = seek_of(table).step, table.to_move
    move: Move | None = None
    if step is SeekStep.DRAWN and action.verb is Verb.DRAW:
        move = NoDouble(due)
    elif step is SeekStep.LOOKED and action.verb is Verb.TURNS:
        move = Silent(due)
    elif step is SeekStep.FOUND and action.verb is Verb.PULLS:
        position, tile = seek_of(table).turned[-1]
        move = None if tile is None else LayHub(due, position, tile)
    if move is None:
        return here
    return make_move(here, move)[0]


def settled(here: WrittenPosition, following: Action | None) -> WrittenPosition:
    """The game with a turn ended in which the known hand of its seat allows no more.

    Only where nothing is left but to say `done`, and the next action is not by that seat.
    """
    table = here.table
    if table.phase is not RoundPhase.PLAY:
        return here
    seat = table.to_move
    if following is not None and here.names.index(following.seat) == seat:
        return here
    if unknown_count(here, seat):
        return here
    moves = legal_moves(table, known_hand(here, seat))
    if any(isinstance(move, (LayTile, LayChain, DrawTile, Pass)) for move in moves):
        return here
    return make_move(here, Done(seat))[0]
