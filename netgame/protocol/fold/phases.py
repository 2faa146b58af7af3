"""What exists only in one phase: one frozen value for each, and what several of them hold.

A function that needs a deck takes a phase that has one. `session.TRANSITIONS` says who writes what
in each, and what may follow.
"""

from enum import Enum
from typing import Final, NamedTuple, Self, TypeAlias

from msgspec import Struct

from engine.rules.spec import TableSpec
from engine.table.events import Event
from engine.table.moves import Move
from engine.table.table import Table
from engine.table.turn import Reshuffle
from netgame.crypto.masking import Masked
from netgame.protocol.epochs.company import Epoch
from netgame.protocol.fold.deck import Deal, RoundDeck
from netgame.protocol.log.fault import Finding
from netgame.wire.messages import Admit


class Member(Struct, frozen=True):
    """Somebody who sits: identity key, cleaned name, where it listens, whether it is a bot."""

    key: bytes
    name: str
    addresses: tuple[str, ...]
    bot: bool


History: TypeAlias = tuple[tuple[Table, Move], ...]
"""The moves of a round, each with the table before it."""


class Round(Struct, frozen=True):
    """A round in play; `following` is the deal of the next one, whose stages stand between turns.

    There is none before the first turn, nor in the last round.
    """

    table: Table
    deck: RoundDeck
    history: History = ()
    following: Deal | None = None


class Standing(Struct, frozen=True):
    """How a game stands between two rounds, with deck and moves of the last one that was dealt."""

    table: Table
    deck: RoundDeck | None
    history: History


class FirstTable(NamedTuple):
    """A table that forms for the first time; `chosen` is the key that the table lets play first."""

    spec: TableSpec
    chosen: bytes


class Before(NamedTuple):
    """Who sat, and how it stood, when the scores granted the requests `coming`."""

    members: tuple[Member, ...]
    seats: tuple[Member, ...]
    epoch: Epoch
    standing: Standing
    coming: tuple[Admit, ...]

    @property
    def gone(self) -> frozenset[int]:
        """The seats that had left."""
        return self.epoch.gone

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that had not left."""
        return self.epoch.present


class NewSeats(NamedTuple):
    """A table that forms again, as the last scores have given seats.

    `before` is what goes on if newcomers are lost before the coin has fallen: they never had a
    seat then.
    """

    standing: Standing
    before: Before


class FirstDeal(NamedTuple):
    """What the first deal of a game begins from; `first` is the seat that plays first."""

    spec: TableSpec
    first: int


class Late(NamedTuple):
    """A fault that only the whole of the last step shows."""

    seat: int
    finding: Finding


class Sealed(NamedTuple):
    """The openings that all seats committed to, in seat order, and what they were bound to."""

    contexts: tuple[bytes, ...]
    commitments: tuple[bytes, ...]
    boxes: tuple[bytes, ...]


# ---- one value a phase ------------------------------------------------------------------------


class Unopened(Struct, frozen=True):
    """Nothing is written yet."""


UNOPENED: Final = Unopened()


class InLobby(Struct, frozen=True):
    """People sit down and get up; `admitted` says at which step the host last let in each key."""

    admitted: tuple[tuple[bytes, int], ...] = ()


class Forming(Struct, frozen=True):
    """A table forms, for the first time or with new seats."""

    of: FirstTable | NewSeats


class SigningRoster(Forming, frozen=True):
    """All sign who sits and by what rules."""


class CommittingCoin(Forming, frozen=True):
    """All commit to their part of the coin."""


class RevealingCoin(Forming, frozen=True):
    """All show it; `head` is the one after which they committed, `digest` that of their step."""

    commitments: tuple[bytes, ...]
    head: bytes
    digest: bytes


class CoinFallen(Forming, frozen=True):
    """The coin has named a `session`; who sits decides that it begins [protocol.md §4.7]."""

    session: bytes


class Dealing(Struct, frozen=True):
    """The deck of the next round is made, and the table waits for it."""

    since: FirstDeal | Standing
    deal: Deal


class InRound(Struct, frozen=True):
    """Any phase of a round that has a deck."""

    round: Round


class WithDeal(InRound, frozen=True):
    """Any of them with a deck in the making that the round itself does not hold."""

    deal: Deal


class SharingHands(InRound, frozen=True):
    """Shares of what was dealt."""


class Playing(InRound, frozen=True):
    """A turn."""


class BetweenTurns(WithDeal, frozen=True):
    """A stage of the next round's deal."""


