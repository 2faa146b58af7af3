"""Structs of the compiled engine: native classes that `unfold` has written out.

Modules that are not compiled keep those of msgspec, and the same functions change both.
"""

from typing import TypeVar

from msgspec import Struct, structs

_T = TypeVar("_T")

__all__ = ["Struct", "asdict", "replace"]


def asdict(value: Struct) -> dict[str, object]:
    """The fields of a struct by name."""
    return {name: getattr(value, name) for name in value.__struct_fields__}


def replace(value: _T, /, **changes: object) -> _T:
    """The struct with these fields changed."""
    if isinstance(value, Struct):
        return structs.replace(value, **changes)
    return type(value)(**asdict(value) | changes)
