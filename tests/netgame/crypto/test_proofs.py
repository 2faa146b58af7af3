"""What all proofs have in common: they are exactly their octets, and each of those counts.

That the right things are hashed and every equation is checked the vectors and forgeries show.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from netgame.crypto import blanks, group, hand, handover, keys, masking, rebuild, shuffle
from netgame.crypto.masking import Masked
from netgame.errors import Malformed
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips

TABLE = dealt()
SEAT, POSITIONS = 1, (3, 4, 5)
SECRET, X = TABLE.xs[SEAT], TABLE.Xs[SEAT]
RESIDUALS, HELD = TABLE.residuals(SEAT, POSITIONS), TABLE.held(SEAT, POSITIONS)
AS = tuple(TABLE.deck[p].A for p in POSITIONS)
FEW = TABLE.deck[:2]


class Sent(NamedTuple):
    """A proof as its sender has made it, its size in octets, and what its receiver does with it."""

    proof: Any
    size: int
    decode: Callable[[bytes], Any]
    verify: Callable[[Any, bytes], bool]

    @property
    def octets(self) -> bytes:
        """What goes over the wire."""
        if isinstance(self.proof, rebuild.Contribution):
            return rebuild.encode_rebuild(self.proof)
        return group.encode(self.proof)

    def accepts(self, octets: bytes, ctx: bytes = CTX) -> bool:
        """Whether octets from a peer are taken for this proof."""
        try:
            return self.verify(self.decode(octets), ctx)
        except Malformed:
            return False


def key() -> Sent:
    """The opening of a round key."""
    secret = keys.make_round_secret(fixed("round"))
    commitment = keys.key_commitment(OTHER_CTX, secret)
    return Sent(
        keys.open_key(CTX, secret),
        130,
        keys.decode_key_opening,
        lambda sent, ctx: keys.verify_key_opening(commitment, OTHER_CTX, sent, ctx),
    )


def shuffled() -> Sent:
    """A link over two tiles."""
    secret = shuffle.make_shuffle_secret(2, fixed("two"))
    after = shuffle.shuffle(FEW, TABLE.X, secret)

    def verify(sent: shuffle.ShuffleProof, ctx: bytes) -> bool:
        link = shuffle.ShuffleLink(ctx, FEW, after, sent)
        return shuffle.verify_shuffles(TABLE.X, [link], fixed("batch")) == ()

    proof = shuffle.prove_shuffle(CTX, TABLE.X, FEW, after, secret, fixed("w"))
    return Sent(
        proof, 163 * 2 + 293, lambda octets: shuffle.decode_shuffle_proof(octets, 2), verify
    )


def shares() -> Sent:
    """Tokens of three positions."""
    tokens, proof = masking.prove_reveal(SECRET, CTX, POSITIONS, AS, fixed("reveal"))
    return Sent(
        proof,
        98,
        masking.decode_reveal_proof,
        lambda sent, ctx: masking.verify_reveal(X, ctx, POSITIONS, AS, tokens, sent),
    )


def claim(*lines: hand.Line) -> Sent:
    """A claim about the hand, with or without what it adds up to."""

    def statement(ctx: bytes) -> hand.HandStatement:
        return hand.HandStatement(ctx, X, POSITIONS, RESIDUALS, TABLE.tiles, lines=lines)

    proof, n = hand.prove_hand(statement(CTX), SECRET, HELD, fixed("claim")), len(TABLE.tiles)
    return Sent(
        proof,
        98 + 32 * (n + len(lines)),
        lambda octets: hand.decode_hand_proof(octets, n, len(lines)),
        lambda sent, ctx: hand.verify_hand(statement(ctx), sent),
    )


def over() -> Sent:
    """A hidden tile given away."""
    proof = handover.prove_hand_over(SECRET, CTX, RESIDUALS[0], TABLE.Xs[2], fixed("over"))
    return Sent(
        proof,
        229,
        handover.decode_hand_over,
        lambda sent, ctx: handover.verify_hand_over(X, ctx, TABLE.Xs[2], RESIDUALS[0], sent),
    )


def contribution() -> Sent:
    """Entries of a rebuilt deck of three tiles, one of which is held."""
    tiles = tuple(sorted(HELD))

    def statement(ctx: bytes) -> rebuild.RebuildStatement:
        return rebuild.RebuildStatement(ctx, TABLE.X, X, POSITIONS[:1], RESIDUALS[:1], tiles)

    return Sent(
        rebuild.prove_rebuild(statement(CTX), SECRET, HELD[:1], fixed("rebuild")),
        146 * 3 + 80,
        lambda octets: rebuild.decode_rebuild(octets, 3),
        lambda sent, ctx: rebuild.verify_rebuild(statement(ctx), sent),
    )


def blinding() -> Sent:
    """A deck of two entries blinded."""
    return Sent(
        blanks.prove_blinding(CTX, FEW, fixed("blind")),
        66 * 2 + 131,
        lambda octets: blanks.decode_blinding(octets, 2),
        lambda sent, ctx: blanks.verify_blinding(ctx, FEW, sent),
    )


PIPS = hand.Line(tuple(map(sum, TABLE.tiles)), sum(map(sum, HELD)))
MADE = {
    "key": key(),
    "shuffle": shuffled(),
    "shares": shares(),
    "pass": claim(),
    "score": claim(PIPS),
    "hand-over": over(),
    "rebuild": contribution(),
    "blinding": blinding(),
}
every_proof = pytest.mark.parametrize("sent", MADE.values(), ids=MADE)


@every_proof
def test_an_honest_proof_comes_back_as_it_was_and_is_accepted(sent: Sent) -> None:
    """Of exactly its size: with one octet more or less it is none."""
    assert len(sent.octets) == sent.size
    assert sent.decode(sent.octets) == sent.proof
    assert sent.verify(sent.proof, CTX)
    for bad in (b"", sent.octets[:-1], sent.octets + b"\0"):
        with pytest.raises(Malformed):
            sent.decode(bad)


@every_proof
def test_any_flipped_octet_is_refused(sent: Sent) -> None:
    """Every octet of the proof, a different bit each time, and of its place in the log."""
    assert not any(map(sent.accepts, flips(sent.octets)))
    assert not any(sent.accepts(sent.octets, ctx) for ctx in (OTHER_CTX, *flips(CTX, 8)))


@every_proof
def test_lists_of_another_length_and_infinity_are_refused(sent: Sent) -> None:
    """One member less, one more, none at all, or O as one; though none of it would decode."""
    for name, members in sent.proof._asdict().items():
        if not isinstance(members, tuple) or hasattr(members, "_fields"):
            continue
        wrong = [members[:-1], (*members, members[0] if members else 0), ()]
        for other in filter(members.__ne__, wrong):
            assert not sent.verify(sent.proof._replace(**{name: other}), CTX)
        first, *rest = members or (0,)
        if isinstance(first, Masked):
            holes = [first._replace(A=None), first._replace(B=None)]
        else:
            holes = [None] * isinstance(first, bytes)
        for hole in holes:
            assert not sent.verify(sent.proof._replace(**{name: (hole, *rest)}), CTX)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_octets_for_another_number_of_tiles_are_malformed(n: int) -> None:
    """The log says how many there are, and not who sends them."""
    for name, decode in (
        ("shuffle", shuffle.decode_shuffle_proof),
        ("blinding", blanks.decode_blinding),
        ("rebuild", lambda octets, n: rebuild.decode_rebuild(octets, n + 1)),
    ):
        with pytest.raises(Malformed):
            decode(MADE[name].octets, n)


def test_secrets_do_not_print() -> None:
    """Neither a round's key nor a permutation is in the text of what holds it."""
    assert repr(keys.make_round_secret(fixed("round"))) == "RoundSecret()"
    assert repr(shuffle.make_shuffle_secret(3, fixed("repr"))) == "ShuffleSecret()"
