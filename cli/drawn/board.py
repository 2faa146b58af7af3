"""The board, a hand and the list of plays as lines; pure, and never wider than the canvas.

A train is a chain of ends, newest at the right: `12-3-2=2-5` is 12-3, 3-2, the double 2 and 2-5
on a hub of 12. Digits and signs carry the meaning: `>` whose turn, a dot for a train that is open
to all, `!` a double that must be covered, `+` a tile that can be laid. Colour is on open ends and
in the hand, nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from cli.drawn.cells import Canvas, clip, line_cells, pad, text_cells, wrap_words
from cli.drawn.palette import Line, Paint, Span
from cli.said.duties import duty_sentences
from cli.said.moves import move_text
from cli.scene import (
    Scene,
    choices,
    lays,
    own_train,
    place_text,
    seat_name,
    tile_text,
    train_name,
    train_number,
)
from engine.table.moves import LayTile, Move
from engine.table.table import RoundPhase
from engine.table.trains import Seat, Train, TrainId
from engine.tiles import Tile

_WIDE_COLUMNS: Final = 100
_BOXED_ROWS: Final = 30
_BOXED_COLUMNS: Final = 80
_NARROW_COLUMNS: Final = 60
_CHAIN_CELLS_MIN: Final = 6
_TRAINS_FULL: Final = 9


class HandOrder(Enum):
    """How a hand is laid out; `hand sort` goes on to the next."""

    VALUE = "by value"
    WEIGHT = "heaviest first"
    ENDS = "playable first"


# ---- trains ---------------------------------------------------------------------------------


def chain_pieces(train: Train, hub: int) -> tuple[str, ...]:
    """Return the ends of a train from the hub to its newest tile, each with its joint."""
    path = []
    at = len(train.lays) - 1
    while at >= 0:
        path.append(train.lays[at])
        at = train.lays[at].on
    pieces = [str(hub)]
    for lay in reversed(path):
        if lay.tile.low == lay.tile.high:
            pieces.append(f"={lay.tile.high}")
        else:
            other = lay.tile.high if lay.joined == lay.tile.low else lay.tile.low
            pieces.append(f"-{other}")
    return tuple(pieces)


def chain_text(pieces: Sequence[str], cells: int, cut: str) -> str:
    """Return as many of the newest pieces as fit, with `cut` in place of the older ones."""
    whole = "".join(pieces)
    if len(whole) <= cells:
        return whole
    kept = ""
    for piece in reversed(pieces):
        if len(piece) + len(kept) + len(cut) > cells:
            break
        kept = piece + kept
    return cut + kept


def _own_label(scene: Scene, cells: int) -> str:
    assert scene.seat is not None
    label = f"{seat_name(scene, scene.seat)} (you)"
    return label if text_cells(label) <= cells else "you"


def _label(scene: Scene, train: TrainId, cells: int, cut: str) -> str:
    if train == own_train(scene):
        return _own_label(scene, cells)
    return clip(train_name(scene, train), cells, cut)


def _label_cells(scene: Scene, canvas: Canvas) -> int:
    widest = max(text_cells(train_name(scene, train.id)) for train in scene.table.trains)
    own = 0 if scene.seat is None else text_cells(seat_name(scene, scene.seat)) + 6
    return min(max(widest, own, 7), 8 if canvas.columns < _NARROW_COLUMNS else 16)


def _owed_on(scene: Scene, train: TrainId) -> bool:
    return any(owed.train == train for owed in scene.table.owed)


def _is_open(scene: Scene, train: Train) -> bool:
    return train.marker or train.id < 0


def _ends_spans(scene: Scene, train: Train, canvas: Canvas) -> list[Span]:
    hub = 0 if scene.table.hub is None else scene.table.hub.low
    # a branch that takes several tiles, or two of one value, is one number to look at
    ends = list(dict.fromkeys(end.pip for end in train.ends)) or ([] if train.lays else [hub])
    spans: list[Span] = []
    for pip in ends:
        spans.extend((Span(" "),) if spans else ())
        spans.append(Span(f"{pip:>2}", Paint.CHIP, pip))
    spans = spans or [Span(" -")]
    spans.append(Span("!", Paint.ALERT) if _owed_on(scene, train.id) else Span(" "))
    return spans


def _train_head(scene: Scene, train: Train, label_cells: int, canvas: Canvas) -> Line:
    """Build turn marker, number, name, tiles held, open sign and open end of one train."""
    turn = scene.table.phase is RoundPhase.PLAY and train.id == TrainId(scene.table.to_move)
    own = train.id == own_train(scene)
    has_hand = Seat(train.id) in scene.table.present
    held = str(len(scene.table.hands[train.id])) if has_hand else "-"
    name = pad(_label(scene, train.id, label_cells, canvas.glyphs.cut), label_cells)
    return (
        Span(">", Paint.ALERT) if turn else Span(" "),
        Span(f"{train_number(train.id):>2} "),
        Span(name, Paint.STRONG if own else Paint.PLAIN),
        Span(f" {held:>2} "),
        Span(canvas.glyphs.open_end if _is_open(scene, train) else " ", Paint.STRONG),
        Span(" "),
        *_ends_spans(scene, train, canvas),
        Span(" "),
    )


def _train_row(scene: Scene, train: Train, label_cells: int, canvas: Canvas) -> tuple[Line, ...]:
    head = _train_head(scene, train, label_cells, canvas)
    room = max(_CHAIN_CELLS_MIN, canvas.columns - line_cells(head))
    if not train.lays:
        return ((*head, Span(clip("not started", room, canvas.glyphs.cut), Paint.DIM)),)
    pieces = chain_pieces(train, _hub(scene))
    if canvas.columns < _WIDE_COLUMNS:
        return ((*head, Span(chain_text(pieces, room, canvas.glyphs.cut))),)
    rows = _wrap_pieces(pieces, room)
    blank = Span(" " * line_cells(head))
    return ((*head, Span(rows[0])), *((blank, Span(row)) for row in rows[1:]))


def _wrap_pieces(pieces: Sequence[str], cells: int) -> tuple[str, ...]:
    rows = [""]
    for piece in pieces:
        if rows[-1] and len(rows[-1]) + len(piece) > cells:
            rows.append("")
        rows[-1] += piece
    return tuple(rows)


def _hub(scene: Scene) -> int:
    return 0 if scene.table.hub is None else scene.table.hub.low


def train_lines(scene: Scene, train: TrainId, canvas: Canvas) -> tuple[Line, ...]:
    """Draw one whole train, wrapped, with its owner and state in words."""
    found = scene.table.train(train)
    state = "open to all" if _is_open(scene, found) else "private"
    owed = ", a double to cover" if _owed_on(scene, train) else ""
    count = f"{len(found.lays)} {'tile' if len(found.lays) == 1 else 'tiles'}"
    head = f" {train_number(train)} {train_name(scene, train)}: {count}, {state}{owed}"
    rows = _wrap_pieces(chain_pieces(found, _hub(scene)), max(8, canvas.columns - 4))
    lines = [(Span(clip(head, canvas.columns, canvas.glyphs.cut)),)]
    return (*lines, *((Span(f"   {row}"),) for row in rows))


# ---- board ----------------------------------------------------------------------------------


def rule_line(canvas: Canvas) -> Line:
    """Draw a line across the canvas."""
    return (Span(canvas.glyphs.rule * canvas.columns, Paint.DIM),)


def _header(scene: Scene, canvas: Canvas) -> Line:
    table = scene.table
    hub = "?" if table.hub is None else tile_text(table.hub)
    turn = ""
    if table.phase is RoundPhase.PLAY:
        own = table.to_move == scene.seat
        turn = "Your turn" if own else f"{seat_name(scene, table.to_move)}'s turn"
    number = f"{table.round_number + 1}/{table.spec.rounds}"
    yard = len(table.boneyard)
    long = f" Round {number}   Engine {hub}   Boneyard {yard}   {turn}"
    short = f" R{number}  {hub}  Yard {yard}  {turn}"
    text = long if text_cells(long) <= canvas.columns else short
    return (Span(clip(text.rstrip(), canvas.columns, canvas.glyphs.cut), Paint.STRONG),)


def _headings(label_cells: int, canvas: Canvas) -> Line:
    name = pad("Train", label_cells)
    newest = "Newest at right"
    if canvas.columns >= _NARROW_COLUMNS:
        newest = "Newest tile at the right, = is a double"
    text = f"    {name} Has   End  {newest}"
    return (Span(clip(text, canvas.columns, canvas.glyphs.cut), Paint.DIM),)


def board_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the header and every train, the Mexican train first.

    With more than nine trains on a low screen, closed trains of others share one line.
    """
    label_cells = _label_cells(scene, canvas)
    trains = sorted(scene.table.trains, key=lambda train: (train.id >= 0, abs(train.id)))
    shown, hidden = _fit(scene, trains, canvas)
    lines = [_header(scene, canvas), _headings(label_cells, canvas)]
    for train in shown:
        lines.extend(_train_row(scene, train, label_cells, canvas))
    if hidden:
        numbers = ", ".join(train_number(train.id) for train in hidden)
        lines.append((Span(clip(f"    closed: {numbers}", canvas.columns, canvas.glyphs.cut)),))
    return tuple(lines)


