"""A round at the table: shares, lays, draws, passes, open hands, scores [protocol.md §5.6 to §5.8].

The only translator between the engine's moves and the wire's entries. What all can see the engine
judges; what only a hand can show comes with a proof.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.audit import audit
from engine.calls import calls_due
from engine.table import Ending, next_round, start_game
from engine.table import Phase as TablePhase
from engine.tiles import make_tile
from engine.trains import Position, Seat
from engine.transition import score_round
from netgame.crypto.masking import residual, tile_point, unmask
from netgame.crypto.proofs import decode_reveal_proof, decode_tokens, verify_reveal
from netgame.errors import Malformed
from netgame.protocol.deal import context_at, new_deal
from netgame.protocol.fault import CheckCode, Finding, Judging
from netgame.protocol.log import Entry, payloads_of
from netgame.protocol.notices import Dealt, GameOver, RoundOver
from netgame.protocol.state import DealPhase, Phase, RoundDeck, State
from netgame.wire.messages import Open, Shares
from netgame.wire.messages import RoundOver as RoundOverEntry

if TYPE_CHECKING:
    from netgame.protocol.notices import Notice

__all__ = [
    "begin_round",
    "check_open",
    "check_round_over",
    "check_shares",
    "complete_open",
    "complete_round_over",
    "complete_shares",
    "go_on",
    "positions_shared",
    "share_authors",
]

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
    """The positions for which `seat` owes a share in the step now due, ascending.

    They are all that came into a hand and still lack shares, but those in its own.
    """
    return tuple(sorted(p for holder, p in _unshared(state) if holder != seat))


def _unshared(state: State) -> list[tuple[int, Position]]:
    """Holder and position of everything dealt or drawn that its holder cannot see yet."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    return [
        (seat, position)
        for seat, held in enumerate(table.hands)
        for position in held
        if position not in deck.residuals
    ]


def share_authors(state: State) -> tuple[int, ...]:
    """Who owes shares in the step now due: everybody but who alone has drawn."""
    holders = {holder for holder, _ in _unshared(state)}
    return tuple(seat for seat in range(len(state.seats)) if holders - {seat})


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
    moved = replace(state, deck=replace(deck, residuals={**deck.residuals, **opened}))
    if state.phase is Phase.DRAWN:
        return go_on(moved), ()
    return go_on(_with_next_deal(moved)), (Dealt(table.round_number),)


def go_on(state: State, *, turn_over: bool = False, called: bool = False) -> State:
    """What is due after a move or its shares: more shares, calls, a turn, the end, a deal anew.

    `called` says that the step in which all may call has been.
    """
    table = state.table
    assert table is not None
    if _unshared(state):
        return replace(state, phase=Phase.DRAWN)
    if turn_over and not called and calls_due(table):
        return replace(state, phase=Phase.CALLS)
    if table.outcome is not None and table.outcome.ending is Ending.REDEAL:
        return replace(
            state, phase=Phase.DEAL, interlude=False, deal=new_deal(state, table.round_number)
        )
    if table.phase is not TablePhase.OVER:
        waits = state.deal is not None and state.deal.phase is not DealPhase.READY
        return replace(state, phase=Phase.PLAY, interlude=turn_over and waits)
    return replace(state, phase=Phase.OPEN)


def _with_next_deal(state: State) -> State:
    """From the first turn of a round on, the deal of the next stands between the turns."""
    assert state.table is not None
    assert state.spec is not None
    following = state.table.round_number + 1
    if following >= state.spec.rounds:
        return state
    return replace(state, deal=new_deal(state, following))


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
