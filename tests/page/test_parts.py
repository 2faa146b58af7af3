"""The page fits the program: the same versions, and stand-in modules with the same names."""

import ast
import re
import tomllib

from page.build import BuiltPart, index
from tests.tree import ROOT

PINNED = re.compile(r"^([\w.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$")
NOT_OURS = {"pynacl": "1.6.2"}
"""Source packages that only the page needs, for a library inside them, with their versions."""


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


def offered(path):
    """Yield each public function, class and renamed import of a module: its name and parameters.

    The parameters of a function are a list, those of a class a dictionary of lists by method, and
    those of an import None.
    """
    for node in ast.parse(path.read_text("utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                yield name, [each.arg for each in node.args.args]
            case ast.ClassDef(name=name):
                yield (
                    name,
                    {
                        each.name: [arg.arg for arg in each.args.args]
                        for each in node.body
                        if isinstance(each, ast.FunctionDef)
                    },
                )
            case ast.ImportFrom(names=names):
                yield from ((each.asname, None) for each in names if each.asname)


def test_what_stands_in_the_place_of_a_module_has_its_names():
    """Each stand-in for a module of `netgame` has the same names and parameters as that module.

    Stand-ins for libraries are tested by the game that a tab plays.
    """
    instead = ROOT / "page" / "tab" / "instead"
    for path in sorted((instead / "netgame").rglob("*.py")):
        native = dict(offered(ROOT / path.relative_to(instead)))
        tab = dict(offered(path))
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
    assert parts[0].packed == parts[0].packed


def test_the_frame_stays_small():
    """The TypeScript around the program is short enough to read in one sitting: under 400 lines."""
    files = (ROOT / "page" / "frame").glob("*.ts")
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < 400
