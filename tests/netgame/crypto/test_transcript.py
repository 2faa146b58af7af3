"""Digests, streams of octets that are expanded from a seed, and hedged nonces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netgame.crypto import transcript
from netgame.crypto.transcript import expand, hedge
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import SEED

parts = st.recursive(
    st.one_of(
        st.none(),
        st.binary(max_size=40),
        st.integers(0, 2**64 - 1),
        st.text(st.characters(max_codepoint=127), max_size=5),
    ),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=10,
)


@given(st.lists(parts, max_size=5))
def test_digest_agrees_with_a_second_implementation(given_parts):
    """Octets, numbers, texts, None (the point O) and nested lists hash as in the oracle."""
    assert transcript.digest("tag", *given_parts) == oracle.hashed("tag", *given_parts)


def test_views_and_arrays_of_octets_hash_as_octets():
    """The same octets have the same digest as `bytes`, `bytearray` or `memoryview`."""
    plain = transcript.digest("t", b"abc")
    assert plain == transcript.digest("t", bytearray(b"abc"))
    assert plain == transcript.digest("t", memoryview(b"abc"))


@pytest.mark.parametrize("number", [-1, 2**64])
def test_a_number_beyond_eight_octets_is_a_bug(number):
    """A negative number, or one that needs more than eight octets, raises OverflowError.

    Such a number is a bug in the caller, because only chosen or checked numbers are hashed.
    """
    with pytest.raises(OverflowError):
        transcript.digest("t", number)


def test_no_two_purposes_share_a_tag():
    """All tags differ, so no digest of one kind is a digest of another."""
    assert len(transcript.Tag.__members__) == len(transcript.Tag) >= 18


@given(st.lists(st.integers(0, 200), max_size=8))
def test_a_stream_does_not_depend_on_how_it_is_read(sizes):
    """The octets of a stream do not depend on the sizes of the draws."""
    stream = expand(SEED, "label", b"part", 7)
    whole = oracle.expand(SEED, "label", b"part", 7)(sum(sizes))
    assert b"".join(stream(size) for size in sizes) == whole


def test_a_short_seed_is_a_bug():
    """A seed of 31 octets is misuse: `expand` needs 32."""
    with pytest.raises(LocalMisuse):
        expand(SEED[:31], "label")


def test_repeated_entropy_gives_other_nonces_for_another_statement():
    """Even if the entropy repeats, different statements get different nonces.

    Otherwise a restored machine snapshot could answer two challenges with one nonce.
    """

    def stuck(size):
        return bytes(size)

    assert hedge(stuck, "proof", b"one")(32) != hedge(stuck, "proof", b"two")(32)
    assert hedge(stuck, "proof", b"one")(32) == hedge(stuck, "proof", b"one")(32)
