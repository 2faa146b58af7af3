"""The private side of a seat: its secrets, its tiles, and the entries it owes.

Every secret is derived (`keyring`), so it is found again after a restart. Only the nonces of proofs
are drawn fresh; a proof once written to disk is resent as those octets and never made anew [peer.md
§8.1].
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
    """A sealed opening in the making."""

    step: int
    """The step that it is for."""
    table: Table
    """The table with what was laid of it so far."""
    links: tuple[ChainLink, ...]
    """What was laid so far."""


class Author:
    """The secrets of one seat; makes every entry of its own that needs no decision.

    `secret` is the table secret (32 octets), `entropy` gives fresh octets for nonces.
    """

    def __init__(self, key: bytes, secret: bytes, entropy: Entropy) -> None:
        self.key = key
        self._keyring = Keyring(secret)
        self._entropy = entropy
        self.dealer = Dealer(key, self._keyring, self.fresh)
        self._tiles: dict[int, Tile] = {}
        """My tiles by position, as far as they are known."""
        self._born = -1
        """The deal that these are of, by the step at which it began."""
        self._draft: _Draft | None = None
        """The sealed opening that I am making, if any."""
        self._openings: list[wire.Opening] = []
        """All that I may have committed to at this table."""

    def forget(self) -> None:
        """Forget tiles and drafts: the log is cut, and they belong to another branch."""
        self._tiles, self._born, self._draft = {}, -1, None
        self.dealer.forget()

    # ---- who and what I am ----

    def hand(self, state: State) -> Hand | None:
        """My tiles as far as others' shares show them, by ascending position.

        A boneyard tile that I keep and may lay in the hub now is among them. None without a seat, a
        deck or the secret.
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
        """The table as I see it, with what I have laid of an unrevealed opening.

        None before the first deal.
        """
        draft = self._my_draft(state)
        return state.table if draft is None else draft.table

    def _my_draft(self, state: State) -> _Draft | None:
        draft = self._draft
        sealing = isinstance(state.now, phases.SealingOpenings)
        return draft if sealing and draft is not None and draft.step == state.step else None

    def _learn(self, state: State, table: Table, deck: RoundDeck, seat: int) -> None:
        """Open, for my eyes only, the positions that lack only my share."""
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
        """My key of this deal or deck; raises LocalMisuse without a seat."""
        seat = state.seat_of(self.key)
        if seat is None:
            raise LocalMisuse("nobody's key of a round")
        return self._keyring.round_secret(commit_context(state, made, seat))

    def has_lost_secret(self, state: State) -> bool:
        """Whether my seat's keys are not of my secret, so that what I wrote would convict me.

        That is so when the folder of a table is gone and its key sits down there again. False
        without a seat, or with one that has left.
        """
        seat = state.seat_of(self.key)
        # `seat or 0` is for the type checker: a seat that is present is not None.
        return seat in state.present and not self._keyring.is_of(state, self.key, seat or 0)

    def fresh(self, *purpose: str | bytes | int) -> Entropy:
        """A source of octets for one piece of work, made here so that no two threads share one.

        A demonstration draws the same ones each time, differing by `purpose` alone: its log must
        not depend on the order in which a busy computer does its work.
        """
        return expand(self._entropy(32), "work", *purpose)

    # ---- entries that need no decision ----

    def owed(self, state: State, *, chain_checked: bool) -> wire.Payload | PendingPayload | None:
        """The entry I owe the due step; None if none, or if it needs a decision or more time.

        `chain_checked`: I have verified the proofs of the deal in the making. The caller knows that
        this seat is due and has not written. Raises `LocalMisuse` where it takes my hand and the
        secret of its keys is lost.
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
        """An entry that shows my shares of the deck in play, with their proof."""
        x = self.round_secret(state, _round_of(state).deck).x
        entropy = self.fresh(shared.context)
        return PendingPayload(lambda: make(*shared.proved(x, entropy)))

    def _my_hand(self, state: State) -> Hand:
        """My tiles; raises `LocalMisuse` without a seat, a deck, or the secret of its keys."""
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
        """The entry that puts my tile that goes back under the joint key."""
        deck = now.round.deck
        left = tile_given(now, seat)
        context = context_at(state, "hand-over", seat)
        x = self.round_secret(state, deck).x
        entropy = self.fresh(context)
        return PendingPayload(
            lambda: wire.HandOver(encode(prove_hand_over(x, context, left, deck.joint, entropy)))
        )

    def _mix_hand(self, state: State, now: phases.MixingHands, seat: int) -> PendingPayload:
        """The entry that mixes my hand, once I have drawn."""
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

    # ---- going on without somebody ----

    def _rebuild(self, state: State, now: phases.Rebuilding, seat: int) -> PendingPayload:
        """The entry with my part of a deck without the leavers' keys."""
        statement = rebuild_statement(state, now.round, seat)
        held = [tile for _, tile in self._my_hand(state).tiles]
        x = self.round_secret(state, now.round.deck).x
        entropy = self.fresh("rebuild", state.step)
        return PendingPayload(
            lambda: wire.Rebuild(encode_rebuild(prove_rebuild(statement, x, held, entropy)))
        )

    def _blind(self, state: State, now: phases.BlindingRebuilt, seat: int) -> PendingPayload:
        """The entry that multiplies the new deck by a factor, which I then forget."""
        context = context_at(state, "blind", seat)
        deck, entropy = now.deal.decks[-1], self.fresh(context)
        return PendingPayload(lambda: wire.Blind(encode(prove_blinding(context, deck, entropy))))

    def _unblind(self, state: State, now: phases.FindingBlanks, seat: int) -> PendingPayload:
        """The entry with my shares of the blinded deck."""
        return self._showing(state, unblinding(state, now, seat), wire.Unblind)

    # ---- openings that all lay at once ----

    def recall(self, openings: Iterable[wire.Opening]) -> None:
        """Take over the openings that my journal says I may have committed to."""
        self._openings.extend(openings)

    def plan(self, state: State, move: Move) -> wire.Opening | None:
        """Take a move of my opening; returns the opening once it is whole, else None.

        The move must be legal on `table`, which shows those taken before. Raises `LocalMisuse`
        between rounds.
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
        # our own: the rules take nothing else as an opening
        assert isinstance(said, wire.Opening)
        return said

    def seal(self, state: State, opening: wire.Opening) -> wire.OpeningCommit:
        """My commitment to an opening, which I remember; LocalMisuse without a seat."""
        seat = state.seat_of(self.key)
        if seat is None:
            raise LocalMisuse("nobody's opening")
        self._openings.append(opening)
        context = context_at(state, "opening-commit", seat)
        return wire.OpeningCommit(self._committed(context, opening)[0])

    def _committed(self, context: bytes, opening: wire.Opening) -> tuple[bytes, bytes]:
        """The commitment to an opening in this context, and the secret in it."""
        said = opening_octets(opening)
        secret = self._keyring.opening_secret(context, said)
        return opening_commitment(context, said, secret), secret

    def _reveal(
        self, state: State, now: phases.ShowingOpenings, seat: int
    ) -> PendingPayload | None:
        """The entry that shows the opening I committed to; None if I have lost it."""
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
            # our own: an opening is made of nothing else
            assert isinstance(turn, wire.Opening)
            return wire.OpeningReveal(secret, turn)

        return PendingPayload(run)

    # ---- moves ----

    def turn(self, state: State, move: Move) -> PendingPayload:
        """The entry for my move, with its proof; the move must be legal with my hand.

        Raises `LocalMisuse` between rounds, or where my hand cannot be known.
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
    """The round in play; raises LocalMisuse between rounds."""
    if state.round is None:
        raise LocalMisuse("no round to move in")
    return state.round
