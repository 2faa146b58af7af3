"""Every assertion that the fold can come to has its reason on the page, and no reason is left over.

What another's octets can make untrue must be a finding; see docs/architecture.md.
"""

import ast
import re
from pathlib import Path

PACKAGES = ("netgame/protocol", "netgame/wire", "netgame/crypto", "engine")
NOT_NONE = " is not None"


def asserted(source: str) -> set[str]:
    """What a file asserts: `name` for a name that is not None, whosever it is, or the whole."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert):
            said = ast.unparse(node.test)
            bare = said.removesuffix(NOT_NONE)
            is_name = said.endswith(NOT_NONE) and re.fullmatch(r"[\w.]+", bare)
            found.add(bare.rpartition(".")[2] + NOT_NONE if is_name else said)
        elif isinstance(node, ast.Raise) and node.exc is not None:
            said = ast.unparse(node)
            if "AssertionError" in said:
                found.add(said)
    return found


def explained(page: str) -> set[str]:
    """What the table of the page gives a reason for."""
    section = page.partition("## What must hold, and why")[2].partition("\n## ")[0]
    found = set()
    for row in re.findall(r"^\| (`[^|]+) \| ", section, re.MULTILINE):
        for part in row.split(";"):
            tail = NOT_NONE if part.rstrip().endswith("not None") else ""
            found |= {f"{name}{tail}" for name in re.findall(r"`([^`]+)`", part)}
    return found


def test_every_assertion_has_its_reason() -> None:
    """A new kind of assertion in the fold wants a line in docs/architecture.md."""
    files = (path for each in PACKAGES for path in Path(each).rglob("*.py"))
    there = set[str]().union(*(asserted(path.read_text("utf-8")) for path in files))
    page = explained(Path("docs/architecture.md").read_text("utf-8"))
    assert there - page == set(), "which have no reason"
    assert page - there == set(), "which nobody asserts any more"


def test_an_assertion_is_seen_however_it_is_written() -> None:
    """Names by their last part, all else whole, raised ones too."""
    source = "assert a.b is not None\nassert f(x) is not None\nif y:\n    raise AssertionError(y)\n"
    assert asserted(source) == {"b is not None", "f(x) is not None", "raise AssertionError(y)"}
