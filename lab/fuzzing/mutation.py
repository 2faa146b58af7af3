"""Seeded mutations of valid octets and texts.

Input number `index` of a part follows from seed, part and index alone, so any of them can be made
again without the ones before it.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

_CHANGES_MAX: Final = 4
_BYTES_MAX: Final = 4_096
"""Longer pieces are not doubled: sizes are bounded by their readers, which other inputs show."""

_EDGES: Final = (0x00, 0x01, 0x7F, 0x80, 0x90, 0xC0, 0xC1, 0xC4, 0xC6, 0xCF, 0xD9, 0xDD, 0xFF)
"""Octets at which lengths, signs and msgpack's types change."""

_ODD_TEXT: Final = (
    "\x00", "\x1b[2J", "\x9b", "\r\n", "\t", "\u202e", "\u2066", "\u200b", "\ufeff", "\u0301" * 8,
    "\u2028", "é", "ß", "İ", "名", "🏳️", "\U000e0001", "\udc80", "٣", "²", "Ⅷ", "=", "-", "|", "#",
    "[", "]", '"', "'", "\\", "9" * 40, "-1", "0x10", "1e999", " ", "a" * 300,
)  # fmt: skip


def chance_for(seed: int, part: str, index: int) -> Random:
    """Return the source of everything random about one input."""
    return Random(f"{seed}/{part}/{index}")


def mutated(chance: Random, samples: Sequence[bytes]) -> bytes:
    """Return a sample with a few changes; seldom none, so that what is valid stays so."""
    octets = bytearray(chance.choice(samples))
    for _ in range(chance.randrange(_CHANGES_MAX + 1)):
        chance.choice(_CHANGES)(chance, octets, samples)
    return bytes(octets)


def mutated_text(chance: Random, samples: Sequence[str]) -> str:
    """Return a sample with a few changes to its characters, or to its octets."""
    if chance.random() < 0.3:
        octets = mutated(chance, [sample.encode(errors="surrogatepass") for sample in samples])
        return octets.decode(errors="replace")
    text = chance.choice(samples)
    for _ in range(chance.randrange(_CHANGES_MAX + 1)):
        at, end = _span(chance, len(text))
        new = chance.choice((chance.choice(_ODD_TEXT), chance.choice(samples), text[at:end], ""))
        text = text[:at] + new[:_BYTES_MAX] + text[chance.choice((at, end)) :]
    return text


def _span(chance: Random, length: int) -> tuple[int, int]:
    at = chance.randrange(length + 1)
    return at, min(length, at + chance.choice((1, 1, 2, 4, 8, 33, 64)))


def _flip(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    if octets:
        octets[chance.randrange(len(octets))] ^= 1 << chance.randrange(8)


def _edge(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    if octets:
        octets[chance.randrange(len(octets))] = chance.choice(_EDGES)


def _number(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    """Overwrite a few octets with one large or small number."""
    at, end = _span(chance, len(octets))
    octets[at:end] = bytes([chance.choice((0x00, 0xFF, 0x7F))]) * (end - at)


def _cut(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    del octets[chance.randrange(len(octets) + 1) :]


def _leave_out(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    at, end = _span(chance, len(octets))
    del octets[at:end]


def _repeat(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    at, end = _span(chance, len(octets))
    octets[at:at] = octets[at:end] * chance.choice((1, 1, 2, 16))


def _noise(chance: Random, octets: bytearray, _samples: Sequence[bytes]) -> None:
    at, end = _span(chance, len(octets))
    octets[at : chance.choice((at, end))] = chance.randbytes(chance.choice((1, 2, 4, 33)))


def _splice(chance: Random, octets: bytearray, samples: Sequence[bytes]) -> None:
    """Go on with another sample from somewhere."""
    other = chance.choice(samples)
    octets[chance.randrange(len(octets) + 1) :] = other[chance.randrange(len(other) + 1) :]


_CHANGES: Final[tuple[Callable[[Random, bytearray, Sequence[bytes]], None], ...]] = (
    _flip, _flip, _edge, _number, _cut, _leave_out, _repeat, _noise, _splice,
)  # fmt: skip
