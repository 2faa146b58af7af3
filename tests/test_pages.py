"""Pages name only files, modules, attributes, pages and headings that exist."""

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from tests.test_tidy import tracked
from tests.tree import ROOT

PACKAGES = ("bench", "cli", "docs", "engine", "lab", "netgame", "tests")
PAGES = [path for path in tracked() if path.suffix == ".md" and path.name != "CHANGELOG.md"]
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(PACKAGES)})/[\w./*-]*\w")
MODULE = re.compile(r"`(?:python -m )?((?:cli|engine|lab|netgame|tests)(?:\.\w+)+)")
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(#[^)\s]*)?\)")
CITED = re.compile(r"(?<![\w/.])(?:docs/)?[\w-]+\.md\b")
EXAMPLES = {
    "cli/commands/sets.py",
    "tests/cli/commands/test_sets.py",
    "tests/scenarios/with-blanks-0-100.txt",
}
"""Files that CONTRIBUTING.md tells its reader to write."""


def names_in(module: Path) -> set[str]:
    """Return all names that a module defines, imports or sets, at any depth."""
    found = set()
    for node in ast.walk(ast.parse(module.read_text())):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name)
    return found


def is_module(name: str) -> bool:
    """Return True if a dotted name is a package, a module, or a name that is defined in one."""
    at, *rest = name.split(".")
    place = ROOT / at
    for number, word in enumerate(rest):
        if (place / word).is_dir():
            place /= word
            continue
        home = place / f"{word}.py"
        if home.is_file():
            place = home
            continue
        text = place if place.suffix == ".py" else place / "__init__.py"
        return text.is_file() and names_in(text).issuperset(rest[number:])
    return True


def missing(page: Path) -> Iterator[str]:
    """Yield each path and module that a page names but that does not exist."""
    text = page.read_text()
    for path in PATH.findall(text):
        if path not in EXAMPLES and not any(ROOT.glob(path)):
            yield path
    for name in MODULE.findall(text):
        if not is_module(name):
            yield name


def anchors(page: Path) -> set[str]:
    """Return the anchors, each after a hash, that a code host makes from a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    plain = (re.sub(r"[^\w -]", "", heading.lower()) for heading in headings)
    return {f"#{heading.replace(' ', '-')}" for heading in plain}


def broken(page: Path) -> Iterator[str]:
    """Yield the links of a page to files or headings that do not exist."""
    for name, anchor in LINK.findall(page.read_text()):
        target = page.parent / name if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield name + anchor


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    """Every path and module that a page names exists."""
    assert sorted(missing(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link leads to a file and, after a hash, to one of its headings."""
    assert list(broken(page)) == []


def test_code_cites_pages_that_exist() -> None:
    """Every page that a Python file cites exists, and more than 50 files cite one."""
    pages = [path.name for path in tracked() if path.suffix == ".md"]
    there = {f"{folder}{name}" for name in pages for folder in ("", "docs/")}
    modules = [path for path in tracked() if path.suffix == ".py" and path != Path(__file__)]
    cited = {path: set(CITED.findall(path.read_text())) for path in modules}
    assert {path: names - there for path, names in cited.items() if names - there} == {}
    assert sum(map(bool, cited.values())) > 50


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    """A link to a missing file or to a missing heading is found."""
    (tmp_path / "other.md").write_text("# A heading, with `code`\n")
    page = tmp_path / "page.md"
    page.write_text("[a](no.md) [b](other.md#a-heading-with-code) [c](other.md#b) [d](#e)\n# F\n")
    assert list(broken(page)) == ["no.md", "other.md#b", "#e"]


def test_what_is_gone_is_missed(tmp_path: Path) -> None:
    """A missing file, module or attribute is found; a word of the module's text is no attribute."""
    page = tmp_path / "page.md"
    page.write_text(
        "`cli/nowhere.py`, `cli.nowhere`, `cli.exits.Nothing`, `cli.exits.shell` and "
        "`cli.exits.ExitCode.NOTHING`; not `cli.exits`, nor `cli.exits.ExitCode.NOT_FOUND`."
    )
    gone = {"cli/nowhere.py", "cli.nowhere", "cli.exits.Nothing", "cli.exits.ExitCode.NOTHING"}
    assert set(missing(page)) == gone | {"cli.exits.shell"}


def diagram() -> dict[str, list[set[str]]]:
    """Return the layers of each package or room in the diagram of docs/architecture.md.

    Each layer is the set of rooms in it, and the uppermost is first.
    """
    page = (ROOT / "docs" / "architecture.md").read_text()
    block = page[page.index("    engine ") :].partition("\n\n")[0]
    drawn = re.sub(r"\n {6,}", " ", block)
    rows = (line.split(maxsplit=1) for line in drawn.splitlines())
    return {
        room: [set(re.findall(r"\w+", layer)) for layer in layers.split("->")]
        for room, layers in rows
    }


def test_the_diagram_draws_rooms_in_the_order_of_the_import_contracts() -> None:
    """Each room of the diagram is in an import contract, and the order is the same in both."""
    ruled = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    depth = {
        (container.rpartition(".")[2], room): at
        for contract in ruled["contracts"]
        for container in contract.get("containers", ())
        for at, layer in enumerate(contract["layers"])
        for room in re.findall(r"\w+", layer)
    }
    rows = diagram()
    assert set(rows) >= {"engine", "netgame", "io", "protocol", "cli", "lab"}
    for room, layers in rows.items():
        assert all((room, each) in depth for layer in layers for each in layer)
        for upper, lower in combinations(layers, 2):
            over, under = ({depth[room, each] for each in layer} for layer in (upper, lower))
            assert max(over) < min(under), (room, upper, lower)
