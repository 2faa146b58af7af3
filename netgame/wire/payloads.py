"""The payloads of log entries, each with the limits of its fields [protocol.md §4.3].

They are arrays `[tag, field, …]` like those of `messages`, which exports their names too.
"""

from enum import IntEnum
from typing import Annotated, Final

from msgspec import Meta

from netgame import limits
from netgame.wire import fields


class Settings(fields.Array):
    """The host's offer: the rules by name, the set, and the size of the game."""

    preset: fields.Word
    switches: Annotated[tuple[fields.Name, ...], Meta(max_length=64)]
    """Each switch as `name=value`."""
    pip_max: fields.Pip
    seats: Annotated[int, Meta(ge=limits.SEATS_MIN, le=limits.SEATS_MAX)]
    rounds: fields.Round
    """The number of rounds; 0 for as many as the rules say."""
    hand: Annotated[int, Meta(ge=0, le=190)]
    """The number of tiles a seat is dealt; 0 for as many as the rules say."""
    options: Annotated[tuple[fields.Name, ...], Meta(max_length=16)] = ()
    """Each option as `name=value`."""
    revision: Annotated[int, Meta(ge=1, le=65_535)] = 0
    """The revision of docs/rules.md. It is 0, which no message may have, until the host's program
    offers the table."""


class PlayedBy(IntEnum):
    """The kind of player at a seat, as the seat's own program states it."""

    TERMINAL = 0
    """A person whose program runs on their computer."""
    TAB = 1
    """A person in a browser tab, which nobody can dial and which a phone may put to sleep."""
    BOT = 2
    """A program."""


class JoinRequest(fields.Array):
    """A joiner's request for a seat at a table; its encoding is what the joiner signs.

    The request is good for one admission of its key. In the lobby that is the next one at or after
    `step`. Once the game has begun, it is the one in the step with the scores of the round to which
    `step` belongs.
    """

    table: fields.Digest
    """The table's id until the first coin is tossed, then the session's (protocol.md 4.7)."""
    step: fields.Step
    """The step that is due at that table."""
    key: fields.Key
    name: fields.Name
    addresses: Annotated[tuple[fields.Address, ...], Meta(max_length=limits.ADDRESSES_MAX)]
    played_by: PlayedBy


class OpenTable(fields.Message):
    """Host, in step 0: its key, and what is to be played at the table.

    The table's id is computed from the key and the nonce.
    """

    host: fields.Key
    nonce: fields.Octets32
    settings: Settings


class Admit(fields.Message):
    """Host or chair: gives a joiner a seat.

    `request` contains the encoded `JoinRequest`, and `signature` is the joiner's signature of it.
    """

    request: fields.Request
    signature: fields.Signature


class Dismiss(fields.Message):
    """Host, in the lobby: takes a joiner's seat away again.

    The joiner has left, is sent away, or is about to be admitted again with another request.
    """

    key: fields.Key


class Close(fields.Message):
    """Host: ends the lobby; those who have a seat now are the roster, and nobody else is admitted.

    `first` is the key of the first player if the rules have the table choose one, else empty.
    """

    first: fields.MaybeOctets32 = b""


class Roster(fields.Message):
    """Every member: a digest of the keys on the roster and of the rules, which it agrees to."""

    digest: fields.Digest


class CoinCommit(fields.Message):
    """Every member: a commitment to 32 secret octets."""

    commitment: fields.Digest


class CoinReveal(fields.Message):
    """Every member: the 32 secret octets it committed to."""

    secret: fields.Octets32


class KeyCommit(fields.Message):
    """Every seat: a commitment to its key for this round."""

    round: fields.Round
    commitment: fields.Digest


class KeyOpen(fields.Message):
    """Every seat: opens its commitment to a key, and proves that it knows the secret of the key.

    `opening` consists of the points X and T, the 32 random octets of the commitment, and s.
    """

    round: fields.Round
    opening: Annotated[bytes, Meta(min_length=130, max_length=130)]


