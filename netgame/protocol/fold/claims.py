"""Shares of tiles as entries carry them, and what they claim [protocol.md §5.6]."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.table.trains import Position
from engine.tiles import Tile
from netgame.crypto.group import decode_points
from netgame.crypto.masking import Masked, decode_reveal_proof, tile_point, unmask, verify_reveal
from netgame.protocol.log.fault import Claim


class Shared(NamedTuple):
    """Ciphertexts at these positions, of which `key` gives its shares in this context."""

    key: bytes
    context: bytes
    positions: Sequence[Position]
    masked: Sequence[Masked]


def share_claims(
    shared: Shared,
    tokens: bytes,
    proof: bytes,
    says: str,
    tiles: Sequence[Tile] = (),
    says_of_tiles: str = "",
) -> tuple[Claim, ...]:
    """That these are the shares of that key and, if tiles are named, that they open as these.

    Raises `Malformed`.
    """
    key, context, positions, masked = shared
    given, proved = decode_points(tokens, len(masked)), decode_reveal_proof(proof)
    firsts, points = [each.A for each in masked], [tile_point(tile) for tile in tiles]

    def opens() -> bool:
        return [unmask(each, token) for each, token in zip(masked, given, strict=True)] == points

    by_key = Claim(lambda _: verify_reveal(key, context, positions, firsts, given, proved), says)
    return (by_key, Claim(lambda _: opens(), says_of_tiles)) if tiles else (by_key,)
