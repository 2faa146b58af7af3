"""The audit of a finished round: with keys and seeds on the table everything is computed again."""

from dataclasses import replace

from netgame.crypto import audit
from netgame.crypto.audit import SeededLink, unrepeatable_links
from netgame.crypto.masking import initial_deck
from netgame.crypto.shuffle import derive_shuffle_secret, shuffle
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed

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


def test_a_seed_of_another_length_is_not_revealed():
    """Though it was committed to: it has 32 octets."""
    for odd in map(bytes, (0, 31, 33)):
        assert not audit.reveals_seed(audit.seed_commitment(CTX, odd), CTX, odd)


def test_only_the_culprit_is_named():
    """A whole chain comes out again; another seed, context or deck in one link: that link."""
    assert repeats(CHAIN) == repeats(()) == ()
    link = CHAIN[1]
    first, *rest = link.shuffled
    for change in (
        {"seed": bytes(32)},
        {"seed": SEEDS[1][:-1]},
        {"ctx": OTHER_CTX},
        {"shuffled": (*rest, first)},
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
