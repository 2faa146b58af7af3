"""All secrets of one seat, and its payloads in a deal, which are made from them.

Everything is derived from one table secret and the place in the log: a restarted process finds the
same keys and permutations again, and nothing else is stored [peer.md §8.1]. An audit opens the key
of a round, which reveals no other secret.
"""

from collections.abc import Callable, Sequence

from netgame.crypto.coin import coin_commitment
from netgame.crypto.group import Entropy, encode
from netgame.crypto.keys import RoundSecret, key_commitment, make_round_secret, open_key, public_key
from netgame.crypto.masking import Masked
from netgame.crypto.shuffle import ShuffleSecret, derive_shuffle_secret, prove_shuffle, shuffle
from netgame.crypto.transcript import expand
from netgame.frozen import FrozenStruct
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.deal import commit_context, context_at
from netgame.protocol.state.deck import Deal
from netgame.protocol.state.phases import Dealing, Forming, Over, RevealingCoin
from netgame.protocol.state.state import State
from netgame.wire import messages as wire


class Keyring:
    """Derives secrets from the table secret of 32 octets and their place in the log.

    A context (protocol.md §5.2) names session, round, seat, step and head. The key and the shuffles
    come from the context of this seat's `key-commit`, so they differ for a deal on another branch
    of the log.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._own: dict[bytes, bytes] = {}

    def is_of(self, state: State, key: bytes, seat: int) -> bool:
        """Return True if all that `seat` must still open was made from this secret.

        That is its coin, its key of a deal, or its keys of the decks in use. True, too, if it has
        not committed to anything yet. `key` is the seat's public key for signatures.
        """
        deal, log_id = state.deal, state.log_id
        # A coin that is committed to and not shown yet.
        if isinstance(state.now, RevealingCoin):
            secret = self.coin(log_id, state.now.head)
            return state.now.commitments[seat] == coin_commitment(log_id, key, secret)
        # A key that is committed to and not opened yet.
        if deal is not None and seat < len(deal.commitments) and not deal.keys:
            context = deal.commit_contexts[seat]
            committed = key_commitment(context, self.round_secret(context))
            return deal.commitments[seat] in (b"", committed)
        # Keys that encrypt tiles: of the deal in the making, and of the deck in play.
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
            kept = dict(list(self._own.items())[-1:])  # so it has the deck in play and the next
            self._own = {**kept, context: public_key(self.round_secret(context))}
        return self._own[context]

    def coin(self, log_id: bytes, head: bytes) -> bytes:
        """Return the 32 octets that this seat adds to the coin whose commitments follow `head`."""
        return expand(self._secret, "coin", log_id, head)(32)

    def round_secret(self, context: bytes) -> RoundSecret:
        """Return the secret key of a round; `context` is that of the seat's commitment to it.

        A redeal of a round has a different key: using one key for two decks would reveal tiles.
        """
        return make_round_secret(expand(self._secret, "round", context))

    def shuffle_secret(
        self, committed: bytes, context: bytes, given: Sequence[Masked]
    ) -> ShuffleSecret:
        """Return the permutation and the randomness for a shuffle of the ciphertexts `given`.

        Both depend on `given`, so they are never used for a different deck. `committed` is the
        context of the key commitment, and `context` that of the shuffle.
        """
        seed = expand(self._secret, "seed", committed)(32)
        return derive_shuffle_secret(seed, context, given)

    def opening_secret(self, context: bytes, said: bytes) -> bytes:
        """Return the 32 secret octets of the commitment to `said`; they reveal no other secret."""
        return expand(self._secret, "opening", context, said)(32)


class PendingPayload(FrozenStruct):
    """A payload that takes time to make.

    `run` makes it, and touches nothing shared, so it may run in any thread.
    """

    run: Callable[[], wire.Payload]


class Dealer:
    """Makes the payloads that the owner of `key` owes in a deal.

    The proof of a shuffle takes long to make, so it is made early and kept until its step is due.
    """

    def __init__(self, key: bytes, keyring: Keyring, fresh: Callable[[bytes], Entropy]) -> None:
        self.key = key
        self._keyring = keyring
        self._fresh = fresh
        self._proofs: dict[int, wire.Proof] = {}

    def forget(self) -> None:
        """Forget the kept proof, because the log is being cut and it belongs to another branch."""
        self._proofs = {}

    def owed(
        self, state: State, deal: Deal, seat: int, *, chain_checked: bool
    ) -> wire.Payload | PendingPayload | None:
        """Return the payload for the due stage, or None if it is not ready yet.

        The shuffle proof is ready once it is kept for this deal, and the last stage's payload once
        `chain_checked` is True.
        """
        number = deal.round_number
        match deal.phase:
            case DealPhase.KEY_COMMIT:
                return self._key_commit(state, deal, seat)
            case DealPhase.KEY_OPEN:
                context = context_at(state, "key-open", seat)
                secret = self._keyring.round_secret(commit_context(state, deal, seat))
                return wire.KeyOpen(number, encode(open_key(context, secret)))
            case DealPhase.DECK:
                return self._deck(state, deal, seat)
            case DealPhase.PROOF:
                return self._proofs.get(deal.born)
            case _:
                return wire.Checked(number) if chain_checked else None

    def _key_commit(self, state: State, deal: Deal, seat: int) -> wire.KeyCommit:
        context = context_at(state, "key-commit", seat)
        secret = self._keyring.round_secret(commit_context(state, deal, seat))
        return wire.KeyCommit(deal.round_number, key_commitment(context, secret))

    def _deck(self, state: State, deal: Deal, seat: int) -> PendingPayload:
        given = deal.decks[-1]
        context = context_at(state, "deck", seat)
        committed = deal.commit_contexts[seat]
        keyring = self._keyring

        def run() -> wire.Deck:
            secret = keyring.shuffle_secret(committed, context, given)
            return wire.Deck(deal.round_number, encode(shuffle(given, deal.joint, secret)))

        return PendingPayload(run)

    def shuffle_proof(self, state: State) -> Callable[[], wire.Proof] | None:
        """Return a function that makes the proof of our shuffle, once our deck is in the log.

        None before that, if the proof is already kept, or if we do not shuffle in this deal. The
        caller runs the function and passes its result to `keep_proof`.
        """
        seat, deal = state.seat_of(self.key), state.deal
        if seat is None or deal is None or seat not in deal.authors:
            return None
        number = deal.authors.index(seat)
        if len(deal.deck_contexts) <= number or deal.born in self._proofs:
            return None
        context = deal.deck_contexts[number]
        entropy = self._fresh(context)
        committed = deal.commit_contexts[seat]
        keyring = self._keyring

        def run() -> wire.Proof:
            given, made = deal.decks[number], deal.decks[number + 1]
            secret = keyring.shuffle_secret(committed, context, given)
            proof = prove_shuffle(context, deal.joint, given, made, secret, entropy)
            return wire.Proof(deal.round_number, encode(proof))

        return run

    def keep_proof(self, born: int, proof: wire.Proof) -> None:
        """Keep the proof of our shuffle until its step is due; the deal began at step `born`."""
        self._proofs = {born: proof}
