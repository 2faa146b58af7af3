"""The private side of a seat: its secrets, its tiles, and the entries it owes.

Every secret is derived (`keyring`), so a restarted process finds it again. Only the nonces of
proofs are drawn fresh; a proof once written to disk is resent as the same octets and never made
again [peer.md §8.1].
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from engine.play.apply import apply
from engine.play.hub_search import found_position
from engine.table.moves import ChainLink, LayChain, LayTile, Move
from engine.table.table import Hand, Table
from engine.table.trains import Position, Seat
from engine.table.turn import OpeningAll
from engine.tiles import Tile
from netgame.crypto.blanks import prove_blinding
from netgame.crypto.coin import coin_commitment
from netgame.crypto.group import Entropy, encode
from netgame.crypto.hand import prove_hand
from netgame.crypto.handover import prove_hand_over
from netgame.crypto.keys import RoundSecret
from netgame.crypto.masking import reveal_token, unmask
from netgame.crypto.rebuild import encode_rebuild, prove_rebuild
from netgame.crypto.sealed import opening_commitment
from netgame.crypto.shuffle import prove_shuffle, shuffle
from netgame.crypto.transcript import expand
from netgame.errors import LocalMisuse
from netgame.frozen import FrozenStruct
from netgame.protocol.log.entry import entry_name
from netgame.protocol.peer.secrets.keyring import Dealer, Keyring, PendingPayload
from netgame.protocol.state import phases
from netgame.protocol.state.acts import MoveProofs, move_of, turn_entry
from netgame.protocol.state.deal import commit_context, context_at, tiles_by_point
from netgame.protocol.state.deck import Deal, RoundDeck
from netgame.protocol.state.leavers import rebuild_statement, unblinding
from netgame.protocol.state.lobby import agreed_digest
from netgame.protocol.state.play import hand_to_mix, tile_given
from netgame.protocol.state.round_end import hand_to_open, scores_to_sign
from netgame.protocol.state.shares import Shared, shares_owed
from netgame.protocol.state.state import State
from netgame.protocol.state.turn import hand_statement, opening_octets, tiles_to_open
from netgame.wire import messages as wire


class _Draft(FrozenStruct):
    """A sealed opening that is not whole yet."""

    step: int
    """The step that the opening is for."""
    table: Table
    """The table with the tiles of the opening laid so far."""
    links: tuple[ChainLink, ...]
    """The tiles laid so far."""


class Author:
    """Keeps the secrets of one seat, and makes its entries with their proofs.

    `key` is the public key of the seat, and `secret` the table secret (32 octets). `entropy`
    returns fresh octets for nonces.
    """

    def __init__(self, key: bytes, secret: bytes, entropy: Entropy) -> None:
        self.key = key
        self._keyring = Keyring(secret)
        self._entropy = entropy
        self.dealer = Dealer(key, self._keyring, self.fresh)
        self._tiles: dict[int, Tile] = {}
        """The seat's tiles by position, as far as they are known."""
        self._born = -1
        """The deal of these tiles, by the step at which it began."""
        self._draft: _Draft | None = None
        """The sealed opening in the making, if any."""
        self._openings: list[wire.Opening] = []
        """All openings that the seat may have committed to at this table."""

    def forget(self) -> None:
        """Forget the tiles, the draft and the kept proof, because the log is being cut.

        They belong to the branch that is dropped.
        """
        self._tiles, self._born, self._draft = {}, -1, None
        self.dealer.forget()

    # ---- hand and table ----

    def hand(self, state: State) -> Hand | None:
        """Return the seat's tiles, by ascending position, as far as others' shares show them.

        They include a boneyard tile that only this seat has seen and may now lay in the hub. None
        without a seat or a deck, or if the secret of the seat's keys is lost.
        """
        seat, table, deck = state.seat_of(self.key), self.table(state), state.deck
        if seat is None or table is None or deck is None or self.has_lost_secret(state):
            return None
        self._learn(state, table, deck, seat)
        held = table.hands[seat]
        found = found_position(table)
        if found is not None and deck.keepers.get(found) == seat == table.to_move:
            held = (*held, found)
        known = ((p, self._tiles[p]) for p in sorted(held) if p in self._tiles)
        return Hand(Seat(seat), tuple((Position(p), tile) for p, tile in known))

    def table(self, state: State) -> Table | None:
        """Return the table as this seat sees it, with the tiles of its unrevealed opening.

        None before the first deal.
        """
        draft = self._my_draft(state)
        return state.table if draft is None else draft.table

    def _my_draft(self, state: State) -> _Draft | None:
        draft = self._draft
        sealing = isinstance(state.now, phases.SealingOpenings)
        return draft if sealing and draft is not None and draft.step == state.step else None

    def _learn(self, state: State, table: Table, deck: RoundDeck, seat: int) -> None:
        """Work out and store the tiles at this seat's positions that lack only its own share."""
        if self._born != deck.born:
            self._born, self._tiles = deck.born, {}
        mine = (*table.hands[seat], *(p for p, keeper in deck.keepers.items() if keeper == seat))
        missing = [p for p in mine if p not in self._tiles and p in deck.residuals]
        if not missing:
            return
        by_point = tiles_by_point(table)
        x = self.round_secret(state, deck).x
        for position in missing:
            masked = deck.residuals[position]
            point = unmask(masked, reveal_token(x, masked.A))
            # each token was checked by its proof, and a proved chain opens to tiles under its keys
            assert point in by_point, "a proved shuffle holds nothing but tiles"
            self._tiles[position] = by_point[point]

    # ---- secrets ----

    def round_secret(self, state: State, made: Deal | RoundDeck) -> RoundSecret:
        """Return the seat's secret for this deal or deck; raises `LocalMisuse` without a seat."""
        seat = state.seat_of(self.key)
        if seat is None:
            raise LocalMisuse("nobody's key of a round")
        return self._keyring.round_secret(commit_context(state, made, seat))

    def has_lost_secret(self, state: State) -> bool:
        """Return True if the seat's keys do not come from our secret: its entries would convict it.

        This happens when the folder of a table is lost and its key sits down there again. False
        without a seat, or with a seat that has left.
        """
        seat = state.seat_of(self.key)
        # `seat or 0` is for the type checker: a seat that is present is not None.
        return seat in state.present and not self._keyring.is_of(state, self.key, seat or 0)

    def fresh(self, *purpose: str | bytes | int) -> Entropy:
        """Return a source of octets for one piece of work, so that no two threads share one.

        In a demonstration the sources differ by `purpose` alone: its log must not depend on the
        order in which a busy computer does its work.
        """
        return expand(self._entropy(32), "work", *purpose)

    # ---- entries that need no decision ----

    def owed(self, state: State, *, chain_checked: bool) -> wire.Payload | PendingPayload | None:
        """Return the payload that the seat owes the due step, or None.

        None if it owes nothing, or if the payload needs a decision or more time. `chain_checked`
        says whether we have verified the proofs of the deal in the making. The caller must know
        that this seat is due and has not written yet. Raises `LocalMisuse` if the payload needs the
        hand and the secret of the seat's keys is lost.
        """
        seat = state.seat_of(self.key)
        if seat is None:
            return None
        if isinstance(state.now, phases.Staged):
            return self.dealer.owed(state, state.now.deal, seat, chain_checked=chain_checked)
        make: dict[
            type[phases.Now], Callable[[State, Any, int], wire.Payload | PendingPayload | None]
        ] = {
            phases.SigningRoster: lambda *_: wire.Roster(agreed_digest(state)),
            phases.CommittingCoin: self._coin_commit,
            phases.RevealingCoin: lambda _, now, __: wire.CoinReveal(
                self._keyring.coin(state.log_id, now.head)
            ),
            phases.SharingHands: self._shares,
            phases.SharingDraws: self._shares,
            phases.ShowingOpenings: self._reveal,
            phases.HandingOver: self._hand_over,
            phases.MixingHands: self._mix_hand,
            phases.Rebuilding: self._rebuild,
            phases.BlindingRebuilt: self._blind,
            phases.FindingBlanks: self._unblind,
            phases.OpeningHands: self._open,
            phases.Scoring: lambda _, now, __: wire.RoundOver(
                scores_to_sign(now.standing.table), (), 0
            ),
            phases.Auditing: self._keys,
        }
        how = make.get(type(state.now))
        return None if how is None else how(state, state.now, seat)

    def _keys(self, state: State, now: phases.Auditing, _: int) -> wire.Keys:
        return wire.Keys(encode(self.round_secret(state, now.round.deck).x))

    def _coin_commit(self, state: State, _: phases.CommittingCoin, __: int) -> wire.CoinCommit:
        secret = self._keyring.coin(state.log_id, state.head)
        return wire.CoinCommit(coin_commitment(state.log_id, self.key, secret))

    def _shares(self, state: State, now: phases.InRound, seat: int) -> PendingPayload | None:
        owed = shares_owed(state, now.round, seat)
        return self._showing(state, owed, wire.Shares) if owed.positions else None

    def _showing(
        self, state: State, shared: Shared, make: Callable[[bytes, bytes], wire.Payload]
    ) -> PendingPayload:
        """Return the payload, yet to be made, with the shares that `shared` describes.

        `make` builds it from the octets of the shares and of their proof.
        """
        x = self.round_secret(state, _round_of(state).deck).x
        entropy = self.fresh(shared.context)
        return PendingPayload(lambda: make(*shared.proved(x, entropy)))

    def _my_hand(self, state: State) -> Hand:
        """Return the hand; raises `LocalMisuse` without a seat, a deck or the secret."""
        hand = self.hand(state)
        if hand is None:
            raise LocalMisuse("nobody's hand to move from")
        return hand

    def _open(
        self, state: State, now: phases.OpeningHands, seat: int
    ) -> PendingPayload | wire.Open:
        hand = self._my_hand(state)
        if not hand.tiles:
            return wire.Open((), b"", b"")
        tiles = tuple((tile.low, tile.high) for _, tile in hand.tiles)
        return self._showing(state, hand_to_open(state, now, seat), partial(wire.Open, tiles))

    def _hand_over(self, state: State, now: phases.HandingOver, seat: int) -> PendingPayload:
        """Return the payload, yet to be made, that hands over the tile going back to the boneyard.

        The tile is masked under the joint key, so the other seats do not see which one it is.
        """
        deck = now.round.deck
        left = tile_given(now, seat)
        context = context_at(state, "hand-over", seat)
        x = self.round_secret(state, deck).x
        entropy = self.fresh(context)
        return PendingPayload(
            lambda: wire.HandOver(encode(prove_hand_over(x, context, left, deck.joint, entropy)))
        )

    def _mix_hand(self, state: State, now: phases.MixingHands, seat: int) -> PendingPayload:
        """Return the payload, yet to be made, that shuffles the seat's own hand."""
        given = hand_to_mix(now.round, seat)
        key = now.round.deck.keys[seat]
        context = context_at(state, "mix-hand", seat)
        committed = now.round.deck.commit_contexts[seat]
        secret = self._keyring.shuffle_secret(committed, context, given)
        entropy = self.fresh(context)

        def run() -> wire.MixHand:
            made = shuffle(given, key, secret)
            proof = prove_shuffle(context, key, given, made, secret, entropy)
            return wire.MixHand(encode(made), encode(proof))

        return PendingPayload(run)

    # ---- going on without leavers ----

    def _rebuild(self, state: State, now: phases.Rebuilding, seat: int) -> PendingPayload:
        """Return the payload, yet to be made, with this seat's part of the rebuilt deck.

        The rebuilt deck is encrypted without the keys of those who left.
        """
        statement = rebuild_statement(state, now.round, seat)
        held = [tile for _, tile in self._my_hand(state).tiles]
        x = self.round_secret(state, now.round.deck).x
        entropy = self.fresh("rebuild", state.step)
        return PendingPayload(
            lambda: wire.Rebuild(encode_rebuild(prove_rebuild(statement, x, held, entropy)))
        )

    def _blind(self, state: State, now: phases.BlindingRebuilt, seat: int) -> PendingPayload:
        """Return the payload, yet to be made, that blinds the new deck by a secret factor.

        The factor is not kept.
        """
        context = context_at(state, "blind", seat)
        deck, entropy = now.deal.decks[-1], self.fresh(context)
        return PendingPayload(lambda: wire.Blind(encode(prove_blinding(context, deck, entropy))))

    def _unblind(self, state: State, now: phases.FindingBlanks, seat: int) -> PendingPayload:
        return self._showing(state, unblinding(state, now, seat), wire.Unblind)

    # ---- openings that all lay at once ----

    def recall(self, openings: Iterable[wire.Opening]) -> None:
        """Remember openings from the journal; this seat may have committed to any of them."""
        self._openings.extend(openings)

    def plan(self, state: State, move: Move) -> wire.Opening | None:
        """Add a move to the seat's opening; return the opening once it is whole, else None.

        The move must be legal on `table`, which includes the moves added earlier. Raises
        `LocalMisuse` between rounds.
        """
        round_ = _round_of(state)
        draft = self._my_draft(state)
        seat = move.seat
        after, _ = apply(draft.table if draft else round_.table, move)
        links = draft.links if draft else ()
        if isinstance(move, LayTile):
            links = (*links, ChainLink(move.position, move.tile, move.joined))
            if isinstance(after.now, OpeningAll) and not after.now.finished >> seat & 1:
                self._draft = _Draft(state.step, after, links)
                return None
        if isinstance(move, LayChain):
            links = (*links, *move.lays)
        first = after.trains[seat].id
        said = turn_entry(LayChain(seat, first, links) if links else move)
        # Our own move: the rules allow nothing else as an opening.
        assert isinstance(said, wire.Opening)
        return said

    def seal(self, state: State, opening: wire.Opening) -> wire.OpeningCommit:
        """Return the commitment to an opening, and remember the opening.

        Raises `LocalMisuse` without a seat.
        """
        seat = state.seat_of(self.key)
        if seat is None:
            raise LocalMisuse("nobody's opening")
        self._openings.append(opening)
        context = context_at(state, "opening-commit", seat)
        return wire.OpeningCommit(self._committed(context, opening)[0])

    def _committed(self, context: bytes, opening: wire.Opening) -> tuple[bytes, bytes]:
        """Return the commitment to an opening in this context, and its secret."""
        said = opening_octets(opening)
        secret = self._keyring.opening_secret(context, said)
        return opening_commitment(context, said, secret), secret

    def _reveal(
        self, state: State, now: phases.ShowingOpenings, seat: int
    ) -> PendingPayload | None:
        """Return the payload, yet to be made, that reveals the opening; None if we have lost it."""
        context, commitment = now.sealed.contexts[seat], now.sealed.commitments[seat]
        known = ((each, *self._committed(context, each)) for each in reversed(self._openings))
        found = ((each, secret) for each, made_of, secret in known if made_of == commitment)
        opening, secret = next(found, (None, b""))
        move = None if opening is None else move_of(seat, opening)
        if move is None:
            return None
        made = self.turn(state, move)

        def run() -> wire.OpeningReveal:
            turn = made.run()
            # Our own move: `turn` makes an opening of an opening.
            assert isinstance(turn, wire.Opening)
            return wire.OpeningReveal(secret, turn)

        return PendingPayload(run)

    # ---- moves ----

    def turn(self, state: State, move: Move) -> PendingPayload:
        """Return the payload of a move, yet to be made, with its proofs.

        The move must be legal with the hand. Raises `LocalMisuse` between rounds, or where the hand
        cannot be known.
        """
        round_ = _round_of(state)
        hand = self._my_hand(state)
        kind = entry_name(turn_entry(move))
        opened = tiles_to_open(state, round_, move, kind)
        shared = None if opened is None else opened[0]
        x = self.round_secret(state, round_.deck).x
        entropy = self.fresh(kind, state.step, state.head)
        statement = hand_statement(state, round_, move, kind)
        mine = set(round_.table.hands[move.seat]) - set(shared.positions if shared else ())
        held = [tile for position, tile in hand.tiles if position in mine]

        def run() -> wire.Payload:
            shown = (b"", b"") if shared is None else shared.proved(x, entropy)
            claim = b"" if statement is None else encode(prove_hand(statement, x, held, entropy))
            return turn_entry(move, MoveProofs(*shown, claim))

        return PendingPayload(run)


def _round_of(state: State) -> phases.Round:
    """Return the round in play; raises `LocalMisuse` between rounds."""
    if state.round is None:
        raise LocalMisuse("no round to move in")
    return state.round
