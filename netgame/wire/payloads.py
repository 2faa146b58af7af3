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
    """Each as `name=value`."""
    pip_max: fields.Pip
    seats: Annotated[int, Meta(ge=limits.SEATS_MIN, le=limits.SEATS_MAX)]
    rounds: fields.Round
    """0 for as many as the rules say."""
    hand: Annotated[int, Meta(ge=0, le=190)]
    """The number of tiles a seat is dealt; 0 for as many as the rules say."""
    options: Annotated[tuple[fields.Name, ...], Meta(max_length=16)] = ()
    """Each as `name=value`."""
    revision: Annotated[int, Meta(ge=1, le=65_535)] = 0
    """The revision of docs/rules.md. It is 0, which no message may have, until the host's program
    offers the table."""


class PlayedBy(IntEnum):
    """The player of a seat, and their place, as the seat's own program says."""

    TERMINAL = 0
    """A person whose program runs on their computer."""
    TAB = 1
    """A person in a browser tab: nobody can dial it, and a phone may put it to sleep."""
    BOT = 2
    """A program."""


class JoinRequest(fields.Array):
    """A joiner's signed request: which seating it asks for, who it is, where it listens.

    It is good for one admission of its key. In the lobby that is the next one at or after `step`;
    once the game has begun, it is the one with the scores of the round that `step` is in.
    """

    table: fields.Digest
    """The table's id until the first coin stands, then the session's (protocol.md 4.7)."""
    step: fields.Step
    """The step that is due at that table."""
    key: fields.Key
    name: fields.Name
    addresses: Annotated[tuple[fields.Address, ...], Meta(max_length=limits.ADDRESSES_MAX)]
    played_by: PlayedBy


class OpenTable(fields.Message):
    """Host, step 0: whose table this is and what is played at it; key and nonce make its id."""

    host: fields.Key
    nonce: fields.Octets32
    settings: Settings


class Admit(fields.Message):
    """Host or chair: a joiner gets a seat; holds the `JoinRequest` octets that it signed."""

    request: fields.Request
    signature: fields.Signature


class Dismiss(fields.Message):
    """Host: a joiner has left before the start, has to leave, or is about to be admitted again."""

    key: fields.Key


class Close(fields.Message):
    """Host: no further admissions; the roster is the present members.

    `first` is the first player's key if the table chooses one, else empty.
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
    """Every seat: a commitment to its key for this round."""

    round: fields.Round
    commitment: fields.Digest


class KeyOpen(fields.Message):
    """Every seat: key and proof of possession: X, T (points), the commitment's 32 octets, s."""

    round: fields.Round
    opening: Annotated[bytes, Meta(min_length=130, max_length=130)]


class Deck(fields.Message):
    """One seat after the other: the previous deck, remasked and reordered, 66 octets a position."""

    round: fields.Round
    deck: fields.Blob


class Proof(fields.Message):
    """Every seat: the proof that its deck is a reordering of the previous one."""

    round: fields.Round
    proof: fields.Blob


class Checked(fields.Message):
    """Every seat: it has verified every proof of this chain."""

    round: fields.Round


class Shares(fields.Message):
    """A seat that owes some: its reveal tokens for positions, ascending, and their proof.

    The positions are in another seat's hand or are to be seen by another seat or by all; if all are
    to see a tile, the seat that drew it owes a token too.
    """

    tokens: fields.Tokens
    proof: fields.EqualityProof


class Lay(fields.Message):
    """The seat in turn lays a tile; its own token opens the position for all."""

    position: fields.PositionNumber
    tile: fields.Tile
    """The half that joins comes first."""
    train: fields.TrainNumber
    """A seat's number, -1 for the Mexican train, -2 and below for further ones."""
    on: fields.LayNumber
    """The lay that the tile hangs on; -1 for the hub."""
    token: fields.PointOctets
    proof: fields.EqualityProof


class Draw(fields.Message):
    """The seat in turn draws, with a proof that it holds nothing it would have to play."""

    claim: fields.HandProof
    """Empty if the hand is empty, or if the rules claim nothing of a seat that draws."""


class Pass(fields.Message):
    """The seat in turn passes; the proof is as for `Draw`, and empty in the same cases."""

    claim: fields.HandProof


