"""Every message, once: its tag, its fields, and the limits of each field.

Two families, each a closed union of arrays `[tag, field, …]`:

* `LinkMessage` is what two peers say on a proved link [protocol.md §3.3];
* `Payload` is what a log entry holds, `Body` what is signed [protocol.md §4].

What proves keys before any of these is in `greeting`. All are msgpack arrays without maps; unknown
tags, unknown fields and wrong lengths do not decode.
Points are 33 octets, scalars 32, digests 64, keys 32, signatures 64, everywhere.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from netgame.limits import (
    ADDRESS_CHARS_MAX,
    ADDRESSES_MAX,
    CHAT_CHARS_MAX,
    ENTRY_BYTES_MAX,
    LOG_STEPS_MAX,
    OPENING_BOX_BYTES,
    SEATS_MAX,
)

__all__ = [
    "CHAIR",
    "PAYLOADS",
    "Act",
    "Admit",
    "Body",
    "Chat",
    "Checked",
    "Close",
    "CoinCommit",
    "CoinReveal",
    "Deck",
    "Dismiss",
    "Draw",
    "Entries",
    "Evidence",
    "EvidenceFrame",
    "HandOver",
    "Head",
    "Hello",
    "JoinAnswer",
    "JoinAsk",
    "JoinRequest",
    "KeyCommit",
    "KeyOpen",
    "Keys",
    "Lay",
    "LinkMessage",
    "MixHand",
    "Open",
    "OpenTable",
    "Opening",
    "OpeningCommit",
    "OpeningReveal",
    "Pass",
    "Payload",
    "Ping",
    "Pong",
    "Proof",
    "Pull",
    "Pulled",
    "RecordFrame",
    "RecordHeader",
    "Roster",
    "RoundOver",
    "Settings",
    "Shares",
    "SignedEntry",
]

CHAIR: Final = 255
"""The author number of the host while it chairs the lobby; seats count from 0."""

Key = Annotated[bytes, Meta(min_length=32, max_length=32)]
Octets32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
Digest = Annotated[bytes, Meta(min_length=64, max_length=64)]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
TableName = Annotated[bytes, Meta(max_length=64)]
PointOctets = Annotated[bytes, Meta(min_length=33, max_length=33)]
EqualityProof = Annotated[bytes, Meta(min_length=98, max_length=98)]
Blob = Annotated[bytes, Meta(max_length=ENTRY_BYTES_MAX)]
Mask = Annotated[bytes, Meta(max_length=32)]
Word = Annotated[str, Meta(max_length=32)]
ShortText = Annotated[str, Meta(max_length=200)]
Step = Annotated[int, Meta(ge=0, le=LOG_STEPS_MAX)]
Author = Annotated[int, Meta(ge=0, le=CHAIR)]
Pip = Annotated[int, Meta(ge=0, le=18)]
Round = Annotated[int, Meta(ge=0, le=99)]
PositionNumber = Annotated[int, Meta(ge=0, le=65_535)]
Address = Annotated[str, Meta(max_length=ADDRESS_CHARS_MAX)]
Score = Annotated[int, Meta(ge=0, le=65_535)]


class Array(msgspec.Struct, array_like=True, forbid_unknown_fields=True, frozen=True):
    """A message as a msgpack array of its fields, in order."""


# ---- link: between two proved peers -------------------------------------------------------


class SignedEntry(Array, frozen=True):
    """A log entry as it travels and is stored: the signed octets and the signature."""

    body: Blob
    signature: Signature


Batch = Annotated[tuple[SignedEntry, ...], Meta(max_length=4_096)]


class Hello(Array, frozen=True, tag="hello"):
    """First on every link, both ways: the table meant; empty from who has none yet."""

    table: TableName


class JoinAsk(Array, frozen=True, tag="join-ask"):
    """A joiner to the host: a `JoinRequest` as octets, signed by the joiner."""

    request: Annotated[bytes, Meta(max_length=1_024)]
    signature: Signature


class JoinAnswer(Array, frozen=True, tag="join-answer"):
    """The host to a joiner it does not admit: code and sentence."""

    code: Word
    text: ShortText


class Head(Array, frozen=True, tag="head"):
    """Where the sender's log stands: next step, digest of the step before, slots filled so far.

    `filled` has bit s set when the slot of author s (the chair: bit 255) is filled.
    """

    step: Step
    digest: Digest
    filled: Mask


class Pull(Array, frozen=True, tag="pull"):
    """Asks for entries from this step on, as many as fit one frame.

    `filled` is a mask as in `Head`: what the asker has of this step need not come again, so that
    a step that is larger than a frame arrives in parts.
    """

    step: Step
    filled: Mask


class Pulled(Array, frozen=True, tag="pulled"):
    """The answer to a pull: entries in the order of the log; none if there is nothing."""

    entries: Batch


class Entries(Array, frozen=True, tag="entries"):
    """Entries that nobody asked for: an author's new one."""

    entries: Batch


