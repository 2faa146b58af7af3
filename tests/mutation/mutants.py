"""The mutants of a module: one small change of its syntax tree each, with a lasting name.

A name gives the module, the function, the operator, and the code before and after. It gives no line
number, so it means the same mutant after other parts of the file have changed. Code that hardly
matters is left alone, such as docstrings, annotations without limits, assertions, decorators,
sentences for people and imports.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

COMPARISONS: Final = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: Final = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
HASHES: Final = frozenset(
    ("digest", "digest_int", "challenge", "weight", "expand", "hedge", "context_at", "Parties")
)
"""Calls whose every argument binds something: each argument is left out in turn."""
SENTENCES: Final = frozenset(
    ("BadRecord", "Disconnected", "Finding", "Garbage", "LocalMisuse", "Malformed", "RecordVerdict")
) | {"Refused", "Stray", "TimedOut", "TypeVar", "Verdict", "_count", "cast", "join_names"}
"""Calls whose text is for people, or for the type checker."""


class Wrong(Protocol):
    """A planted bug: a module with something wrong in it."""

    @property
    def module(self) -> str:
        """The module's name."""

    @property
    def name(self) -> str:
        """The wrong's name, as reports give it."""

    @property
    def apply(self) -> Callable[[], ast.Module]:
        """A function that returns the tree of the whole module, with the wrong in it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one module; `apply` returns the syntax tree of the whole changed module."""

    module: str
    function: str
    operator: str
    before: str
    after: str
    number: int
    apply: Callable[[], ast.Module]

    @property
    def name(self) -> str:
        """The name in reports and in the list of explained survivors."""
        again = f" #{self.number}" if self.number else ""
        change = f"{self.before} -> {self.after}"
        return f"{self.module}:{self.function}: {self.operator}: {change}{again}"


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of a node: `new` replaces it; if `new` is None, the statement is removed."""

    operator: str
    new: ast.AST | None


def mutants_of(module: str, source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its source."""
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for path, node, function in _places(ast.parse(source)):
        for change in _changes(node):
            before, after = _snippet(node), _snippet(change.new)
            key = (function, change.operator, before, after)
            tree = _applier(source, path, change)
            found.append(Mutant(module, *key, seen[key], tree))
            seen[key] += 1
    return found


Path = tuple[tuple[str, int | None], ...]
"""The path to a node from the root: fields, and indices in lists."""


def _applier(source: str, path: Path, change: _Change) -> Callable[[], ast.Module]:
    def apply() -> ast.Module:
        tree = ast.parse(source)
        node: ast.AST = tree
        for field, at in path[:-1]:
            value = getattr(node, field)
            node = value if at is None else value[at]
        field, at = path[-1]
        new = ast.Pass() if change.new is None else copy.deepcopy(change.new)
        if at is None:
            setattr(node, field, new)
        else:
            getattr(node, field)[at] = new
        return ast.fix_missing_locations(tree)

    return apply


def _places(root: ast.Module) -> Iterator[tuple[Path, ast.AST, str]]:
    """Yield the path of every node that may be changed, the node, and a dotted name.

    The name is that of the enclosing function, class or assignment, or `<module>`.
    """
    todo: list[tuple[Path, ast.AST, str]] = [((), root, "")]
    while todo:
        path, node, function = todo.pop(0)
        if path:
            yield path, node, function or "<module>"
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}".lstrip(".")
        if isinstance(node, ast.Assign | ast.AnnAssign) and not _in_function(root, path):
            function = f"{function}.{ast.unparse(_target(node))}".lstrip(".")
        inner = []
        for field, value in ast.iter_fields(node):
            if field in _LEFT_ALONE:
                continue
            members = value if isinstance(value, list) else [value]
            for at, member in enumerate(members):
                if isinstance(member, ast.AST) and not _is_idle(node, member, field, at):
                    step = (field, at if isinstance(value, list) else None)
                    inner.append(((*path, step), member, function))
        todo[:0] = inner


def _in_function(root: ast.Module, path: Path) -> bool:
    node: ast.AST = root
    for field, at in path:
        value = getattr(node, field)
        node = value if at is None else value[at]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return True
    return False


def _target(node: ast.Assign | ast.AnnAssign) -> ast.expr:
    return node.target if isinstance(node, ast.AnnAssign) else node.targets[0]


_LEFT_ALONE: Final = frozenset(("decorator_list", "returns", "type_params", "ctx", "bases"))
_IDLE_KEYWORDS: Final = frozenset(
    (
        "strict",
        "repr",
        "compare",
        "default_factory",
        "array_like",
        "forbid_unknown_fields",
        "frozen",
    )
)
"""Keywords that matter only if the program itself is wrong, or that message tests check."""


