"""Every limit of the network side that others notice, with its unit and the arithmetic behind it.

Each limit is declared once, here; a pause that only this program notices is declared where it is
used. `docs/make_protocol.py` makes the tables of limits from this module: the limits in
`EVERY_READER` go to `protocol.md`, all others to `docs/peer.md`.
"""

from collections.abc import Mapping
from typing import Final

# ---- Frames

PROTOCOL_VERSION: Final = 4
"""Peers of different versions refuse each other before any octet of the game."""
FRAME_BYTES_MAX: Final = 65_536
"""Body of a frame once its peer has proved a key. The largest entry, a proof for 190 tiles, has 163
octets a tile plus 5 points and 4 scalars (31.3 kB); a deck of 190 has 12.5 kB."""
FRAME_BYTES_MAX_UNAUTHENTICATED: Final = 1_024
"""Body of a frame before the peer has proved its key; the longest, a `Verdict`, has 942 octets."""
HANDSHAKE_BYTES_MAX: Final = FRAME_BYTES_MAX_UNAUTHENTICATED + 16
"""A message of the channel before the peer has proved its key: a frame and the tag over it."""
FRAME_TIMEOUT_S: Final = 10.0
"""From the first octet of a frame to its last."""
READ_BYTES_UNPROVED: Final = 4_096
READ_BYTES: Final = 65_536
"""Octets read from a connection at a time, before its peer has proved a key and after."""

# ---- Connections, until their peer has proved a key

PORT_DEFAULT: Final = 4747
PORTS_TRIED: Final = 32
"""A host takes the first free port, starting from the default."""
ADDRESSES_MAX: Final = 8
ADDRESS_CHARS_MAX: Final = 64
"""Addresses in a join request, and the length of each."""
DIAL_TIMEOUT_S: Final = 4.0
"""One attempt to open a connection."""
DIAL_BACKOFF_MIN_S: Final = 0.2
DIAL_BACKOFF_MAX_S: Final = 2.0
"""Pauses between attempts to reach a peer double from the first value to the second."""
RACE_DELAY_S: Final = 0.25
"""After this long the program tries a peer's next address, while earlier attempts go on."""
HUNG_UP_PAUSE_MIN_S: Final = 0.5
HUNG_UP_PAUSE_MAX_S: Final = 4.0
HUNG_UP_TRIES: Final = 10
"""If a door hangs up, the client tries this often in all, with pauses that double from the first
value to the second. Chance shortens each by up to a half, so the pauses add up to between 14 and 28
s."""
HANDSHAKE_TIMEOUT_S: Final = 10.0
"""From the accepted connection to the proved key; a LAN handshake takes 3 ms."""
UNAUTHENTICATED_LINKS_MAX: Final = 64
"""Connections that have not proved a key yet: fifty guests at once, and some strangers."""
DOOR_TURNS_MAX: Final = 16
DOOR_TURNS_PER_ADDRESS: Final = 2
"""Of these connections, those that the door serves at a time, in all and from one address; for this
computer only the first limit applies. A code takes little more than four times `CODE_ANSWER_S`, so
some 35 guests a second come in."""
DOOR_SILENT_S: Final = 0.75
DOOR_WAIT_S: Final = 5.0
"""The time a client may say nothing at a full door, and the time it may wait for a turn at all."""
UNAUTHENTICATED_GRACE_S: Final = 4.0
"""While others wait, a turn ends after this long. A host eight times slower or busier than ours
still hears sixteen codes in time, and an attacker that holds all turns in silence lets four a
second pass."""
ACCEPT_PAUSE_S: Final = 0.1
"""If the system runs out of descriptors or memory, the next connection is accepted after this
long."""
VERDICT_CODE_CELLS_MAX: Final = 32
VERDICT_TEXT_CELLS_MAX: Final = 160
"""The most that is shown of a refusal, in terminal cells: a `Word`, and a sentence of two lines."""

# ---- Join codes

