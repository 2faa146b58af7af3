"""A round at the table: shares, re-shuffles, open hands, scores [protocol.md §5.6 to §5.8].

All of a round but its turns, which are in `turns`: what becomes visible to whom, what goes back and
is mixed again, and what is opened and signed at the end.
"""

from __future__ import annotations

from dataclasses import replace

from engine.play.apply import apply, reshuffled, score_round
from engine.play.calls import calls_due
from engine.play.hub_search import turned_now
from engine.scoring import rounds_are_over, winners
from engine.table.events import Event, GameEnded
from engine.table.moves import TurnUp
from engine.table.rounds import next_round, start_game
from engine.table.table import CALLED_OFF, Ending, Table
from engine.table.table import RoundPhase as TablePhase
from engine.table.trains import Position, Seat
from engine.tiles import Tile, make_tile
from netgame.crypto.group import Entropy
from netgame.crypto.handover import decode_hand_over, verify_hand_over
from netgame.crypto.masking import Masked, mixed_deck, residual, tile_point, unmask
from netgame.crypto.proofs import decode_reveal_proof, decode_tokens, verify_reveal
from netgame.errors import Malformed
from netgame.protocol.fold.audit import audit_with_keys, judged_again
from netgame.protocol.fold.deal import context_at, mix_again, new_deal, tiles_by_point, with_chain
from netgame.protocol.fold.latecomers import check_latecomers, seat_latecomers
from netgame.protocol.fold.mix import hands_to_mix
from netgame.protocol.fold.options import Audit, options_of
from netgame.protocol.fold.state import Chain, Completed, DealPhase, Phase, RoundDeck, State
from netgame.protocol.log.entry import Entry, by_seat, payloads_of, said
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.protocol.notices import Dealt, GameOver, Notice, Played, Reshuffled, RoundOver
from netgame.wire.messages import HandOver, Open, Shares
from netgame.wire.messages import RoundOver as RoundOverEntry

# ---- shares -------------------------------------------------------------------------------


def begin_round(state: State) -> State:
    """The deck is ready: seats get their positions, lowest first, and shares are due.

    Where a tile each is turned up for the first turn, those come first.
    """
    deal, spec = state.deal, state.spec
    assert deal is not None
    assert spec is not None
    assert deal.phase is DealPhase.READY
    table = start_game(spec, Seat(state.first)) if state.table is None else next_round(state.table)
    masked = {Position(at): each for at, each in enumerate(deal.decks[-1])}
    deck = RoundDeck(
        keys=deal.keys,
        joint=deal.joint,
        born=deal.born,
        chains=(Chain(0, deal.authors, deal.decks, deal.deck_contexts),),
        commit_contexts=deal.commit_contexts,
        seeds=deal.seeds,
        masked=masked,
        next_position=len(masked),
        residuals={},
        keepers={},
        tiles={},
    )
    began = replace(state, phase=Phase.SHARES, deal=None, table=table, deck=deck, history=())
    return go_on(began) if table.phase is TablePhase.HIGH_DRAW else began


def positions_shared(state: State, seat: int) -> tuple[Position, ...]:
    """The positions for which `seat` owes a share in the step now due, ascending."""
    return tuple(sorted(p for p, lacking in _unshared(state).items() if seat in lacking))


def _unshared(state: State) -> dict[Position, frozenset[int]]:
    """Every position that somebody is to see, or all are, and whose shares it lacks for that."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    everybody = frozenset(state.present)
    lacking = {
        position: everybody - {seat}
        for seat, held in enumerate(table.hands)
        for position in held
        if position not in deck.residuals
    }
    for seat, position, for_all in turned_now(table):
        if position in deck.residuals:
            alone = frozenset({deck.keepers[position]})
            if for_all and position not in deck.tiles:
                lacking[position] = alone
        else:
            lacking[position] = everybody if for_all else everybody - {seat}
    return lacking


def share_authors(state: State) -> tuple[int, ...]:
    """Who owes shares in the step now due."""
    lacking = _unshared(state).values()
    return tuple(sorted(frozenset[int]().union(*lacking)))


def check_shares(state: State, entry: Entry, payload: Shares) -> Finding | Judging:
    """One good token for every position that went to another seat."""
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    positions = positions_shared(state, entry.seat)
    masked = [deck.masked[position].A for position in positions]
    try:
        tokens = decode_tokens(payload.tokens, len(positions))
        proof = decode_reveal_proof(payload.proof)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"sent malformed shares: {problem}")
    key = deck.keys[entry.seat]
    context = context_at(state, table.round_number, "shares", entry.seat)

    def run(_: Entropy) -> Finding | None:
        if verify_reveal(key, context, positions, masked, tokens, proof):
            return None
        return Finding(CheckCode.PROOF, "sent a share that is not of its key")

    return Judging(run)


def complete_shares(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All shares are there: what is left of each position only its holder can open, or all can."""
    table = state.table
    assert table is not None
    moved, notices = _turn_up(_with_shares(state, entries))
    if state.phase is Phase.DRAWN:
        assert moved.table is not None
        return go_on(moved), (*notices, *told_of_shuffle(moved.table))
    return go_on(with_next_deal(_settled(moved))), (Dealt(table.round_number), *notices)


