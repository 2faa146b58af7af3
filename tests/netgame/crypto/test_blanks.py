"""After a rebuild: where the blanks are shows, and no tile does. And a seat that leaves openly."""

from dataclasses import dataclass
from functools import cache

import pytest

from netgame.crypto import audit, blanks, group
from netgame.crypto.blanks import Blinding, blinded_deck, find_blanks, verify_blinding
from netgame.crypto.group import Q, add, mul, mul_base, neg, require_point
from netgame.crypto.keys import joint_key
from netgame.crypto.masking import (
    Masked,
    mixed_deck,
    prove_reveal,
    residual,
    reveal_token,
    tile_point,
    tile_points,
    unmask,
    verify_reveal,
)
from netgame.crypto.rebuild import RebuildStatement, prove_rebuild, rebuilt_deck, verify_rebuild
from netgame.crypto.shuffle import (
    ShuffleLink,
    make_shuffle_secret,
    prove_shuffle,
    shuffle,
    verify_shuffles,
)
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto.table import (
    CTX,
    OTHER_CTX,
    dealt,
    fixed,
    flips,
    opened_hand,
    some_point,
    without_key,
)

TABLE = dealt()
STAYERS = (1, 2)
HANDS = {1: (3, 4, 5), 2: (6, 7)}
XS = tuple(TABLE.xs[k] for k in STAYERS)
JOINT = require_point(add(*(TABLE.Xs[k] for k in STAYERS)))
HELD = tuple(tile for k in STAYERS for tile in TABLE.held(k, HANDS[k]))


def mixed(deck, joint, seats, label):
    """Shuffle a deck by each of `seats`, proved and checked; give the last deck."""
    links = []
    for k in seats:
        secret = make_shuffle_secret(len(deck), fixed(label, k))
        after = shuffle(deck, joint, secret)
        proof = prove_shuffle(CTX, joint, deck, after, secret, fixed(label, "proof", k))
        links.append(ShuffleLink(CTX, deck, after, proof))
        deck = after
    assert verify_shuffles(joint, links, fixed("batch")) == ()
    return deck


@dataclass(frozen=True)
class Rebuilt:
    """A deck after seat 0 has left: shuffled, blinded, shares given."""

    deck: tuple
    blindings: tuple
    blinded: tuple
    tokens: tuple


@cache
def rebuilt():
    """Play the whole recovery of a table of three that lost one."""
    contributions = []
    for k in STAYERS:
        hand = HANDS[k]
        claim = RebuildStatement(
            CTX, JOINT, TABLE.Xs[k], hand, TABLE.residuals(k, hand), TABLE.tiles
        )
        sent = prove_rebuild(claim, TABLE.xs[k], TABLE.held(k, hand), fixed("rebuild", k))
        assert verify_rebuild(claim, sent)
        contributions.append(sent.entries)
    deck = mixed(rebuilt_deck(TABLE.tiles, contributions), JOINT, STAYERS, "rebuilt")
    made = tuple(blanks.prove_blinding(bytes([k]) * 64, deck, fixed("z", k)) for k in STAYERS)
    blinded = blinded_deck([blinding.entries for blinding in made])
    As = [masked.A for masked in blinded]
    tokens = []
    for k in STAYERS:
        shares, proof = prove_reveal(TABLE.xs[k], OTHER_CTX, range(len(As)), As, fixed("zA", k))
        assert verify_reveal(TABLE.Xs[k], OTHER_CTX, range(len(As)), As, shares, proof)
        tokens.append(shares)
    return Rebuilt(deck, made, blinded, tuple(tokens))


DECK = rebuilt().deck
BLINDING, BLIND_CTX = rebuilt().blindings[0], bytes([1]) * 64
SENT = group.encode(BLINDING)


def test_the_blanks_are_found_and_nothing_else():
    """As many as the stayers hold; the other places open to every tile nobody holds."""
    table = rebuilt()
    found = find_blanks(table.blinded, table.tokens, len(HELD))
    points = audit.open_points(DECK, XS)
    assert found == tuple(place for place, point in enumerate(points) if point is None)
    left = {point for point in points if point is not None}
    assert left == {tile_point(tile) for tile in TABLE.tiles if tile not in HELD}


