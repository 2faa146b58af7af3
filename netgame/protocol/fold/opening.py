"""Openings that all lay at once: committed to, then shown [protocol.md §4.5].

Every seat commits to its whole opening, a chain, a draw or a pass, before anybody shows one. What
is shown then is the turn it would be anywhere else, judged like any other.
"""

from __future__ import annotations

from dataclasses import replace

from engine.table.moves import Move
from netgame.crypto.sealed import opening_commitment
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.state import Phase, Sealed, State
from netgame.protocol.fold.turn import bare_entry, check_turn, complete_moves, move_of
from netgame.protocol.log.entry import Entry, by_seat, payloads_of, said
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.protocol.notices import Notice
from netgame.wire.codec import encode
from netgame.wire.messages import OpeningCommit, OpeningReveal


def said_of(move: Move) -> bytes:
    """An opening as octets: its entry without what proves it."""
    return encode(bare_entry(move))


def opening_context(state: State, seat: int) -> bytes:
    """What a commitment written in the step now due is bound to."""
    assert state.table is not None
    return context_at(state, state.table.round_number, "opening-commit", seat)


def complete_opening_commit(
    state: State, entries: tuple[Entry, ...]
) -> tuple[State, tuple[Notice, ...]]:
    """All are bound to their openings; they are shown next."""
    seats = len(state.seats)
    sealed = Sealed(
        tuple(opening_context(state, seat) for seat in range(seats)),
        by_seat(entries, seats, lambda each: said(each, OpeningCommit).commitment, b""),
        by_seat(entries, seats, lambda each: said(each, OpeningCommit).box, b""),
    )
    return replace(state, phase=Phase.PLAY, sealed=sealed), ()


def check_opening_reveal(
    state: State, entry: Entry, payload: OpeningReveal
) -> Finding | Judging | None:
    """The opening shown is the one committed to, and a legal turn with its proofs."""
    assert state.sealed is not None
    move = move_of(entry.seat, payload.turn)
    if move is None:
        return Finding(CheckCode.SHAPE, "showed an opening that says no move")
    context = state.sealed.contexts[entry.seat]
    given = opening_commitment(context, said_of(move), payload.secret)
    if given != state.sealed.commitments[entry.seat]:
        return Finding(CheckCode.PROOF, "showed another opening than it had committed to")
    return check_turn(state, entry, payload.turn)


def complete_opening_reveal(
    state: State, entries: tuple[Entry, ...]
) -> tuple[State, tuple[Notice, ...]]:
    """All openings are laid; who drew goes on."""
    payloads = payloads_of(entries, OpeningReveal)
    ordered = sorted(entries, key=lambda entry: entry.seat)
    moves = [
        move_of(entry.seat, payload.turn) for entry, payload in zip(ordered, payloads, strict=True)
    ]
    return complete_moves(replace(state, sealed=None), moves)
