"""The board as lines, never wider than the canvas; nothing here prints.

A train is a chain of ends, newest at the right: `12-3-2=2-5` is 12-3, 3-2, the double 2 and 2-5 on
a hub of 12. Digits and signs carry the meaning: `>` marks the seat to move, a dot a train that is
open to all, `!` a double that must be covered, and `x` an end that no tile left can join. Colour is
only on open ends, names and warnings.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from cli.language import say
from cli.render.cells import NARROW_COLUMNS, Canvas, clip, line_cells, pad, text_cells
from cli.render.chains import branch_rows, chain_pieces, chain_text, is_branched, wrap_pieces
from cli.render.palette import Line, Paint, Span, plain_text
from cli.scene import Scene, own_train, tile_text, tiles_text, train_name, train_number
from cli.wording.since import NOTHING_YET, Since
from engine.play.reach import played_trains
from engine.scoring import totals
from engine.table.table import ENDED, RoundPhase
from engine.table.trains import Seat, Train, TrainId

_WIDE_COLUMNS: Final = 100
_CHAIN_CELLS_MIN: Final = 6
_SHORT_CELLS: Final = 5
"""The most cells of a name in a row that many trains share."""
TRAINS_FULL: Final = 9
"""If there are more trains than this, the closed trains of other players may share a row."""


# ---- trains ---------------------------------------------------------------------------------


def is_tree(scene: Scene) -> bool:
    """Return True if everybody plays on one train, which is drawn with all its branches."""
    return len(played_trains(scene.table)) == 1


def _hub(scene: Scene) -> int:
    return 0 if scene.table.hub is None else scene.table.hub.low


def _owed_on(scene: Scene, train: TrainId) -> bool:
    return any(owed.train == train for owed in scene.table.owed)


def _is_open(train: Train) -> bool:
    return train.marker or train.is_mexican


def _label(scene: Scene, train: TrainId, cells: int, cut: str) -> str:
    name = train_name(scene, train)
    if train != own_train(scene):
        return clip(name, cells, cut)
    whole = say("{name} (you)", name=name)
    return whole if text_cells(whole) <= cells else clip(name, cells, cut)


def _label_cells(scene: Scene, canvas: Canvas) -> int:
    widest = max(text_cells(train_name(scene, train.id)) for train in scene.table.trains)
    own = "" if scene.seat is None else say("{name} (you)", name=scene.names[scene.seat])
    return min(max(widest, text_cells(own), 7), 8 if canvas.columns < NARROW_COLUMNS else 16)


def ends_of(scene: Scene, train: Train) -> Sequence[int]:
    """Return the pips of a train's ends, each once and in their order.

    The pip of a double that must be covered comes last. For a train without tiles, return the pip
    of the hub, or an empty list if the hub is not known.
    """
    # each number once, even if a branch takes several tiles, or two branches have the same pip
    ends = list(dict.fromkeys(end.pip for end in train.ends))
    owed = {each.tile.high for each in scene.table.owed if each.train == train.id}
    ends.sort(key=owed.__contains__)  # next to its sign
    return ends or ([] if train.lays or scene.table.hub is None else [_hub(scene)])


def ends_sign(scene: Scene, train: Train) -> Span:
    """Return the sign after the ends: `!` for a double to cover, else `x`, else a blank.

    An `x` means that the train has tiles, and no tile left can join any of its ends.
    """
    if _owed_on(scene, train.id):
        return Span("!", Paint.ALERT)
    is_dead = all(scene.table.is_dead(pip) for pip in ends_of(scene, train))
    return Span("x", Paint.STRONG) if is_dead and train.lays else Span(" ")


def _ends_spans(scene: Scene, train: Train, paint: Paint, room: int, cut: str) -> list[Span]:
    """Return the ends of a train in their columns, and then their sign.

    If that leaves no room for a chain, the ends are set close together; if even that is too wide,
    `cut` replaces the first ones.
    """
    ends = ends_of(scene, train)
    texts = [f"{pip:>2}" for pip in ends]
    if 3 * len(ends) + _CHAIN_CELLS_MIN > room:
        texts = chain_text([f"{pip} " for pip in ends], room, f"{cut} ").split()
    spans: list[Span] = []
    for text in texts:
        if spans:
            spans.append(Span(" "))
        spans.append(Span(text, paint, train.id))
    return [*(spans or [Span(" -")]), ends_sign(scene, train)]


def owner_spans(scene: Scene, train: Train, canvas: Canvas, *, has_totals: bool = True) -> Line:
    """Return the turn marker, number, name, tiles held, points and open sign of one train.

    Tiles held are `-` for a Mexican train and for a seat that left. There are no points without
    `has_totals`, before a round is scored, or on a narrow canvas.
    """
    turn = scene.table.phase is RoundPhase.PLAY and train.id == TrainId(scene.table.to_move)
    own = Paint.STRONG if train.id == own_train(scene) else Paint.PLAIN
    held = _held(scene, train)
    cells = _label_cells(scene, canvas)
    name = pad(_label(scene, train.id, cells, canvas.glyphs.cut), cells)
    count = f"{'-' if held is None else held:>{text_cells(_heads()[0]) - 1}}"
    return (
        Span(">", Paint.ALERT) if turn else Span(" "),
        Span(f"{train_number(train.id):>2}", about=train.id),
        Span(f" {name}", own, train.id),
        Span(f" {count} ", _few(scene, held)),
        *(_total_spans(scene, train, canvas) if has_totals else ()),
        Span(canvas.glyphs.open_end if _is_open(train) else " ", Paint.STRONG),
        Span(" "),
    )


def _held(scene: Scene, train: Train) -> int | None:
    """Return how many tiles the player of a train holds; None if there is no such player."""
    has_hand = Seat(train.id) in scene.table.present
    return len(scene.table.hands[train.id]) if has_hand else None


def _few(scene: Scene, held: int | None) -> Paint:
    """Return the paint for a number of tiles held: an alert for the last tile of a hand in play."""
    return Paint.ALERT if held == 1 and scene.table.phase not in ENDED else Paint.PLAIN


def _train_head(scene: Scene, train: Train, canvas: Canvas, since: Since) -> Line:
    """Return everything before the tiles of one train: its owner, its ends, and a blank.

    The ends stand out if the train is among `since.grown`. A train on which nobody plays shows no
    ends.
    """
    owner = owner_spans(scene, train, canvas)
    if train not in played_trains(scene.table):
        return (*owner, Span(" "))
    room = sys.maxsize if is_tree(scene) else canvas.columns - line_cells(owner) - 1
    paint = Paint.ALERT if train.id in since.grown else Paint.CHIP
    return (*owner, *_ends_spans(scene, train, paint, room, canvas.glyphs.cut), Span(" "))


def _has_totals(scene: Scene, canvas: Canvas) -> bool:
    """Return True if a round has been scored, and the canvas is wide enough for totals."""
    return bool(scene.table.past) and canvas.columns >= NARROW_COLUMNS


def _total_spans(scene: Scene, train: Train, canvas: Canvas) -> Line:
    if not _has_totals(scene, canvas):
        return ()
    cells = text_cells(_heads()[1])
    if train.is_mexican:
        return (Span(" " * (cells + 1)),)
    return (Span(f"{totals(scene.table)[train.id]:>{cells}} ", Paint.DIM),)


def _heads() -> tuple[str, str]:
    """Return the heads of the tiles held and of the points; each column is as wide as its head."""
    return f"{say('Has'):>3}", f"{say('Pts'):>4}"


def _train_row(
    scene: Scene, train: Train, canvas: Canvas, since: Since, *, whole: bool
) -> tuple[Line, ...]:
    head = _train_head(scene, train, canvas, since)
    room = canvas.columns - line_cells(head)
    if is_tree(scene):
        return _tree_rows(scene, train, head, canvas)
    if not train.lays:
        return ((*head, Span(clip(say("not started"), room, canvas.glyphs.cut), Paint.DIM)),)
    pieces = chain_pieces(train, _hub(scene))
    grown = len(train.lays) - since.lengths.get(train.id, len(train.lays))
    new = len("".join(pieces[len(pieces) - grown :])) if grown > 0 else 0  # cells of new tiles
    if canvas.columns < _WIDE_COLUMNS or not whole:
        return ((*head, *_chain_spans(chain_text(pieces, room, canvas.glyphs.cut), new)),)
    first, *rest = wrap_pieces(pieces, room)
    blank = Span(" " * line_cells(head))
    lines: list[Line] = []
    for row in reversed(rest):
        lines.insert(0, (blank, *_chain_spans(row, new)))
        new = max(0, new - len(row))
    return ((*head, *_chain_spans(first, new)), *lines)


def _tree_rows(scene: Scene, train: Train, head: Line, canvas: Canvas) -> tuple[Line, ...]:
    """Return the head of a train and below it its branches in rows; without tiles only the head.

    Ends that do not fit beside the owner continue below the first ones.
    """
    margin = Span("    ")
    rows = branch_rows(train, _hub(scene), canvas.columns - len(margin.text))
    owner = Span(" " * line_cells(owner_spans(scene, train, canvas)))
    heads: list[Line] = [()]
    for span in head:
        is_end = len(span.text) > 1  # a sign and a blank follow the last one
        if is_end and line_cells((*heads[-1], span)) > canvas.columns - 2:
            heads.append((owner,))
        heads[-1] = (*heads[-1], span)
    return (*heads, *((margin, Span(row)) for row in rows))


def _chain_spans(text: str, new: int) -> Line:
    """Return a text as spans, its last `new` characters bold; no spans for an empty text."""
    kept = text[: max(0, len(text) - new)]
    spans = (Span(kept), Span(text[len(kept) :], Paint.STRONG))
    return tuple(span for span in spans if span.text)


def train_lines(scene: Scene, train: TrainId, canvas: Canvas) -> tuple[Line, ...]:
    """Draw one train, which must be on the table: a row in words, then its chain, wrapped.

    The first row has the train's number and name, how many tiles it has, whether it is open, and
    whether a double must be covered. A train with branches is drawn branch by branch.
    """
    found = scene.table.train(train)
    state = [tiles_text(len(found.lays)), say("open to all" if _is_open(found) else "private")]
    if _owed_on(scene, train):
        state.append(say("a double to cover"))
    head = f" {train_number(train)} {train_name(scene, train)}: {', '.join(state)}"
    cells = max(8, canvas.columns - 4)
    if is_branched(found):
        rows = branch_rows(found, _hub(scene), cells)
    else:
        rows = wrap_pieces(chain_pieces(found, _hub(scene)), cells)
    return (canvas.row(head), *((Span(f"   {row}"),) for row in rows))


def whole_lines(scene: Scene, canvas: Canvas, shown: Iterable[Line]) -> tuple[Line, ...]:
    """Draw in full each train that is missing or cut in the lines `shown`.

    A train with branches is always drawn, because its row on the board has only one of them. If
    there is none to draw, return a sentence that says so. If everybody plays on one train, the
    board is returned as `board_lines` draws it.
    """
    if is_tree(scene):
        return board_lines(scene, canvas)
    cut = re.compile(rf"\+\d+ |{re.escape(canvas.glyphs.cut)}[-=]")
    seen, clipped = set[object](), set[object]()
    for line in shown:
        (clipped if cut.search(plain_text(line)) else seen).update(span.about for span in line)
    whole, trains = seen - clipped, in_rows(scene)
    lacking = [each.id for each in trains if each.id not in whole or is_branched(each)]
    if not lacking:
        return canvas.prose(say("Every train is in sight, whole."))
    return tuple(line for each in lacking for line in train_lines(scene, each, canvas))


# ---- board ----------------------------------------------------------------------------------


def rule_line(canvas: Canvas) -> Line:
    """Draw a line across the canvas."""
    return (Span(canvas.glyphs.rule * canvas.columns, Paint.DIM),)


def _header(scene: Scene, canvas: Canvas) -> Line:
    table, turn = scene.table, ""
    if table.phase is RoundPhase.PLAY and not scene.is_mixing:
        own, name = table.to_move == scene.seat, scene.names[table.to_move]
        turn = say("Your turn") if own else say("{name}'s turn", name=name)
    return canvas.row(f" {header_text(scene, canvas, turn)}", Paint.STRONG)


def header_text(scene: Scene, canvas: Canvas, turn: str = "") -> str:
    """Return a text with the round, engine, boneyard and `turn`, shorter on a narrow canvas.

    Even the shorter text may be wider than the canvas. `?` is shown for an engine not found yet,
    and for a boneyard that is being shuffled.
    """
    table = scene.table
    hub = "?" if table.hub is None else tile_text(table.hub)
    number = str(table.round_number + 1)
    if not table.spec.is_open:
        number = f"{number}/{table.spec.rounds}"
    yard = "?" if scene.is_mixing else len(table.boneyard)
    facts = {"number": number, "tile": hub, "yard": yard, "turn": turn}
    text = say("Round {number}   Engine {tile}   Boneyard {yard}   {turn}", **facts)
    if text_cells(text) >= canvas.columns:
        text = say("R{number}  {tile}  Yard {yard}  {turn}", **facts)
    return text.rstrip()


def _headings(scene: Scene, canvas: Canvas, *, is_tiled: bool) -> Line:
    label_cells, (held, points) = _label_cells(scene, canvas), _heads()
    total = f"{points} " if _has_totals(scene, canvas) else ""
    train = pad(clip(say("Train"), label_cells, canvas.glyphs.cut), label_cells)
    head = f"    {train} {held}{total}   {say('End')}  "
    newest = say("Newest tile at the right, = is a double")
    if text_cells(head + newest) > canvas.columns:
        newest = say("Newest at right")
    return canvas.row(head if is_tiled else head + newest, Paint.DIM)


def board_head(scene: Scene, canvas: Canvas, *, is_tiled: bool = False) -> tuple[Line, ...]:
    """Draw the two lines above the trains: the round and whose turn it is, and the column heads.

    If trains are drawn as tiles, the heads do not say at which end the newest is.
    """
    return (_header(scene, canvas), _headings(scene, canvas, is_tiled=is_tiled))


def in_rows(scene: Scene) -> list[Train]:
    """Return the trains in the order of the board: first the Mexican ones, then the seats'."""
    return sorted(scene.table.trains, key=lambda train: (train.id >= 0, abs(train.id)))


