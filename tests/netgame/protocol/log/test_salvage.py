"""What is left of a damaged journal: all that can be read, and a mark where something is lost."""

from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.log.salvage import salvage
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import (
    JournalFrame,
    RecordEntry,
    RecordStatement,
    Sealed,
    SignedEntry,
    SignedStatement,
)
from netgame.wire.statements import Accept


def own(step: int) -> bytes:
    """The payload of an entry of this step, as it stands in a journal."""
    body = wire.Body(bytes(64), step, bytes(64), 0, 0, wire.Checked(0))
    return encode(RecordEntry(SignedEntry(encode(body), bytes(range(64)))))


def said(poll: int) -> bytes:
    """The payload of what this seat has said in a poll, as it stands in a journal."""
    accept = Accept(bytes(64), poll, 0, bytes(64))
    return encode(RecordStatement(SignedStatement(encode(accept), bytes(range(64)))))


def written(*payloads: bytes) -> bytearray:
    """A journal of these."""
    return bytearray(b"".join(map(frame_payload, payloads)))


def kept(octets: bytes) -> list[str]:
    """What is left: each entry by its step, statements, and what is sealed up to where."""
    payloads, damage = read_frames(salvage(bytes(octets)))
    assert damage is None
    found = []
    for payload in payloads:
        frame = decode_any(payload, JournalFrame)
        match frame:
            case Sealed():
                found.append(f"sealed {frame.step}")
            case RecordStatement():
                found.append("said")
            case RecordEntry():
                found.append(str(decode_any(frame.entry.body, wire.Body).step))
    return found


def flipped(octets: bytearray, at: int) -> bytearray:
    """The same with a bit of this octet flipped."""
    octets[at] ^= 1 << at % 8
    return octets


WHOLE = [own(3), own(4), own(6), own(9)]
FRAME = len(frame_payload(WHOLE[0]))


def test_what_is_sound_stays_as_it_is():
    """Octet for octet."""
    assert salvage(bytes(written(*WHOLE))) == written(*WHOLE)


def test_a_bit_in_the_middle_costs_one_entry():
    """Wherever it is flipped, in checksum or payload: those behind it are kept."""
    for at in range(FRAME + 4, 2 * FRAME, 7):
        assert kept(flipped(written(*WHOLE), at)) == ["3", "sealed 6", "6", "9"]


def test_a_bit_in_the_last_entry_leaves_doubt():
    """Nobody knows which step it was of."""
    for at in range(3 * FRAME + 4, 4 * FRAME, 7):
        assert kept(flipped(written(*WHOLE), at)) == ["3", "4", "6", "sealed None"]


def test_a_bit_in_a_length_costs_nothing():
    """It looks like a torn end if it leads past that of the file; the checksum knows better."""
    for number in range(4):
        for bit in range(32):
            octets = written(*WHOLE)
            octets[number * FRAME + bit // 8] ^= 1 << bit % 8
            assert kept(octets) == ["3", "4", "6", "9"]


def test_two_bits_in_a_frame_cost_it_alone():
    """Where its length leads past the end of the file, what stands behind it is still found."""
    for at in range(FRAME + 4, 2 * FRAME, 7):
        octets = flipped(flipped(written(*WHOLE), FRAME + 2), at)
        assert kept(octets) == ["3", "sealed 6", "6", "9"]


def test_two_bits_in_the_last_entry_leave_doubt_too():
    """One makes it longer than the file; but what is there ends as an entry does."""
    for at in range(3 * FRAME + 50, 4 * FRAME - 70):
        octets = flipped(flipped(written(*WHOLE), 3 * FRAME + 2), at)
        assert kept(octets) == ["3", "4", "6", "sealed None"]


def test_what_a_damaged_frame_holds_is_not_read_as_frames():
    """A joiner's words stand in its host's entry, and may look like whatever it likes."""
    body = wire.Body(bytes(64), 4, bytes(64), 0, 0, wire.Admit(bytes(written(own(77))), bytes(64)))
    octets = written(own(3), encode(RecordEntry(SignedEntry(encode(body), bytes(64)))), own(6))
    assert kept(flipped(octets, FRAME + 30)) == ["3", "sealed 6", "6"]


def test_what_was_written_later_for_an_earlier_step_ends_no_doubt():
    """Others have shown again what a first damage had cost; a second one costs the last entry."""
    once = read_frames(salvage(bytes(flipped(written(*WHOLE), 2 * FRAME + 40))))[0]
    again = written(*once, own(6))
    assert kept(again) == ["3", "4", "sealed 9", "9", "6"]
    at = len(written(*once)) - 40
    assert kept(flipped(again, at)) == ["3", "4", "sealed 9", "sealed None", "6"]


def test_what_a_power_cut_left_was_never_sent():
    """A last frame of which the end never came, or came as zeros: nobody is in doubt for that."""
    for octets in [1, 7, 8, 30, FRAME - 1]:
        for zeros in [False, True]:
            torn = written(*WHOLE)
            del torn[3 * FRAME + octets :]
            if zeros:
                torn += bytes(FRAME)
            assert kept(torn) == ["3", "4", "6"]


def test_nothing_but_zeros_is_nothing():
    """A frame of no octets, with the checksum of nothing, is none."""
    assert kept(written(*WHOLE) + bytes(4096)) == ["3", "4", "6", "9"]


def test_what_was_said_in_a_poll_ends_no_doubt():
    """It is of no step, so it does not tell how far the lost entry was; and it is kept."""
    octets = written(own(3), own(8), said(1))
    assert kept(flipped(octets, FRAME + 40)) == ["3", "sealed None", "said"]


def test_a_lost_statement_is_sealed_like_a_lost_entry():
    """Nobody knows what it was."""
    octets = written(own(3), said(1), own(8))
    assert kept(flipped(octets, FRAME + 40)) == ["3", "sealed 8", "8"]
    assert kept(flipped(written(own(3), said(1)), FRAME + 40)) == ["3", "sealed None"]


def test_each_damage_has_its_own_seal():
    """The last one has nothing behind it."""
    octets = flipped(flipped(written(*WHOLE), FRAME + 40), 3 * FRAME + 40)
    assert kept(octets) == ["3", "sealed 6", "6", "sealed None"]


def test_a_doubt_outlives_another_damage():
    """What was kept after the seal has been shown by others, and is not the last that was."""
    doubt = encode(Sealed(b"", None))
    octets = written(own(3), doubt, own(4), own(5))
    at = len(written(own(3), doubt)) + 40
    assert kept(flipped(octets, at)) == ["3", "sealed None", "sealed None", "5"]