def _settled(state: State) -> State:
    """What has been dealt came to its hands together."""
    assert state.table is not None
    assert state.deck is not None
    dealt = frozenset(position for held in state.table.hands for position in held)
    return replace(state, deck=replace(state.deck, settled=dealt))


def _with_shares(state: State, entries: tuple[Entry, ...]) -> State:
    """The state with the shares of a step taken off their positions."""
    deck = state.deck
    assert deck is not None
    tokens: dict[Position, list[bytes]] = {}
    for entry in sorted(entries, key=lambda each: each.seat):
        positions = positions_shared(state, entry.seat)
        given = decode_tokens(said(entry, Shares).tokens, len(positions))
        for position, token in zip(positions, given, strict=True):
            tokens.setdefault(position, []).append(token)
    opened = {
        position: residual(deck.residuals.get(position, deck.masked[position]), shares)
        for position, shares in tokens.items()
    }
    return replace(state, deck=replace(deck, residuals={**deck.residuals, **opened}))


def _turn_up(state: State) -> Completed:
    """Tiles that were waited for are turned up, or looked at: a move that nobody has to decide."""
    table, deck, history = state.table, state.deck, list(state.history)
    assert table is not None
    assert deck is not None
    assert state.spec is not None
    tiles, keepers, notices = dict(deck.tiles), dict(deck.keepers), list[Played]()
    by_point = tiles_by_point(state)
    for seat, position, for_all in turned_now(table):
        if for_all:
            point = deck.residuals[position].B
            assert point in by_point, "a proved shuffle holds nothing but tiles"
            tiles[position] = by_point[point]
        else:
            keepers[position] = seat
        move = TurnUp(seat, position, tiles[position] if for_all else None)
        history.append((table, move))
        table, events = apply(table, move)
        notices.append(Played(seat, events))
    deck = replace(deck, tiles=tiles, keepers=keepers)
    moved = replace(state, table=table, deck=deck, history=tuple(history))
    return moved, tuple(notices)


def go_on(state: State, *, turn_over: bool = False, called: bool = False) -> State:
    """What is due after a move or its shares: more shares, calls, a turn, the end, a deal anew.

    `called` says that the step in which all may call has been.
    """
    table = state.table
    assert table is not None
    if table.phase is TablePhase.RESHUFFLE:
        return _reshuffle(state)
    if _unshared(state):
        return replace(state, phase=Phase.DRAWN)
    if _opening_to_seal(table):
        return replace(state, phase=Phase.OPENING_COMMIT, sealed=None)
    if turn_over and not called and calls_due(table):
        return replace(state, phase=Phase.CALLS)
    if turn_over and hands_to_mix(state):
        return replace(state, phase=Phase.MIX_HAND)
    if table.outcome is not None and table.outcome.ending is Ending.REDEAL:
        return replace(
            state, phase=Phase.DEAL, interlude=False, deal=new_deal(state, table.round_number)
        )
    if table.phase is not TablePhase.OVER:
        waits = state.deal is not None and state.deal.phase is not DealPhase.READY
        return replace(state, phase=Phase.PLAY, interlude=turn_over and waits)
    return replace(state, phase=Phase.OPEN)


# ---- tiles that go back -------------------------------------------------------------------


def _reshuffle(state: State) -> State:
    """Tiles go back into the boneyard; one out of a hand is handed over to the joint key first."""
    assert state.table is not None
    going_back = state.table.reshuffle
    assert going_back is not None
    if going_back.hidden:
        return replace(state, phase=Phase.HAND_OVER, interlude=False)
    return _mixing(state, ())