def board_lines(
    scene: Scene, canvas: Canvas, since: Since = NOTHING_YET, rows: int | None = None
) -> tuple[Line, ...]:
    """Draw the heads and every train, the Mexican ones first; what is new `since` is bold.

    A train takes one row, and its oldest tiles are cut if they do not fit. Without `rows`, a wide
    canvas shows all its tiles, in further rows. A train with branches that everybody plays on has
    more rows.

    If there are too many trains for `rows`, the least important share the last row. Without `rows`,
    the closed trains of others share it if there are more than nine trains and more than a low
    canvas has room for.
    """
    trains = in_rows(scene)
    room = max(TRAINS_FULL, canvas.rows - 10) if rows is None else rows - 2
    shown = {train.id for train in trains}
    if len(trains) > room:
        heavy = sorted(trains, key=lambda train: -_weight(scene, train))
        kept = sum(_weight(scene, train) > 0 for train in trains) if rows is None else room - 1
        shown = {train.id for train in heavy[: max(1, kept)]}
    lines = [*board_head(scene, canvas)]
    for train in trains:
        if train.id in shown:
            lines += _train_row(scene, train, canvas, since, whole=rows is None)
    if hidden := [train for train in trains if train.id not in shown]:
        lines.append(_shared_row(scene, hidden, canvas))
    return tuple(lines)


