"""A damaged record keeps its longest good prefix, and never yields a frame that nobody wrote."""

from hypothesis import given
from hypothesis import strategies as st

from netgame.protocol.log.entry import FRAME_HEADER_BYTES, frame_payload, read_frames, whole_frames

PAYLOADS = (b"header", b"1", b"\x00" * 9, b"one entry", bytes(range(40)))
OCTETS = b"".join(frame_payload(payload) for payload in PAYLOADS)
ENDS = [
    sum(FRAME_HEADER_BYTES + len(each) for each in PAYLOADS[:n]) for n in range(len(PAYLOADS) + 1)
]


def test_a_flipped_bit_anywhere_never_makes_a_wrong_frame():
    """If any bit is flipped, exactly the frames before some point are still read, unchanged."""
    for at in range(len(OCTETS)):
        for bit in range(8):
            spoiled = bytearray(OCTETS)
            spoiled[at] ^= 1 << bit
            payloads, damage = read_frames(bytes(spoiled))
            assert payloads == PAYLOADS[: len(payloads)]
            assert damage.offset == ENDS[len(payloads)]
            assert damage.offset <= at


@given(st.binary(max_size=120))
def test_noise_behind_a_record_costs_nothing_before_it(noise):
    """All frames before trailing noise, such as from a torn write, are still read."""
    payloads, _ = read_frames(OCTETS + noise)
    assert payloads[: len(PAYLOADS)] == PAYLOADS
    assert whole_frames(OCTETS + noise).startswith(OCTETS)
