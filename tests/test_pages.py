"""The pages name only what there is: files, folders, modules, and what modules hold."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_tidy import tracked
from tests.tree import ROOT

PACKAGES = ("bench", "cli", "docs", "engine", "lab", "netgame", "tests")
PAGES = [path for path in tracked() if path.suffix == ".md" and path.name != "CHANGELOG.md"]
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(PACKAGES)})/[\w./*-]*\w")
MODULE = re.compile(r"`(?:python -m )?((?:cli|engine|lab|netgame|tests)(?:\.\w+)+)")
EXAMPLES = {
    "cli/commands/sets.py",
    "tests/cli/commands/test_sets.py",
    "tests/scenarios/with-blanks-0-100.txt",
}
"""What CONTRIBUTING.md has its reader write."""


def is_module(name: str) -> bool:
    """Whether this is a package, a module, or something that one of them names."""
    at, *rest = name.split(".")
    place = ROOT / at
    for word in rest:
        if (place / word).is_dir():
            place /= word
            continue
        home = place / f"{word}.py"
        if home.is_file():
            place = home
            continue
        text = place if place.suffix == ".py" else place / "__init__.py"
        return re.search(rf"\b{word}\b", text.read_text()) is not None
    return True


def missing(page: Path) -> Iterator[str]:
    """Whatever a page names that is not there."""
    text = page.read_text()
    for path in PATH.findall(text):
        if path not in EXAMPLES and not any(ROOT.glob(path)):
            yield path
    for name in MODULE.findall(text):
        if not is_module(name):
            yield name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    """A file that has moved is moved in the pages too."""
    assert sorted(missing(page)) == []


def test_what_is_gone_is_missed(tmp_path: Path) -> None:
    """The reader finds a folder, a module and a name in it that are not there."""
    page = tmp_path / "page.md"
    page.write_text("`cli/nowhere.py`, `cli.nowhere` and `cli.exits.Nothing`; not `cli.exits`.")
    assert sorted(missing(page)) == ["cli.exits.Nothing", "cli.nowhere", "cli/nowhere.py"]
