"""Numbers drawn from random octets are equally likely, whatever the bound."""

from engine.chance import below


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
