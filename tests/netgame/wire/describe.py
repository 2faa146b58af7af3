"""Messages as rows of the tables in protocol.md, made from their declarations."""

from typing import Any

import msgspec
from msgspec import inspect

from netgame.wire import messages as wire
from netgame.wire.messages import ChannelMessage
from netgame.wire.statements import Ballot, Statement

CHANNEL = ChannelMessage.__args__
LINK = wire.LinkMessage.__args__
RECORD = wire.RecordFrame.__args__
STATEMENTS = Statement.__args__
PARTS = (wire.SignedEntry, wire.SignedStatement, wire.Body, wire.Settings, wire.JoinRequest)


def rows(kinds: tuple[type[msgspec.Struct | Ballot], ...]) -> list[str]:
    """One row a message: tag, then its fields with types and limits."""
    return [row(kind) for kind in kinds]


def row(kind: type[msgspec.Struct | Ballot]) -> str:
    """`| tag | field: type, … |` of one message."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType | inspect.NamedTupleType)
    fields = ", ".join(f"`{field.name}`: {of(field.type)}" for field in info.fields)
    tag = kind.__struct_config__.tag if issubclass(kind, msgspec.Struct) else None
    return f"| `{tag if tag is not None else kind.__name__}` | {fields or '(none)'} |"


def of(kind: Any) -> str:
    """A field's type in words."""
    match kind:
        case inspect.IntType():
            last = kind.lt - 1 if kind.le is None and kind.lt is not None else kind.le
            return f"int {kind.ge}..{last}"
        case inspect.BytesType():
            return f"bin {_span(kind.min_length, kind.max_length)}"
        case inspect.StrType():
            return f"str ..{kind.max_length}"
        case inspect.BoolType():
            return "bool"
        case inspect.TupleType():
            return "[" + ", ".join(of(item) for item in kind.item_types) + "]"
        case inspect.VarTupleType():
            return f"list {_span(kind.min_length, kind.max_length)} of {of(kind.item_type)}"
        case inspect.StructType() | inspect.NamedTupleType():
            return kind.cls.__name__
        case inspect.UnionType():
            return "Payload" if len(kind.types) == len(wire.PAYLOADS) else "Opening"
    raise AssertionError(kind)


def _span(low: int | None, high: int | None) -> str:
    return str(high) if low == high else f"{low or ''}..{high}"


if __name__ == "__main__":
    for title, kinds in (
        ("channel", CHANNEL),
        ("link", LINK),
        ("payload", wire.PAYLOADS),
        ("record", RECORD),
        ("statements", (*STATEMENTS, Ballot)),
        ("parts", PARTS),
    ):
        print(f"## {title}")
        print("\n".join(rows(kinds)))
