"""The table as a room sees it on a television: pure, and as large as the canvas.

Every picture is a stack of blocks, each with a rank. What has no room is left out by its rank, the
last moves first; the words of what happened last fill what room there is.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from cli.language import say
from cli.render.big import ROWS, big_rows, pixel_cells
from cli.render.board import board_lines, header_text, in_rows
from cli.render.cells import Canvas, clip, line_cells, pad, text_cells, wrap_words
from cli.render.game_end import end_lines, evening_lines
from cli.render.palette import Line, Paint, Span
from cli.render.round_card import card_lines
from cli.render.sheets import lobby_lines, score_lines
from cli.results.summary import Summary
from cli.scene import LobbyScene, RoundCard, Scene, train_name
from cli.wording.game_end import GameEnd
from engine.scoring import totals, winners
from engine.table.table import RoundPhase
from engine.table.trains import HUB, Laid, Seat, Train

_SAID_MIN: Final = 3
"""Rows of last moves that are worth more than larger tiles."""

_TALL: Final = (5, 3)
"""Rows of a train whose tiles are framed, and of one whose doubles at least lie across."""

_NAME_CELLS: Final = 14
_BANDS_MAX: Final = 2
"""Rows of big scores."""


class Wall(Struct, frozen=True):
    """What hangs there: a table that waits or is played at, and what was said last.

    Where others come in, and their code if it is to be seen, are those of the `lobby`. A `card`
    stands between two rounds, of which the next begins within so many `seconds`, and after the
    game, of which the `end` is told, and the games of the `evening`. `status` says in words what
    the table waits for. A `page` was asked for, and covers all.
    """

    lobby: LobbyScene | None = None
    scene: Scene | None = None
    card: RoundCard | None = None
    seconds: int = 0
    end: GameEnd | None = None
    evening: tuple[Summary, ...] = ()
    status: str = ""
    said: tuple[str, ...] = ()
    page: tuple[Line, ...] = ()


_Block = tuple[int, Sequence[Line]]
"""Lines that belong together; of two blocks that do not both fit, the one with the lower rank."""


def wall_lines(wall: Wall, canvas: Canvas) -> tuple[Line, ...]:
    """Draw all that there is to see, as many lines as the canvas has rows."""
    if wall.page:
        lines = tuple(wall.page)
    elif wall.card is not None:
        lines = _stacked(_card_blocks(wall, wall.card, canvas), wall, canvas)
    elif wall.scene is not None:
        lines = _stacked(_table_blocks(wall, wall.scene, canvas), wall, canvas)
    else:
        lines = _stacked(_lobby_blocks(wall, canvas), wall, canvas)
    return (*lines[: canvas.rows], *(((Span(""),),) * (canvas.rows - len(lines))))


def _stacked(blocks: Sequence[_Block], wall: Wall, canvas: Canvas) -> tuple[Line, ...]:
    """Keep the blocks that fit, in their order, and fill what is left with what was said last."""
    room, kept = canvas.rows, set[int]()
    for at in sorted(range(len(blocks)), key=lambda each: blocks[each][0]):
        if len(blocks[at][1]) <= room:
            kept.add(at)
            room -= len(blocks[at][1])
    lines = [line for at in sorted(kept) for line in blocks[at][1]]
    return (*lines, *_said_lines(wall, canvas, room))


def _said_lines(wall: Wall, canvas: Canvas, rows: int) -> tuple[Line, ...]:
    """Write what was said last below a blank line, whole sentences, the newest last and bold."""
    lines: list[Line] = []
    for sentence in reversed(wall.said):
        paint = Paint.PLAIN if lines else Paint.STRONG
        more = wrap_words(f" {sentence}", canvas.columns - 1, "   ", paint)
        if len(lines) + len(more) >= rows:
            break
        lines[:0] = more
    return ((Span(""),), *lines)[:rows]


def _big(text: str, canvas: Canvas, paint: Paint = Paint.STRONG) -> tuple[Line, ...]:
    """Write a text in big letters and a blank line; in small ones where these have no room."""
    wide = pixel_cells(text, canvas.columns - 2)
    rows = big_rows(text, canvas.glyphs, wide) if wide else (text, *[""] * (ROWS - 1))
    return (*((Span(" "), Span(row, paint)) for row in rows), (Span(""),))


def _door_text(wall: Wall) -> str:
    """Say where others come in, and with what code."""
    if wall.lobby is None or not wall.lobby.addresses:
        return ""
    return f"boneyard join {wall.lobby.addresses[0]}  {wall.lobby.code}".rstrip()


# ---- before a game, between rounds, and after it ----------------------------------------------


def _lobby_blocks(wall: Wall, canvas: Canvas) -> tuple[_Block, ...]:
    """Draw the join code as large as it goes, and the table that waits."""
    lobby = wall.lobby
    if lobby is None or lobby.view.settings is None:
        return ((1, _big("Boneyard", canvas)), (0, (canvas.row(f" {wall.status}"),)))
    head = _big(lobby.code or "Boneyard", canvas)
    return ((1, head), (0, lobby_lines(lobby, canvas)), (2, _evening_lines(wall, canvas)))


def _card_blocks(wall: Wall, card: RoundCard, canvas: Canvas) -> tuple[_Block, ...]:
    """Draw how a round or the game has ended, how all stand, and when it goes on."""
    cards: tuple[Line, ...] = ((Span(""),), *card_lines(card, canvas))
    evening = _evening_lines(wall, canvas)
    if card.is_last:
        names = " ".join(card.names[seat] for seat in winners(card.end.table))
        ends = () if wall.end is None else end_lines(wall.end, canvas)
        return ((2, _big(names, canvas)), (0, ends), (1, evening), (3 if ends else 0, cards))
    text = "seconds until the next round, or until all have pressed Enter"
    row = canvas.row(f" {say(text) if wall.seconds else wall.status}")
    head = [*(_big(str(wall.seconds), canvas) if wall.seconds else ()), row]
    scores = ((Span(""),), *score_lines(card.scene, canvas))
    return ((1, head), (0, cards), (2, evening), (3, scores))


def _evening_lines(wall: Wall, canvas: Canvas) -> tuple[Line, ...]:
    """Draw below a blank line what the games of the evening come to, if there were several."""
    return ((Span(""),), *evening_lines(wall.evening, canvas)) if wall.evening else ()


# ---- the table --------------------------------------------------------------------------------


def _table_blocks(wall: Wall, scene: Scene, canvas: Canvas) -> tuple[_Block, ...]:
    """Draw every train, the scores as large as there is room, and whose turn it is."""
    head = _header(wall, scene, canvas)
    scores = _score_lines(scene, canvas)
    is_played = scene.table.phase is RoundPhase.PLAY
    name = scene.names[scene.table.to_move] if is_played else ""
    turn = _big(name, canvas, Paint.ALERT)
    low = _train_lines(scene, canvas, 1, has_scores=bool(scores))
    spare = canvas.rows - len(head) - len(scores) - len(turn) - _SAID_MIN
    drawn = (_train_lines(scene, canvas, tall, has_scores=bool(scores)) for tall in _TALL)
    trains = next((lines for lines in drawn if len(lines) <= spare), low)
    return ((0, head), (3, turn), (2, scores), (1, trains))


def _header(wall: Wall, scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Say which round it is, where others come in, and what the table waits for."""
    title = f" {header_text(scene, canvas)}"
    door = _door_text(wall) if scene.has_seats else ""
    fits = text_cells(title) + text_cells(door) + 3 <= canvas.columns
    between = " " * (canvas.columns - text_cells(title) - text_cells(door) - 1)
    first = f"{title}{between}{door}" if door and fits else title
    rest = [canvas.row(f" {door}")] if door and not fits else []
    status = canvas.row(f" {wall.status}", Paint.ALERT)
    return (canvas.row(first, Paint.STRONG), *rest, status)


