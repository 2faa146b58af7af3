"""The steps of a round: which phase follows, which tiles go back, and who mixes a hand.

If a table hides draws, a seat that has drawn in a turn reorders its residuals after the turn, so
that nobody can tell when it got a tile. It does so by one link of protocol.md §5.5, under its own
key. [protocol.md §4.4, §5.9]
"""

from msgspec.structs import replace

from engine.play.calls import calls_due
from engine.play.hub_outcome import reshuffled
from engine.table.rounds import next_round, start_game, with_positions
from engine.table.table import ENDED, Ending, RoundPhase, Table
from engine.table.trains import Position, Seat
from engine.table.turn import HighDraw, OpeningAll, Reshuffle
from netgame.crypto.handover import decode_hand_over, verify_hand_over
from netgame.crypto.masking import Masked, decode_deck, mixed_deck
from netgame.crypto.shuffle import ShuffleLink, decode_shuffle_proof, verify_shuffles
from netgame.protocol.log.entry import Entries, payload_as, payloads_of
from netgame.protocol.log.fault import Claim, PendingProof, ProofKind
from netgame.protocol.notices import DealPhase, Dealt, Notice, Reshuffled
from netgame.protocol.state import phases
from netgame.protocol.state.deal import context_at, mix_again, new_deal, with_next_deal
from netgame.protocol.state.deck import Deal, deck_of, with_chain
from netgame.protocol.state.options import Draws
from netgame.protocol.state.shares import turned_up, unshared, with_shares
from netgame.protocol.state.state import Completed, State
from netgame.wire.messages import HandOver, MixHand


def begin_round(state: State, since: phases.FirstDeal | phases.Round, deal: Deal) -> phases.Now:
    """Return the first phase of a round whose deck is finished.

    The hands are dealt from the lowest positions, and their shares are due. If seats first turn up
    tiles to find who begins, shares of those tiles are due instead.
    """
    if isinstance(since, phases.FirstDeal):
        table = start_game(since.spec, Seat(since.first))
    else:
        table = next_round(since.table)
    began = phases.Round(table, deck_of(deal))
    is_drawn = table.phase is RoundPhase.HIGH_DRAW
    return go_on(state, began) if is_drawn else phases.SharingHands(began)


def complete_dealt(state: State, now: phases.SharingHands, entries: Entries) -> Completed:
    """Apply the shares of the dealt hands, and begin the deal of the next round, if there is one.

    All dealt positions are `settled`, because they came to the hands together. The first notice is
    `Dealt`.
    """
    moved, notices = turned_up(with_shares(state, now.round, entries))
    dealt = frozenset(position for held in moved.table.hands for position in held)
    moved = with_next_deal(state, replace(moved, deck=replace(moved.deck, settled=dealt)))
    return state.at(go_on(state, moved)), (
        Dealt(moved.table.round_number, moved.deck.mixers),
        *notices,
    )


def complete_drawn(state: State, now: phases.SharingDraws, entries: Entries) -> Completed:
    """Apply the shares of tiles that were drawn, or are to be turned up or looked at.

    Tiles that waited for their shares are turned up or looked at, with a notice for each; there is
    a last notice if tiles then go back into the boneyard.
    """
    moved, notices = turned_up(with_shares(state, now.round, entries))
    return state.at(go_on(state, moved)), (*notices, *told_of_shuffle(moved.table))


def go_on(
    state: State, round_: phases.Round, *, turn_over: bool = False, called: bool = False
) -> phases.Now:
    """Return the phase that follows a move, or the shares that it needed.

    It is the first that is due of these: handing over or mixing tiles that go back, shares, sealed
    openings, calls, mixing hands, dealing again, opening hands, a stage of the next deal, a turn.
    `turn_over` says whether the step has ended a turn, and `called` whether the step in which all
    may call is over.
    """
    table = round_.table
    if (back := table.reshuffle) is not None:
        return phases.HandingOver(round_, back) if back.hidden else _mixing(state, round_, back, ())
    if unshared(state, round_):
        return phases.SharingDraws(round_)
    if table.now == OpeningAll():  # all openings are due at once, and none has been shown
        return phases.SealingOpenings(round_)
    if turn_over and not called and calls_due(table):
        return phases.HearingCalls(round_)
    if turn_over and hands_to_mix(state, round_):
        return phases.MixingHands(round_)
    if table.outcome is not None and table.outcome.ending is Ending.REDEAL:
        deal = new_deal(state, table.spec, table.round_number)
        return phases.Dealing(replace(round_, following=None), deal)
    if table.phase is RoundPhase.OVER:
        return phases.OpeningHands(round_)
    return _next_stage(round_) if turn_over else phases.Playing(round_)


def _next_stage(round_: phases.Round) -> phases.Now:
    """Return the phase for the next stage of the following deal, or for a turn.

    A turn is next if that deal is already made, or if there is none.
    """
    following = round_.following
    if following is None or following.phase is DealPhase.READY:
        return phases.Playing(round_)
    return phases.BetweenTurns(replace(round_, following=None), following)


# ---- tiles that go back -------------------------------------------------------------------


def told_of_shuffle(table: Table, left: tuple[str, ...] = ()) -> tuple[Notice, ...]:
    """Return, in a tuple, the notice that tiles go back into the boneyard; () if none do.

    `left` names the players who left.
    """
    going_back = table.reshuffle
    if going_back is None:
        return ()
    drew_for_first = isinstance(going_back.since, HighDraw)
    return (Reshuffled(table.game.lead if drew_for_first else None, left),)


