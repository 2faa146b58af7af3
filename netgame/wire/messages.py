"""Every message, declared once: its tag, its fields, and the limits of each field.

Five families, each a closed union of arrays `[tag, field, …]`:

* `ChannelMessage` proves keys within the channel, before anything else [peer.md §1];
* `LinkMessage` is what two peers send on a proved link [peer.md §2];
* `StreamMessage` is what a link carries for other peers [peer.md §2];
* `Payload` is the content of a log entry, inside the signed `Body` [protocol.md §4]; `payloads`
  declares them, and this module exports their names too;
* `RecordFrame` is a frame of a file [protocol.md §6.1].

All are msgpack arrays without maps. Unknown tags, unknown fields and wrong lengths do not decode.
"""

from typing import Annotated

from msgspec import Meta

from netgame import limits
from netgame.wire import fields, payloads
from netgame.wire.fields import CHAIR as CHAIR
from netgame.wire.payloads import *  # noqa: F403  (whoever reads messages finds all of them here)

# ---- channel: before keys are proved ------------------------------------------------------


class ServerHello(fields.Message):
    """Server to client, first: its key, and a signature that proves it in this handshake."""

    key: fields.Key
    signature: fields.Signature
    table: fields.TableName
    """The table at which the server sits; empty if none."""
    number: Annotated[int, Meta(ge=0, le=limits.CODE_NUMBER_MAX)]
    """The number of the join code that strangers need there; 0 if they need none."""


class ClientProof(fields.Message):
    """Client to server: its key, and a signature that proves it in this handshake."""

    key: fields.Key
    signature: fields.Signature
    opening: Annotated[bytes, Meta(max_length=33)]
    """The first message of SPAKE2; empty without a join code."""


class CodeAnswer(fields.Message):
    """Server to client: the second message of SPAKE2."""

    message: fields.PointOctets


class CodeProof(fields.Message):
    """Client to server, then server to client: proof that the sender knows the join code."""

    proof: fields.Octets32


class Verdict(fields.Message):
    """Server to client: `ok`, or the code and the sentence of a refusal."""

    code: fields.Word
    text: fields.ShortText


ChannelMessage = ServerHello | ClientProof | CodeAnswer | CodeProof | Verdict


# ---- link: between two proved peers -------------------------------------------------------


class SignedEntry(fields.Array):
    """A log entry as sent and stored: an encoded `Body` and its author's signature."""

    body: fields.Blob
    signature: fields.Signature


Batch = Annotated[tuple[SignedEntry, ...], Meta(max_length=4_096)]
EntryPair = Annotated[tuple[SignedEntry, ...], Meta(max_length=2)]


class SignedStatement(fields.Array):
    """A statement of a poll as sent and stored: encoded, with its author's signature."""

    body: Annotated[bytes, Meta(max_length=limits.STATEMENT_BYTES_MAX)]
    signature: fields.Signature


StatementBatch = Annotated[tuple[SignedStatement, ...], Meta(max_length=512)]


class Hello(fields.Message):
    """First on every link, both ways: the sender's table; empty if it has none yet.

    `life` is random octets of the sender's process: two programs that play with one key differ in
    it.
    """

    table: fields.TableName
    life: Annotated[bytes, Meta(max_length=limits.LIFE_BYTES)] = b""


class JoinAsk(fields.Message):
    """A joiner to the host, or in a game to every member: its signed `JoinRequest`, as octets."""

    request: fields.Request
    signature: fields.Signature


class JoinAnswer(fields.Message):
    """The reason why the receiver has no seat, or none yet: a code with its numbers.

    It usually follows a request. A joiner that is given a seat in the lobby gets no answer: it
    finds its seat in the log.
    """

    code: fields.Word
    numbers: Annotated[tuple[fields.Number, ...], Meta(max_length=4)] = ()


class Watch(fields.Message):
    """The name of a peer that has no seat and wants none; withdraws an earlier request."""

    name: fields.Name


class Guests(fields.Message):
    """Member to member: the keys of all peers without a seat that the sender has let in."""

    keys: Annotated[tuple[fields.Key, ...], Meta(max_length=limits.WATCHERS_MAX)]


class Head(fields.Message):
    """The end of the sender's log."""

    step: fields.Step
    """The step that is due."""
    digest: fields.Digest
    """The digest of the step before."""
    filled: fields.Mask
    """Bit s is set if the slot of author s is filled; the host in the lobby has bit 255."""
    polls: fields.Poll
    """The number of polls that the log has decided, in all epochs together."""


class Pull(fields.Message):
    """Asks for entries from this step on, as many as fit one frame."""

    step: fields.Step
    filled: fields.Mask
    """A mask as in `Head`: the asker has these slots of the step and does not need them. This is
    how a step larger than a frame arrives in parts."""
    polls: fields.Poll
    """Also asks for the certificates of polls from this number on; they follow in `Statements`."""


class Pulled(fields.Message):
    """The answer to a pull: entries in log order; empty if there are none that the asker lacks."""

    entries: Batch


class Entries(fields.Message):
    """Entries that nobody asked for: an author's new ones, or the receiver's own.

    The receiver's own are entries that it signed but the sender's head lacks; a peer gets them when
    it connects.
    """

    entries: Batch


class Statements(fields.Message):
    """Statements on who goes on: from the open poll, or the certificate of a decided one."""

    statements: StatementBatch


