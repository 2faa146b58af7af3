"""Functions that change one field of a wire message, keeping its type where possible.

Points are changed as points: swapped, repeated, negated or zeroed. The result may be impossible to
decode.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from lab.fuzzing.mutation import mutated
from netgame.wire.statements import Ballot

T = TypeVar("T")

POINT_BYTES: Final = 33
_WORDS: Final = ("lay", "draw", "pass", "hub", "", "chain", "none", "mark", "pull-back")
_ITEMS: Final = (((0, 0),), ((0, 0, 1),), (0,), ("x=y",))
"""Items that an empty list may get."""


def changed(chance: Random, value: T, names: Sequence[bytes] = ()) -> T:
    """Return the value with one random part of it changed.

    If there are `names`, octets are replaced by one of them or by a made-up value.
    """
    return _changed(chance, value, names)  # type: ignore[no-any-return]


def _changed(chance: Random, value: Any, names: Sequence[bytes]) -> Any:  # noqa: ANN401 - one branch a type
    match value:
        case bool():
            return not value
        case int():
            near = (value + 1, value - 1, value ^ 1, max(0, value - 1))
            far = (chance.randrange(19), 99, 2**32 - 1, chance.getrandbits(32))
            return chance.choice((*near, 0, 1, *far))
        case bytes() if names:
            return chance.choice([chance.randbytes(64), bytes(64), b"", *names])
        case bytes():
            return _changed_octets(chance, value)
        case str():
            return chance.choice((value[:-1], value[::-1], value + "-back", *_WORDS))
        case Ballot(counter, owner):
            return Ballot(_changed(chance, counter, ()), chance.choice((owner, 0, 1, 31)))
        case tuple():
            return _changed_list(chance, value, names)
        case msgspec.Struct() if value.__struct_fields__:
            name = chance.choice(value.__struct_fields__)
            return replace(value, **{name: _changed(chance, getattr(value, name), names)})
        case _:
            return value


def _changed_octets(chance: Random, octets: bytes) -> bytes:
    """Return the octets with points swapped, repeated, negated or zeroed, or mutated at random."""
    size = len(octets)
    if size < 2 * POINT_BYTES or chance.random() < 0.4:
        return mutated(chance, (octets,))[: size + 66]
    one, other = (POINT_BYTES * chance.randrange(size // POINT_BYTES) for _ in range(2))
    changed = bytearray(octets)
    here, there = slice(one, one + POINT_BYTES), slice(other, other + POINT_BYTES)
    match chance.randrange(5):
        case 0:
            changed[here], changed[there] = octets[there], octets[here]
        case 1:
            changed[here] = octets[there]
        case 2:
            changed[one] ^= 1
        case 3:
            changed[here] = bytes(POINT_BYTES)
        case _:
            changed[-1] ^= 1
    return bytes(changed)[:size]


def _changed_list(chance: Random, values: tuple[Any, ...], names: Sequence[bytes]) -> Any:  # noqa: ANN401
    """Return the list reversed, or with one item removed, changed, or repeated at the end.

    An empty list gets an item.
    """
    if not values:
        return chance.choice(_ITEMS)
    at = chance.randrange(len(values))
    before, after = values[:at], values[at + 1 :]
    match chance.randrange(4):
        case 0:
            return (*before, *after)
        case 1:
            return (*values, values[at])
        case 2:
            return values[::-1]
        case _:
            return (*before, _changed(chance, values[at], names), *after)
