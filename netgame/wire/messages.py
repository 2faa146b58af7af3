"""Every message, declared once: its tag, its fields, and the limits of each field.

Five families, each a closed union of arrays `[tag, field, …]`:

* `ChannelMessage` proves the keys of both peers, before anything else is sent [peer.md §1];
* `LinkMessage` is what two peers send each other after that [peer.md §2];
* `StreamMessage` is for streams that a peer forwards between two others [peer.md §2];
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
    """Server to client, first: the server's key and a signature that proves it in the handshake."""

    key: fields.Key
    signature: fields.Signature
    table: fields.TableName
    """The table at which the server sits; empty if none."""
    number: Annotated[int, Meta(ge=0, le=limits.CODE_NUMBER_MAX)]
    """The number of the join code that strangers need at that table; 0 if they need none."""


class ClientProof(fields.Message):
    """Client to server: the client's key and a signature that proves it in this handshake."""

    key: fields.Key
    signature: fields.Signature
    opening: Annotated[bytes, Meta(max_length=33)]
    """The first message of SPAKE2; empty without a join code."""


class CodeAnswer(fields.Message):
    """Server to client: the second message of SPAKE2."""

    message: fields.PointOctets


class CodeProof(fields.Message):
    """Client to server, then server to client: a proof that the sender knows the join code."""

    proof: fields.Octets32


class Verdict(fields.Message):
    """Server to client: the code `ok`, or the code of a refusal and a sentence about it."""

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
    """A statement of a poll as sent and stored: its encoding and its author's signature."""

    body: Annotated[bytes, Meta(max_length=limits.STATEMENT_BYTES_MAX)]
    signature: fields.Signature


StatementBatch = Annotated[tuple[SignedStatement, ...], Meta(max_length=512)]


class Hello(fields.Message):
    """The first message on every link, both ways: the sender's table; empty if it has none yet.

    `life` contains octets that the sender's process drew at random when it started. They tell two
    processes with the same key apart.
    """

    table: fields.TableName
    life: Annotated[bytes, Meta(max_length=limits.LIFE_BYTES)] = b""


class JoinAsk(fields.Message):
    """A joiner to the host, or to every member once a game is on: its signed `JoinRequest`."""

    request: fields.Request
    signature: fields.Signature


class JoinAnswer(fields.Message):
    """The reason why the receiver has no seat, or none yet: a code with its numbers.

    It usually answers a request. A joiner that is given a seat in the lobby gets no such message,
    because it finds its seat in the log.
    """

    code: fields.Word
    numbers: Annotated[tuple[fields.Number, ...], Meta(max_length=4)] = ()


class Watch(fields.Message):
    """The name of the sender, which has no seat and wants none.

    It also withdraws any earlier request for a seat.
    """

    name: fields.Name


class Guests(fields.Message):
    """Member to member: the keys of all peers without a seat that are linked to the sender."""

    keys: Annotated[tuple[fields.Key, ...], Meta(max_length=limits.WATCHERS_MAX)]


class Head(fields.Message):
    """How far the sender's log has come; from this the receiver knows whether to pull."""

    step: fields.Step
    """The step that is due."""
    digest: fields.Digest
    """The digest of the step before."""
    filled: fields.Mask
    """Bit s is set if the log has the entry of author s in the due step. The host in the lobby has
    bit 255."""
    polls: fields.Poll
    """The number of polls that the log has decided, in all epochs together."""


class Pull(fields.Message):
    """Asks for the entries from `step` on, as many as fit into one frame."""

    step: fields.Step
    filled: fields.Mask
    """A mask as in `Head`: the asker already has the entries of these authors in `step`. By this a
    step that is larger than a frame arrives in parts."""
    polls: fields.Poll
    """Also asks for the certificates of polls from this number on; they follow in `Statements`."""


class Pulled(fields.Message):
    """The answer to a pull: entries in log order; empty if the sender has none to add."""

    entries: Batch


class Entries(fields.Message):
    """Entries that nobody asked for: new ones that the sender has signed, or ones of the receiver.

    A peer that connects is sent those of its own entries that the sender has received, but that are
    not part of the sender's head.
    """

    entries: Batch


class Statements(fields.Message):
    """Signed statements from the open poll, or those that decided an earlier one."""

    statements: StatementBatch


