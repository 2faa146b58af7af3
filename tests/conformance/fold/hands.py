"""Tiles handed back to the boneyard, and hands that are mixed (4.4, 5.9)."""

from copy import copy

from engine.table.rounds import with_positions
from engine.table.trains import Seat
from tests.conformance import proofs
from tests.conformance.fold.round import follow, mix_boneyard
from tests.conformance.fold.state import need


def check_hand_over(fold, entry, said):
    """Require a proof that the tile to hand over is now under the joint key."""
    proofs.hand_over(said.over)
    at = next(at for seat, at in fold.table.reshuffle.hidden if seat == entry.seat)
    X, ctx = fold.deck.keys[entry.seat], fold.ctx("hand-over", entry.seat)
    left = fold.deck.residuals[at]
    need(proofs.hand_over_holds(X, ctx, fold.deck.joint, left, said.over), "proof")


def complete_hand_over(fold, entries):
    """Begin to mix the boneyard with the tiles handed over, in seat order."""
    read = [proofs.hand_over(each.payload.over) for each in entries]
    mix_boneyard(fold, tuple((each["C1"], each["C2"]) for each in read))


def check_mix_hand(fold, entry, said):
    """Require a proof that the new hand is the old one, shuffled."""
    deck = fold.deck
    given = tuple(deck.residuals[at] for at in sorted(fold.table.hands[entry.seat]))
    made = proofs.deck(said.deck, len(given))
    proofs.shuffle_proof(said.proof, len(given))
    ctx, X = fold.ctx("mix-hand", entry.seat), deck.keys[entry.seat]
    need(proofs.shuffle_holds(ctx, X, given, made, said.proof), "proof")


def complete_mix_hand(fold, entries):
    """Give the tiles of the mixed hands new positions, numbered from the next free one."""
    deck, table = copy(fold.deck), fold.table
    for each in entries:
        made = proofs.deck(each.payload.deck, len(table.hands[each.seat]))
        positions = tuple(range(deck.next, deck.next + len(made)))
        deck.next += len(made)
        deck.residuals = {**deck.residuals, **dict(zip(positions, made, strict=True))}
        deck.settled |= frozenset(positions)
        deck.mixed = (*deck.mixed, (each.seat, positions))
        table = with_positions(table, Seat(each.seat), positions)
    fold.deck, fold.table = deck, table
    follow(fold, ended=True, called=True)
