"""Sections of the rules, drawn as they are written."""

from collections.abc import Iterator

from cli.language import ENGLISH, say, spoken
from cli.render.cells import Canvas
from cli.render.palette import Line
from cli.wording.rulebook import Section


def section_lines(section: Section, canvas: Canvas) -> tuple[Line, ...]:
    """Draw the text of a section of the rules.

    If the language in use is not English, a line says first that the rules are in English only.
    """
    return tuple(_lines(section, canvas))


def _lines(section: Section, canvas: Canvas) -> Iterator[Line]:
    if spoken() != ENGLISH:
        yield from canvas.prose(say("The rules are written in English only."))
    for block in section.blocks:
        yield from canvas.prose(block, "   ")