CODE_NUMBER_MAX: Final = 99
"""The number of a join code tells the codes of a room apart; it is not secret."""
CODE_TRIES_PER_ADDRESS: Final = 3
"""Wrong tries from one address before the table draws a new code and the address has to wait."""
CODE_TRIES_MAX: Final = 8
"""Wrong tries at one code from all addresses before the table draws a new one."""
CODE_WAIT_S: Final = 60.0
"""The time an address must wait after it has used up its tries."""
CODE_ANSWER_S: Final = 0.1
"""A message that depends on a join code leaves a whole number of these after the message that it
answers. The work takes about 20 ms a side, for any code; five times as much fits in, and a slower
computer, or several runs at once, show only how many of these it took."""
CODE_RUNS_BURST: Final = 4
CODE_PAUSE_S: Final = 1.0
"""Tries from one address, finished or not: this many at once, and one per this time in the long
run. A try costs the host about 20 ms of work."""
CODE_WRONG_BURST: Final = 24
CODE_WRONG_PER_S: Final = 1 / 30
"""Wrong tries in all, at once and in the long run; beyond, no newcomer may try. Over a party of
eight hours that makes 984 of 65,536, one chance in 67, for an attacker who never stops."""
CODE_ADDRESSES_MAX: Final = 256
"""Addresses whose tries are remembered; further ones wait until one is forgotten."""

# ---- The page for browsers

PAGE_CONNECTIONS_MAX: Final = 64
PAGE_CONNECTIONS_PER_ADDRESS_MAX: Final = 16
"""Connections of browsers at once, in all and from one address: a browser opens six. One more
replaces an idle one of its own address, or one of the address with the most."""
PAGE_SILENT_S: Final = 1.0
"""The time a browser may ask for nothing when every place is taken and each address has one."""
PAGE_HEAD_BYTES_MAX: Final = 8_192
PAGE_HEADERS_MAX: Final = 64
"""A request, which has no body; one read's worth of octets may come on top of the first limit. A
browser sends some 500 octets in 15 lines."""
PAGE_REQUESTS_MAX: Final = 100
"""Requests over one connection; a browser asks for a dozen parts or so."""
PAGE_REQUEST_S: Final = 10.0
"""From the opening of a connection, or the end of the last answer, to a whole request."""
PAGE_RESPONSE_S: Final = 60.0
"""Time to take one answer: 4 MB at the 70 kB/s of a bad Wi-Fi that many phones share."""
PAGE_LINGER_S: Final = 1.0
PAGE_LINGER_BYTES_MAX: Final = 65_536
"""The time for which, and the octets up to which, the page still reads a connection after its last
answer; otherwise octets on their way would make the system throw that answer away."""
PAGE_STREAMS_WAITING_MAX: Final = 16
"""Streams that browsers have opened and the program has not accepted yet; it does so at once."""
PAGE_MESSAGE_BYTES_MAX: Final = 65_536
"""A message of a WebSocket, in either direction."""
PAGE_READ_BYTES: Final = 8_192
"""Octets read of a WebSocket at a time: a thousand messages of an octet, 10 ms of work."""
PAGE_PORTS_TRIED: Final = 16
"""Ports that are drawn before the program gives up looking for a free one."""
PAGE_PARTS_MAX: Final = 256
PAGE_BYTES_MAX: Final = 64 * 1024 * 1024
"""Parts of a page, and their octets, compressed and not; the first page had 12 MB compressed."""

PIPES_MAX: Final = 8
PIPES_PER_ADDRESS_MAX: Final = 4
"""Streams of browsers that a guest's page pipes to the host at once, in all and from one address:
one for each tab, and some that are dead but not yet known to be."""
PIPES_BURST: Final = 8
PIPES_PER_S: Final = 2.0
"""Beginnings of such streams, at once and in the long run; others wait, for 4 s at most. The host
counts them all as the guest's, or as its own if both are one computer: its door limits no rate
there."""
PIPE_QUIET_S: Final = 150.0
"""A stream on which nothing has come for this long is dead at both ends: a quiet link is pinged
every `PING_QUIET_S`."""

# ---- Links