class SealingOpenings(InRound, frozen=True):
    """All commit to their openings."""


class ShowingOpenings(InRound, frozen=True):
    """All show the openings that they committed to."""

    sealed: Sealed


class SharingDraws(InRound, frozen=True):
    """Shares of what was drawn, or is to be seen."""


class HearingCalls(InRound, frozen=True):
    """All may tap, or catch who has not."""


class MixingHands(InRound, frozen=True):
    """Who has drawn mixes its hand."""


class HandingOver(InRound, frozen=True):
    """Tiles that go back unseen are put under the joint key."""

    going_back: Reshuffle


class Reshuffling(WithDeal, frozen=True):
    """What is face down is mixed: a further chain of the round's deck."""


class Rebuilding(InRound, frozen=True):
    """Somebody has left: those who stay give their parts of a deck without its key."""


class MixingRebuilt(WithDeal, frozen=True):
    """The chain of the rebuilt deck."""


class BlindingRebuilt(WithDeal, frozen=True):
    """The rebuilt deck is blinded, to find what is held in it without opening anything."""


class FindingBlanks(WithDeal, frozen=True):
    """Shares of the blinded deck."""

    blinded: tuple[Masked, ...]


class OpeningHands(InRound, frozen=True):
    """The round is over: all open what they hold."""


class Scoring(Struct, frozen=True):
    """All sign the scores; `following` is as much of the next deal as is made."""

    standing: Standing
    events: tuple[Event, ...] = ()
    following: Deal | None = None


class Auditing(InRound, frozen=True):
    """All lay their keys open; `coming` are the requests of who sits down then."""

    events: tuple[Event, ...]
    coming: tuple[Admit, ...]


class Over(Struct, frozen=True):
    """The game is over, or never began: then nothing stands."""

    standing: Standing | None = None


FINAL: Final = CoinFallen | Over
"""Phases in which nobody writes, and nobody can be gone on without."""

Staged: TypeAlias = Dealing | BetweenTurns | Reshuffling | MixingRebuilt
"""Phases in which a stage of a deal is due."""

Rebuilt: TypeAlias = Rebuilding | MixingRebuilt | BlindingRebuilt | FindingBlanks
"""Phases of a round that goes on without somebody."""

Now: TypeAlias = (
    Unopened | InLobby | SigningRoster | CommittingCoin | RevealingCoin | CoinFallen
    | Staged | SharingHands | Playing | SealingOpenings | ShowingOpenings | SharingDraws
    | HearingCalls | MixingHands | HandingOver | Rebuilding | BlindingRebuilt | FindingBlanks
    | OpeningHands | Scoring | Auditing | Over
)  # fmt: skip


class Phase(Enum):
    """Which kind of step is due, as protocol.md calls it; it does not tell all of `kinds` apart."""

    _value_: str
    kinds: tuple[type[Now], ...]

    LOBBY = "lobby", Unopened, InLobby
    ROSTER = "roster", SigningRoster
    COIN_COMMIT = "coin-commit", CommittingCoin
    COIN_REVEAL = "coin-reveal", RevealingCoin
    COIN_FALLEN = "coin-fallen", CoinFallen
    DEAL = "deal", Dealing, Reshuffling, MixingRebuilt
    SHARES = "shares", SharingHands
    PLAY = "play", Playing, BetweenTurns, ShowingOpenings
    DRAWN = "drawn", SharingDraws
    CALLS = "calls", HearingCalls
    OPENING_COMMIT = "opening-commit", SealingOpenings
    HAND_OVER = "hand-over", HandingOver
    MIX_HAND = "mix-hand", MixingHands
    REBUILD = "rebuild", Rebuilding
    BLIND = "blind", BlindingRebuilt
    UNBLIND = "unblind", FindingBlanks
    OPEN = "open", OpeningHands
    SCORE = "score", Scoring
    AUDIT = "audit", Auditing
    OVER = "over", Over

    def __new__(cls, word: str, *kinds: type[Now]) -> Self:
        """Make a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.kinds = word, kinds
        return member


PHASE_OF: Final = {kind: phase for phase in Phase for kind in phase.kinds}
