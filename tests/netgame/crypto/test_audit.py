"""The audit of a finished round: with keys and seeds on the table everything is computed again."""

from dataclasses import replace

import pytest

from netgame.crypto import audit
from netgame.crypto.audit import SeededLink, opened_deck, unrepeatable_links
from netgame.crypto.group import Q, add, mul, mul_base, neg
from netgame.crypto.masking import Masked, deck_digest, initial_deck, reveal_token, tile_point
from netgame.crypto.shuffle import (
    ShuffleLink,
    derive_shuffle_secret,
    make_shuffle_secret,
    prove_shuffle,
    shuffle,
    verify_shuffles,
)
from netgame.crypto.transcript import expand
from tests.netgame.crypto.table import CTX, OTHER_CTX, SEED, dealt, fixed, flips, opened_hand

TABLE = dealt()
DECK, TILES = TABLE.deck, TABLE.tiles
SEEDS = tuple(fixed("seed", k)(32) for k in range(3))


def seeded_chain(deck=None, seats=3):
    """Give a chain every link of which comes from a seed."""
    deck, links = deck or initial_deck(TILES), []
    for k in range(seats):
        ctx = bytes([k]) * 64
        deck = shuffle(deck, TABLE.X, derive_shuffle_secret(SEEDS[k], ctx, deck))
        links.append(SeededLink(ctx, SEEDS[k], deck))
    return tuple(links)


CHAIN = seeded_chain()


def repeats(links, deck=None, X=TABLE.X):
    """Give the indices of the links that do not come out again."""
    return unrepeatable_links(X, deck or initial_deck(TILES), links)


# ---- keys ----


def test_a_key_is_revealed_by_its_secret_and_nothing_else():
    """The x of X, from 1 to Q - 1: not its negative, not plus Q, not another seat's."""
    for x, X in zip(TABLE.xs, TABLE.Xs, strict=True):
        assert audit.reveals_key(x, X)
        for wrong in (0, Q, x + Q, x - Q, Q - x, x + 1, x ^ 1 << 200, TABLE.xs[0] + TABLE.xs[1]):
            assert not audit.reveals_key(wrong, X)
    assert not audit.reveals_key(TABLE.xs[0], TABLE.Xs[1])


def test_with_all_keys_the_deck_is_the_whole_set():
    """Every position opens, to the tile its holder saw during the round."""
    found = opened_deck(DECK, TABLE.xs, TILES)
    assert found is not None
    assert sorted(found) == list(TILES)
    assert found[4:7] == TABLE.held(1, (4, 5, 6))
    for link in TABLE.links:
        assert sorted(opened_deck(link.shuffled, TABLE.xs, TILES)) == list(TILES)


def test_the_first_deck_opens_as_it_stands():
    """O as first half is a computed value like any other."""
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
    halves = Masked(first.A, add(first.B, tile_point((0, 0))))
    x = sum(TABLE.xs)
    blank = Masked(first.A, mul(x, first.A))
    for bad in (again, foreign, halves, blank, Masked(neg(first.A), first.B)):
        assert opened_deck((bad, *rest), TABLE.xs, TILES) is None
    assert opened_deck(rest, TABLE.xs, TILES) is None
    assert opened_deck((*DECK, again), TABLE.xs, TILES) is None
    assert opened_deck(DECK, TABLE.xs, TILES[:-1]) is None


def test_blanks_are_counted():
    """After a leaver's rebuild a held tile is a blank: exactly as many as were said."""
    x = sum(TABLE.xs)
    first, second, *rest = DECK
    blanks = tuple(Masked(masked.A, mul(x, masked.A)) for masked in (first, second))
    deck = (blanks[0], *rest, blanks[1])
    left = [tile for tile in TILES if tile not in TABLE.held(0, (0, 1))]
    found = opened_deck(deck, TABLE.xs, left, 2)
    assert found is not None
    assert found[0] is found[-1] is None
    assert sorted(found[1:-1]) == left
    assert opened_deck(deck, TABLE.xs, left, 1) is None
    assert opened_deck(deck, TABLE.xs, left) is None
    assert opened_deck(deck, TABLE.xs, TILES, 2) is None


def test_a_hand_opens_with_its_owners_key_alone():
    """What stays auditable when a leaver's key is gone: the residuals of those who stayed."""
    positions = (3, 4, 5)
    residuals = TABLE.residuals(1, positions)
    assert opened_hand(residuals, TABLE.xs[1], TILES) == TABLE.held(1, positions)
    assert opened_hand((), TABLE.xs[1], TILES) == ()
    assert opened_hand(residuals, TABLE.xs[0], TILES) is None
    assert opened_hand((*residuals, residuals[0]), TABLE.xs[1], TILES) is None
    held = TABLE.held(1, positions)
    assert opened_hand(residuals, TABLE.xs[1], [t for t in TILES if t != held[0]]) is None
    blank = Masked(residuals[0].A, reveal_token(TABLE.xs[1], residuals[0].A))
    assert opened_hand((blank, *residuals[1:]), TABLE.xs[1], TILES) is None


# ---- seeds ----


