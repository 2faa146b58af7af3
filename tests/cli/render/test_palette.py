"""Colours help but never carry meaning, and a terminal gets nothing that it cannot show."""

import re
from itertools import combinations

import pytest
from coloraide import Color

from cli.render.palette import (
    ASCII_GLYPHS,
    MONO,
    NO_COLOURS,
    PALETTES,
    SIXTEEN,
    UNICODE_GLYPHS,
    GlyphSet,
    Paint,
    Palette,
    Span,
    Theme,
    ansi_text,
    choose_glyphs,
    choose_palette,
    hued,
    plain_text,
    sgr,
)

HUED = {theme.value: each for theme, each in PALETTES.items() if each.hues}
LINE = (Span("9", Paint.CHIP, 3), Span(" x "), Span("!", Paint.ALERT), Span("b", Paint.STRONG))


@pytest.mark.parametrize(
    ("encoding", "term", "wanted", "glyphs"),
    [
        ("utf-8", "xterm", [], UNICODE_GLYPHS),
        ("utf-8", "linux", [], ASCII_GLYPHS),
        ("utf-8", "dumb", [], ASCII_GLYPHS),
        ("latin-1", "xterm", [], ASCII_GLYPHS),
        ("no-such-encoding", "xterm", [], ASCII_GLYPHS),
        (None, "xterm", [], ASCII_GLYPHS),
        ("utf-8", "xterm", [GlyphSet.ASCII], ASCII_GLYPHS),
        ("utf-8", "linux", [GlyphSet.UNICODE], UNICODE_GLYPHS),
        ("latin-1", "xterm", [GlyphSet.UNICODE], ASCII_GLYPHS),
    ],
)
def test_glyphs_are_those_the_output_has(encoding, term, wanted, glyphs):
    """Unicode glyphs are used if the encoding has them and `TERM` is not `linux` or `dumb`.

    A setting overrides `TERM`, but not the encoding.
    """
    assert choose_glyphs(encoding, {"TERM": term}, *wanted) is glyphs


@pytest.mark.parametrize(
    ("environment", "terminal", "palette"),
    [
        ({"TERM": "xterm-256color"}, True, PALETTES[Theme.AUTO]),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, True, PALETTES[Theme.AUTO]),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, True, PALETTES[Theme.LIGHT]),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;default;0"}, True, PALETTES[Theme.DARK]),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;default"}, True, PALETTES[Theme.AUTO]),
        ({"TERM": "xterm-256color", "COLORFGBG": "9" * 5_000}, True, PALETTES[Theme.DARK]),
        ({"TERM": "linux"}, True, SIXTEEN),
        ({"TERM": "vt100"}, True, MONO),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True, NO_COLOURS),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, True, PALETTES[Theme.AUTO]),
        ({"TERM": "dumb"}, True, NO_COLOURS),
        ({"TERM": "xterm-256color"}, False, NO_COLOURS),
        ({"TERM": "xterm-256color", "CLICOLOR": "1"}, False, NO_COLOURS),
        ({"TERM": "xterm-256color", "CLICOLOR": "1"}, True, PALETTES[Theme.AUTO]),
        ({"TERM": "xterm-256color", "CLICOLOR": "0"}, True, NO_COLOURS),
        ({"TERM": "xterm-256color", "CLICOLOR": ""}, True, PALETTES[Theme.AUTO]),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "1"}, False, PALETTES[Theme.AUTO]),
        ({"TERM": "xterm-256color", "FORCE_COLOR": ""}, False, NO_COLOURS),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "0"}, False, NO_COLOURS),
        ({"CLICOLOR_FORCE": "1"}, False, SIXTEEN),
        ({"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, False, SIXTEEN),
        ({"CLICOLOR_FORCE": "0"}, False, NO_COLOURS),
        ({"FORCE_COLOR": "true"}, False, SIXTEEN),
        ({"FORCE_COLOR": "3"}, False, PALETTES[Theme.AUTO]),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, SIXTEEN),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, NO_COLOURS),
    ],
)
def test_colour_is_for_terminals_that_want_it(environment, terminal, palette):
    """With `NO_COLOR`, in a pipe or at a dumb terminal there are no colours.

    Other terminals get the most colours that they can show. `CLICOLOR=0` turns colours off;
    `FORCE_COLOR` and `CLICOLOR_FORCE` turn them on even in a pipe. `NO_COLOR` overrides everything.
    """
    assert choose_palette(environment, terminal=terminal) == palette


@pytest.mark.parametrize(
    ("depth", "palette"),
    [
        (24, PALETTES[Theme.AUTO]),
        (8, PALETTES[Theme.AUTO]),
        (4, SIXTEEN),
        (1, MONO),
        (0, NO_COLOURS),
    ],
)
def test_colour_is_as_deep_as_whoever_knows_says(depth, palette):
    """Without `TERM`, as on Windows, the palette is chosen by the given colour depth."""
    assert choose_palette({}, terminal=True, depth=depth) == palette
    assert choose_palette({"NO_COLOR": "1"}, terminal=True, depth=depth) == NO_COLOURS
    assert choose_palette({}, terminal=False, depth=depth) == NO_COLOURS


@pytest.mark.parametrize("theme", Theme)
def test_a_theme_holds_where_there_are_colours(theme):
    """A chosen theme is used wherever there are colours; `NO_COLOR` overrides it."""
    many = {"TERM": "xterm-256color", "COLORFGBG": "0;15"}
    found = choose_palette(many, terminal=True, wanted=theme)
    assert found == PALETTES[Theme.LIGHT if theme is Theme.AUTO else theme]
    assert choose_palette(many | {"NO_COLOR": "1"}, terminal=True, wanted=theme) == NO_COLOURS
    assert choose_palette(many, terminal=False, wanted=theme) == NO_COLOURS


