"""Numbers drawn from random octets are equally likely, whatever the bound."""

import pytest

from engine.chance import below

WORDS = 1 << 32


def of_words(*words):
    """Return an entropy source that yields these numbers, four octets each."""
    octets = iter([word.to_bytes(4, "big") for word in words])
    return lambda size: next(octets)[:size]


def test_a_number_that_would_be_uneven_is_asked_for_again():
    """A number is drawn again if it is not below the greatest multiple of the bound up to 2^32."""
    last = (1 << 32) - 1
    assert below(of_words(last, last, 7), 3) == 1
    assert below(of_words(last - 1), 3) == 2
    assert below(of_words(last), 4) == 3
    assert below(of_words(0), 1) == 0


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 14, 91, 190])
def test_every_number_comes_from_equally_many_words(bound):
    """Any `bound` words in a row give each number once; the words that are left over give none."""
    most = WORDS - WORDS % bound
    for first in (0, 1, 12_345, most - bound):
        drawn = [below(of_words(word), bound) for word in range(first, first + bound)]
        assert sorted(drawn) == list(range(bound))
    for word in range(most, WORDS):
        assert below(of_words(word, bound - 1), bound) == bound - 1


@pytest.mark.parametrize("bound", [WORDS // 2 + 1, WORDS - 1, WORDS])
def test_a_high_bound_gives_the_word_itself_or_draws_again(bound):
    """With a bound above 2^31, a word below it is the number; a higher word is drawn again."""
    for word in (0, 1, bound - 1):
        assert below(of_words(word), bound) == word
    for word in {min(bound, WORDS - 1), WORDS - 1} - {bound - 1}:
        assert below(of_words(word, 5), bound) == 5
