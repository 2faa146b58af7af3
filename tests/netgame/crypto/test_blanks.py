"""Blinding after a rebuild: factors that cancel, and decks that cannot be blinded."""

import pytest

from netgame.crypto.blanks import blinded_deck, prove_blinding
from netgame.crypto.group import neg
from netgame.crypto.masking import Masked
from netgame.errors import LocalMisuse
from tests.netgame.crypto.table import CTX, fixed, some_point, tile_under


def test_factors_that_cancel_are_noticed():
    """`blinded_deck` returns None for factors that add up to zero: every place would look blank."""
    deck = tuple(tile_under(some_point(), r, (0, r)) for r in (1, 2))
    entries = prove_blinding(CTX, deck, fixed("z")).entries
    negated = tuple(Masked(neg(m.A), neg(m.B)) for m in entries)
    assert blinded_deck([entries, negated]) is None
    assert blinded_deck([entries, entries]) is not None


@pytest.mark.parametrize("deck", [(), (Masked(None, some_point()),), (Masked(some_point(), None),)])
def test_a_deck_of_nothing_or_with_infinity_is_a_bug(deck):
    """Blinding an empty deck, or one that contains O, is misuse: any factor blinds O to O."""
    with pytest.raises(LocalMisuse):
        prove_blinding(CTX, deck, fixed("hole"))
