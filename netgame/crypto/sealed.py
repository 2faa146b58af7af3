"""The commitment to a move, made before any seat shows its move (protocol.md 4.5).

    said     the move as octets        secret   32 octets of its seat
    H("opening", ctx, said, secret)    the commitment

Without the secret, anybody could find the move by trying all moves.
"""

from netgame.crypto.transcript import Tag, digest


def opening_commitment(ctx: bytes, said: bytes, secret: bytes) -> bytes:
    """Return the commitment H("opening", ctx, said, secret): 64 octets."""
    return digest(Tag.OPENING, ctx, said, secret)