def _score_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Write the points of each seat in big digits below its name, in at most two rows of seats.

    Nothing where they have no room side by side.
    """
    points = [str(total) for total in totals(scene.table)]
    seats, widest = len(points), max(points, key=len)
    for bands in range(1, _BANDS_MAX + 1):
        per_band = -(-seats // bands)
        cells = canvas.columns // per_band
        if wide := pixel_cells(widest, cells - 2):
            break
    else:
        return ()
    lines: list[Line] = []
    for first in range(0, seats, per_band):
        band = range(first, min(first + per_band, seats))
        turns = [_has_turn(scene, seat) for seat in band]
        paints = [Paint.ALERT if turn else Paint.PLAIN for turn in turns]
        names = [
            f"{'>' if turn else ' '}{clip(scene.names[seat], cells - 2, canvas.glyphs.cut)}"
            for seat, turn in zip(band, turns, strict=True)
        ]
        digits = [big_rows(points[seat], canvas.glyphs, wide) for seat in band]
        rows = [names, *([f" {each[row]}" for each in digits] for row in range(ROWS))]
        lines += (
            tuple(Span(pad(t, cells), paint) for t, paint in zip(texts, paints, strict=True))
            for texts in rows
        )
    return tuple(lines)


def _has_turn(scene: Scene, seat: int) -> bool:
    return scene.table.phase is RoundPhase.PLAY and scene.table.to_move == seat


def _train_lines(scene: Scene, canvas: Canvas, tall: int, *, has_scores: bool) -> tuple[Line, ...]:
    """Draw every train in as many rows, the Mexican ones first; the board of arms as it is."""
    if scene.table.rules.mexican.arms:
        return board_lines(scene, canvas)
    cells = min(_NAME_CELLS, max(text_cells(train_name(scene, t.id)) for t in scene.table.trains))
    lines: list[Line] = []
    for train in in_rows(scene):
        head = _train_head(scene, train, cells, canvas, has_scores=has_scores)
        laid = _laid_lines(scene, train, canvas, canvas.columns - line_cells(head), tall)
        blank = (Span(" " * line_cells(head)),)
        heads = [head if row == tall // 2 else blank for row in range(tall)]
        lines += ((*before, *row) for before, row in zip(heads, laid, strict=True))
    return tuple(lines)


def _train_head(
    scene: Scene, train: Train, cells: int, canvas: Canvas, *, has_scores: bool
) -> Line:
    """Write whose turn and train it is, what its owner holds, whether it is open, and its ends."""
    seat, table = Seat(train.id), scene.table
    held = str(len(table.hands[seat])) if seat in table.present else ""
    total = "" if has_scores else f"{totals(table)[seat] if seat >= 0 else '':>5}"
    is_open = train.marker or train.is_mexican
    ends = list(dict.fromkeys(end.pip for end in train.ends))
    owed = any(each.train == train.id for each in table.owed)
    dead = train.lays and all(map(table.is_dead, ends))
    chips = [span for pip in ends[:2] for span in (Span(f"{pip:>2}", Paint.CHIP, pip), Span(" "))]
    return (
        Span(">" if _has_turn(scene, seat) else " ", Paint.ALERT),
        Span(pad(clip(train_name(scene, train.id), cells, canvas.glyphs.cut), cells)),
        Span(f" {held:>2}", Paint.ALERT if held == "1" else Paint.PLAIN),
        Span(total, Paint.DIM),
        Span(f" {canvas.glyphs.open_end if is_open else ' '} ", Paint.STRONG),
        *(chips or [Span("   ")]),
        *([Span("   ")] if len(ends) < 2 else []),
        Span("!" if owed else "x" if dead else " ", Paint.ALERT),
        Span(" "),
    )


def _laid_lines(
    scene: Scene, train: Train, canvas: Canvas, cells: int, tall: int
) -> tuple[Line, ...]:
    """Draw the newest tiles of a train, as many as fit, with a sign for those before them."""
    shown = list[tuple[Line, ...]]()
    laid = _chain(train)
    wide = len(str(scene.table.spec.pip_max))
    room = cells - 1
    for each in reversed(laid):
        tile = _tile(each, wide, canvas, tall)
        if line_cells(tile[0]) > room:
            break
        shown.insert(0, tile)
        room -= line_cells(tile[0])
    sign = canvas.glyphs.cut if len(shown) < len(laid) else ""
    middle = (Span(sign), *(() if laid else (Span(say("not started"), Paint.DIM),)))
    blank = (Span(" " * len(sign)),)
    return tuple(
        (*(middle if row == tall // 2 else blank), *(span for tile in shown for span in tile[row]))
        for row in range(tall)
    )


def _chain(train: Train) -> list[Laid]:
    """The lays from the hub to the newest tile; other branches are left out."""
    found, at = list[Laid](), len(train.lays) - 1
    while at != HUB and train.lays:
        found.append(train.lays[at])
        at = train.lays[at].on
    return found[::-1]


def _tile(laid: Laid, wide: int, canvas: Canvas, tall: int) -> tuple[Line, ...]:
    """Draw a tile in as many rows: a double across if there are three, framed if there are five."""
    glyphs, is_double = canvas.glyphs, laid.tile.is_double
    cells = wide if tall > 1 else 1
    ends = (laid.joined, laid.end)
    first, second = (Span(f"{pip:>{cells}}", Paint.CHIP, pip) for pip in ends)
    middle = Span("=" if is_double else glyphs.upright)
    if tall == 1:
        return ((Span("["), first, middle, second, Span("]")),)
    across = ((first,), (Span(glyphs.rule * wide),), (second,))
    rows: Iterable[Line] = across if is_double else ((first, middle, second),)
    if tall == 3:
        rows = rows if is_double else ((Span("["), *row, Span("]")) for row in rows)
    else:
        inner = glyphs.rule * (wide if is_double else 2 * wide + 1)
        upright, (a, _, b, c, _, d) = Span(glyphs.upright), tuple(glyphs.corners)
        sides = ((upright, *row, upright) for row in rows)
        rows = ((Span(f"{a}{inner}{b}"),), *sides, (Span(f"{c}{inner}{d}"),))
    drawn = tuple(rows)
    above = ((Span(" " * line_cells(drawn[0])),),) * ((tall - len(drawn)) // 2)
    return (*above, *drawn, *above)
