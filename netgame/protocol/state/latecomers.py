"""Seats and votes for latecomers: a new session between two rounds [protocol.md §4.8].

The chair's signed scores contain the requests that it grants. When the round is done, these
applicants have seats, as guests. All sign the roster and throw the coin again, and the next deal
belongs to another session. All voters' scores name the guests to whom they would give a vote. A
guest whom more than half have named has a vote in the session of the next coin; the table forms
again for this even if nobody sits down.

    SCORE (AUDIT) -> ROSTER -> COIN_COMMIT -> COIN_REVEAL -> COIN_FALLEN -> DEAL
"""

from collections.abc import Mapping

from msgspec.structs import replace

from engine.play.latecomers import with_seats
from engine.play.leavers import leave
from engine.rules.spec import TableSpec
from engine.rules.switches import Partners
from engine.scoring import rounds_are_over
from engine.table.rounds import next_round_number
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from netgame.errors import Malformed
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state.deal import deal_again
from netgame.protocol.state.lobby import is_for_now, member_of, read_request, spec_of
from netgame.protocol.state.options import Latecomers
from netgame.protocol.state.phases import (
    Auditing,
    Before,
    Grants,
    NewSeats,
    Phase,
    Round,
    SigningRoster,
)
from netgame.protocol.state.state import State
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, JoinRequest, RoundOver
from netgame.wire.statements import bit, seats_in


def why_not_seated_later(state: State, request: JoinRequest) -> NoSeat | None:
    """Return why this applicant cannot get a seat at the next round, or None if it can.

    The log alone decides: the table's options, its rules and its size. This does not check whether
    the request is for this seating (`is_for_now`).
    """
    seat = state.seat_of(request.key)
    closed = why_nobody_comes(state)
    if closed is not None and closed.why in (WhyNoSeat.OVER, WhyNoSeat.FORMING):
        return closed
    if seat is not None and seat not in state.gone:
        return NoSeat(WhyNoSeat.SEATED)
    if closed is None and seat is None and not has_room(state, 1):
        return NoSeat(WhyNoSeat.FULL, len(state.seats))
    return closed


def why_nobody_comes(state: State) -> NoSeat | None:
    """Return why nobody at all can get a seat at the next round, or None if somebody may."""
    if state.phase is Phase.OVER:
        return NoSeat(WhyNoSeat.OVER)
    spec = state.spec
    if spec is None or not state.seats:
        return NoSeat(WhyNoSeat.FORMING)
    if state.options.latecomers is Latecomers.WATCH:
        return NoSeat(WhyNoSeat.WATCH)
    if spec.rules.partners is Partners.YES:
        return NoSeat(WhyNoSeat.PAIRS)
    past = () if state.table is None else state.table.past
    if next_open_round(state) >= spec.rounds or rounds_are_over(spec, past):
        return NoSeat(WhyNoSeat.LAST_ROUND)
    return None


def is_coming(state: State, key: bytes) -> bool:
    """Return True if the audit is going on and the scores just signed give this key a seat.

    False in every other phase.
    """
    coming = state.now.grants.coming if isinstance(state.now, Auditing) else ()
    return any(_requested(each).key == key for each in coming)


def next_open_round(state: State) -> int:
    """Return the first round, counted from 0, that somebody who asks for a seat now can play.

    The scores of a round admit those who play the next; a request made once those scores are signed
    waits for the next ones. The result may be past the last round.
    """
    table = state.table
    if table is None:
        return 1
    if table.phase not in (RoundPhase.SCORED, RoundPhase.FINISHED):
        return table.round_number + 1
    return next_round_number(table) + (state.phase is not Phase.SCORE)


def has_room(state: State, more: int) -> bool:
    """Return True if the rules allow a table with `more` seats added to all that it ever had."""
    return isinstance(spec_of(state.settings, len(state.seats) + more), TableSpec)


