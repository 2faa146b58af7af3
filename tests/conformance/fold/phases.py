"""The fold of protocol.md 4: which entries are due, what they must be, and what a step does (4.4).

It is written from the page, with the rules of the game from `engine`. A check refuses an entry by
raising Refused with the name of the check. No value inside a fold ever changes, so a shallow `copy`
saves it.
"""

from engine.play.due import due_seats
from tests.conformance.fold import coin, deal, hands, lobby, rebuild, scores, shares, turns
from tests.conformance.fold.round import STAGES, owing, to_mix
from tests.conformance.fold.state import HOST, Refused, need
from tests.conformance.octets import SPOKEN, TURNS, Malformed
from tests.netgame.crypto.oracle import hashed

EVERYBODY = {
    "roster": "roster",
    "coin-commit": "coin-commit",
    "coin-reveal": "coin-reveal",
    "opening-commit": "opening-commit",
    "rebuild": "rebuild",
    "blind": "blind",
    "unblind": "unblind",
    "open": "open",
    "score": "round-over",
    "audit": "keys",
}
"""Phases in which everybody present writes, and the kind of entry."""


def unchecked(_fold, _entry, _said):
    """Accept any entry: only its kind and shape can be wrong at this stage."""


KINDS = {
    "open-table": (lobby.check_open_table, lobby.complete_open_table),
    "admit": (lobby.check_admit, lobby.complete_admit),
    "dismiss": (lobby.check_dismiss, lobby.complete_dismiss),
    "close": (lobby.check_close, lobby.complete_close),
    "roster": (coin.check_roster, coin.complete_roster),
    "coin-commit": (unchecked, coin.complete_coin_commit),
    "coin-reveal": (coin.check_coin_reveal, coin.complete_coin_reveal),
    "key-commit": (unchecked, deal.complete_stage),
    "key-open": (deal.check_key_open, deal.complete_stage),
    "deck": (deal.check_deck, deal.complete_stage),
    "proof": (deal.check_proof, deal.complete_stage),
    "checked": (unchecked, deal.complete_stage),
    "shares": (shares.check_shares, shares.complete_shares),
    "opening-commit": (unchecked, turns.complete_opening_commit),
    "opening-reveal": (turns.check_opening_reveal, turns.complete_opening_reveal),
    "hand-over": (hands.check_hand_over, hands.complete_hand_over),
    "mix-hand": (hands.check_mix_hand, hands.complete_mix_hand),
    "rebuild": (rebuild.check_rebuild, rebuild.complete_rebuild),
    "blind": (rebuild.check_blind, rebuild.complete_blind),
    "unblind": (rebuild.check_unblind, rebuild.complete_unblind),
    "open": (scores.check_open, scores.complete_open),
    "round-over": (scores.check_round_over, scores.complete_round_over),
    "keys": (scores.check_keys, scores.complete_keys),
    **dict.fromkeys((*TURNS, *SPOKEN), (turns.check_move, turns.complete_moves)),
}
"""By kind of entry: the check of an entry, and the completion of a step that begins with one."""


def due(fold):
    """Return the seats that must write now, and the kinds of entry that they may write."""
    phase = fold.phase
    if phase in ("coin-fallen", "over"):
        return (), ()
    if phase == "lobby":
        kinds = ("open-table",) if fold.step == 0 else ("admit", "dismiss", "close")
        return (HOST,), kinds
    if phase == "deal" or (phase == "play" and fold.between):
        one = fold.deal.authors[len(fold.deal.contexts) % len(fold.deal.authors)]
        authors = (one,) if fold.deal.stage == "deck" else fold.deal.authors
        return authors, (fold.deal.stage,)
    if phase == "play":
        kinds = ("opening-reveal",) if fold.sealed else TURNS
        return tuple(due_seats(fold.table)), kinds
    if phase == "calls":
        return fold.present, SPOKEN
    if phase in ("shares", "drawn"):
        return owing(fold), ("shares",)
    if phase == "hand-over":
        return tuple(sorted(seat for seat, _ in fold.table.reshuffle.hidden)), ("hand-over",)
    if phase == "mix-hand":
        return to_mix(fold), ("mix-hand",)
    return fold.present, (EVERYBODY[phase],)


def check(fold, entry):
    """Raise Refused for a bad entry of a due slot, by 7.9 to 7.12."""
    need(entry.kind in due(fold)[1], "kind")
    if entry.kind in STAGES:
        need(entry.payload.round == fold.deal.round, "kind")
    check_kind, _ = KINDS[entry.kind]
    try:
        check_kind(fold, entry, entry.payload)
    except Malformed:
        raise Refused("shape") from None


def complete(fold, entries):
    """Complete the due step with its entries, all of which must be there."""
    fold.late = None
    _, complete_kind = KINDS[entries[0].kind]
    ordered = sorted(entries, key=lambda each: each.seat)
    complete_kind(fold, ordered)
    fold.head = hashed("step", fold.head, [each.body for each in ordered])
    fold.step += 1
