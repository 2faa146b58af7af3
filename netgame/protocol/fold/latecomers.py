"""Seats for who comes late: a new roster and a new session between two rounds [protocol.md §4.8].

The chair's signed scores carry the requests. When the round is done, who asked has a seat; all
sign the roster and throw the coin anew, and the next deal belongs to another session.

    SCORE (AUDIT) -> ROSTER -> COIN_COMMIT -> COIN_REVEAL -> DEAL
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.play.latecomers import with_seats
from engine.play.leavers import leave
from engine.rules.spec import TableSpec
from engine.rules.switches import Partners
from engine.scoring import rounds_are_over
from engine.table.rounds import next_round_number
from engine.table.table import RoundPhase as TablePhase
from engine.table.trains import Seat
from netgame.crypto.coin import seat_order
from netgame.errors import Malformed
from netgame.limits import LATECOMERS_MAX
from netgame.protocol.fold.lobby import STALE, is_for_now, member_of, read_request, spec_of
from netgame.protocol.fold.options import Latecomers, options_of
from netgame.protocol.fold.state import Phase, State
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.wire.messages import Admit, JoinRequest, RoundOver


def why_not_seated_later(state: State, request: JoinRequest) -> tuple[str, str] | None:
    """Code and sentence for who comes late and cannot sit down before the next round, or None.

    It is the table that decides, by the log alone: its options, its rules and its size.
    """
    if state.phase is Phase.OVER:
        return "over", "The game at this table is over, so there is no seat any more."
    if state.spec is None or state.settings is None or not state.seats:
        return "started", "The game at this table is just beginning; ask again in a moment."
    seat = state.seat_of(request.key)
    if seat is not None and seat not in state.gone:
        return "seated", "This key already has a seat at the table."
    if options_of(state.settings).latecomers is Latecomers.WATCH:
        return "watch", "At this table people who come late only watch."
    if state.spec.rules.partners is Partners.YES:
        return "pairs", "This table plays in pairs, so nobody sits down later."
    if not _another_round_follows(state):
        return "last-round", "This is the last round: you can watch, but there is no seat."
    if seat is None and not isinstance(_spec_with(state, 1), TableSpec):
        return "full", f"These rules allow no more than {len(state.seats)} seats here."
    return None


def _why_not_seated_now(state: State, request: JoinRequest) -> tuple[str, str] | None:
    """Code and sentence for a request by which the scores now due cannot seat anybody, or None."""
    if not is_for_now(state, request):
        return STALE, "The request was for the end of another round."
    return why_not_seated_later(state, request)


def _another_round_follows(state: State) -> bool:
    """Whether another round follows, before which somebody could sit down."""
    if state.spec is None:
        return True
    past = () if state.table is None else state.table.past
    return next_open_round(state) < state.spec.rounds and not rounds_are_over(state.spec, past)


def next_open_round(state: State) -> int:
    """The first round, counted from 0, that somebody who asks for a seat now can play.

    With the scores of a round are let in those who play the next; who asks while that is dealt is
    let in with its scores.
    """
    if state.table is None:
        return 1
    if state.table.phase not in (TablePhase.SCORED, TablePhase.FINISHED):
        return state.table.round_number + 1
    return next_round_number(state.table) + (state.phase is not Phase.SCORE)


def _spec_with(state: State, more: int) -> object:
    assert state.settings is not None
    return spec_of(state.settings, len(state.seats) + more)


def check_latecomers(state: State, seat: int, payload: RoundOver) -> Finding | None:
    """Only the chair seats anybody; each has signed for this table, once, and there is room."""
    if not payload.latecomers:
        return None
    if seat != state.chair:
        return Finding(CheckCode.SHAPE, "seated somebody without being the chair")
    try:
        requests = _requests(payload.latecomers)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"seated {problem}")
    if len({request.key for request in requests}) < len(requests):
        return Finding(CheckCode.SHAPE, "seated somebody twice")
    for request in requests:
        refusal = _why_not_seated_now(state, request)
        if refusal is not None:
            return Finding(CheckCode.SHAPE, f"seated somebody: {refusal[1]}")
    if not isinstance(_spec_with(state, len(_strangers(state, requests))), TableSpec):
        return Finding(CheckCode.RULES, "seated more than these rules allow")
    return None


def _requests(asked: Iterable[Admit]) -> tuple[JoinRequest, ...]:
    return tuple(read_request(each.request, each.signature) for each in asked)


def _strangers(state: State, requests: Iterable[JoinRequest]) -> list[JoinRequest]:
    return [request for request in requests if state.seat_of(request.key) is None]


def fitting(state: State, asked: Iterable[Admit]) -> tuple[Admit, ...]:
    """Of these requests, in their order, those that the chair can grant together."""
    chosen: list[Admit] = []
    assert state.chair is not None
    for each in asked:
        if len(chosen) == LATECOMERS_MAX:
            break
        scores = RoundOver((), (*chosen, each))
        if check_latecomers(state, state.chair, scores) is None:
            chosen.append(each)
    return tuple(chosen)


def seat_latecomers(state: State) -> State:
    """The state in which who was let in has a seat, and the roster is to be signed anew.

    Seats keep their numbers, new ones follow in the order of H("seat", session id, key). Who comes
    back has the old seat.
    """
    assert state.table is not None
    assert state.settings is not None
    requests = _requests(state.coming)
    back = frozenset(seat for each in requests if (seat := state.seat_of(each.key)) is not None)
    strangers = {each.key: each for each in _strangers(state, requests)}
    spec = spec_of(state.settings, len(state.seats) + len(strangers))
    assert isinstance(spec, TableSpec)
    # Who was lost before the first seats were drawn is a member still, and comes anew.
    members = [member for member in state.members if member.key not in strangers]
    for key in seat_order(state.log_id, tuple(strangers)):
        members.append(member_of(members, strangers[key]))
    addresses = {each.key: each.addresses for each in requests}
    members = [replace(each, addresses=addresses.get(each.key, each.addresses)) for each in members]
    by_key = {each.key: each for each in members}
    seats = (*state.seats, *members[len(members) - len(strangers) :])
    return replace(
        state,
        before=state,
        newcomers=back | frozenset(range(len(state.seats), len(seats))),
        phase=Phase.ROSTER,
        formed=state.step + 1,
        members=tuple(members),
        seats=tuple(by_key[each.key] for each in seats),
        gone=state.gone - back,
        sat_down=_sat_down(state, [request.key for request in requests]),
        spec=spec,
        table=with_seats(state.table, spec, map(Seat, sorted(back))),
        deal=None,
        interlude=False,
        coming=(),
    )


def _sat_down(state: State, keys: list[bytes]) -> tuple[tuple[bytes, int], ...]:
    others = (each for each in state.sat_down if each[0] not in keys)
    return (*others, *((key, state.step + 1) for key in keys))


def without_lost_newcomers(state: State) -> State:
    """The state before anybody was seated, if some of these are lost while the table forms again.

    `coming` has the requests of the others. Who never signed a roster, or never threw the coin,
    never had a seat: it takes no room, and stands in no result.
    """
    before = state.before
    assert before is not None
    assert before.table is not None
    sat = frozenset(range(len(before.seats)))
    lost = (state.gone & sat) - before.gone
    here = {state.seats[seat].key for seat in state.present}
    coming = zip(before.coming, _requests(before.coming), strict=True)
    keys = tuple(member.key for member in state.seats)
    return replace(
        before,
        step=state.step,
        head=state.head,
        gone=before.gone | lost,
        table=leave(before.table, frozenset(map(Seat, lost))) if lost else before.table,
        coming=tuple(admit for admit, request in coming if request.key in here),
        former=(*state.former, (before.step + 1, state.step + 1, keys)),
    )
