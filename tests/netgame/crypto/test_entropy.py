"""Octets from a seed: the same again after a restart, others for anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netgame.crypto.entropy import expand, hedge
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import SEED


@given(st.lists(st.integers(0, 200), max_size=8))
def test_a_stream_does_not_depend_on_how_it_is_read(sizes):
    """Drawing 5 and then 60 octets gives what drawing 65 gives."""
    stream = expand(SEED, "label", b"part", 7)
    whole = oracle.expand(SEED, "label", b"part", 7)(sum(sizes))
    assert b"".join(stream(size) for size in sizes) == whole


def test_seed_label_and_parts_all_count():
    """Another seed, purpose or statement is another stream."""
    streams = [
        expand(SEED, "label", b"part"),
        expand(SEED[::-1], "label", b"part"),
        expand(SEED, "Label", b"part"),
        expand(SEED, "label", b"Part"),
        expand(SEED, "label"),
        expand(SEED, "label", b"part", 0),
    ]
    assert len({stream(64) for stream in streams}) == len(streams)


def test_a_short_seed_is_a_bug():
    """32 octets, no fewer."""
    with pytest.raises(LocalMisuse):
        expand(SEED[:31], "label")


def test_repeated_entropy_gives_other_nonces_for_another_statement():
    """A restored machine snapshot must not answer two challenges with one nonce."""

    def stuck(size):
        return bytes(size)

    assert hedge(stuck, "proof", b"one")(32) != hedge(stuck, "proof", b"two")(32)
    assert hedge(stuck, "proof", b"one")(32) == hedge(stuck, "proof", b"one")(32)
