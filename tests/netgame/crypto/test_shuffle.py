"""Shuffles and their proofs: any valid shuffle is accepted, and nothing else."""

from dataclasses import replace

import pytest

from netgame.crypto import group
from netgame.crypto import shuffle as sh
from netgame.crypto.group import Q
from netgame.crypto.masking import Masked, tile_point
from netgame.crypto.shuffle import ShuffleLink, make_shuffle_secret, prove_shuffle, verify_shuffles
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, tile_under

TABLE = dealt()
X, LINKS = TABLE.X, TABLE.links
DECK = LINKS[0].shuffled
SECRET = make_shuffle_secret(len(DECK), fixed("psi"))
AFTER = sh.shuffle(DECK, X, SECRET)


def holds(link):
    """Return True if a batch of only this link is accepted."""
    return verify_shuffles(X, [link], fixed("batch")) == ()


def proved(deck, after, secret):
    """Return a link whose proof is made as if `secret` turned `deck` into `after`."""
    return ShuffleLink(CTX, deck, after, prove_shuffle(CTX, X, deck, after, secret, fixed("lie")))


GOOD = proved(DECK, AFTER, SECRET)


def test_a_batch_names_the_culprits_and_no_others():
    """Verifying a batch returns the indexes of exactly the bad links.

    A link that drops a tile is bad, and so is a link proved in a different context.
    """
    bad, stub = replace(GOOD, ctx=OTHER_CTX), replace(GOOD, shuffled=AFTER[:-1])
    assert verify_shuffles(X, [GOOD, bad, GOOD, GOOD, bad], fixed("batch")) == (1, 4)
    assert verify_shuffles(X, [stub, GOOD, bad], fixed("batch")) == (0, 2)


@pytest.mark.parametrize(("field", "at"), [("s", 0), ("s", 3), ("s_hat", 1), ("s_prime", 2)])
def test_links_whose_errors_cancel_are_still_refused(field, at):
    """Two links whose errors are equal and opposite are both refused.

    Each link has its own random factors in the batch, so the errors do not cancel.
    """
    pair = []
    for off in (5, Q - 5):
        members = list(getattr(GOOD.proof, field))
        members[at] = (members[at] + off) % Q
        pair.append(replace(GOOD, proof=GOOD.proof._replace(**{field: tuple(members)})))
    assert verify_shuffles(X, pair, fixed("batch")) == (0, 1)


def test_unmasking_a_tile_by_shuffling_is_refused():
    """A link that turns a masked tile into (O, M), its unmasked form, is refused.

    A shuffler that knows the tile's randomness can make such a link, and all equations hold.
    """
    deck = (tile_under(X, 5, (1, 2)),)
    link = proved(deck, (Masked(None, tile_point((1, 2))),), sh.ShuffleSecret((0,), (Q - 5,)))
    claim = (CTX, X, deck, link.shuffled, link.proof._asdict())
    assert all(oracle.shuffle_equations(*claim).values())
    assert not holds(link)


def _made_otherwise():
    """Return a dict from names to decks that no shuffle of `DECK` can produce."""
    shift = group.sub(tile_point((1, 2)), tile_point((0, 2)))
    swapped = Masked(AFTER[0].A, AFTER[1].B), Masked(AFTER[1].A, AFTER[0].B)
    return {
        "a tile twice": (AFTER[1], *AFTER[1:]),
        "a tile for another": (Masked(AFTER[0].A, group.add(AFTER[0].B, shift)), *AFTER[1:]),
        "a new mask of a tile of its choice": (tile_under(X, 5, (0, 1)), *AFTER[1:]),
        "halves exchanged": (*swapped, *AFTER[2:]),
        "masked under another key": sh.shuffle(DECK, TABLE.Xs[0], SECRET),
        "the deck before last": sh.shuffle(TABLE.deck, X, SECRET),
    }


@pytest.mark.parametrize("name", _made_otherwise())
def test_a_deck_that_no_shuffle_makes_is_refused_without_any_seed(name):
    """A deck that no shuffle can produce is refused; the verifier needs no secret for that."""
    assert not holds(proved(DECK, _made_otherwise()[name], SECRET))


def test_any_shuffle_is_accepted_whatever_its_secrets_come_from():
    """Any valid shuffle is accepted, even one that keeps the order and uses chosen secrets."""
    for secret in (SECRET, sh.ShuffleSecret(tuple(range(len(DECK))), (1,) * len(DECK))):
        assert holds(proved(DECK, sh.shuffle(DECK, X, secret), secret))


def test_the_largest_set_is_shuffled_and_no_larger_deck():
    """190 tiles, a double-eighteen set, can be shuffled; a larger or an empty deck cannot."""
    deck = (DECK * 20)[:191]
    secrets = {n: make_shuffle_secret(n, fixed("many", n)) for n in (0, 190, 191)}
    assert holds(proved(deck[:190], sh.shuffle(deck[:190], X, secrets[190]), secrets[190]))
    link = proved(deck, deck, secrets[191])
    assert not holds(link)
    nothing = dict.fromkeys(("c", "c_hat", "t_hat", "s_hat", "s_prime"), ())
    assert not holds(ShuffleLink(CTX, (), (), link.proof._replace(**nothing)))
    for size, secret in ((191, secrets[191]), (0, secrets[0]), (3, secrets[190])):
        with pytest.raises(LocalMisuse):
            sh.shuffle(deck[:size], X, secret)


def test_draws_that_would_favour_small_numbers_are_thrown_away():
    """A draw of 2^32 - 1 is skipped when a number below 3 is wanted.

    2^32 is not a multiple of 3, so with that draw 0 would be more likely than 1 and 2.
    """
    octets = b"\xff" * 4 + bytes(3) + b"\1" + bytes(4) + bytes(31) + b"\7" + bytes(31) + b"\7" * 33
    stream = iter(octets)
    drawn = make_shuffle_secret(3, lambda size: bytes(next(stream) for _ in range(size)))
    assert drawn.permutation == (2, 0, 1)
