"""Octets that are not the one encoding of one message are refused."""

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


def body(payload: wire.Payload) -> wire.Body:
    """An entry's body around a payload."""
    return wire.Body(bytes(64), 1, bytes(64), 0, 0, payload)


@pytest.mark.parametrize("message", LINK_MESSAGES, ids=lambda each: type(each).__name__)
def test_what_peers_say_comes_back_as_it_was(message: wire.LinkMessage) -> None:
    """Both codecs write the same octets, and reading gives the same message."""
    octets = encode(message)
    assert decode_any(octets, wire.LinkMessage) == message
    assert msgpack.packb(msgpack.unpackb(octets, use_list=False)) == octets


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda each: type(each).__name__)
def test_what_entries_say_comes_back_as_it_was(payload: wire.Payload) -> None:
    """The same for the bodies of entries."""
    octets = encode(body(payload))
    assert decode(octets, wire.Body) == body(payload)
    assert msgpack.packb(msgpack.unpackb(octets, use_list=False)) == octets


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: type(each).__name__)
def test_what_seats_say_in_polls_comes_back_as_it_was(statement: said.Statement) -> None:
    """Whole, and neither shorter nor longer."""
    octets = encode(statement)
    assert decode_any(octets, said.Statement) == statement
    for other in (*(octets[:cut] for cut in range(len(octets))), octets + b"\xc0"):
        with pytest.raises(Malformed):
            decode_any(other, said.Statement)


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": said.SEATS_MAX},
        {"seat": -1},
        {"ballot": said.Ballot(said.COUNTER_MAX + 1, 0)},
        {"ballot": said.Ballot(1, said.SEATS_MAX)},
        {"without": 1 << said.SEATS_MAX},
        {"accepted": bytes(65)},
        {"head": bytes(63)},
        {"id": bytes(63)},
    ],
    ids=str,
)
def test_a_promise_of_what_there_is_not_is_refused(changes: dict[str, object]) -> None:
    """Seats, ballots and names have bounds."""
    with pytest.raises(Malformed):
        decode_any(encode(msgspec.structs.replace(STATEMENTS[0], **changes)), said.Statement)


def test_every_kind_of_message_is_tried_here() -> None:
    """A new message needs a line above."""
    assert {type(each) for each in PAYLOADS} == set(wire.PAYLOADS)
    assert {type(each) for each in LINK_MESSAGES} == set(wire.LinkMessage.__args__)
    assert {type(each) for each in STATEMENTS} == set(said.Statement.__args__)


@pytest.mark.parametrize("message", [*LINK_MESSAGES], ids=lambda each: type(each).__name__)
def test_truncated_or_lengthened_octets_are_refused(message: wire.LinkMessage) -> None:
    """Cut at every octet, and with one octet more."""
    octets = encode(message)
    for cut in range(len(octets)):
        with pytest.raises(Malformed):
            decode_any(octets[:cut], wire.LinkMessage)
    with pytest.raises(Malformed):
        decode_any(octets + b"\xc0", wire.LinkMessage)


@pytest.mark.parametrize(
    "octets",
    [
        msgpack.packb(["pull", 3, 4]),
        msgpack.packb(["pull"]),
        msgpack.packb(["pull", -1]),
        msgpack.packb(["pull", 200_001]),
        msgpack.packb(["pull", 3.0]),
        msgpack.packb(["pull", True]),
        msgpack.packb(["pull", None]),
        msgpack.packb(["shout", "hello"]),
        msgpack.packb(["hello", "text", b""]),
        msgpack.packb(["hello", bytes(65), b""]),
        msgpack.packb(["hello", bytes(64), bytes(17)]),
        msgpack.packb(["hello", bytes(64)]),
        msgpack.packb(["chat", "x" * 301]),
        msgpack.packb(["head", 1, bytes(63), b""]),
        msgpack.packb({"pull": 3}),
        msgpack.packb(3),
        b"\x92\xa4pull\xcc\x03",
        b"\x92\xa4pull\xcd\x00\x03",
        b"\x92\xd9\x04pull\x03",
        b"\xdc\x00\x02\xa4pull\x03",
        b"\x93\xa5hello\xc5\x00\x01x\xc4\x00",
        b"\x91" * 3_000 + b"\xc0",
        b"\xdd\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"",
        b"\xc1",
    ],
)
def test_anything_else_is_refused_with_a_sentence(octets: bytes) -> None:
    """Unknown tags and fields, wrong types and lengths, long encodings, bombs."""
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


@pytest.mark.parametrize("message", LINK_MESSAGES, ids=lambda each: type(each).__name__)
def test_no_value_has_a_second_encoding(message: wire.LinkMessage) -> None:
    """Integers, strings, arrays and octets in a longer form than need be are refused everywhere."""
    octets = encode(message)
    for longer in _long_forms(octets):
        try:
            other = decode_any(longer, wire.LinkMessage)
        except Malformed:
            continue
        assert other != message, "it fell inside octets or text and says something else"


@pytest.mark.parametrize("trusted", ["the first codec", "the second codec"])
def test_each_codec_alone_refuses_every_longer_form(
    trusted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is there for the day on which a new version of the other writes or takes more."""
    if trusted == "the first codec":
        monkeypatch.setattr(codec, "_is_canonical", lambda _: True)
    messages = [*LINK_MESSAGES, *map(body, PAYLOADS)]
    for message in messages:
        kinds = wire.Body if isinstance(message, wire.Body) else wire.LinkMessage
        for longer in _long_forms(encode(message)):
            if trusted == "the second codec":
                monkeypatch.setattr(codec, "_ENCODER", _Echo(longer))
            try:
                other = decode_any(longer, kinds)
            except Malformed:
                continue
            assert other != message


class _Echo:
    """An encoder that would write whatever it has read, however long."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets

    def encode(self, _: object) -> bytes:
        """Say that all is as it should be."""
        return self.octets


def test_both_codecs_write_the_same_octets() -> None:
    """The one that decodes and the one that checks it."""
    for message in (*LINK_MESSAGES, *map(body, PAYLOADS)):
        octets = encode(message)
        value = msgpack.unpackb(octets, use_list=False)
        assert msgpack.packb(value) == octets == msgspec.msgpack.encode(value)
