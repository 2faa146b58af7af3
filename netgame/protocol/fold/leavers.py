"""Going on without seats that have left for good [protocol.md §4.7, §5.10].

What a step lacks of them is given up when all others say so. Then either the deck is rebuilt
without their keys, in four stages, and the round goes on, or it is dealt again; before the seats
are drawn, the roster is signed anew.

    REBUILD -> DEAL (the new chain) -> BLIND -> UNBLIND -> the round goes on
"""

from dataclasses import replace
from typing import Final, NamedTuple

from engine.play.leavers import leave, void_round
from engine.table.rounds import start_game
from engine.table.table import RoundPhase, Table
from engine.table.trains import Seat
from netgame.protocol.fold import phases
from netgame.protocol.fold.deal import as_seats, deal_again, void_round_of
from netgame.protocol.fold.forming import form_again
from netgame.protocol.fold.latecomers import without_lost_newcomers
from netgame.protocol.fold.options import LeaverRule
from netgame.protocol.fold.rebuild import begin_rebuild
from netgame.protocol.fold.round_end import after_round, asked_to_sit, complete_open
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import Entry, is_leave, read_mask, step_digest
from netgame.protocol.notices import SeatsLeft
from netgame.wire.messages import Leave, Missing

_IN_PLAY: Final = (phases.Phase.PLAY, phases.Phase.DRAWN, phases.Phase.CALLS, phases.Phase.MIX_HAND)


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
    here = () if state.phase in (phases.Phase.LOBBY, phases.Phase.OVER) else state.present
    return Poll(
        step=state.step,
        table_id=state.table_id,
        present=frozenset(here),
        counted=frozenset(here) - state.newcomers,
        keys=tuple(member.key for member in state.seats) or state.roster,
        roster_step=state.roster_step,
        since=state.sat_down,
        in_turn=isinstance(
            state.now, phases.Playing | phases.ShowingOpenings | phases.HearingCalls
        ),
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
    match state.now:
        case phases.Forming(phases.FirstTable()):
            return frozenset(state.present) - {state.seat_of(state.host)}
        case _:
            return state.newcomers


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
    match state.now:
        case phases.Unopened() | phases.InLobby() | phases.Over():
            return state, ()  # nobody is missing there, as `poll_of` says
        case phases.Forming(of):
            if isinstance(of, phases.NewSeats) and seats & of.newcomers:
                return without_lost_newcomers(state, of.before), ()
            return form_again(state, of, seats)
        case phases.Dealing(since, deal):
            if isinstance(since, phases.FirstDeal):
                return state.at(deal_again(state, _first_standing(since, seats), 0)), ()
            return state.at(deal_again(state, _left(since, seats), deal.round_number)), ()
        case phases.Scoring(standing, events):
            signed, coming = asked_to_sit(state, kept)
            return after_round(signed, _left(standing, seats), events, coming)
        case phases.InRound():
            return _round_without(state, state.now, kept, seats)


def _round_without(
    state: State, now: phases.InRound, kept: tuple[Entry, ...], seats: frozenset[int]
) -> Completed:
    round_ = now.round
    if isinstance(now, phases.Auditing):
        standing = phases.Standing(round_.table, round_.deck, round_.history)
        return after_round(state, _left(standing, seats), now.events, now.coming)
    if isinstance(now, phases.OpeningHands):
        left = phases.Round(leave(round_.table, as_seats(seats)), round_.deck, round_.history)
        return complete_open(state, phases.OpeningHands(left), kept)
    if isinstance(now, phases.Rebuilt) or _is_rebuilt(state, round_.table):
        return begin_rebuild(state, round_, seats)
    return state.at(void_round_of(state, round_)), ()


def _left(standing: phases.Standing, seats: frozenset[int]) -> phases.Standing:
    return replace(standing, table=leave(standing.table, as_seats(seats)))


def _first_standing(since: phases.FirstDeal, seats: frozenset[int]) -> phases.Standing:
    """How the game stands when its first deal has come to nothing."""
    table = void_round(start_game(since.spec, Seat(since.first)), as_seats(seats))
    aside = table.aside._replace(forfeits=())  # nothing was dealt yet
    return phases.Standing(table._replace(aside=aside), None, ())


def _is_rebuilt(state: State, table: Table) -> bool:
    """Whether a round that has come so far goes on with a deck of those who stay."""
    in_play = state.phase in _IN_PLAY and table.phase is RoundPhase.PLAY
    return in_play and state.options.leaver is LeaverRule.REBUILD
