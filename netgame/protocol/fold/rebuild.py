"""The deck rebuilt without the keys of seats that left [protocol.md §4.7, §5.10]."""

from __future__ import annotations

from dataclasses import replace

from engine.play.leavers import leave, rebuilt
from engine.play.legality import unseen_tiles
from engine.table.moves import DrawTile, Move
from engine.table.table import RoundPhase as TablePhase
from engine.table.table import Table
from engine.table.trains import Position
from netgame.crypto.blanks import (
    blinded_deck,
    decode_blinding,
    find_blanks,
    verify_blinding,
)
from netgame.crypto.group import Entropy
from netgame.crypto.keys import joint_key
from netgame.crypto.proofs import decode_reveal_proof, decode_tokens, verify_reveal
from netgame.crypto.rebuild import (
    RebuildStatement,
    decode_rebuild,
    rebuilt_deck,
    verify_rebuild,
)
from netgame.errors import Malformed
from netgame.protocol.fold import play
from netgame.protocol.fold.deal import context_at, mix_again, with_chain
from netgame.protocol.fold.deal_again import as_seats, void_round_of
from netgame.protocol.fold.state import Completed, Phase, State
from netgame.protocol.log.entry import Entry, payloads_of, said
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.protocol.notices import Played
from netgame.wire.messages import Blind, Rebuild, Unblind


def begin_rebuild(state: State, seats: frozenset[int]) -> State:
    """Every seat that stays owes its part of a new deck; a draw without its shares never was."""
    assert state.deck is not None
    table, history = without_blind_draw(state)
    table = leave(table, as_seats(seats))
    keys = [state.deck.keys[seat] for seat in state.present]
    joint = joint_key(keys)
    if joint is None:  # keys chosen together so that these add up to O: start afresh
        return void_round_of(state)
    deck = replace(state.deck, joint=joint)
    moved = replace(state, table=table, deck=deck, history=history, deal=None, interlude=False)
    if table.phase is TablePhase.OVER:
        return replace(moved, phase=Phase.OPEN)
    return replace(moved, phase=Phase.REBUILD)


def without_blind_draw(state: State) -> tuple[Table, tuple[tuple[Table, Move], ...]]:
    """The table as if what nobody can open had not been drawn."""
    table, deck, history = state.table, state.deck, state.history
    assert table is not None
    assert deck is not None
    blind = {p for held in table.hands for p in held if p not in deck.residuals}
    if blind and history and isinstance(history[-1][1], DrawTile):
        table, history = history[-1][0], history[:-1]
        blind = {p for held in table.hands for p in held if p not in deck.residuals}
    hands = tuple(tuple(p for p in held if p not in blind) for held in table.hands)
    boneyard = (*sorted(blind), *table.boneyard)
    return table._replace(hands=hands, boneyard=boneyard), history


def rebuild_statement(state: State, seat: int) -> RebuildStatement:
    """What a seat's part of the new deck is held to: it withholds all it holds and nothing else."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    positions = tuple(sorted(table.hands[seat]))
    return RebuildStatement(
        ctx=context_at(state, table.round_number, "rebuild", seat),
        joint=deck.joint,
        key=deck.keys[seat],
        positions=positions,
        residuals=tuple(deck.residuals[position] for position in positions),
        tiles=unseen_tiles(table),
    )


def check_rebuild(state: State, entry: Entry, payload: Rebuild) -> Finding | Judging:
    """The part withholds exactly the hand of its seat."""
    statement = rebuild_statement(state, entry.seat)
    try:
        contribution = decode_rebuild(payload.contribution, len(statement.tiles))
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"sent a malformed part of the new deck: {problem}")

    def run(_: Entropy) -> Finding | None:
        if verify_rebuild(statement, contribution):
            return None
        return Finding(CheckCode.PROOF, "withheld other tiles from the new deck than it holds")

    return Judging(run)


def complete_rebuild(state: State, entries: tuple[Entry, ...]) -> Completed:
    """The new deck is the sum of all parts; those who stay mix it."""
    table, deck = state.table, state.deck
    assert table is not None
    assert deck is not None
    tiles = unseen_tiles(table)
    parts = [
        decode_rebuild(payload.contribution, len(tiles)).entries
        for payload in payloads_of(entries, Rebuild)
    ]
    deal = mix_again(state, deck, rebuilt_deck(tiles, parts))
    return replace(state, phase=Phase.DEAL, deal=deal, blinded=()), ()


def begin_blinding(state: State) -> State:
    """The new chain is checked: find what is held in it, without opening anything."""
    return replace(state, phase=Phase.BLIND, blinded=())


def check_blind(state: State, entry: Entry, payload: Blind) -> Finding | Judging:
    """One factor for every entry of the new deck, known to its seat."""
    assert state.deal is not None
    assert state.table is not None
    deck = state.deal.decks[-1]
    context = context_at(state, state.table.round_number, "blind", entry.seat)
    try:
        blinding = decode_blinding(payload.blinding, len(deck))
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"blinded the new deck in a malformed way: {problem}")

    def run(_: Entropy) -> Finding | None:
        if verify_blinding(context, deck, blinding):
            return None
        return Finding(CheckCode.PROOF, "blinded the new deck with more than one factor")

    return Judging(run)


def complete_blind(state: State, entries: tuple[Entry, ...]) -> Completed:
    """Shares of the blinded deck are due; a sum of O, which is chance, is blinded once more."""
    assert state.deal is not None
    size = len(state.deal.decks[-1])
    parts = [decode_blinding(each.blinding, size).entries for each in payloads_of(entries, Blind)]
    blinded = blinded_deck(parts)
    if blinded is None:
        return begin_blinding(state), ()
    return replace(state, phase=Phase.UNBLIND, blinded=blinded), ()


def check_unblind(state: State, entry: Entry, payload: Unblind) -> Finding | Judging:
    """One good token for every entry of the blinded deck."""
    assert state.deck is not None
    assert state.table is not None
    assert state.blinded
    masked = [each.A for each in state.blinded]
    context = context_at(state, state.table.round_number, "unblind", entry.seat)
    key = state.deck.keys[entry.seat]
    try:
        tokens = decode_tokens(payload.tokens, len(masked))
        proof = decode_reveal_proof(payload.proof)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"sent malformed shares of the blinded deck: {problem}")

    def run(_: Entropy) -> Finding | None:
        if verify_reveal(key, context, range(len(masked)), masked, tokens, proof):
            return None
        return Finding(CheckCode.PROOF, "sent a share of the blinded deck that is not of its key")

    return Judging(run)


def complete_unblind(state: State, entries: tuple[Entry, ...]) -> Completed:
    """What nobody holds is the new boneyard; if the count is wrong, the round is dealt again."""
    table, deck, deal, blinded = state.table, state.deck, state.deal, state.blinded
    assert table is not None
    assert deck is not None
    assert deal is not None
    assert blinded
    tokens = [decode_tokens(said(entry, Unblind).tokens, len(blinded)) for entry in entries]
    held = sum(len(hand) for hand in table.hands)
    blanks = find_blanks(blinded, tokens, held)
    if blanks is None:
        return void_round_of(state), ()
    first, places = deck.next_position, set(blanks)
    made = deal.decks[-1]
    masked = {Position(first + at): each for at, each in enumerate(made) if at not in places}
    after, events = rebuilt(table, tuple(masked))
    deck = with_chain(deck, deal, masked)
    moved = replace(state, table=after, deck=deck, deal=None, blinded=None)
    return play.go_on(play.with_next_deal(moved)), (Played(after.to_move, events),)
