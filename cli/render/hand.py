"""A hand and the list of plays as lines, and the whole view of a player whose turn it is.

A tile that can be played is bold and has a `+`; a tile that has just been drawn has an `n`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from cli.language import say
from cli.render.board import TRAINS_FULL, board_head, board_lines, is_tree, rule_line
from cli.render.cells import NARROW_COLUMNS, Canvas, hang, line_cells, pad, text_cells
from cli.render.layout import AS_DEALT, Group, HandLayout, hand_groups
from cli.render.palette import Glyphs, Line, Paint, Span, hued, plain_text
from cli.render.tiles import PIPS_MAX, TALL, lying, standing, tiled_lines
from cli.scene import Scene, choices, lays
from cli.wording.moves import duty_sentences, move_text
from cli.wording.since import NOTHING_YET, Since, one_left_sentences, since_sentence
from engine.table.table import ENDED, RoundPhase
from engine.tiles import Tile, make_tile

_BOXED_ROWS: Final = 30
_BOXED_COLUMNS: Final = 80
_BOX_ROWS_MAX: Final = 3
"""More rows of boxes, as for a hand in many groups, would leave no room for the board."""

_TILED_ROWS: Final = 35
_TILED_COLUMNS: Final = 100
"""From this size on, trains are drawn as tiles, if there is room for those of all seats."""

_FLAT_REST: Final = 14
_BOXED_REST: Final = 20
_TILED_REST: Final = 26
"""The rows in sight besides the trains: heads, hand, plan, events and plays."""

_PASSING_ROWS: Final = 10
"""The rows that boxes must leave for everything but trains and hand."""

_PASSING_ROWS_MIN: Final = 6
"""The rows kept for plan, events and plays if there are many trains, or trains are tiles."""

_TILED_PASSING_ROWS: Final = 4
"""The rows that frames around the hand must leave for events and plays, if trains are tiles."""

_FLAT_ROWS: Final = 2
"""The rows of a hand without frames, if trains are tiles."""

_HEADS: Final = 3
"""The rule and the two lines above the trains."""

_CARD_REST: Final = 4
"""The rows of a card besides its seats: its title, who won, heads and foot."""

_LOG_ROWS: Final = 2
_LOG_FROM_ROWS: Final = 12
"""The rows left for messages, unless a window is lower than `_LOG_FROM_ROWS`."""

_LOG_SHARE: Final = 8
"""If trains are tiles, one row in this many is left for messages."""


def hand_lines(scene: Scene, canvas: Canvas, layout: HandLayout = AS_DEALT) -> tuple[Line, ...]:
    """Draw the player's own tiles in their groups; boxed if there is room.

    An empty hand is one sentence, and a watcher gets no lines.
    """
    return next(_hands(scene, canvas, layout, has_pips=False))


def _hands(
    scene: Scene, canvas: Canvas, layout: HandLayout, *, has_pips: bool
) -> Iterator[tuple[Line, ...]]:
    """Yield a hand in every way that fits this canvas, largest first, the flat one last.

    Tiles with pips are included only if `has_pips`. An empty hand is one sentence, and a watcher
    gets no lines.
    """
    groups = hand_groups(scene, layout)
    if not groups:
        yield ((Span(f" {say('Your hand is empty.')}"),),) if scene.hand is not None else ()
        return
    marks = _Marks(frozenset(move.tile for move in lays(scene)), layout.new)
    label = f" {say('Hand')} {sum(map(len, groups)):>2}  "
    if has_pips and scene.table.spec.pip_max <= PIPS_MAX:
        yield from _framed_hand(groups, label, marks, canvas, standing, 1)
    if canvas.rows >= _BOXED_ROWS and canvas.columns >= _BOXED_COLUMNS:
        yield from _framed_hand(groups, label, marks, canvas, lying, _BOX_ROWS_MAX)
    yield _flat_hand(groups, label, marks, canvas)


class _Marks(NamedTuple):
    """The tiles that can be played, and the tiles that have just been drawn."""

    playable: frozenset[Tile]
    new: frozenset[Tile]

    def on(self, pair: tuple[int, int]) -> str:
        """Return the mark after a tile: `+` if playable, `n` if new, `+n` if both, else empty."""
        tile = make_tile(*pair)
        return f"{'+' if tile in self.playable else ''}{'n' if tile in self.new else ''}"

    def paint(self, pair: tuple[int, int]) -> Paint:
        """Return bold for a tile that can be played, else plain."""
        return Paint.STRONG if make_tile(*pair) in self.playable else Paint.PLAIN


def _flat_hand(
    groups: Sequence[Group], label: str, marks: _Marks, canvas: Canvas
) -> tuple[Line, ...]:
    gap = 1 if canvas.columns < NARROW_COLUMNS else 2
    lines: list[list[Span]] = [[Span(label)]]
    used = start = text_cells(label)
    for number, group in enumerate(groups):
        for at, pair in enumerate(group):
            mark = marks.on(pair)
            divider = "| " if number and not at else ""
            tile = f"[{pair[0]}|{pair[1]}]"
            width = len(divider + tile) + max(gap, len(mark) + gap - 1)
            if used + width > canvas.columns and used > start:
                lines.append([Span(" " * start)])
                used = start
            lines[-1] += (
                *([Span(divider, Paint.DIM)] if divider else []),
                Span(f"{tile}{mark or ' '}", marks.paint(pair), about=make_tile(*pair)),
                Span(" " * (gap - 1)),
            )
            used += width
    return tuple(map(tuple, lines))


def _framed_hand(
    groups: Sequence[Group],
    label: str,
    marks: _Marks,
    canvas: Canvas,
    draw: Callable[[tuple[int, int], Glyphs], Sequence[str]],
    rows_max: int,
) -> Iterator[tuple[Line, ...]]:
    """Yield a hand in frames made by `draw`; nothing if it needs more than `rows_max` rows.

    Each group has rows of its own, about equally long. A tile's mark is below it. Tiles touch if a
    row has no room for blanks between them.
    """
    glyphs, room = canvas.glyphs, canvas.columns - text_cells(label)
    cells = len(draw(groups[0][0], glyphs)[0])
    rows = list[Group]()
    for group in groups:
        count = -(-len(group) // (room // cells))
        each = -(-len(group) // count)
        rows += (group[at : at + each] for at in range(0, len(group), each))
    if len(rows) > rows_max:
        return
    wide = cells
    if max(map(len, rows)) * (cells + 1) <= room:
        wide += 1
    lines = list[Line]()
    for row in rows:
        tiles = [
            [
                Span(text.ljust(wide), marks.paint(pair), about=make_tile(*pair))
                for text in draw(pair, glyphs)
            ]
            for pair in row
        ]
        lines += zip(*tiles, strict=True)
        under = "".join(marks.on(pair).center(cells).ljust(wide) for pair in row).rstrip()
        if under:
            lines.append((Span(under, Paint.STRONG),))
    yield hang(Span(label), lines)


def choice_lines(scene: Scene, canvas: Canvas, rows_max: int = 999) -> tuple[Line, ...]:
    """Draw the numbered plays in columns, or close together if there are too few rows.

    If they still do not fit into `rows_max` rows, a count says how many are left out. Empty without
    plays or rows.
    """
    listed = [
        Span(f"{number}: {move_text(scene, move)}", about=move)
        for number, move in enumerate(choices(scene), 1)
    ]
    if not listed or rows_max < 1:
        return ()
    label = f" {say('Play')}  "
    room = canvas.columns - text_cells(label)
    cell = max(text_cells(choice.text) for choice in listed) + 3
    per_row = max(1, room // cell)
    if len(listed) > per_row * rows_max:
        return hang(Span(label), _packed(listed, room, rows_max))
    rows = [listed[at : at + per_row] for at in range(0, len(listed), per_row)]
    for row in rows:
        row[:-1] = (choice._replace(text=pad(choice.text, cell)) for choice in row[:-1])
    return hang(Span(label), map(tuple, rows))


def _packed(listed: Sequence[Span], room: int, rows_max: int) -> Sequence[Line]:
    """Return as many plays as fit into `rows_max` rows, and a count of those left out.

    If not even one fits, return one line with the number of plays.
    """
    for shown in range(len(listed), 0, -1):
        left = len(listed) - shown
        more = [Span(say("+{count} more", count=left))] if left else []
        rows = [tuple(row) for row in _flowed([*listed[:shown], *more], room)]
        if len(rows) <= rows_max and all(line_cells(row) <= room for row in rows):
            return rows
    return [(Span(say("{count} plays: Tab lists them", count=len(listed))),)]


def _flowed(spans: Sequence[Span], room: int) -> list[list[Span]]:
    """Return spans in rows, as many in each row as it has room for, with blanks between them."""
    rows = list[list[Span]]()
    for span in spans:
        if rows and line_cells(tuple(rows[-1])) + 2 + text_cells(span.text) <= room:
            rows[-1] += [Span("  "), span]
        else:
            rows.append([span])
    return rows


class Suggestion(NamedTuple):
    """The line suggested at an empty prompt.

    If it `plays`, Enter alone sends it; otherwise Tab writes it at the prompt.
    """

    text: str
    plays: bool

    @property
    def told(self) -> str:
        """The line after the key that takes it: `(Enter)` if that key `plays` it, else `(Tab)`."""
        return say("(Enter) {text}" if self.plays else "(Tab) {text}", text=self.text)


class Picture(Struct, frozen=True):
    """Everything a seat sees besides the table: its hand's arrangement, plan and recent events."""

    layout: HandLayout = AS_DEALT
    notes: tuple[str, ...] = ()
    """The plan, or one that could be made, one sentence each."""
    since: Since = NOTHING_YET
    suggestion: Suggestion | None = None
    """The suggestion at an empty prompt."""
    asks: bool = False
    """True while a question waits for a yes or a no."""
    back: str = ""
    """The line that Esc types if nothing is typed and no question is open; empty for none."""
    lesson: str = ""
    """The coach's words on this turn, shown above the prompt."""


