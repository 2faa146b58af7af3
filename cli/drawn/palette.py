"""Colours and glyphs, and when to do without.

Digits carry the meaning; colour only helps the eye. A chip is one number on its own background:
eight hues of Okabe and Ito (2008), chosen so that the commonest kinds of colour blindness still
tell them apart, by the number modulo 8; 8 to 15 bold, 16 to 18 underlined.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The few characters beyond ASCII, and what stands for them."""

    rule: str
    cut: str
    open_end: str
    newest: str
    corners: tuple[str, str, str, str, str, str]
    upright: str


UNICODE_GLYPHS: Final = Glyphs("─", "…", "●", "▸", ("┌", "┬", "┐", "└", "┴", "┘"), "│")
ASCII_GLYPHS: Final = Glyphs("-", "~", "*", ">", ("+", "+", "+", "+", "+", "+"), "|")
_ALL_GLYPHS: Final = "─…●▸┌┬┐└┴┘│"


def choose_glyphs(encoding: str | None, environment: Mapping[str, str]) -> Glyphs:
    """Unicode where the output's encoding has every glyph and the terminal is no bare console."""
    if environment.get("TERM") in ("dumb", "linux"):
        return ASCII_GLYPHS
    try:
        _ALL_GLYPHS.encode(encoding or "ascii")
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


def toolkit_style(span: Span, palette: Palette) -> str:
    """Say the span's style in prompt-toolkit's words."""
    if palette is Palette.NONE:
        return ""
    match span.paint:
        case Paint.PLAIN:
            return ""
        case Paint.STRONG:
            return "bold"
        case Paint.DIM:
            return "" if palette is Palette.MONO else "#808080"
        case Paint.ALERT:
            return "bold" if palette is Palette.MONO else "bold #D55E00"
        case Paint.CHIP:
            if palette is Palette.MONO:
                return "bold"
            background, text = _HUES[span.pips % 8]
            return f"bg:#{background} #{text}{_weight(span.pips)}"


def _weight(pips: int) -> str:
    if pips < 8:
        return ""
    return " bold" if pips < 16 else " underline"


def _colour(digits: str) -> str:
    return ";".join(str(int(digits[at : at + 2], 16)) for at in (0, 2, 4))


def _codes(span: Span, palette: Palette) -> str:
    """Return the span's style as SGR parameters, empty for none."""
    codes = []
    for word in toolkit_style(span, palette).split():
        match word:
            case "bold":
                codes.append("1")
            case "underline":
                codes.append("4")
            case _ if word.startswith("bg:#"):
                codes.append(f"48;2;{_colour(word[4:])}")
            case _:
                codes.append(f"38;2;{_colour(word[1:])}")
    return ";".join(codes)


def ansi_text(line: Iterable[Span], palette: Palette) -> str:
    """One line with SGR sequences, for output that is not prompt-toolkit's."""
    parts = []
    for span in line:
        codes, text = _codes(span, palette), visible(span.text)
        parts.append(f"\x1b[{codes}m{text}\x1b[0m" if codes else text)
    return "".join(parts)


def plain_text(line: Iterable[Span]) -> str:
    """One line without any style."""
    return "".join(span.text for span in line)
