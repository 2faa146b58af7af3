"""Encodes messages and decodes them, refusing octets that are not canonical.

msgspec decodes into the typed structs of `messages`, which bounds every length and depth, but it
also accepts integers that are longer than necessary. So a second, independent codec (`msgpack`)
must produce the same octets from the decoded value. Signatures and digests always cover the octets
received, never a re-encoding [protocol.md §3].
"""

from functools import cache
from types import UnionType
from typing import Any, TypeVar, cast

import msgpack
import msgspec

from netgame.errors import Malformed
from netgame.limits import FRAME_BYTES_MAX

T = TypeVar("T")
_ENCODER = msgspec.msgpack.Encoder()


def encode(message: msgspec.Struct) -> bytes:
    """Return the canonical encoding of `message`; the limits of its fields are not checked."""
    return _ENCODER.encode(message)


def decode(octets: bytes, kind: type[T], limit: int = FRAME_BYTES_MAX) -> T:
    """Decode `octets`, which may be hostile, as a message of the type `kind`.

    Raises `Malformed` if there are more than `limit` octets, or if they are not the canonical
    encoding of such a message.
    """
    return cast("T", decode_any(octets, kind, limit))


def decode_any(octets: bytes, kinds: UnionType | type, limit: int = FRAME_BYTES_MAX) -> Any:  # noqa: ANN401
    """Decode `octets` like `decode`, but as a message of any type of the union `kinds`."""
    if len(octets) > limit:
        raise Malformed(f"{len(octets)} octets where {limit} are the most")
    try:
        message = _decoder(kinds).decode(octets)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        # The codec's own words may quote what it read, escape codes and all.
        raise Malformed("not a message of this protocol") from None
    if _ENCODER.encode(message) != octets or not _is_canonical(octets):
        raise Malformed("not the canonical encoding of this message")
    return message


@cache
def _decoder(kinds: UnionType | type) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kinds)


def _is_canonical(octets: bytes) -> bool:
    """Return True if the second codec decodes and encodes the octets without changing them.

    The first codec must already have decoded them, which bounds their lengths and depth.
    """
    try:
        return cast("bytes", msgpack.packb(msgpack.unpackb(octets))) == octets
    except ValueError:
        return False
