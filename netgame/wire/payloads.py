"""The payloads of log entries, each with the limits of its fields [protocol.md §4.3].

Arrays `[tag, field, …]` as in `messages`, which has them as names of its own too.
"""

from typing import Annotated, Final

from msgspec import Meta

from netgame import limits
from netgame.wire import fields


class Settings(fields.Array):
    """The host's offer: the rules by name, the set, and the size of the game.

    `switches` and `options` are `name=value`; `rounds` and `hand` 0 mean "as the rules say".
    `revision` is that of docs/rules.md; it is 0, which no message may have, until the host's
    program offers.
    """

    preset: fields.Word
    switches: Annotated[tuple[fields.Name, ...], Meta(max_length=64)]
    pip_max: fields.Pip
    seats: Annotated[int, Meta(ge=limits.SEATS_MIN, le=limits.SEATS_MAX)]
    rounds: fields.Round
    hand: Annotated[int, Meta(ge=0, le=190)]
    options: Annotated[tuple[fields.Name, ...], Meta(max_length=16)] = ()
    revision: Annotated[int, Meta(ge=1, le=65_535)] = 0


class JoinRequest(fields.Array):
    """A joiner's signed request: which seating it asks for, who it is, where it listens.

    `table` and `step` are as in a `Body`: the id and the due step of the log where the joiner asks.
    It is good once: for its key's next admission to the lobby after that step, or, once the game
    has begun, with the scores of the round in which that step is.
    """

    table: fields.Digest
    step: fields.Step
    key: fields.Key
    name: fields.Name
    addresses: Annotated[tuple[fields.Address, ...], Meta(max_length=limits.ADDRESSES_MAX)]
    bot: bool


class OpenTable(fields.Message):
    """Host, step 0: whose table this is and what is played at it; key and nonce make its id."""

    host: fields.Key
    nonce: fields.Octets32
    settings: Settings


class Admit(fields.Message):
    """Host or chair: a joiner gets a seat; its encoded `JoinRequest` is inside, as it signed it."""

    request: fields.Request
    signature: fields.Signature


class Dismiss(fields.Message):
    """Host: a joiner has left before the start, has to leave, or is admitted anew next."""

    key: fields.Key


class Close(fields.Message):
    """Host: nobody more is admitted; the roster is the present members.

    `first` is the key of the first player where the table chooses that, else empty.
    """

    first: fields.MaybeOctets32 = b""


class Roster(fields.Message):
    """Every member: its agreement to these keys and these rules, as a digest."""

    digest: fields.Digest


class CoinCommit(fields.Message):
    """Every member: a commitment to 32 secret octets."""

    commitment: fields.Digest


class CoinReveal(fields.Message):
    """Every member: the 32 secret octets it committed to."""

    secret: fields.Octets32


class KeyCommit(fields.Message):
    """Every seat: a commitment to its key for this round.

    `seed` commits to the source of its shuffles, at a table that opens seeds; else it is empty.
    """

    round: fields.Round
    commitment: fields.Digest
    seed: Annotated[bytes, Meta(max_length=64)]


class KeyOpen(fields.Message):
    """Every seat: key and proof of possession: X, T (points), the commitment's 32 octets, s."""

    round: fields.Round
    opening: Annotated[bytes, Meta(min_length=130, max_length=130)]


class Deck(fields.Message):
    """One seat after the other: the deck before, remasked and reordered, 66 octets a position."""

    round: fields.Round
    deck: fields.Blob


class Proof(fields.Message):
    """Every seat: the proof that its deck is a reordering of the one before."""

    round: fields.Round
    proof: fields.Blob


class Checked(fields.Message):
    """Every seat: that it has verified every proof of this chain."""

    round: fields.Round


class Shares(fields.Message):
    """A seat that owes some: its reveal tokens for others' positions, ascending, and their proof.

    They are in another seat's hand, or are to be seen by all; then their drawer owes one too.
    """

    tokens: fields.Tokens
    proof: fields.EqualityProof


class Lay(fields.Message):
    """The seat in turn plays a tile; its own token opens the position for all.

    `tile` names the half that joins first; `train` is a seat's, -1 the Mexican train, -2 and below
    further ones; `on` is the lay it hangs on, -1 the hub.
    """

    position: fields.PositionNumber
    tile: tuple[fields.Pip, fields.Pip]
    train: Annotated[int, Meta(ge=-16, le=limits.SEATS_MAX)]
    on: fields.LayNumber
    token: fields.PointOctets
    proof: fields.EqualityProof


