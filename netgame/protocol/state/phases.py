"""One frozen value for each phase, with the facts of that phase alone.

A function that needs a deck takes a phase that has one. `session.TRANSITIONS` says who writes which
entry in each phase, and which phases may follow.
"""

from enum import Enum
from typing import Final, NamedTuple, Self, TypeAlias

from engine.rules.spec import TableSpec
from engine.table.events import Event
from engine.table.moves import Move
from engine.table.table import Table
from engine.table.turn import Reshuffle
from netgame.crypto.masking import Masked
from netgame.frozen import FrozenStruct
from netgame.protocol.epochs.company import Epoch
from netgame.protocol.log.fault import Finding
from netgame.protocol.state.deck import Deal, RoundDeck
from netgame.wire.messages import Admit, PlayedBy


class Member(FrozenStruct):
    """A member of the table, as its join request describes it."""

    key: bytes
    name: str
    """Cleaned."""
    addresses: tuple[str, ...]
    """The addresses at which it listens."""
    played_by: PlayedBy
    """The kind of player, as the join request says."""

    @property
    def bot(self) -> bool:
        """True if it says that a program plays."""
        return self.played_by is PlayedBy.BOT

    @property
    def in_tab(self) -> bool:
        """True if it says that a person plays it in a browser tab."""
        return self.played_by is PlayedBy.TAB

    @property
    def listens(self) -> bool:
        """True if others can dial it: it is not in a tab, and some address has a port other than 0.

        Both are only what the member itself says.
        """
        return not self.in_tab and any(not each.endswith(":0") for each in self.addresses)


History: TypeAlias = tuple[tuple[Table, Move], ...]
"""The moves of a round, each with the table before it."""


class Round(FrozenStruct):
    """A round in play, with its deck and its moves; between two rounds, the last one."""

    table: Table
    deck: RoundDeck
    history: History = ()
    following: Deal | None = None
    """The deal of the next round, made in stages between turns. None before the first turn, in the
    last round, after it was thrown away, and in `BetweenTurns`, which has it as its `deal`."""


class FirstTable(NamedTuple):
    """A table that forms for the first time; `chosen` is the key chosen to play first, or empty."""

    spec: TableSpec
    chosen: bytes


class Grants(NamedTuple):
    """Seats and votes that the scores of a round give [protocol.md §4.8]."""

    coming: tuple[Admit, ...] = ()
    """The requests of those who get seats."""
    voting: frozenset[int] = frozenset()
    """The guests who get votes."""

    def without(self, gone: frozenset[int]) -> Self:
        """Return the same grants without the votes of guests that have gone."""
        return self._replace(voting=self.voting - gone)


class Before(NamedTuple):
    """The members, seats, epoch and standing as they were when the scores gave these `grants`."""

    members: tuple[Member, ...]
    seats: tuple[Member, ...]
    epoch: Epoch
    standing: Round
    grants: Grants

    @property
    def gone(self) -> frozenset[int]:
        """The seats that had left for good when the scores were signed."""
        return self.epoch.gone

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that had not left for good when the scores were signed."""
        return self.epoch.present


class NewSeats(NamedTuple):
    """A table that forms again because the last scores have given seats or votes.

    If anybody leaves before the coin has fallen, seats are given again, from `before`: a newcomer
    that has left by then never had a seat.
    """

    standing: Round
    before: Before


class FirstDeal(NamedTuple):
    """The beginning of a game, before its first deal; `first` is the seat that plays first."""

    spec: TableSpec
    first: int


class Late(NamedTuple):
    """A fault of the seat `seat` that no single entry shows, only the whole last step."""

    seat: int
    finding: Finding


class SealedOpenings(NamedTuple):
    """The commitments of all seats to their openings, by seat."""

    contexts: tuple[bytes, ...]
    """The octets to which each commitment is bound."""
    commitments: tuple[bytes, ...]
    """Empty for a seat that left."""


# ---- one value a phase ------------------------------------------------------------------------


class Unopened(FrozenStruct):
    """Nothing has been written yet."""


UNOPENED: Final = Unopened()


class InLobby(FrozenStruct):
    """People join and leave; `admitted` has each key with the step of its last admission."""

    admitted: tuple[tuple[bytes, int], ...] = ()


class Forming(FrozenStruct):
    """A table forms, for the first time or again, with new seats or votes."""

    of: FirstTable | NewSeats


class SigningRoster(Forming):
    """All sign the roster and the rules."""


class CommittingCoin(Forming):
    """All commit to their part of the coin."""


class RevealingCoin(Forming):
    """All reveal their parts of the coin.

    `head` is the head before the commitments, `digest` the digest of their step.
    """

    commitments: tuple[bytes, ...]
    head: bytes
    digest: bytes


class CoinFallen(Forming):
    """The coin has named a `session`, which begins once a poll decides so [protocol.md §4.7]."""

    session: bytes


class Dealing(FrozenStruct):
    """A deck is being made, and the table waits for it.

    `since` is the round before, the same round if it is dealt again, or the start of the game.
    """

    since: FirstDeal | Round
    deal: Deal


class InRound(FrozenStruct):
    """Any phase of a round that has a deck."""

    round: Round


class WithDeal(InRound):
    """A phase of a round with a deck in the making beside the round's own."""

    deal: Deal


