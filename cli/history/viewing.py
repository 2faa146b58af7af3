"""Stepping through a recorded game: the position, the typed words and keys, and the drawing."""

import re
from collections.abc import Callable, Sequence
from operator import attrgetter
from string import digits
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from cli.history.film import Frame
from cli.language import say
from cli.render.board import board_lines
from cli.render.cells import Canvas, clip, wrap_words
from cli.render.palette import Line, Paint, Span
from cli.render.sheets import score_lines
from cli.scene import tile_text
from cli.session.verbs.leaving import LEAVING
from cli.visible import folded

KEYS: Final = {
    "right": "next",
    "left": "back",
    "down": "turn",
    "up": "turn back",
    "pagedown": "round",
    "pageup": "round back",
    "home": "first",
    "end": "last",
    " ": "play",
    "+": "faster",
    "-": "slower",
    "h": "h",
    "q": "q",
    "?": "help",
}
"""The line that each key types."""

CLOSE: Final = "close"
"""The line of the key that closes what was opened last, or leaves if nothing is open."""

HELP: Final = (
    "Left and Right go by a move, Up and Down by a turn, Page Up and Page Down by a round; 50 goes "
    "to move 50, g 3 to round 3, Home and End to the ends, /ben to Ben's next move. Space plays "
    "and stops, + and - change the speed. h opens the hands, q leaves."
)

_SHORT: Final = {
    "": "next",
    "end": "last",
    "e": "last",
    "start": "first",
    "home": "first",
    "begin": "first",
    "?": "help",
}
_GO: Final = re.compile(r"(?:g|go to round|round)\s*(\d{1,9})", re.ASCII)
_MOVE: Final = re.compile(r"(?:go to move|move|m)?\s*(\d{1,9})", re.ASCII)

_PAUSES_S: Final = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)


class Viewing(Struct, frozen=True):
    """A viewer's position in a recorded game, and how they look at it."""

    frames: Sequence[Frame]
    """All frames of the game: at least one."""
    at: int = 0
    """The index of the frame shown."""
    hands: bool = False
    """True if hands are open."""
    plays: bool = False
    """True if the replay goes on by itself."""
    speed: int = 2
    """The index in `_PAUSES_S` of the pause between two frames; 0 is the slowest."""
    said: str = ""
    """The text below the frame."""

    @property
    def frame(self) -> Frame:
        """The frame shown."""
        return self.frames[self.at]

    @property
    def pause_s(self) -> float:
        """The seconds that each frame is shown while the replay plays."""
        return _PAUSES_S[self.speed]

    def moved_on(self) -> "Viewing":
        """Return the view one frame further on; it keeps playing unless that is the last frame."""
        last = len(self.frames) - 1
        return replace(self, at=min(self.at + 1, last), plays=self.at + 1 < last, said="")


def answered(view: Viewing, line: str) -> Viewing | None:
    """Return the view after a typed line, or after the line of a key; None if it leaves the replay.

    Going to another frame stops the playing. An unknown word keeps the frame, and `said` explains
    the mistake. Asking for the help again closes it.
    """
    typed = line.strip().lower()
    word, before, view = _SHORT.get(typed, typed), view.said, replace(view, said="")
    if word == CLOSE and (before or view.hands):
        return view if before else replace(view, hands=False)
    if word == "help" and before == say(HELP):
        return view
    if word in (CLOSE, *LEAVING):
        return None
    if word.startswith("/"):
        return _to_name(view, word[1:].strip())
    if (found := _GO.fullmatch(word)) is not None:
        return _to_round(view, int(found[1]))
    if (found := _MOVE.fullmatch(word)) is not None:
        return _to_move(view, int(found[1]))
    if word in _SWITCHES:
        return _SWITCHES[word](view)
    if word in _STEPS:
        return replace(view, at=_STEPS[word](view), plays=False)
    return replace(view, said=f"{say('There is no {word} here.', word=word)} {say(HELP)}")


def _to_name(view: Viewing, name: str) -> Viewing:
    """Go to the next move of a player whose name begins with `name`, wrapping round at the end.

    If no such player moves, stay and say so.
    """
    count = len(view.frames)
    for at in ((view.at + step) % count for step in range(1, count + 1)):
        frame = view.frames[at]
        if frame.mover >= 0 and folded(frame.scene.names[frame.mover]).startswith(folded(name)):
            return replace(view, at=at, plays=False)
    return replace(view, said=say("Nobody here is called {name}.", name=name))


def _to_move(view: Viewing, number: int) -> Viewing:
    if not 1 <= number <= len(view.frames):
        text = "There is no move {number} here; the last one is {last}."
        return replace(view, said=say(text, number=number, last=len(view.frames)))
    return replace(view, at=number - 1, plays=False)


