"""For each verification equation of protocol.md 5, a transcript that satisfies all the others.

A forger answers after learning the challenge and chooses everything else before it. Where a false
statement passes all equations but one, that statement is the forgery; elsewhere a first message is
moved by a point before it is hashed. The plain oracle makes the transcripts and the program judges
them.
"""

from dataclasses import dataclass

from netgame.crypto import audit, blanks, group, hand, handover, keys, masking, rebuild, shuffle
from netgame.crypto.batch import Batch
from netgame.crypto.masking import Masked
from netgame.crypto.sealed import opening_commitment
from tests.netgame.crypto import oracle, oracle_moving
from tests.netgame.crypto.oracle import Q, add, base, combine, hashed, mul, number, tile_point
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, some_point, tile_under

TABLE = dealt()
OFF = some_point("off")
SEAT, POSITIONS = 1, (3, 4, 5)
X_SECRET, X = TABLE.xs[SEAT], TABLE.Xs[SEAT]
RESIDUALS = TABLE.residuals(SEAT, POSITIONS)
HELD = TABLE.held(SEAT, POSITIONS)


def agreed(verify):
    """Return the verdict of `verify`, which takes a batch, or None to check alone.

    Assert that the verdict is the same alone, in an empty batch, and in one with good equations.
    """
    alone = verify(None)
    for others in (0, 2):
        batch = Batch(fixed(f"batch {others}"))
        for each in range(others):
            batch.add(((each + 2, -1), (group.G, group.mul_base(each + 2))))
        assert (verify(batch) and batch.holds()) == alone, f"in a batch with {others} others"
    return alone


@dataclass(frozen=True)
class Forgery:
    """The program's verdict on a transcript, and which of the plain equations hold in it."""

    accepted: bool
    holds: dict[str, bool]

    @property
    def broken(self):
        """Return the names of the equations that do not hold."""
        return tuple(name for name, good in self.holds.items() if not good)


def masked(pairs):
    """Turn pairs of points into the program's masked tiles."""
    return tuple(Masked(*pair) for pair in pairs)


# ---- 5.3 round keys ------------------------------------------------------------------------


def key_opening(*, X, s_of, committed=None):
    """Judge an opening of X with a fixed T; `s_of` computes the answer from the challenge.

    The commitment is to the key `committed`, or to X by default.
    """
    rand, T = bytes(32), base(4711)
    c = number("pop", OTHER_CTX, X, T) % Q
    opening = keys.KeyOpening(X, T, rand, s_of(c) % Q)
    commitment = hashed("key", CTX, committed or X, rand)
    return Forgery(
        keys.verify_key_opening(commitment, CTX, opening, OTHER_CTX),
        oracle.key_equations(commitment, CTX, opening._asdict(), OTHER_CTX),
    )


def honest_key():
    """Open a key honestly: all equations hold."""
    return key_opening(X=X, s_of=lambda c: 4711 + c * X_SECRET)


def rogue_key():
    """Open an X that was chosen to cancel another seat's key.

    The forger knows the secret of the sum of both keys, but not that of X.
    """
    return key_opening(X=add(base(99), oracle.neg(TABLE.Xs[0])), s_of=lambda c: 4711 + c * 99)


def late_key():
    """Open a key whose secret is known, though the commitment is to another key."""
    return key_opening(X=X, s_of=lambda c: 4711 + c * X_SECRET, committed=base(99))


# ---- 5.5 shuffles --------------------------------------------------------------------------

DECK = TABLE.links[0].shuffled[:2]
PSI, RP = (1, 0), (11, 22)
SHUFFLED = oracle.reencrypt(DECK, TABLE.X, PSI, RP)


def shuffled_with(moves):
    """Judge a shuffle of two tiles; `moves` says which first messages are moved by which point.

    The first messages are numbered: 0 to 4 are those in t, and those in t^ follow.
    """

    def bend(t, t_hat):
        firsts = [*t, *t_hat]
        for at, by in moves.items():
            firsts[at] = add(firsts[at], by)
        return firsts[:5], firsts[5:]

    v = oracle.shuffle_values(CTX, TABLE.X, DECK, SHUFFLED, PSI, RP, fixed("forged"), bend)
    names = ("c", "c_hat", "t_hat", "t", "s", "s_hat", "s_prime")
    proof = {name: tuple(v[name]) for name in names}
    link = shuffle.ShuffleLink(CTX, DECK, masked(SHUFFLED), shuffle.ShuffleProof(**proof))
    return Forgery(
        agreed(lambda by: shuffle.verify_shuffles(TABLE.X, (link,), by or fixed("batch")) == ()),
        oracle.shuffle_equations(CTX, TABLE.X, DECK, SHUFFLED, proof),
    )


