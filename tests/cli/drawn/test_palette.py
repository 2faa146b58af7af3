"""Colours help and never carry the meaning; what a terminal cannot show is not sent."""

import re

import pytest

from cli.drawn.palette import (
    ASCII_GLYPHS,
    UNICODE_GLYPHS,
    Paint,
    Palette,
    Span,
    ansi_text,
    choose_glyphs,
    choose_palette,
    plain_text,
    sgr,
)

LINE = (Span("9", Paint.CHIP, 9), Span(" x "), Span("!", Paint.ALERT), Span("b", Paint.STRONG))


@pytest.mark.parametrize(
    ("encoding", "term", "glyphs"),
    [
        ("utf-8", "xterm", UNICODE_GLYPHS),
        ("utf-8", "linux", ASCII_GLYPHS),
        ("utf-8", "dumb", ASCII_GLYPHS),
        ("ascii", "xterm", ASCII_GLYPHS),
        ("latin-1", "xterm", ASCII_GLYPHS),
        ("no-such-encoding", "xterm", ASCII_GLYPHS),
        (None, "xterm", ASCII_GLYPHS),
    ],
)
def test_glyphs_are_those_the_output_has(encoding, term, glyphs):
    """Glyphs are those the output has."""
    assert choose_glyphs(encoding, {"TERM": term}) is glyphs


@pytest.mark.parametrize(
    ("environment", "terminal", "palette"),
    [
        ({"TERM": "xterm-256color"}, True, Palette.SAFE),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, True, Palette.SAFE),
        ({"TERM": "vt100"}, True, Palette.MONO),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True, Palette.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, True, Palette.SAFE),
        ({"TERM": "dumb"}, True, Palette.NONE),
        ({"TERM": "xterm-256color"}, False, Palette.NONE),
    ],
)
def test_colour_is_for_terminals_that_want_it(environment, terminal, palette):
    """`NO_COLOR`, a pipe and a dumb terminal get none."""
    assert choose_palette(environment, terminal=terminal) is palette


def test_no_palette_changes_the_text():
    """Colour may never be the only thing that says something."""
    for palette in Palette:
        text = ansi_text(LINE, palette)
        while "\x1b[" in text:
            before, _, rest = text.partition("\x1b[")
            text = before + rest.partition("m")[2]
        assert text == plain_text(LINE)


def test_without_colour_no_escape_is_sent():
    """What obeys no escape would print it."""
    assert ansi_text(LINE, Palette.NONE) == plain_text(LINE)
    assert all(sgr(span, Palette.NONE) == "" for span in LINE)


def test_all_nineteen_numbers_have_chips_of_their_own():
    """All nineteen numbers have chips of their own."""
    styles = {sgr(Span("x", Paint.CHIP, pips), Palette.SAFE) for pips in range(19)}
    assert len(styles) == 19


@pytest.mark.parametrize("pips", range(19))
def test_a_chip_is_readable_on_any_background(pips):
    """A chip is readable on any background."""
    style = sgr(Span("x", Paint.CHIP, pips), Palette.SAFE)
    background, text = (
        [int(part) for part in re.search(rf"{layer};2;(\d+);(\d+);(\d+)", style).groups()]
        for layer in (48, 38)
    )
    bright, dark = sorted((luminance(background), luminance(text)), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 4.5


def luminance(colour: list[int]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [each / 255 for each in colour]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
