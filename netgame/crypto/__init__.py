"""The fair deal: a deck nobody stacks, tiles only their holder sees, claims all can check.

    group       points and scalars of secp256k1        transcript  hashing and streams from it
    curve       the library behind it                  ciphers     and its like for channels
    coin        seats and first player by lot          signing     identity keys
    keys        the keys of a round                    sealed      moves fixed before they are shown
    masking     tiles under a joint key, and tokens    shuffle     shuffles and their proofs
    handover    a hidden tile given away               hand        claims over a hidden hand
    rebuild     a deck without a seat that left
    blanks      finding held tiles in a new deck       buckets     large sums of public points
    audit       keys laid open                         batch       many proofs checked at once

Pure: entropy and time are handed in. The package knows neither the rules nor the wire; tiles are
pairs of pips. Each `decode_` reads a peer's bytes and raises `Malformed`; each `verify_` takes
anything that decodes and says whether it holds, `verify_shuffles` which do not. One that is given a
`batch` only adds its equations there. Formulas and encodings are those of protocol.md 5.
"""