class LayChain(fields.Message, tag="chain"):
    """The seat in turn lays several tiles as one move, each on the one before."""

    train: fields.TrainNumber
    on: fields.LayNumber
    """The lay that the first tile hangs on; -1 for the hub."""
    bullet: bool
    """The chain is the whole hand, declared as a bullet train."""
    back: bool
    """The chain's last tile goes back on the double that was laid before this move."""
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
    """The seat in turn ends a turn that may be ended."""


class Mark(fields.Message):
    """The seat in turn leaves its marker up, or takes it down."""

    up: bool


class Tap(fields.Message):
    """A seat says that it has, or will have, one tile left; the seat in turn may say so too."""


class Catch(fields.Message):
    """When all may speak: a seat has one tile left and has not said so."""

    offender: fields.SeatNumber


class Quiet(fields.Message):
    """When all may speak: nothing to say."""


class LayHub(fields.Message, tag="hub"):
    """A seat that is asked lays the double that is looked for: it goes into the hub."""

    position: fields.PositionNumber
    tile: fields.Tile
    """Low pip first."""
    token: fields.MaybePointOctets
    """Empty, like `proof`, if the double was turned up for all."""
    proof: fields.MaybeEqualityProof
    claim: fields.HandProof


class NoDouble(fields.Message, tag="none"):
    """A seat that is asked says that it does not hold the tile, or the doubles, asked for."""

    claim: fields.HandProof


class Show(fields.Message):
    """A seat that is asked shows the tile asked for, which stays in its hand."""

    position: fields.PositionNumber
    tile: fields.Tile
    """Low pip first."""
    token: fields.PointOctets
    proof: fields.EqualityProof


class Declare(fields.Message):
    """A seat declares the double asked for, or the one it has looked at: it goes into the hub."""

    position: fields.PositionNumber
    tile: fields.Tile
    """Low pip first."""
    token: fields.PointOctets
    proof: fields.EqualityProof


class Silent(fields.Message):
    """A seat that is asked declares nothing; if it must, it proves that it lacks the double."""

    claim: fields.HandProof


class Discard(fields.Message):
    """A seat puts a tile of its hand back into the boneyard, unseen."""

    position: fields.PositionNumber


class PullBack(fields.Message):
    """A seat has a tile of another hand put back into the boneyard, unseen."""

    other: fields.SeatNumber
    position: fields.PositionNumber


class OpeningCommit(fields.Message):
    """Every seat, before openings that all lay at once: a commitment to its own opening."""

    commitment: fields.Digest


Opening = Draw | Pass | LayChain
"""A seat's whole opening, if all lay theirs at once."""


class OpeningReveal(fields.Message):
    """Every seat: the secret octets of its commitment, and the opening as an ordinary turn."""

    secret: fields.Octets32
    turn: Opening


class HandOver(fields.Message):
    """A seat whose tile goes back unseen: the tile under the joint key, with a proof."""

    over: Annotated[bytes, Meta(min_length=229, max_length=229)]


class MixHand(fields.Message):
    """A seat that has drawn, if draws are hidden: its residuals in a new order, with a proof."""

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

    Tiles and tokens are in ascending order of their positions. All fields are empty if it holds
    none.
    """

    tiles: Annotated[tuple[fields.Tile, ...], Meta(max_length=190)]
    tokens: fields.Tokens
    proof: fields.MaybeEqualityProof


class RoundOver(fields.Message):
    """Every seat: the scores of the round in seat order; empty if the round was called off.

    The chair also lists those who get seats for the next round, each by its own signed request.
    """

    scores: Annotated[tuple[fields.Score, ...], Meta(max_length=limits.SEATS_MAX)]
    latecomers: Annotated[tuple[Admit, ...], Meta(max_length=limits.LATECOMERS_MAX)]
    named: fields.Seats
    """The guests to whom the author would give a vote."""


class Keys(fields.Message):
    """Every seat, after a round, if the table audits with keys: its secret for the round."""

    x: fields.Octets32


Turn = (
    Lay | Draw | Pass | LayChain | Done | Mark | Tap
    | LayHub | NoDouble | Show | Declare | Silent | Discard | PullBack
)  # fmt: skip
"""The moves of a seat that is due: in its turn, or asked while the hub's double is looked for."""

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
