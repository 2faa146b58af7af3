"""Decks put together in mid-round, and hands whose owner shuffles them: the same proof holds."""

import pytest

from netgame.crypto import group, masking
from netgame.crypto.group import add, encode, mul, mul_base
from netgame.crypto.hand import HandStatement, prove_hand, verify_hand
from netgame.crypto.handover import prove_hand_over, verify_hand_over
from netgame.crypto.masking import (
    Masked,
    mixed_deck,
    prove_reveal,
    residual,
    reveal_token,
    tile_point,
    unmask,
    verify_reveal,
)
from netgame.crypto.shuffle import (
    ShuffleLink,
    decode_shuffle_proof,
    make_shuffle_secret,
    prove_shuffle,
    shuffle,
    verify_shuffles,
)
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, full_set

TABLE = dealt(3, 6)
SEAT = 1
HAND = (3, 4, 5, 6)
MINE, X = TABLE.xs[SEAT], TABLE.Xs[SEAT]
RESIDUALS, HELD = TABLE.residuals(SEAT, HAND), TABLE.held(SEAT, HAND)


def chained(deck, X, seats=3):
    """Shuffle `deck` by every seat, each link sent and received."""
    links = []
    for k in range(seats):
        secret = make_shuffle_secret(len(deck), fixed("chain", k, len(deck)))
        after = shuffle(deck, X, secret)
        after = masking.decode_deck(group.encode(after), len(deck))
        ctx = bytes([9, k]) * 32
        proof = prove_shuffle(ctx, X, deck, after, secret, fixed("prove", k))
        proof = decode_shuffle_proof(encode(proof), len(deck))
        links.append(ShuffleLink(ctx, deck, after, proof))
        deck = after
    return links


def opened(deck, xs):
    """Give the tiles of a deck once all keys are applied."""
    named = masking.tile_points(TABLE.tiles)
    return sorted(
        named[residual(masked, [reveal_token(x, masked.A) for x in xs]).B] for masked in deck
    )


def put_back(positions):
    """Hand the tiles of `positions`, held by SEAT, over to the joint key, each one proved."""
    handed = []
    for p in positions:
        (left,) = TABLE.residuals(SEAT, (p,))
        over = prove_hand_over(MINE, CTX, left, TABLE.X, fixed("back", p))
        assert verify_hand_over(X, CTX, TABLE.X, left, over)
        handed.append(over.masked)
    return tuple(handed)


@pytest.mark.parametrize(
    ("undrawn", "shown", "handed"),
    [
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (1, 1, 0),
        (0, 1, 1),
        (1, 0, 1),
        (0, 2, 0),
        (12, 5, 3),
        (20, 0, 0),
        (0, 20, 0),
        (0, 17, 3),
    ],
)
def test_a_mixed_deck_goes_through_a_chain(undrawn, shown, handed):
    """Of 1, 2 and 20 tiles, in every mixture: proved, checked together, the same tiles after."""
    last = len(TABLE.tiles)
    positions = range(last - undrawn, last)
    tiles = TABLE.held(0, range(shown))
    given = range(20, 20 + handed) if undrawn == 0 else range(handed)
    deck = mixed_deck([TABLE.deck[p] for p in positions], tiles, put_back(given))
    links = chained(deck, TABLE.X)
    assert verify_shuffles(TABLE.X, links, fixed("batch")) == ()
    expected = sorted((*TABLE.held(0, positions), *tiles, *TABLE.held(0, given)))
    assert opened(links[-1].shuffled, TABLE.xs) == expected
    for link in links[:1]:
        proof = link.proof._asdict()
        assert oracle.shuffle_holds(link.ctx, TABLE.X, link.deck, link.shuffled, proof)


def test_everybody_computes_the_same_mixed_deck():
    """Undrawn first, open tiles ascending whatever the order they came in, then those put back."""
    handed = put_back((3,))
    deck = mixed_deck(TABLE.deck[8:10], ((2, 4), (0, 1)), handed)
    shown = (Masked(None, tile_point((0, 1))), Masked(None, tile_point((2, 4))))
    assert deck == (*TABLE.deck[8:10], *shown, *handed)
    assert mixed_deck((), (), ()) == ()


def test_a_tile_that_stands_twice_is_a_bug():
    """After the checks of the log no two entries can be one tile: ours would be a mistake."""
    for undrawn, shown, handed in (
        (TABLE.deck[:1] * 2, (), ()),
        ((), ((1, 2), (1, 2)), ()),
        (TABLE.deck[:1], (), TABLE.deck[:1]),
    ):
        with pytest.raises(LocalMisuse):
            mixed_deck(undrawn, shown, handed)


def test_no_position_of_an_old_chain_shows_where_it_went():
    """Every half of a new deck is new, those of tiles that lay open too."""
    deck = mixed_deck(TABLE.deck[20:24], ((0, 0), (1, 1)), put_back((3, 4)))
    before = {half for masked in deck for half in masked}
    links = chained(deck, TABLE.X)
    for link in links:
        assert not before & {half for masked in link.shuffled for half in masked}


