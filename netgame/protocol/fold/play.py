"""What follows a step of a round, and tiles that go back into it [protocol.md §4.4, §5.9]."""

from dataclasses import replace

from engine.play.calls import calls_due
from engine.play.hub_outcome import reshuffled
from engine.table.rounds import next_round, start_game
from engine.table.table import Ending, RoundPhase, Table
from engine.table.trains import Position, Seat
from engine.table.turn import Reshuffle
from netgame.crypto.group import Entropy
from netgame.crypto.handover import decode_hand_over, verify_hand_over
from netgame.crypto.masking import Masked, mixed_deck
from netgame.protocol.fold import phases
from netgame.protocol.fold.deal import context_at, mix_again, new_deal, with_next_deal
from netgame.protocol.fold.deck import Deal, DealPhase, deck_of, with_chain
from netgame.protocol.fold.mix import hands_to_mix
from netgame.protocol.fold.shares import turned_up, unshared, with_shares
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import Entry, payloads_of
from netgame.protocol.log.fault import Claim, Judging
from netgame.protocol.notices import Dealt, Notice, Reshuffled
from netgame.wire.messages import HandOver


def begin_round(state: State, since: phases.FirstDeal | phases.Standing, deal: Deal) -> phases.Now:
    """The deck is ready: seats get their positions, lowest first, and shares are due.

    Where a tile each is turned up for the first turn, those come first.
    """
    if isinstance(since, phases.FirstDeal):
        table = start_game(since.spec, Seat(since.first))
    else:
        table = next_round(since.table)
    began = phases.Round(table, deck_of(deal))
    return (
        go_on(state, began) if table.phase is RoundPhase.HIGH_DRAW else phases.SharingHands(began)
    )


def complete_dealt(state: State, now: phases.SharingHands, entries: tuple[Entry, ...]) -> Completed:
    """All shares of the hands are there; what has been dealt came to its hands together."""
    moved, notices = turned_up(with_shares(state, now.round, entries))
    dealt = frozenset(position for held in moved.table.hands for position in held)
    moved = with_next_deal(state, replace(moved, deck=replace(moved.deck, settled=dealt)))
    return state.at(go_on(state, moved)), (Dealt(moved.table.round_number), *notices)


def complete_drawn(state: State, now: phases.SharingDraws, entries: tuple[Entry, ...]) -> Completed:
    """All shares of what was drawn, or is to be seen, are there."""
    moved, notices = turned_up(with_shares(state, now.round, entries))
    return state.at(go_on(state, moved)), (*notices, *told_of_shuffle(moved.table))


def go_on(
    state: State, round_: phases.Round, *, turn_over: bool = False, called: bool = False
) -> phases.Now:
    """What is due after a move or its shares: more shares, calls, a turn, the end, a deal anew.

    `called` says that the step in which all may call has been.
    """
    table = round_.table
    if table.reshuffle is not None:
        return _reshuffle(state, round_, table.reshuffle)
    if unshared(state, round_):
        return phases.SharingDraws(round_)
    if _opening_to_seal(table):
        return phases.SealingOpenings(round_)
    if turn_over and not called and calls_due(table):
        return phases.HearingCalls(round_)
    if turn_over and hands_to_mix(state, round_):
        return phases.MixingHands(round_)
    if table.outcome is not None and table.outcome.ending is Ending.REDEAL:
        deal = new_deal(state, table.spec, table.round_number)
        return phases.Dealing(phases.Standing(table, round_.deck, round_.history), deal)
    if table.phase is RoundPhase.OVER:
        return phases.OpeningHands(round_)
    return _next_stage(round_) if turn_over else phases.Playing(round_)


def _next_stage(round_: phases.Round) -> phases.Now:
    """Between two turns one stage of the next round's deal, as long as that is not made."""
    following = round_.following
    if following is None or following.phase is DealPhase.READY:
        return phases.Playing(round_)
    return phases.BetweenTurns(replace(round_, following=None), following)


def _opening_to_seal(table: Table) -> bool:
    """Whether all are to lay their openings at once, and nobody has shown anything of it."""
    aside = table.aside
    return table.phase is RoundPhase.OPENING_ALL and not (aside.finished or aside.drew)


# ---- tiles that go back -------------------------------------------------------------------


def _reshuffle(state: State, round_: phases.Round, going_back: Reshuffle) -> phases.Now:
    """Tiles go back into the boneyard; one out of a hand is handed over to the joint key first."""
    if going_back.hidden:
        return phases.HandingOver(round_, going_back)
    return _mixing(state, round_, going_back, ())


def told_of_shuffle(table: Table) -> tuple[Notice, ...]:
    """What there is to tell where tiles now go back into the boneyard."""
    going_back = table.reshuffle
    if going_back is None:
        return ()
    drew_for_first = table.aside.seek is None and not going_back.rebuild
    return (Reshuffled(table.aside.lead if drew_for_first else None),)


def givers(_: State, now: phases.HandingOver) -> tuple[int, ...]:
    """The seats whose tile goes back unseen."""
    return tuple(sorted(seat for seat, _ in now.going_back.hidden))


def position_given(now: phases.HandingOver, seat: int) -> Position:
    """The position that `seat` has to hand over in the step now due."""
    return next(position for giver, position in now.going_back.hidden if giver == seat)


def check_hand_over(
    state: State, now: phases.HandingOver, entry: Entry, payload: HandOver
) -> Judging:
    """The tile under the joint key is the one that lay at the position."""
    deck, number = now.round.deck, now.round.table.round_number
    over = decode_hand_over(payload.over)
    left = deck.residuals[position_given(now, entry.seat)]
    key, context = deck.keys[entry.seat], context_at(state, number, "hand-over", entry.seat)

    def holds(_: Entropy) -> bool:
        return verify_hand_over(key, context, deck.joint, left, over.masked, over.proof)

    return Judging(Claim(holds, "handed over another tile than the one that goes back"))


def complete_hand_over(
    state: State, now: phases.HandingOver, entries: tuple[Entry, ...]
) -> Completed:
    """What goes back lies under the joint key; all seats mix it with what nobody drew."""
    handed = tuple(
        decode_hand_over(payload.over).masked for payload in payloads_of(entries, HandOver)
    )
    return state.at(_mixing(state, now.round, now.going_back, handed)), ()


def _mixing(
    state: State, round_: phases.Round, going_back: Reshuffle, handed: tuple[Masked, ...]
) -> phases.Now:
    """A new chain is due, over all that is face down; a deal of the next round begins anew."""
    undrawn = [round_.deck.masked[position] for position in going_back.undrawn]
    mixed = mixed_deck(undrawn, [tile for _, tile in going_back.shown], handed)
    moved, deal = replace(round_, following=None), mix_again(state, round_, mixed)
    return phases.Reshuffling(moved, deal) if mixed else resume_reshuffled(state, moved, deal)


def resume_reshuffled(state: State, round_: phases.Round, deal: Deal) -> phases.Now:
    """The new boneyard is mixed: its positions count on, those of the old one are dead."""
    first = round_.deck.next_position
    masked = {Position(first + at): each for at, each in enumerate(deal.decks[-1])}
    table = reshuffled(round_.table, tuple(masked))
    moved = replace(round_, table=table, deck=with_chain(round_.deck, deal, masked))
    if any(position in masked for held in table.hands for position in held):
        return phases.SharingHands(moved)
    return go_on(state, with_next_deal(state, moved))
