"""A damaged journal keeps the frames before the damage; only a torn last frame leaves no doubt."""

import pytest

from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.log.mending import mend_journal
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import Doubt, JournalFrame, RecordEntry, RecordStatement
from netgame.wire.statements import Accept

SIGNATURE = bytes(range(64))


def own(step):
    """Return the payload of an entry of this step, as a journal has it."""
    body = wire.Body(bytes(64), step, bytes(64), 0, 0, wire.Checked(0))
    return encode(RecordEntry(wire.SignedEntry(encode(body), SIGNATURE)))


def said(poll):
    """Return the payload of this seat's statement in a poll, as a journal has it."""
    accept = Accept(bytes(64), poll, 0, bytes(64))
    return encode(RecordStatement(wire.SignedStatement(encode(accept), SIGNATURE)))


def written(*payloads):
    """Return a journal of these payloads."""
    return b"".join(map(frame_payload, payloads))


def kept(octets):
    """Mend a journal; return the names of its frames: step numbers, `said`, `doubt`, `no doubt`."""
    payloads, damage = read_frames(mend_journal(octets))
    assert damage is None
    return ", ".join(map(named, payloads))


def named(payload):
    """Return the name of a journal frame: its step number, `said`, `doubt` or `no doubt`."""
    match decode_any(payload, JournalFrame):
        case Doubt(is_over):
            return "no doubt" if is_over else "doubt"
        case RecordEntry(entry):
            return str(decode_any(entry.body, wire.Body).step)
    return "said"


FRAMES = [own(3), said(0), encode(Doubt(is_over=True)), own(6), said(1)]
NAMES = ["3", "said", "no doubt", "6", "said"]
WHOLE = written(*FRAMES)
STARTS = [len(written(*FRAMES[:number])) for number in range(len(FRAMES))]


def test_every_flipped_bit_leaves_a_doubt_behind_what_stands_before_it():
    """A flipped bit anywhere, even in the last frame, leaves a doubt after the frames before it."""
    for at in range(len(WHOLE)):
        number = max(n for n, start in enumerate(STARTS) if start <= at)
        for bit in range(8):
            octets = bytearray(WHOLE)
            octets[at] ^= 1 << bit
            assert kept(bytes(octets)) == ", ".join([*NAMES[:number], "doubt"])


def test_a_doubt_whose_end_is_damaged_lasts():
    """A doubt lasts if the frame that would end it is damaged."""
    payloads = [own(3), encode(Doubt(is_over=False)), own(4), encode(Doubt(is_over=True))]
    octets = bytearray(written(*payloads))
    octets[-1] ^= 1
    assert kept(bytes(octets)) == "3, doubt, 4, doubt"


def test_what_is_sound_stays_as_it_is():
    """Mending leaves a sound journal, or an empty one, unchanged octet for octet."""
    assert mend_journal(WHOLE) == WHOLE
    assert mend_journal(b"") == b""


@pytest.mark.parametrize("zeros", [0, 300, 4096])
def test_what_a_power_cut_left_was_never_sent(zeros):
    """A torn last frame was never sent, so it leaves no doubt, even if zeros follow."""
    size = len(WHOLE) - STARTS[-1]
    for octets in (1, 7, 8, 30, size - 9, size - 1):
        torn = WHOLE[: STARTS[-1] + octets]
        assert kept(torn + bytes(zeros)) == ", ".join(NAMES[:-1])
    assert kept(WHOLE + bytes(zeros)) == ", ".join(NAMES), "a frame of no octets is none"


def test_a_torn_frame_that_has_others_behind_it_leaves_a_doubt():
    """A torn frame with others after it leaves a doubt, because it may have been sent.

    It had been synced before the next was written.
    """
    torn = WHOLE[: STARTS[1] + 40] + bytes(STARTS[2] - STARTS[1] - 40) + WHOLE[STARTS[2] :]
    assert kept(torn) == "3, doubt"