def _shared_row(scene: Scene, trains: Sequence[Train], canvas: Canvas) -> Line:
    """Draw the trains that have no row of their own, those open to all first.

    Each has its number, its name and, in brackets, how many tiles its player holds. Names are
    shortened or left out if they do not fit. If even that is too wide, only the numbers remain, in
    runs, at least those of the open trains.
    """
    public = [train for train in trains if _is_open(train)]
    closed = [train for train in trains if not _is_open(train)]
    heads = (
        (say("open: {numbers}", numbers=""), public),
        (say("closed: {numbers}", numbers=""), closed),
    )
    groups = [(head, group) for head, group in heads if group]
    for cells in (canvas.columns, _SHORT_CELLS, 0):
        line: Line = (Span("   "),)
        for head, group in groups:
            first, *rest = (_told_briefly(scene, train, canvas, cells) for train in group)
            between = Span(", " if cells else " ")
            others = (span for each in rest for span in (between, *each))
            line = (*line, Span(f" {head}"), *first, *others, Span(" "))
        line = line[:-1]
        if line_cells(line) <= canvas.columns:
            return line
    runs = [f"{head}{_numbers(train.id for train in group)}" for head, group in groups]
    if closed and text_cells("  ".join(runs)) + 4 > canvas.columns:
        runs[-1] = say("all others closed")
    return canvas.row(f"    {'  '.join(runs)}")


