"""From an open table to a seat order nobody chose [protocol.md §4.4, §5.2].

The host alone writes while people sit down. `Close` ends that; then every member signs the
roster and the rules, commits to a coin, and reveals it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.rules.choose import RuleProblem, parse_rules
from engine.rules.spec import SpecProblem, TableSpec, make_spec
from engine.rules.switches import First
from engine.scoring import winners
from engine.table.events import GameEnded
from engine.table.rounds import next_round_number
from netgame.crypto.coin import coin_commitment, first_seat, seat_order, session_id
from netgame.crypto.signing import is_public_key, verify_signature
from netgame.crypto.transcript import TAG_ROSTER, TAG_RULES, digest
from netgame.errors import Malformed
from netgame.limits import LOBBY_STEPS_MAX, NAME_CELLS_MAX, PROTOCOL_VERSION
from netgame.protocol.fold.deal import new_deal
from netgame.protocol.fold.options import OptionProblem, parse_options
from netgame.protocol.fold.state import Completed, Member, Phase, State
from netgame.protocol.log.entry import (
    REQUEST_DOMAIN,
    Entry,
    by_seat,
    payloads_of,
    said,
    step_digest,
)
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.protocol.notices import GameOver, GameStarted, LobbyChanged, SeatsCame, TableClosed
from netgame.protocol.text import clean_text
from netgame.wire.codec import decode, encode
from netgame.wire.messages import (
    Admit,
    Close,
    CoinCommit,
    CoinReveal,
    Dismiss,
    JoinRequest,
    OpenTable,
    Roster,
    Settings,
)

STALE: Final = "stale"
"""Code of the answer to a request that was for another seating than the one that is open."""


def spec_of(settings: Settings, seats: int) -> TableSpec | RuleProblem | SpecProblem:
    """Make the engine's table of what the host offers, for this many seats, or say why not."""
    switches: dict[str, str] = {}
    for switch in settings.switches:
        name, _, value = switch.partition("=")
        switches[name] = value
    rules = parse_rules(settings.preset, switches)
    if isinstance(rules, RuleProblem):
        return rules
    return make_spec(rules, settings.pip_max, seats, settings.rounds or None, settings.hand or None)


def _rules_digest(settings: Settings) -> bytes:
    """What stands for the rules in the session id."""
    return digest(TAG_RULES, encode(settings))


def agreed_digest(state: State) -> bytes:
    """What every member signs in the roster step: the rules and the sorted keys."""
    assert state.settings is not None
    keys = (state.author_key(state.step, seat) for seat in state.present)
    roster = sorted(key for key in keys if key is not None)
    return digest(TAG_ROSTER, state.log_id, _rules_digest(state.settings), roster)


def read_request(octets: bytes, signature: bytes) -> JoinRequest:
    """Read a joiner's request and check its signature; raises `Malformed`."""
    request = decode(octets, JoinRequest)
    if not is_public_key(request.key):
        raise Malformed("a join request without a usable key")
    if not verify_signature(request.key, REQUEST_DOMAIN, octets, signature):
        raise Malformed("a join request that its joiner has not signed")
    return request


def is_for_now(state: State, request: JoinRequest) -> bool:
    """Whether a request asks for the very seating that is open in this state [protocol.md §3.3].

    In the lobby: of a step after the last admission of its key. Later: of this session, and of a
    step after the last scores. So none is good twice, nor for what its joiner has not seen.
    """
    admitted = dict(state.admitted).get(request.key, -1) if state.phase is Phase.LOBBY else -1
    since = max(admitted + 1, state.seating_since)
    return request.table == state.log_id and since <= request.step <= state.step


def why_not_admitted(
    state: State, request: JoinRequest, *, again: bool = False
) -> tuple[str, str] | None:
    """Code and sentence for a joiner who cannot sit down now, or None; `again`: in its own seat."""
    if state.phase is not Phase.LOBBY:
        return "started", "The game at this table has begun; wait for the next one."
    if not is_for_now(state, request):
        return STALE, "This request for a seat was for another time; ask again."
    if again:
        return None
    if state.member(request.key) is not None:
        return "seated", "This key already has a seat at the table."
    if state.step >= LOBBY_STEPS_MAX:
        return "full", "People have come and gone here too often; the host can open a new table."
    assert state.settings is not None
    if len(state.members) >= state.settings.seats:
        return "full", f"All {state.settings.seats} seats at this table are taken."
    return None


