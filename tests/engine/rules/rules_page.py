"""docs/rules.md as data, for tests that compare the program with the page."""

import re

from tests.tree import ROOT

TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")


def rows(heading):
    """Return the cells of each line of the first table after a heading, header lines included."""
    after = TEXT[TEXT.index(heading) :]
    table = re.search(r"(?:^\|.*\n)+", after, re.MULTILINE)[0]
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]


def listed_switches():
    """Return each switch with its values, the default first, as §8.1 lists them.

    The values of `deal` are the rows of §1.3.
    """
    listed = {row[0].strip("`"): re.findall(r"`([^`]+)`", row[1]) for row in rows("**8.1")[2:]}
    return listed | {"deal": [row[0].strip("`") for row in rows("**1.3")[2:]]}
