"""A deck in the making, and the deck in play [protocol.md §5.3 to §5.5]."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.table.trains import Position, Seat
from engine.tiles import Tile
from netgame.crypto.masking import Masked
from netgame.frozen import FrozenStruct
from netgame.protocol.notices import DealPhase

ChainId = tuple[bytes, int]
"""The id under which a chain of shuffles is made, and the step at which its deal began."""


class Deal(FrozenStruct):
    """A deck in the making for the round `round_number`, with its keys and its chain so far."""

    round_number: int
    authors: tuple[int, ...]
    """The seats that make the deck, in seat order."""
    born: int
    """The step at which it began."""
    decks: tuple[tuple[Masked, ...], ...]
    """First the deck that the first author is given, then that of each author who has mixed."""
    phase: DealPhase = DealPhase.KEY_COMMIT
    """The stage that is due."""
    commit_contexts: tuple[bytes, ...] = ()
    """By seat, the context in which it committed to its key; its secrets are derived from this. A
    second deal of a round has its own; a new chain of a round keeps the old ones."""
    commitments: tuple[bytes, ...] = ()
    """Commitments to keys, by seat; empty for seats that are not authors."""
    keys: tuple[bytes, ...] = ()
    """The public keys by seat; empty for seats that are not authors."""
    joint: bytes = b""
    """The sum of the keys."""
    deck_contexts: tuple[bytes, ...] = ()
    """The context of each mixed deck, in the order in which they were mixed."""
    proof_step: int = -1
    """The step that has the proofs; -1 until they are all there."""


class Chain(NamedTuple):
    """A proved chain of shuffles."""

    first: int
    """The position of the first tile of the last deck."""
    authors: tuple[int, ...]
    deck: tuple[Masked, ...]
    """The last deck of the chain."""


class RoundDeck(FrozenStruct):
    """The deck in play: its keys, its ciphertexts as they are opened, and the open tiles."""

    keys: tuple[bytes, ...] = ()
    joint: bytes = b""
    """The sum of the keys under which the round's chains are made."""
    born: int = -1
    """The step at which its deal began."""
    chains: tuple[Chain, ...] = ()
    """All chains of the round, kept for the audit."""
    commit_contexts: tuple[bytes, ...] = ()
    """By seat, the context in which it committed to its key, as in the deal."""
    masked: Mapping[Position, Masked] = {}
    """The ciphertext of every position of the last chain, without blanks."""
    next_position: int = 0
    """The first position of the next chain."""
    residuals: Mapping[Position, Masked] = {}
    """For each position that a seat was dealt, drew or looked at, the ciphertext with only that
    seat's share left on it. For a position turned up for all, the ciphertext without any share."""
    keepers: Mapping[Position, int] = {}
    """The seat that has looked at a position, for each such position that is in no hand."""
    tiles: Mapping[Position, Tile] = {}
    """The tiles of the positions opened so far."""
    settled: frozenset[Position] = frozenset()
    """Positions of which nobody can tell when they came to a hand: dealt together, or mixed by
    their owner."""
    mixed: tuple[tuple[int, tuple[Position, ...]], ...] = ()
    """The positions of hands mixed by their owners, each with the seat."""

    @property
    def mixers(self) -> tuple[Seat, ...]:
        """The seats that mixed the deck as it was dealt, in their order; empty without a deck."""
        return tuple(map(Seat, self.chains[0].authors)) if self.chains else ()


NO_DECK: Final = RoundDeck()
"""Takes the place of the deck in a game whose first deal was called off."""


def deck_of(deal: Deal) -> RoundDeck:
    """Return the deck for a round that begins with this deal; none of it has been opened.

    Positions count from 0, in the order of the deal's last deck.
    """
    begun = RoundDeck(
        keys=deal.keys, joint=deal.joint, born=deal.born, commit_contexts=deal.commit_contexts
    )
    return with_chain(begun, deal)


def with_chain(deck: RoundDeck, deal: Deal, blanks: frozenset[int] = frozenset()) -> RoundDeck:
    """Return the deck in play with a further chain, whose positions follow all earlier ones.

    The new `masked` has only these positions. `blanks` are the indices in the last deck of `deal`
    that are not in use; they are left out of `masked`.
    """
    first, made = deck.next_position, deal.decks[-1]
    masked = {Position(first + at): each for at, each in enumerate(made) if at not in blanks}
    chains = (*deck.chains, Chain(first, deal.authors, made))
    return replace(deck, chains=chains, masked=masked, next_position=first + len(made))
