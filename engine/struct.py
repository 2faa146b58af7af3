"""Frozen structs, which a game makes by the thousand; one with changes; one as a dictionary.

The compiled engine has a module of its own in this place. [native/engine]
"""

from msgspec import Struct
from msgspec.structs import asdict, replace

__all__ = ["Struct", "asdict", "replace"]