class SharingHands(InRound):
    """Shares of the dealt hands are due."""


class Playing(InRound):
    """A move is due from the seat to move, or from each of several seats that are asked at once."""


class BetweenTurns(WithDeal):
    """A stage of the next round's deal is due."""


class SealingOpenings(InRound):
    """All commit to their openings."""


class ShowingOpenings(InRound):
    """All show the openings that they committed to."""

    sealed: SealedOpenings


class SharingDraws(InRound):
    """Shares of tiles that were drawn, or are to be turned up or looked at, are due."""


class HearingCalls(InRound):
    """All who are present answer: they tap, catch a seat that did not tap, or are quiet."""


class MixingHands(InRound):
    """Seats that have drawn mix their own hands, so that nobody can tell when a tile was drawn."""


class HandingOver(InRound):
    """Each seat whose tile goes back unseen hands it over, encrypted under the joint key."""

    going_back: Reshuffle


class Reshuffling(WithDeal):
    """A further chain of the round's deck is made, which mixes the tiles of the boneyard."""


class Rebuilding(InRound):
    """Seats have left; each that stays gives its part of a new deck without the leavers' keys."""


class MixingRebuilt(WithDeal):
    """The seats that stay shuffle the rebuilt deck, which makes a new chain."""


class BlindingRebuilt(WithDeal):
    """The rebuilt deck is blinded, so that its blanks can be found without opening any tile."""


class FindingBlanks(WithDeal):
    """Shares of the blinded deck are due."""

    blinded: tuple[Masked, ...]


class OpeningHands(InRound):
    """The round is over, and all open the tiles they hold."""


class Scoring(FrozenStruct):
    """All sign the scores; `events` are those of the scoring, empty if no round was scored."""

    standing: Round
    events: tuple[Event, ...] = ()


class Auditing(InRound):
    """All reveal their secret keys; `events` and `grants` are those of the scores just signed."""

    events: tuple[Event, ...]
    grants: Grants


class Over(FrozenStruct):
    """The game is over; `standing` is None if it never began."""

    standing: Round | None = None


FINAL: Final = CoinFallen | Over
"""Phases in which nobody writes, and no seat can be removed."""

Staged: TypeAlias = Dealing | BetweenTurns | Reshuffling | MixingRebuilt
"""Phases in which a stage of a deal is due."""

Rebuilt: TypeAlias = Rebuilding | MixingRebuilt | BlindingRebuilt | FindingBlanks
"""Phases in which a round's deck is rebuilt without seats that left."""

Now: TypeAlias = (
    Unopened | InLobby | SigningRoster | CommittingCoin | RevealingCoin | CoinFallen
    | Staged | SharingHands | Playing | SealingOpenings | ShowingOpenings | SharingDraws
    | HearingCalls | MixingHands | HandingOver | Rebuilding | BlindingRebuilt | FindingBlanks
    | OpeningHands | Scoring | Auditing | Over
)  # fmt: skip


Choosing: TypeAlias = Playing | SealingOpenings
"""The phases whose entry is a player's choice and may take long. In all others the program writes
by itself, though in `HearingCalls` it gives its player a moment to call."""


class Phase(Enum):
    """The kind of step that is due, by its name in protocol.md; several `kinds` can share one."""

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
