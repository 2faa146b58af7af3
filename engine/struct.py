"""Frozen structs, which a game makes by the thousand, with `replace` and `asdict`.

The compiled engine has a module of its own in place of this one. [native/engine]
"""

from msgspec import Struct
from msgspec.structs import asdict, replace

__all__ = ["Struct", "asdict", "replace"]
