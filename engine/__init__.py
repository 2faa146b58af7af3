"""The rulebook of Mexican Train: pure values in, pure values out.

A `Table` is everything the seats can see; a `Move` is what one seat wants to do. `why_illegal`
judges a move, `apply` carries it out, and the same two serve the network game, the referee of games
written down by hand, and the bots. The engine knows tables and moves. It does not know people,
bytes, clocks, chance, proofs or sentences.

    tiles <- rules <- table <- scoring <- play <- knowledge <- view, audit <- notation | bots

Where the optional wheel of `native/engine` is installed, the modules are taken from it: the same
sources, compiled. A wheel that was built from other sources than those here is ignored.
"""

from pathlib import Path


def sources_digest() -> str:
    """Return the SHA-256, in hex, of all `.py` files of this package, one after another by path.

    The compiled engine keeps the digest of the sources that it was made of, to be compared with
    this.
    """
    from hashlib import sha256

    octets = [path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py"))]
    return sha256(b"".join(octets)).hexdigest()


try:
    import boneyard_engine
except ModuleNotFoundError:
    pass
else:
    if sources_digest() == boneyard_engine.MADE_OF:
        __path__[:] = boneyard_engine.__path__