def test_a_seed_is_revealed_by_its_octets_and_nothing_else():
    """The seed committed to, in the step of the commitment."""
    commitment = audit.seed_commitment(CTX, SEEDS[0])
    assert len(commitment) == 64
    assert audit.reveals_seed(commitment, CTX, SEEDS[0])
    assert not any(audit.reveals_seed(commitment, CTX, bad) for bad in flips(SEEDS[0]))
    assert not any(audit.reveals_seed(commitment, bad, SEEDS[0]) for bad in flips(CTX))
    assert not any(audit.reveals_seed(bad, CTX, SEEDS[0]) for bad in flips(commitment))
    for length in (0, 31, 33):
        odd = bytes(length)
        assert not audit.reveals_seed(audit.seed_commitment(CTX, odd), CTX, odd)


def test_a_copied_commitment_cannot_be_revealed():
    """The context names the seat: a seat that copies another's commitment has no seed for it."""
    copied = audit.seed_commitment(CTX, SEEDS[0])
    assert not audit.reveals_seed(copied, OTHER_CTX, SEEDS[0])


def test_a_whole_chain_comes_out_again():
    """Every link, from the seeds alone; the proofs of the same links hold as well."""
    assert repeats(CHAIN) == ()
    assert repeats(()) == ()
    deck, links = initial_deck(TILES), []
    for k, link in enumerate(CHAIN):
        secret = derive_shuffle_secret(link.seed, link.ctx, deck)
        proof = prove_shuffle(link.ctx, TABLE.X, deck, link.shuffled, secret, fixed("p", k))
        links.append(ShuffleLink(link.ctx, deck, link.shuffled, proof))
        deck = link.shuffled
    assert verify_shuffles(TABLE.X, links, fixed("batch")) == ()


@pytest.mark.parametrize("culprit", [0, 1, 2])
def test_only_the_culprit_is_named(culprit):
    """Another seed, context or deck in one link: that link, and no later one."""
    link = CHAIN[culprit]
    first, *rest = link.shuffled
    wrong = (
        replace(link, seed=bytes(32)),
        replace(link, seed=SEEDS[culprit][:-1]),
        replace(link, ctx=OTHER_CTX),
    )
    for bad in wrong:
        assert repeats((*CHAIN[:culprit], bad, *CHAIN[culprit + 1 :])) == (culprit,)
    for shuffled in ((*rest, first), (Masked(neg(first.A), first.B), *rest), tuple(rest), ()):
        changed = (*CHAIN[:culprit], replace(link, shuffled=shuffled))
        assert repeats(changed) == (culprit,)


def test_a_link_from_entropy_of_its_own_is_found_out():
    """A shuffler whose proof holds, but who did not use the seed it committed to."""
    deck = CHAIN[0].shuffled
    secret = make_shuffle_secret(len(deck), fixed("own"))
    after = shuffle(deck, TABLE.X, secret)
    proof = prove_shuffle(CTX, TABLE.X, deck, after, secret, fixed("own", 1))
    assert verify_shuffles(TABLE.X, [ShuffleLink(CTX, deck, after, proof)], fixed("b")) == ()
    assert unrepeatable_links(TABLE.X, deck, [SeededLink(CTX, SEEDS[1], after)]) == (0,)


def test_the_input_and_the_key_of_a_chain_count():
    """From another first deck or under another key nothing comes out again."""
    assert repeats(CHAIN, deck=initial_deck(TILES[::-1])) == (0,)
    assert repeats(CHAIN, X=TABLE.Xs[0]) == (0, 1, 2)
    assert repeats((CHAIN[1], CHAIN[0], CHAIN[2])) == (0, 1, 2)
    assert repeats(CHAIN, deck=initial_deck(TILES) * 20) == (0,)


def test_a_hand_shuffled_by_its_owner_comes_out_again():
    """One link under the owner's key is recomputed like those of a deck, one tile included."""
    for positions in ((3, 4, 5), (3,)):
        residuals = TABLE.residuals(1, positions)
        after = shuffle(residuals, TABLE.Xs[1], derive_shuffle_secret(SEEDS[1], CTX, residuals))
        assert unrepeatable_links(TABLE.Xs[1], residuals, [SeededLink(CTX, SEEDS[1], after)]) == ()
    assert unrepeatable_links(TABLE.Xs[1], (), [SeededLink(CTX, SEEDS[1], ())]) == (0,)


def test_a_seed_is_bound_to_context_and_input():
    """As a peer derives it after a restart: expand(seed, "shuffle", ctx, H("deck", deck))."""
    drawn = expand(SEED, "shuffle", CTX, deck_digest(DECK))
    secret = derive_shuffle_secret(SEED, CTX, DECK)
    assert secret == make_shuffle_secret(len(DECK), drawn)
    assert secret != derive_shuffle_secret(SEED, OTHER_CTX, DECK)
    assert secret != derive_shuffle_secret(SEED, CTX, TABLE.links[0].shuffled)


def test_seeds_do_not_print():
    """A link may be logged before its seed is public."""
    assert SEEDS[0].hex() not in repr(CHAIN[0])
    assert repr(SEEDS[0]) not in repr(CHAIN[0])
