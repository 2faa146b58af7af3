"""Reading the rules at the table, by the sections that refusals cite."""

import re

import pytest

from cli.language import ENGLISH, speak
from cli.render.cells import Canvas, line_cells
from cli.render.palette import ASCII_GLYPHS
from cli.render.rulebook import section_lines
from cli.session.verbs.company import ReadRules
from cli.session.verbs.reading import parse
from cli.wording.rulebook import rulebook
from engine.refusals import RefusalReason
from tests.cli.running import boneyard
from tests.cli.scenes import written
from tests.cli.session.test_understood import TURN, typed
from tests.tree import ROOT

FITS = "2.2 Where a tile may go. A half of it must show the value of the open end it joins"


@pytest.fixture
def _spanish():
    speak("es")
    yield
    speak(ENGLISH)


@pytest.mark.parametrize(
    "line",
    [
        "why §2.2",
        "§2.2",
        "§ 2.2",
        "see §2.2 of the rules",
        "what does §2.2 say?",
        "rules 2.2",
        "rules §2.2",
        "r 2.2",
        "rule 2.2?",
        "section 2.2",
        "why section 2.2",
        "what does section 2.2 say",
        "reglas 2.2",
        "por qué §2.2",
        "sección 2.2",
        "help §2.2",
    ],
)
async def test_a_section_that_is_cited_is_read(line):
    """Each of these lines shows the section of the rules that it cites, and makes no move."""
    made, told = await typed(TURN, line)
    assert made == ""
    assert any(each.startswith(FITS) for each in told), told


async def test_what_a_refusal_says_to_type_is_its_rule():
    """`why` cites a section and suggests a line, and typing that line shows the section."""
    _, told = await typed(TURN, "3-1 m", "why")
    answer = next(each for each in told if "See §2.2 of the rules. " in each)
    (line,) = re.findall(r"Type (rules \S+) to read it", answer)
    assert parse(line) == ReadRules("2.2")


@pytest.mark.parametrize("line", ["say §2.2", "9-4 cleo", "rules cover", "rules", "why 9-4", "2.2"])
def test_other_lines_are_what_they_were(line):
    """These lines do not ask for a section: talk may cite one, and `2.2` alone is a double."""
    assert not isinstance(parse(line), ReadRules)


async def test_a_number_that_is_no_section_is_told_the_chapters():
    """If a section does not exist, the answer lists the chapters."""
    _, told = await typed(TURN, "rules 22.1")
    text = "The rules have no section 22.1. Their chapters: 1 The table, 2 The turn, "
    assert any(each.startswith(text) for each in told), told


def test_every_section_that_a_refusal_cites_can_be_read_and_fits():
    """Each section that a refusal cites fits a narrow screen and is free of Markdown's `**`."""
    canvas = Canvas(40, 20, ASCII_GLYPHS)
    for number in {reason.section.removeprefix("§") for reason in RefusalReason}:
        lines = section_lines(rulebook()[number], canvas)
        assert written(lines).lstrip().startswith(number)
        assert "**" not in written(lines)
        assert all(line_cells(line) <= 40 for line in lines), number


def test_nothing_of_the_page_is_left_out():
    """The chapters of the rulebook contain all words of docs/rules.md, in order."""
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").partition("## 1. ")[2]
    told = " ".join(block for each in rulebook().values() if "." not in each.number
                    for block in each.blocks)  # fmt: skip
    links = re.sub(r"\]\([^)]*\)", "", page)
    words, shown = (re.findall(r"\w+", text) for text in (f"1. {links}", told))
    assert shown == words


@pytest.mark.usefixtures("_spanish")
def test_in_another_language_it_says_that_it_is_in_english():
    """In Spanish a sentence before the text says that the rules are in English only."""
    lines = written(section_lines(rulebook()["2.2"], Canvas(80, 24, ASCII_GLYPHS)))
    assert lines.lstrip().startswith("Las reglas solo están escritas en inglés.")
    assert "2.2 Where a tile may go." in lines


def test_a_shell_reads_them_too(tmp_path):
    """`boneyard rules` shows a section in the shell, and refuses a section that does not exist."""
    done = boneyard("rules", "2.2", data=tmp_path)
    assert done.stdout.lstrip().startswith("2.2 Where a tile may go.")
    wrong = boneyard("rules", "22.1", data=tmp_path)
    assert (wrong.returncode, "no section 22.1" in wrong.stderr) == (2, True)
