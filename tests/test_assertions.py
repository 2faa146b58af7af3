"""Every assertion in the engine and the protocol has its reason in a comment right above it.

A claim that another peer's octets can make false must be a `Finding` instead; see
docs/architecture.md.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tree import ROOT

PACKAGES = ("netgame/protocol", "netgame/wire", "netgame/crypto", "engine")

REASON = re.compile(r"# [\w`](\S* +){2}\S")
"""A comment of three words or more; so neither a divider nor an order to a tool."""


def asserted(source: str) -> Iterator[int]:
    """Yield the line number of each `assert` and each raised `AssertionError` in a module."""
    for node in ast.walk(ast.parse(source)):
        is_raised = isinstance(node, ast.Raise) and "AssertionError" in ast.unparse(node)
        if is_raised or isinstance(node, ast.Assert):
            yield node.lineno


def unexplained(source: str) -> Iterator[str]:
    """Yield the first line of each assertion without a sentence in a comment right above it."""
    lines = source.splitlines()
    for number in sorted(asserted(source)):
        above = lines[number - 2].strip() if number > 1 else ""
        if not REASON.match(above):
            yield lines[number - 1].strip()


def test_every_assertion_has_its_reason() -> None:
    """Every assertion has a comment right above it, where its reason belongs."""
    paths = [path for each in PACKAGES for path in (ROOT / each).rglob("*.py")]
    found: dict[Path, list[str]] = {path: list(unexplained(path.read_text())) for path in paths}
    assert {path: bare for path, bare in found.items() if bare} == {}
    assert sum(len(list(asserted(path.read_text()))) for path in paths) > 20


def test_an_assertion_without_a_comment_of_its_own_is_found() -> None:
    """An `assert` or a raised AssertionError is found unless a reason is on the line above.

    A divider or an order to a tool is no reason.
    """
    why = "# the caller checks"
    source = f"{why}\nassert a\nassert b\nif c:\n    {why}\n    raise AssertionError(c)\n"
    assert list(unexplained(source)) == ["assert b"]
    assert list(unexplained("if c:\n    raise AssertionError(c)\n")) == ["raise AssertionError(c)"]
    for above in ("", "# ---- what is allowed ----\n", "# noqa: S101\n", "# why\n"):
        assert list(unexplained(f"{above}assert a\n")) == ["assert a"]
    assert list(unexplained("raise ValueError\n")) == []