def check_latecomers(state: State, seat: int, payload: RoundOver) -> Finding | None:
    """Check the seats that these scores give.

    Only the chair may give seats, each on a valid request, and no more than the rules allow. None
    if all is well; a malformed request is a finding.
    """
    if payload.latecomers and seat != state.chair:
        return Finding(CheckCode.SHAPE, "seated somebody without being the chair")
    try:
        requests = [read_request(each.request, each.signature) for each in payload.latecomers]
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"seated {problem}")
    if len({request.key for request in requests}) < len(requests):
        return Finding(CheckCode.SHAPE, "seated somebody twice")
    for request in requests:
        if not is_for_now(state, request):
            says = "seated somebody: The request was for the end of another round."
            return Finding(CheckCode.SHAPE, says)
        if (refusal := why_not_seated_later(state, request)) is not None:
            return Finding(CheckCode.SHAPE, f"seated somebody: {refusal.why.value}")
    strangers = sum(state.seat_of(request.key) is None for request in requests)
    if not has_room(state, strangers):
        return Finding(CheckCode.RULES, "seated more than these rules allow")
    return None


def check_named(state: State, payload: RoundOver) -> Finding | None:
    """Check that the author would give votes only to seats of guests; return None if so."""
    if payload.named & ~sum(map(bit, state.guests)):
        return Finding(CheckCode.SHAPE, "named for a vote what is no guest's seat")
    return None


def granted(state: State, signed: Mapping[int, RoundOver]) -> Grants:
    """Return the seats that the chair's scores give, and the votes that the voters' scores give.

    More than half of the voters must name a guest who is to get a vote. `signed` are the scores of
    all present, by seat.
    """
    coming = tuple(admit for each in signed.values() for admit in each.latecomers)
    voters = seats_in(state.company.now.voters)
    named = [signed[seat].named for seat in voters]
    voting = (
        guest for guest in state.guests if 2 * sum(n >> guest & 1 for n in named) > len(voters)
    )
    return Grants(coming, frozenset(voting))


def _requested(admit: Admit) -> JoinRequest:
    """Return the request in an admission, without checking its signature again."""
    return decode(admit.request, JoinRequest)


def form_anew(state: State, standing: Round, grants: Grants) -> State:
    """Return the state in which new players have seats, and the roster is to be signed again.

    Seats keep their numbers; new ones follow in the order of H("seat", session id, key). A
    returning player has their old seat again. A guest to whom the scores give a vote has it once
    the session of the new coin begins.
    """
    asked = {each.key: each for each in map(_requested, grants.coming)}
    company = state.company.with_guests(state.step + 1, tuple(asked))
    count = len(state.seats)
    keys = company.now.keys
    spec = spec_of(state.settings, len(keys))
    # Scores that seat more than the rules allow are refused (7.11).
    assert isinstance(spec, TableSpec)
    # Somebody lost before the first seats were drawn is still a member, and comes as a new one.
    members = {each.key: each for each in state.members if each.key not in keys[count:]}
    for key in keys[count:]:
        members[key] = member_of(members.values(), asked[key])
    for key, request in asked.items():
        members[key] = replace(members[key], addresses=request.addresses)
    back = sorted(seat for key in asked if (seat := keys.index(key)) < count)
    table = with_seats(standing.table, spec, map(Seat, back))
    before = Before(state.members, state.seats, state.company.now, standing, grants)
    return replace(
        state,
        now=SigningRoster(NewSeats(replace(standing, table=table), before)),
        members=tuple(members.values()),
        company=company,
        seats=tuple(members[key] for key in keys),
    )


def seat_again(state: State, before: Before) -> State:
    """Seat the newcomers who stay once more, because somebody left before the coin had fallen.

    A newcomer who left that early never had a seat: it takes up no room and is not in any result. A
    guest to whom the scores gave a vote still gets it. If no newcomer and no such guest stays, the
    next round is dealt, or, if only one seat is left, that seat signs scores.
    """
    company = state.company.without_guests(state.step + 1, before.epoch)
    lost = frozenset(map(Seat, company.now.gone - before.gone))
    without = replace(state, members=before.members, seats=before.seats, company=company)
    table = leave(before.standing.table, lost) if lost else before.standing.table
    standing = replace(before.standing, table=table)
    here = state.company.now
    coming = tuple(admit for admit in before.grants.coming if here.has(_requested(admit).key))
    grants = Grants(coming, before.grants.voting).without(company.now.gone)
    if any(grants):
        return form_anew(without, standing, grants)
    return without.at(deal_again(without, standing, next_round_number(table)))
