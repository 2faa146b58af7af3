"""Masked tiles: everybody's token is needed, and then the tile is the one that went in."""

import pytest

from netgame.crypto import masking
from netgame.crypto.group import neg
from netgame.crypto.masking import Masked
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto.table import dealt, flips, full_set, some_point


def test_the_first_deck_shows_every_tile_in_order():
    """E_0 is (O, M_t) in the order given, and a look-up names each tile."""
    tiles = full_set(6)
    named = masking.tile_points(tiles)
    assert [named[masked.B] for masked in masking.initial_deck(tiles)] == list(tiles)
    assert all(masked.A is None for masked in masking.initial_deck(tiles))
    assert len(named) == 28


def test_a_shuffled_deck_opens_to_every_tile_once():
    """With all tokens off, the deck is a permutation of the set."""
    table = dealt()
    positions = range(len(table.tiles))
    assert sorted(table.held(1, positions)) == list(table.tiles)
    assert table.held(0, positions) == table.held(2, positions)


def test_without_one_token_no_tile_shows():
    """The residual of a position is no tile's point, whoever is missing."""
    table = dealt()
    named = masking.tile_points(table.tiles)
    for seat in range(3):
        assert not any(left.B in named for left in table.residuals(seat, range(10)))


def test_tokens_come_off_in_any_order():
    """A residual over two tokens is that of one after the other."""
    first, second = some_point("first"), some_point("second")
    masked = Masked(some_point("A"), some_point("B"))
    step = masking.residual(masking.residual(masked, [second]), [first])
    assert masking.residual(masked, [first, second]) == step
    assert masking.unmask(step, None) == step.B
    assert masking.unmask(masked, masked.B) is None


def test_a_deck_survives_the_wire():
    """66 octets a tile, and the same deck again."""
    deck = dealt().deck
    octets = masking.encode_deck(deck)
    assert len(octets) == 66 * len(deck)
    assert masking.decode_deck(octets, len(deck)) == deck
    assert masking.decode_deck(b"", 0) == ()


def test_a_deck_with_infinity_is_neither_sent_nor_taken():
    """O has no octets: neither zeros nor a missing entry stand for it."""
    deck = dealt().deck
    with pytest.raises(LocalMisuse):
        masking.encode_deck(masking.initial_deck(((0, 0),)))
    with pytest.raises(Malformed):
        masking.decode_deck(bytes(33) + masking.encode_deck(deck)[33:], len(deck))


@pytest.mark.parametrize("n", [9, 11])
def test_a_deck_of_another_size_is_malformed(n):
    """Every tile is there and none is added."""
    with pytest.raises(Malformed):
        masking.decode_deck(masking.encode_deck(dealt().deck), n)


def test_a_flipped_octet_of_a_deck_is_another_deck():
    """Encoding is one to one: what still decodes has another digest."""
    deck = dealt().deck[:2]
    seen = {masking.deck_digest(deck)}
    for bad in flips(masking.encode_deck(deck)):
        try:
            seen.add(masking.deck_digest(masking.decode_deck(bad, 2)))
        except Malformed:
            continue
    assert len(seen) > 50


def test_a_token_for_infinity_is_a_bug():
    """No seat gives a share of a tile that lies open."""
    with pytest.raises(LocalMisuse):
        masking.reveal_token(5, None)
    assert masking.reveal_token(1, some_point()) == some_point()
    assert masking.residual(Masked(None, some_point()), [neg(some_point())]).A is None
