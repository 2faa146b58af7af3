"""Every line that README and docs/playing.md suggest typing is understood at a table."""

import re

from cli.input.readers import UsageError
from cli.session.verbs.reading import parse
from tests.cli.session.test_understood import TURN, typed
from tests.tree import ROOT


def lines_to_type() -> list[list[str]]:
    """Return the rows that docs/playing.md suggests typing, each as a list of lines.

    Comments at the end of a row are left out.
    """
    text = (ROOT / "docs/playing.md").read_text(encoding="utf-8")
    block = text.partition("type moves as you would say them:\n\n")[2].partition("\n\n")[0]
    found = []
    for at, line in enumerate(block.splitlines()):
        has_comment = at > 0 and line[42:43] == " " and line[43:44].islower()
        typed_part = line[:43] if has_comment else line
        found.append(re.split(r" {3,}", typed_part.strip()))
    return found


def test_what_the_readme_has_one_type_is_understood():
    """Every line that the README suggests typing is understood."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.partition("## Type\n\n")[2].partition("\n\n")[0]
    lines = [each for row in block.splitlines() for each in re.split(" {3,}", row[:23].strip())]
    assert len(lines) > 15
    assert [line for line in lines if isinstance(parse(line), UsageError)] == []


async def test_the_words_of_the_page_on_playing_are_understood():
    """The first row of docs/playing.md makes one move in four ways, and no line is unknown."""
    first, *others = lines_to_type()
    assert len(first) == 4
    game = TURN.replace("Cleo", "Ben")
    for line in first:
        assert (await typed(game, line))[0] == "4-9 Ben", line
    lines = [line for each in others for line in each]
    assert len(lines) > 25
    assert [line for line in lines if isinstance(parse(line), UsageError)] == []
