"""Write a module of the engine so that mypyc makes native classes of its structs.

A frozen struct gets what msgspec gives it while a program runs: the constructor, equality, hash,
representation, pickling and, where it asks for that, order. `replace(value, a=..., b=...)` becomes
a method of each struct that has these fields, so that the compiler sees the types. A dataclass gets
pickling. Nothing else changes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

DOOR = "engine.struct"
"""Where the engine takes structs from."""

IMPORTS = """
from typing import TYPE_CHECKING, ClassVar, Final, Literal, final
if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
"""

Names = tuple[str, ...]


class Field(NamedTuple):
    """One field of a struct, as it is written."""

    name: str
    kind: str
    usual: str | None
    """The default."""


def changes_in(tree: ast.Module) -> set[Names]:
    """The sets of fields that a module changes by `replace`."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and _changes(tree, node))
    return {_changed(call) for call in calls}


def unfold(tree: ast.Module, changes: Iterable[Names]) -> str:
    """The text of a module, its structs written out; `changes` are those of all modules."""
    return ast.unparse(ast.fix_missing_locations(_Unfolding(tree, changes).visit(tree))) + "\n"


def _taken(tree: ast.Module) -> set[str]:
    """What a module takes from the door."""
    froms = (node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == DOOR)
    return {alias.name for node in froms for alias in node.names}


def _changes(tree: ast.Module, call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "replace" in _taken(tree)


def _changed(call: ast.Call) -> Names:
    return tuple(sorted(each.arg for each in call.keywords if each.arg is not None))


def _changer(names: Names) -> str:
    return "with__" + "__".join(names)


class _Unfolding(ast.NodeTransformer):
    def __init__(self, tree: ast.Module, changes: Iterable[Names]) -> None:
        self._replaces = "replace" in _taken(tree)
        self._changes = sorted(changes)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        return ast.parse(IMPORTS).body if node.module == DOOR else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        named = isinstance(node.func, ast.Name) and node.func.id == "replace"
        if not named or not self._replaces:
            return node
        changer = ast.Attribute(node.args[0], _changer(_changed(node)), ast.Load())
        return ast.Call(changer, [], node.keywords)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        if node.decorator_list:
            return _dataclass(node)
        if any(isinstance(base, ast.Name) and base.id == "Struct" for base in node.bases):
            return _struct(node, self._changes)
        return node


def _dataclass(node: ast.ClassDef) -> ast.ClassDef:
    """Make a dataclass what mypyc knows: without slots, and pickled without setting its fields."""
    for each in node.decorator_list:
        if isinstance(each, ast.Call):
            each.keywords = [word for word in each.keywords if word.arg != "slots"]
    node.body += ast.parse("\n".join(_pickled(node.name, _parted(node)[0]))).body
    return node


def _struct(node: ast.ClassDef, changes: Iterable[Names]) -> ast.ClassDef:
    fields, rest = _parted(node)
    lines = [*_fields(fields), *_same(node.name, fields), *_text(node.name, fields)]
    if any(word.arg == "order" for word in node.keywords):
        lines += _order(node.name, fields)
    lines += _pickled(node.name, fields)
    lines += _changers(node.name, fields, changes)
    head = ["@final", "@mypyc_attr(acyclic=True)", f"class {node.name}:"]
    written = ast.parse("\n".join([*head, *[f"    {line}" for line in lines]])).body[0]
    assert isinstance(written, ast.ClassDef)
    written.body += rest
    return written


def _parted(node: ast.ClassDef) -> tuple[list[Field], list[ast.stmt]]:
    """Return the fields of a class, and all else but what is said of it."""
    fields, rest = [], []
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and "ClassVar" not in ast.unparse(each.annotation):
            usual = None if each.value is None else ast.unparse(each.value)
            fields.append(Field(ast.unparse(each.target), ast.unparse(each.annotation), usual))
        elif not isinstance(each, ast.Expr):
            rest.append(each)
    return fields, rest


def _fields(fields: list[Field]) -> list[str]:
    names = tuple(field.name for field in fields)
    literals = ", ".join(f"Literal[{name!r}]" for name in names) or "()"
    given = [f"{field.name}: {field.kind}" for field in fields]
    taken = [
        text if field.usual is None else f"{text} = {field.usual}"
        for text, field in zip(given, fields, strict=True)
    ]
    return [
        f"__struct_fields__: ClassVar[tuple[str, ...]] = {names}",
        f"__match_args__: ClassVar[tuple[{literals}]] = {names}",
        *[f"{field.name}: Final[{field.kind}]" for field in fields],
        f"def __init__(self, {', '.join(taken)}) -> None:",
        *([f"    self.{name} = {name}" for name in names] or ["    pass"]),
    ]


def _same(kind: str, fields: list[Field]) -> list[str]:
    equal = " and ".join(f"self.{field.name} == other.{field.name}" for field in fields) or "True"
    return [
        "def __eq__(self, other: object) -> bool:",
        "    if self is other: return True",
        f"    if not isinstance(other, {kind}): return NotImplemented",
        f"    return {equal}",
        "def __hash__(self) -> int:",
        f"    return hash({_tuple('self', fields)})",
    ]


def _text(kind: str, fields: list[Field]) -> list[str]:
    parts = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in fields)
    return ["def __repr__(self) -> str:", f"    return f'{kind}({parts})'"]


def _pickled(kind: str, fields: list[Field]) -> list[str]:
    """Make it anew from its fields: nothing may set those of a frozen value."""
    return [
        "def __reduce__(self) -> tuple[object, ...]:",
        f"    return {kind}, {_tuple('self', fields)}",
    ]


def _order(kind: str, fields: list[Field]) -> list[str]:
    return [
        f"def __lt__(self, other: '{kind}') -> bool:",
        f"    return {_tuple('self', fields)} < {_tuple('other', fields)}",
    ]


def _tuple(value: str, fields: list[Field]) -> str:
    return "(" + "".join(f"{value}.{field.name}, " for field in fields) + ")"


def _changers(kind: str, fields: list[Field], changes: Iterable[Names]) -> list[str]:
    kinds = {field.name: field.kind for field in fields}
    lines = []
    for names in changes:
        if kinds.keys() >= set(names):
            taken = ", ".join(f"{name}: {kinds[name]}" for name in names)
            given = ", ".join(name if name in names else f"self.{name}" for name in kinds)
            lines += [
                f"def {_changer(names)}(self, *, {taken}) -> '{kind}':",
                f"    return {kind}({given})",
            ]
    return lines
