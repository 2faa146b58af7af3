"""All that one seat keeps secret, derived from one table secret and the place in the log.

A process that died finds the same keys and the same permutations again; nothing else is stored
[protocol.md §8]. What an audit lays open, a round's key and its seed, gives nothing else away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from netgame.crypto.entropy import expand
from netgame.crypto.keys import RoundSecret, make_round_secret
from netgame.crypto.shuffle import ShuffleSecret, derive_shuffle_secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from netgame.crypto.masking import Masked

__all__ = ["Keyring"]


class Keyring:
    """What is derived from the table secret of 32 octets; `log_id` names the session."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

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
