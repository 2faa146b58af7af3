"""THIRD-PARTY.md lists every library that an install brings, and every part of the page."""

import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, requires

from packaging.requirements import Requirement

from tests.tree import ROOT

PAGE = (ROOT / "THIRD-PARTY.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
C_CODE = {"cpython", "libsecp256k1", "libsodium"}
"""Parts of the page that come inside other packages."""


def listed(heading: str) -> dict[str, str]:
    """Return the licence of each name in the tables under a heading, names in lower case."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", section, re.MULTILINE)
    return {name.lower(): text for name, text in rows if text not in ("licence", "---")}


def needers() -> dict[str, set[str]]:
    """Return, for each library that others need, which these are, as the second table says."""
    page = PAGE.partition("| library | licence | who needs it |\n")[2].partition("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in page.splitlines()[1:]]
    everything = set(listed("What an install brings"))
    return {name: everything & set(re.findall(r"[\w-]+", who)) for name, _, who in rows}


def declared() -> set[str]:
    """Return the names of all dependencies, including those of the extras."""
    extras = PROJECT["optional-dependencies"].values()
    wanted = [*PROJECT["dependencies"], *(each for extra in extras for each in extra)]
    return {Requirement(each).name for each in wanted}


def wanted_by(name: str) -> set[str]:
    """Return the libraries that an installed one needs on some computer, without its extras.

    Raises PackageNotFoundError if it is not installed.
    """
    wants = map(Requirement, requires(name) or [])
    return {
        re.sub(r"[-_.]+", "-", need.name).lower()
        for need in wants
        if "extra ==" not in str(need.marker)
    }


def needed(names: set[str]) -> set[str]:
    """Return these libraries and all that they need, directly or indirectly.

    For a library that is not installed here, its needs are unknown and left out.
    """
    found: set[str] = set()
    todo = set(names)
    while todo:
        name = todo.pop()
        found.add(name)
        try:
            lines = requires(name) or []
        except PackageNotFoundError:
            continue
        for need in map(Requirement, lines):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                todo |= {re.sub(r"[-_.]+", "-", need.name).lower()} - found
    return found


def test_what_an_install_brings_is_listed() -> None:
    """THIRD-PARTY.md lists all dependencies, all extras, and everything that they need."""
    assert needed(declared()) - set(listed("What an install brings")) == set()


def test_what_is_listed_for_an_install_is_needed() -> None:
    """Every library that THIRD-PARTY.md lists for an install is declared, or needed as it says.

    What a library needs that is not installed here is unknown, and not checked.
    """
    needs = needers()
    assert set(listed("What an install brings")) - set(needs) == declared()
    for name, others in needs.items():
        assert others, name
        for other in others:
            try:
                found = wanted_by(other)
            except PackageNotFoundError:
                continue
            assert name in found, (name, other)


def test_what_the_page_holds_is_listed_and_nothing_else() -> None:
    """THIRD-PARTY.md lists exactly the packages in the built page, and the names in `C_CODE`."""
    pins = [(ROOT / "page" / name).read_text("utf-8") for name in ("wheels.txt", "sources.txt")]
    held = {name for text in pins for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}
    held |= set(json.loads((ROOT / "page" / "package.json").read_text("utf-8"))["dependencies"])
    assert set(listed("What the page holds")) == held | C_CODE


def test_licences_are_those_that_the_packages_state() -> None:
    """A listed licence equals the licence expression in the metadata of the package.

    Packages that are not installed here, or have no expression, are left out.
    """
    everything = listed("What the page holds") | listed("What an install brings")
    wrong, stated = {}, 0
    for name, licence in everything.items():
        try:
            said = metadata(name).get("License-Expression")
        except PackageNotFoundError:
            continue
        stated += said is not None
        if said not in (None, licence):
            wrong[name] = said
    assert wrong == {}
    assert stated > 5
