"""After a rebuild: where the blanks are shows, and no tile does."""

import pytest

from netgame.crypto import blanks
from netgame.crypto.blanks import blinded_deck, find_blanks, prove_blinding, verify_blinding
from netgame.crypto.group import mul, mul_base, neg
from netgame.crypto.masking import Masked, residual, reveal_token, tile_points
from netgame.errors import LocalMisuse
from tests.netgame.crypto.table import CTX, dealt, fixed, some_point, tile_under

XS, TILES = (11, 13), dealt().tiles
X = mul_base(sum(XS))
DECK = (
    *(tile_under(X, r, tile) for r, tile in enumerate(TILES[:3], 5)),
    Masked(mul_base(9), mul(9, X)),
)
"""Three tiles and a blank under two keys."""
MADE = tuple(prove_blinding(CTX, DECK, fixed("z", k)) for k in range(2))


def test_the_blanks_are_found_and_no_tile_shows():
    """What is left of a blinded tile is no tile's point; another number of blanks is no deck."""
    assert all(verify_blinding(CTX, DECK, blinding) for blinding in MADE)
    blinded = blinded_deck([blinding.entries for blinding in MADE])
    tokens = [[reveal_token(x, masked.A) for masked in blinded] for x in XS]
    assert find_blanks(blinded, tokens, 1) == (3,)
    for held in (0, 2):
        assert find_blanks(blinded, tokens, held) is None
    assert find_blanks(blinded, tokens[:1], 1) is None
    shares = zip(*tokens, strict=True)
    left = [residual(m, ds).B for m, ds in zip(blinded, shares, strict=True)]
    assert len(set(left)) == len(DECK)
    assert not set(left) & set(tile_points(TILES))


def test_factors_that_cancel_are_noticed():
    """If all factors add up to zero every place would look blank: start again."""
    entries = MADE[0].entries
    negated = tuple(Masked(neg(m.A), neg(m.B)) for m in entries)
    assert blinded_deck([entries, negated]) is None
    assert blinded_deck([entries, entries]) is not None


@pytest.mark.parametrize("deck", [(), (Masked(None, some_point()),), (Masked(some_point(), None),)])
def test_a_deck_of_nothing_or_with_infinity_is_a_bug(deck):
    """O is blinded to O whatever the factor."""
    with pytest.raises(LocalMisuse):
        blanks.prove_blinding(CTX, deck, fixed("hole"))
