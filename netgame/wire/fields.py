"""The types of message fields: octets, numbers and words, each with its limits.

A point always takes 33 octets, a scalar 32, a digest 64, a key 32 and a signature 64. A field of a
type called `Maybe…` is empty if there is no value.
"""

import re
from typing import Annotated, Final, dataclass_transform

import msgspec
from msgspec import Meta

from netgame import limits

CHAIR: Final = 255
"""The author number of the host while it chairs the lobby; seats count from 0."""

Version = Annotated[int, Meta(ge=0, le=65_535)]
Key = Annotated[bytes, Meta(min_length=32, max_length=32)]
MaybeOctets32 = Annotated[bytes, Meta(max_length=32)]
Octets32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
Digest = Annotated[bytes, Meta(min_length=64, max_length=64)]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
TableName = Annotated[bytes, Meta(max_length=64)]
PointOctets = Annotated[bytes, Meta(min_length=33, max_length=33)]
MaybePointOctets = Annotated[bytes, Meta(max_length=33)]
EqualityProof = Annotated[bytes, Meta(min_length=98, max_length=98)]
MaybeEqualityProof = Annotated[bytes, Meta(max_length=98)]
Tokens = Annotated[bytes, Meta(max_length=190 * 33)]
HandProof = Annotated[bytes, Meta(max_length=98 + 190 * 32)]
Request = Annotated[bytes, Meta(max_length=1_024)]
Blob = Annotated[bytes, Meta(max_length=limits.ENTRY_BYTES_MAX)]
Mask = Annotated[bytes, Meta(max_length=32)]
Word = Annotated[str, Meta(max_length=32)]
Name = Annotated[str, Meta(max_length=64)]
ShortText = Annotated[str, Meta(max_length=200)]
Step = Annotated[int, Meta(ge=0, le=limits.LOG_STEPS_MAX)]
Author = Annotated[int, Meta(ge=0, le=CHAIR)]
Poll = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Number = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Seats = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""A set of seats, as the sum of 2 ** s for each seat s in it."""
Pip = Annotated[int, Meta(ge=0, le=18)]
Round = Annotated[int, Meta(ge=0, le=99)]
Tile = tuple[Pip, Pip]
SeatNumber = Annotated[int, Meta(ge=0, le=limits.SEATS_MAX - 1)]
TrainNumber = Annotated[int, Meta(ge=-16, le=limits.SEATS_MAX)]
LayNumber = Annotated[int, Meta(ge=-1, le=400)]
PositionNumber = Annotated[int, Meta(ge=0, le=65_535)]
Address = Annotated[str, Meta(max_length=limits.ADDRESS_CHARS_MAX)]
Score = Annotated[int, Meta(ge=0, le=65_535)]
StreamNumber = Annotated[int, Meta(ge=0, le=65_535)]


@dataclass_transform(frozen_default=True)
class Array(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """A frozen value, encoded as a msgpack array of its fields in order.

    An array does not decode as this type if it has more members than fields, if it lacks a field
    that has no default, or if a field is outside its limits. Limits are checked only on decoding,
    not when a value is made or encoded.
    """


def _tag(name: str) -> str:
    """Return the default tag of a class: its name in lower case, with a dash between words."""
    return re.sub("(?<=.)(?=[A-Z])", "-", name).lower()


class Message(Array, tag=_tag):
    """An `Array` that starts with a tag, before its fields.

    A class may set the tag itself; otherwise `_tag` derives it from the name of the class.
    """