def check_open_table(state: State, entry: Entry, payload: OpenTable) -> Finding | None:
    """The rules exist. That the table id is made of the host's key made it an entry of the host."""
    del state, entry
    if isinstance(parse_options(payload.settings.options), OptionProblem):
        return Finding(CheckCode.RULES, "offered a table with options that do not exist")
    spec = spec_of(payload.settings, payload.settings.seats)
    if isinstance(spec, RuleProblem):
        return Finding(CheckCode.RULES, "offered rules that do not exist")
    return None


def complete_open_table(state: State, entries: tuple[Entry, ...]) -> Completed:
    """Now the host and the rules are known."""
    payload = payloads_of(entries, OpenTable)[0]
    return replace(state, host=payload.host, settings=payload.settings), (LobbyChanged(),)


def check_admit(state: State, entry: Entry, payload: Admit) -> Finding | None:
    """The joiner has signed for this table, is new, and there is a seat."""
    del entry
    try:
        request = read_request(payload.request, payload.signature)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"admitted {problem}")
    refusal = why_not_admitted(state, request)
    return Finding(CheckCode.SHAPE, f"admitted somebody: {refusal[1]}") if refusal else None


def complete_admit(state: State, entries: tuple[Entry, ...]) -> Completed:
    """One more sits; of two with one name the later is told apart by a number."""
    payload = payloads_of(entries, Admit)[0]
    request = read_request(payload.request, payload.signature)
    others = (each for each in state.admitted if each[0] != request.key)
    return replace(
        state,
        members=(*state.members, member_of(state.members, request)),
        admitted=(*others, (request.key, state.step)),
    ), (LobbyChanged(),)


def member_of(members: Iterable[Member], request: JoinRequest) -> Member:
    """Who has signed this request, under a name that none of these has."""
    name = _free_name(members, clean_text(request.name, NAME_CELLS_MAX, "player"))
    return Member(request.key, name, request.addresses, request.bot)


def _free_name(members: Iterable[Member], name: str) -> str:
    """A name without spaces (it is typed in commands) that none of these has."""
    base = name.replace(" ", "_")
    taken = {member.name.casefold() for member in members} | {"mexican", "m"}
    candidate, number = base, 2
    while candidate.casefold() in taken:
        candidate, number = f"{base}-{number}", number + 1
    return candidate


def check_dismiss(state: State, entry: Entry, payload: Dismiss) -> Finding | None:
    """Only who sits can leave."""
    del entry
    if state.member(payload.key) is None:
        return Finding(CheckCode.SHAPE, "dismissed somebody who does not sit here")
    return None


def complete_dismiss(state: State, entries: tuple[Entry, ...]) -> Completed:
    """One fewer sits."""
    key = payloads_of(entries, Dismiss)[0].key
    members = tuple(member for member in state.members if member.key != key)
    return replace(state, members=members), (LobbyChanged(),)


def check_close(state: State, entry: Entry, payload: Close) -> Finding | None:
    """Who sits must make a table under these rules."""
    del entry
    assert state.settings is not None
    spec = spec_of(state.settings, len(state.members))
    if not isinstance(spec, TableSpec):
        return Finding(CheckCode.RULES, "closed the roster on a table these rules do not allow")
    if spec.rules.first is not First.CHOSEN_ROTATE:
        named = not payload.first
    else:
        named = state.member(payload.first) is not None
    if not named:
        return Finding(CheckCode.RULES, "closed the roster with a first player the rules forbid")
    return None


def complete_close(state: State, entries: tuple[Entry, ...]) -> Completed:
    """The roster: the keys, sorted as octets."""
    chosen = payloads_of(entries, Close)[0].first
    assert state.settings is not None
    spec = spec_of(state.settings, len(state.members))
    assert isinstance(spec, TableSpec)
    roster = tuple(sorted(member.key for member in state.members))
    return (
        replace(
            state,
            phase=Phase.ROSTER,
            roster=roster,
            chosen=chosen,
            roster_step=state.step + 1,
            spec=spec,
        ),
        (LobbyChanged(),),
    )


