"""A round at the table: shares, lays, draws, passes, open hands, scores [protocol.md §5.6 to §5.8].

The only translator between the engine's moves and the wire's entries. What all can see the engine
judges; what only a hand can show comes with a proof.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.audit import audit
from engine.legality import playable_tiles, unseen_tiles, why_illegal
from engine.moves import DrawTile, LayTile, Move
from engine.moves import Pass as PassTurn
from engine.table import Phase as TablePhase
from engine.table import next_round, start_game
from engine.tiles import make_tile
from engine.trains import Position, Seat, TrainId
from engine.transition import apply, score_round
from netgame.crypto.hand import HandStatement, decode_hand_proof, verify_hand
from netgame.crypto.masking import residual, tile_point, unmask
from netgame.crypto.proofs import decode_reveal_proof, decode_tokens, verify_reveal
from netgame.errors import Malformed
from netgame.protocol.deal import context_at, entry_name, new_deal
from netgame.protocol.fault import CheckCode, Finding, Judging
from netgame.protocol.log import Entry, payloads_of
from netgame.protocol.notices import Dealt, GameOver, Played, RoundOver
from netgame.protocol.state import DealPhase, Phase, RoundDeck, State
from netgame.wire.messages import Draw, Lay, Open, Pass, Shares
from netgame.wire.messages import RoundOver as RoundOverEntry

if TYPE_CHECKING:
    from netgame.protocol.notices import Notice

__all__ = [
    "NOTHING_PLAYABLE",
    "begin_round",
    "check_open",
    "check_round_over",
    "check_shares",
    "check_turn",
    "complete_open",
    "complete_round_over",
    "complete_shares",
    "complete_turn",
    "hand_statement",
    "lay_of",
    "move_of",
    "positions_shared",
]

NOTHING_PLAYABLE: Final = "nothing-playable"
"""Kind of the hand proof behind every draw and pass."""

Completed = tuple[State, tuple["Notice", ...]]


# ---- shares -------------------------------------------------------------------------------


def begin_round(state: State) -> State:
    """The deck is ready: seats get their positions, lowest first, and shares are due."""
    deal, spec = state.deal, state.spec
    assert deal is not None
    assert spec is not None
    assert deal.phase is DealPhase.READY
    table = start_game(spec, Seat(state.first)) if state.table is None else next_round(state.table)
    deck = RoundDeck(deal.keys, deal.born, deal.decks[-1], {}, {})
    return replace(state, phase=Phase.SHARES, deal=None, table=table, deck=deck, history=())


def positions_shared(state: State, seat: int) -> tuple[int, ...]:
    """The positions for which `seat` owes a share in the step now due, ascending."""
    table, drawn = state.table, _drawn_position(state)
    assert table is not None
    if drawn is not None:
        return (drawn,)
    others = (held for other, held in enumerate(table.hands) if other != seat)
    return tuple(sorted(position for held in others for position in held))


def _drawn_position(state: State) -> Position | None:
    """The position that was just drawn and still lacks shares."""
    assert state.table is not None
    assert state.deck is not None
    if state.phase is not Phase.DRAWN:
        return None
    held = state.table.hands[state.table.to_move]
    return next(position for position in held if position not in state.deck.residuals)


def check_shares(state: State, entry: Entry, payload: Shares) -> Finding | Judging:
    """One good token for every position that went to another seat."""
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    positions = positions_shared(state, entry.seat)
    masked = [deck.deck[position].A for position in positions]
    try:
        tokens = decode_tokens(payload.tokens, len(positions))
        proof = decode_reveal_proof(payload.proof)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"sent malformed shares: {problem}")
    key = deck.keys[entry.seat]
    context = context_at(state, table.round_number, "shares", entry.seat)

    def run() -> Finding | None:
        if verify_reveal(key, context, positions, masked, tokens, proof):
            return None
        return Finding(CheckCode.PROOF, "sent a share that is not of its key")

    return Judging(run)


def complete_shares(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All shares are there: what is left of each position only its holder can open."""
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    tokens: dict[int, list[bytes]] = {}
    for entry in sorted(entries, key=lambda each: each.seat):
        positions = positions_shared(state, entry.seat)
        (payload,) = payloads_of((entry,), Shares)
        for position, token in zip(
            positions, decode_tokens(payload.tokens, len(positions)), strict=True
        ):
            tokens.setdefault(position, []).append(token)
    opened = {position: residual(deck.deck[position], given) for position, given in tokens.items()}
    moved = replace(
        state,
        phase=Phase.PLAY,
        deck=replace(deck, residuals={**deck.residuals, **opened}),
    )
    if state.phase is Phase.DRAWN:
        return moved, ()
    return _with_next_deal(moved), (Dealt(table.round_number),)


