"""Octets of protocol.md 3, 4.1 and 6.1: frames, messages, entries.

The tables of fields are read from the pages, so a message is exactly what they say. Messages of
links are in docs/peer.md, and those of a rebuilt deck in docs/rebuilding.md. Like the rest of this
folder, this module imports nothing from `netgame`.
"""

import re
import zlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgpack

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "protocol.md").read_text()
PEER_PAGE = (ROOT / "docs" / "peer.md").read_text()
REBUILDING_PAGE = (ROOT / "docs" / "rebuilding.md").read_text()
VERSION = int(PAGE.split("`PROTOCOL_VERSION` | ")[1].split(" ")[0])
BODY_MAX = 32_256
FRAME_MAX = 65_536


class Malformed(Exception):
    """Octets that break the format."""


class Message(NamedTuple):
    """A message: its tag, or the name of a part without one, and its fields by name."""

    tag: str
    fields: dict

    def __getattr__(self, name):
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(name) from None


class Entry(NamedTuple):
    """An entry as received; the fields of its body can be read as attributes."""

    body: bytes
    signature: bytes
    said: Message

    @property
    def kind(self):
        """The tag of its payload."""
        return self.said.payload.tag

    def __getattr__(self, name):
        return getattr(self.said, name)


FIELDS_OF = r"(?m)^\| `([\w-]+)` \| (\(none\)|`\w+`: .*) \|$"

# ---- the tables -------------------------------------------------------------------------------


@cache
def _tables():
    """Return the fields of every message by tag, each with its type in words."""
    found = {}
    for name, fields in re.findall(FIELDS_OF, PAGE + PEER_PAGE + REBUILDING_PAGE):
        parts = re.split(r"(?:^|, )`(\w+)`: ", fields)[1:]
        found[name] = tuple(zip(parts[::2], parts[1::2], strict=True))
    return found


@cache
def _payloads():
    """Return the tags of 4.3 and of rebuilding.md 2: the payloads of entries."""
    tables = (
        PAGE[PAGE.index("### 4.3 ") : PAGE.index("| entry |")],
        REBUILDING_PAGE[REBUILDING_PAGE.index("| tag |") : REBUILDING_PAGE.index("| phase |")],
    )
    return tuple(re.findall(r"(?m)^\| `([\w-]+)` \|", "".join(tables)))


OPENINGS = ("draw", "pass", "chain")
SPOKEN = ("tap", "catch", "quiet")
TURNS = (
    *("lay", "draw", "pass", "chain", "done", "mark", "tap"),
    *("hub", "none", "show", "declare", "silent", "discard", "pull-back"),
)
WITHOUT_TAG = (
    *("SignedEntry", "SignedStatement", "Body", "Settings", "JoinRequest", "ChatLine"),
    "Ballot",
)


def _need(holds, what="a value outside its limits"):
    if not holds:
        raise Malformed(what)


def _span(words, size):
    low, dots, high = words.partition("..")
    if not dots:
        return size == int(low)
    return int(low or 0) <= size <= int(high)


def _read(words, value):
    """Return a field's value; raise Malformed if it is not of the type in `words`."""
    if words == "bool":
        _need(type(value) is bool)
        return value
    kind, _, rest = words.partition(" ")
    if kind == "int":
        _need(type(value) is int and _span(rest, value))
        return value
    if kind in ("bin", "str"):
        _need(type(value) is (bytes if kind == "bin" else str) and _span(rest, len(value)))
        return value
    if kind == "list":
        size, _, item = rest.partition(" of ")
        _need(type(value) is list and _span(size, len(value)))
        return tuple(_read(item, each) for each in value)
    if words.startswith("["):
        items = words[1:-1].split(", ")
        _need(type(value) is list and len(value) == len(items))
        return tuple(_read(item, each) for item, each in zip(items, value, strict=True))
    if words in ("Payload", "Opening"):
        return _message(value, _payloads() if words == "Payload" else OPENINGS)
    tag = words if words in WITHOUT_TAG else words.lower()
    return _message(value, (tag,))


def _message(value, tags):
    _need(type(value) is list and bool(value), "not an array")
    if tags[0] in WITHOUT_TAG:
        (tag,), fields = tags, value
    else:
        tag, *fields = value
        _need(type(tag) is str and tag in tags, "not a message that may stand here")
    wanted = _tables()[tag]
    _need(len(fields) == len(wanted), "fields too many or too few")
    read = {name: _read(words, each) for (name, words), each in zip(wanted, fields, strict=True)}
    return Message(tag, read)


def message(octets, *tags, limit=FRAME_MAX):
    """Return the message in these octets, with one of these tags.

    Raise Malformed for another tag, for a wrong field, and for any but the canonical encoding.
    """
    _need(len(octets) <= limit, "too long")
    try:
        value = msgpack.unpackb(octets, raw=False, use_list=True, max_ext_len=0, max_map_len=0)
    except Exception as problem:
        raise Malformed("not msgpack") from problem
    _need(msgpack.packb(value, use_bin_type=True) == octets, "not the shortest encoding")
    return _message(value, tags)


def entry(body, signature):
    """Return the entry with this body and signature; Malformed for a bad body (7.1, 7.2)."""
    return Entry(body, signature, message(body, "Body", limit=BODY_MAX))


HEAD = 8
"""Octets of a frame before its payload."""


def whole_frames(file):
    """Return the payloads of the whole frames, and the offset of any damage after them, or None."""
    found, at = [], 0
    while at < len(file):
        length = int.from_bytes(file[at : at + 4], "big")
        payload = file[at + HEAD : at + HEAD + length]
        is_whole = at + HEAD <= len(file) and 0 < length <= FRAME_MAX and len(payload) == length
        if not is_whole or zlib.crc32(payload) != int.from_bytes(file[at + 4 : at + HEAD], "big"):
            return found, at
        found.append(payload)
        at += HEAD + length
    return found, None


def record(octets):
    """Return the version of an undamaged record, and its frames: tag, body and signature."""
    (first, *rest), damage = whole_frames(octets)
    assert damage is None
    version = message(first, "boneyard-record").version
    read = (message(payload, "entry", "statement") for payload in rest)
    return version, [(each.tag, *pair_of(each.fields[each.tag])) for each in read]


def pair_of(signed):
    """Return the body and the signature of something signed."""
    return signed.body, signed.signature


def mask(seats):
    """Return the mask of some seats (section 2)."""
    octets = bytearray(32)
    for seat in seats:
        octets[seat // 8] |= 1 << seat % 8
    return bytes(octets)


def seats_of(octets):
    """Return the seats of a mask."""
    return frozenset(s for s in range(8 * len(octets)) if octets[s // 8] >> s % 8 & 1)
