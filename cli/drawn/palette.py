"""Colours and glyphs, and when to do without.

Digits carry the meaning; colour only helps the eye. A chip is one number on its own background:
eight hues of Okabe and Ito (2008), chosen so that the commonest kinds of colour blindness still
tell them apart, by the number modulo 8; 8 to 15 bold, 16 to 18 underlined.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from cli.visible import visible

_HUES: Final = (
    ("BBBBBB", "000000"),
    ("E69F00", "000000"),
    ("56B4E9", "000000"),
    ("009E73", "000000"),
    ("F0E442", "000000"),
    ("0072B2", "FFFFFF"),
    ("D55E00", "000000"),
    ("CC79A7", "000000"),
)


class Paint(Enum):
    """What a piece of text is, for the eye."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    ALERT = "alert"
    CHIP = "chip"


class Span(NamedTuple):
    """A piece of a line; `pips` names the chip's number."""

    text: str
    paint: Paint = Paint.PLAIN
    pips: int = 0


Line: TypeAlias = tuple[Span, ...]


class Palette(Enum):
    """`SAFE` has hues, `MONO` only bold and reverse, `NONE` nothing at all."""

    SAFE = "safe"
    MONO = "mono"
    NONE = "none"


class Glyphs(NamedTuple):
    """The few characters beyond ASCII, and what stands for them; `corners` are six."""

    rule: str
    cut: str
    open_end: str
    corners: str
    upright: str


class GlyphSet(Enum):
    """Which glyphs somebody wants; `AUTO` takes what the terminal can show."""

    AUTO = "auto"
    UNICODE = "unicode"
    ASCII = "ascii"


UNICODE_GLYPHS: Final = Glyphs("─", "…", "●", "┌┬┐└┴┘", "│")
ASCII_GLYPHS: Final = Glyphs("-", "~", "*", "++++++", "|")


def choose_glyphs(
    encoding: str | None, environment: Mapping[str, str], wanted: GlyphSet = GlyphSet.AUTO
) -> Glyphs:
    """Unicode where the output's encoding has every glyph and the terminal is no bare console.

    Who wants it gets it at a bare console too, but never in an encoding that lacks a glyph.
    """
    bare = environment.get("TERM") in ("dumb", "linux") and wanted is GlyphSet.AUTO
    if bare or wanted is GlyphSet.ASCII:
        return ASCII_GLYPHS
    try:
        "".join(UNICODE_GLYPHS).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII_GLYPHS
    return UNICODE_GLYPHS


def choose_palette(environment: Mapping[str, str], *, terminal: bool) -> Palette:
    """`NONE` off a terminal or under `NO_COLOR`; `MONO` where a terminal has 16 colours or less."""
    term = environment.get("TERM", "")
    if not terminal or environment.get("NO_COLOR") or term == "dumb":
        return Palette.NONE
    if environment.get("COLORTERM") or "256" in term or "direct" in term:
        return Palette.SAFE
    return Palette.MONO


def _rgb(digits: str) -> str:
    return ";".join(map(str, bytes.fromhex(digits)))


_STYLES: Final[Mapping[Palette, Mapping[Paint, str]]] = {
    Palette.NONE: {},
    Palette.MONO: {Paint.STRONG: "1", Paint.ALERT: "1", Paint.CHIP: "1"},
    Palette.SAFE: {
        Paint.STRONG: "1",
        Paint.DIM: f"38;2;{_rgb('808080')}",
        Paint.ALERT: f"1;38;2;{_rgb('D55E00')}",
    },
}


def sgr(span: Span, palette: Palette) -> str:
    """Return the span's style as the parameters of an SGR sequence, empty for none."""
    if palette is not Palette.SAFE or span.paint is not Paint.CHIP:
        return _STYLES[palette].get(span.paint, "")
    background, text = _HUES[span.pips % 8]
    weight = "" if span.pips < 8 else ";1" if span.pips < 16 else ";4"
    return f"48;2;{_rgb(background)};38;2;{_rgb(text)}{weight}"


def ansi_text(line: Iterable[Span], palette: Palette) -> str:
    """One line, made visible, with SGR sequences."""
    parts = ((sgr(span, palette), visible(span.text)) for span in line)
    return "".join(f"\x1b[{codes}m{text}\x1b[0m" if codes else text for codes, text in parts)


def plain_text(line: Iterable[Span]) -> str:
    """One line without any style."""
    return "".join(span.text for span in line)