def test_no_tile_shows_while_blanks_are_looked_for():
    """What is left of a blinded tile is no tile's point, and no share is one of the deck."""
    table = rebuilt()
    shares = zip(*table.tokens, strict=True)
    left = [residual(m, ds).B for m, ds in zip(table.blinded, shares, strict=True)]
    seen = [point for point in left if point is not None]
    assert len(set(seen)) == len(seen) == len(TABLE.tiles) - len(HELD)
    assert not set(seen) & set(tile_points(TABLE.tiles))
    tokens = [[reveal_token(x, m.A) for m in DECK] for x in XS]
    assert not {t for row in tokens for t in row} & {t for row in table.tokens for t in row}


def test_hands_are_drawn_from_the_rebuilt_deck_as_before():
    """A place that is no blank is drawn with the shares of those who stay."""
    table = rebuilt()
    found = find_blanks(table.blinded, table.tokens, len(HELD))
    place = next(p for p in range(len(DECK)) if p not in found)
    left = residual(DECK[place], [reveal_token(XS[1], DECK[place].A)])
    tile = tile_points(TABLE.tiles)[unmask(left, reveal_token(XS[0], left.A))]
    assert tile not in HELD


def test_another_number_of_blanks_voids_the_round():
    """One more or fewer than the hands hold: the round is void."""
    table = rebuilt()
    for held in (0, len(HELD) - 1, len(HELD) + 1):
        assert find_blanks(table.blinded, table.tokens, held) is None
    short = [table.tokens[0]]
    assert find_blanks(table.blinded, short, len(HELD)) is None


def test_an_honest_blinding_is_accepted():
    """Sent and received: 66 octets an entry and 131."""
    n = len(DECK)
    assert len(SENT) == 66 * n + 131
    assert blanks.decode_blinding(SENT, n) == BLINDING
    for k, blinding in zip(STAYERS, rebuilt().blindings, strict=True):
        assert verify_blinding(bytes([k]) * 64, DECK, blinding)


def received(octets, ctx=BLIND_CTX, deck=DECK):
    """Whether octets from a peer are accepted."""
    try:
        blinding = blanks.decode_blinding(octets, len(deck))
    except Malformed:
        return False
    return verify_blinding(ctx, deck, blinding)


def test_any_flipped_octet_is_refused():
    """Z, entries and proof, for two entries; and every part of the statement."""
    deck = DECK[:2]
    sent = group.encode(blanks.prove_blinding(BLIND_CTX, deck, fixed("two")))
    assert received(sent, deck=deck)
    assert not any(received(bad, deck=deck) for bad in flips(sent))
    assert not received(sent[:-1], deck=deck)
    assert not received(sent + b"\x00", deck=deck)
    assert not any(received(sent, ctx=bad, deck=deck) for bad in flips(BLIND_CTX, 8))
    assert not received(sent, deck=deck[::-1])
    assert not received(sent, deck=(Masked(neg(deck[0].A), deck[0].B), deck[1]))
    assert not received(sent, deck=(Masked(deck[0].A, neg(deck[0].B)), deck[1]))


def test_replayed_blinding_is_refused():
    """Another seat's, or one's own of another step."""
    assert not verify_blinding(BLIND_CTX, DECK, rebuilt().blindings[1])
    assert not verify_blinding(OTHER_CTX, DECK, BLINDING)


def test_one_factor_for_all_halves():
    """Another factor for one tile, or for all second halves, would make or hide a blank."""
    first, *rest = BLINDING.entries
    other = Masked(mul(5, DECK[0].A), mul(5, DECK[0].B))
    halves = tuple(Masked(m.A, mul(2, m.B)) for m in BLINDING.entries)
    swapped = tuple(Masked(m.B, m.A) for m in BLINDING.entries)
    for entries in ((other, *rest), halves, swapped, (rest[0], first, *rest[1:])):
        assert not verify_blinding(BLIND_CTX, DECK, BLINDING._replace(entries=entries))
    for Z in (neg(BLINDING.Z), rebuilt().blindings[1].Z):
        assert not verify_blinding(BLIND_CTX, DECK, BLINDING._replace(Z=Z))


def test_cancelling_anothers_factor_is_refused():
    """Who could send c - z of an honest z would make it c and read every tile: needs a proof."""
    c = 7
    victim = rebuilt().blindings[1]
    entries = tuple(
        Masked(add(mul(c, d.A), neg(v.A)), add(mul(c, d.B), neg(v.B)))
        for d, v in zip(DECK, victim.entries, strict=True)
    )
    assert blinded_deck([entries, victim.entries])[0] == Masked(
        mul(c, DECK[0].A), mul(c, DECK[0].B)
    )
    Z = add(mul_base(c), neg(victim.Z))
    assert not verify_blinding(BLIND_CTX, DECK, Blinding(Z, entries, victim.proof))
    assert not verify_blinding(BLIND_CTX, DECK, Blinding(Z, entries, BLINDING.proof))


