"""Going on without seats that have left for good [protocol.md §4.7, §5.10].

What a step lacks of them is given up when all others say so. Then either the deck is rebuilt
without their keys, in four stages, and the round goes on, or it is dealt again; before the seats
are drawn, the roster is signed anew.

    REBUILD -> DEAL (the new chain) -> BLIND -> UNBLIND -> the round goes on
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.play.leavers import leave, rebuilt, void_round
from engine.play.legality import unseen_tiles
from engine.table.moves import DrawTile
from engine.table.table import RoundPhase as TablePhase
from engine.table.table import next_round_number, start_game
from engine.table.trains import Position, Seat
from netgame.crypto.blanks import (
    blinded_deck,
    decode_blinding,
    find_blanks,
    verify_blinding,
)
from netgame.crypto.keys import joint_key
from netgame.crypto.proofs import decode_reveal_proof, decode_tokens, verify_reveal
from netgame.crypto.rebuild import (
    RebuildStatement,
    decode_rebuild,
    rebuilt_deck,
    verify_rebuild,
)
from netgame.errors import Malformed
from netgame.protocol.fold import lobby, play
from netgame.protocol.fold.deal import context_at, mix_again, new_deal, with_chain
from netgame.protocol.fold.latecomers import seat_latecomers, without_lost_newcomers
from netgame.protocol.fold.options import LeaverRule, options_of
from netgame.protocol.fold.state import Phase, State
from netgame.protocol.log.entry import Entry, is_leave, payloads_of, read_mask, said, step_digest
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.protocol.notices import Played, SeatsLeft
from netgame.wire.messages import Blind, Leave, Missing, Rebuild, Unblind

if TYPE_CHECKING:
    from engine.table.moves import Move
    from engine.table.table import Table
    from netgame.crypto.group import Entropy
    from netgame.protocol.notices import Notice

__all__ = [
    "Poll",
    "are_outvoted",
    "begin_blinding",
    "check_blind",
    "check_rebuild",
    "check_unblind",
    "complete_blind",
    "complete_rebuild",
    "complete_unblind",
    "complete_without",
    "is_word",
    "may_leave_unplayed",
    "may_say_missing",
    "newcomers",
    "poll_of",
    "rebuild_statement",
]

Completed = tuple[State, tuple["Notice", ...]]

_FORMING: Final = (Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL)
_IN_PLAY: Final = (Phase.PLAY, Phase.DRAWN, Phase.CALLS, Phase.MIX_HAND)


class Poll(NamedTuple):
    """All that decides what may be said, in one step, of who is missing.

    `present` are the seats that can say so and be said to be, `counted` those of them that can
    outvote others, `keys` those of all seats; `since` is, by key, the step from which on a word of
    leaving counts, where that is not the first roster's; `in_turn` says whether a turn is due.
    """

    step: int
    table_id: bytes
    present: frozenset[int]
    counted: frozenset[int]
    keys: tuple[bytes, ...]
    roster_step: int
    since: tuple[tuple[bytes, int], ...]
    in_turn: bool


def poll_of(state: State) -> Poll:
    """What the due step has to do with who is missing; in the lobby and at the end nobody is."""
    here = () if state.phase in (Phase.LOBBY, Phase.OVER) else state.present
    return Poll(
        step=state.step,
        table_id=state.table_id,
        present=frozenset(here),
        counted=frozenset(here) - state.newcomers,
        keys=tuple(member.key for member in state.seats) or state.roster,
        roster_step=state.roster_step,
        since=state.sat_down,
        in_turn=state.phase in (Phase.PLAY, Phase.CALLS) and not state.interlude,
    )


def may_say_missing(poll: Poll, seat: int, payload: Missing) -> bool:
    """Whether `seat` can say that these are missing in the step of `poll`.

    Only who stays gives others up who are there. Half a table, or less, gives up nobody but seats
    that have all given their word to write nothing more.
    """
    present, seats = poll.present, read_mask(payload.seats)
    if not seats or seat not in present - seats or not _is_of_its_ballot(payload):
        return False
    if payload.unplayed and not may_leave_unplayed(poll, seats):
        return False
    if not seats <= present or are_outvoted(poll, seats) == bool(payload.leaves):
        return False
    return not payload.leaves or _have_left(poll, seats, payload.leaves)


def _is_of_its_ballot(payload: Missing) -> bool:
    """Whether it is of a ballot in which it can be said: nobody closes whole in the first."""
    if payload.whole:
        return payload.ballot > 0 and not payload.unplayed
    return not payload.unplayed or payload.ballot == 0


def are_outvoted(poll: Poll, seats: frozenset[int]) -> bool:
    """Whether more than half of those who are there would stay without these.

    Newcomers count for nothing before they have thrown the coin: nobody outvotes a table with keys.
    """
    return 2 * len(seats & poll.counted) < len(poll.counted)


def newcomers(state: State) -> frozenset[int]:
    """Who has yet to sign for the first time, while the table forms: all but the host at first."""
    if state.phase not in _FORMING:
        return frozenset()
    first = frozenset() if state.seats else frozenset(state.present) - {state.seat_of(state.host)}
    return state.newcomers | first


def may_leave_unplayed(poll: Poll, seats: frozenset[int]) -> bool:
    """Whether a turn need not be played, as one seat would stay at a table that all others left."""
    return poll.in_turn and len(poll.present) - len(seats) == 1


def _have_left(poll: Poll, seats: frozenset[int], leaves: tuple[Leave, ...]) -> bool:
    """Whether each of these seats, in their order, has given its word."""
    keys = [poll.keys[seat] for seat in sorted(seats)]
    return len(leaves) == len(keys) and all(
        is_word(poll, key, leave) for key, leave in zip(keys, leaves, strict=True)
    )


def is_word(poll: Poll, key: bytes, leave: Leave) -> bool:
    """Whether `key` has given its word, since it sat down, to write nothing in that step."""
    since = dict(poll.since).get(key, poll.roster_step)
    return since <= leave.step <= poll.step and is_leave(leave, key, poll.table_id)


def complete_without(
    state: State, kept: tuple[Entry, ...], entries: tuple[Entry, ...], seats: frozenset[int]
) -> Completed:
    """The state after the due step was closed without `seats`, who have left for good.

    `kept` are the entries that count, `entries` these and what was said of the missing ones.
    """
    names = tuple(state.name_of(seat) for seat in sorted(seats))
    left = replace(state, gone=state.gone | seats, late=None)
    moved, notices = _go_on_without(left, kept, seats)
    head = step_digest(state.head, entries)
    return replace(moved, step=state.step + 1, head=head), (SeatsLeft(names), *notices)


def _go_on_without(state: State, kept: tuple[Entry, ...], seats: frozenset[int]) -> Completed:
    if state.phase in _FORMING and seats & state.newcomers:
        return _seat_the_rest(without_lost_newcomers(state))
    if state.phase in _FORMING:
        table = state.table and leave(state.table, _seats(seats))
        return lobby.form_again(replace(state, table=table))
    if state.table is None:
        return _deal_again(replace(state, table=_first_table(state, seats)), 0), ()
    if state.table.phase in (TablePhase.SCORED, TablePhase.FINISHED):
        return _between_rounds(state, leave(state.table, _seats(seats)), kept)
    if state.phase is Phase.OPEN:
        left = replace(state, table=leave(state.table, _seats(seats)))
        return play.complete_open(_with_new_deal(left, state.table.round_number + 1), kept)
    rebuilding = state.phase is Phase.REBUILD or state.blinded is not None
    in_play = state.phase in _IN_PLAY and state.table.phase is TablePhase.PLAY
    if rebuilding or (in_play and options_of(state.settings).leaver is LeaverRule.REBUILD):
        moved = _begin_rebuild(state, seats)
        assert moved.table is not None
        return moved, play.told_of_shuffle(moved.table)
    return _void(state), ()


def _seat_the_rest(state: State) -> Completed:
    """Some newcomers are lost: the others are seated anew, or the next round is dealt as it was."""
    assert state.table is not None
    if state.coming:
        return seat_latecomers(state), ()
    return _deal_again(state, next_round_number(state.table)), ()


def _first_table(state: State, seats: frozenset[int]) -> Table:
    """The table of a first round whose deal has come to nothing."""
    assert state.spec is not None
    table = void_round(start_game(state.spec, Seat(state.first)), _seats(seats))
    return table._replace(aside=table.aside._replace(forfeits=()))  # nothing was dealt yet


def _between_rounds(state: State, table: Table, kept: tuple[Entry, ...]) -> Completed:
    """A round is scored: on to the next deal, in which the leavers have no part."""
    moved = replace(state, table=table)
    if state.phase is Phase.SCORE:
        moved = play.with_latecomers(moved, kept)
    if state.phase in (Phase.SCORE, Phase.AUDIT):
        return play.after_round(_with_new_deal(moved, table.round_number + 1))
    assert state.deal is not None
    return _deal_again(moved, state.deal.round_number), ()


def _deal_again(state: State, number: int) -> State:
    """The deal begins anew; who is alone signs how it stands, and may seat who has come."""
    if len(state.present) == 1:
        return replace(state, phase=Phase.SCORE, deal=None, interlude=False, sealed=None, scored=())
    return replace(_with_new_deal(state, number), phase=Phase.DEAL)


def _seats(seats: frozenset[int]) -> frozenset[Seat]:
    return frozenset(map(Seat, seats))


def _with_new_deal(state: State, number: int) -> State:
    """A deal in which the leavers had a part is thrown away."""
    assert state.spec is not None
    deal = new_deal(state, number) if number < state.spec.rounds else None
    return replace(state, deal=deal, interlude=False, sealed=None)


def _void(state: State) -> State:
    """Nobody scores; the round is dealt again among those who stay."""
    assert state.table is not None
    table = void_round(state.table, _seats(state.gone))
    return _deal_again(replace(state, table=table, blinded=None), table.round_number)


# ---- the deck rebuilt -----------------------------------------------------------------------


def _begin_rebuild(state: State, seats: frozenset[int]) -> State:
    """Every seat that stays owes its part of a new deck; a draw without its shares never was."""
    assert state.deck is not None
    table, history = _without_blind_draw(state)
    table = leave(table, _seats(seats))
    keys = [state.deck.keys[seat] for seat in state.present]
    joint = joint_key(keys)
    if joint is None:  # keys chosen together so that these add up to O: start afresh
        return _void(state)
    deck = replace(state.deck, joint=joint)
    moved = replace(state, table=table, deck=deck, history=history, deal=None, interlude=False)
    if table.phase is TablePhase.OVER:
        return replace(moved, phase=Phase.OPEN)
    return replace(moved, phase=Phase.REBUILD)


def _without_blind_draw(state: State) -> tuple[Table, tuple[tuple[Table, Move], ...]]:
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
        return _void(state), ()
    first, places = deck.next_position, set(blanks)
    made = deal.decks[-1]
    masked = {Position(first + at): each for at, each in enumerate(made) if at not in places}
    after, events = rebuilt(table, tuple(masked))
    deck = with_chain(deck, deal, masked)
    moved = replace(state, table=after, deck=deck, deal=None, blinded=None)
    return play.go_on(play.with_next_deal(moved)), (Played(after.to_move, events),)
