"""Every message as data, taken from its declaration, and as a row of the tables on the pages.

`fields` returns the content of `tests/vectors/fields.json`: all messages with their fields in
order, for programs that prefer data to tables. `rows` returns the rows of the tables.
"""

from typing import Any

import msgspec
from msgspec import inspect

from netgame.wire import messages as wire
from netgame.wire.messages import ChannelMessage
from netgame.wire.payloads import Opening
from netgame.wire.statements import Ballot, Statement

CHANNEL = ChannelMessage.__args__
LINK = wire.LinkMessage.__args__
STREAM = wire.StreamMessage.__args__
RECORD = wire.RecordFrame.__args__
JOURNAL = (wire.Doubt, wire.Sealed)
STATEMENTS = Statement.__args__
PARTS = (
    wire.SignedEntry,
    wire.SignedStatement,
    wire.Body,
    wire.Settings,
    wire.JoinRequest,
    wire.ChatLine,
)
FAMILIES = {
    "part": (*PARTS, Ballot),
    "payload": wire.PAYLOADS,
    "statement": STATEMENTS,
    "record": RECORD,
    "journal": JOURNAL,
    "channel": CHANNEL,
    "link": LINK,
    "stream": STREAM,
}
UNIONS = {"Payload": wire.PAYLOADS, "Opening": Opening.__args__}

Kind = type[msgspec.Struct | Ballot]


def tag_of(kind: Kind) -> str | None:
    """Return the tag with which a message's array begins, or None for a part, which has no tag."""
    return kind.__struct_config__.tag if issubclass(kind, msgspec.Struct) else None


def fields() -> dict[str, Any]:
    """Return all messages by family and then by tag or name, and the members of each union.

    Under `about` is a note on the format.
    """
    return {
        "about": "protocol.md 3, 4.3, 4.7, 6.1 and peer.md 1, 2, 8.1: every message as an "
        "array of its fields, behind its tag if it is tagged. min and max are of the value of an "
        "int, of the octets of a bin, the code points of a str, the members of a list; array: "
        "exactly these",
        "unions": {name: [tag_of(kind) for kind in kinds] for name, kinds in UNIONS.items()},
        **{
            family: {tag_of(kind) or kind.__name__: described(kind) for kind in kinds}
            for family, kinds in FAMILIES.items()
        },
    }


def described(kind: Kind) -> dict[str, Any]:
    """Return a description of one message: whether it is tagged, and its fields in order."""
    info = inspect.type_info(kind)
    members = [{"name": field.name} | type_of(field.type) for field in info.fields]
    return {"tagged": tag_of(kind) is not None, "fields": members}


def type_of(kind: Any) -> dict[str, Any]:
    """Return a field's type and its bounds as data, in the form of `fields.json`."""
    match kind:
        case inspect.IntType():
            last = kind.lt - 1 if kind.le is None and kind.lt is not None else kind.le
            return {"type": "int", "min": kind.ge, "max": last}
        case inspect.EnumType():
            return {"type": "int", "min": min(kind.cls), "max": max(kind.cls)}
        case inspect.BytesType():
            return {"type": "bin", "min": kind.min_length or 0, "max": kind.max_length}
        case inspect.StrType():
            return {"type": "str", "min": 0, "max": kind.max_length}
        case inspect.BoolType():
            return {"type": "bool"}
        case inspect.TupleType():
            return {"type": "array", "of": [type_of(item) for item in kind.item_types]}
        case inspect.VarTupleType():
            span = {"min": kind.min_length or 0, "max": kind.max_length}
            return {"type": "list", **span, "of": type_of(kind.item_type)}
        case inspect.StructType() | inspect.NamedTupleType():
            return {"type": kind.cls.__name__ if tag_of(kind.cls) is None else tag_of(kind.cls)}
        case inspect.UnionType():
            return _union(kind)
    raise AssertionError(kind)


def _union(kind: inspect.UnionType) -> dict[str, Any]:
    tags = {tag_of(each.cls) for each in kind.types}
    (name,) = [name for name, kinds in UNIONS.items() if set(map(tag_of, kinds)) == tags]
    return {"type": name}


def rows(kinds: tuple[Kind, ...]) -> list[str]:
    """Return one row for each message: its tag, then its fields with types and limits."""
    return [row(kind) for kind in kinds]


def row(kind: Kind) -> str:
    """Return `| tag | field: type, … |` of one message."""
    members = described(kind)["fields"]
    said = ", ".join(f"`{member['name']}`: {in_words(member)}" for member in members)
    return f"| `{tag_of(kind) or kind.__name__}` | {said or '(none)'} |"


def in_words(kind: dict[str, Any]) -> str:
    """Return a field's type as the pages write it, from the data that `type_of` returns."""
    match kind:
        case {"type": "int", "min": low, "max": high}:
            return f"int {low}..{high}"
        case {"type": "bin", "min": low, "max": high}:
            return f"bin {_span(low, high)}"
        case {"type": "str", "max": high}:
            return f"str ..{high}"
        case {"type": "array", "of": items}:
            return "[" + ", ".join(map(in_words, items)) + "]"
        case {"type": "list", "min": low, "max": high, "of": item}:
            return f"list {_span(low, high)} of {in_words(item)}"
        case {"type": "admit"}:
            return "Admit"
    return str(kind["type"])


def _span(low: int, high: int) -> str:
    return str(high) if low == high else f"{low or ''}..{high}"


if __name__ == "__main__":
    for family, kinds in FAMILIES.items():
        print(f"## {family}")
        print("\n".join(rows(kinds)))