def _with_next_deal(state: State) -> State:
    """From the first turn of a round on, the deal of the next stands between the turns."""
    assert state.table is not None
    assert state.spec is not None
    following = state.table.round_number + 1
    if following >= state.spec.rounds:
        return state
    return replace(state, deal=new_deal(state, following))


# ---- turns --------------------------------------------------------------------------------


def move_of(entry: Entry) -> Move:
    """The engine's move that a turn's entry proposes."""
    seat = Seat(entry.seat)
    match entry.payload:
        case Lay() as lay:
            return LayTile(
                seat=seat,
                position=Position(lay.position),
                tile=make_tile(*lay.tile),
                train=TrainId(lay.train),
                on=lay.on,
                joined=lay.tile[0],
            )
        case Draw():
            return DrawTile(seat)
        case _:
            return PassTurn(seat)


def lay_of(move: LayTile, token: bytes, proof: bytes) -> Lay:
    """The entry for a lay; the half that joins is written first."""
    other = move.tile.other_end(move.joined)
    return Lay(move.position, (move.joined, other), move.train, move.on, token, proof)


def check_turn(state: State, entry: Entry, payload: Lay | Draw | Pass) -> Finding | Judging:
    """The move is legal on the public table, and the hand behind it is proved."""
    table = state.table
    assert table is not None
    refusal = why_illegal(table, move_of(entry))
    if refusal is not None:
        return Finding(CheckCode.RULES, f"made an illegal {entry_name(payload)}", refusal)
    if isinstance(payload, Lay):
        return _check_lay(state, entry, payload)
    return _check_unable(state, entry, payload)


def _check_lay(state: State, entry: Entry, payload: Lay) -> Finding | Judging:
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    try:
        (token,) = decode_tokens(payload.token, 1)
        proof = decode_reveal_proof(payload.proof)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"sent a malformed lay: {problem}")
    key = deck.keys[entry.seat]
    context = context_at(state, table.round_number, "lay", entry.seat)
    masked = deck.residuals[payload.position]
    tile = make_tile(*payload.tile)

    def run() -> Finding | None:
        if not verify_reveal(key, context, (payload.position,), (masked.A,), (token,), proof):
            return Finding(CheckCode.PROOF, "laid a tile with a share that is not of its key")
        if unmask(masked, token) != tile_point(tile):
            return Finding(CheckCode.PROOF, "laid a tile that this position does not hold")
        return None

    return Judging(run)


def hand_statement(state: State, seat: int, kind: str) -> HandStatement | None:
    """What `seat` must prove to draw or pass: all it holds is among the tiles that cannot be laid.

    None for an empty hand, which has nothing to prove. [protocol.md §5.7]
    """
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    positions = tuple(sorted(table.hands[seat]))
    if not positions:
        return None
    playable = frozenset(playable_tiles(table, Seat(seat)))
    return HandStatement(
        kind=NOTHING_PLAYABLE,
        ctx=context_at(state, table.round_number, kind, seat),
        key=deck.keys[seat],
        positions=positions,
        residuals=tuple(deck.residuals[position] for position in positions),
        tiles=tuple(tile for tile in unseen_tiles(table) if tile not in playable),
    )


def _check_unable(state: State, entry: Entry, payload: Draw | Pass) -> Finding | Judging:
    kind = entry_name(payload)
    statement = hand_statement(state, entry.seat, kind)
    if statement is None:
        return Finding(CheckCode.SHAPE, f"sent a {kind} with nothing in hand")
    if not statement.tiles:
        return Finding(CheckCode.PROOF, f"sent a {kind} where every tile can be laid")
    try:
        proof = decode_hand_proof(payload.proof, len(statement.tiles))
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"sent a malformed {kind}: {problem}")

    def run() -> Finding | None:
        if verify_hand(statement, proof):
            return None
        return Finding(CheckCode.PROOF, f"sent a {kind} without proof that nothing can be laid")

    return Judging(run)