def _told_briefly(scene: Scene, train: Train, canvas: Canvas, cells: int) -> Line:
    """Return number, name in at most `cells` cells, and tiles held of a train: `5 Eve (8)`."""
    name = clip(train_name(scene, train.id), cells, canvas.glyphs.cut)
    number = (Span(train_number(train.id), about=train.id), Span(f" {name}" if name else ""))
    held = _held(scene, train)
    return number if held is None else (*number, Span(f" ({held})", _few(scene, held)))


def _numbers(trains: Iterable[TrainId]) -> str:
    """Return the numbers of trains, given in the order of the board: `M, 1, 3 to 6`."""
    texts: list[str] = []
    for _, run in groupby(enumerate(trains), lambda each: (each[1] < 0, each[1] - each[0])):
        numbers = [train_number(train) for _, train in run]
        if len(numbers) > 2:
            numbers = [say("{first} to {last}", first=numbers[0], last=numbers[-1])]
        texts += numbers
    return ", ".join(texts)


def _weight(scene: Scene, train: Train) -> int:
    """Return how much a train matters on a low screen; 0 if there is no reason to show it.

    The player's own train matters most, then one with a double to cover, that of the seat to move,
    an open one, and one whose owner has one tile left.
    """
    return (
        16 * (train.id == own_train(scene))
        + 8 * _owed_on(scene, train.id)
        + 4 * (train.id == TrainId(scene.table.to_move))
        + 2 * _is_open(train)
        + (_held(scene, train) == 1)
    )
