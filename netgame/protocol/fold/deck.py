"""A deck in the making, and the deck in play [protocol.md §5.3 to §5.5]."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from engine.table.trains import Position
from engine.tiles import Tile
from netgame.crypto.masking import Masked
from netgame.protocol.notices import DealPhase


class Deal(Struct, frozen=True):
    """A deck in the making for `round_number`, and when made, its keys and chain.

    `born` is the step at which it began. Keys and seeds are derived from `commit_contexts`, where
    the keys were committed to: a second deal of one round has its own, a new chain of a round has
    not. `authors` are the seats that make it, in seat order; `commitments`, `seeds` and
    `keys` are by seat, empty for seats that do not.
    """

    round_number: int
    authors: tuple[int, ...]
    born: int
    decks: tuple[tuple[Masked, ...], ...]
    phase: DealPhase = DealPhase.KEY_COMMIT
    commit_contexts: tuple[bytes, ...] = ()
    commitments: tuple[bytes, ...] = ()
    seeds: tuple[bytes, ...] = ()
    keys: tuple[bytes, ...] = ()
    joint: bytes = b""
    deck_contexts: tuple[bytes, ...] = ()
    proof_step: int = -1


class Chain(NamedTuple):
    """A chain of shuffles that was proved.

    Its decks, whose link each is and what it was bound to, and the position of the first tile of
    the last deck.
    """

    first: int
    authors: tuple[int, ...]
    decks: tuple[tuple[Masked, ...], ...]
    contexts: tuple[bytes, ...]


class RoundDeck(Struct, frozen=True):
    """The deck in play: its keys, what each seat can still open, and what is open.

    `masked` has the ciphertext of every position that came out of a chain and is not dead; the
    positions of the next chain count on from `next_position`. `residuals` has, for every position
    somebody was dealt, drew or looked at, the ciphertext less all shares but that seat's;
    `keepers` says whose share is left where the position is in no hand; `tiles` what positions
    turned out to be. `settled` are positions of which nobody can tell when they came to a hand:
    dealt together, or mixed by their owner, as `mixed` says by seat. `chains`, and what the keys
    were committed in, are kept for the audit.
    """

    keys: tuple[bytes, ...]
    joint: bytes
    born: int
    chains: tuple[Chain, ...]
    commit_contexts: tuple[bytes, ...]
    seeds: tuple[bytes, ...]
    masked: Mapping[Position, Masked]
    next_position: int
    residuals: Mapping[Position, Masked]
    keepers: Mapping[Position, int]
    tiles: Mapping[Position, Tile]
    settled: frozenset[Position] = frozenset()
    mixed: tuple[tuple[int, tuple[Position, ...]], ...] = ()


def deck_of(deal: Deal) -> RoundDeck:
    """The deck of a round that begins, of which nobody has opened anything."""
    masked = {Position(at): each for at, each in enumerate(deal.decks[-1])}
    return RoundDeck(
        keys=deal.keys, joint=deal.joint, born=deal.born,
        chains=(Chain(0, deal.authors, deal.decks, deal.deck_contexts),),
        commit_contexts=deal.commit_contexts, seeds=deal.seeds,
        masked=masked, next_position=len(masked), residuals={}, keepers={}, tiles={},
    )  # fmt: skip


def with_chain(deck: RoundDeck, deal: Deal, masked: Mapping[Position, Masked]) -> RoundDeck:
    """The deck in play with a further chain; `masked` are the positions of it that still count."""
    chain = Chain(deck.next_position, deal.authors, deal.decks, deal.deck_contexts)
    return replace(
        deck,
        chains=(*deck.chains, chain),
        masked=masked,
        next_position=deck.next_position + len(deal.decks[-1]),
    )
