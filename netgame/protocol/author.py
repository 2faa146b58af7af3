"""The private side of a seat: its secrets, its tiles, and the entries it owes.

Everything secret is derived from one table secret of 32 octets and the place in the log, so a
process that died finds the same keys and the same permutation again. Only the nonces of proofs
are drawn fresh; a proof once written to disk is resent as those octets and never made anew
[protocol.md §8].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.calls import may_tap, offenders
from engine.moves import Move, Quiet, Tap, shows
from engine.table import Hand, round_deck
from engine.trains import Position, Seat
from netgame.crypto.coin import coin_commitment
from netgame.crypto.entropy import expand
from netgame.crypto.hand import encode_hand_proof, prove_hand
from netgame.crypto.keys import (
    RoundSecret,
    encode_key_opening,
    key_commitment,
    make_round_secret,
    open_key,
)
from netgame.crypto.masking import deck_digest, encode_deck, reveal_token, tile_point, unmask
from netgame.crypto.proofs import encode_reveal_proof, encode_tokens, prove_reveal
from netgame.crypto.shuffle import (
    ShuffleSecret,
    encode_shuffle_proof,
    make_shuffle_secret,
    prove_shuffle,
    shuffle,
)
from netgame.errors import LocalMisuse
from netgame.protocol.deal import context_at
from netgame.protocol.lobby import agreed_digest
from netgame.protocol.play import positions_shared
from netgame.protocol.state import DealPhase, Phase, State
from netgame.protocol.turns import hand_statement, turn_entry
from netgame.wire.messages import (
    Checked,
    CoinCommit,
    CoinReveal,
    Deck,
    KeyCommit,
    KeyOpen,
    Open,
    Payload,
    Proof,
    Roster,
    RoundOver,
    Shares,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.table import Table
    from engine.tiles import Tile
    from netgame.crypto.group import Entropy
    from netgame.protocol.state import Deal

__all__ = ["Author", "Making"]


@dataclass(frozen=True, slots=True)
class Making:
    """A payload that takes time to make: run it anywhere, it touches nothing shared."""

    run: Callable[[], Payload]


class Author:
    """What one seat knows alone; it owes every entry of its own that needs no decision.

    `secret` is the table secret (32 octets), `entropy` gives fresh octets for nonces.
    """

    def __init__(self, key: bytes, secret: bytes, entropy: Entropy) -> None:
        self.key = key
        self._secret = secret
        self._entropy = entropy
        self._tiles: dict[int, Tile] = {}
        self._born = -1
        self._proof: tuple[int, Proof] | None = None

    # ---- who and what I am ----

    def seat(self, state: State) -> int | None:
        """My number at the table: in the roster until the coin has fallen, then my seat."""
        if state.seats:
            return next((i for i, member in enumerate(state.seats) if member.key == self.key), None)
        return state.roster.index(self.key) if self.key in state.roster else None

    def hand(self, state: State) -> Hand | None:
        """My tiles, as far as the shares of others let me see them."""
        seat = self.seat(state)
        if seat is None or state.table is None or not state.seats or state.deck is None:
            return None
        self._learn(state, seat)
        held = state.table.hands[seat]
        known = ((p, self._tiles[p]) for p in sorted(held) if p in self._tiles)
        return Hand(Seat(seat), tuple((Position(p), tile) for p, tile in known))

    def _learn(self, state: State, seat: int) -> None:
        """Open, for my eyes only, the positions that only my share is missing from."""
        table, deck = state.table, state.deck
        assert table is not None
        assert deck is not None
        if self._born != deck.born:
            self._born, self._tiles = deck.born, {}
        missing = [p for p in table.hands[seat] if p not in self._tiles and p in deck.residuals]
        if not missing:
            return
        by_point = {tile_point(tile): tile for tile in _tiles_of(state)}
        x = self._round_secret(state, deck.born).x
        for position in missing:
            masked = deck.residuals[position]
            point = unmask(masked, reveal_token(x, masked.A))
            assert point in by_point, "a proved shuffle holds nothing but tiles"
            self._tiles[position] = by_point[point]

    # ---- secrets, all derived ----

    def _coin(self, state: State) -> bytes:
        return expand(self._secret, "coin", state.table_id)(32)

    def _round_secret(self, state: State, born: int) -> RoundSecret:
        """The key of the deal that began at step `born`: a redeal of a round has another."""
        return make_round_secret(expand(self._secret, "round", state.log_id, born))

    def _shuffle_secret(self, deal: Deal, seat: int, context: bytes) -> ShuffleSecret:
        """The permutation and randomness of my link, bound to the very deck they are used on."""
        given = deal.decks[seat]
        entropy = expand(self._secret, "shuffle", context, deck_digest(given))
        return make_shuffle_secret(len(given), entropy)

    def fresh(self) -> Entropy:
        """Fresh octets for one piece of work, drawn here so that no two threads share a source."""
        return expand(self._entropy(32), "work")

    # ---- entries that need no decision ----

    def owed(self, state: State, *, chain_checked: bool) -> Payload | Making | None:
        """What I owe the due step, if I can say it now; None if it needs a decision or more time.

        `chain_checked` says that I have verified the proofs of the deal in the making.
        """
        seat = self.seat(state)
        if seat is None:
            return None
        if state.phase is Phase.DEAL or (state.phase is Phase.PLAY and state.interlude):
            return self._deal_stage(state, seat, chain_checked=chain_checked)
        if state.phase in (Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL):
            return self._forming(state)
        if state.phase in (Phase.SHARES, Phase.DRAWN):
            return self._shares(state, seat)
        if state.phase is Phase.CALLS and state.table is not None:
            return self._call(state.table, Seat(seat))
        if state.phase is Phase.OPEN:
            return self._open(state, seat)
        if state.phase is Phase.SCORE and state.table is not None:
            return RoundOver(tuple(state.table.past[-1]))
        return None

    def _call(self, table: Table, seat: Seat) -> Payload:
        """What this seat says when all may call: that it has one tile left, else nothing."""
        move = Tap(seat) if seat in offenders(table) and may_tap(table, seat) else Quiet(seat)
        payload = turn_entry(move, b"", b"", b"")
        assert payload is not None
        return payload

    def _forming(self, state: State) -> Payload:
        """What every member writes before it has a seat."""
        if state.phase is Phase.ROSTER:
            return Roster(agreed_digest(state))
        secret = self._coin(state)
        if state.phase is Phase.COIN_COMMIT:
            return CoinCommit(coin_commitment(state.table_id, self.key, secret))
        return CoinReveal(secret)

    def _deal_stage(
        self, state: State, seat: int, *, chain_checked: bool
    ) -> Payload | Making | None:
        deal = state.deal
        assert deal is not None
        number = deal.round_number
        match deal.phase:
            case DealPhase.KEY_COMMIT:
                context = context_at(state, number, "key-commit", seat)
                return KeyCommit(
                    number, key_commitment(context, self._round_secret(state, deal.born))
                )
            case DealPhase.KEY_OPEN:
                context = context_at(state, number, "key-open", seat)
                opening = open_key(context, self._round_secret(state, deal.born))
                return KeyOpen(number, encode_key_opening(opening))
            case DealPhase.DECK:
                return self._deck(state, deal, seat)
            case DealPhase.PROOF:
                return self._proof[1] if self._proof and self._proof[0] == deal.born else None
            case _:
                return Checked(number) if chain_checked else None

    def _deck(self, state: State, deal: Deal, seat: int) -> Making:
        context = context_at(state, deal.round_number, "deck", seat)

        def run() -> Deck:
            secret = self._shuffle_secret(deal, seat, context)
            return Deck(
                deal.round_number, encode_deck(shuffle(deal.decks[seat], deal.joint, secret))
            )

        return Making(run)

    def shuffle_proof(self, state: State) -> Making | None:
        """The proof of my link as work to start as soon as my deck stands in the log."""
        seat, deal = self.seat(state), state.deal
        if seat is None or deal is None or len(deal.deck_contexts) <= seat:
            return None
        if self._proof is not None and self._proof[0] == deal.born:
            return None
        context, entropy = deal.deck_contexts[seat], self.fresh()

        def run() -> Proof:
            secret = self._shuffle_secret(deal, seat, context)
            given, made = deal.decks[seat], deal.decks[seat + 1]
            proof = prove_shuffle(context, deal.joint, given, made, secret, entropy)
            return Proof(deal.round_number, encode_shuffle_proof(proof))

        return Making(run)

    def keep_proof(self, born: int, proof: Proof) -> None:
        """Remember the proof of my link in the deal that began at `born` until its step is due."""
        self._proof = (born, proof)

    def _shares(self, state: State, seat: int) -> Making | None:
        assert state.table is not None
        assert state.deck is not None
        positions = positions_shared(state, seat)
        if not positions:
            return None
        masked = [state.deck.deck[position].A for position in positions]
        number = state.table.round_number
        context = context_at(state, number, "shares", seat)
        x, entropy = self._round_secret(state, state.deck.born).x, self.fresh()

        def run() -> Shares:
            tokens, proof = prove_reveal(x, context, positions, masked, entropy)
            return Shares(encode_tokens(tokens), encode_reveal_proof(proof))

        return Making(run)

    def _open(self, state: State, seat: int) -> Making | Open:
        assert state.table is not None
        assert state.deck is not None
        hand = self.hand(state)
        assert hand is not None
        if not hand.tiles:
            return Open((), b"", b"")
        positions = tuple(position for position, _ in hand.tiles)
        masked = [state.deck.residuals[position].A for position in positions]
        number = state.table.round_number
        context = context_at(state, number, "open", seat)
        x, entropy = self._round_secret(state, state.deck.born).x, self.fresh()
        tiles = tuple((tile.low, tile.high) for _, tile in hand.tiles)

        def run() -> Open:
            tokens, proof = prove_reveal(x, context, positions, masked, entropy)
            return Open(tiles, encode_tokens(tokens), encode_reveal_proof(proof))

        return Making(run)

    # ---- moves ----

    def turn(self, state: State, move: Move) -> Making:
        """The entry for my move, with its proof; the move must be legal with my hand."""
        assert state.table is not None
        assert state.deck is not None
        deck, hand = state.deck, self.hand(state)
        bare = turn_entry(move, b"", b"", b"")
        if bare is None or hand is None:
            raise LocalMisuse("no entry says this move")
        kind = str(bare.__struct_config__.tag)
        context = context_at(state, state.table.round_number, kind, move.seat)
        x, entropy = self._round_secret(state, deck.born).x, self.fresh()
        shown = tuple(position for position, _ in shows(move))
        statement = hand_statement(state, move, kind)
        held = [tile for position, tile in hand.tiles if position not in shown]

        def run() -> Payload:
            tokens, proof, claim = b"", b"", b""
            if shown:
                masked = [deck.residuals[position].A for position in shown]
                given, proved = prove_reveal(x, context, shown, masked, entropy)
                tokens, proof = encode_tokens(given), encode_reveal_proof(proved)
            if statement is not None:
                claim = encode_hand_proof(prove_hand(statement, x, held, entropy))
            payload = turn_entry(move, tokens, proof, claim)
            assert payload is not None
            return payload

        return Making(run)


def _tiles_of(state: State) -> tuple[Tile, ...]:
    """Every tile of the round's deck."""
    assert state.spec is not None
    assert state.table is not None
    return round_deck(state.spec, state.table.round_number)