def _fit(
    scene: Scene, trains: Sequence[Train], canvas: Canvas
) -> tuple[Sequence[Train], Sequence[Train]]:
    """Split the trains into those with a row of their own and those that only get a number."""
    if len(trains) <= max(_TRAINS_FULL, canvas.rows - 10):
        return trains, ()
    keep = [
        train
        for train in trains
        if _is_open(scene, train)
        or train.id in (own_train(scene), TrainId(scene.table.to_move))
        or _owed_on(scene, train.id)
    ]
    return keep, [train for train in trains if train not in keep]


# ---- hand -----------------------------------------------------------------------------------


def sorted_hand(scene: Scene, order: HandOrder) -> tuple[Tile, ...]:
    """Return one's own tiles in this order."""
    if scene.hand is None:
        return ()
    tiles = [tile for _, tile in scene.hand.tiles]
    playable = {move.tile for move in lays(scene)}
    match order:
        case HandOrder.VALUE:
            tiles.sort(key=lambda tile: (-tile.high, -tile.low))
        case HandOrder.WEIGHT:
            tiles.sort(key=lambda tile: (-tile.low - tile.high, -tile.high))
        case HandOrder.ENDS:
            tiles.sort(key=lambda tile: (tile not in playable, -tile.high, -tile.low))
    return tuple(tiles)