def complete_turn(state: State, entries: tuple[Entry, ...]) -> Completed:
    """Make the move, and see what is due after it."""
    (entry,) = entries
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    move = move_of(entry)
    after, events = apply(table, move)
    moved = replace(state, table=after, history=(*state.history, (table, move)))
    if isinstance(move, LayTile):
        tiles = {**deck.tiles, move.position: move.tile}
        moved = replace(moved, deck=replace(deck, tiles=tiles))
    played = (Played(move.seat, events),)
    if isinstance(move, DrawTile):
        return replace(moved, phase=Phase.DRAWN), played
    if after.phase is not TablePhase.PLAY:
        return replace(moved, phase=Phase.OPEN), played
    turn_is_over = after.turns != table.turns
    deal_waits = state.deal is not None and state.deal.phase is not DealPhase.READY
    return replace(moved, interlude=turn_is_over and deal_waits), played


# ---- the end of a round -------------------------------------------------------------------


def check_open(state: State, entry: Entry, payload: Open) -> Finding | Judging | None:
    """Every tile still held, opened by its holder's token."""
    assert state.table is not None
    positions = tuple(sorted(state.table.hands[entry.seat]))
    if len(payload.tiles) != len(positions):
        return Finding(CheckCode.SHAPE, "opened more or fewer tiles than it holds")
    if positions:
        return _check_opened(state, entry, payload, positions)
    if payload.tokens or payload.proof:
        return Finding(CheckCode.SHAPE, "sent shares for an empty hand")
    return None


def _check_opened(
    state: State, entry: Entry, payload: Open, positions: tuple[Position, ...]
) -> Finding | Judging:
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    try:
        tokens = decode_tokens(payload.tokens, len(positions))
        proof = decode_reveal_proof(payload.proof)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"opened its hand in a malformed way: {problem}")
    context = context_at(state, table.round_number, "open", entry.seat)
    residuals = tuple(deck.residuals[position] for position in positions)
    points = [tile_point(make_tile(*pips)) for pips in payload.tiles]
    key = deck.keys[entry.seat]

    def run() -> Finding | None:
        masked = [each.A for each in residuals]
        if not verify_reveal(key, context, positions, masked, tokens, proof):
            return Finding(CheckCode.PROOF, "opened its hand with a share that is not of its key")
        if [unmask(each, token) for each, token in zip(residuals, tokens, strict=True)] != points:
            return Finding(CheckCode.PROOF, "opened its hand as tiles that it does not hold")
        return None

    return Judging(run)


def complete_open(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All hands lie open: score the round, and replay it with every tile known."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    hands = tuple(
        tuple(make_tile(*pips) for pips in payload.tiles) for payload in payloads_of(entries, Open)
    )
    tiles = dict(deck.tiles)
    for held, shown in zip(table.hands, hands, strict=True):
        tiles.update(zip(sorted(held), shown, strict=True))
    scored, events = score_round(table, hands)
    moved = replace(
        state,
        phase=Phase.SCORE,
        table=scored,
        deck=replace(deck, tiles=tiles),
        scored=events,
    )
    found = audit(state.history, tiles)
    if found is None:
        return moved, ()
    finding = Finding(CheckCode.AUDIT, f"broke a rule in the round: {found.rule}")
    return replace(moved, late=(int(found.seat), finding)), ()


def check_round_over(state: State, entry: Entry, payload: RoundOverEntry) -> Finding | None:
    """Every seat signs the scores that the open hands give."""
    del entry
    assert state.table is not None
    if payload.scores != state.table.past[-1]:
        return Finding(CheckCode.SHAPE, "signed scores that the open hands do not give")
    return None


def complete_round_over(state: State, entries: tuple[Entry, ...]) -> Completed:
    """On to what is left of the next deal, or to the end."""
    del entries
    assert state.table is not None
    assert state.spec is not None
    if state.table.round_number + 1 >= state.spec.rounds:
        return replace(state, phase=Phase.OVER), (GameOver(state.scored),)
    moved = replace(state, phase=Phase.DEAL)
    assert moved.deal is not None
    if moved.deal.phase is DealPhase.READY:
        moved = begin_round(moved)
    return moved, (RoundOver(state.scored),)
