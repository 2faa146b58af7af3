"""Shares: who owes them, and what they make visible to whom [protocol.md §5.6]."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.hub_search import turned_now
from engine.table.moves import TurnUp
from engine.table.trains import Position
from engine.tiles import Tile
from netgame.crypto import masking
from netgame.crypto.group import Entropy, decode_points, encode
from netgame.protocol.log.entry import Entries, payload_as
from netgame.protocol.log.fault import Claim, PendingProof, ProofKind
from netgame.protocol.notices import Notice, Played
from netgame.protocol.state.deal import context_at, tiles_by_point
from netgame.protocol.state.phases import InRound, Round
from netgame.protocol.state.state import State
from netgame.wire.messages import Shares


class Shared(NamedTuple):
    """The ciphertexts of which one seat shows its shares."""

    key: bytes
    """The seat's key of the round."""
    context: bytes
    """The octets to which the proof of the shares is bound."""
    positions: Sequence[Position]
    masked: Sequence[masking.Masked]
    """The ciphertexts, in the order of `positions`."""

    def proved(self, x: int, entropy: Entropy) -> tuple[bytes, bytes]:
        """Return the shares under the secret `x` of the key, and their proof, as octets.

        Raises LocalMisuse if there are no positions. A second call makes another proof.
        """
        firsts = [each.A for each in self.masked]
        shares, proof = masking.prove_reveal(x, self.context, self.positions, firsts, entropy)
        return encode(shares), encode(proof)


def shared_at(
    state: State,
    round_: Round,
    kind: str,
    seat: int,
    positions: Sequence[Position],
    masked: Mapping[Position, masking.Masked],
) -> Shared:
    """Return the ciphertexts at these positions, in this order, for the shares of `seat`.

    The shares belong to its entry of this `kind` in the due step. `masked` must have each position.
    """
    context = context_at(state, kind, seat)
    return Shared(round_.deck.keys[seat], context, positions, [masked[p] for p in positions])


def share_claims(
    kind: ProofKind,
    shared: Shared,
    tokens: bytes,
    proof: bytes,
    says: str,
    tiles: Sequence[Tile] = (),
    says_of_tiles: str = "",
) -> tuple[Claim, ...]:
    """Return the claims that `tokens` are the shares described by `shared`, and open as `tiles`.

    The first is a proof of this `kind`, with the sentence `says` if it fails. With `tiles` there is
    a second, with `says_of_tiles`; it also fails if there are more or fewer tiles than positions.
    Raises `Malformed` if `tokens` are not as many points as positions, or `proof` does not decode.
    """
    key, context, positions, masked = shared
    given = decode_points(tokens, len(masked))
    proved = masking.decode_reveal_proof(proof)
    firsts = [each.A for each in masked]
    points = [masking.tile_point(tile) for tile in tiles]

    def opens(_: object) -> bool:
        return list(map(masking.unmask, masked, given)) == points

    reveal = (key, context, positions, firsts, given, proved)
    terms = 4 + 2 * len(masked)
    by_key = Claim(lambda by: masking.verify_reveal(*reveal, by), says, terms, kind)
    if not tiles:
        return (by_key,)
    return by_key, Claim(opens, says_of_tiles, 0)


def positions_shared(state: State, round_: Round, seat: int) -> tuple[Position, ...]:
    """Return the positions for which `seat` owes a share in the due step, ascending; () if none."""
    return tuple(sorted(p for p, lacking in unshared(state, round_).items() if seat in lacking))


def unshared(state: State, round_: Round) -> dict[Position, frozenset[int]]:
    """Return every position that somebody is yet to see, with the seats whose shares it lacks.

    For a tile in a hand, or to be looked at, these are all present seats except the one that will
    see it. For a tile to be turned up for all, these are all present seats, or only the seat that
    has already looked at it.
    """
    table, deck = round_.table, round_.deck
    everybody = frozenset(state.present)
    lacking = {
        position: everybody - {seat}
        for seat, held in enumerate(table.hands)
        for position in held
        if position not in deck.residuals
    }
    for seat, position, for_all in turned_now(table):
        if position in deck.residuals:
            alone = frozenset({deck.keepers[position]})
            if for_all and position not in deck.tiles:
                lacking[position] = alone
        else:
            lacking[position] = everybody if for_all else everybody - {seat}
    return lacking


def share_authors(state: State, now: InRound) -> tuple[int, ...]:
    """Return the seats that owe shares in the due step, ascending."""
    return tuple(sorted(frozenset[int]().union(*unshared(state, now.round).values())))


def shares_owed(state: State, round_: Round, seat: int) -> Shared:
    """Return the ciphertexts of which a seat owes shares in the due step, positions ascending.

    There may be none.
    """
    positions = positions_shared(state, round_, seat)
    return shared_at(state, round_, "shares", seat, positions, round_.deck.masked)


def check_shares(state: State, now: InRound, seat: int, payload: Shares) -> PendingProof:
    """Return the `PendingProof` that the seat sent its token for each position that it owes.

    Raises `Malformed` for octets that do not decode.
    """
    shared = shares_owed(state, now.round, seat)
    says = "sent a share that is not of its key"
    return PendingProof(*share_claims(ProofKind.LOCK, shared, payload.tokens, payload.proof, says))


def with_shares(state: State, round_: Round, entries: Entries) -> Round:
    """Remove a step's shares from the ciphertexts; return the round with the new `residuals`.

    Only the holder's own share is left on each, and none on a tile to be turned up for all.
    """
    deck = round_.deck
    tokens: dict[Position, list[bytes]] = {}
    for entry in entries:
        positions = positions_shared(state, round_, entry.seat)
        given = decode_points(payload_as(entry, Shares).tokens, len(positions))
        for position, token in zip(positions, given, strict=True):
            tokens.setdefault(position, []).append(token)
    opened = {
        position: masking.residual(deck.residuals.get(position, deck.masked[position]), shares)
        for position, shares in tokens.items()
    }
    return replace(round_, deck=replace(deck, residuals={**deck.residuals, **opened}))


def turned_up(round_: Round) -> tuple[Round, tuple[Notice, ...]]:
    """Turn up or look at the tiles that waited for shares; no player decides on these moves.

    Return the round with these moves in its history, and a notice for each; an unchanged round and
    no notices if none is due. The round must already have the shares.
    """
    table = round_.table
    deck = round_.deck
    history = list(round_.history)
    tiles = dict(deck.tiles)
    keepers = dict(deck.keepers)
    notices = list[Played]()
    by_point = tiles_by_point(table)
    for seat, position, for_all in turned_now(table):
        if for_all:
            point = deck.residuals[position].B
            # Each token was checked by its proof, and a proved chain opens to tiles under its keys.
            assert point in by_point, "a proved shuffle holds nothing but tiles"
            tiles[position] = by_point[point]
        else:
            keepers[position] = seat
        move = TurnUp(seat, position, tiles[position] if for_all else None)
        history.append((table, move))
        table, events = apply(table, move)
        notices.append(Played(seat, events))
    deck = replace(deck, tiles=tiles, keepers=keepers)
    return replace(round_, table=table, deck=deck, history=tuple(history)), tuple(notices)