def tile_given(now: phases.HandingOver, seat: int) -> Masked:
    """Return the residual of the tile that `seat`, which must owe one, hands over in this step."""
    position = next(position for giver, position in now.going_back.hidden if giver == seat)
    return now.round.deck.residuals[position]


def check_hand_over(
    state: State, now: phases.HandingOver, seat: int, payload: HandOver
) -> PendingProof:
    """Return the `PendingProof` that the tile handed over is that of the position going back.

    Raises `Malformed` for octets that do not decode.
    """
    deck = now.round.deck
    context = context_at(state, "hand-over", seat)
    given = decode_hand_over(payload.over)
    left = tile_given(now, seat)
    says = "handed over another tile than the one that goes back"
    over = (deck.keys[seat], context, deck.joint, left, given)
    return PendingProof(Claim(lambda _: verify_hand_over(*over), says, kind=ProofKind.BONEYARD))


def complete_hand_over(state: State, now: phases.HandingOver, entries: Entries) -> Completed:
    """Collect the tiles handed over, which all seats mix into the boneyard next.

    There is no notice.
    """
    handed = tuple(
        decode_hand_over(payload.over).masked for payload in payloads_of(entries, HandOver)
    )
    return state.at(_mixing(state, now.round, now.going_back, handed)), ()


def _mixing(
    state: State, round_: phases.Round, going_back: Reshuffle, handed: tuple[Masked, ...]
) -> phases.Now:
    """Return the phase in which all tiles of the new boneyard are mixed; drop the next deal.

    The tiles are, in this order, the undrawn ones, the shown ones that go back, and those `handed`
    over. If there are none, the round goes on at once.
    """
    undrawn = [round_.deck.masked[position] for position in going_back.undrawn]
    mixed = mixed_deck(undrawn, [tile for _, tile in going_back.shown], handed)
    moved = replace(round_, following=None)
    deal = mix_again(state, round_, mixed)
    return phases.Reshuffling(moved, deal) if mixed else resume_reshuffled(state, moved, deal)


def resume_reshuffled(state: State, round_: phases.Round, deal: Deal) -> phases.Now:
    """Give the mixed boneyard new positions, and return the phase that follows.

    If hands are dealt from the mixed boneyard, their shares are due; otherwise the phase is what
    `go_on` returns, and a new deal of the next round begins.
    """
    deck = with_chain(round_.deck, deal)
    table = reshuffled(round_.table, tuple(deck.masked))
    moved = replace(round_, table=table, deck=deck)
    if any(position in deck.masked for held in table.hands for position in held):
        return phases.SharingHands(moved)
    return go_on(state, with_next_deal(state, moved))


# ---- hands mixed by their owners ----------------------------------------------------------


def hands_to_mix(state: State, round_: phases.Round) -> tuple[int, ...]:
    """Return, in ascending order, the seats that must mix their hands.

    They have at least two tiles, of which at least one still shows when it was drawn. Empty if the
    table does not hide draws, and after the end of play.
    """
    table, settled = round_.table, round_.deck.settled
    if state.options.draws is not Draws.HIDDEN or table.phase in ENDED:
        return ()
    return tuple(
        seat
        for seat, held in enumerate(table.hands)
        if len(held) > 1 and not settled.issuperset(held)
    )


def hand_to_mix(round_: phases.Round, seat: int) -> tuple[Masked, ...]:
    """Return the residuals that a seat mixes, in ascending order of their positions."""
    return tuple(round_.deck.residuals[position] for position in sorted(round_.table.hands[seat]))


def check_mix_hand(
    state: State, now: phases.MixingHands, seat: int, payload: MixHand
) -> PendingProof:
    """Return the `PendingProof` that the mixed hand has the same tiles, under its owner's key.

    Raises `Malformed` for octets that do not decode.
    """
    given = hand_to_mix(now.round, seat)
    key = now.round.deck.keys[seat]
    context = context_at(state, "mix-hand", seat)
    mixed = decode_deck(payload.deck, len(given))
    link = ShuffleLink(context, given, mixed, decode_shuffle_proof(payload.proof, len(given)))
    says = "mixed its hand into another one"
    return PendingProof(
        Claim(lambda by: not verify_shuffles(key, (link,), by), says, kind=ProofKind.SHUFFLE)
    )


def complete_mix_hand(state: State, now: phases.MixingHands, entries: Entries) -> Completed:
    """Give the mixed hands new positions, and go on after the turn; there is no notice."""
    table, deck = now.round.table, now.round.deck
    residuals = dict(deck.residuals)
    mixed = list(deck.mixed)
    first = deck.next_position
    settled = set(deck.settled)
    for entry in entries:
        held = decode_deck(payload_as(entry, MixHand).deck, len(table.hands[entry.seat]))
        positions = tuple(Position(first + at) for at in range(len(held)))
        first += len(held)
        residuals.update(zip(positions, held, strict=True))
        settled.update(positions)
        mixed.append((entry.seat, positions))
        table = with_positions(table, Seat(entry.seat), positions)
    deck = replace(deck, residuals=residuals, mixed=tuple(mixed), settled=frozenset(settled))
    moved = replace(now.round, table=table, deck=replace(deck, next_position=first))
    return state.at(go_on(state, moved, turn_over=True, called=True)), ()
