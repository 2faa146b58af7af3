"""Each proof of protocol.md 5 as its vectors use it: made, read from octets, and checked."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from netgame.crypto import blanks, group, hand, handover, keys, masking, rebuild, shuffle
from netgame.crypto.transcript import expand
from tests.tree import VECTORS
from tests.vectors.writing import SEED


@cache
def read(name):
    """Return the contents of a file of vectors."""
    return Case(json.loads((VECTORS / f"{name}.json").read_text(encoding="ascii")))


class Case(dict):
    """A vector. A field read as an attribute is turned from hex into octets by `octets`."""

    def __getattr__(self, name):
        return octets(self[name])


def octets(value):
    """Return hex as octets, also inside lists; None stays None.

    A list of two members becomes a masked tile, and any other list a tuple.
    """
    if isinstance(value, list):
        several = tuple(map(octets, value))
        return masking.Masked(*several) if len(several) == 2 else several
    return bytes.fromhex(value) if value is not None else None


def numbers(values):
    """Turn hex scalars into numbers."""
    return tuple(int(value, 16) for value in values)


def pairs(values):
    """Turn a list into a tuple, and its inner lists, too; leave other members alone."""
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


class Proof(NamedTuple):
    """One proof of a vector, as its sender makes it and its receiver reads and checks it.

    `ctx` is the name of the vector's field with the context that the proof hashes. `is_claim`
    returns True if the claim has a shape that can be proved at all.
    """

    make: Callable[[Case], Any]
    decode: Callable[[Case, bytes], Any]
    verify: Callable[[Case, Any], bool]
    ctx: str = "ctx"
    is_claim: Callable[[Case], bool] | None = None


def encoded(proof):
    """Return the octets of a proof as they go over the wire."""
    is_rebuilt = isinstance(proof, rebuild.Contribution)
    return rebuild.encode_rebuild(proof) if is_rebuilt else group.encode(proof)


def entropy(v, part=""):
    """Return the randomness from which the vector's proof, or a `part` of it, was drawn."""
    return expand(SEED, v["entropy"] + part)


def opened_key(v):
    """Return the vector's key opening, after checking its secret and commitment."""
    secret = keys.make_round_secret(entropy(v))
    assert (secret.x, secret.rand) == (int(v["x"], 16), v.rand)
    assert keys.key_commitment(v.commit_ctx, secret) == v.commitment
    return keys.open_key(v.open_ctx, secret)


def shuffled(v):
    """Return the vector's shuffle proof, after checking its permutation and the shuffled deck."""
    secret = shuffle.make_shuffle_secret(len(v["c"]), entropy(v, "/psi"))
    assert list(secret.permutation) == v["psi"]
    assert shuffle.shuffle(v.deck, v.X, secret) == v.shuffled
    return shuffle.prove_shuffle(v.ctx, v.X, v.deck, v.shuffled, secret, entropy(v, "/proof"))


def is_shuffled(v, proof):
    """Return True if this proof of the vector's shuffle is accepted."""
    link = shuffle.ShuffleLink(v.ctx, v.deck, v.shuffled, proof)
    return shuffle.verify_shuffles(v.X, [link], expand(SEED, "batch")) == ()


def revealed(v):
    """Return the proof of the vector's tokens, after checking the tokens."""
    made = masking.prove_reveal(int(v["x"], 16), v.ctx, pairs(v["positions"]), v.As, entropy(v))
    assert made[0] == v.tokens
    return made[1]


def handed_over(v):
    """Return the vector's hand-over, after checking that its receiver can read the tile."""
    over = handover.prove_hand_over(int(v["x"], 16), v.ctx, v.residual, v.Y, entropy(v))
    token = masking.reveal_token(int(v["y"], 16), over.masked.A)
    assert masking.unmask(over.masked, token) == masking.tile_point(tuple(v["tile"]))
    return over


def claim(v):
    """Return the vector's claim about a hidden hand."""
    at = (v.ctx, v.X, tuple(v["positions"]), v.residuals, pairs(v["tiles"]))
    return hand.HandStatement(*at)


def rebuilding(v):
    """Return the vector's claim about a contribution to a rebuilt deck."""
    at = (v.ctx, v.joint, v.X, pairs(v["positions"]), v.residuals, pairs(v["tiles"]))
    return rebuild.RebuildStatement(*at)


SHUFFLES = Proof(
    shuffled, lambda v, sent: shuffle.decode_shuffle_proof(sent, len(v["c"])), is_shuffled
)
PROOFS = {
    "keys": Proof(
        opened_key,
        lambda _, sent: keys.decode_key_opening(sent),
        lambda v, sent: keys.verify_key_opening(v.commitment, v.commit_ctx, sent, v.open_ctx),
        "open_ctx",
    ),
    "shuffle": SHUFFLES,
    "moving": SHUFFLES,
    "reveal": Proof(
        revealed,
        lambda _, sent: masking.decode_reveal_proof(sent),
        lambda v, sent: masking.verify_reveal(
            v.X, v.ctx, pairs(v["positions"]), v.As, v.tokens, sent
        ),
    ),
    "handover": Proof(
        handed_over,
        lambda _, sent: handover.decode_hand_over(sent),
        lambda v, sent: handover.verify_hand_over(v.X, v.ctx, v.Y, v.residual, sent),
    ),
    "hand": Proof(
        lambda v: hand.prove_hand(claim(v), int(v["x"], 16), pairs(v["held"]), entropy(v)),
        lambda v, sent: hand.decode_hand_proof(sent, len(v["tiles"])),
        lambda v, sent: hand.verify_hand(claim(v), sent),
        is_claim=lambda v: hand.is_provable(claim(v)),
    ),
    "rebuild": Proof(
        lambda v: rebuild.prove_rebuild(
            rebuilding(v), int(v["x"], 16), pairs(v["held"]), entropy(v)
        ),
        lambda v, sent: rebuild.decode_rebuild(sent, len(v["tiles"])),
        lambda v, sent: rebuild.verify_rebuild(rebuilding(v), sent),
        is_claim=lambda v: rebuild.is_rebuildable(rebuilding(v)),
    ),
    "leave": Proof(
        lambda v: blanks.prove_blinding(v.ctx, v.deck, entropy(v)),
        lambda v, sent: blanks.decode_blinding(sent, len(v["deck"])),
        lambda v, sent: blanks.verify_blinding(v.ctx, v.deck, sent),
    ),
}
"""Each proof, by the file of its vectors."""