class Missed(fields.Message):
    """The seats that the sender would go on without; unsigned and not binding."""

    id: fields.Digest
    """The id of the present epoch."""
    seats: fields.Mask
    """A mask of those seats."""
    followed: fields.Mask = b""
    """The seats among `seats` that it misses only because others do."""
    taken_back: fields.Mask = b""
    """Seats that its player named earlier and is now willing to wait for."""


PassedWishes = Annotated[
    tuple[tuple[fields.Author, fields.Mask], ...], Meta(max_length=limits.SEATS_MAX)
]


class InTouch(fields.Message):
    """Member to a peer without a seat: which seats the sender can reach, and their wishes."""

    id: fields.Digest
    """The id of the present epoch."""
    seats: fields.Mask
    """A mask of the seats within reach."""
    wishes: PassedWishes
    """Seats, each with a mask of the seats that it has told the sender it would go on without."""


class Evidence(fields.Message):
    """Entries or statements that prove a fault; the receiver judges them itself."""

    entries: EntryPair
    statements: StatementBatch = ()


class ChatLine(fields.Array):
    """A line of talk to a table; it is in no log."""

    table: fields.Digest
    """The table's id."""
    life: Annotated[bytes, Meta(max_length=limits.LIFE_BYTES)]
    """The `life` of the author's `Hello`."""
    number: fields.Number
    """Counts the lines of this process, from 1."""
    name: fields.Name
    """The author's name, if no log has it."""
    text: Annotated[str, Meta(max_length=limits.CHAT_CHARS_MAX)]


class Chat(fields.Message):
    """A `ChatLine`, as octets, from its author or passed on by another peer."""

    line: Annotated[bytes, Meta(max_length=1_600)]
    author: fields.Key
    signature: fields.Signature


class Again(fields.Message):
    """The sender's player wants another game with the same company."""

    opens: bool
    """They open the table for it."""


class Rival(fields.Message):
    """Tells the receiver that another process with its key already had a link here."""


class Ping(fields.Message):
    """Asks whether the link is alive."""


class Pong(fields.Message):
    """Answers a ping."""


LinkMessage = (
    Hello | JoinAsk | JoinAnswer | Watch | Guests | Head | Pull | Pulled | Entries | Statements
    | Missed | InTouch | Evidence | Chat | Again | Rival | Ping | Pong
)  # fmt: skip


# ---- streams: carried for two peers that have no link to each other -----------------------


class StreamOpen(fields.Message):
    """Asks for a stream to the peer with this key; without a key, offers a forwarded stream."""

    number: fields.StreamNumber
    """The sender's number for this stream. All other messages use the receiver's number."""
    key: fields.MaybeOctets32


class StreamOpened(fields.Message):
    """The stream is open."""

    number: fields.StreamNumber
    own: fields.StreamNumber
    """The sender's number."""


class StreamRefused(fields.Message):
    """There is no such stream, and its number is free again."""

    number: fields.StreamNumber
    code: fields.Word


class StreamData(fields.Message):
    """The next octets of a stream; they use up that much of the credit the receiver has given."""

    number: fields.StreamNumber
    octets: Annotated[bytes, Meta(min_length=1, max_length=limits.STREAM_PIECE_BYTES_MAX)]


class StreamWindow(fields.Message):
    """Gives credit for more octets: the sender has taken that many."""

    number: fields.StreamNumber
    more: Annotated[int, Meta(ge=1, le=limits.STREAM_WINDOW_BYTES)]


class StreamEnd(fields.Message):
    """No octets follow in this direction."""

    number: fields.StreamNumber


class StreamClose(fields.Message):
    """Nothing more follows; once both sides have sent it, the stream is gone."""

    number: fields.StreamNumber


StreamMessage = (
    StreamOpen | StreamOpened | StreamRefused | StreamData | StreamWindow | StreamEnd | StreamClose
)


class Body(fields.Array):
    """The octets that an entry's signature covers.

    An honest seat signs one body for each id, step and seat.
    """

    id: fields.Digest
    """The id of the epoch."""
    step: fields.Step
    prev: fields.Digest
    """The digest of the step before."""
    seat: fields.Author
    """255 for the host in the lobby."""
    poll: fields.Poll
    """The poll of the epoch that was open when the author signed."""
    payload: payloads.Payload


# ---- record: the frames of a file ---------------------------------------------------------


class RecordHeader(fields.Message, tag="boneyard-record"):
    """First frame of a record: the version of the protocol under which it was written."""

    version: fields.Version


class RecordEntry(fields.Message, tag="entry"):
    """An entry of the log."""

    entry: SignedEntry


class RecordStatement(fields.Message, tag="statement"):
    """A statement that helped to decide a poll."""

    statement: SignedStatement


class EvidenceFrame(fields.Message, tag="evidence-of"):
    """Last frame of an evidence file: the code of the check that failed, and the proof."""

    check: fields.Word
    entries: EntryPair
    statements: StatementBatch = ()


RecordFrame = RecordHeader | RecordEntry | RecordStatement | EvidenceFrame


class Doubt(fields.Message):
    """Before this the journal's key may have signed something that the journal lacks.

    With `is_over`, anything it signed belongs to an epoch that is closed now. The last doubt in the
    file counts.
    """

    is_over: bool


class Sealed(fields.Message):
    """An opening that the journal's key commits to next, without tokens, proof and claim."""

    opening: payloads.Opening


JournalFrame = RecordEntry | RecordStatement | Doubt | Sealed
