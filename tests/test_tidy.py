"""The house rules that a machine can check."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tree import ROOT, VECTORS

PACKAGES = ("engine", "netgame", "cli", "lab", "bench", "docs", "page", "tests")
FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 80
PROSE_COLUMNS_MAX = 100
VAGUE = re.compile(r"(^|_)(utils?|helpers?|manager|misc|common)(_|$)")


def sources() -> Iterator[Path]:
    """Yield every Python file in `PACKAGES`, one package after another."""
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def tracked() -> list[Path]:
    """Return every file that git tracks.

    In a source archive there is no git, so the list is empty there, and tests of it check nothing.
    """
    done = subprocess.run(
        ("git", "-C", str(ROOT), "ls-files", "-z"), capture_output=True, check=False
    )
    names = done.stdout.decode().split("\0")
    assert done.returncode == 0 or not (ROOT / ".git").exists(), done.stderr
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function, without its docstring."""
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        assert first.end_lineno is not None
        lines -= first.end_lineno - first.lineno + 1
    return lines


@pytest.mark.parametrize("package", PACKAGES)
def test_files_and_functions_stay_short(package: str) -> None:
    """A file has at most 500 lines, and a function at most 80 unless it is among the vectors."""
    for path in (ROOT / package).rglob("*.py"):
        text = path.read_text()
        assert len(text.splitlines()) <= FILE_LINES_MAX, path
        if VECTORS in path.parents:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert length(node) <= FUNCTION_LINES_MAX, f"{node.name} in {path}"


def test_names_say_something() -> None:
    """No module has a vague name such as "utils" or "helpers"."""
    assert [path for path in sources() if VAGUE.search(path.stem)] == []


def test_nothing_is_left_over() -> None:
    """No Python file has a reminder of work to do, unwritten code, or a test marked as skipped."""
    marks = re.compile(
        r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|raise NotImpl" r"ementedError|mark\.(sk" r"ip|xf" r"ail)"
    )
    found = [path for path in tracked() if path.suffix == ".py" and marks.search(path.read_text())]
    assert found == []


def test_no_text_names_a_machine() -> None:
    """No text file names a path on somebody's own machine."""
    machine = re.compile(r"(^|[^.\w])/(root|work|home/\w+)/")
    for path in tracked():
        if path.suffix in (".py", ".md", ".toml", ".txt", ".sh") or path.parent.name == ".ci":
            assert not machine.search(path.read_text()), path


def prose(page: str) -> Iterator[str]:
    """Yield the lines of a Markdown page that can be wrapped: neither code nor table rows."""
    fenced = False
    for line in page.splitlines():
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if not (fence or fenced or line.startswith("    ") or line.lstrip().startswith("|")):
            yield line


def test_pages_wrap() -> None:
    """Prose in Markdown has at most 100 columns, to be read and compared in a terminal."""
    for path in tracked():
        if path.suffix == ".md":
            long = [line for line in prose(path.read_text()) if len(line) > PROSE_COLUMNS_MAX]
            assert long == [], path
