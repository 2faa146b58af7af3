"""Octets that are not the one encoding of one message are refused."""

from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netgame.errors import Malformed
from netgame.wire import codec
from netgame.wire import messages as wire
from netgame.wire import statements as said
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.messages import ChannelMessage

LAY = wire.Lay(4, (9, 4), -1, 3, bytes(33), bytes(98))
BODY = wire.Body(bytes(64), 57, bytes(64), 2, 0, LAY)
ENTRY = wire.SignedEntry(encode(BODY), bytes(64))
PLACE = (57, bytes(64), 57)
STATEMENTS = (
    said.Promise(bytes(64), 0, 2, said.Ballot(1, 0), *PLACE, 4, said.NOTHING),
    said.Parting(bytes(64), 0, 2, said.NO_BALLOT, *PLACE, bytes(64)),
    said.Proposal(bytes(64), 3, said.Ballot(1, 0), 4, 57, bytes(64), (bytes(64), bytes(64))),
    said.Accept(bytes(64), 3, 2, bytes(64)),
)
STATEMENT = wire.SignedStatement(encode(STATEMENTS[0]), bytes(64))
SETTINGS = wire.Settings("standard", ("mexican=none",), 12, 8, 13, 15, (), 1)
LINK_MESSAGES = (
    wire.Hello(b""),
    wire.Hello(bytes(64), bytes(16)),
    wire.Rival(),
    wire.JoinAsk(b"request", bytes(64)),
    wire.JoinAnswer("full", "All seats are taken."),
    wire.Watch("Zoe"),
    wire.Guests((bytes(32), bytes(32))),
    wire.Head(57, bytes(64), bytes(32), 0),
    wire.Pull(0, b"\x05", 0),
    wire.Pulled((ENTRY, ENTRY)),
    wire.Entries((ENTRY,)),
    wire.Statements((STATEMENT, STATEMENT)),
    wire.Missed(bytes(64), bytes(32)),
    wire.Evidence((ENTRY,), (STATEMENT,)),
    wire.Chat("good evening"),
    wire.Ping(),
    wire.Pong(),
)
PAYLOADS = (
    wire.OpenTable(bytes(32), bytes(32), SETTINGS),
    wire.Admit(b"request", bytes(64)),
    wire.Dismiss(bytes(32)),
    wire.Close(),
    wire.Roster(bytes(64)),
    wire.CoinCommit(bytes(64)),
    wire.CoinReveal(bytes(32)),
    wire.KeyCommit(3, bytes(64), b""),
    wire.KeyOpen(3, bytes(130)),
    wire.Deck(3, bytes(66)),
    wire.Proof(3, bytes(100)),
    wire.Checked(3),
    wire.Shares(bytes(66), bytes(98)),
    LAY,
    wire.Draw(bytes(130)),
    wire.Pass(bytes(130)),
    wire.Act("chain", -1, -1, ((4, 9, 4), (7, 4, 0)), bytes(66), bytes(98), b""),
    wire.OpeningCommit(bytes(64), bytes(1_040)),
    wire.OpeningReveal(bytes(32), wire.Pass(bytes(130))),
    wire.HandOver(bytes(229)),
    wire.Open(((1, 2), (0, 0)), bytes(66), bytes(98)),
    wire.MixHand(bytes(66), bytes(100)),
    wire.Rebuild(bytes(226)),
    wire.Blind(bytes(197)),
    wire.Unblind(bytes(33), bytes(98)),
    wire.RoundOver((0, 18), (wire.Admit(b"request", bytes(64)),)),
    wire.Keys(bytes(32), b""),
)


Messages = wire.LinkMessage | wire.Body | said.Statement
BODIES = tuple(wire.Body(bytes(64), 1, bytes(64), 0, 0, payload) for payload in PAYLOADS)


def kind_of(message: Messages) -> Any:
    """What a message is read as."""
    if isinstance(message, wire.Body):
        return wire.Body
    return said.Statement if message in STATEMENTS else wire.LinkMessage


