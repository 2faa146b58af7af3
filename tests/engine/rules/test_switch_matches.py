"""Code tests a switch of three or more values with a `match` that names them all."""

import ast
from pathlib import Path

from engine.rules import switches
from engine.rules.switches import Switch

ENGINE = Path(switches.__file__).parents[2]
DECLARED = ENGINE / "rules"
"""The folder left out: presets and clashes name values without asking for one."""


def kinds():
    """Return the switches that have more than two values, by name."""
    each = (getattr(switches, name) for name in dir(switches))
    found = [kind for kind in each if isinstance(kind, type) and issubclass(kind, Switch)]
    return {kind.__name__: kind for kind in found if len(kind) > 2}


def compared(tree):
    """Yield the name and the attribute of each `name.attribute` in a comparison."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for part in ast.walk(node):
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                    yield part.value.id, part.attr


def test_no_place_asks_for_one_of_many_values():
    """No comparison names a value of a switch that has more than two values.

    Only in a `match` does the type checker notice a value that is not dealt with.
    """
    many = kinds()
    assert {"Cover", "Engine", "Opening", "LastDouble"} <= many.keys()
    found = set()
    for path in ENGINE.rglob("*.py"):
        if DECLARED in path.parents:
            continue
        for name, member in compared(ast.parse(path.read_text())):
            if name in many and member in many[name].__members__:
                found.add(f"{path.name}: {name}.{member}")
    assert found == set()
