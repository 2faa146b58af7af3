"""The pages of the protocol as tests read them: sections, tables, and words in backticks."""

import re

from tests.tree import ROOT

PROTOCOL = (ROOT / "protocol.md").read_text()
PEER = (ROOT / "docs" / "peer.md").read_text()
REBUILDING = (ROOT / "docs" / "rebuilding.md").read_text()
PAGES = (PROTOCOL, PEER, REBUILDING)

_HEADING = re.compile(r"(?m)^(#{2,3}) (\d+(?:\.\d+)?)[. ].*$")
_CHECK = re.compile(r"(?m)^\| (7\.\d+) \|")


def headings(page: str) -> set[str]:
    """Return the numbers of a page's sections, and of the checks in the table of section 7."""
    return {found[2] for found in _HEADING.finditer(page)} | set(_CHECK.findall(page))


def section(number: str, page: str = PROTOCOL) -> str:
    """Return the text of a section, including its subsections."""
    marks = list(_HEADING.finditer(page))
    (at,) = (at for at, mark in enumerate(marks) if mark[2] == number)
    return page[marks[at].start() : _end(page, marks[at:])]


def _end(page: str, marks: list[re.Match[str]]) -> int:
    level = len(marks[0][1])
    return next((mark.start() for mark in marks[1:] if len(mark[1]) <= level), len(page))


def table_under(number: str, first: str, page: str = PROTOCOL) -> list[list[str]]:
    """Return the rows, as lists of cells, of one table in a section.

    It is the first table there whose header begins with the cell `first`.
    """
    text = section(number, page)
    lines = text[text.index(f"\n| {first} |") + 1 :].splitlines()
    rows = []
    for line in lines[2:]:
        if not line.startswith("|"):
            return rows
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def words(cell: str) -> list[str]:
    """Return every word or phrase in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)
