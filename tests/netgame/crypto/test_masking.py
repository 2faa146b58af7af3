"""Masked decks and reveal tokens: false tokens are refused, and misuse is caught."""

import pytest

from netgame.crypto import group, masking
from netgame.crypto.group import Q, add, mul, neg
from netgame.crypto.masking import Masked, mixed_deck, prove_reveal, verify_reveal
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import CTX, dealt, fixed, some_point

TABLE = dealt()
X_SECRET, X = TABLE.xs[1], TABLE.Xs[1]
POSITIONS = (4, 7, 0, 9)
AS = tuple(TABLE.deck[p].A for p in POSITIONS)
TOKENS, PROOF = prove_reveal(X_SECRET, CTX, POSITIONS, AS, fixed("reveal"))
SENT = group.encode(TABLE.deck)


@pytest.mark.parametrize(("octets", "n"), [(SENT, 9), (SENT, 11), (bytes(33) + SENT[33:], 10)])
def test_a_deck_of_another_size_or_with_infinity_is_malformed(octets, n):
    """A deck is malformed if a tile is missing or added, or if it contains O."""
    with pytest.raises(Malformed):
        masking.decode_deck(octets, n)


def test_a_tile_that_stands_twice_is_a_bug():
    """A repeated tile is misuse, because the checks of the log allow none."""
    for undrawn, shown, handed in (
        (TABLE.deck[:1] * 2, (), ()),
        ((), ((1, 2), (1, 2)), ()),
        (TABLE.deck[:1], (), TABLE.deck[:1]),
    ):
        with pytest.raises(LocalMisuse):
            mixed_deck(undrawn, shown, handed)


def accepts(As=AS, tokens=TOKENS):
    """Return True if the proof is accepted with these first halves and tokens."""
    return verify_reveal(X, CTX, POSITIONS, As, tokens, PROOF)


@pytest.mark.parametrize("weighted", [False, True])
def test_tokens_whose_errors_cancel_are_refused(weighted):
    """False tokens are refused even if their errors cancel in a sum of all tokens.

    The sum is either plain or weighted with the factors of the true tokens. The latter does not
    help a cheater, because the factors depend on the tokens.
    """
    assert accepts()
    rho = oracle.reveal_values(X_SECRET, CTX, POSITIONS, AS, 1)["rho"] if weighted else (1, 1)
    shift = some_point("shift")
    other = mul(rho[0] * pow(rho[1], -1, Q), shift)
    assert not accepts(tokens=(add(TOKENS[0], shift), add(TOKENS[1], neg(other)), *TOKENS[2:]))


def test_an_uneven_batch_is_refused():
    """A reveal is refused if a position lacks its A, or if its A is O."""
    assert not accepts(As=AS[:3])
    assert not accepts(As=(None, *AS[1:]))


@pytest.mark.parametrize(
    ("positions", "As"), [((), ()), ((1,), AS[:2]), ((1, 2), AS[:1]), ((1,), (None,))]
)
def test_a_reveal_of_nothing_is_a_bug(positions, As):
    """A reveal is misuse if it has no position, not one A for each, or an open tile."""
    with pytest.raises(LocalMisuse):
        prove_reveal(X_SECRET, CTX, positions, As, fixed("bug"))


def test_infinity_is_never_sent():
    """O is never sent, so an open tile cannot be encoded; but it can have a residual."""
    with pytest.raises(LocalMisuse):
        group.encode(masking.initial_deck(((0, 0),)))
    assert masking.residual(Masked(None, some_point()), [neg(some_point())]).A is None
