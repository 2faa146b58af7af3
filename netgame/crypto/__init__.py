"""The fair deal: nobody stacks the deck, only the holder sees a tile, and all can check claims.

    group       points and scalars of secp256k1        transcript  hashing and streams from it
    curve       the library behind it                  ciphers     the library for channels and keys
    coin        seats and first player by lot          signing     identity keys
    keys        the keys of a round                    sealed      moves fixed before they are shown
    masking     tiles under a joint key, and tokens    shuffle     shuffles and their proofs
    handover    a hidden tile given away               hand        claims over a hidden hand
    noise       the handshake of a channel             rebuild     a deck without a seat that left
    blanks      finding held tiles in a new deck       buckets     large sums of public points
    audit       keys laid open                         batch       many proofs checked at once

Everything here is pure: callers supply entropy and time. The package knows neither the rules nor
the wire; tiles are pairs of pips. Each `decode_` reads a peer's octets and raises `Malformed`. Each
`verify_` takes anything that decodes and returns True if its proof holds; `verify_shuffles` returns
the links whose proof does not. With a `Batch` a `verify_` only adds its equations to it.
protocol.md 5 has the formulas and encodings.
"""