def told_of_shuffle(table: Table) -> tuple[Notice, ...]:
    """What there is to tell where tiles now go back into the boneyard."""
    going_back = table.reshuffle
    if going_back is None:
        return ()
    drew_for_first = table.aside.seek is None and not going_back.rebuild
    return (Reshuffled(table.aside.lead if drew_for_first else None),)


def givers(state: State) -> tuple[int, ...]:
    """The seats whose tile goes back unseen."""
    assert state.table is not None
    going_back = state.table.reshuffle
    assert going_back is not None
    return tuple(sorted(seat for seat, _ in going_back.hidden))


def position_given(state: State, seat: int) -> Position:
    """The position that `seat` has to hand over in the step now due."""
    assert state.table is not None
    going_back = state.table.reshuffle
    assert going_back is not None
    return next(position for giver, position in going_back.hidden if giver == seat)


def check_hand_over(state: State, entry: Entry, payload: HandOver) -> Finding | Judging:
    """The tile under the joint key is the one that lay at the position."""
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    try:
        over = decode_hand_over(payload.over)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"handed a tile over in a malformed way: {problem}")
    left = deck.residuals[position_given(state, entry.seat)]
    context = context_at(state, table.round_number, "hand-over", entry.seat)
    key = deck.keys[entry.seat]

    def run(_: Entropy) -> Finding | None:
        if verify_hand_over(key, context, deck.joint, left, over.masked, over.proof):
            return None
        return Finding(CheckCode.PROOF, "handed over another tile than the one that goes back")

    return Judging(run)


def complete_hand_over(state: State, entries: tuple[Entry, ...]) -> Completed:
    """What goes back lies under the joint key; all seats mix it with what nobody drew."""
    handed = tuple(
        decode_hand_over(payload.over).masked for payload in payloads_of(entries, HandOver)
    )
    return _mixing(state, handed), ()


def _mixing(state: State, handed: tuple[Masked, ...]) -> State:
    """A new chain is due, over all that is face down; a deal of the next round begins anew."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    going_back = table.reshuffle
    assert going_back is not None
    undrawn = [deck.masked[position] for position in going_back.undrawn]
    mixed = mixed_deck(undrawn, [tile for _, tile in going_back.shown], handed)
    deal = mix_again(state, deck, mixed)
    moved = replace(state, phase=Phase.DEAL, interlude=False, deal=deal)
    return moved if mixed else resume_reshuffled(moved)


def resume_reshuffled(state: State) -> State:
    """The new boneyard is mixed: its positions count on, those of the old one are dead."""
    table, deck, deal = state.table, state.deck, state.deal
    assert table is not None
    assert deck is not None
    assert deal is not None
    first = deck.next_position
    masked = {Position(first + at): each for at, each in enumerate(deal.decks[-1])}
    after = reshuffled(table, tuple(masked))
    moved = replace(state, table=after, deck=with_chain(deck, deal, masked), deal=None)
    if any(position in masked for held in after.hands for position in held):
        return replace(moved, phase=Phase.SHARES)
    return go_on(with_next_deal(moved))


def _opening_to_seal(table: Table) -> bool:
    """Whether all are to lay their openings at once, and nobody has shown anything of it."""
    aside = table.aside
    return table.phase is TablePhase.OPENING_ALL and not (aside.finished or aside.drew)


def with_next_deal(state: State) -> State:
    """From the first turn of a round on, the deal of the next stands between the turns."""
    assert state.table is not None
    assert state.spec is not None
    following = state.table.round_number + 1
    if following >= state.spec.rounds:
        return state
    return replace(state, deal=new_deal(state, following))


# ---- the end of a round -------------------------------------------------------------------


def check_open(state: State, entry: Entry, payload: Open) -> Finding | Judging | None:
    """Every tile still held, opened by its holder's token."""
    assert state.table is not None
    positions = tuple(sorted(state.table.hands[entry.seat]))
    if len(payload.tiles) != len(positions):
        return Finding(CheckCode.SHAPE, "opened more or fewer tiles than it holds")
    if positions:
        return _check_opened(state, entry, payload, positions)
    if payload.tokens or payload.proof:
        return Finding(CheckCode.SHAPE, "sent shares for an empty hand")
    return None


