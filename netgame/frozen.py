"""The base class of most values in this package."""

from typing import dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class FrozenStruct(Struct, frozen=True):
    """A value that never changes; two of one type with equal fields are equal.

    They also hash alike, provided that their fields can be hashed.
    """
