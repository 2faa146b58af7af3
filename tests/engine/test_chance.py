"""Choices from octets are even, whatever the octets are."""

from engine.chance import below


def of_words(*words):
    """An entropy that gives these numbers, four octets each."""
    octets = iter([word.to_bytes(4, "big") for word in words])
    return lambda size: next(octets)[:size]


def test_a_number_that_would_be_uneven_is_asked_for_again():
    """Of 2^32 numbers the last ones, which make no whole run of the bound, are passed over."""
    last = (1 << 32) - 1
    assert below(of_words(last, last, 7), 3) == 1
    assert below(of_words(last - 1), 3) == 2
    assert below(of_words(last), 4) == 3
    assert below(of_words(0), 1) == 0
