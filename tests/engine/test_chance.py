"""Choices from octets are even, whatever the octets are."""

from itertools import count

from engine.chance import below
from lab.rounds.seeds import seeded, shuffled


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


def test_a_block_that_runs_out_goes_on_with_the_next():
    """However the octets are asked for, equal requests are answered alike, and never twice."""
    one, other = seeded(b"s"), seeded(b"s")
    taken = [one(size) for size in (4000, 200, 5000, 1)]
    assert taken == [other(size) for size in (4000, 200, 5000, 1)]
    assert [len(octets) for octets in taken] == [4000, 200, 5000, 1]
    assert taken[0][:200] != taken[1]


def test_every_order_comes_out_of_a_shuffle():
    """All six orders of three things are met."""
    entropy, met = seeded(b"orders"), set()
    for tried in count():
        met.add(shuffled(entropy, "abc"))
        if len(met) == 6:
            break
        assert tried < 200
