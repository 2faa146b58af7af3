"""There is one list of pinned versions, and it names every package that a clone installs."""

import tomllib
from collections.abc import Iterable
from importlib.metadata import distributions

from tests.tree import ROOT

LOCK = ROOT / "uv.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def resolved() -> set[str]:
    """Return `name==version` of everything that `uv` resolved for this tree, for all systems."""
    return {
        f"{each['name']}=={each['version']}"
        for each in tomllib.loads(LOCK.read_text("utf-8"))["package"]
        if each["name"] != PROJECT["project"]["name"]
    }


def names(pins: Iterable[str]) -> set[str]:
    """Return the package names of these pins."""
    return {each.partition("==")[0] for each in pins}


def test_the_list_names_every_package_that_uv_resolves():
    """The list has exactly the packages and versions that `uv` resolves.

    `docs/make_versions.py` rewrites it. An environment made without `uv` has its own versions; then
    the list need only name every installed package.
    """
    pins = PROJECT["tool"]["uv"]["constraint-dependencies"]
    listed = {each.partition(" ;")[0] for each in pins}
    if LOCK.exists():
        assert listed == resolved()
    else:
        installed = {each.name.lower().replace("_", "-") for each in distributions()}
        assert installed - {PROJECT["project"]["name"]} <= names(listed)


def test_every_dependency_has_a_floor_and_a_cap():
    """Each dependency has a floor; each but cryptography, which brings OpenSSL, has a cap."""
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(each for extra in extras for each in extra)]
    assert [each for each in wanted if ">=" not in each] == []
    assert [each.partition(">=")[0] for each in wanted if "<" not in each] == ["cryptography"]
