"""Seats that leave for good: who may say so, and what follows in each phase (4.7)."""

from engine.play.leavers import leave, void_round
from engine.rules.spec import TableSpec
from engine.struct import replace
from engine.table.rounds import next_round_number, start_game
from engine.table.table import RoundPhase as At
from engine.table.trains import Seat
from tests.conformance import proofs
from tests.conformance.fold.lobby import spec_of
from tests.conformance.fold.rebuild import begin_rebuild
from tests.conformance.fold.round import deal_again, throw_away, void
from tests.conformance.fold.scores import after_round, complete_open, sit_down, those_who_sit_down
from tests.conformance.octets import seats_of


def may_say_missing(fold, seat, said):
    """Whether this can be said by this seat: of fewer than half, or of who gave their word."""
    here, seats = frozenset(fold.present), seats_of(said.seats)
    if fold.phase in ("lobby", "over") or not seats or not seats <= here - {seat}:
        return False
    if said.whole and (said.unplayed or said.ballot == 0):
        return False
    if said.unplayed and said.ballot > 0:
        return False
    counted = here - fold.newcomers
    if seat not in here or (2 * len(seats & counted) < len(counted)) == bool(said.leaves):
        return False
    in_turn = fold.phase in ("play", "calls") and not fold.between
    if said.unplayed and not (in_turn and len(here - seats) == 1):
        return False
    keys = [fold.author(fold.step, each) for each in sorted(seats)]
    words = said.leaves or ()
    if not words:
        return True
    if len(words) != len(keys):
        return False
    return all(is_word(fold, key, word) for key, word in zip(keys, words, strict=True))


def is_word(fold, key, leave):
    """Whether a seat has given its word to write nothing in the due step (4.7)."""
    octets = fold.table_id + leave.step.to_bytes(4, "big")
    good = proofs.signed(key, "boneyard/v1/leave", octets, leave.signature)
    since = fold.sat_down.get(key, fold.roster_step)
    return good and max(since, fold.wrote.get(key, -1) + 1) <= leave.step <= fold.step


def go_on_without(fold, kept, seats):
    """Give what follows, by the phase that the step was of."""
    if fold.phase in ("roster", "coin-commit", "coin-reveal"):
        if seats & fold.newcomers:
            without_newcomers(fold, seats)
            return
        if fold.table is not None:
            fold.table = leave(fold.table, seats)
        form_again(fold)
    elif fold.table is None:
        table = void_round(start_game(fold.spec, Seat(fold.first)), seats)
        fold.table = replace(table, aside=replace(table.aside, forfeits=()))
        deal_again(fold, 0)
    elif fold.table.phase in (At.SCORED, At.FINISHED):
        leave_between(fold, kept, seats)
    elif fold.phase == "open":
        fold.table = leave(fold.table, seats)
        throw_away(fold)
        complete_open(fold, sorted(kept, key=lambda each: each.seat))
    elif goes_on(fold):
        begin_rebuild(fold, seats)
    else:
        void(fold)


def goes_on(fold):
    """Whether the round in play goes on, with a deck rebuilt."""
    turns = fold.phase in ("play", "drawn", "calls", "mix-hand")
    turns &= fold.table.phase is At.PLAY
    return fold.rebuilding or (turns and fold.options["leaver"] == "rebuild")


def form_again(fold):
    """Those who stay sign the roster again; who is alone has no table."""
    fold.phase, fold.coins = "roster", {}
    if fold.table is not None and len(fold.present) == 1:
        fold.phase = "over"
    if fold.seats is None:
        spec = spec_of(fold, len(fold.present))
        fold.spec = spec
        if not isinstance(spec, TableSpec):
            fold.phase = "over"


def without_newcomers(fold, seats):
    """Nobody whom the last scores brought has a seat; those that stay are seated again."""
    before, stay = fold.before, fold.newcomers - seats
    left = frozenset(seats) - fold.newcomers
    asked = [each for each in before.coming if fold.seats.index(each.key) in stay]
    fold.seats, fold.spec = before.seats, before.spec
    fold.table = leave(before.table, left) if left else before.table
    fold.gone, fold.newcomers = before.gone | left, frozenset()
    fold.sat_down = before.sat_down
    fold.coming, fold.before = tuple(asked), None
    if asked:
        sit_down(fold)
    else:
        deal_again(fold, next_round_number(fold.table))


def leave_between(fold, kept, seats):
    """A round that is scored counts; the next is dealt without those who left."""
    phase, fold.table = fold.phase, leave(fold.table, seats)
    if phase == "score":
        fold.coming = those_who_sit_down(fold, kept)
    if phase in ("score", "audit"):
        throw_away(fold)
        after_round(fold)
    else:
        deal_again(fold, fold.deal.round)
