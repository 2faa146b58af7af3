"""Shares: the tokens with which each seat lets others see their tiles (5.5)."""

from copy import copy

from engine.play.apply import apply
from engine.play.hub_search import turned_now
from engine.table.moves import TurnUp
from tests.conformance import proofs
from tests.conformance.fold.round import follow, next_deal, owed_by
from tests.conformance.fold.state import need


def check_shares(fold, entry, said):
    """Require a token for each position for which the seat owes a share, and one proof of them."""
    positions = owed_by(fold, entry.seat)
    tokens, proof = proofs.points(said.tokens, len(positions)), proofs.reveal_proof(said.proof)
    As = [fold.deck.masked[at][0] for at in positions]
    X, ctx = fold.deck.keys[entry.seat], fold.ctx("shares", entry.seat)
    need(proofs.reveal_holds(X, ctx, positions, As, tokens, proof), "proof")


def complete_shares(fold, entries):
    """Remove the tokens from each position, so that its holder or everybody can open it."""
    tokens = {}
    for each in entries:
        positions = owed_by(fold, each.seat)
        given = proofs.points(each.payload.tokens, len(positions))
        for at, token in zip(positions, given, strict=True):
            tokens.setdefault(at, []).append(token)
    deck = fold.deck = copy(fold.deck)
    opened = {
        at: proofs.residual(deck.residuals.get(at, deck.masked[at]), given)
        for at, given in tokens.items()
    }
    deck.residuals = {**deck.residuals, **opened}
    turn_up(fold)
    if fold.phase == "shares":
        held = (at for hand in fold.table.hands for at in hand)
        fold.deck.settled = frozenset(held)
        next_deal(fold)
    follow(fold)


def turn_up(fold):
    """Turn up, for all or for one seat, the tiles whose shares have come; no entry is needed."""
    deck, table = fold.deck, fold.table
    for seat, at, by_all in turned_now(table):
        shown = fold.named()[deck.residuals[at][1]] if by_all else None
        if by_all:
            deck.tiles = {**deck.tiles, at: shown}
        else:
            deck.keepers = {**deck.keepers, at: seat}
        move = TurnUp(seat, at, shown)
        fold.history = (*fold.history, (table, move))
        table, _ = apply(table, move)
    fold.table = table
