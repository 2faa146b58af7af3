"""The page fits the program: the same versions, and stand-in modules with the same names."""

import ast
import gzip
import re
import tomllib

from page.build import BuiltPart, index
from tests.tree import ROOT

PINNED = re.compile(r"^([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$")
NOT_OURS = {"pynacl": "1.6.2"}
"""Source packages that only the page needs, for a library inside them, with their versions."""


FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def pinned(name):
    """Return the version of each package that a list of the page pins.

    Every line must have a hash.
    """
    lines = (ROOT / "page" / name).read_text("utf-8").splitlines()
    found = [PINNED.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(found), name
    return {each[1]: each[2] for each in found}


def test_the_page_has_the_versions_of_the_project():
    """Every package that the page pins has the version in pyproject.toml or in `NOT_OURS`."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    ours = dict(each.split("==") for each in pyproject["tool"]["uv"]["constraint-dependencies"])
    found = {**pinned("wheels.txt"), **pinned("sources.txt")}
    assert found == {name: (ours | NOT_OURS)[name] for name in found}


def parameters(function):
    """Return the parameters of a function as they are called, with the number of defaults.

    A function that must be awaited has an additional `await`.
    """
    takes = function.args
    plain = [[each.arg for each in some] for some in (takes.posonlyargs, takes.args)]
    named = {each.arg for each in takes.kwonlyargs}
    rest = [each and each.arg for each in (takes.vararg, takes.kwarg)]
    waits = ["await"] if isinstance(function, ast.AsyncFunctionDef) else []
    return [*waits, *plain, len(takes.defaults), named, *rest]


def offered(path):
    """Return the public functions, classes, constants and renamed imports of a module by name.

    With a function come its parameters, with a class those of each method, with the others None.
    """
    found = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found[name] = parameters(node)
            case ast.ClassDef(name=name):
                methods = (each for each in node.body if isinstance(each, FUNCTION))
                found[name] = {each.name: parameters(each) for each in methods}
            case ast.ImportFrom(names=names):
                found |= {each.asname: None for each in names if each.asname}
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = None
    return {name: takes for name, takes in found.items() if not name.startswith("_")}


def test_what_stands_in_the_place_of_a_module_has_its_names():
    """Each stand-in for a module of `netgame` has the same names and parameters as that module.

    Stand-ins for libraries are tested by the game that a tab plays.
    """
    instead = ROOT / "page" / "tab" / "instead"
    for path in sorted((instead / "netgame").rglob("*.py")):
        native = offered(ROOT / path.relative_to(instead))
        tab = offered(path)
        assert native.keys() == tab.keys(), path
        for name, takes in native.items():
            assert takes is None or takes == tab[name], (path, name)


def test_the_index_names_every_part_by_its_hash():
    """The index names every part by its hash, with its integrity value."""
    names = ("page.js", "page.css", "program.zip")
    parts = [BuiltPart(name, name.encode()) for name in names]
    text = index(parts)
    for part in parts:
        assert f"parts/{part.kept_as}" in text
        assert part.integrity in text
    assert "{{" not in text
    assert BuiltPart("page.js", b"another").kept_as != parts[0].kept_as


def test_a_part_is_packed_alike_at_any_time():
    """The octets of a packed part do not depend on the time at which it is packed."""
    part = BuiltPart("page.js", b"some text")
    assert gzip.decompress(part.packed) == part.octets
    assert part.packed[4:8] == bytes(4)  # the time in the head of a gzip file (RFC 1952)


def test_the_frame_stays_small():
    """The TypeScript around the program is short enough to read in one sitting: under 400 lines."""
    files = (ROOT / "page" / "frame").glob("*.ts")
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < 400
