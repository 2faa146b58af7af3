"""Turns, calls and simultaneous openings (4.5)."""

from copy import copy

import msgpack

from engine.play.apply import apply
from engine.play.calls import apply_calls
from engine.play.due import as_left, in_step_order
from engine.play.judge import hidden_claim, unseen_tiles, why_illegal
from engine.table.moves import shows
from tests.conformance import proofs
from tests.conformance.fold.round import follow
from tests.conformance.fold.state import Refused, need
from tests.conformance.moves import move_of
from tests.netgame.crypto.oracle import hashed


def check_turn(fold, entry, said):
    """Require an allowed move, its tiles opened and its claim proved, in the order of section 7."""
    move = move_of(entry.seat, said)
    need(move is not None, "shape")
    need(why_illegal(fold.table, move) is None, "rules")
    opened = opening_of(fold, move, said)
    claim = claim_of(fold, move, said)
    if claim == "impossible":
        raise Refused("proof")
    if opened is not None:
        prove_shown(fold, opened)
    if claim is not None:
        need(proofs.hand_holds(*claim), "proof")


def opening_of(fold, move, said):
    """Return what opens the tiles that a move shows, in the form that `prove_shown` takes.

    Return None if no tile needs to be opened; tiles that were turned up for all do not.
    """
    held = fold.table.hands[move.seat]
    shown = [(at, t) for at, t in shows(move) if at in held or at not in fold.deck.tiles]
    tokens = said.fields.get("token", said.fields.get("tokens", b""))
    proof = said.fields.get("proof", b"")
    if not shown:
        need(not tokens and not proof, "shape")
        return None
    positions = tuple(at for at, _ in shown)
    wanted = [proofs.tile(t) for _, t in shown]
    decoded = proofs.points(tokens, len(shown)), proofs.reveal_proof(proof)
    return move.seat, fold.ctx(said.tag, move.seat), positions, *decoded, wanted


def prove_shown(fold, opened):
    """Require a proof that the tokens are the seat's and open the positions to these tiles."""
    seat, ctx, positions, tokens, proof, wanted = opened
    left = [fold.deck.residuals[at] for at in positions]
    X, As = fold.deck.keys[seat], [A for A, _ in left]
    need(proofs.reveal_holds(X, ctx, positions, As, tokens, proof), "proof")
    points = [proofs.residual(each, [token])[1] for each, token in zip(left, tokens, strict=True)]
    need(points == wanted, "proof")


def claim_of(fold, move, said):
    """Return the claim of a move about the rest of the hand, as `hand_holds` takes it.

    Return None if the move makes no claim or no other tile is in the hand, and "impossible" if no
    tile can meet the claim.
    """
    octets = said.fields.get("claim", b"")
    denied = hidden_claim(fold.table, move)
    shown = dict(shows(move))
    positions = tuple(sorted(at for at in fold.table.hands[move.seat] if at not in shown))
    if denied is None or not positions:
        need(not octets, "shape")
        return None
    gone = {*denied, *shown.values()}
    tiles = tuple(t for t in map(tuple, unseen_tiles(fold.table)) if t not in gone)
    if not tiles:
        return "impossible"
    proof = proofs.hand_proof(octets, len(tiles))
    residuals = tuple(fold.deck.residuals[at] for at in positions)
    ctx, X = fold.ctx(said.tag, move.seat), fold.deck.keys[move.seat]
    return ctx, X, positions, residuals, tiles, proof


def check_move(fold, entry, said):
    """Check a turn, or a call in the phase `calls`."""
    if fold.phase != "calls":
        check_turn(fold, entry, said)
        return
    need(why_illegal(fold.table, move_of(entry.seat, said)) is None, "rules")


def complete_turn(fold, entries):
    """Make the turns of this step."""
    make(fold, [move_of(each.seat, each.payload) for each in entries])


def complete_moves(fold, entries):
    """Make the turns of this step, or everybody's calls."""
    if fold.phase != "calls":
        complete_turn(fold, entries)
        return
    calls = [move_of(each.seat, each.payload) for each in entries]
    fold.table, _ = apply_calls(fold.table, calls)
    follow(fold, ended=True, called=True)


def make(fold, moves):
    """Make the moves of a step in the order of the rules, and find the next phase."""
    before, deck = fold.table, copy(fold.deck)
    table = before
    for said in in_step_order(moves):
        move = as_left(table, said)
        fold.history = (*fold.history, (table, move))
        table, _ = apply(table, move)
        deck.tiles = {**deck.tiles, **dict(shows(move))}
    fold.table, fold.deck = table, deck
    follow(fold, ended=table.turns != before.turns)


def complete_opening_commit(fold, entries):
    """Keep everybody's commitments to their openings."""
    fold.sealed = {
        each.seat: (fold.ctx("opening-commit", each.seat), each.payload.commitment)
        for each in entries
    }
    fold.phase = "play"


def check_opening_reveal(fold, entry, said):
    """Require that the opening matches the commitment and is a valid turn."""
    turn = said.turn
    ctx, commitment = fold.sealed[entry.seat]
    need(hashed("opening", ctx, _bare(turn), said.secret) == commitment, "proof")
    check_turn(fold, entry, turn)


def complete_opening_reveal(fold, entries):
    """Make the opening turns of all seats."""
    fold.sealed = None
    make(fold, [move_of(each.seat, each.payload.turn) for each in entries])


def _bare(turn):
    """Return the octets of a turn with its tokens, proof and claim emptied (4.5)."""
    left_out = ("tokens", "proof", "claim")
    kept = [b"" if name in left_out else value for name, value in turn.fields.items()]
    return msgpack.packb([turn.tag, *kept], use_bin_type=True)
