"""Every assertion that the fold can come to has its reason on the page, and no reason is left over.

What another's octets can make untrue must be a finding; see docs/architecture.md.
"""

import ast
import re
from collections import Counter
from pathlib import Path

PACKAGES = ("netgame/protocol", "netgame/wire", "netgame/crypto", "engine")

Asserted = Counter[tuple[str, str]]
"""Module and expression, as often as it is asserted there: a reason stands for one of them."""


def asserted(module: str, source: str) -> Asserted:
    """What a module asserts, raised or stated."""
    found = Asserted()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert):
            found[module, ast.unparse(node.test)] += 1
        elif isinstance(node, ast.Raise) and node.exc is not None:
            said = ast.unparse(node)
            if "AssertionError" in said:
                found[module, said] += 1
    return found


def explained(page: str) -> Asserted:
    """What the table of the page gives a reason for."""
    section = page.partition("## What must hold, and why")[2].partition("\n## ")[0]
    found = Asserted()
    for module, cell, reason in re.findall(
        r"^\| `([\w.]+)` \| (`[^|]+) \| ([^|]+) \|$", section, re.MULTILINE
    ):
        assert reason.strip(), (module, cell)
        found.update((module, each) for each in re.findall(r"`([^`]+)`", cell))
    return found


def test_every_assertion_has_its_reason() -> None:
    """A new assertion in the fold wants a line in docs/architecture.md, wherever it stands."""
    there = Asserted()
    for path in (path for each in PACKAGES for path in Path(each).rglob("*.py")):
        there += asserted(".".join(path.with_suffix("").parts), path.read_text("utf-8"))
    page = explained(Path("docs/architecture.md").read_text("utf-8"))
    assert there - page == Asserted(), "which have no reason"
    assert page - there == Asserted(), "which nobody asserts any more"


def test_an_assertion_is_seen_however_it_is_written() -> None:
    """Whole, with its module, as often as it stands there, raised ones too."""
    source = "assert a.b is not None\nassert a.b is not None\nif y:\n    raise AssertionError(y)\n"
    found = {("m", "a.b is not None"): 2, ("m", "raise AssertionError(y)"): 1}
    assert asserted("m", source) == found


def test_a_new_assertion_of_a_name_that_has_its_reason_elsewhere_has_none() -> None:
    """Neither in another module, nor once more, nor of another object's part of that name."""
    page = "## What must hold, and why\n| `m` | `seat is not None` | Asked right before. |\n"
    source = "assert seat is not None\n"
    assert asserted("m", source) - explained(page) == Asserted()
    for module, new in (("n", source), ("m", source * 2), ("m", "assert x.seat is not None\n")):
        assert asserted(module, new) - explained(page)