class Evidence(Array, frozen=True, tag="evidence"):
    """Entries that prove a fault; the receiver judges them itself."""

    entries: Annotated[tuple[SignedEntry, ...], Meta(min_length=1, max_length=2)]


class Chat(Array, frozen=True, tag="chat"):
    """A line of talk; stands in no log."""

    text: Annotated[str, Meta(max_length=CHAT_CHARS_MAX)]


class Ping(Array, frozen=True, tag="ping"):
    """Is the link alive?"""


class Pong(Array, frozen=True, tag="pong"):
    """It is."""


LinkMessage = (
    Hello | JoinAsk | JoinAnswer | Head | Pull | Pulled | Entries | Evidence | Chat | Ping | Pong
)


# ---- log: what entries hold ---------------------------------------------------------------


class Settings(Array, frozen=True):
    """What the host offers: the rules by name, the set, and how much of it.

    `switches` and `options` are `name=value`; `rounds` and `hand` 0 mean "as the rules say".
    """

    preset: Word
    switches: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=64)]
    pip_max: Pip
    seats: Annotated[int, Meta(ge=2, le=SEATS_MAX)]
    rounds: Round
    hand: Annotated[int, Meta(ge=0, le=190)]
    options: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=16)] = ()


class JoinRequest(Array, frozen=True):
    """A joiner's own words: which table, who it is, where it listens."""

    table: Digest
    key: Key
    name: Annotated[str, Meta(max_length=64)]
    addresses: Annotated[tuple[Address, ...], Meta(max_length=ADDRESSES_MAX)]
    bot: bool


class OpenTable(Array, frozen=True, tag="open-table"):
    """Chair, step 0: whose table this is and what is played at it."""

    host: Key
    nonce: Octets32
    settings: Settings


class Admit(Array, frozen=True, tag="admit"):
    """Chair: a joiner sits down; its own signed request is inside."""

    request: Annotated[bytes, Meta(max_length=1_024)]
    signature: Signature


class Dismiss(Array, frozen=True, tag="dismiss"):
    """Chair: a joiner has left before the start."""

    key: Key


class Close(Array, frozen=True, tag="close"):
    """Chair: nobody more; the roster is who sits now."""


class Roster(Array, frozen=True, tag="roster"):
    """Every member: I agree to these keys and these rules (their digest)."""

    digest: Digest


class CoinCommit(Array, frozen=True, tag="coin-commit"):
    """Every member: a commitment to 32 secret octets."""

    commitment: Digest


class CoinReveal(Array, frozen=True, tag="coin-reveal"):
    """Every member: the secret octets."""

    secret: Octets32


class KeyCommit(Array, frozen=True, tag="key-commit"):
    """Every seat: a commitment to its key for this round.

    `seed` is one to what its shuffles come from where the table lays seeds open, else empty.
    """

    round: Round
    commitment: Digest
    seed: Annotated[bytes, Meta(max_length=64)]


class KeyOpen(Array, frozen=True, tag="key-open"):
    """Every seat: X, T (points), the commitment's 32 octets, s: key and proof of possession."""

    round: Round
    opening: Annotated[bytes, Meta(min_length=130, max_length=130)]


class Deck(Array, frozen=True, tag="deck"):
    """One seat, in seat order: the deck remasked and reordered, 66 octets a position."""

    round: Round
    deck: Blob


class Proof(Array, frozen=True, tag="proof"):
    """Every seat: the proof that its deck is a reordering of the one before."""

    round: Round
    proof: Blob


class Checked(Array, frozen=True, tag="checked"):
    """Every seat: I have verified every proof of this chain."""

    round: Round


class Shares(Array, frozen=True, tag="shares"):
    """Every seat but the drawer: reveal tokens for positions dealt to others, and their proof."""

    tokens: Annotated[bytes, Meta(max_length=190 * 33)]
    proof: EqualityProof


class Lay(Array, frozen=True, tag="lay"):
    """The seat in turn lays a tile; its own token opens the position for all.

    `tile` names the half that joins first; `on` is the lay it hangs on, -1 the hub.
    """

    position: PositionNumber
    tile: tuple[Pip, Pip]
    train: Annotated[int, Meta(ge=-16, le=SEATS_MAX)]
    on: Annotated[int, Meta(ge=-1, le=400)]
    token: PointOctets
    proof: EqualityProof


class Draw(Array, frozen=True, tag="draw"):
    """The seat in turn draws, with the proof that nothing it holds can be laid."""

    proof: Annotated[bytes, Meta(max_length=98 + 190 * 32)]