class Deck(fields.Message):
    """Each seat, one after another: the previous deck, remasked and put in another order.

    `deck` has 66 octets for each position.
    """

    round: fields.Round
    deck: fields.Blob


class Proof(fields.Message):
    """Every seat: the proof that its deck contains the same tiles as the previous one."""

    round: fields.Round
    proof: fields.Blob


class Checked(fields.Message):
    """Every seat: a confirmation that it has verified the proofs of all decks of this chain."""

    round: fields.Round


class Shares(fields.Message):
    """Every seat that owes reveal tokens: its tokens, positions ascending, and their proof.

    It owes a token for each position that has come into another seat's hand, or that another seat
    or all seats are to see. If all are to see a tile, the seat that drew it owes a token too.
    """

    tokens: fields.Tokens
    proof: fields.EqualityProof


class Lay(fields.Message):
    """The seat whose turn it is lays a tile; its own token opens the position to everybody."""

    position: fields.PositionNumber
    tile: fields.Tile
    """The half that joins comes first."""
    train: fields.TrainNumber
    """A seat's number for its train, -1 for the Mexican train, -2 and below for further ones."""
    on: fields.LayNumber
    """The number of the lay that the tile joins; -1 for the hub."""
    token: fields.PointOctets
    proof: fields.EqualityProof


class Draw(fields.Message):
    """The seat whose turn it is draws, and proves that it has no tile it would have to play."""

    claim: fields.HandProof
    """The proof. It is empty if the hand is empty, or if drawing claims nothing under the rules."""


class Pass(fields.Message):
    """The seat whose turn it is passes; its proof is like that of `Draw`."""

    claim: fields.HandProof


class LayChain(fields.Message, tag="chain"):
    """The seat whose turn it is lays several tiles as one move, each on the one before."""

    train: fields.TrainNumber
    on: fields.LayNumber
    """The number of the lay that the first tile joins; -1 for the hub."""
    bullet: bool
    """True if the chain is the whole hand, declared as a bullet train."""
    back: bool
    """True if the last tile is laid on the double that was laid before this move."""
    tiles: Annotated[
        tuple[tuple[fields.PositionNumber, fields.Pip, fields.Pip], ...],
        Meta(min_length=1, max_length=190),
    ]
    """Positions, each followed by the half that joins and the other half."""
    tokens: fields.Tokens
    """One token for each of `tiles`; empty, like `proof`, in an opening that is only committed
    to."""
    proof: fields.MaybeEqualityProof


class Done(fields.Message):
    """The seat whose turn it is ends its turn, where the rules let it."""


class Mark(fields.Message):
    """The seat whose turn it is leaves its marker up, or takes it down."""

    up: bool


class Tap(fields.Message):
    """A seat announces that it has, or soon will have, only one tile left.

    It may do so in its own turn, or when all may speak.
    """


class Catch(fields.Message):
    """When all may speak: `offender` has only one tile left and has not announced it."""

    offender: fields.SeatNumber


class Quiet(fields.Message):
    """When all may speak: the seat has nothing to announce."""


class LayHub(fields.Message, tag="hub"):
    """A seat that is asked for a double lays it in the hub."""

    position: fields.PositionNumber
    tile: fields.Tile
    """Low pip first."""
    token: fields.MaybePointOctets
    """Empty, like `proof`, if the double was turned up for all."""
    proof: fields.MaybeEqualityProof
    claim: fields.HandProof


class NoDouble(fields.Message, tag="none"):
    """A seat answers that it does not have the tile, or any of the doubles, asked for."""

    claim: fields.HandProof


class Show(fields.Message):
    """A seat shows the tile that it is asked for, and keeps it in its hand."""

    position: fields.PositionNumber
    tile: fields.Tile
    """Low pip first."""
    token: fields.PointOctets
    proof: fields.EqualityProof


class Declare(fields.Message):
    """A seat declares the double asked for, or the one it has looked at, and lays it in the hub."""

    position: fields.PositionNumber
    tile: fields.Tile
    """Low pip first."""
    token: fields.PointOctets
    proof: fields.EqualityProof


