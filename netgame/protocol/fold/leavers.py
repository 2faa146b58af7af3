"""Going on without seats that have left for good [protocol.md §4.7, §5.10].

What a step lacks of them is given up when all others say so. Then either the deck is rebuilt
without their keys, in four stages, and the round goes on, or it is dealt again; before the seats
are drawn, the roster is signed anew.

    REBUILD -> DEAL (the new chain) -> BLIND -> UNBLIND -> the round goes on
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from engine.play.leavers import leave, void_round
from engine.table.rounds import next_round_number, start_game
from engine.table.table import RoundPhase as TablePhase
from engine.table.table import Table
from engine.table.trains import Seat
from netgame.protocol.fold import lobby, play
from netgame.protocol.fold.deal_again import as_seats, deal_again, void_round_of, with_new_deal
from netgame.protocol.fold.latecomers import seat_latecomers, without_lost_newcomers
from netgame.protocol.fold.options import LeaverRule, options_of
from netgame.protocol.fold.rebuild import begin_rebuild
from netgame.protocol.fold.state import Completed, Phase, State
from netgame.protocol.log.entry import Entry, is_leave, read_mask, step_digest
from netgame.protocol.notices import SeatsLeft
from netgame.wire.messages import Leave, Missing

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
        table = state.table and leave(state.table, as_seats(seats))
        return lobby.form_again(replace(state, table=table))
    if state.table is None:
        return deal_again(replace(state, table=_first_table(state, seats)), 0), ()
    if state.table.phase in (TablePhase.SCORED, TablePhase.FINISHED):
        return _between_rounds(state, leave(state.table, as_seats(seats)), kept)
    if state.phase is Phase.OPEN:
        left = replace(state, table=leave(state.table, as_seats(seats)))
        return play.complete_open(with_new_deal(left, state.table.round_number + 1), kept)
    rebuilding = state.phase is Phase.REBUILD or state.blinded is not None
    in_play = state.phase in _IN_PLAY and state.table.phase is TablePhase.PLAY
    if rebuilding or (in_play and options_of(state.settings).leaver is LeaverRule.REBUILD):
        moved = begin_rebuild(state, seats)
        assert moved.table is not None
        return moved, play.told_of_shuffle(moved.table)
    return void_round_of(state), ()


def _seat_the_rest(state: State) -> Completed:
    """Some newcomers are lost: the others are seated anew, or the next round is dealt as it was."""
    assert state.table is not None
    if state.coming:
        return seat_latecomers(state), ()
    return deal_again(state, next_round_number(state.table)), ()


def _first_table(state: State, seats: frozenset[int]) -> Table:
    """The table of a first round whose deal has come to nothing."""
    assert state.spec is not None
    table = void_round(start_game(state.spec, Seat(state.first)), as_seats(seats))
    return table._replace(aside=table.aside._replace(forfeits=()))  # nothing was dealt yet


def _between_rounds(state: State, table: Table, kept: tuple[Entry, ...]) -> Completed:
    """A round is scored: on to the next deal, in which the leavers have no part."""
    moved = replace(state, table=table)
    if state.phase is Phase.SCORE:
        moved = play.with_latecomers(moved, kept)
    if state.phase in (Phase.SCORE, Phase.AUDIT):
        return play.after_round(with_new_deal(moved, table.round_number + 1))
    assert state.deal is not None
    return deal_again(moved, state.deal.round_number), ()


# ---- the deck rebuilt -----------------------------------------------------------------------
