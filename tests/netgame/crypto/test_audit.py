"""The audit of a finished round: with keys and seeds on the table everything is computed again."""

from dataclasses import replace

import pytest

from netgame.crypto import audit
from netgame.crypto.audit import SeededLink, unrepeatable_links
from netgame.crypto.group import Q, add, mul, mul_base, neg
from netgame.crypto.masking import Masked, initial_deck
from netgame.crypto.shuffle import derive_shuffle_secret, make_shuffle_secret, shuffle
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips, opened_deck

TABLE = dealt()
DECK, TILES = TABLE.deck, TABLE.tiles
SEEDS = tuple(fixed("seed", k)(32) for k in range(3))


def seeded_chain():
    """Give a chain every link of which comes from a seed."""
    deck, links = initial_deck(TILES), []
    for k, seed in enumerate(SEEDS):
        ctx = bytes([k]) * 64
        deck = shuffle(deck, TABLE.X, derive_shuffle_secret(seed, ctx, deck))
        links.append(SeededLink(ctx, seed, deck))
    return tuple(links)


CHAIN = seeded_chain()


def repeats(links, deck=None, X=TABLE.X):
    """Give the indices of the links that do not come out again."""
    return unrepeatable_links(X, deck or initial_deck(TILES), links)


def test_a_key_is_revealed_by_its_secret_and_nothing_else():
    """The x of X, from 1 to Q - 1: not its negative, not plus Q, not another seat's."""
    for x, X in zip(TABLE.xs, TABLE.Xs, strict=True):
        assert audit.reveals_key(x, X)
        for wrong in (0, Q, x + Q, x - Q, Q - x, x + 1, x ^ 1 << 200, TABLE.xs[0] + TABLE.xs[1]):
            assert not audit.reveals_key(wrong, X)


def test_with_all_keys_the_deck_is_the_whole_set():
    """Every position opens, to the tile its holder saw during the round; so does an open deck."""
    found = opened_deck(DECK, TABLE.xs, TILES)
    assert sorted(found) == list(TILES)
    assert found[4:7] == TABLE.held(1, (4, 5, 6))
    assert opened_deck(initial_deck(TILES), TABLE.xs, TILES) == TILES


@pytest.mark.parametrize("xs", [TABLE.xs[:2], (*TABLE.xs, 1), (0, *TABLE.xs[1:]), ()])
def test_without_the_right_keys_nothing_opens(xs):
    """A key missing, a key too many or a wrong key."""
    assert opened_deck(DECK, xs, TILES) is None


def test_a_deck_that_is_no_permutation_is_found_out():
    """Whatever a broken shuffle proof had let through: doubled, lost, foreign or blank tiles."""
    first, *rest = DECK
    again = Masked(add(rest[0].A, mul_base(3)), add(rest[0].B, mul(3, TABLE.X)))
    foreign = Masked(first.A, add(first.B, mul_base(1)))
    blank = Masked(first.A, mul(sum(TABLE.xs), first.A))
    for bad in ((again, *rest), (foreign, *rest), (blank, *rest), rest, (*DECK, again)):
        assert opened_deck(bad, TABLE.xs, TILES) is None


def test_a_seed_is_revealed_by_its_octets_and_nothing_else():
    """The seed committed to, in the step of the commitment, which names the seat; and 32 octets."""
    commitment = audit.seed_commitment(CTX, SEEDS[0])
    assert audit.reveals_seed(commitment, CTX, SEEDS[0])
    for bad in flips(commitment + CTX + SEEDS[0], 3):
        assert not audit.reveals_seed(bad[:64], bad[64:128], bad[128:])
    for odd in map(bytes, (0, 31, 33)):
        assert not audit.reveals_seed(audit.seed_commitment(CTX, odd), CTX, odd)


def test_only_the_culprit_is_named():
    """A whole chain comes out again; another seed, context or deck in one link: that link."""
    assert repeats(CHAIN) == repeats(()) == ()
    link = CHAIN[1]
    first, *rest = link.shuffled
    own = make_shuffle_secret(len(DECK), fixed("own"))
    for change in (
        {"seed": bytes(32)},
        {"seed": SEEDS[1][:-1]},
        {"ctx": OTHER_CTX},
        {"shuffled": shuffle(CHAIN[0].shuffled, TABLE.X, own)},
        {"shuffled": (*rest, first)},
        {"shuffled": (Masked(neg(first.A), first.B), *rest)},
        {"shuffled": tuple(rest)},
        {"shuffled": ()},
    ):
        assert 1 in repeats((CHAIN[0], replace(link, **change), CHAIN[2]))
        assert repeats((CHAIN[0], replace(link, **change))) == (1,)


def test_the_input_and_the_key_of_a_chain_count():
    """From another first deck or under another key nothing comes out again."""
    assert repeats(CHAIN, deck=initial_deck(TILES[::-1])) == (0,)
    assert repeats(CHAIN, X=TABLE.Xs[0]) == (0, 1, 2)
    assert repeats(CHAIN, deck=initial_deck(TILES) * 20) == (0,)


def test_a_hand_shuffled_by_its_owner_comes_out_again():
    """One link under the owner's key is recomputed like those of a deck, one tile included."""
    X = TABLE.Xs[1]
    residuals = TABLE.residuals(1, (3,))
    after = shuffle(residuals, X, derive_shuffle_secret(SEEDS[1], CTX, residuals))
    assert unrepeatable_links(X, residuals, [SeededLink(CTX, SEEDS[1], after)]) == ()
    assert unrepeatable_links(X, (), [SeededLink(CTX, SEEDS[1], ())]) == (0,)


def test_seeds_do_not_print():
    """A link may be logged before its seed is public."""
    assert SEEDS[0].hex() not in repr(CHAIN[0])
    assert repr(SEEDS[0]) not in repr(CHAIN[0])
