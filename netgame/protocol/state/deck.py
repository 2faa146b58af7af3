"""A deck in the making, and the deck in play [protocol.md §5.3 to §5.5]."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine.table.trains import Position
from engine.tiles import Tile
from netgame.crypto.masking import Masked
from netgame.frozen import FrozenStruct
from netgame.protocol.notices import DealPhase

ChainId = tuple[bytes, int]
"""The id in which a chain of shuffles is made, and the step at which its deal began."""


class Deal(FrozenStruct):
    """A deck in the making for `round_number`, and once made, its keys and chain.

    `born` is the step at which it began, `phase` the stage that is due. Keys and seeds are derived
    from `commit_contexts`, in which the keys were committed: a second deal of a round has its own
    contexts, a new chain of a round keeps the old ones. `authors` are the seats that make the deck,
    in seat order; `commitments`, `seeds` (commitments too) and `keys` are by seat, empty for other
    seats. `decks` begins with the deck that is given to the first author, and has that of each
    author who has mixed; `deck_contexts` has what each of theirs is bound to. `proof_step` is -1
    until the proofs are all there.
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
    """A proved chain of shuffles.

    `first` is the position of the first tile of the last deck. `decks` begins with the deck that
    the first of the `authors` was given; `contexts` has what each author's link was bound to.
    """

    first: int
    authors: tuple[int, ...]
    decks: tuple[tuple[Masked, ...], ...]
    contexts: tuple[bytes, ...]


class RoundDeck(FrozenStruct):
    """The deck in play: its keys, what each seat can still open, and what is open.

    `masked` has the ciphertext of every position that came out of a chain and is still in use; the
    positions of the next chain begin at `next_position`. `residuals` has, for every position that
    somebody was dealt, drew or looked at, the ciphertext without any share but that seat's, and
    without any for one turned up for all; `keepers` names the seat that looked at one in no hand.
    `tiles` are the positions opened so far. `settled` are positions of which nobody can tell when
    they came to a hand: dealt together, or mixed by their owner, as `mixed` lists by seat. `chains`
    and `commit_contexts` are kept for the audit.
    """

    keys: tuple[bytes, ...] = ()
    joint: bytes = b""
    born: int = -1
    chains: tuple[Chain, ...] = ()
    commit_contexts: tuple[bytes, ...] = ()
    seeds: tuple[bytes, ...] = ()
    masked: Mapping[Position, Masked] = {}
    next_position: int = 0
    residuals: Mapping[Position, Masked] = {}
    keepers: Mapping[Position, int] = {}
    tiles: Mapping[Position, Tile] = {}
    settled: frozenset[Position] = frozenset()
    mixed: tuple[tuple[int, tuple[Position, ...]], ...] = ()


NO_DECK: Final = RoundDeck()
"""Stands for the deck of a game whose first deal has come to nothing."""


def deck_of(deal: Deal) -> RoundDeck:
    """The deck of a round that begins; nothing of it has been opened.

    Positions count from 0, in the order of the deal's last deck.
    """
    begun = RoundDeck(
        keys=deal.keys, joint=deal.joint, born=deal.born,
        commit_contexts=deal.commit_contexts, seeds=deal.seeds,
    )  # fmt: skip
    return with_chain(begun, deal)


def with_chain(deck: RoundDeck, deal: Deal, blanks: frozenset[int] = frozenset()) -> RoundDeck:
    """The deck in play after a further chain, whose positions follow all before.

    `masked` has only these, without the `blanks`: indices of its last deck, which are in no use.
    """
    first, made = deck.next_position, deal.decks[-1]
    masked = {Position(first + at): each for at, each in enumerate(made) if at not in blanks}
    chains = (*deck.chains, Chain(first, deal.authors, deal.decks, deal.deck_contexts))
    return replace(deck, chains=chains, masked=masked, next_position=first + len(made))
