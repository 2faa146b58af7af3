"""Openings that all lay at once: committed to, then shown [protocol.md §4.5].

Every seat commits to its whole opening, a chain, a draw or a pass, before anybody shows one. What
is shown then is the turn it would be anywhere else, judged like any other.
"""

from engine.table.moves import Move
from netgame.crypto.sealed import opening_commitment
from netgame.protocol.fold.deal import context_at
from netgame.protocol.fold.phases import Round, Sealed, SealingOpenings, ShowingOpenings
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.fold.turn import bare_entry, check_turn, complete_moves, move_of
from netgame.protocol.log.entry import Entry, by_seat, said
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.wire.codec import encode
from netgame.wire.messages import OpeningCommit, OpeningReveal


def said_of(move: Move) -> bytes:
    """An opening as octets: its entry without what proves it."""
    return encode(bare_entry(move))


def opening_context(state: State, round_: Round, seat: int) -> bytes:
    """What a commitment written in the step now due is bound to."""
    return context_at(state, round_.table.round_number, "opening-commit", seat)


def complete_opening_commit(
    state: State, now: SealingOpenings, entries: tuple[Entry, ...]
) -> Completed:
    """All are bound to their openings; they are shown next."""
    seats = len(state.seats)
    sealed = Sealed(
        tuple(opening_context(state, now.round, seat) for seat in range(seats)),
        by_seat(entries, seats, lambda each: said(each, OpeningCommit).commitment, b""),
        by_seat(entries, seats, lambda each: said(each, OpeningCommit).box, b""),
    )
    return state.at(ShowingOpenings(now.round, sealed)), ()


def check_opening_reveal(
    state: State, now: ShowingOpenings, entry: Entry, payload: OpeningReveal
) -> Finding | Judging | None:
    """The opening shown is the one committed to, and a legal turn with its proofs."""
    move = move_of(entry.seat, payload.turn)
    if move is None:
        return Finding(CheckCode.SHAPE, "showed an opening that says no move")
    context = now.sealed.contexts[entry.seat]
    given = opening_commitment(context, said_of(move), payload.secret)
    if given != now.sealed.commitments[entry.seat]:
        return Finding(CheckCode.PROOF, "showed another opening than it had committed to")
    return check_turn(state, now, entry, payload.turn)


def complete_opening_reveal(
    state: State, now: ShowingOpenings, entries: tuple[Entry, ...]
) -> Completed:
    """All openings are laid; who drew goes on."""
    moves = [move_of(each.seat, said(each, OpeningReveal).turn) for each in entries]
    return complete_moves(state, now.round, moves)
