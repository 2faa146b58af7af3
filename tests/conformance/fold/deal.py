"""Making a deck, stage by stage (5.3, 5.4)."""

from copy import copy

from engine.table.table import RoundPhase as At
from tests.conformance import proofs
from tests.conformance.fold.round import STAGES, begin_round, resume
from tests.conformance.fold.state import need


def check_key_open(fold, entry, said):
    """Require an opening that matches the commitment and proves knowledge of its secret."""
    opening, deal = proofs.key_opening(said.opening), fold.deal
    ctx = fold.ctx("key-open", entry.seat, deal.round)
    commitment, commit_ctx = deal.commitments[entry.seat], deal.commit_ctx[entry.seat]
    need(proofs.key_holds(commitment, commit_ctx, opening, ctx), "proof")


def check_deck(fold, _, said):
    """Require the right number of masked tiles, each of them two points."""
    proofs.deck(said.deck, len(fold.deal.decks[0]))


def check_proof(fold, _, said):
    """Require that the proof consists of points and scalars."""
    proofs.shuffle_proof(said.proof, len(fold.deal.decks[0]))


def complete_stage(fold, entries):
    """Keep the results of a finished stage of the deal, and go on to the next stage."""
    deal = fold.deal = copy(fold.deal)
    following = STAGES.index(deal.stage) + 1
    if deal.stage == "key-commit":
        deal.commitments = {each.seat: each.payload.commitment for each in entries}
        deal.commit_ctx = {seat: fold.ctx("key-commit", seat, deal.round) for seat in deal.authors}
    elif deal.stage == "key-open":
        opened = {each.seat: proofs.key_opening(each.payload.opening)["X"] for each in entries}
        deal.keys, deal.joint = opened, proofs.joint(list(opened.values()))
        if deal.joint is None:
            keys = list(opened.values())
            twice = [seat for at, seat in enumerate(opened) if keys[at] in keys[:at]]
            culprit = (twice or [entries[-1].seat])[0]
            fold.late = ("proof", next(e for e in entries if e.seat == culprit))
    elif deal.stage == "deck":
        (each,) = entries
        deal.decks = (*deal.decks, proofs.deck(each.payload.deck, len(deal.decks[0])))
        deal.contexts = (*deal.contexts, fold.ctx("deck", each.seat, deal.round))
        if len(deal.contexts) < len(deal.authors):
            following -= 1
    elif deal.stage == "proof":
        fold.late = bad_link(fold, entries)
    deal.stage = STAGES[following] if following < len(STAGES) else "whole"
    if fold.between:
        fold.between = False
    elif deal.stage == "whole":
        chain_done(fold)


def bad_link(fold, entries):
    """Return `"shuffle"` and the first entry in seat order whose proof is bad, or None (7.13)."""
    deal = fold.deal
    for at, each in enumerate(entries):
        statement = (deal.contexts[at], deal.joint, deal.decks[at], deal.decks[at + 1])
        if not proofs.shuffle_holds(*statement, each.payload.proof):
            return "shuffle", each
    return None


def chain_done(fold):
    """Go on after a finished shuffle chain: blind it, refill the boneyard, or begin the round."""
    if fold.rebuilding:
        fold.phase, fold.blinded = "blind", None
    elif fold.table is not None and fold.table.phase is At.RESHUFFLE:
        resume(fold)
    else:
        begin_round(fold)