class Draw(fields.Message):
    """The seat in turn draws, with a proof that it can play nothing it holds.

    `proof` is empty with an empty hand, or where the rules claim nothing of one that draws.
    """

    proof: fields.HandProof


class Pass(fields.Message):
    """The seat in turn passes, with the same proof over its hand; empty in the same cases."""

    proof: fields.HandProof


class Act(fields.Message):
    """Any other move of a seat that is due; `word` names it.

    `number` is the train of a chain, the offender of a catch, 1 or 0 for a marker, the position of
    a tile that goes back; `on` the lay a chain hangs on, the seat a tile is pulled from. `tiles`
    are positions with the half that joins and the other, each opened by a token; `claim` proves
    what the seat says it does not hold.
    """

    word: fields.Word
    number: Annotated[int, Meta(ge=-16, le=65_535)]
    on: fields.LayNumber
    tiles: Annotated[
        tuple[tuple[fields.PositionNumber, fields.Pip, fields.Pip], ...], Meta(max_length=190)
    ]
    tokens: fields.Tokens
    proof: Annotated[bytes, Meta(max_length=98)]
    claim: fields.HandProof


class OpeningCommit(fields.Message):
    """Every seat, before openings that all lay at once: a commitment to its own.

    `box` is the committed opening, encrypted for the seat itself, which can open it after a
    restart.
    """

    commitment: fields.Digest
    box: Annotated[
        bytes, Meta(min_length=limits.OPENING_BOX_BYTES, max_length=limits.OPENING_BOX_BYTES)
    ]


Opening = Draw | Pass | Act
"""The whole of a seat's opening, where all lay theirs at once."""


class OpeningReveal(fields.Message):
    """Every seat: the secret octets of its commitment, and the opening as an ordinary turn."""

    secret: fields.Octets32
    turn: Opening


class HandOver(fields.Message):
    """A seat whose tile goes back unseen: the tile under the joint key, with a proof."""

    over: Annotated[bytes, Meta(min_length=229, max_length=229)]


class MixHand(fields.Message):
    """A seat that has drawn, where draws are hidden: its residuals in a new order, with a proof."""

    deck: fields.Blob
    proof: fields.Blob


class Rebuild(fields.Message):
    """Every seat that stays: its part of a new deck without the leavers' keys, with a proof."""

    contribution: fields.Blob


class Blind(fields.Message):
    """Every seat that stays: the new deck times a factor of its own, to find the held tiles."""

    blinding: fields.Blob


class Unblind(fields.Message):
    """Every seat that stays: its reveal tokens for the blinded deck, and their proof."""

    tokens: fields.Tokens
    proof: fields.EqualityProof


class Open(fields.Message):
    """Every seat, at the end of a round: the tiles it still holds, their tokens, and a proof.

    Tiles and tokens are in the order of their positions, ascending. All is empty if it holds none.
    """

    tiles: Annotated[tuple[tuple[fields.Pip, fields.Pip], ...], Meta(max_length=190)]
    tokens: fields.Tokens
    proof: Annotated[bytes, Meta(max_length=98)]


class RoundOver(fields.Message):
    """Every seat: the scores of the round in seat order; empty if the round was called off.

    The chair also names those who get seats for the next round, each by its own signed request.
    """

    scores: Annotated[tuple[fields.Score, ...], Meta(max_length=limits.SEATS_MAX)]
    latecomers: Annotated[tuple[Admit, ...], Meta(max_length=limits.LATECOMERS_MAX)]


class Keys(fields.Message):
    """Every seat, after a round, where the table audits with keys: its secret for the round.

    `seed` is the source of its shuffles where the table opens seeds, else empty.
    """

    x: fields.Octets32
    seed: fields.MaybeOctets32


Payload = (
    OpenTable | Admit | Dismiss | Close | Roster | CoinCommit | CoinReveal | KeyCommit
    | KeyOpen | Deck | Proof | Checked | Shares | Lay | Draw | Pass | Act | OpeningCommit
    | OpeningReveal | HandOver | MixHand | Rebuild | Blind | Unblind | Open | RoundOver
    | Keys
)  # fmt: skip

PAYLOADS: Final = Payload.__args__
"""Every payload type, in the order in which a game first uses them."""
