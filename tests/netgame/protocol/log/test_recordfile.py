"""A damaged record gives its longest good beginning, and never a frame that was not written."""

from hypothesis import given
from hypothesis import strategies as st

from netgame.limits import FRAME_BYTES_MAX
from netgame.protocol.log.entry import FRAME_HEADER_BYTES, frame_payload, read_frames, whole_frames

PAYLOADS = (b"header", b"1", b"\x00" * 9, b"one entry", bytes(range(40)))
OCTETS = b"".join(frame_payload(payload) for payload in PAYLOADS)
ENDS = [
    sum(FRAME_HEADER_BYTES + len(each) for each in PAYLOADS[:n]) for n in range(len(PAYLOADS) + 1)
]


def test_what_was_written_is_read() -> None:
    """Frames one after the other, no padding, no damage; an empty file is a whole file."""
    assert read_frames(OCTETS) == (PAYLOADS, None)
    assert read_frames(b"") == ((), None)


def test_cut_anywhere_gives_the_frames_before_the_cut() -> None:
    """And says at which octet the rest begins."""
    for cut in range(len(OCTETS)):
        whole = max(n for n, end in enumerate(ENDS) if end <= cut)
        payloads, damage = read_frames(OCTETS[:cut])
        assert payloads == PAYLOADS[:whole]
        if cut in ENDS:
            assert damage is None
        else:
            assert damage.offset == ENDS[whole]
            assert damage.reason


def test_a_flipped_bit_anywhere_never_makes_a_wrong_frame() -> None:
    """What is read is always the beginning of what was written."""
    for at in range(len(OCTETS)):
        for bit in range(8):
            spoiled = bytearray(OCTETS)
            spoiled[at] ^= 1 << bit
            payloads, damage = read_frames(bytes(spoiled))
            assert payloads == PAYLOADS[: len(payloads)]
            assert damage.offset == ENDS[len(payloads)]
            assert damage.offset <= at


def test_a_frame_that_claims_more_than_any_may_is_damage() -> None:
    """A length is believed only up to the bound, however long the file is."""
    claim = (FRAME_BYTES_MAX + 1).to_bytes(4, "big") + bytes(4)
    payloads, damage = read_frames(OCTETS + claim + bytes(FRAME_BYTES_MAX + 1))
    assert payloads == PAYLOADS
    assert str(FRAME_BYTES_MAX + 1) in damage.reason


@given(st.binary(max_size=120))
def test_noise_behind_a_record_costs_nothing_before_it(noise: bytes) -> None:
    """A torn write at the end leaves what stood there."""
    payloads, _ = read_frames(OCTETS + noise)
    assert payloads[: len(PAYLOADS)] == PAYLOADS
    assert whole_frames(OCTETS + noise).startswith(OCTETS)