def check_roster(state: State, entry: Entry, payload: Roster) -> Finding | None:
    """Every member signs the same roster and rules."""
    del entry
    if payload.digest != agreed_digest(state):
        return Finding(CheckCode.SHAPE, "signed another roster or other rules")
    return None


def complete_roster(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All agree; on to the coin."""
    del entries
    return replace(state, phase=Phase.COIN_COMMIT), ()


def complete_coin_commit(state: State, entries: tuple[Entry, ...]) -> Completed:
    """All are bound to their part of the coin."""
    seats = len(state.seats or state.roster)
    commitments = by_seat(entries, seats, lambda each: said(each, CoinCommit).commitment, b"")
    return (
        replace(
            state,
            phase=Phase.COIN_REVEAL,
            commitments=commitments,
            coin_head=state.head,
            commit_digest=step_digest(state.head, entries),
        ),
        (),
    )


def form_again(state: State) -> Completed:
    """Somebody left while a table forms: those who stay sign the roster and commit anew."""
    assert state.settings is not None
    if state.table is not None and len(state.present) == 1:
        ended = (GameEnded(winners(state.table)),)
        return replace(state, phase=Phase.OVER, scored=ended), (GameOver(ended),)
    if state.seats:
        return replace(state, phase=Phase.ROSTER, formed=state.step + 1, commitments=()), ()
    spec = spec_of(state.settings, len(state.present))
    if not isinstance(spec, TableSpec):
        return replace(state, phase=Phase.OVER), (TableClosed("Too few are left for this table."),)
    moved = replace(state, phase=Phase.ROSTER, formed=state.step + 1, spec=spec, commitments=())
    return moved, (LobbyChanged(),)


def check_coin_reveal(state: State, entry: Entry, payload: CoinReveal) -> Finding | None:
    """The octets are those committed to."""
    key = state.author_key(state.step, entry.seat)
    assert key is not None
    if coin_commitment(state.log_id, key, payload.secret) != state.commitments[entry.seat]:
        return Finding(CheckCode.PROOF, "revealed a coin it had not committed to")
    return None


def complete_coin_reveal(state: State, entries: tuple[Entry, ...]) -> Completed:
    """The coin names the session and, the first time, the order of seats and who begins."""
    sid = _session_of(state, entries)
    sessions = (*state.sessions, (state.step + 1, sid))
    named = replace(state, log_id=sid, sessions=sessions, newcomers=frozenset(), before=None)
    if state.table is not None:
        came = tuple(seat for seat in state.present if state.table.aside.came >> seat & 1)
        number = next_round_number(state.table)
        dealing = replace(named, phase=Phase.DEAL, deal=new_deal(named, number))
        return dealing, (SeatsCame(tuple(map(state.name_of, came))),)
    roster = tuple(state.roster[seat] for seat in state.present)
    by_key = {member.key: member for member in state.members}
    seats = tuple(by_key[key] for key in seat_order(sid, roster))
    seated = replace(
        named,
        phase=Phase.DEAL,
        seats=seats,
        gone=frozenset(),
        seats_step=state.step + 1,
        first=_first_of(state, sid, seats),
    )
    return replace(seated, deal=new_deal(seated, 0)), (GameStarted(),)


def _first_of(state: State, sid: bytes, seats: tuple[Member, ...]) -> int:
    """Who plays first: by the coin; or whom the table chose, and if that has left the next to come.

    Next in the order in which they sat down, which is not that of the seats.
    """
    if not state.chosen:
        return first_seat(sid, len(seats))
    came = [member.key for member in state.members]
    at = came.index(state.chosen)
    here = {member.key: seat for seat, member in enumerate(seats)}
    return next(here[key] for key in (*came[at:], *came[:at]) if key in here)


def _session_of(state: State, entries: tuple[Entry, ...]) -> bytes:
    """The id of the session of those who revealed, under the id of what came before it."""
    assert state.settings is not None
    keyed = [(state.author_key(state.step, entry.seat), entry) for entry in entries]
    secrets = {key: said(entry, CoinReveal).secret for key, entry in keyed if key is not None}
    roster = sorted(secrets)
    return session_id(
        state.log_id,
        PROTOCOL_VERSION,
        _rules_digest(state.settings),
        roster,
        state.commit_digest,
        [secrets[key] for key in roster],
    )
