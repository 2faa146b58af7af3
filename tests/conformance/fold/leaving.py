"""The effects of leaving, which depend on the phase at the cut (4.7, 4.8)."""

from msgspec.structs import replace

from engine.play.leavers import leave, void_round
from engine.rules.spec import TableSpec
from engine.scoring import rounds_are_over
from engine.table.rounds import next_round_number, start_game
from engine.table.table import RoundPhase as At
from engine.table.trains import Seat
from tests.conformance.fold.lobby import spec_of
from tests.conformance.fold.rebuild import begin_rebuild
from tests.conformance.fold.round import deal_again, throw_away, void
from tests.conformance.fold.scores import after_round, sit_down
from tests.netgame.crypto.oracle import hashed


def open_epoch(fold, goes):
    """Begin a new epoch without the seats `goes`; the cut takes the place of the due step."""
    numbers = sum(1 << seat for seat in goes)
    fold.id = hashed("epoch", fold.id, numbers, fold.step, fold.head)
    fold.ids = (*fold.ids, (fold.step, fold.id))
    fold.gone |= goes
    fold.guests -= goes
    fold.since_coin -= goes
    fold.late = None
    go_on_without(fold, frozenset(map(Seat, goes)))
    fold.head = hashed("step", fold.head, [fold.id])
    fold.step += 1


def go_on_without(fold, seats):
    """Continue without these seats, according to the phase of the due step."""
    if fold.phase in ("roster", "coin-commit", "coin-reveal"):
        if fold.before is None:
            form_again(fold)
        else:
            seat_again(fold)
    elif fold.table is None:
        table = void_round(start_game(fold.spec, Seat(fold.first)), seats)
        fold.table = replace(table, game=replace(table.game, forfeits=()))
        deal_again(fold, 0)
    elif fold.table.phase in (At.SCORED, At.FINISHED):
        leave_between(fold, seats)
    elif fold.phase == "open":
        fold.table = leave(fold.table, seats)
        throw_away(fold)
    elif goes_on(fold):
        begin_rebuild(fold, seats)
    else:
        void(fold)


def goes_on(fold):
    """Return True if the round in play goes on, with a rebuilt deck."""
    turns = fold.phase in ("play", "drawn", "calls", "mix-hand")
    turns &= fold.table.phase is At.PLAY
    return fold.rebuilding or (turns and fold.options["leaver"] == "rebuild")


def form_again(fold):
    """Have the seats that stay sign the first roster again; end if the rules need more seats."""
    spec = spec_of(fold, len(fold.present))
    fold.phase, fold.coins, fold.spec = "roster", {}, spec
    if not isinstance(spec, TableSpec):
        fold.phase = "over"


def seat_again(fold):
    """Undo the seating that followed the last scores, and repeat it with those who stay.

    If nobody is left to seat or to get a vote, deal the next round instead.
    """
    before = fold.before
    stay = {fold.seats[seat] for seat in fold.present}
    went = frozenset(map(Seat, fold.gone & frozenset(range(len(before.seats))))) - before.gone
    fold.seats, fold.spec, fold.guests = before.seats, before.spec, before.guests - went
    fold.table = leave(before.table, went) if went else before.table
    fold.gone = before.gone | went
    fold.coming, fold.before = tuple(e for e in before.coming if e.key in stay), None
    fold.voting = before.voting - went
    if fold.coming or fold.voting:
        sit_down(fold)
    else:
        deal_again(fold, next_round_number(fold.table))


def leave_between(fold, seats):
    """Let seats leave after a round is scored; after the last round, they keep their results."""
    if not rounds_are_over(fold.spec, fold.table.past):
        fold.table = leave(fold.table, seats)
    if fold.phase == "deal":
        deal_again(fold, fold.deal.round)
        return
    throw_away(fold)
    fold.voting -= seats
    if fold.phase == "audit":
        after_round(fold)