def _is_idle(parent: ast.AST, node: ast.AST, field: str, at: int) -> bool:
    """Return True if this node and everything below it is left alone."""
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.arguments():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Constant()) if field == "body":
            return at == 0 or isinstance(parent, ast.Module | ast.ClassDef | ast.FunctionDef)
        case ast.Assign(targets=[ast.Name(id=name)]) if name == "__all__":
            return True
        case ast.keyword(arg=name) if name in _IDLE_KEYWORDS:
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.Assign(value=ast.Subscript(value=ast.Name(id="tuple" | "dict" | "list"))):
            return True
        case ast.Subscript() if field == "func":  # a generic class being called: these are types
            return True
        case ast.expr() if field == "annotation":
            return not any(_is_limit(inner) for inner in ast.walk(node))
        case ast.Call(func=ast.Name(id=name)) if name in SENTENCES:
            return True
    return False


def _is_limit(node: ast.AST) -> bool:
    """Return True for a limit on the length or size of a message's field."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Meta"


def _snippet(node: ast.AST | None) -> str:
    if node is None:
        return "(nothing)"
    if isinstance(node, ast.If | ast.While):
        return f"if {ast.unparse(node.test)}"
    return " ".join(ast.unparse(node).split())[:300]


def _changes(node: ast.AST) -> Iterator[_Change]:
    """Yield the possible replacements of a node."""
    match node:
        case ast.Compare(ops=ops):
            yield from (_Change("comparison", _compared(node, at)) for at in range(len(ops)))
        case ast.BoolOp(values=values):
            for at in range(len(values)):
                left = [value for n, value in enumerate(values) if n != at]
                new = left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
                yield _Change("condition dropped", new)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield _Change("sign dropped", operand)
        case ast.BinOp(op=op) if type(op) in ARITHMETIC and not _is_types(node):
            yield _Change("arithmetic", ast.BinOp(node.left, ARITHMETIC[type(op)](), node.right))
            modulus = node.right.id if isinstance(node.right, ast.Name) else ""
            if (
                isinstance(op, ast.Mod | ast.BitAnd) and modulus != "Q"
            ):  # all of `group` takes numbers mod Q
                yield _Change("reduction dropped", node.left)
        case ast.IfExp(body=body, orelse=other):
            yield _Change("always", body)
            yield _Change("never", other)
        case ast.Constant():
            yield from _constants(node)
        case ast.Call():
            yield from _calls(node)
        case ast.Tuple(elts=elements, ctx=ast.Load()) if len(elements) > 1:
            if not any(isinstance(each, ast.Constant) for each in elements):
                for at in range(len(elements)):
                    left = [*elements[:at], *elements[at + 1 :]]
                    yield _Change("member dropped", ast.Tuple(left, ast.Load()))
        case ast.stmt():
            yield from _statements(node)


def _compared(node: ast.Compare, at: int) -> ast.Compare:
    ops = [COMPARISONS[type(op)]() if n == at else op for n, op in enumerate(node.ops)]
    return ast.Compare(node.left, ops, node.comparators)


def _is_types(node: ast.BinOp) -> bool:
    """Return True if this operation joins types, text or lists."""
    sides = (node.left, node.right)
    if isinstance(node.op, ast.BitOr):
        return any(isinstance(side, ast.Name) and side.id[:1].isupper() for side in sides)
    return any(isinstance(side, ast.Constant | ast.JoinedStr | ast.List) for side in sides) and any(
        isinstance(side, ast.JoinedStr | ast.List)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _constants(node: ast.Constant) -> Iterator[_Change]:
    match node.value:
        case bool() as value:
            yield _Change("constant", ast.Constant(not value))
        case int() as value:
            yield _Change("constant", ast.Constant(value + 1))
        case bytes() as value if value:
            yield _Change("constant", ast.Constant(value[:-1] + bytes([value[-1] ^ 1])))
        case str() as value if value and " " not in value:
            yield _Change("constant", ast.Constant(value + "x"))


def _calls(node: ast.Call) -> Iterator[_Change]:
    """Yield calls with two neighbouring arguments swapped, or with a part of a hash left out."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else name
    args = node.args
    if any(isinstance(each, ast.Starred) for each in args) and name not in HASHES:
        return
    if name in HASHES:
        for at in range(len(args)):
            left = [*args[:at], *args[at + 1 :]]
            yield _Change("part not hashed", ast.Call(node.func, left, node.keywords))
    elif name not in _SYMMETRIC:
        for at in range(len(args) - 1):
            swapped = [*args[:at], args[at + 1], args[at], *args[at + 2 :]]
            if ast.dump(args[at]) != ast.dump(args[at + 1]):
                yield _Change("swapped", ast.Call(node.func, swapped, node.keywords))


_SYMMETRIC: Final = frozenset(
    ("add", "max", "min", "compare_digest", "isinstance", "getattr", "hasattr", "zip", "map")
)


def _statements(node: ast.stmt) -> Iterator[_Change]:
    match node:
        case ast.If(orelse=[]):
            yield _Change("guard dropped", None)
        case ast.Raise() | ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign():
            yield _Change("statement dropped", None)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield _Change("statement dropped", None)
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not())):
            yield _Change("always", ast.Return(ast.Constant(value=True)))
            yield _Change("never", ast.Return(ast.Constant(value=False)))
        case ast.Return(value=ast.Call() | ast.Tuple() | ast.Name() | ast.Attribute()):
            yield _Change("nothing returned", ast.Return(ast.Constant(value=None)))