class Pass(Array, frozen=True, tag="pass"):
    """The seat in turn passes, with the same proof over its hand."""

    proof: Annotated[bytes, Meta(max_length=98 + 190 * 32)]


class Act(Array, frozen=True, tag="act"):
    """A seat that is due does anything else the rules ask for: `word` says what.

    `number` is the train of a chain, the offender of a catch, 1 or 0 for a marker, the position of
    a tile that goes back; `on` the lay a chain hangs on, the seat a tile is pulled from. `tiles`
    are positions with the half that joins and the other, each opened by a token; `claim` proves
    what the seat says it does not hold.
    """

    word: Word
    number: Annotated[int, Meta(ge=-16, le=65_535)]
    on: Annotated[int, Meta(ge=-1, le=400)]
    tiles: Annotated[tuple[tuple[PositionNumber, Pip, Pip], ...], Meta(max_length=190)]
    tokens: Annotated[bytes, Meta(max_length=190 * 33)]
    proof: Annotated[bytes, Meta(max_length=98)]
    claim: Annotated[bytes, Meta(max_length=98 + 190 * 32)]


class OpeningCommit(Array, frozen=True, tag="opening-commit"):
    """Every seat, before openings that all lay at once: a commitment to its own.

    `box` is what it committed to, sealed for itself alone, so that it can open it after a restart.
    """

    commitment: Digest
    box: Annotated[bytes, Meta(min_length=OPENING_BOX_BYTES, max_length=OPENING_BOX_BYTES)]


Opening = Draw | Pass | Act
"""What an opening that all lay at once may be, as a whole."""


class OpeningReveal(Array, frozen=True, tag="opening-reveal"):
    """Every seat: the secret octets of its commitment, and the opening itself as the turn it is."""

    secret: Octets32
    turn: Opening


class HandOver(Array, frozen=True, tag="hand-over"):
    """A seat whose tile goes back unseen: the tile under the joint key, and the proof of it."""

    over: Annotated[bytes, Meta(min_length=229, max_length=229)]


class MixHand(Array, frozen=True, tag="mix-hand"):
    """A seat that has drawn, where draws are hidden: its residuals in a new order, and a proof."""

    deck: Blob
    proof: Blob


class Open(Array, frozen=True, tag="open"):
    """Every seat, at the end of a round: what it still holds, positions ascending."""

    tiles: Annotated[tuple[tuple[Pip, Pip], ...], Meta(max_length=190)]
    tokens: Annotated[bytes, Meta(max_length=190 * 33)]
    proof: Annotated[bytes, Meta(max_length=98)]


class RoundOver(Array, frozen=True, tag="round-over"):
    """Every seat: the scores of the round, in seat order."""

    scores: Annotated[tuple[Score, ...], Meta(max_length=SEATS_MAX)]


class Keys(Array, frozen=True, tag="keys"):
    """Every seat, after a round, where the table audits with keys: its secret for the round.

    `seed` is what its shuffles came from where the table lays seeds open, else empty.
    """

    x: Octets32
    seed: Annotated[bytes, Meta(max_length=32)]


Payload = (
    OpenTable
    | Admit
    | Dismiss
    | Close
    | Roster
    | CoinCommit
    | CoinReveal
    | KeyCommit
    | KeyOpen
    | Deck
    | Proof
    | Checked
    | Shares
    | Lay
    | Draw
    | Pass
    | Act
    | OpeningCommit
    | OpeningReveal
    | HandOver
    | MixHand
    | Open
    | RoundOver
    | Keys
)

PAYLOADS: Final = Payload.__args__
"""Every payload type, in the order in which a game first uses them."""


class Body(Array, frozen=True):
    """What an entry signs: where it stands, who writes, what it says."""

    table: Digest
    step: Step
    prev: Digest
    seat: Author
    payload: Payload


# ---- record: what stands in a file --------------------------------------------------------


class RecordHeader(Array, frozen=True, tag="boneyard-record"):
    """First frame of a record: the version of protocol and rules it was played under."""

    version: Annotated[int, Meta(ge=0, le=65_535)]


class RecordEntry(Array, frozen=True, tag="entry"):
    """An entry of the log."""

    entry: SignedEntry


class EvidenceFrame(Array, frozen=True, tag="evidence-of"):
    """Last frame of an evidence file: the code of the check that failed, and what proves it.

    For a wrong signature, which binds nobody, `witness` says who received it from `sender`
    and signs that; otherwise both are empty.
    """

    check: Word
    entries: Annotated[tuple[SignedEntry, ...], Meta(max_length=2)]
    sender: Annotated[bytes, Meta(max_length=32)]
    witness: Annotated[bytes, Meta(max_length=32)]
    signature: Annotated[bytes, Meta(max_length=64)]


RecordFrame = RecordHeader | RecordEntry | EvidenceFrame
