"""Octets are refused unless they are the only encoding of a message."""

from itertools import product

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect
from msgspec.structs import replace

from netgame.errors import Malformed
from netgame.wire import codec
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.messages import ChannelMessage
from netgame.wire.statements import Statement
from tests.netgame.wire.describe import FAMILIES

BODY = wire.Body(bytes(64), 57, bytes(64), 2, 0, wire.Lay(4, (9, 4), -1, 3, bytes(33), bytes(98)))
READ_AS = {
    "link": wire.LinkMessage,
    "stream": wire.StreamMessage,
    "channel": ChannelMessage,
    "record": wire.RecordFrame,
    "statement": Statement,
    "payload": wire.Body,
}
"""The type as which messages of each family are read; a payload is read inside a body."""


def filled(kind, *, much):
    """Return the smallest value of a declared type, or a larger one if `much` is true."""
    match kind:
        case inspect.IntType():
            most = kind.le if kind.lt is None else kind.lt - 1
            return most if much else kind.ge
        case inspect.EnumType():
            return max(kind.cls) if much else min(kind.cls)
        case inspect.BytesType():
            return b"\xff" * min(kind.max_length, (kind.min_length or 0) + 40 * much)
        case inspect.StrType():
            return "x" * min(kind.max_length, 40 * much)
        case inspect.BoolType():
            return much
        case inspect.TupleType():
            return tuple(filled(each, much=much) for each in kind.item_types)
        case inspect.VarTupleType():
            members = min(kind.max_length, (kind.min_length or 0) + 2 * much)
            return (filled(kind.item_type, much=much),) * members
        case inspect.UnionType():
            return filled(kind.types[0], much=much)
        case inspect.StructType() | inspect.NamedTupleType():
            return kind.cls(*(filled(field.type, much=much) for field in kind.fields))
    return None


def messages():
    """Yield each message with the type to read it as, in its smallest form and in a larger one."""
    for family, read_as in READ_AS.items():
        for kind, much in product(FAMILIES[family], (False, True)):
            message = filled(inspect.type_info(kind), much=much)
            if family == "payload":
                message = replace(BODY, payload=message)
            yield pytest.param(read_as, message, id=f"{kind.__name__}{'-full' * much}")


every_message = pytest.mark.parametrize(("kind", "message"), [*messages()])


@every_message
def test_a_message_comes_back_as_it_was_and_not_from_a_part_of_it(kind, message):
    """A message decodes to itself; cut short anywhere, or with one octet more, it is refused.

    The libraries msgpack and msgspec encode it in the same octets.
    """
    octets = encode(message)
    assert decode_any(octets, kind) == message
    value = msgpack.unpackb(octets, use_list=False)
    assert msgpack.packb(value) == octets == msgspec.msgpack.encode(value)
    for other in (*(octets[:cut] for cut in range(len(octets))), octets + b"\xc0"):
        with pytest.raises(Malformed):
            decode_any(other, kind)


VALUES = (
    ["pull", 3, 4],
    ["pull", -1, b"", 0],
    ["pull", 200_001, b"", 0],
    ["pull", 3.0, b"", 0],
    ["pull", True, b"", 0],
    ["pull", None, b"", 0],
    ["shout", "hello"],
    ["hello", "text", b""],
    ["hello", bytes(65), b""],
    ["hello", bytes(64), bytes(17)],
    ["chat", "x" * 301, ""],
    {"pull": 3},
    3,
)
OCTETS = (b"\x91" * 3_000 + b"\xc0", b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"", b"\xc1")


@pytest.mark.parametrize("octets", [*map(msgpack.packb, VALUES), *OCTETS])
def test_anything_else_is_refused_with_a_sentence(octets):
    """Unknown tags, wrong fields, types and lengths, and broken octets are refused.

    The error has a text.
    """
    with pytest.raises(Malformed) as problem:
        decode_any(octets, wire.LinkMessage)
    assert str(problem.value)


@pytest.mark.parametrize("octets", [encode(wire.Watch("hello there")), bytes(11)])
def test_a_message_over_the_limit_is_not_even_decoded(octets):
    """A message longer than the limit is refused for its length, whether or not it is valid."""
    with pytest.raises(Malformed, match="octets where 10 are the most"):
        decode(octets, wire.Watch, 10)


@given(st.integers(0, len(encode(BODY)) - 1), st.integers(1, 255))
def test_a_changed_octet_gives_another_entry_or_none(at, change):
    """A body with a changed octet decodes to a different body or not at all.

    So a signature covers only one meaning.
    """
    octets = bytearray(encode(BODY))
    octets[at] ^= change
    try:
        other = decode(bytes(octets), wire.Body)
    except Malformed:
        return
    assert other != BODY


@pytest.mark.parametrize("text", ["\x1b[2J\x1b]0;x\x07", "\u202eevil", "\x9b31m", "rude words"])
def test_a_refusal_never_quotes_what_it_refuses(text):
    """The text of a refusal quotes nothing of what it refuses, not even escaped.

    It is printable ASCII, as it is shown on a screen.
    """
    for value in ([text, 1], ["pull", text], [text], text, ["join-answer", text * 20, ""]):
        with pytest.raises(Malformed) as problem:
            decode_any(msgpack.packb(value), wire.LinkMessage)
        assert str(problem.value).isascii()
        assert str(problem.value).isprintable()
        assert ascii(text)[1:-1] not in str(problem.value)


def _long_forms(octets):
    """Return copies of a message, each with the head of one value in a longer form."""
    found = []
    for at, first in enumerate(octets):
        rest = octets[at + 1 :]
        if first < 0x80:
            found.append(octets[:at] + b"\xcc" + octets[at:])
        elif 0x90 <= first <= 0x9F:
            found.append(octets[:at] + bytes((0xDC, 0, first & 15)) + rest)
        elif 0xA0 <= first <= 0xBF:
            found.append(octets[:at] + bytes((0xD9, first & 31)) + rest)
        elif first == 0xC4:
            found.append(octets[:at] + b"\xc5\x00" + rest)
    return found


@pytest.mark.parametrize("trusted", ["none", "the first codec", "the second codec"])
@every_message
def test_no_value_has_a_second_encoding(kind, message, trusted, monkeypatch):
    """Integers, strings, arrays and octets in a longer form than necessary are refused.

    Each of the two codecs refuses them by itself, in case a new version of the other one writes or
    accepts more.
    """
    if trusted == "the first codec":
        monkeypatch.setattr(codec, "_is_canonical", lambda _: True)
    for longer in _long_forms(encode(message)):
        if trusted == "the second codec":
            monkeypatch.setattr(codec, "_ENCODER", _Echo(longer))
        try:
            other = decode_any(longer, kind)
        except Malformed:
            continue
        assert other != message, "it fell inside octets or text and says something else"


class _Echo:
    """An encoder that always returns the octets given to its constructor."""

    def __init__(self, octets):
        self.octets = octets

    def encode(self, _):
        """Return those octets, whatever the value is."""
        return self.octets