LINKS_MAX: Final = 64
"""Authenticated links of one process: 14 seats, and room for duplicates and watchers."""
LINKS_KEPT: Final = 16
"""Links of these that are reserved for members, our bots and known peers: strangers never take
all."""
HELLO_S: Final = 10.0
"""A link ends after this long if its other side has not named its table."""
LINK_SETTLED_S: Final = 5.0
"""If two links to one peer begin further apart than this, they were not dialled at the same time:
the second means that the first is dead."""
PING_S: Final = 6.0
PING_QUIET_S: Final = 60.0
DROP_S: Final = 15.0
"""While a frame is due, a link is pinged every `PING_S` until one comes, and dropped after
`DROP_S`. A frame is due after any that we send, always from a peer that sits, and otherwise after
`PING_QUIET_S`. The clock is checked every `CLOCK_CHECK_S`, so a player shows as away at most 16 s
after their last frame."""
UNANSWERED_S: Final = 20.0
"""If the table waits this long for an answer, everybody reads whose it is: a phone may be asleep.
The time is `DROP_S`, a second until a link is looked at, and time for it to come back."""
SUSPECT_S: Final = 6.0
"""A peer that has just found us again may say for this long that it misses others."""
DRAIN_TIMEOUT_S: Final = 1.0
"""A link that is being closed gets this long to deliver its queue."""
SEND_QUEUE_FRAMES_MAX: Final = 256
"""Frames waiting for one slow peer; beyond, the link is dropped, and the peer catches up on a new
one."""
SEND_QUEUE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The same limit in octets: a busy deal of 14 seats queues about 0.5 MB."""
LINK_BYTES_PER_S: Final = 4 * 1024 * 1024
LINK_BYTES_BURST: Final = 8 * 1024 * 1024
LINK_FRAMES_PER_S: Final = 500
LINK_FRAMES_BURST: Final = 2_000
"""Octets and frames read from one peer, in the long run and at once; anything beyond is read more
slowly. The limits on frames also apply to reads of its stream."""
FLOOD_S: Final = 3.0
FLOOD_SHARE: Final = 0.5
"""A link that was slowed down for `FLOOD_S` is flooding, and is dropped; this share of all time is
forgiven."""
FLOOD_BAN_S: Final = 60.0
"""A peer whose link was dropped for flooding gets no other for this long."""
STREAMS_PER_LINK_MAX: Final = 32
"""Forwarded streams over one link: to and from the other 12 of 14 seats, and some that are
closing."""
STREAM_PIECE_BYTES_MAX: Final = 16_384
"""A piece of a forwarded stream: a frame of the link's own waits for at most one, 1 ms at 16
MiB/s."""
STREAM_WINDOW_BYTES: Final = 65_536
"""Octets of a forwarded stream that its receiver has yet to take: as many as one message of the
channel. Twice as many wait at each end, some 20 MB if one seat forwards all 78 pairs of 14
seats."""
STREAM_FRAMES_PER_S: Final = 200
STREAM_FRAMES_BURST: Final = 400
STREAM_BYTES_PER_S: Final = 2 * 1024 * 1024
STREAM_BYTES_BURST: Final = 4 * 1024 * 1024
"""Frames and octets of all forwarded streams that we send over a link, in the long run and at once.
They are at most half of what the other side reads there, so forwarded peers never make their
forwarder flood."""
STREAM_OPENS_PER_S: Final = 4.0
STREAM_OPENS_BURST: Final = 32
"""Streams that a peer may ask for: 12 seats, each every `FORWARD_AGAIN_S`."""
STREAM_REPLIES_MAX: Final = 256
"""Answers about forwarded streams that wait for a slow peer, like `SEND_QUEUE_FRAMES_MAX`."""
FORWARD_AFTER_S: Final = 2.0
FORWARD_AGAIN_S: Final = 5.0
"""When all addresses of a peer have failed for the first time, we wait for the first of these
before we ask others to forward a stream to it, and for the second before we ask again."""
DIRECT_AGAIN_S: Final = 30.0
"""The time between two attempts to dial a peer that has a forwarded link."""
FORWARDER_ENDS_MAX: Final = 3
FORWARDER_ENDS_PER_S: Final = 1 / 60
"""Links to a peer by one forwarder that may fail, at once and in the long run; beyond, we do not
ask it. An evening of bad Wi-Fi has more than three, and one more costs a handshake."""
UNPROVED_PER_FORWARDER_MAX: Final = 4
"""Streams by one forwarder that have not proved a key yet: each does so in milliseconds."""
INBOX_MAX: Final = 256
"""Inputs that wait for the core; beyond, the links are not read."""
CLOCK_CHECK_S: Final = 1.0
"""The time between two comparisons of the clocks, and two checks of the links."""
SLEEP_GAP_S: Final = 5.0
"""If the clock that runs on during sleep gained this much on the other, the computer slept."""

# ---- Tables on the network

RESCAN_S: Final = 3.0
"""The time between two scans of the network interfaces, for those that came up later."""
RESOLVE_TIMEOUT_S: Final = 1.5
RESOLVERS_MAX: Final = 8
"""A name heard by mDNS is looked up for this long, and this many at once, in a thread each."""
PROBE_S: Final = 5.0
PROBE_TIMEOUT_S: Final = 1.0
"""A table found by mDNS is listed once a TCP connection to it succeeds, and probed again every
`PROBE_S`; a probe may take `PROBE_TIMEOUT_S`."""
TABLES_FOUND_MAX: Final = 64
"""Tables remembered while browsing; further ones are ignored."""
FOUND_GRACE_S: Final = 0.3
"""After the first table was found, others get this long to show up too."""
ADVERT_VALUE_BYTES_MAX: Final = 200
"""One value of an advertisement; mDNS itself allows 255 with its name."""
ADVERT_PAUSE_S: Final = 0.2
"""Changes of an advertisement within this time go out as one."""
SURVEY_HEAR_S: Final = 2.0
"""Our own advertisement has this long to come back; on a healthy network it takes 0.5 s."""
SURVEY_TABLES_S: Final = 2.5
"""Tables have this long to show up in a survey, and to answer their probe."""

# ---- People at a table

SEATS_MIN: Final = 2
SEATS_MAX: Final = 14
NAME_CELLS_MAX: Final = 20
"""Longest display name, in terminal cells."""
CHAT_CHARS_MAX: Final = 300
CHAT_BURST: Final = 5
CHAT_PER_S: Final = 0.5
"""A peer may chat five lines at once, and one every two seconds in the long run."""
LIVES_HEARD_MAX: Final = 8
"""Processes of one key whose last chat line is remembered, so that it is shown once."""
STRANGERS_HEARD_MAX: Final = 64
"""Keys outside the table for which the same is remembered."""
STRANGER_LINES_BURST: Final = 32
STRANGER_LINES_PER_S: Final = 0.25
"""All outsiders together put 32 lines on a screen at once, by talk, by coming and going or by
breaking the protocol, and one every four seconds in the long run: keys are free."""
LEFT_OUT_S: Final = 30.0
"""A player is told at most once in this time how many such lines were left out."""
LATECOMERS_MAX: Final = SEATS_MAX - 1
"""The seats that can be given between two rounds: all but the chair's, so no old seat is left out.
The requests go into one entry: 1.1 kB each at most, 14.3 kB in all."""
WATCHERS_MAX: Final = 16
"""Strangers that a member serves once the game has begun, including those that want a seat."""
WATCHERS_TOLD_MAX: Final = 64
"""Watchers whose coming and going a player is told; beyond, it is not shown."""
WATCHERS_GRACE_S: Final = 2.0
"""At the end of a game a peer stays this long for watchers that lack its last entries."""
HOST_GONE_S: Final = 10.0
"""After this long without a link to the host, the first present seat announces the table."""
LEAVE_AFTER_S: Final = 10.0
"""A process leaves a finished game after this long, even if it cannot see that all are done."""
CALL_S: Final = 3.0
"""Time for people to announce a last tile, or to catch a silent player, after the turn that left
it."""

# ---- What one key may ask for

KEYS_COUNTED_MAX: Final = 1_024
"""Allowances kept, one for each key and kind of cost, until full again; other keys share one."""
WISHES_BURST: Final = 24
WISHES_PER_S: Final = 0.5
"""Requests for a seat, and their withdrawals, from one key: an honest one makes one a link and a
round."""
ADMISSIONS_BURST: Final = 8
ADMISSIONS_PER_S: Final = 1 / 30
LOBBY_BURST: Final = 128
LOBBY_PER_S: Final = 0.2
LOBBY_STEPS_MAX: Final = 2_048
"""Seats given in a lobby, to one key and to all, and the step from which only the start is
written."""
PULLS_BURST: Final = 512
PULLS_PER_S: Final = 20
"""Frames of entries sent to one key, at once and a second; a record of 4 MB fills 70 of them."""
PULL_BYTES_MAX: Final = 60_000
"""Octets of entries in one answer to a pull, so that the frame stays under `FRAME_BYTES_MAX`."""
EVIDENCE_BURST: Final = 8
EVIDENCE_PER_S: Final = 0.1
"""Messages of evidence from one key that are judged, and the most that a new link is shown."""
BODIES_PER_SLOT_MAX: Final = 16
"""Bodies for one slot that are judged from one sender. An honest one sends only what is in its
log."""
STATEMENTS_BURST: Final = 256
STATEMENTS_PER_S: Final = 4
"""Statements of one seat that are judged in polls, at once and a second, no matter who sends them:
an honest one signs some three for a ballot, and 64 ballots an hour at most."""
MISSED_BURST: Final = 32
MISSED_PER_S: Final = 0.5
"""Changes to the seats that one key misses, at once and a second."""
NEEDLESS_BURST: Final = 16_384
NEEDLESS_PER_S: Final = 100
NEEDLESS_GUEST_BURST: Final = 2_048
NEEDLESS_GUEST_PER_S: Final = 10
"""Entries from one key that were no news, 10 us each, at once and a second; beyond, it floods us. A
peer whose log is searched for a fork sends all of it, some 12,000; a seat asks guests for few or
none."""
HELD_PER_PEER_MAX: Final = 256
"""The share of `HELD_ENTRIES_MAX` that one peer may use."""

# ---- The log, and who goes on

ENTRY_BYTES_MAX: Final = 32_256
"""Body of a log entry: the largest honest one is 31,414. Two must fit one frame with their
signatures (64,663), because two entries prove a fork, no matter what the second contains."""
LOG_STEPS_MAX: Final = 200_000
"""A 14-seat double-18 game of 19 rounds has about 19 * (190 * 2 + 14 + 6) = 7,600 steps."""
HELD_ENTRIES_MAX: Final = 512
"""Entries held because their step is later than the due one: a few steps of 14 seats."""
ENTRIES_AT_HAND: Final = 32
"""Entries kept in memory although they are on disk: two steps of 14 seats, and late ones."""
LIFE_BYTES: Final = 16
"""Random octets that a process draws when it starts: no two ever draw the same."""
HEAD_S: Final = 1.0
CLAIM_S: Final = 8.0
"""A peer that claims more of the log is out of reach once ours has not grown for this long."""
REQUESTS_KEPT: Final = 16
"""Own requests for a seat by which a process recognizes its seat."""
HEAD_QUIET_S: Final = 300.0
"""We tell our head every `HEAD_S` to a peer with another head, so that a lost frame heals, and
every `HEAD_QUIET_S` to one with the same. A peer that repeats its head is told ours at once, unless
we did so within half a `HEAD_S`."""
HEAD_DELAY_S: Final = 0.04
HEAD_TURN_S: Final = 0.25
"""A changed head is told after the first pause, once for a burst of entries. In play it goes to one
seat, and after each further pause, of the second length, to the next, until all have heard and told
it."""
NEWCOMER_S: Final = 30.0
NEWCOMER_STEP_S: Final = 5.0
"""A player who owes a first signature on the roster or the coin is given up without a vote if
`NEWCOMER_S` has passed since the seats were given. That is twice `DROP_S`: time to notice a dead
link, and time for it to come back. If the seats are given again without such a player, the time
goes on from the first try; but each step leaves at least `NEWCOMER_STEP_S`."""
IDLE_S: Final = 60.0
FRUITLESS_POLLS_MAX: Final = 3
"""A linked seat may be missed after `IDLE_S` in one step without the entry it owes, and after
having opened this many polls of one epoch in which nobody went. A ballot passes if more than half
of the seats find that; programs with different limits would not follow each other's players."""
STATEMENT_BYTES_MAX: Final = 4_096
"""Body of a statement: a proposal that counts all of 32 seats has 2,200 octets."""
STATEMENTS_PER_SEAT_MAX: Final = 64
"""Statements of one seat kept in a poll, and taken from a record; in an open poll a seat's newer
ones, and those that others go back to, replace its older ones."""
PARTINGS_AHEAD_MAX: Final = 16
"""Partings of an epoch that has not begun here, kept for each sender: one a seat, and two more."""
BALLOT_AHEAD_MAX: Final = 1_000
"""The most by which a ballot's counter may exceed what others have promised, so that nobody can use
up the numbers."""
BALLOT_PAUSE_MIN_S: Final = 2.0
BALLOT_PAUSE_MAX_S: Final = 64.0
"""Between two promises of a seat in one poll, doubling: a liar cannot outbid everybody else."""
BALLOT_WAIT_S: Final = 0.5
"""The owner of a ballot waits this long for promises beyond those of a quorum."""

