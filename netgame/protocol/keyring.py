"""All that one seat keeps secret, derived from one table secret and the place in the log.

A process that died finds the same keys and the same permutations again; nothing else is stored
[protocol.md §8]. What an audit lays open, a round's key and its seed, gives nothing else away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from netgame.crypto.coin import coin_commitment
from netgame.crypto.entropy import expand
from netgame.crypto.keys import RoundSecret, key_commitment, make_round_secret, public_key
from netgame.crypto.shuffle import ShuffleSecret, derive_shuffle_secret
from netgame.protocol.state import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from netgame.crypto.masking import Masked
    from netgame.protocol.state import State

__all__ = ["Keyring"]

_BETWEEN_DECKS: Final = (Phase.ROSTER, Phase.COIN_COMMIT, Phase.DEAL, Phase.OVER)
"""Where a deck that is there belongs to a round that is over, or the deal has its keys too."""


class Keyring:
    """What is derived from the table secret of 32 octets; `log_id` names the session."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._own: dict[tuple[bytes, int], bytes] = {}

    def is_of(self, state: State, key: bytes, seat: int) -> bool:
        """Whether all that `seat`, under `key`, still has to make good came from this secret."""
        deal, log_id = state.deal, state.log_id
        if state.phase is Phase.COIN_REVEAL:
            secret = self.coin(log_id, state.formed)
            return state.commitments[seat] == coin_commitment(log_id, key, secret)
        if deal is not None and seat < len(deal.commitments) and not deal.keys:
            secret_key = self.round_secret(log_id, deal.keyed)
            return deal.commitments[seat] in (
                b"",
                key_commitment(deal.commit_contexts[seat], secret_key),
            )
        keyed = [] if deal is None else [(deal.keys, deal.keyed)]
        if state.deck is not None and state.phase not in _BETWEEN_DECKS:
            keyed.append((state.deck.keys, state.deck.born))
        return all(
            keys[seat] in (b"", self._public_key(log_id, born))
            for keys, born in keyed
            if seat < len(keys)
        )

    def _public_key(self, log_id: bytes, born: int) -> bytes:
        place = (log_id, born)
        if place not in self._own:
            kept = dict(list(self._own.items())[-1:])  # of the deck in play and the next one
            self._own = {**kept, place: public_key(self.round_secret(log_id, born))}
        return self._own[place]

    def coin(self, table_id: bytes, formed: int) -> bytes:
        """My 32 octets of the table's coin; others if the roster is signed again, at `formed`."""
        return expand(self._secret, "coin", table_id, formed)(32)

    def round_secret(self, log_id: bytes, born: int) -> RoundSecret:
        """The key of the deal that began at step `born`: a redeal of a round has another."""
        return make_round_secret(expand(self._secret, "round", log_id, born))

    def round_seed(self, log_id: bytes, born: int) -> bytes:
        """The 32 octets that every shuffle of that deal comes from, and nothing else."""
        return expand(self._secret, "seed", log_id, born)(32)

    def shuffle_secret(
        self, log_id: bytes, born: int, context: bytes, given: Sequence[Masked]
    ) -> ShuffleSecret:
        """The permutation and randomness of a link, bound to the very deck they are used on."""
        return derive_shuffle_secret(self.round_seed(log_id, born), context, given)

    def opening_secret(self, context: bytes) -> bytes:
        """The 32 octets of the commitment bound to `context`."""
        return expand(self._secret, "opening", context)(32)

    def box_key(self, context: bytes) -> bytes:
        """The key of the box beside that commitment."""
        return expand(self._secret, "opening box", context)(32)