# ---- 5.6 shares ----------------------------------------------------------------------------

AS = tuple(TABLE.deck[p].A for p in POSITIONS)


def revealed(*, x, key=X, tokens=None, verify=None, As=AS, positions=POSITIONS):
    """Judge a proof, made by the book with x, that `tokens` belong to `key`.

    By default the tokens are those of x.
    """
    v = oracle.reveal_values(x, CTX, positions, As, 808, X=key, tokens=tokens)
    proof = masking.RevealProof(v["T1"], v["T2"], v["s"])
    claim = (v["X"], CTX, positions, As, tuple(v["tokens"]), proof)
    return Forgery(
        verify(*claim) if verify else agreed(lambda by: masking.verify_reveal(*claim, by)),
        oracle.reveal_equations(*claim[:-1], proof._asdict()),
    )


def false_token(at, As=AS):
    """Return the tokens of `As`, but with a false one at index `at`.

    With the false one, the masked tile there would open to a different point.
    """
    tokens = [mul(X_SECRET, A) for A in As]
    tokens[at] = add(tokens[at], tile_point((0, 1)))
    return tuple(tokens)


# ---- 5.7 hands -----------------------------------------------------------------------------


def claimed(*, x=X_SECRET, held=HELD, tiles=TABLE.tiles, residuals=RESIDUALS):
    """Judge a claim about the hand, true or false, that is proved by the book with x and `held`."""
    claim = {"ctx": CTX, "positions": POSITIONS, "residuals": residuals, "tiles": tiles}
    v = oracle.hand_values(**claim, x=x, held=held, nonces=fixed("hand forged"), X=X)
    proof = hand.HandProof(*(v[name] for name in ("T1", "T2", "s")), tuple(v["s_t"]))
    statement = hand.HandStatement(**claim, key=X)
    accepted = agreed(lambda by: hand.verify_hand(statement, proof, by))
    return Forgery(accepted, oracle.hand_equations(**claim, X=X, proof=proof._asdict()))


def hand_of_another_key():
    """Claim a hand whose residuals open to tiles of one's choice under a secret other than X's."""
    other = 31337
    residuals = tuple(tile_under(base(other), r, tile) for r, tile in enumerate(HELD, 7))
    return claimed(x=other, residuals=residuals)


def hand_without_a_tile():
    """Judge a claim that the hand is within a set of tiles although one of its tiles is not."""
    tiles = tuple(tile for tile in TABLE.tiles if tile != HELD[0])
    return claimed(held=HELD[1:], tiles=tiles)


# ---- 5.9 hand-overs ------------------------------------------------------------------------

TAKER = TABLE.Xs[2]


def handed(*, x=X_SECRET, r=77, r_answered=77, tile=None, shift=None, residual=RESIDUALS[0]):
    """Judge a hand-over under C1 = rG, with answers for x and `r_answered`.

    `tile` is added to C2, and `shift` to the first message T3.
    """
    A, B = residual
    C1, C2 = base(r), add(B, mul(-x, A), mul(r_answered, TAKER), tile)
    w, w_r = 111, 222
    T1, T2, T3 = base(w), base(w_r), combine((w, A), (-w_r, TAKER))
    if shift is not None:
        T3 = add(T3, shift)
    c = number("over", CTX, X, TAKER, A, B, C1, C2, T1, T2, T3) % Q
    masked, s, s_r = Masked(C1, C2), (w + c * x) % Q, (w_r + c * r_answered) % Q
    over, said = handover.HandOver(masked, T1, T2, T3, s, s_r), (X, CTX, TAKER, residual)
    return Forgery(
        handover.verify_hand_over(*said, over),
        oracle_moving.hand_over_equations(*said, masked, over._asdict()),
    )


