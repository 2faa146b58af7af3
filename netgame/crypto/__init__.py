"""The fair deal: a deck nobody stacks, tiles only their holder sees, claims everybody can check.

    group       points and scalars of secp256k1        transcript  unambiguous hashing
    coin        seats and first player by lot          entropy     octets from a seed
    keys        the keys of a round                    signing     identity keys
    masking     tiles under a joint key                shuffle     shuffles and their proofs
    proofs      tokens that open a tile, proved        hand        claims over a hidden hand
    handover    a hidden tile given away               audit       keys and seeds laid open
    rebuild     a deck without a seat that left        blanks      the places of what is held

Pure: entropy and time are handed in. It knows neither the rules nor the wire; tiles are pairs of
pips. `decode_` raises `Malformed` for a peer's bytes, `verify_` gives a bool and takes anything
that decodes. Formulas and encodings are those of protocol.md 5.
"""
