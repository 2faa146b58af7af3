"""The end of a round: hands laid open, scores signed, keys shown, and on [protocol.md §5.8]."""

from dataclasses import replace

from engine.play.apply import score_round
from engine.scoring import rounds_are_over, winners
from engine.table.events import Event, GameEnded
from engine.table.rounds import next_round_number
from engine.table.table import Table
from engine.tiles import Tile, make_tile
from netgame.protocol.fold import phases
from netgame.protocol.fold.audit import audit_with_keys, judged_again
from netgame.protocol.fold.claims import Shared, share_claims
from netgame.protocol.fold.deal import context_at, new_deal
from netgame.protocol.fold.deck import Deal, DealPhase, RoundDeck
from netgame.protocol.fold.latecomers import check_latecomers, seat_latecomers
from netgame.protocol.fold.options import Audit
from netgame.protocol.fold.play import begin_round
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import Entry, by_seat, said
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.protocol.notices import GameOver, RoundOver
from netgame.wire.messages import Admit, Open
from netgame.wire.messages import RoundOver as RoundOverEntry


def check_open(
    state: State, now: phases.OpeningHands, entry: Entry, payload: Open
) -> Finding | Judging | None:
    """Every tile still held, opened by its holder's token."""
    table, deck = now.round.table, now.round.deck
    positions = tuple(sorted(table.hands[entry.seat]))
    if len(payload.tiles) != len(positions):
        return Finding(CheckCode.SHAPE, "opened more or fewer tiles than it holds")
    if not positions:
        extra = payload.tokens or payload.proof
        return Finding(CheckCode.SHAPE, "sent shares for an empty hand") if extra else None
    context = context_at(state, table.round_number, "open", entry.seat)
    residuals = [deck.residuals[position] for position in positions]
    return Judging(
        *share_claims(
            Shared(deck.keys[entry.seat], context, positions, residuals),
            *(payload.tokens, payload.proof),
            "opened its hand with a share that is not of its key",
            [make_tile(*pips) for pips in payload.tiles],
            "opened its hand as tiles that it does not hold",
        )
    )


def complete_open(state: State, now: phases.OpeningHands, entries: tuple[Entry, ...]) -> Completed:
    """All hands lie open: score the round, and replay it with every tile known."""
    round_ = now.round

    def opened(entry: Entry) -> tuple[Tile, ...]:
        return tuple(make_tile(*pips) for pips in said(entry, Open).tiles)

    nothing: tuple[Tile, ...] = ()
    hands = by_seat(entries, len(state.seats), opened, nothing)
    tiles = dict(round_.deck.tiles)
    for held, shown in zip(round_.table.hands, hands, strict=True):
        tiles.update(zip(sorted(held), shown, strict=True))
    table, events = score_round(round_.table, hands)
    standing = phases.Standing(table, replace(round_.deck, tiles=tiles), round_.history)
    scoring = phases.Scoring(standing, events, round_.following)
    return replace(state, now=scoring, late=judged_again(round_.history, tiles)), ()


def scores_to_sign(table: Table) -> tuple[int, ...]:
    """The scores of the round just over, in seat order; none of a round that was called off."""
    return tuple(points for row in table.past[table.round_number :] for points in row)


def check_round_over(
    state: State, now: phases.Scoring, entry: Entry, payload: RoundOverEntry
) -> Finding | None:
    """Every seat signs the scores that the open hands give."""
    if payload.scores != scores_to_sign(now.standing.table):
        return Finding(CheckCode.SHAPE, "signed scores that the open hands do not give")
    return check_latecomers(state, entry.seat, payload)


def complete_round_over(state: State, now: phases.Scoring, entries: tuple[Entry, ...]) -> Completed:
    """All have signed the scores: lay the keys open, if this table does, or go on."""
    signed, coming = asked_to_sit(state, entries)
    table, deck = now.standing.table, now.standing.deck
    audits = state.options.audit is not Audit.HANDS and bool(scores_to_sign(table))
    if audits and deck is not None and _all_keys_are_here(state, deck):
        round_ = phases.Round(table, deck, now.standing.history, now.following)
        return signed.at(phases.Auditing(round_, now.events, coming)), ()
    return after_round(signed, now.standing, now.events, coming, now.following)


def asked_to_sit(state: State, entries: tuple[Entry, ...]) -> tuple[State, tuple[Admit, ...]]:
    """Who sits down when this round is done, as its scores say.

    Who asks from now on asks for a seat with the scores of the next.
    """
    coming = (each for entry in entries for each in said(entry, RoundOverEntry).latecomers)
    return replace(state, seating_since=state.step + 1), tuple(coming)


def _all_keys_are_here(state: State, deck: RoundDeck) -> bool:
    """Whether nobody whose key is in this deck has left: without that key nothing opens."""
    return all(seat in state.present for seat, key in enumerate(deck.keys) if key)


def complete_keys(state: State, now: phases.Auditing, entries: tuple[Entry, ...]) -> Completed:
    """All keys lie open: judge the round once more, and go on."""
    tiles, late = audit_with_keys(state, now.round, entries)
    deck = replace(now.round.deck, tiles=tiles)
    standing = phases.Standing(now.round.table, deck, now.round.history)
    audited = replace(state, late=late)
    return after_round(audited, standing, now.events, now.coming, now.round.following)


def after_round(
    state: State,
    standing: phases.Standing,
    events: tuple[Event, ...],
    coming: tuple[Admit, ...],
    following: Deal | None = None,
) -> Completed:
    """On to what is left of the next deal, or to the end."""
    table = standing.table
    is_last = rounds_are_over(table.spec, table.past)
    alone = len(state.present) == 1
    scored = tuple(event for event in events if not isinstance(event, GameEnded))
    if is_last or (alone and not coming):
        # Of those who are still there.
        ended = GameOver((*scored, GameEnded(winners(table))))
        return state.at(phases.Over(standing)), (ended,)
    if coming:
        return seat_latecomers(state, standing, coming), (RoundOver(scored),)
    deal = following or new_deal(state, table.spec, next_round_number(table))
    if deal.phase is DealPhase.READY:
        return state.at(begin_round(state, standing, deal)), (RoundOver(events),)
    return state.at(phases.Dealing(standing, deal)), (RoundOver(events),)