BARE: Final = Picture()


def turn_lines(scene: Scene, canvas: Canvas, picture: Picture = BARE) -> tuple[Line, ...]:
    """Draw everything that a player who has to move, now or later, wants to see.

    From above: the board, recent events, hand, plan, duties, plays. Empty parts are left out.
    """
    rule = rule_line(canvas)
    return (
        rule,
        *board_lines(scene, canvas, picture.since),
        *_digest_lines(scene, canvas, picture),
        rule,
        *hand_lines(scene, canvas, picture.layout),
        *_plan_lines(canvas, picture),
        *_loud_lines(scene, canvas),
        *choice_lines(scene, canvas),
    )


def _digest_lines(scene: Scene, canvas: Canvas, picture: Picture) -> tuple[Line, ...]:
    digest = since_sentence(scene, picture.since)
    return hued(canvas.prose(digest, "   "), scene.names, within=True) if digest else ()


def _plan_lines(canvas: Canvas, picture: Picture) -> tuple[Line, ...]:
    return tuple(line for note in picture.notes for line in canvas.prose(note, "   "))


def _loud_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw warnings: who is about to go out and, on the player's own move, what must come first.

    Empty if there is nothing to say.
    """
    loud = [*one_left_sentences(scene), *(duty_sentences(scene) if scene.can_move else ())]
    return tuple(line for text in loud for line in canvas.prose(text, paint=Paint.ALERT))


# ---- what stays in sight --------------------------------------------------------------------


def train_rows(scene: Scene, canvas: Canvas, below: int = 0) -> int:
    """Return how many rows each train takes: 5, 3 or 2 if it is drawn as tiles, else 1.

    Trains drawn as tiles leave at least `below` rows under the hand. No train is drawn so in a low
    or narrow window, after a round, or if everybody plays on one train. The result is the same
    throughout a round unless the window changes.
    """
    is_low = canvas.rows < _TILED_ROWS or canvas.columns < _TILED_COLUMNS
    if is_low or scene.table.phase in ENDED or is_tree(scene):
        return 1
    room = _tiled_room(canvas) - _HEADS - _FLAT_ROWS - max(_PASSING_ROWS_MIN, below)
    return next((tall for tall in TALL if tall * len(scene.table.trains) <= room), 1)


def _tiled_room(canvas: Canvas) -> int:
    return canvas.rows - 2 - canvas.rows // _LOG_SHARE


def region_rows(scene: Scene, canvas: Canvas) -> int:
    """Return how many rows the table and hand get in a window, the same for a whole round.

    Messages get the rows that are left above the prompt and the status line. After a round only the
    board stays, if there is room above it for the card. After the game nothing stays, because the
    end of the game needs the room.
    """
    rest, tall = _FLAT_REST, train_rows(scene, canvas)
    if tall > 1:
        rest = _TILED_REST
    elif canvas.rows >= _BOXED_ROWS and canvas.columns >= _BOXED_COLUMNS:
        rest = _BOXED_REST
    if scene.table.phase in ENDED:
        rest = _HEADS
        if scene.table.phase is RoundPhase.FINISHED or not _card_has_room(scene, canvas):
            return 0
    elif scene.hand is None:
        rest = _HEADS + _PASSING_ROWS
    room = canvas.rows - 2
    if room >= _LOG_FROM_ROWS:
        room -= _LOG_ROWS
    return max(
        0, min(tall * len(scene.table.trains) + rest, _tiled_room(canvas) if tall > 1 else room)
    )


def _card_has_room(scene: Scene, canvas: Canvas) -> bool:
    """Return True if a round's card fits above its board, with a row or two for each seat."""
    each = 2 if canvas.columns < NARROW_COLUMNS else 1
    card = _CARD_REST + each * len(scene.names)
    return card + _HEADS + len(scene.table.trains) <= canvas.rows - 2


