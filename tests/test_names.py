"""No two classes share a name, and each test has a docstring with a subject."""

import ast
from collections import defaultdict

from tests.tree import ROOT

PACKAGES = ("engine", "netgame", "cli", "lab", "bench")
CARRIERS = "netgame.wire"
CARRIED = {
    *("HandOver", "RoundOver"),
    *("Catch", "Declare", "Discard", "Done", "LayChain", "LayHub", "Mark", "NoDouble"),
    *("Pass", "PullBack", "Quiet", "Show", "Silent", "Tap"),
}
"""The names of a proof, a notice and moves; the payload that carries each has the same name."""


def classes() -> dict[str, list[str]]:
    """Return the modules that define each public class, by the name of the class."""
    found = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(module)
    return found


def test_no_two_classes_are_called_alike() -> None:
    """Only a payload and the object that it carries may share a name."""
    alike = {name: modules for name, modules in classes().items() if len(modules) > 1}
    assert alike.keys() == CARRIED
    for modules in alike.values():
        assert len([each for each in modules if each.startswith(CARRIERS)]) == 1
        assert len(modules) == 2


def test_a_test_is_explained_by_a_sentence_with_a_subject() -> None:
    """Each test has a docstring that does not start with "Who", "What" or the like.

    Such a start hides the subject.
    """
    halves = ("Who ", "Whom ", "Whose ", "What ", "So ")
    found = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            says = ast.get_docstring(node) or ""
            if node.name.startswith("test_") and (not says or says.startswith(halves)):
                found.append(f"{path.relative_to(ROOT)}: {node.name}: {says[:40]!r}")
    assert found == []
