"""The table as a room sees it on a television, as large as the canvas. Pure.

Every picture is a stack of blocks, each with a rank. Blocks that do not fit are left out, the
highest rank first; sentences about the last moves fill the rows that remain.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from cli.language import say
from cli.render.big import ROWS, big_rows, pixel_cells
from cli.render.board import board_lines, header_text, is_tree
from cli.render.cells import Canvas, clip, pad, text_cells, wrap_words
from cli.render.game_end import end_lines, evening_lines
from cli.render.palette import Line, Paint, Span, hued
from cli.render.qr import qr_lines
from cli.render.round_card import card_lines
from cli.render.sheets import lobby_lines, table_sheet_lines
from cli.render.tiles import TALL, tiled_lines
from cli.results.summary import Summary
from cli.scene import LobbyScene, RoundCard, Scene
from cli.wording.game_end import GameEnd
from cli.wording.notices import mixed_text
from cli.wording.since import one_left_sentences
from engine.scoring import totals, winners
from engine.table.table import RoundPhase
from netgame.io.network.addresses import leads_nowhere_else

_SAID_MIN: Final = 3
"""The rows that are left for the last moves when tiles are drawn larger."""

_BANDS_MAX: Final = 2
"""The most rows of big scores."""


class Wall(Struct, frozen=True):
    """The content of a wall: a table in its lobby or in play, and the last sentences about it."""

    lobby: LobbyScene | None = None
    """The table in its lobby; later, how others join, with the code if it may be seen."""
    scene: Scene | None = None
    card: RoundCard | None = None
    """The end of a round; it covers the scene until the next round, and after the game."""
    seconds: int = 0
    """The seconds until the next round begins, or the end of the game is shown."""
    end: GameEnd | None = None
    evening: tuple[Summary, ...] = ()
    """The games of the evening; after the last round they may leave the card no room."""
    status: str = ""
    """The status line: a text that says what the table waits for."""
    said: tuple[str, ...] = ()
    page: tuple[Line, ...] = ()
    """A page that somebody asked for; it covers everything else."""


_Block = tuple[int, Sequence[Line]]
"""A rank, and lines that belong together. If only one of two fits, that of lower rank stays."""


def wall_lines(wall: Wall, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the wall in exactly as many lines as the canvas has rows.

    It shows the first that exists of page, card, scene and lobby; blank lines fill the rest.
    """
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
    """Return the lines of the blocks that fit, then sentences in the rows that remain.

    Blocks of low rank get room first; those that are kept stay in the order given.
    """
    room, kept = canvas.rows, set[int]()
    for at in sorted(range(len(blocks)), key=lambda each: blocks[each][0]):
        if len(blocks[at][1]) <= room:
            kept.add(at)
            room -= len(blocks[at][1])
    lines = [line for at in sorted(kept) for line in blocks[at][1]]
    return (*lines, *_said_lines(wall, canvas, room))


def _said_lines(wall: Wall, canvas: Canvas, rows: int) -> tuple[Line, ...]:
    """Draw the last sentences below a blank line, each whole, the newest last and bold.

    Older sentences that do not fit are left out. Return no lines if there are no rows.
    """
    lines: list[Line] = []
    names = wall.scene.names if wall.scene else ()
    for sentence in reversed(wall.said):
        paint = Paint.PLAIN if lines else Paint.STRONG
        more = wrap_words(f" {sentence}", canvas.columns - 1, "   ", paint)
        if len(lines) + len(more) >= rows:
            break
        lines[:0] = hued(more, names)
    return ((Span(""),), *lines)[:rows]


def _big(
    text: str, canvas: Canvas, paint: Paint = Paint.STRONG, seat: int = -1
) -> tuple[Line, ...]:
    """Draw a text in big letters, or in ordinary ones if those do not fit; both take six rows.

    The last row is blank. A text about a seat has a bar of the seat's hue before it.
    """
    wide = pixel_cells(text, canvas.columns - 3)
    rows = big_rows(text, canvas.glyphs, wide) if wide else (text, *[""] * (ROWS - 1))
    return (*((Span(" ", Paint.CHIP, seat), Span(f" {row}", paint)) for row in rows), (Span(""),))


def _door_text(wall: Wall) -> str:
    """Return how others join, and with what code; empty if no address is known."""
    if wall.lobby is None or not wall.lobby.addresses:
        return ""
    where, code = wall.lobby.addresses[0], wall.lobby.code
    door = f"boneyard join {where}  {code}".rstrip()
    return say("{where} on this computer", where=door) if leads_nowhere_else(where) else door


# ---- before a game, between rounds, and after it ----------------------------------------------


