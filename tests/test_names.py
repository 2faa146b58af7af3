"""One name, one thing: classes are not called alike [docs/architecture.md]."""

import ast
from collections import defaultdict

from tests.tree import ROOT

PACKAGES = ("engine", "netgame", "cli", "lab", "bench")
CARRIERS = "netgame.wire"
"""A message is called like what it carries: a move, a proof, a notice."""


def classes() -> dict[str, list[str]]:
    """In which modules there is a class of each name; what begins with `_` stays in its module."""
    found = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(module)
    return found


def test_no_two_classes_are_called_alike() -> None:
    """But for a message and the one thing that it carries."""
    alike = {
        name: modules
        for name, modules in classes().items()
        if len([each for each in modules if not each.startswith(CARRIERS)]) > 1
        or len([each for each in modules if each.startswith(CARRIERS)]) > 1
    }
    assert alike == {}