def _to_round(view: Viewing, number: int) -> Viewing:
    """Go to the round with this number, or else to the move with this number.

    If there is neither, stay and say so.
    """
    found = next((at for at, each in enumerate(view.frames) if each.round_number == number), None)
    if found is None and 0 < number <= len(view.frames):
        return _to_move(view, number)
    if found is None:
        last = view.frames[-1].round_number
        text = "There is no round {number} here; the last one is {last}."
        return replace(view, said=say(text, number=number, last=last))
    return replace(view, at=found, plays=False)


def _where_changes(view: Viewing, of: Callable[[Frame], object]) -> int:
    """Return the index of the next frame for which `of` returns a different value.

    If there is none, return the index of the last frame.
    """
    now = of(view.frame)
    later = range(view.at + 1, len(view.frames))
    return next((at for at in later if of(view.frames[at]) != now), len(view.frames) - 1)


def _where_began(view: Viewing, of: Callable[[Frame], object]) -> int:
    """Return the index at which the current run of frames with the same value of `of` begins.

    If the present frame is the first of its run, return where the run before it begins.
    """
    at = max(view.at - 1, 0)
    while at and of(view.frames[at - 1]) == of(view.frames[at]):
        at -= 1
    return at


def _turn(frame: Frame) -> object:
    return frame.round_number, frame.scene.table.turns, frame.mover


_BY_ROUND: Final = attrgetter("round_number")

_STEPS: Final[dict[str, Callable[[Viewing], int]]] = {
    "next": lambda view: min(view.at + 1, len(view.frames) - 1),
    "back": lambda view: max(view.at - 1, 0),
    "turn": lambda view: _where_changes(view, _turn),
    "turn back": lambda view: _where_began(view, _turn),
    "round": lambda view: _where_changes(view, _BY_ROUND),
    "round back": lambda view: _where_began(view, _BY_ROUND),
    "first": lambda _view: 0,
    "last": lambda view: len(view.frames) - 1,
}

_SWITCHES: Final[dict[str, Callable[[Viewing], Viewing]]] = {
    "h": lambda view: replace(view, hands=not view.hands),
    "play": lambda view: replace(view, plays=not view.plays),
    "faster": lambda view: replace(view, speed=min(view.speed + 1, len(_PAUSES_S) - 1)),
    "slower": lambda view: replace(view, speed=max(view.speed - 1, 0)),
    "help": lambda view: replace(view, said=say(HELP)),
}

_WORDS: Final = {*filter(None, _SHORT), *_STEPS, *_SWITCHES, *LEAVING, "go", "move"}

BEGINS: Final = "".join(sorted({"/", *digits, *(word[0] for word in _WORDS)} - KEYS.keys()))
"""The characters that may begin a typed line: a number, `/` and a name, or a word such as `end`.

A character that is a key acts at once, so it begins no line.
"""


# ---- what is drawn ----------------------------------------------------------------------------


def view_lines(view: Viewing, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the frame: its position, the board or the scores, the events, and open hands.

    The board is left out if the message and hands asked for would not fit below it.
    """
    frame, width = view.frame, canvas.columns - 1
    text = "Move {number} of {moves}, step {step} of the log"
    if view.plays:
        text = "Move {number} of {moves}, playing every {pause:g} s, step {step} of the log"
    head = say(
        text, number=view.at + 1, moves=len(view.frames), step=frame.step, pause=view.pause_s
    )
    title = (Span(clip(f" {head}", width, canvas.glyphs.cut), Paint.DIM),)
    story = wrap_words(f" {frame.text}", width, "   ")
    asked = (
        *(wrap_words(f" {view.said}", width, " ") if view.said else ()),
        *(hands_lines(frame, canvas) if view.hands else ()),
    )
    board = (score_lines if frame.mover < 0 else board_lines)(frame.scene, canvas)
    if asked and len(board) + len(story) + len(asked) + 4 > canvas.rows:
        return (title, *story, *asked)
    return (title, *board, *story, *asked)


def hands_lines(frame: Frame, canvas: Canvas) -> tuple[Line, ...]:
    """Draw every hand, the highest tiles first; `?` is a tile that the record never opens."""
    lines: list[Line] = []
    for name, held in zip(frame.scene.names, frame.scene.table.hands, strict=False):
        known = sorted((frame.tiles[at] for at in held if at in frame.tiles), reverse=True)
        texts = [*map(tile_text, known), *["?"] * (len(held) - len(known))]
        tiles = " ".join(texts) or say("no tiles")
        lines += wrap_words(f" {name}: {tiles}", canvas.columns - 1, "   ")
    return tuple(lines)