def _lobby_blocks(wall: Wall, canvas: Canvas) -> tuple[_Block, ...]:
    """Draw the join code or the program's name in big letters, and the lobby.

    Below them are the page's QR code and the results of the evening. Until the table's settings are
    known, draw only the program's name and the status.
    """
    lobby = wall.lobby
    if lobby is None or lobby.view.settings is None:
        return ((1, _big("Boneyard", canvas)), (0, (canvas.row(f" {wall.status}"),)))
    head = _big(lobby.code or "Boneyard", canvas)
    code = ((Span(""),), *qr_lines(lobby.page, canvas)) if lobby.page else ()
    return (
        (1, head),
        (0, lobby_lines(lobby, canvas)),
        (2, code),
        (3, _evening_lines(wall, canvas)),
    )


def _card_blocks(wall: Wall, card: RoundCard, canvas: Canvas) -> tuple[_Block, ...]:
    """Draw the end of a round or of the game, the scores, and when play goes on."""
    cards: tuple[Line, ...] = ((Span(""),), *card_lines(card, canvas))
    evening = _evening_lines(wall, canvas)
    if card.is_last:
        names = " ".join(card.names[seat] for seat in winners(card.end.table))
        ends = () if wall.end is None or wall.seconds else end_lines(wall.end, canvas)
        return ((2, _big(names, canvas)), (0, ends), (1, evening), (3 if ends else 0, cards))
    text = "seconds until the next round, or until its first tile is played"
    row = canvas.row(f" {say(text) if wall.seconds else wall.status}")
    head = [*(_big(str(wall.seconds), canvas) if wall.seconds else ()), row]
    table = card.scene.table
    scores = ((Span(""),), *table_sheet_lines(card.names, table, canvas))
    return ((1, head), (0, cards), (2, evening), (3, scores))


def _evening_lines(wall: Wall, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the results of the evening's games below a blank line; empty if there are none."""
    return ((Span(""),), *evening_lines(wall.evening, canvas)) if wall.evening else ()


# ---- the table --------------------------------------------------------------------------------


def _table_blocks(wall: Wall, scene: Scene, canvas: Canvas) -> tuple[_Block, ...]:
    """Draw every train, the scores as large as they fit, and whose turn it is."""
    head = _header(wall, scene, canvas)
    scores = _score_lines(scene, canvas)
    to_move = scene.table.to_move
    is_played = scene.table.phase is RoundPhase.PLAY
    turn = _big(scene.names[to_move] if is_played else "", canvas, Paint.ALERT, to_move)
    low = _train_lines(scene, canvas, 1, has_totals=not scores)
    spare = canvas.rows - len(head) - len(scores) - len(turn) - _SAID_MIN
    drawn = (_train_lines(scene, canvas, tall, has_totals=not scores) for tall in TALL)
    trains = next((lines for lines in drawn if len(lines) <= spare), low)
    return ((0, head), (3, turn), (2, scores), (1, trains))


def _header(wall: Wall, scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the round, how others join if there are seats, the status, and who holds one tile.

    The number of seats that shuffled the deck comes last, and is cut if it does not fit.
    """
    title = f" {header_text(scene, canvas)}"
    door = _door_text(wall) if scene.has_seats else ""
    fits = text_cells(title) + text_cells(door) + 3 <= canvas.columns
    between = " " * (canvas.columns - text_cells(title) - text_cells(door) - 1)
    first = f"{title}{between}{door}" if door and fits else title
    rest = [canvas.row(f" {door}")] if door and not fits else []
    said = (wall.status, *one_left_sentences(scene), mixed_text(scene.mixers))
    status = canvas.row(f" {'   '.join(filter(None, said))}", Paint.ALERT)
    return (canvas.row(first, Paint.STRONG), *rest, status)


def _score_lines(scene: Scene, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the points of each seat in big digits below its name, in at most two rows of seats.

    The name of a seat that is gone is dim. Return no lines if two rows cannot take all the seats.
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
    lines, gone = list[Line](), scene.table.game.gone
    to_move = scene.table.to_move if scene.table.phase is RoundPhase.PLAY else None
    for first in range(0, seats, per_band):
        band = range(first, min(first + per_band, seats))
        names: list[Span] = []
        for seat in band:
            name = f" {clip(scene.names[seat], cells - 4, canvas.glyphs.cut)} "
            names += (
                Span(">" if seat == to_move else " ", Paint.ALERT),
                Span(name, Paint.DIM) if gone >> seat & 1 else Span(name, Paint.PLAIN, seat),
                Span(" " * (cells - 1 - text_cells(name))),
            )
        digits = [big_rows(points[seat], canvas.glyphs, wide) for seat in band]
        lines += (
            tuple(names),
            *(
                (Span("".join(pad(f"  {each[row]}", cells) for each in digits)),)
                for row in range(ROWS)
            ),
        )
    return tuple(lines)


def _train_lines(scene: Scene, canvas: Canvas, tall: int, *, has_totals: bool) -> tuple[Line, ...]:
    """Draw every train in `tall` rows; if everybody plays on one train, draw it as on the board."""
    if is_tree(scene):
        return board_lines(scene, canvas)
    return tiled_lines(scene, canvas, tall, has_totals=has_totals)
