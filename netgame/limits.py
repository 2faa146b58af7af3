"""Every bound of the network side, with its unit and the arithmetic behind it.

A bound is named once, here; `protocol.md` section 8 lists the same names, and a test compares them.
"""

from __future__ import annotations

from typing import Final

PROTOCOL_VERSION: Final = 1
"""Peers of different versions refuse each other before any game byte."""

FRAME_BYTES_MAX: Final = 65_536
"""Body of a frame once authenticated. The largest entry, a proof for 190 tiles, is 163 octets a
tile and 5 points and 4 scalars more (31.3 kB); a deck of 190 is 12.5 kB."""

FRAME_BYTES_MAX_UNAUTHENTICATED: Final = 1_024
"""Body of a frame before the peer has proved its key: the longest, `ClientProof`, is 116."""

ENTRY_BYTES_MAX: Final = 49_152
"""Body of a log entry: the largest honest one (31.3 kB) and half as much again."""

PULL_BYTES_MAX: Final = 60_000
"""Entries put into one answer to a pull, so that the frame stays under `FRAME_BYTES_MAX`."""

HANDSHAKE_TIMEOUT_S: Final = 5.0
"""From accepted connection to proved key; a LAN handshake takes 3 ms."""

FRAME_TIMEOUT_S: Final = 10.0
"""From the first octet of a frame to its last."""

DIAL_TIMEOUT_S: Final = 4.0
"""One attempt to open a connection."""

DIAL_BACKOFF_MIN_S: Final = 0.2
DIAL_BACKOFF_MAX_S: Final = 5.0
"""Pauses between attempts to reach a peer double from the first to the second."""

UNAUTHENTICATED_LINKS_MAX: Final = 8
UNAUTHENTICATED_LINKS_PER_ADDRESS: Final = 2
"""Connections that have not proved a key yet; from loopback only the first bound counts."""

LINKS_MAX: Final = 64
"""Authenticated links of one process: 14 seats, and room for duplicates and the curious."""

SEND_QUEUE_FRAMES_MAX: Final = 256
"""Frames waiting for one slow peer; then the link is dropped and catches up after redialling."""

PORT_DEFAULT: Final = 4747
PORTS_TRIED: Final = 32
"""A host takes the first free port from the default on."""

PING_S: Final = 2.0
SUSPECT_S: Final = 6.0
DROP_S: Final = 15.0
"""A link is pinged this often, shown as doubtful, and dropped after so long without a frame."""

HEAD_S: Final = 1.0
"""Heads are exchanged this often even when nothing changes, so that a lost frame heals."""

HEAD_DELAY_S: Final = 0.04
"""A changed head is told after this pause, so that a burst of entries costs one message."""

LEAVE_AFTER_S: Final = 10.0
"""A process leaves a finished game after this long, even if it cannot see that all are done."""

SEATS_MIN: Final = 2
SEATS_MAX: Final = 14
NAME_CELLS_MAX: Final = 20
"""Longest display name, in terminal cells."""

CHAT_CHARS_MAX: Final = 300
CHAT_BURST: Final = 5
CHAT_PER_S: Final = 0.5
"""A peer may chat five lines at once and one every two seconds in the long run."""

ADDRESSES_MAX: Final = 8
ADDRESS_CHARS_MAX: Final = 64
"""Addresses in a join request."""

LOG_STEPS_MAX: Final = 200_000
"""A 14-seat double-18 game of 19 rounds has about 19 * (190 * 2 + 14 + 6) = 7,600 steps."""

HELD_ENTRIES_MAX: Final = 512
"""Entries held because they are of a later step than the next: a few steps of 14 seats."""

HELD_EVIDENCE_MAX: Final = 16
"""Pieces of evidence that wait for the log to reach their step."""

RECORD_BYTES_MAX: Final = 256 * 1024 * 1024
"""Largest record that is read; a full 8-seat double-12 game is about 4 MB."""