# ---- The disk

DISK_RETRY_S: Final = 0.5
"""The time between two checks for room by a seat whose disk is full."""
RECORD_BYTES_MAX: Final = 256 * 1024 * 1024
"""Largest record that is read; a full 8-seat double-12 game takes about 4 MB."""
SECRET_BYTES_MAX: Final = 4_096
NOTES_BYTES_MAX: Final = 16_384
"""The most that is read of a key or secret, which has 32 octets, and of a table's notes, which have
some hundred."""
KNOWN_PEERS_MAX: Final = 1_000
"""Peers remembered, about 200 octets each; those seen longest ago are forgotten first."""
FORGERS_NAMED_MAX: Final = 8
"""Senders of wrong signatures that one process names to its person."""
EVIDENCE_FILES_MAX: Final = 16
EVIDENCE_BYTES_MAX: Final = 64 * 1024 * 1024
"""Evidence kept in a table's folder, the newest first."""

# ---- Proofs

POINTS_REMEMBERED_MAX: Final = 32_768
"""Points cached in their long form, 9 MB: a deal of 14 seats and 190 tiles has about 13,500."""
SHUFFLE_TILES_MAX: Final = 190
"""Tiles of the largest set, double-eighteen, and therefore the number of a shuffle's generators."""

# ---- Who must agree on a limit

