"""All that one seat keeps secret, derived from one table secret and the place in the log.

A process that died finds the same keys and the same permutations again; nothing else is stored
[protocol.md §8]. What an audit lays open, a round's key and its seed, gives nothing else away.
"""

from collections.abc import Sequence

from netgame.crypto.coin import coin_commitment
from netgame.crypto.keys import RoundSecret, key_commitment, make_round_secret, public_key
from netgame.crypto.masking import Masked
from netgame.crypto.shuffle import ShuffleSecret, derive_shuffle_secret
from netgame.crypto.transcript import expand
from netgame.protocol.fold.phases import Dealing, Forming, Over, RevealingCoin
from netgame.protocol.fold.state import State


class Keyring:
    """What is derived from the table secret of 32 octets, and from the head before it is needed.

    `context` is that of this seat's `key-commit` (protocol.md §5.2): it names session, round, seat,
    step and head, so that a deal on another branch of the log has another key and other shuffles.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._own: dict[bytes, bytes] = {}

    def is_of(self, state: State, key: bytes, seat: int) -> bool:
        """Whether all that `seat`, under `key`, still has to make good came from this secret."""
        deal, log_id = state.deal, state.log_id
        if isinstance(state.now, RevealingCoin):
            secret = self.coin(log_id, state.now.head)
            return state.now.commitments[seat] == coin_commitment(log_id, key, secret)
        if deal is not None and seat < len(deal.commitments) and not deal.keys:
            context = deal.commit_contexts[seat]
            committed = key_commitment(context, self.round_secret(context))
            return deal.commitments[seat] in (b"", committed)
        keyed = [] if deal is None else [(deal.keys, deal.commit_contexts)]
        deck = state.deck
        if deck is not None and not isinstance(state.now, Forming | Dealing | Over):
            keyed.append((deck.keys, deck.commit_contexts))
        return all(
            keys[seat] in (b"", self._public_key(contexts[seat]))
            for keys, contexts in keyed
            if seat < len(keys)
        )

    def _public_key(self, context: bytes) -> bytes:
        if context not in self._own:
            kept = dict(list(self._own.items())[-1:])  # of the deck in play and the next one
            self._own = {**kept, context: public_key(self.round_secret(context))}
        return self._own[context]

    def coin(self, log_id: bytes, head: bytes) -> bytes:
        """My 32 octets of the coin whose commitments follow `head`."""
        return expand(self._secret, "coin", log_id, head)(32)

    def round_secret(self, context: bytes) -> RoundSecret:
        """The key committed to in this context: a redeal of a round has another."""
        return make_round_secret(expand(self._secret, "round", context))

    def round_seed(self, context: bytes) -> bytes:
        """The 32 octets that every shuffle under that key comes from, and nothing else."""
        return expand(self._secret, "seed", context)(32)

    def shuffle_secret(
        self, committed: bytes, context: bytes, given: Sequence[Masked]
    ) -> ShuffleSecret:
        """The permutation and randomness of a link, bound to the very deck they are used on.

        `committed` is the context of the key, `context` that of the link.
        """
        return derive_shuffle_secret(self.round_seed(committed), context, given)

    def opening_secret(self, context: bytes, said: bytes) -> bytes:
        """The 32 octets of the commitment to `said` in `context`: shown, they tell of no other."""
        return expand(self._secret, "opening", context, said)(32)

    def box_key(self, context: bytes, commitment: bytes) -> bytes:
        """The key of the box beside that commitment: two openings never share one."""
        return expand(self._secret, "opening box", context, commitment)(32)
