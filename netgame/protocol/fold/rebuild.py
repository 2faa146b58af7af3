"""The deck rebuilt without the keys of seats that left [protocol.md §4.7, §5.10]."""

from dataclasses import replace

from engine.play.judge import unseen_tiles
from engine.play.leavers import leave, rebuilt
from engine.table.moves import DrawTile
from engine.table.table import RoundPhase, Table
from engine.table.trains import Position
from netgame.crypto.blanks import blinded_deck, decode_blinding, find_blanks, verify_blinding
from netgame.crypto.group import Entropy, decode_points
from netgame.crypto.keys import joint_key
from netgame.crypto.rebuild import RebuildStatement, decode_rebuild, rebuilt_deck, verify_rebuild
from netgame.protocol.fold import phases
from netgame.protocol.fold.claims import Shared, share_claims
from netgame.protocol.fold.deal import (
    as_seats,
    context_at,
    mix_again,
    void_round_of,
    with_next_deal,
)
from netgame.protocol.fold.deck import with_chain
from netgame.protocol.fold.play import go_on, told_of_shuffle
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import Entry, payloads_of, said
from netgame.protocol.log.fault import Claim, Judging
from netgame.protocol.notices import Played
from netgame.wire.messages import Blind, Rebuild, Unblind


def begin_rebuild(state: State, round_: phases.Round, seats: frozenset[int]) -> Completed:
    """Every seat that stays owes its part of a new deck; a draw without its shares never was."""
    joint = joint_key([round_.deck.keys[seat] for seat in state.present])
    if joint is None:  # keys chosen together so that these add up to O: start afresh
        return state.at(void_round_of(state, round_)), ()
    table, history = _without_blind_draw(round_)
    table, deck = leave(table, as_seats(seats)), replace(round_.deck, joint=joint)
    moved = phases.Round(table, deck, history)
    if table.phase is RoundPhase.OVER:
        return state.at(phases.OpeningHands(moved)), ()
    return state.at(phases.Rebuilding(moved)), told_of_shuffle(table)


def _without_blind_draw(round_: phases.Round) -> tuple[Table, phases.History]:
    """Table and moves as if what nobody can open had not been drawn."""
    table, history, known = round_.table, round_.history, round_.deck.residuals
    blind = {p for held in table.hands for p in held if p not in known}
    if blind and history and isinstance(history[-1][1], DrawTile):
        table, history = history[-1][0], history[:-1]
        blind = {p for held in table.hands for p in held if p not in known}
    hands = tuple(tuple(p for p in held if p not in blind) for held in table.hands)
    return table._replace(hands=hands, boneyard=(*sorted(blind), *table.boneyard)), history


def rebuild_statement(state: State, round_: phases.Round, seat: int) -> RebuildStatement:
    """What a seat's part of the new deck is held to: it withholds all it holds and nothing else."""
    table, deck = round_.table, round_.deck
    positions = tuple(sorted(table.hands[seat]))
    return RebuildStatement(
        ctx=context_at(state, table.round_number, "rebuild", seat),
        joint=deck.joint,
        key=deck.keys[seat],
        positions=positions,
        residuals=tuple(deck.residuals[position] for position in positions),
        tiles=unseen_tiles(table),
    )


def check_rebuild(state: State, now: phases.Rebuilding, entry: Entry, payload: Rebuild) -> Judging:
    """The part withholds exactly the hand of its seat."""
    statement = rebuild_statement(state, now.round, entry.seat)
    contribution = decode_rebuild(payload.contribution, len(statement.tiles))

    def holds(_: Entropy) -> bool:
        return verify_rebuild(statement, contribution)

    return Judging(Claim(holds, "withheld other tiles from the new deck than it holds"))


def complete_rebuild(state: State, now: phases.Rebuilding, entries: tuple[Entry, ...]) -> Completed:
    """The new deck is the sum of all parts; those who stay mix it."""
    tiles = unseen_tiles(now.round.table)
    parts = [
        decode_rebuild(payload.contribution, len(tiles)).entries
        for payload in payloads_of(entries, Rebuild)
    ]
    deal = mix_again(state, now.round, rebuilt_deck(tiles, parts))
    return state.at(phases.MixingRebuilt(now.round, deal)), ()


def check_blind(state: State, now: phases.BlindingRebuilt, entry: Entry, payload: Blind) -> Judging:
    """One factor for every entry of the new deck, known to its seat."""
    deck = now.deal.decks[-1]
    context = context_at(state, now.deal.round_number, "blind", entry.seat)
    blinding = decode_blinding(payload.blinding, len(deck))

    def holds(_: Entropy) -> bool:
        return verify_blinding(context, deck, blinding)

    return Judging(Claim(holds, "blinded the new deck with more than one factor"))


def complete_blind(
    state: State, now: phases.BlindingRebuilt, entries: tuple[Entry, ...]
) -> Completed:
    """Shares of the blinded deck are due; a sum of O, which is chance, is blinded once more."""
    size = len(now.deal.decks[-1])
    parts = [decode_blinding(each.blinding, size).entries for each in payloads_of(entries, Blind)]
    blinded = blinded_deck(parts)
    if blinded is None:
        return state, ()
    return state.at(phases.FindingBlanks(now.round, now.deal, blinded)), ()


def check_unblind(
    state: State, now: phases.FindingBlanks, entry: Entry, payload: Unblind
) -> Judging:
    """One good token for every entry of the blinded deck."""
    context = context_at(state, now.deal.round_number, "unblind", entry.seat)
    places = tuple(map(Position, range(len(now.blinded))))
    shared = Shared(now.round.deck.keys[entry.seat], context, places, now.blinded)
    says = "sent a share of the blinded deck that is not of its key"
    return Judging(*share_claims(shared, payload.tokens, payload.proof, says))


def complete_unblind(
    state: State, now: phases.FindingBlanks, entries: tuple[Entry, ...]
) -> Completed:
    """What nobody holds is the new boneyard; if the count is wrong, the round is dealt again."""
    round_, deal, blinded = now.round, now.deal, now.blinded
    tokens = [decode_points(said(entry, Unblind).tokens, len(blinded)) for entry in entries]
    held = sum(len(hand) for hand in round_.table.hands)
    blanks = find_blanks(blinded, tokens, held)
    if blanks is None:
        return state.at(void_round_of(state, round_)), ()
    first, places = round_.deck.next_position, set(blanks)
    made = deal.decks[-1]
    masked = {Position(first + at): each for at, each in enumerate(made) if at not in places}
    table, events = rebuilt(round_.table, tuple(masked))
    moved = replace(round_, table=table, deck=with_chain(round_.deck, deal, masked))
    return state.at(go_on(state, with_next_deal(state, moved))), (Played(table.to_move, events),)