EVERY_READER: Final[Mapping[str, str]] = {
    "PROTOCOL_VERSION": "5.2, 6.1",
    "FRAME_BYTES_MAX": "6.1",
    "ENTRY_BYTES_MAX": "7.1",
    "STATEMENT_BYTES_MAX": "7",
    "STATEMENTS_PER_SEAT_MAX": "6.1",
    "LOG_STEPS_MAX": "3",
    "ADDRESSES_MAX": "3",
    "ADDRESS_CHARS_MAX": "3",
    "SEATS_MIN": "3",
    "SEATS_MAX": "3, 4.3",
    "LOBBY_STEPS_MAX": "4.4",
    "LATECOMERS_MAX": "4.3",
    "SHUFFLE_TILES_MAX": "5.5",
}
"""Limits on which all readers of a log must agree, with the sections of protocol.md that concern
them. If two readers differ, one convicts what the other accepts, or their logs part."""
BOTH_ENDS: Final = frozenset({
    "FRAME_BYTES_MAX_UNAUTHENTICATED", "FRAME_TIMEOUT_S", "HANDSHAKE_TIMEOUT_S", "CODE_NUMBER_MAX",
    "PORT_DEFAULT", "ADVERT_VALUE_BYTES_MAX", "LIFE_BYTES", "WATCHERS_MAX", "CHAT_CHARS_MAX",
    "STREAM_PIECE_BYTES_MAX", "STREAM_WINDOW_BYTES", "PAGE_MESSAGE_BYTES_MAX",
})  # fmt: skip
"""Limits on which both ends of a link must agree: if they differ, one refuses what the other sends,
or does not find it. All others are a program's own choice."""
