"""Colours and glyphs, and when to do without.

Text carries the meaning; colour only helps the eye. A hue belongs to a seat, and marks its name and
the end of its train. It never belongs to a number: nineteen numbers would share eight hues, and 1
would look like 9. From the ninth seat on, the hues repeat, underlined.

The hues are those of Okabe and Ito (Color Universal Design, 2008,
https://jfly.uni-koeln.de/color/), with white for their black. They are approximated by those of the
256 colours that look the same on all terminals. Text on them has a contrast of at least 4.5 to 1
(WCAG 2). Any two hues differ by a delta E (CIEDE2000) of at least 14 for normal sight, protanopia
and deuteranopia, and of at least 9 for tritanopia.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple, Self, TypeAlias

from cli.visible import forces_colours, visible
from engine.table.moves import Move
from engine.table.trains import TrainId
from engine.tiles import Tile

_BLACK: Final = 16
_WHITE: Final = 231
_DARK_HUES: Final = (172, 81, 36, 226, 26, 94, 125, 255)
_LIGHT_HUES: Final = (172, 75, 29, 185, 20, 88, 132, 250)
_CONTRAST_HUES: Final = (214, 117, 72, 228, 20, 88, 175, 255)
_DEEP_HUES: Final = frozenset({20, 26, 88, 94, 125})
"""The hues on which text is white."""

_SIXTEEN: Final = ("30;43", "30;46", "30;42", "7", "37;44", "37;41", "30;45", "30;47")
"""The hues of terminals with 16 colours, whose exact shades each user chooses."""

_HUES: Final = 8
_UNDERLINED: Final = ";4"

_SIXTEEN_TERMS: Final = ("xterm", "screen", "tmux", "linux", "rxvt", "konsole", "putty", "cygwin")


class Paint(Enum):
    """The role of a piece of text, which decides its style."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    ALERT = "alert"
    CHIP = "chip"
    SCANNED = "scanned"


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    paint: Paint = Paint.PLAIN
    seat: int = -1
    """The seat whose hue the piece has; -1 for none."""
    about: Tile | TrainId | Move | None = None
    """What a click means on this piece, or on later ones that have no meaning of their own."""


Line: TypeAlias = tuple[Span, ...]