def _check_opened(
    state: State, entry: Entry, payload: Open, positions: tuple[Position, ...]
) -> Finding | Judging:
    deck, table = state.deck, state.table
    assert deck is not None
    assert table is not None
    try:
        tokens = decode_tokens(payload.tokens, len(positions))
        proof = decode_reveal_proof(payload.proof)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"opened its hand in a malformed way: {problem}")
    context = context_at(state, table.round_number, "open", entry.seat)
    residuals = tuple(deck.residuals[position] for position in positions)
    points = [tile_point(make_tile(*pips)) for pips in payload.tiles]
    key = deck.keys[entry.seat]

    def run(_: Entropy) -> Finding | None:
        masked = [each.A for each in residuals]
        if not verify_reveal(key, context, positions, masked, tokens, proof):
            return Finding(CheckCode.PROOF, "opened its hand with a share that is not of its key")
        if [unmask(each, token) for each, token in zip(residuals, tokens, strict=True)] != points:
            return Finding(CheckCode.PROOF, "opened its hand as tiles that it does not hold")
        return None

    return Judging(run)


def complete_open(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All hands lie open: score the round, and replay it with every tile known."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None

    def opened(entry: Entry) -> tuple[Tile, ...]:
        return tuple(make_tile(*pips) for pips in said(entry, Open).tiles)

    nothing: tuple[Tile, ...] = ()
    hands = by_seat(entries, len(state.seats), opened, nothing)
    tiles = dict(deck.tiles)
    for held, shown in zip(table.hands, hands, strict=True):
        tiles.update(zip(sorted(held), shown, strict=True))
    scored, events = score_round(table, hands)
    moved = replace(
        state,
        phase=Phase.SCORE,
        table=scored,
        deck=replace(deck, tiles=tiles),
        scored=events,
    )
    return judged_again(moved), ()


def scores_to_sign(state: State) -> tuple[int, ...]:
    """The scores of the round just over, in seat order; none of a round that was called off."""
    assert state.table is not None
    assert state.table.outcome is not None
    return () if state.table.outcome.ending in CALLED_OFF else tuple(state.table.past[-1])


def check_round_over(state: State, entry: Entry, payload: RoundOverEntry) -> Finding | None:
    """Every seat signs the scores that the open hands give."""
    if payload.scores != scores_to_sign(state):
        return Finding(CheckCode.SHAPE, "signed scores that the open hands do not give")
    return check_latecomers(state, entry.seat, payload)


def complete_round_over(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All have signed the scores: lay the keys open, if this table does, or go on."""
    signed = with_latecomers(state, entries)
    shows_keys = options_of(state.settings).audit is not Audit.HANDS and scores_to_sign(state)
    if shows_keys and _all_keys_are_here(state):
        return replace(signed, phase=Phase.AUDIT), ()
    return after_round(signed)


def with_latecomers(state: State, entries: tuple[Entry, ...]) -> State:
    """The state that knows who sits down when this round is done, as its scores say.

    Who asks from now on asks for a seat with the scores of the next.
    """
    coming = (each for entry in entries for each in said(entry, RoundOverEntry).latecomers)
    return replace(state, coming=tuple(coming), seating_since=state.step + 1)


def _all_keys_are_here(state: State) -> bool:
    """Whether nobody whose key is in this deck has left: without that key nothing opens."""
    assert state.deck is not None
    return all(seat in state.present for seat, key in enumerate(state.deck.keys) if key)


def complete_keys(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All keys lie open: judge the round once more, and go on."""
    return after_round(audit_with_keys(state, entries))


def after_round(state: State) -> Completed:
    """On to what is left of the next deal, or to the end."""
    assert state.table is not None
    assert state.spec is not None
    is_last = rounds_are_over(state.spec, state.table.past)
    alone = len(state.present) == 1
    if is_last or (alone and not state.coming):
        return replace(state, phase=Phase.OVER), (GameOver(_with_winners(state)),)
    if state.coming:
        return seat_latecomers(state), (RoundOver(_without_winners(state)),)
    moved = replace(state, phase=Phase.DEAL)
    assert moved.deal is not None
    if moved.deal.phase is DealPhase.READY:
        moved = begin_round(moved)
    return moved, (RoundOver(state.scored),)


def _without_winners(state: State) -> tuple[Event, ...]:
    return tuple(event for event in state.scored if not isinstance(event, GameEnded))


def _with_winners(state: State) -> tuple[Event, ...]:
    """What the last round came to, and who has won: of those who are still there."""
    assert state.table is not None
    return (*_without_winners(state), GameEnded(winners(state.table)))
