"""How one seat makes its part of a deck: its key, its shuffle, and the proof of that."""

from collections.abc import Callable
from dataclasses import dataclass

from netgame.crypto.audit import seed_commitment
from netgame.crypto.group import Entropy, encode
from netgame.crypto.keys import key_commitment, open_key
from netgame.crypto.shuffle import prove_shuffle, shuffle
from netgame.crypto.transcript import expand
from netgame.protocol.fold.deal import commit_context, context_at
from netgame.protocol.fold.deck import Deal
from netgame.protocol.fold.options import Audit
from netgame.protocol.fold.state import State
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.secrets.keyring import Keyring
from netgame.wire import messages as wire


@dataclass(frozen=True, slots=True)
class Making:
    """A payload that takes time to make: run it anywhere, it touches nothing shared."""

    run: Callable[[], wire.Payload]


class Dealer:
    """What the owner of `key` owes each stage of a deal.

    The proof of its link takes long, so it is made beforehand and kept until its step is due.
    """

    def __init__(self, key: bytes, keyring: Keyring, entropy: Entropy) -> None:
        self.key = key
        self._keyring = keyring
        self._entropy = entropy
        self._proof: tuple[int, wire.Proof] | None = None

    def forget(self) -> None:
        """The log is read anew: the proof is of another branch."""
        self._proof = None

    def owed(
        self, state: State, deal: Deal, seat: int, *, chain_checked: bool
    ) -> wire.Payload | Making | None:
        """What to write in the stage that is due, if it can be said now."""
        number = deal.round_number
        match deal.phase:
            case DealPhase.KEY_COMMIT:
                return self._key_commit(state, deal, seat)
            case DealPhase.KEY_OPEN:
                context = context_at(state, number, "key-open", seat)
                secret = self._keyring.round_secret(commit_context(state, deal, seat))
                return wire.KeyOpen(number, encode(open_key(context, secret)))
            case DealPhase.DECK:
                return self._deck(state, deal, seat)
            case DealPhase.PROOF:
                return self._proof[1] if self._proof and self._proof[0] == deal.born else None
            case _:
                return wire.Checked(number) if chain_checked else None

    def _key_commit(self, state: State, deal: Deal, seat: int) -> wire.KeyCommit:
        context = context_at(state, deal.round_number, "key-commit", seat)
        secret = self._keyring.round_secret(commit_context(state, deal, seat))
        seed = b""
        if state.options.audit is Audit.SEEDS:
            seed = seed_commitment(context, self._keyring.round_seed(context))
        return wire.KeyCommit(deal.round_number, key_commitment(context, secret), seed)

    def _deck(self, state: State, deal: Deal, seat: int) -> Making:
        context = context_at(state, deal.round_number, "deck", seat)
        given, committed, keyring = deal.decks[-1], deal.commit_contexts[seat], self._keyring

        def run() -> wire.Deck:
            secret = keyring.shuffle_secret(committed, context, given)
            return wire.Deck(deal.round_number, encode(shuffle(given, deal.joint, secret)))

        return Making(run)

    def shuffle_proof(self, state: State) -> Making | None:
        """The proof of our link as work to start as soon as our deck stands in the log."""
        seat, deal = state.seat_of(self.key), state.deal
        if seat is None or deal is None or seat not in deal.authors:
            return None
        number = deal.authors.index(seat)
        if len(deal.deck_contexts) <= number:
            return None
        if self._proof is not None and self._proof[0] == deal.born:
            return None
        context, entropy = deal.deck_contexts[number], expand(self._entropy(32), "work")
        committed, keyring = deal.commit_contexts[seat], self._keyring

        def run() -> wire.Proof:
            given, made = deal.decks[number], deal.decks[number + 1]
            secret = keyring.shuffle_secret(committed, context, given)
            proof = prove_shuffle(context, deal.joint, given, made, secret, entropy)
            return wire.Proof(deal.round_number, encode(proof))

        return Making(run)

    def keep_proof(self, born: int, proof: wire.Proof) -> None:
        """Remember the proof of our link in the deal that began at `born` until its step is due."""
        self._proof = (born, proof)
