"""News since the player's last turn: their own pass, the others' moves, and who is nearly out."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from msgspec import Struct

from cli.language import joined, say, say_count
from cli.scene import Scene, own_train, tile_text, train_name
from cli.wording.moves import played_text
from engine.table.moves import DrawTile, LayChain, LayTile, Move, Pass, TurnMove
from engine.table.table import ENDED, Table
from engine.table.trains import Position, Seat, TrainId
from netgame.protocol.state.phases import History


class OwnPass(Struct, frozen=True):
    """A pass that ended this seat's turn."""

    drawn: frozenset[Position] = frozenset()
    """The tiles drawn before it that did not fit."""


class Since(Struct, frozen=True):
    """The others' moves since the seat's last turn, oldest first, and train lengths before them."""

    moves: tuple[Move, ...] = ()
    lengths: Mapping[TrainId, int] = {}
    """The lengths in tiles; a train that is not listed has no new tiles."""
    drawn: frozenset[Position] = frozenset()
    """The tiles that have come to this seat since its last turn began."""
    had_turn: bool = False
    """True if this seat has had a turn in this round."""
    grown: frozenset[TrainId] = frozenset()
    """The trains that have grown just now."""
    passed: OwnPass | None = None
    """The pass, if one ended this seat's last turn; programs usually pass for their player."""


NOTHING_YET: Final = Since()


def since_last_turn(history: History, table: Table, seat: Seat | None, *, in_turn: bool) -> Since:
    """Return what others have done since this seat last finished a turn.

    `table` is the table after the moves. If the seat is `in_turn`, its moves in this turn do not
    count. Return `NOTHING_YET` for a watcher, and if nobody has moved.
    """
    turns = [(table, move) for table, move in history if isinstance(move, TurnMove)]
    start: Table | None = None
    while in_turn and turns and turns[-1][1].seat == seat:
        start, _ = turns.pop()
    found: list[Move] = []
    before: Table | None = None
    while turns and turns[-1][1].seat != seat:
        before, move = turns.pop()
        found.append(move)
    had_turn = bool(turns)
    came_to = before or start or table
    last_turn: list[tuple[Table, Move]] = []
    while turns and turns[-1][1].seat == seat:
        last_turn.insert(0, turns.pop())
    start = last_turn[0][0] if last_turn else start or before
    if start is None or seat is None:
        return NOTHING_YET
    drawn = frozenset(table.hands[seat]) - frozenset(start.hands[seat])
    lengths = {} if before is None else {train.id: len(train.lays) for train in before.trains}
    passed = _own_pass(last_turn, came_to, seat)
    return Since(tuple(reversed(found)), lengths, drawn, had_turn, passed=passed)


def _own_pass(turn: Sequence[tuple[Table, Move]], after: Table, seat: Seat) -> OwnPass | None:
    """Return the pass that ended a turn and led to the table `after`; None without a pass."""
    if not turn or not isinstance(turn[-1][1], Pass):
        return None
    at = max((at for at, (_, move) in enumerate(turn) if _train(move) is not None), default=-1)
    stuck, _ = turn[at + 1]
    return OwnPass(frozenset(after.hands[seat]) - frozenset(stuck.hands[seat]))


def since_sentence(scene: Scene, since: Since) -> str:
    """Return sentences on the player's own pass, if any, and on the others' moves.

    The moves told are plays, draws and passes. Return "" if there is nothing to tell.
    """
    by_seat: dict[Seat, list[Move]] = {}
    for move in since.moves:
        by_seat.setdefault(move.seat, []).append(move)
    told = [_told(scene, seat, moves) for seat, moves in by_seat.items()]
    said = [] if since.passed is None else [_passed(scene, since.passed)]
    if any(told):
        text = "Since your turn: {told}." if since.had_turn else "Since the deal: {told}."
        said.append(say(text, told="; ".join(filter(None, told))))
    return " ".join(said)


def _passed(scene: Scene, passed: OwnPass) -> str:
    """Return a sentence on the player's own pass and the tiles drawn before it.

    If the pass left their train open, the sentence says so.
    """
    own = own_train(scene)
    is_open = own is not None and scene.table.train(own).marker
    if not passed.drawn:
        return say("You passed: your train is open." if is_open else "You passed.")
    text = "You drew {tiles} and passed."
    if is_open:
        text = "You drew {tiles} and passed: your train is open."
    held = () if scene.hand is None else scene.hand.tiles
    seen = [tile_text(tile) for position, tile in held if position in passed.drawn]
    count = len(passed.drawn)
    tiles = joined(seen) if len(seen) == count else say_count("a tile", "{count} tiles", count)
    return say(text, tiles=tiles)


def _told(scene: Scene, seat: Seat, moves: Sequence[Move]) -> str:
    """Return a seat's name and moves: tiles train by train, `drew`, `passed`; empty if none."""
    words = [(_train(move), word) for move in moves if (word := _word(move))]
    said: list[str] = []
    for train, group in groupby(words, itemgetter(0)):
        parts = [word for _, word in group]
        said += parts if train is None else [_placed(scene, seat, train, " ".join(parts))]
    return f"{scene.names[seat]} {', '.join(said)}" if said else ""


def _train(move: Move) -> TrainId | None:
    return move.train if isinstance(move, LayTile | LayChain) else None


def _word(move: Move) -> str:
    match move:
        case LayTile() | LayChain():
            return played_text(move)
        case DrawTile():
            return say("drew")
        case Pass():
            return say("passed")
        case _:
            return ""


def _placed(scene: Scene, seat: Seat, train: TrainId, tiles: str) -> str:
    """Return tiles as text with the train they are on, unless it is the seat's own."""
    if train == TrainId(seat):
        return tiles
    text = "{tiles} on your train" if train == own_train(scene) else "{tiles} on {train}"
    return say(text, tiles=tiles, train=train_name(scene, train))


def one_left_sentences(scene: Scene) -> tuple[str, ...]:
    """Return a warning for each other seat that holds only one tile; empty after a round."""
    if scene.table.phase in ENDED:
        return ()
    left = [seat for seat in scene.table.present if len(scene.table.hands[seat]) == 1]
    return tuple(
        say("{name} has ONE TILE LEFT.", name=scene.names[seat])
        for seat in left
        if seat != scene.seat
    )
