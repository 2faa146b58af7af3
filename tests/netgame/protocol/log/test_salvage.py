"""What is left of a damaged journal: all that can be read, and a mark where something is lost."""

import pytest

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


def own(step):
    """The payload of an entry of this step, as it stands in a journal."""
    body = wire.Body(bytes(64), step, bytes(64), 0, 0, wire.Checked(0))
    return encode(RecordEntry(SignedEntry(encode(body), bytes(range(64)))))


def said(poll):
    """The payload of what this seat has said in a poll, as it stands in a journal."""
    accept = Accept(bytes(64), poll, 0, bytes(64))
    return encode(RecordStatement(SignedStatement(encode(accept), bytes(range(64)))))


def written(*payloads):
    """A journal of these."""
    return bytearray(b"".join(map(frame_payload, payloads)))


def kept(octets):
    """What is left: each entry by its step, statements, and what is sealed up to where."""
    payloads, damage = read_frames(salvage(bytes(octets)))
    assert damage is None
    return ", ".join(map(named, payloads))


def named(payload):
    """One frame of a journal, in a word or two."""
    match decode_any(payload, JournalFrame):
        case Sealed(_, step):
            return f"sealed {step}"
        case RecordEntry(entry):
            return str(decode_any(entry.body, wire.Body).step)
    return "said"


def flipped(octets, *places):
    """The same with a bit of each of these octets flipped."""
    for at in places:
        octets[at] ^= 1 << at % 8
    return octets


WHOLE = [own(3), own(4), own(6), own(9)]
FRAME = len(frame_payload(WHOLE[0]))
SECOND, LAST = (range(n * FRAME + 4, (n + 1) * FRAME, 7) for n in (1, 3))
DOUBT = encode(Sealed(b"", None))
ADMITS = wire.Admit(bytes(written(own(77))), bytes(64))
"""A joiner's words stand in its host's entry, and may look like whatever it likes."""
HOST = encode(wire.Body(bytes(64), 4, bytes(64), 0, 0, ADMITS))
THERE = FRAME + 40

DAMAGES = {
    "a bit in the middle costs one entry": (WHOLE, [(at,) for at in SECOND], "3, sealed 6, 6, 9"),
    "a bit in the last entry leaves doubt": (WHOLE, [(at,) for at in LAST], "3, 4, 6, sealed None"),
    "two bits in a frame, one in its length, cost it alone": (
        WHOLE,
        [(FRAME + 2, at) for at in SECOND],
        "3, sealed 6, 6, 9",
    ),
    "two bits in the last entry leave doubt too, as what is there ends as an entry does": (
        WHOLE,
        [(3 * FRAME + 2, at) for at in range(3 * FRAME + 50, 4 * FRAME - 70)],
        "3, 4, 6, sealed None",
    ),
    "each damage has its own seal": (
        WHOLE,
        [(THERE, 3 * FRAME + 40)],
        "3, sealed 6, 6, sealed None",
    ),
    "what a damaged frame holds is not read as frames": (
        [own(3), encode(RecordEntry(SignedEntry(HOST, bytes(64)))), own(6)],
        [(FRAME + 30,)],
        "3, sealed 6, 6",
    ),
    "what was said in a poll is of no step, so it ends no doubt": (
        [own(3), own(8), said(1)],
        [(THERE,)],
        "3, sealed None, said",
    ),
    "a lost statement is sealed like a lost entry": (
        [own(3), said(1), own(8)],
        [(THERE,)],
        "3, sealed 8, 8",
    ),
    "and leaves doubt where it was the last": ([own(3), said(1)], [(THERE,)], "3, sealed None"),
    "a doubt outlives another damage": (
        [own(3), DOUBT, own(4), own(5)],
        [(len(written(own(3), DOUBT)) + 40,)],
        "3, sealed None, sealed None, 5",
    ),
}
"""A journal, octets of which a bit is flipped, each in turn or several, and what is left."""


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_flipped_bit_costs_what_it_hits_and_no_more(damage):
    """All that can be read is kept, and a seal stands where something is lost."""
    payloads, flips, left = DAMAGES[damage]
    for places in flips:
        assert kept(flipped(written(*payloads), *places)) == left


def test_what_is_sound_stays_as_it_is():
    """Octet for octet."""
    assert salvage(bytes(written(*WHOLE))) == written(*WHOLE)


def test_a_bit_in_a_length_costs_nothing():
    """It looks like a torn end if it leads past that of the file; the checksum knows better."""
    for number in range(4):
        for bit in range(32):
            octets = written(*WHOLE)
            octets[number * FRAME + bit // 8] ^= 1 << bit % 8
            assert kept(octets) == "3, 4, 6, 9"


def test_what_was_written_later_for_an_earlier_step_ends_no_doubt():
    """Others have shown again what a first damage had cost; a second one costs the last entry."""
    once = read_frames(salvage(bytes(flipped(written(*WHOLE), 2 * FRAME + 40))))[0]
    again = written(*once, own(6))
    assert kept(again) == "3, 4, sealed 9, 9, 6"
    at = len(written(*once)) - 40
    assert kept(flipped(again, at)) == "3, 4, sealed 9, sealed None, 6"


@pytest.mark.parametrize("zeros", [0, FRAME])
def test_what_a_power_cut_left_was_never_sent(zeros):
    """A last frame of which the end never came, or came as zeros: nobody is in doubt for that."""
    for octets in [1, 7, 8, 30, FRAME - 1]:
        torn = written(*WHOLE)[: 3 * FRAME + octets]
        assert kept(torn + bytes(zeros)) == "3, 4, 6"
    assert kept(written(*WHOLE) + bytes(4096)) == "3, 4, 6, 9", "a frame of no octets is none"