def test_factors_that_cancel_are_noticed():
    """If all factors add up to zero every place would look blank: start again."""
    entries = BLINDING.entries
    negated = tuple(Masked(neg(m.A), neg(m.B)) for m in entries)
    assert blinded_deck([entries, negated]) is None
    assert blinded_deck([entries, entries]) is not None


def test_infinity_and_odd_lengths_are_refused():
    """O is blinded to O whatever the factor, and no entry may be missing."""
    first, *rest = BLINDING.entries
    for hole in (Masked(None, first.B), Masked(first.A, None)):
        assert not verify_blinding(BLIND_CTX, DECK, BLINDING._replace(entries=(hole, *rest)))
    assert not verify_blinding(BLIND_CTX, DECK, BLINDING._replace(entries=tuple(rest)))
    assert not verify_blinding(BLIND_CTX, (), BLINDING._replace(entries=()))
    for deck in ((), (Masked(None, some_point()),), (Masked(some_point(), None),)):
        with pytest.raises(LocalMisuse):
            blanks.prove_blinding(CTX, deck, fixed("hole"))


def test_a_second_blinding_uses_another_factor():
    """Even with entropy that repeats: by context and by deck."""
    made = [
        blanks.prove_blinding(ctx, deck, lambda n: bytes(n))
        for ctx, deck in ((CTX, DECK[:2]), (OTHER_CTX, DECK[:2]), (CTX, DECK[1:3]))
    ]
    assert len({blinding.Z for blinding in made}) == 3
    assert len({blinding.proof.T1 for blinding in made}) == 3


@pytest.mark.parametrize("n", [0, 9, 11])
def test_octets_of_another_length_are_malformed(n):
    """66 N + 131 octets, no others, and none for an empty deck."""
    with pytest.raises(Malformed):
        blanks.decode_blinding(SENT, n)
    with pytest.raises(Malformed):
        blanks.decode_blinding(bytes(131), 0)


# ---- a seat that leaves openly ----

LEAVER = 0
X_LEFT = TABLE.xs[LEAVER]
HAND_LEFT, UNDRAWN = TABLE.held(LEAVER, (0, 1)), TABLE.deck[8:]


def test_a_leaver_takes_its_key_off_the_deck():
    """Revealed and checked, x_L comes off: the undrawn lies under the keys of those who stay."""
    assert audit.reveals_key(X_LEFT, TABLE.Xs[LEAVER])
    deck = without_key(UNDRAWN, X_LEFT)
    assert JOINT == joint_key([TABLE.Xs[k] for k in STAYERS]) == add(TABLE.X, neg(TABLE.Xs[LEAVER]))
    assert audit.open_points(deck, XS) == audit.open_points(UNDRAWN, TABLE.xs)
    assert all(m.A == old.A for m, old in zip(deck, UNDRAWN, strict=True))
    for x in XS:
        assert not set(audit.open_points(deck, (x,))) & set(tile_points(TABLE.tiles))


def test_a_leavers_tiles_go_back_open_into_a_new_chain():
    """(O, M_t) for each of its tiles beside the undrawn, shuffled by those who stay."""
    deck = mixed_deck(without_key(UNDRAWN, X_LEFT), HAND_LEFT, ())
    last = mixed(deck, JOINT, STAYERS, "graceful")
    back = sorted((*HAND_LEFT, *TABLE.held(0, (8, 9))))
    opened = audit.opened_deck(last, XS, back)
    assert opened is not None
    assert sorted(opened) == back


def test_hands_of_those_who_stay_are_not_touched():
    """Their residuals lie under their own keys alone, with the leaver's token off already."""
    for k in STAYERS:
        residuals = TABLE.residuals(k, HANDS[k])
        assert opened_hand(residuals, TABLE.xs[k], TABLE.tiles) == TABLE.held(k, HANDS[k])


@pytest.mark.parametrize("x", [0, Q, X_LEFT + 1, Q - X_LEFT, TABLE.xs[1]])
def test_a_wrong_key_is_refused_before_it_comes_off(x):
    """It would turn the undrawn into nothing."""
    assert not audit.reveals_key(x, TABLE.Xs[LEAVER])
    opened = audit.open_points(without_key(UNDRAWN, x), XS)
    assert not set(opened) & set(tile_points(TABLE.tiles))