def standing_lines(
    scene: Scene,
    canvas: Canvas,
    rows: int,
    picture: Picture = BARE,
    below: int = 0,
    *,
    heads: bool = True,
) -> tuple[Line, ...]:
    """Draw what always stays in sight, the table, hand and plan, in at most `rows` rows.

    Without `heads` there is no rule above, and no column heads. There is no hand after a round or
    while tiles are shuffled for the first hands.

    If there are too few rows, the plan is left out first, then closed trains of other players. With
    more than nine trains, those trains are left out before everything else. Then the heads and the
    end of the warnings are left out, but never the hand. Trains are drawn as tiles if that leaves
    `below` rows.
    """
    loud, tall = _loud_lines(scene, canvas), train_rows(scene, canvas, below)
    spare = _PASSING_ROWS if tall == 1 else _HEADS + max(_TILED_PASSING_ROWS, below)
    kept = spare + tall * len(scene.table.trains)
    hands = list(_hands(scene, canvas, picture.layout, has_pips=tall > 1))
    hand = next((each for each in hands if kept + len(loud) + len(each) <= rows), hands[-1])
    is_dealing = scene.is_mixing and scene.hand is not None and not scene.hand.tiles
    if scene.table.phase in ENDED or is_dealing:
        hand = ()
    room = rows - 1 - len(loud) - len(hand)
    if hand and len(scene.table.trains) > TRAINS_FULL:
        room -= _PASSING_ROWS_MIN
    if tall > 1:
        trains = tiled_lines(scene, canvas, tall, picture.since)
        board = (*board_head(scene, canvas, is_tiled=True), *trains)
    else:
        board = board_lines(scene, canvas, picture.since, rows=max(3, room))
    plan = _plan_lines(canvas, picture)
    if 1 + len(board) + len(loud) + len(hand) + len(plan) > rows - _PASSING_ROWS_MIN:
        plan = tuple(canvas.row(f" {note}") for note in picture.notes)
    above = (rule_line(canvas), *board[:2]) if heads else board[:1]
    free = rows - len(hand)
    if len(above) + len(board[2:]) + len(loud) > free:
        above = board[:1]
    table = (*above, *board[2:], *loud)[: max(0, free)]
    return (*table, *hand, *plan)[:rows]


def passing_lines(
    scene: Scene, canvas: Canvas, rows: int, picture: Picture = BARE
) -> tuple[Line, ...]:
    """Draw in at most `rows` rows the events since the player's turn, and the possible plays.

    With two rows or more there is a rule above. The plays keep a row; the events are cut if they
    are too long.
    """
    digest = _digest_lines(scene, canvas, picture)
    room = rows - 1
    if choices(scene):
        room -= 1
    room = max(0, room)
    if len(digest) > room > 0:
        cut = canvas.glyphs.cut
        last = canvas.row(f"{plain_text(digest[room - 1])}{cut}")
        digest = (*digest[: room - 1], *hued((last,), scene.names, within=True))
    digest = digest[:room]
    rule = (rule_line(canvas),) if rows > 1 else ()
    plays = choice_lines(scene, canvas, rows - len(rule) - len(digest))
    return (*rule, *digest, *plays)