class Silent(fields.Message):
    """A seat that is asked declares nothing.

    `claim` proves that it does not have the double, where the rules require that; else it is empty.
    """

    claim: fields.HandProof


class Discard(fields.Message):
    """A seat puts a tile of its hand back into the boneyard, unseen."""

    position: fields.PositionNumber


class PullBack(fields.Message):
    """A seat has a tile of another seat's hand put back into the boneyard, unseen."""

    other: fields.SeatNumber
    position: fields.PositionNumber


class OpeningCommit(fields.Message):
    """Every seat, if all lay their openings at once: a commitment to its own opening."""

    commitment: fields.Digest


Opening = Draw | Pass | LayChain
"""A seat's whole opening, if all seats lay theirs at once."""


class OpeningReveal(fields.Message):
    """Every seat: the secret octets of its commitment, and its opening as an ordinary turn."""

    secret: fields.Octets32
    turn: Opening


class HandOver(fields.Message):
    """A seat whose tile goes back unseen: the tile masked under the joint key, with a proof."""

    over: Annotated[bytes, Meta(min_length=229, max_length=229)]


class MixHand(fields.Message):
    """A seat that has drawn, if draws are hidden: its hand in a new order, with a proof.

    The hand is given as remasked residuals: ciphertexts that only this seat can open.
    """

    deck: fields.Blob
    proof: fields.Blob


class Rebuild(fields.Message):
    """Every seat that stays: its part of a new deck without the keys of the seats that left.

    The part includes its proof.
    """

    contribution: fields.Blob


class Blind(fields.Message):
    """Every seat that stays: the new deck multiplied by a secret factor of its own.

    With all these factors the seats find the held tiles in the deck without opening any tile.
    """

    blinding: fields.Blob


class Unblind(fields.Message):
    """Every seat that stays: its reveal tokens for the blinded deck, and the proof of them."""

    tokens: fields.Tokens
    proof: fields.EqualityProof


class Open(fields.Message):
    """Every seat, at the end of a round: the tiles it still holds, their tokens, and a proof.

    Tiles and tokens are in ascending order of their positions. All fields are empty if the seat
    holds no tile.
    """

    tiles: Annotated[tuple[fields.Tile, ...], Meta(max_length=190)]
    tokens: fields.Tokens
    proof: fields.MaybeEqualityProof


class RoundOver(fields.Message):
    """Every seat: the scores of the round in seat order; empty if the round was called off.

    The chair also fills `latecomers`, with a signed request of each peer that gets a seat for the
    next round.
    """

    scores: Annotated[tuple[fields.Score, ...], Meta(max_length=limits.SEATS_MAX)]
    latecomers: Annotated[tuple[Admit, ...], Meta(max_length=limits.LATECOMERS_MAX)]
    named: fields.Seats
    """The seats of the guests to whom the author would give a vote."""


class Keys(fields.Message):
    """Every seat, after a round, if the table audits with keys: the secret of its round key."""

    x: fields.Octets32


Turn = (
    Lay | Draw | Pass | LayChain | Done | Mark | Tap
    | LayHub | NoDouble | Show | Declare | Silent | Discard | PullBack
)  # fmt: skip
"""What a due seat may answer: in its turn, or when it is asked for the double for the hub."""

Spoken = Tap | Catch | Quiet
"""The answers from which each seat chooses when all may speak."""

Payload = (
    OpenTable | Admit | Dismiss | Close | Roster | CoinCommit | CoinReveal | KeyCommit
    | KeyOpen | Deck | Proof | Checked | Shares | Turn | Catch | Quiet | OpeningCommit
    | OpeningReveal | HandOver | MixHand | Rebuild | Blind | Unblind | Open | RoundOver
    | Keys
)  # fmt: skip

PAYLOADS: Final = Payload.__args__
"""Every payload type, in the order in which a game first uses them."""
