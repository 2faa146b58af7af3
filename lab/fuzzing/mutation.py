"""Seeded mutations of valid octets and texts.

Input number `index` of a part depends on seed, part and index alone, so any input can be repeated
without those before it.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

_CHANGES_MAX: Final = 4
_BYTES_MAX: Final = 4_096
"""Inserted text is cut to this length: readers bound their input, and other parts test that."""

_EDGES: Final = (0x00, 0x01, 0x7F, 0x80, 0x90, 0xC0, 0xC1, 0xC4, 0xC6, 0xCF, 0xD9, 0xDD, 0xFF)
"""Octets at which lengths, signs and msgpack's types change."""

_ODD_TEXT: Final = (
    "\x00", "\x1b[2J", "\x9b", "\r\n", "\t", "\u202e", "\u2066", "\u200b", "\ufeff", "\u0301" * 8,
    "\u2028", "é", "ß", "İ", "名", "🏳️", "\U000e0001", "\udc80", "٣", "²", "Ⅷ", "=", "-", "|", "#",
    "[", "]", '"', "'", "\\", "9" * 40, "-1", "0x10", "1e999", " ", "a" * 300,
)  # fmt: skip


def chance_for(seed: int, part: str, index: int) -> Random:
    """Return the generator from which all random choices for one input are made."""
    return Random(f"{seed}/{part}/{index}")


def mutated(chance: Random, samples: Sequence[bytes]) -> bytes:
    """Return a sample after 0 to `_CHANGES_MAX` changes; after 0 it is still valid."""
    octets = bytearray(chance.choice(samples))
    for _ in range(chance.randrange(_CHANGES_MAX + 1)):
        _change(chance, octets, samples)
    return bytes(octets)


def mutated_text(chance: Random, samples: Sequence[str]) -> str:
    """Return a sample with a few of its characters or octets changed."""
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


_CHANGES: Final = (
    "flip", "flip", "edge", "number", "cut", "leave out", "repeat", "noise", "splice",
)  # fmt: skip


def _change(chance: Random, octets: bytearray, samples: Sequence[bytes]) -> None:
    """Make one change at a random place."""
    match chance.choice(_CHANGES):
        case "flip":
            if octets:
                octets[chance.randrange(len(octets))] ^= 1 << chance.randrange(8)
        case "edge":
            if octets:
                octets[chance.randrange(len(octets))] = chance.choice(_EDGES)
        case "cut":
            del octets[chance.randrange(len(octets) + 1) :]
        case "splice":  # continue with a random tail of another sample
            other = chance.choice(samples)
            octets[chance.randrange(len(octets) + 1) :] = other[chance.randrange(len(other) + 1) :]
        case how:
            _change_span(chance, octets, how, *_span(chance, len(octets)))


def _change_span(chance: Random, octets: bytearray, how: str, at: int, end: int) -> None:
    match how:
        case "number":  # overwrite the span with one repeated octet
            octets[at:end] = bytes([chance.choice((0x00, 0xFF, 0x7F))]) * (end - at)
        case "leave out":
            del octets[at:end]
        case "repeat":
            octets[at:at] = octets[at:end] * chance.choice((1, 1, 2, 16))
        case _:
            octets[at : chance.choice((at, end))] = chance.randbytes(chance.choice((1, 2, 4, 33)))
