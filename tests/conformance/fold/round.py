"""The phases after each step of a round, and the decks they need (4.4, 4.7)."""

from engine.play.calls import calls_due
from engine.play.hub_outcome import reshuffled
from engine.play.hub_search import turned_now
from engine.play.leavers import void_round
from engine.table.rounds import next_round, round_deck, start_game
from engine.table.table import ENDED, Ending
from engine.table.table import RoundPhase as At
from engine.table.trains import Seat
from engine.table.turn import OpeningAll
from tests.conformance import proofs
from tests.conformance.fold.state import Deal, Deck

STAGES = ("key-commit", "key-open", "deck", "proof", "checked")


def new_deal(fold, number_):
    """Return the deal of a round at its first stage (5.4)."""
    first = tuple((None, proofs.tile(t)) for t in round_deck(fold.spec, number_))
    return Deal(fold, number_, first)


def mix(fold, first):
    """Return a new shuffle chain over these entries in mid-round, under the keys of the round."""
    return Deal(fold, fold.table.round_number, first, fold.deck.keys, fold.deck.joint)


def next_deal(fold):
    """Begin the deal of the next round, if there is one, between the turns of this round."""
    following = fold.table.round_number + 1
    if following < fold.spec.rounds:
        fold.deal = new_deal(fold, following)


def begin_round(fold):
    """Begin a round: deal the hands, or have a tile turned up for each seat to find who begins."""
    deal = fold.deal
    first = fold.table is None
    fold.table = start_game(fold.spec, Seat(fold.first)) if first else next_round(fold.table)
    fold.deck, fold.deal, fold.history = Deck(deal).with_chain(deal), None, ()
    fold.phase = "shares"
    if fold.table.phase is At.HIGH_DRAW:
        follow(fold)


def resume(fold, deal=None):
    """Go on with the mixed boneyard; ask for shares if hands are dealt from it."""
    deal = deal or fold.deal
    fold.deck = fold.deck.with_chain(deal)
    fold.table = reshuffled(fold.table, tuple(fold.deck.masked))
    fold.deal = None
    if any(at in fold.deck.masked for held in fold.table.hands for at in held):
        fold.phase = "shares"
        return
    next_deal(fold)
    follow(fold)


def mix_boneyard(fold, handed):
    """Begin a chain over the undrawn, the shown and the handed-over tiles (5.9).

    Without any such tile, go on at once.
    """
    back = fold.table.reshuffle
    undrawn = [fold.deck.masked[at] for at in sorted(back.undrawn)]
    shown = [(None, proofs.tile(t)) for t in sorted(t for _, t in back.shown)]
    first = (*undrawn, *shown, *handed)
    fold.phase, fold.between = "deal", False
    deal = mix(fold, first)
    if first:
        fold.deal = deal
    else:
        resume(fold, deal)


def lacking(fold):
    """Return, for each position that somebody is to see, the seats whose shares are missing."""
    table, deck, everybody = fold.table, fold.deck, frozenset(fold.present)
    found = {
        at: everybody - {seat}
        for seat, held in enumerate(table.hands)
        for at in held
        if at not in deck.residuals
    }
    for seat, at, by_all in turned_now(table):
        if at not in deck.residuals:
            found[at] = everybody if by_all else everybody - {seat}
        elif by_all and at not in deck.tiles:
            found[at] = frozenset({deck.keepers[at]})
    return found


def owing(fold):
    """Return the seats that owe shares."""
    return tuple(sorted(frozenset().union(*lacking(fold).values())))


def owed_by(fold, seat):
    """Return the positions for which a seat owes a share, ascending."""
    return tuple(sorted(at for at, seats in lacking(fold).items() if seat in seats))


def to_mix(fold):
    """Return the seats whose hands must be mixed now; none unless draws are hidden (4.4)."""
    if fold.options["draws"] != "hidden" or fold.table.phase in ENDED:
        return ()
    return tuple(
        seat
        for seat, held in enumerate(fold.table.hands)
        if len(held) > 1 and not fold.deck.settled.issuperset(held)
    )


def follow(fold, *, ended=False, called=False):
    """Set the phase that follows a step of a round.

    `ended` is True if the step ended a turn, and `called` if the calls after the turn have been
    made.
    """
    table = fold.table
    if table.phase is At.RESHUFFLE:
        fold.between = False
        if table.reshuffle.hidden:
            fold.phase = "hand-over"
        else:
            mix_boneyard(fold, ())
    elif lacking(fold):
        fold.phase = "drawn"
    elif table.now == OpeningAll():
        fold.phase, fold.sealed = "opening-commit", None
    elif ended and not called and calls_due(table):
        fold.phase = "calls"
    elif ended and to_mix(fold):
        fold.phase = "mix-hand"
    elif table.outcome is not None and table.outcome.ending is Ending.REDEAL:
        fold.phase, fold.between = "deal", False
        fold.deal = new_deal(fold, table.round_number)
    elif table.phase is not At.OVER:
        fold.phase = "play"
        fold.between = ended and fold.deal is not None and fold.deal.stage != "whole"
    else:
        fold.phase = "open"


def throw_away(fold, round_number=None):
    """Begin a deal again, by default of the next round, because a leaver took part in it.

    If there is no such round, only drop the deal.
    """
    following = fold.table.round_number + 1 if round_number is None else round_number
    fold.deal = new_deal(fold, following) if following < fold.spec.rounds else None
    fold.between, fold.sealed = False, None


def deal_again(fold, round_number):
    """Deal a round with new keys; a seat that is alone signs the scores instead."""
    if len(fold.present) == 1:
        fold.phase, fold.deal, fold.between, fold.sealed = "score", None, False, None
        return
    throw_away(fold, round_number)
    fold.phase = "deal"


def void(fold):
    """Void the round: nobody scores, and it is dealt again."""
    fold.table = void_round(fold.table, frozenset(map(Seat, fold.gone)))
    fold.rebuilding, fold.blinded = False, None
    deal_again(fold, fold.table.round_number)