def test_a_shuffler_cannot_keep_an_open_tile_out():
    """A link that swaps the tile everybody saw for another one has no proof."""
    deck = mixed_deck(TABLE.deck[20:22], ((0, 0),), ())
    lie = (*deck[:2], Masked(None, tile_point((6, 6))))
    secret = make_shuffle_secret(3, fixed("lie"))
    after = shuffle(lie, TABLE.X, secret)
    proof = prove_shuffle(CTX, TABLE.X, deck, after, secret, fixed("lie"))
    assert verify_shuffles(TABLE.X, [ShuffleLink(CTX, deck, after, proof)], fixed("b")) == (0,)


def test_a_link_over_another_mixture_is_refused():
    """The input is what everybody computes: one tile put back too few is another deck."""
    full = mixed_deck(TABLE.deck[20:22], ((0, 0),), put_back((3,)))
    (link, *_) = chained(full, TABLE.X)
    for other in (
        mixed_deck(TABLE.deck[20:22], ((0, 1),), put_back((3,))),
        mixed_deck(TABLE.deck[20:22], ((0, 0),), put_back((4,))),
        full[:-1],
    ):
        bad = ShuffleLink(link.ctx, other, link.shuffled, link.proof)
        assert verify_shuffles(TABLE.X, [bad], fixed("b")) == (0,)


# ---- a hand shuffled by its owner ----


def own_shuffle(residuals=RESIDUALS, label="own"):
    """Shuffle residuals under the owner's key alone; give the secret and the link."""
    secret = make_shuffle_secret(len(residuals), fixed(label))
    after = shuffle(residuals, X, secret)
    proof = prove_shuffle(CTX, X, residuals, after, secret, fixed(label, "proof"))
    return secret, ShuffleLink(CTX, residuals, after, proof)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_an_owner_shuffles_its_hand(size):
    """One link under the owner's key: accepted, and the hand holds the tiles it held."""
    secret, link = own_shuffle(RESIDUALS[:size])
    assert verify_shuffles(X, [link], fixed("batch")) == ()
    points = [unmask(m, reveal_token(MINE, m.A)) for m in link.shuffled]
    assert points == [tile_point(HELD[at]) for at in secret.permutation]
    assert not {m.A for m in link.shuffled} & {m.A for m in RESIDUALS}


def test_claims_and_lays_go_on_over_the_new_positions():
    """Pass, lay and hand-over use the new residuals as they did the old."""
    secret, link = own_shuffle()
    new, tiles = link.shuffled, tuple(HELD[at] for at in secret.permutation)
    names = tuple((2, index) for index in range(len(new)))
    claim = HandStatement(OTHER_CTX, X, names, new, tuple(sorted(tiles)))
    assert verify_hand(claim, prove_hand(claim, MINE, tiles, fixed("pass")))
    tokens, proof = prove_reveal(MINE, OTHER_CTX, names[:1], (new[0].A,), fixed("lay"))
    assert verify_reveal(X, OTHER_CTX, names[:1], (new[0].A,), tokens, proof)
    assert unmask(new[0], tokens[0]) == tile_point(tiles[0])
    over = prove_hand_over(MINE, OTHER_CTX, new[1], TABLE.X, fixed("give"))
    assert verify_hand_over(X, OTHER_CTX, TABLE.X, new[1], over)


def test_a_false_pass_stays_refused_after_an_own_shuffle():
    """A shuffle of the hand does not make a playable tile go away."""
    secret, link = own_shuffle()
    tiles = tuple(sorted(HELD))
    claim = HandStatement(OTHER_CTX, X, (0, 1, 2, 3), link.shuffled, tiles[1:])
    assert not verify_hand(claim, prove_hand(claim, MINE, tiles[1:], fixed("lie")))
    assert len(secret.permutation) == 4


def test_swapping_a_tile_in_an_own_shuffle_is_refused():
    """Another tile, a tile twice, or somebody else's residual: no proof."""
    secret, link = own_shuffle()
    first, *rest = link.shuffled
    other = Masked(mul_base(5), add(tile_point((6, 6)), mul(5, X)))
    doubled = Masked(add(rest[0].A, mul_base(5)), add(rest[0].B, mul(5, X)))
    for bad in (other, doubled, TABLE.residuals(0, (9,))[0]):
        after = (bad, *rest)
        proof = prove_shuffle(CTX, X, RESIDUALS, after, secret, fixed("lie"))
        links = [ShuffleLink(CTX, RESIDUALS, after, proof)]
        assert verify_shuffles(X, links, fixed("b")) == (0,)
    assert first != other


def test_an_own_shuffle_is_no_link_of_a_deck_and_not_another_seats():
    """Its key is in the statement: under the joint key or another seat's it proves nothing."""
    _, link = own_shuffle()
    for key in (TABLE.X, *(k for k in TABLE.Xs if k != X)):
        assert verify_shuffles(key, [link], fixed("b")) == (0,)
    assert full_set(6) == TABLE.tiles