def handed_with_infinity():
    """Return three hand-overs in which all equations hold and one point is O.

    The point is A in the first, whose tile is open, C1 in the second, and C2 in the third.
    """
    A = RESIDUALS[0].A
    cancelled = Masked(A, add(mul(X_SECRET, A), mul(-77, TAKER)))
    open_tile = Masked(None, tile_point((0, 1)))
    return handed(residual=open_tile), handed(r=0, r_answered=0), handed(residual=cancelled)


# ---- rebuilding.md: contributions, blindings ------------------------------------------------

JOINT = add(TABLE.Xs[1], TABLE.Xs[2])
LISTED = TABLE.tiles[:4]
HAND = tuple((r, tile) for r, tile in enumerate(LISTED[1:3], 5))
"""A hand of two listed tiles, masked with r under the seat's own key."""


def rebuilt(*, x=X_SECRET, held=LISTED[1:3], with_hand=True, move=None, chosen_first=False, **more):
    """Judge a contribution to a rebuilt deck that the plain prover makes.

    `move` is the index of the first message to falsify. If `chosen_first`, the challenge is changed
    afterwards, and the first messages are those that the answers then imply.
    """
    residuals = tuple(tile_under(X, *each) for each in (HAND if with_hand else ()))
    claim = (CTX, JOINT, X, POSITIONS[: len(residuals)], residuals, LISTED)
    firsts = []

    def bend(T, link):
        listed = [*T, *link]
        if move is not None:
            listed[move] = add(listed[move], OFF)
        firsts[:] = listed[: len(T)], listed[len(T) :]
        return firsts

    v = oracle_moving.rebuild_values(
        CTX, JOINT, x, *claim[3:], held, fixed("rb"), X=X, bend=bend, **more
    )
    if chosen_first:  # the first messages implied by these answers satisfy everything else
        v["c"] ^= 1
        firsts = oracle_moving.rebuild_firsts(*claim[1:3], residuals, LISTED, v["entries"], v)
    names = ("c", "e0", "z0", "z1", "s_r", "s_x")
    proof = {name: tuple(v[name]) if isinstance(v[name], list) else v[name] for name in names}
    sent = rebuild.Contribution(masked(v["entries"]), **proof)
    return Forgery(
        rebuild.verify_rebuild(rebuild.RebuildStatement(*claim), sent),
        oracle_moving.rebuild_equations(claim, v["entries"], proof, *firsts),
    )


HALVES = (*(each.A for each in DECK), *(each.B for each in DECK))


def blinding(Z, ctx, _positions, _halves, tokens, proof):
    """Return the verdict on a blinding made of Z, these tokens and this proof."""
    entries = tuple(map(Masked, tokens[: len(DECK)], tokens[len(DECK) :]))
    return blanks.verify_blinding(ctx, DECK, blanks.Blinding(Z, entries, proof))


def blinded(**changes):
    """Judge a blinding of two entries: the tokens of their halves, under a key made for it."""
    claim = {"x": X_SECRET, "As": HALVES, "positions": range(len(HALVES)), "verify": blinding}
    return revealed(**(claim | changes))


BLINDED = tuple(each.A for each in blanks.blinded_deck((DECK, DECK[::-1])))


def unblinded(**changes):
    """Judge the shares of all positions of a blinded deck."""
    claim = {"x": X_SECRET, "As": BLINDED, "positions": range(len(BLINDED))}
    return revealed(**(claim | changes))


# ---- 5.8, 4.5 commitments -------------------------------------------------------------------


def key_audit(x):
    """Judge x as the secret of X that is revealed at the end of the round."""
    holds = {"0 < x_k < q": 0 < x < Q, "x_k G = X_k": base(x) == X}
    return Forgery(audit.reveals_key(x, X), holds)


def opening(*, ctx=CTX, said=b"said", secret=bytes(32)):
    """Judge an opening of the commitment to `CTX`, "said" and zeros; a caller may falsify it."""
    commitment = hashed("opening", CTX, b"said", bytes(32))
    good = hashed("opening", ctx, said, secret) == commitment
    return Forgery(
        opening_commitment(ctx, said, secret) == commitment,
        {'H("opening", ctx, said, secret)': good},
    )


def replaced_token_of_o():
    """Judge shares in which one A and its token are O, as for a tile without a mask.

    All equations hold.
    """
    return revealed(
        x=X_SECRET, As=(*AS[:2], None), tokens=(*(mul(X_SECRET, A) for A in AS[:2]), None)
    )
