"""People sit down at an open table, and the host alone writes [protocol.md §3.3, §4.4]."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from engine.refusals import Refusal
from engine.rules.choose import RuleSet, parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import First
from netgame.crypto.signing import is_public_key, verify_signature
from netgame.errors import Malformed
from netgame.limits import LOBBY_STEPS_MAX, NAME_CELLS_MAX
from netgame.protocol.fold.options import USUAL, OptionProblem, Options, parse_options
from netgame.protocol.fold.phases import FirstTable, InLobby, Member, Phase, SigningRoster, Unopened
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import REQUEST_DOMAIN, Entry, said
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.protocol.notices import LobbyChanged
from netgame.protocol.text import clean_text
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, Close, Dismiss, JoinRequest, OpenTable, Settings

STALE: Final = "stale"
"""Code of the answer to a request that was for another seating than the one that is open."""


def _rules_of(settings: Settings) -> RuleSet | Refusal:
    switches = dict(switch.partition("=")[::2] for switch in settings.switches)
    return parse_rules(settings.preset, switches)


def spec_of(settings: Settings, seats: int) -> TableSpec | Refusal:
    """Make the engine's table of what the host offers, for this many seats, or say why not."""
    rules = _rules_of(settings)
    if isinstance(rules, Refusal):
        return rules
    return make_spec(rules, settings.pip_max, seats, settings.rounds or None, settings.hand or None)


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
    since = state.seating_since
    if isinstance(state.now, InLobby):
        since = dict(state.now.admitted).get(request.key, -1) + 1
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
    if len(state.members) >= state.settings.seats:
        return "full", f"All {state.settings.seats} seats at this table are taken."
    return None


def check_open_table(_: State, now: Unopened, entry: Entry, payload: OpenTable) -> Finding | None:
    """The rules exist. That the table id is made of the host's key made it an entry of the host."""
    if isinstance(parse_options(payload.settings.options), OptionProblem):
        return Finding(CheckCode.RULES, "offered a table with options that do not exist")
    if isinstance(_rules_of(payload.settings), Refusal):
        return Finding(CheckCode.RULES, "offered rules that do not exist")
    return None


def complete_open_table(state: State, _: Unopened, entries: tuple[Entry, ...]) -> Completed:
    """Now the host and the rules are known."""
    offer = said(entries[0], OpenTable)
    found = parse_options(offer.settings.options)
    options = found if isinstance(found, Options) else USUAL  # others were refused
    opened = replace(state, now=InLobby(), host=offer.host, settings=offer.settings)
    return replace(opened, options=options), (LobbyChanged(),)


def check_admit(state: State, now: InLobby, entry: Entry, payload: Admit) -> Finding | None:
    """The joiner has signed for this table, is new, and there is a seat."""
    refusal = why_not_admitted(state, read_request(payload.request, payload.signature))
    return Finding(CheckCode.SHAPE, f"admitted somebody: {refusal[1]}") if refusal else None


def complete_admit(state: State, now: InLobby, entries: tuple[Entry, ...]) -> Completed:
    """One more sits; of two with one name the later is told apart by a number."""
    payload = said(entries[0], Admit)
    request = read_request(payload.request, payload.signature)
    others = (each for each in now.admitted if each[0] != request.key)
    return replace(
        state,
        now=InLobby((*others, (request.key, state.step))),
        members=(*state.members, member_of(state.members, request)),
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


def check_dismiss(state: State, now: InLobby, entry: Entry, payload: Dismiss) -> Finding | None:
    """Only who sits can leave."""
    if state.member(payload.key) is None:
        return Finding(CheckCode.SHAPE, "dismissed somebody who does not sit here")
    return None


def complete_dismiss(state: State, _: InLobby, entries: tuple[Entry, ...]) -> Completed:
    """One fewer sits."""
    key = said(entries[0], Dismiss).key
    members = tuple(member for member in state.members if member.key != key)
    return replace(state, members=members), (LobbyChanged(),)


def check_close(state: State, now: InLobby, entry: Entry, payload: Close) -> Finding | None:
    """Who sits must make a table under these rules."""
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


def complete_close(state: State, _: InLobby, entries: tuple[Entry, ...]) -> Completed:
    """The roster: the keys, sorted as octets."""
    spec = spec_of(state.settings, len(state.members))
    assert isinstance(spec, TableSpec)
    return replace(
        state,
        now=SigningRoster(FirstTable(spec, said(entries[0], Close).first)),
        roster=tuple(sorted(member.key for member in state.members)),
        roster_step=state.step + 1,
    ), (LobbyChanged(),)
