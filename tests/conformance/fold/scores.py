"""The end of a round: open hands, scores and keys, and new seats (4.7, 4.8, 5.8)."""

from copy import copy

from engine.audit import audit
from engine.play.apply import score_round
from engine.play.latecomers import with_seats
from engine.rules.spec import TableSpec
from engine.rules.switches import Partners
from engine.scoring import rounds_are_over
from engine.table.table import CALLED_OFF
from engine.table.trains import Seat
from engine.tiles import make_tile
from tests.conformance import proofs
from tests.conformance.fold.lobby import is_for_now, read_request, spec_of
from tests.conformance.fold.round import begin_round
from tests.conformance.fold.state import need
from tests.conformance.fold.turns import prove_shown
from tests.conformance.poll import seats_of
from tests.netgame.crypto.oracle import add, base, hashed, mul


def check_open(fold, entry, said):
    """Require every tile that the seat still holds, and tokens and a proof if it holds any."""
    positions = tuple(sorted(fold.table.hands[entry.seat]))
    need(len(said.tiles) == len(positions), "shape")
    if not positions:
        need(not said.tokens and not said.proof, "shape")
        return
    tokens, proof = proofs.points(said.tokens, len(positions)), proofs.reveal_proof(said.proof)
    wanted = [proofs.tile(make_tile(*pips)) for pips in said.tiles]
    ctx = fold.ctx("open", entry.seat)
    prove_shown(fold, (entry.seat, ctx, positions, tokens, proof, wanted))


def complete_open(fold, entries):
    """Score the round with all hands open, and judge its moves again."""
    shown = {each.seat: each.payload.tiles for each in entries}
    hands = tuple(
        tuple(make_tile(*pips) for pips in shown.get(seat, ())) for seat in range(len(fold.seats))
    )
    fold.deck = copy(fold.deck)
    for held, tiles in zip(fold.table.hands, hands, strict=True):
        fold.deck.tiles = {**fold.deck.tiles, **dict(zip(sorted(held), tiles, strict=True))}
    fold.table, _ = score_round(fold.table, hands)
    fold.phase = "score"
    judge_again(fold, entries)


def judge_again(fold, entries):
    """Judge the round again by all open tiles, and note the first fault (7.14)."""
    found = audit(fold.history, fold.deck.tiles)
    if found is not None:
        shown = [each for each in entries if each.seat == found.seat]
        fold.late = ("audit", shown[0] if shown else None, int(found.seat))


def scores_of(fold):
    """Return the scores of the round; empty if it was called off (4.7)."""
    return () if fold.table.outcome.ending in CALLED_OFF else tuple(fold.table.past[-1])


def check_round_over(fold, entry, said):
    """Require the right scores, and only guests among `named`.

    Only the chair may list latecomers, with good requests, and only if they can be seated.
    """
    need(said.scores == scores_of(fold), "shape")
    need(seats_of(said.named) <= fold.guests, "shape")
    if not said.latecomers:
        return
    need(entry.seat == fold.chair, "shape")
    asked = [read_request(each.request, each.signature) for each in said.latecomers]
    need(len({each.key for each in asked}) == len(asked), "shape")
    need(all(is_for_now(fold, each) for each in asked), "shape")
    room = fold.spec.rules.partners is not Partners.YES
    room &= fold.options["latecomers"] == "seated"
    room &= not rounds_are_over(fold.spec, fold.table.past)
    need(room, "shape")
    new = [each.key for each in asked if fold.seat_of(each.key) is None]
    need(all(fold.seat_of(each.key) not in fold.present for each in asked), "shape")
    if new:
        need(isinstance(spec_of(fold, len(fold.seats) + 1), TableSpec), "shape")
    need(isinstance(spec_of(fold, len(fold.seats) + len(new)), TableSpec), "rules")


def complete_round_over(fold, entries):
    """Note who sits down and who gets a vote; then ask for the keys, or end the round."""
    fold.coming = those_who_sit_down(fold, entries)
    fold.voting = those_who_are_named(fold, entries)
    shown = fold.options["audit"] != "hands" and bool(scores_of(fold))
    if shown and all(seat in fold.present for seat in fold.deck.keys):
        fold.phase = "audit"
    else:
        after_round(fold)


def those_who_sit_down(fold, entries):
    """Return the join requests in the chair's entry, and open the next seating."""
    fold.seating_since = fold.step + 1
    carried = [one for each in entries for one in each.payload.latecomers]
    return tuple(read_request(one.request, one.signature) for one in carried)


def those_who_are_named(fold, entries):
    """Return the guests named by more than half of the voters."""
    named = [seats_of(e.payload.named) for e in entries if e.seat not in fold.guests]
    often = {seat: sum(seat in each for each in named) for seat in fold.guests}
    return frozenset(seat for seat in often if 2 * often[seat] > len(named))


def check_keys(fold, entry, said):
    """Require the secret of the seat's round key."""
    x = proofs.scalar(said.x)
    need(x > 0 and base(x) == fold.deck.keys[entry.seat], "proof")


def complete_keys(fold, entries):
    """Open every position with the keys, judge the round again, and end it (5.8)."""
    xs = {each.seat: proofs.scalar(each.payload.x) for each in entries}
    deck = fold.deck = copy(fold.deck)
    named, opened = fold.named(), {}
    for first, deal in deck.chains:
        opened |= dict(_opened(deal.decks[-1], sum(xs.values()), named, first))
    for seat, positions in deck.mixed:
        left = [deck.residuals[at] for at in positions]
        opened |= dict(_opened(left, xs[seat], named, positions[0]))
    deck.tiles = {**deck.tiles, **opened}
    judge_again(fold, entries)
    after_round(fold)


def after_round(fold):
    """End the game, have a new roster signed, or go on with the next round."""
    last = rounds_are_over(fold.spec, fold.table.past)
    if last or (len(fold.present) == 1 and not fold.coming):
        fold.phase = "over"
    elif fold.coming or fold.voting:
        sit_down(fold)
    elif fold.deal.stage == "whole":
        begin_round(fold)
    else:
        fold.phase = "deal"


def sit_down(fold):
    """Seat the latecomers, and have the roster signed, even if guests only get a vote (4.8)."""
    fold.before = copy(fold)
    back = {fold.seat_of(each.key) for each in fold.coming} - {None}
    new = [each.key for each in fold.coming if fold.seat_of(each.key) is None]
    fold.seats = (*fold.seats, *sorted(new, key=lambda key: hashed("seat", fold.session, key)))
    fold.spec = spec_of(fold, len(fold.seats))
    fold.table = with_seats(fold.table, fold.spec, map(Seat, sorted(back)))
    fold.gone -= back
    more = range(len(fold.seats) - len(new), len(fold.seats))
    fold.guests |= back | frozenset(more)
    fold.phase, fold.deal, fold.between, fold.coming = "roster", None, False, ()


def _opened(masked, x, named, first):
    """Open entries with the secret `x`; yield the position and tile of each that has a tile."""
    for at, (A, B) in enumerate(masked):
        point = add(B, mul(-x, A))
        if point is not None:
            yield first + at, named[point]
