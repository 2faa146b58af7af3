"""A move that is fixed before anybody shows it (protocol.md 4.5).

    said     the move as octets        secret   32 octets of its seat
    H("opening", ctx, said, secret)    the commitment

Moves can be guessed; the secret cannot.
"""

from netgame.crypto.transcript import Tag, digest


def opening_commitment(ctx: bytes, said: bytes, secret: bytes) -> bytes:
    """Return H("opening", ctx, said, secret): 64 octets."""
    return digest(Tag.OPENING, ctx, said, secret)