def ids(message: Messages) -> str:
    """The name of a message or of what an entry holds."""
    return type(message.payload if isinstance(message, wire.Body) else message).__name__


every_message = pytest.mark.parametrize("message", [*LINK_MESSAGES, *BODIES, *STATEMENTS], ids=ids)


def test_every_kind_of_message_is_tried_here() -> None:
    """A new message needs a line above."""
    assert {type(each) for each in PAYLOADS} == set(wire.PAYLOADS)
    assert {type(each) for each in LINK_MESSAGES} == set(wire.LinkMessage.__args__)
    assert {type(each) for each in STATEMENTS} == set(said.Statement.__args__)


@every_message
def test_a_message_comes_back_as_it_was_and_not_from_a_part_of_it(message: Messages) -> None:
    """Both codecs write the same octets; cut anywhere, or with one octet more, they are none."""
    octets, kind = encode(message), kind_of(message)
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
    ["chat", "x" * 301],
    {"pull": 3},
    3,
)
OCTETS = (b"\x91" * 3_000 + b"\xc0", b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"", b"\xc1")


@pytest.mark.parametrize("octets", [*map(msgpack.packb, VALUES), *OCTETS])
def test_anything_else_is_refused_with_a_sentence(octets: bytes) -> None:
    """Unknown tags and fields, wrong types and lengths, bombs."""
    with pytest.raises(Malformed) as problem:
        decode_any(octets, wire.LinkMessage)
    assert str(problem.value)


def test_a_body_over_the_limit_is_not_even_decoded() -> None:
    """The bound of a link holds before anything is read."""
    with pytest.raises(Malformed, match="octets where 10 are the most"):
        decode(encode(wire.Chat("hello there")), wire.Chat, 10)


@given(st.binary(max_size=200))
def test_noise_is_refused_and_never_worse(noise: bytes) -> None:
    """Whatever comes, a message or `Malformed`."""
    for kinds in (wire.LinkMessage, ChannelMessage, wire.RecordFrame):
        try:
            message = decode_any(noise, kinds)
        except Malformed:
            continue
        assert encode(message) == noise


@given(st.integers(0, len(encode(BODY)) - 1), st.integers(1, 255))
def test_a_changed_octet_gives_another_entry_or_none(at: int, change: int) -> None:
    """No two encodings of one entry, so a signature covers one meaning."""
    octets = bytearray(encode(BODY))
    octets[at] ^= change
    try:
        other = decode(bytes(octets), wire.Body)
    except Malformed:
        return
    assert other != BODY


@pytest.mark.parametrize("text", ["\x1b[2J\x1b]0;x\x07", "\u202eevil", "\x9b31m"])
def test_a_refusal_never_quotes_what_it_refuses(text: str) -> None:
    """Its sentence goes to a screen."""
    for value in ([text, 1], ["pull", text], [text], text, ["join-answer", text * 20, ""]):
        with pytest.raises(Malformed) as problem:
            decode_any(msgpack.packb(value), wire.LinkMessage)
        assert str(problem.value).isascii()
        assert str(problem.value).isprintable()


def _long_forms(octets: bytes) -> list[bytes]:
    """The same message with the head of one value written longer than need be, each in turn."""
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
def test_no_value_has_a_second_encoding(
    message: Messages, trusted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Integers, strings, arrays and octets in a longer form than need be are refused everywhere.

    By each codec alone, too, for the day on which a new version of the other writes or takes more.
    """
    if trusted == "the first codec":
        monkeypatch.setattr(codec, "_is_canonical", lambda _: True)
    for longer in _long_forms(encode(message)):
        if trusted == "the second codec":
            monkeypatch.setattr(codec, "_ENCODER", _Echo(longer))
        try:
            other = decode_any(longer, kind_of(message))
        except Malformed:
            continue
        assert other != message, "it fell inside octets or text and says something else"


class _Echo:
    """An encoder that would write whatever it has read, however long."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets

    def encode(self, _: object) -> bytes:
        """Say that all is as it should be."""
        return self.octets