def test_no_palette_changes_the_text():
    """With every palette the text is the same once escape sequences are removed."""
    assert ansi_text(LINE, NO_COLOURS) == plain_text(LINE), "what obeys no escape would print it"
    for palette in (*PALETTES.values(), SIXTEEN):
        text = ansi_text(LINE, palette)
        while "\x1b[" in text:
            before, _, rest = text.partition("\x1b[")
            text = before + rest.partition("m")[2]
        assert text == plain_text(LINE)


# ---- what eyes can tell apart ---------------------------------------------------------------


@pytest.mark.parametrize("palette", [*HUED.values(), SIXTEEN], ids=[*HUED, "sixteen"])
def test_sixteen_seats_look_otherwise(palette):
    """Seats 1-8 each have a hue, seats 9-16 the same hues underlined; the text never changes."""
    styles = [sgr(Span(" Ana", seat=seat), palette) for seat in range(16)]
    assert len({*styles}) == 16
    assert styles[8:] == [f"{hue};4" for hue in styles[:8]]
    for seat in range(16):
        names = (Span(f"{seat + 1:>2}"), Span(" Ana", seat=seat))
        text = re.sub(r"\x1b\[[\d;]*m", "", ansi_text(names, palette))
        assert text == plain_text(names)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann: hi", ("Ann", 0)),
        (" Ann Lee's turn", ("Ann Lee", 1)),
        ("Ann Leeds: hi", ("Ann", 0)),
        ("Anna: hi", None),
        ("Say hi to Ann: hi", None),
        ("", None),
    ],
)
def test_a_sentence_begins_with_a_name_in_its_hue(text, found):
    """A name at the beginning of a sentence has the hue of its seat.

    If the sentence begins with several names, the longest counts.
    """
    (line,) = hued([(Span(text, Paint.STRONG), Span("!"))], ("Ann", "Ann Lee"))
    assert hued([], ("Ann", "Ann Lee")) == ()  # as for blanks without room in a window
    assert plain_text(line) == f"{text}!"
    assert [(span.text, span.seat) for span in line if span.seat >= 0] == [found] * bool(found)


@pytest.mark.parametrize("name", HUED)
def test_a_name_is_readable_on_any_background(name):
    """Text and the hue behind it have a contrast of at least 4.5 to 1.

    In the `contrast` theme it is at least 7 to 1.
    """
    for background, text in hues_of(HUED[name]):
        assert background.contrast(text) >= (7 if name == "contrast" else 4.5)


@pytest.mark.parametrize("name", HUED)
@pytest.mark.parametrize(
    ("eyes", "least"), [(None, 13), ("protan", 13), ("deutan", 13), ("tritan", 9)]
)
def test_hues_differ_for_all_eyes(name, eyes, least):
    """Any two hues differ enough by CIEDE2000, even under simulated colour blindness."""
    seen = [hue.filter(eyes) if eyes else hue for hue, _ in hues_of(HUED[name])]
    assert min(a.delta_e(b, method="2000") for a, b in combinations(seen, 2)) >= least


@pytest.mark.parametrize(
    ("theme", "backgrounds"),
    [
        (Theme.AUTO, ("black", "white")),
        (Theme.DARK, ("black", "#002b36", "#282a36")),
        (Theme.LIGHT, ("white", "#fdf6e3", "#eeeeee")),
    ],
)
def test_dim_text_and_alerts_are_readable(theme, backgrounds):
    """Dim text and alerts have a contrast of at least 4.5 to 1 with usual backgrounds."""
    for paint in (Paint.DIM, Paint.ALERT):
        text = indexed(PALETTES[theme].paints[paint], 38)
        for background in backgrounds:
            assert text.contrast(Color(background)) >= 4.5


def test_high_contrast_dims_nothing():
    """The `contrast` theme dims nothing, and shows alerts bold and in reversed colours."""
    paints = PALETTES[Theme.CONTRAST].paints
    assert (paints[Paint.DIM], paints[Paint.ALERT]) == ("", "1;7")


def test_sixteen_colours_are_readable_as_terminals_come():
    """With xterm's default colours, text and background have a contrast of at least 4.2 to 1."""
    xterm = ["000000", "cd0000", "00cd00", "cdcd00", "0000ee", "cd00cd", "00cdcd", "e5e5e5"]
    for style in SIXTEEN.hues:
        if style != "7":
            text, background = (Color(f"#{xterm[int(part) % 10]}") for part in style.split(";"))
            assert text.contrast(background) >= 4.2


def hues_of(palette: Palette) -> list[tuple[Color, Color]]:
    """Return each hue with the colour of the text on it."""
    return [(indexed(style, 48), indexed(style, 38)) for style in palette.hues]


def indexed(style: str, layer: int) -> Color:
    """Return the colour that a style selects among the 256 of a terminal.

    The `layer` is 38 for the text or 48 for its background. Colours from 232 on are greys; those
    below are taken from a cube with six levels each of red, green and blue.
    """
    number = int(re.search(rf"\b{layer};5;(\d+)", style)[1])
    if number >= 232:
        parts = [8 + 10 * (number - 232)] * 3
    else:
        levels = (0, 95, 135, 175, 215, 255)
        parts = [levels[(number - 16) // each % 6] for each in (36, 6, 1)]
    return Color("srgb", [part / 255 for part in parts])