def hand_lines(scene: Scene, canvas: Canvas, order: HandOrder) -> tuple[Line, ...]:
    """Draw one's own tiles, the larger half first; boxed where there is room."""
    tiles = sorted_hand(scene, order)
    if not tiles:
        return ((Span(" Your hand is empty."),),) if scene.hand is not None else ()
    playable = frozenset(move.tile for move in lays(scene))
    if canvas.rows >= _BOXED_ROWS and canvas.columns >= _BOXED_COLUMNS:
        return _boxed_hand(tiles, playable, canvas)
    return _flat_hand(tiles, playable, canvas)


def _flat_hand(
    tiles: Sequence[Tile], playable: frozenset[Tile], canvas: Canvas
) -> tuple[Line, ...]:
    label = f" Hand {len(tiles):>2}  "
    gap = 1 if canvas.columns < _NARROW_COLUMNS else 2
    lines: list[list[Span]] = [[Span(label)]]
    used = len(label)
    for tile in tiles:
        width = len(f"[{tile.high}|{tile.low}]") + gap
        if used + width > canvas.columns and used > len(label):
            lines.append([Span(" " * len(label))])
            used = len(label)
        lines[-1].extend(
            (
                Span("["),
                Span(str(tile.high), Paint.CHIP, tile.high),
                Span("|"),
                Span(str(tile.low), Paint.CHIP, tile.low),
                Span("]"),
                Span("+", Paint.STRONG) if tile in playable else Span(" "),
                Span(" " * (gap - 1)),
            )
        )
        used += width
    return tuple(tuple(line) for line in lines)


def _boxed_hand(
    tiles: Sequence[Tile], playable: frozenset[Tile], canvas: Canvas
) -> tuple[Line, ...]:
    """Draw boxes of seven cells; `+` under what can be laid."""
    per_row = (canvas.columns - 1) // 8
    a, b, c, d, e, f = canvas.glyphs.corners
    flat, upright = canvas.glyphs.rule * 2, canvas.glyphs.upright
    lines: list[Line] = [(Span(f" Hand {len(tiles)}"),)]
    for at in range(0, len(tiles), per_row):
        row = tiles[at : at + per_row]
        lines.append((Span(f" {a}{flat}{b}{flat}{c}" * len(row)),))
        middle: list[Span] = []
        for tile in row:
            middle += (Span(f" {upright}"), Span(f"{tile.high:>2}", Paint.CHIP, tile.high))
            middle += (Span(upright), Span(f"{tile.low:>2}", Paint.CHIP, tile.low), Span(upright))
        lines.append(tuple(middle))
        lines.append((Span(f" {d}{flat}{e}{flat}{f}" * len(row)),))
        if any(tile in playable for tile in row):
            marks = "".join("    +   " if tile in playable else " " * 8 for tile in row)
            lines.append((Span(marks.rstrip(), Paint.STRONG),))
    return tuple(lines)


# ---- what can be done -----------------------------------------------------------------------


def choice_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """List the legal lays with their numbers, in columns."""
    listed = [
        f"{number}: {_choice_text(scene, move)}" for number, move in enumerate(choices(scene), 1)
    ]
    if not listed:
        return ()
    label = " Play  "
    cell = max(text_cells(choice) for choice in listed) + 3
    per_row = max(1, (canvas.columns - len(label)) // cell)
    rows = [listed[at : at + per_row] for at in range(0, len(listed), per_row)]
    texts = ["".join(pad(choice, cell) for choice in row).rstrip() for row in rows]
    return tuple(
        (Span(label if number == 0 else " " * len(label)), Span(text))
        for number, text in enumerate(texts)
    )


def _choice_text(scene: Scene, move: Move) -> str:
    if not isinstance(move, LayTile):
        return move_text(scene, move)
    return f"{tile_text(move.tile, move.joined)} {place_text(scene, move)}"


def turn_lines(scene: Scene, canvas: Canvas, order: HandOrder) -> tuple[Line, ...]:
    """Draw all that somebody whose turn it is wants to see."""
    rule = rule_line(canvas)
    duties = [
        (Span(line[0].text, Paint.ALERT),)
        for sentence in duty_sentences(scene)
        for line in wrap_words(f" {sentence}", canvas.columns, " ")
    ]
    return (
        rule,
        *board_lines(scene, canvas),
        rule,
        *hand_lines(scene, canvas, order),
        *duties,
        *choice_lines(scene, canvas),
    )