class LookChoice(Enum):
    """A choice of looks: a member's value is the word for it, and its sentence explains it."""

    _value_: str
    sentence: str

    def __new__(cls, word: str, sentence: str) -> Self:
        """Make a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.sentence = word, sentence
        return member


class Theme(LookChoice):
    """The colours that somebody wants."""

    AUTO = (
        "auto",
        (
            "For a dark or a light background, as the terminal says; otherwise colours that suit "
            "both."
        ),
    )
    DARK = "dark", "For a dark background."
    LIGHT = "light", "For a light background."
    CONTRAST = "contrast", "High contrast, and nothing dim."
    MONO = "mono", "Bold and underlined, without colours."
    NONE = "none", "Plain text only, as with NO_COLOR, whatever you set here."


class Palette(NamedTuple):
    """Parameters of SGR sequences: one for each paint, and the hues of eight seats.

    A paint that is not listed has no style. Without `hues`, names have the style of their paint.
    """

    paints: Mapping[Paint, str] = MappingProxyType({})
    hues: tuple[str, ...] = ()


class Glyphs(NamedTuple):
    """The few characters that go beyond ASCII, or their ASCII replacements."""

    rule: str
    cut: str
    open_end: str
    corners: str
    """Six characters: left, middle and right at the top of a frame, then at its foot."""
    upright: str


class GlyphSet(LookChoice):
    """The glyphs that somebody wants."""

    AUTO = "auto", "What the terminal can show."
    UNICODE = "unicode", "Lines and dots, at a bare console too."
    ASCII = "ascii", "Plain characters: - | + *"


UNICODE_GLYPHS: Final = Glyphs("─", "…", "●", "┌┬┐└┴┘", "│")
ASCII_GLYPHS: Final = Glyphs("-", "~", "*", "++++++", "|")


def choose_glyphs(
    encoding: str | None, environment: Mapping[str, str], wanted: GlyphSet = GlyphSet.AUTO
) -> Glyphs:
    """Return the Unicode glyphs if they can be shown and ASCII is not `wanted`, else ASCII ones.

    They cannot be shown if the encoding lacks one of them, or is None or unknown. On a bare
    console, with `TERM` as dumb or linux, they are used only if Unicode is `wanted`.
    """
    bare = environment.get("TERM") in ("dumb", "linux") and wanted is GlyphSet.AUTO
    if bare or wanted is GlyphSet.ASCII:
        return ASCII_GLYPHS
    try:
        "".join(UNICODE_GLYPHS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII_GLYPHS
    return UNICODE_GLYPHS


def _indexed(hues: Iterable[int], dim: str, alert: str) -> Palette:
    """Return a palette with these hues, given by their numbers among the 256 colours.

    `dim` and `alert` are the styles of those two paints.
    """
    paints = {
        Paint.STRONG: "1",
        Paint.DIM: dim,
        Paint.ALERT: alert,
        Paint.CHIP: "1",
        Paint.SCANNED: f"38;5;{_WHITE};48;5;{_BLACK}",
    }
    texts = ((hue, _WHITE if hue in _DEEP_HUES else _BLACK) for hue in hues)
    return Palette(paints, tuple(f"48;5;{hue};38;5;{text}" for hue, text in texts))


NO_COLOURS: Final = Palette()
MONO: Final = Palette({Paint.STRONG: "1", Paint.ALERT: "1", Paint.CHIP: "1"})
SIXTEEN: Final = Palette({**MONO.paints, Paint.SCANNED: "97;40"}, _SIXTEEN)

PALETTES: Final[Mapping[Theme, Palette]] = {
    Theme.AUTO: _indexed(_DARK_HUES, dim="38;5;243", alert="1;38;5;131"),
    Theme.DARK: _indexed(_DARK_HUES, dim="38;5;248", alert="1;38;5;208"),
    Theme.LIGHT: _indexed(_LIGHT_HUES, dim="38;5;240", alert="1;38;5;124"),
    Theme.CONTRAST: _indexed(_CONTRAST_HUES, dim="", alert="1;7"),
    Theme.MONO: MONO,
    Theme.NONE: NO_COLOURS,
}
"""The colours of each theme on a terminal with 256; those of `AUTO` fit any background."""


def choose_palette(
    environment: Mapping[str, str],
    *,
    terminal: bool,
    wanted: Theme = Theme.AUTO,
    depth: int | None = None,
) -> Palette:
    """Return the theme in the colours available; `NO_COLOURS` if none may be used.

    None may be used under `NO_COLOR` or at a `depth` of 0. Unless a variable `forces_colours`, none
    may be used off a terminal, on a dumb one, or if `CLICOLOR` is 0. `depth` is the number of bits
    per colour; if it is None, variables decide. `AUTO` becomes dark or light if a variable says
    which. A theme with colours needs 8 bits; at 4 bits it becomes `SIXTEEN`, else `MONO`.
    """
    lacks = not terminal or environment.get("TERM") == "dumb" or environment.get("CLICOLOR") == "0"
    if environment.get("NO_COLOR") or (lacks and not forces_colours(environment)):
        return NO_COLOURS
    if depth is None:
        depth = _depth(environment)
    if wanted is Theme.AUTO:
        wanted = _background(environment)
    if depth == 0:
        return NO_COLOURS
    if depth >= 8 or wanted in (Theme.MONO, Theme.NONE):
        return PALETTES[wanted]
    return SIXTEEN if depth == 4 else MONO


def _depth(environment: Mapping[str, str]) -> int:
    """Return the bits of colour that a terminal has according to its variables: 8, 4 or 1.

    Forced colours have at least 4, and 8 if `FORCE_COLOR` is 2 or 3.
    """
    term, forced = environment.get("TERM", ""), forces_colours(environment)
    if environment.get("COLORTERM") or "256" in term or "direct" in term:
        return 8
    if forced and environment.get("FORCE_COLOR") in ("2", "3"):
        return 8
    return 4 if forced or term.startswith(_SIXTEEN_TERMS) else 1


def _background(environment: Mapping[str, str]) -> Theme:
    """Return `LIGHT` or `DARK` by `COLORFGBG`, which some terminals set; else `AUTO`.

    The last number in it is the background's.
    """
    number = environment.get("COLORFGBG", "").rpartition(";")[2]
    if not (number.isascii() and number.isdigit()):
        return Theme.AUTO
    return Theme.LIGHT if int(number[:3]) in (7, 15) else Theme.DARK


def sgr(span: Span, palette: Palette) -> str:
    """Return the span's style as the parameters of an SGR sequence, empty for none.

    A span with a seat has the seat's hue unless it is an alert; any other has its paint's style.
    From the ninth seat on, hues repeat, underlined.
    """
    if span.seat < 0 or span.paint is Paint.ALERT or not palette.hues:
        return palette.paints.get(span.paint, "")
    again, hue = divmod(span.seat, _HUES)
    return palette.hues[hue] + (_UNDERLINED if again else "")


def ansi_text(line: Iterable[Span], palette: Palette) -> str:
    """Return a line as visible text, with SGR sequences around styled spans; no newline."""
    parts = ((sgr(span, palette), visible(span.text)) for span in line)
    return "".join(f"\x1b[{codes}m{text}\x1b[0m" if codes else text for codes, text in parts)


def hued(lines: Sequence[Line], names: Sequence[str], *, within: bool = False) -> tuple[Line, ...]:
    """Return lines in which a name at the beginning of the first one has its seat's hue.

    With `within`, every name in the lines has. `names` are in the order of the seats, and count
    only as whole words. Lines without names are unchanged.
    """
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    name = re.compile(rf"(?<!\S)({words})(?![^\s,;:.'])")

    def parts(span: Span, count: int = 0) -> Line:
        found = enumerate(name.split(span.text, count))
        return tuple(
            span._replace(text=text, seat=names.index(text) if at % 2 else span.seat)
            for at, text in found
            if text
        )

    if within and names:
        return tuple(tuple(part for span in line for part in parts(span)) for line in lines)
    if not (names and lines and name.match(lines[0][0].text.lstrip())):
        return tuple(lines)
    first, *rest = lines[0]
    return ((*parts(first, 1), *rest), *lines[1:])


def plain_text(line: Iterable[Span]) -> str:
    """Return a line as text without styles; control characters are not escaped."""
    return "".join(span.text for span in line)