class Missed(fields.Message):
    """The seats that the sender would go on without. This is not signed and binds nobody."""

    id: fields.Digest
    """The id of the present epoch."""
    seats: fields.Mask
    """A mask of those seats."""
    followed: fields.Mask = b""
    """The seats among `seats` that the sender would go on without only because others would."""
    taken_back: fields.Mask = b""
    """Seats that its player named earlier and is now willing to wait for."""


PassedWishes = Annotated[
    tuple[tuple[fields.Author, fields.Mask], ...], Meta(max_length=limits.SEATS_MAX)
]


class InTouch(fields.Message):
    """Member to a peer without a seat: the seats that the sender can reach, and their wishes."""

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
    """A line of chat to a table; it is not part of the log."""

    table: fields.Digest
    """The table's id."""
    life: Annotated[bytes, Meta(max_length=limits.LIFE_BYTES)]
    """The `life` of the author's `Hello`."""
    number: fields.Number
    """The number of this line among those of the author's process, from 1."""
    name: fields.Name
    """The name of the author, for readers whose log does not have it."""
    text: Annotated[str, Meta(max_length=limits.CHAT_CHARS_MAX)]


class Chat(fields.Message):
    """A signed and encoded `ChatLine`, from its author or passed on by another peer."""

    line: Annotated[bytes, Meta(max_length=1_600)]
    author: fields.Key
    signature: fields.Signature


class Again(fields.Message):
    """The sender's player wants another game with the same people."""

    opens: bool
    """True if this player opens the table for that game."""


class Rival(fields.Message):
    """Tells the receiver that its link has replaced that of another process with the same key."""


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
    """Asks the receiver to forward a stream to the peer with this key.

    With an empty key, it offers the receiver a stream that the sender forwards from another peer.
    """

    number: fields.StreamNumber
    """The sender's number for this stream. All other messages use the receiver's number."""
    key: fields.MaybeOctets32


class StreamOpened(fields.Message):
    """Answers `StreamOpen`: the stream is open."""

    number: fields.StreamNumber
    own: fields.StreamNumber
    """The sender's own number for the stream."""


class StreamRefused(fields.Message):
    """Answers `StreamOpen`: the stream cannot be opened, and its number is free again."""

    number: fields.StreamNumber
    code: fields.Word


class StreamData(fields.Message):
    """The next octets of a stream; each uses up one octet of the credit that the receiver gave."""

    number: fields.StreamNumber
    octets: Annotated[bytes, Meta(min_length=1, max_length=limits.STREAM_PIECE_BYTES_MAX)]


class StreamWindow(fields.Message):
    """Gives credit for `more` octets, because the sender has taken that many out of the stream."""

    number: fields.StreamNumber
    more: Annotated[int, Meta(ge=1, le=limits.STREAM_WINDOW_BYTES)]


class StreamEnd(fields.Message):
    """The sender will send no more octets on this stream; the other direction stays open."""

    number: fields.StreamNumber


class StreamClose(fields.Message):
    """The sender has closed the stream; once both sides have sent this, the stream is gone."""

    number: fields.StreamNumber


StreamMessage = (
    StreamOpen | StreamOpened | StreamRefused | StreamData | StreamWindow | StreamEnd | StreamClose
)


class Body(fields.Array):
    """The content of an entry; its encoding is what the author signs.

    An honest seat signs only one body for each epoch and step.
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
    """The first frame of a record: the protocol version under which the record was written."""

    version: fields.Version


class RecordEntry(fields.Message, tag="entry"):
    """A frame of a record or a journal with one entry of the log."""

    entry: SignedEntry


class RecordStatement(fields.Message, tag="statement"):
    """A frame of a record or a journal with one statement of a poll."""

    statement: SignedStatement


class EvidenceFrame(fields.Message, tag="evidence-of"):
    """The last frame of an evidence file: the code of the check that failed, and the proof."""

    check: fields.Word
    entries: EntryPair
    statements: StatementBatch = ()


RecordFrame = RecordHeader | RecordEntry | RecordStatement | EvidenceFrame


class Doubt(fields.Message):
    """A frame of a journal: the key may have signed something earlier that the journal lacks.

    With `is_over` this does not matter, because anything that is missing belongs to an epoch that
    is closed. Only the last doubt in the file counts.
    """

    is_over: bool


class Sealed(fields.Message):
    """A frame of a journal: the opening to which the key commits next.

    Its tokens, proof and claim are empty.
    """

    opening: payloads.Opening


JournalFrame = RecordEntry | RecordStatement | Doubt | Sealed
