"""People sit down at an open table, all sign a roster, and all throw a coin that nobody can rig.

In the lobby the host alone writes. Then every member signs the roster and the rules, commits to its
part of a coin, and reveals it. The coin names the session. The first time it also gives the seats
and, unless the table chose one, the first player. [protocol.md §4.4, §5.2]
"""

from collections.abc import Iterable

from msgspec.structs import replace

from engine.refusals import Refusal
from engine.rules.choose import RuleSet, by_name, parse_rules
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import First
from engine.scoring import totals
from engine.table.rounds import next_round_number
from netgame.crypto.coin import coin_commitment, first_seat, session_id
from netgame.crypto.signing import is_public_key, verify_signature
from netgame.crypto.transcript import Tag, digest
from netgame.errors import Malformed
from netgame.limits import LOBBY_STEPS_MAX, NAME_CELLS_MAX, PROTOCOL_VERSION
from netgame.protocol import notices
from netgame.protocol.epochs.company import Epoch
from netgame.protocol.log.entry import REQUEST_DOMAIN, Entries, payload_as, step_digest
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.protocol.names import is_taken, of_one_script
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state import phases
from netgame.protocol.state.deal import new_deal
from netgame.protocol.state.options import USUAL, OptionProblem, Options, parse_options
from netgame.protocol.state.revision import is_other
from netgame.protocol.state.state import Completed, State, by_seat
from netgame.protocol.text import clean_text
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode


def _rules_of(settings: wire.Settings) -> RuleSet | Refusal:
    return parse_rules(settings.preset, by_name(settings.switches))


def spec_of(settings: wire.Settings, seats: int) -> TableSpec | Refusal:
    """Return the engine's table for the host's offer and this many seats, or why it is refused."""
    rules = _rules_of(settings)
    if isinstance(rules, Refusal):
        return rules
    return make_spec(rules, settings.pip_max, seats, settings.rounds or None, settings.hand or None)


def read_request(octets: bytes, signature: bytes) -> wire.JoinRequest:
    """Read a joiner's request and check its signature; raises `Malformed` if it is not good."""
    request = decode(octets, wire.JoinRequest)
    if not is_public_key(request.key):
        raise Malformed("a join request without a usable key")
    if not verify_signature(request.key, REQUEST_DOMAIN, octets, signature):
        raise Malformed("a join request that its joiner has not signed")
    return request


def is_for_now(state: State, request: wire.JoinRequest) -> bool:
    """Return True if a request is for the seating that is open now [protocol.md §4.4, §4.8].

    It must name this session (in the lobby, the table), no matter which epochs cuts have opened
    since. It must name a step that is due or done: in the lobby, one after the last admission of
    its key; later, one after the last scores. A request is therefore never good twice, and never
    for a table that its joiner has not seen.
    """
    since = state.seating_since
    if isinstance(state.now, phases.InLobby):
        since = dict(state.now.admitted).get(request.key, -1) + 1
    return request.table == state.session and since <= request.step <= state.step


def why_not_admitted(
    state: State, request: wire.JoinRequest, *, again: bool = False
) -> NoSeat | None:
    """Return why a joiner cannot sit down in the lobby now, or None if it can.

    With `again` the joiner asks for the seat that it has, under another name or address; then only
    `FORMING` and `STALE` can be the reason.
    """
    if state.phase is not phases.Phase.LOBBY:
        return NoSeat(WhyNoSeat.FORMING)
    if not is_for_now(state, request):
        return NoSeat(WhyNoSeat.STALE)
    if again:
        return None
    if state.member(request.key) is not None:
        return NoSeat(WhyNoSeat.SEATED)
    if state.step >= LOBBY_STEPS_MAX:
        return NoSeat(WhyNoSeat.TOO_OFTEN)
    return why_full(state)


def why_full(state: State) -> NoSeat | None:
    """Return why the lobby has no seat left, or None while it has one."""
    seats = state.settings.seats
    return NoSeat(WhyNoSeat.TAKEN, seats) if len(state.members) >= seats else None


def check_open_table(_: State, now: object, seat: int, payload: wire.OpenTable) -> Finding | None:
    """Check that the rules and options exist; the table id already proves that the host wrote this.

    An offer of another revision of the rules cannot be checked here, and passes.
    """
    if is_other(payload.settings):
        return None
    if isinstance(parse_options(payload.settings.options), OptionProblem):
        return Finding(CheckCode.RULES, "offered a table with options that do not exist")
    if isinstance(_rules_of(payload.settings), Refusal):
        return Finding(CheckCode.RULES, "offered rules that do not exist")
    return None


def complete_open_table(state: State, _: object, entries: Entries) -> Completed:
    """Take the host, the rules and the options from the offer, and open the lobby.

    If options are unknown here, because they are of another revision, take the usual ones.
    """
    offer = payload_as(entries[0], wire.OpenTable)
    found = parse_options(offer.settings.options)
    options = found if isinstance(found, Options) else USUAL  # others were refused
    known = replace(state, host=offer.host, settings=offer.settings, options=options)
    return known.at(phases.InLobby()), (notices.LobbyChanged(),)


def check_admit(state: State, _: object, seat: int, payload: wire.Admit) -> Finding | None:
    """Check that the joiner signed the request and can sit down now (`why_not_admitted`).

    Raises `Malformed` for a request that does not decode or is not signed by its joiner.
    """
    refusal = why_not_admitted(state, read_request(payload.request, payload.signature))
    if refusal is None:
        return None
    return Finding(CheckCode.SHAPE, f"admitted somebody: {refusal.why.value}")


def complete_admit(state: State, now: phases.InLobby, entries: Entries) -> Completed:
    """Add the member, and note this step as the last admission of its key.

    A name that is taken gets a number.
    """
    payload = payload_as(entries[0], wire.Admit)
    request = decode(payload.request, wire.JoinRequest)
    others = (each for each in now.admitted if each[0] != request.key)
    grown = replace(state, members=(*state.members, member_of(state.members, request)))
    return grown.at(phases.InLobby((*others, (request.key, state.step)))), (notices.LobbyChanged(),)


def member_of(members: Iterable[phases.Member], request: wire.JoinRequest) -> phases.Member:
    """Return the member who signed this request, under a name that none of these members has.

    The name is cleaned; it is `player` if nothing is left of it.
    """
    name = free_name(members, clean_text(request.name, NAME_CELLS_MAX, "player"))
    return phases.Member(request.key, name, request.addresses, request.played_by)


def free_name(members: Iterable[phases.Member], name: str) -> str:
    """Return a name that nobody could take for a member's, without spaces, so people can type it.

    It keeps to one script, or to scripts that are written together; spaces become `_`. A name that
    is like a member's, or is a word that the program uses itself (`NO_NAMES`), gets the first free
    number from 2 on: `Ann-2`.
    """
    base = of_one_script(name).replace(" ", "_")
    taken = [member.name for member in members]
    candidate, number = base, 2
    while is_taken(candidate, taken):
        candidate, number = f"{base}-{number}", number + 1
    return candidate


def check_dismiss(state: State, _: object, seat: int, payload: wire.Dismiss) -> Finding | None:
    """Check that the dismissed key belongs to a member."""
    if state.member(payload.key) is None:
        return Finding(CheckCode.SHAPE, "dismissed somebody who does not sit here")
    return None


def complete_dismiss(state: State, _: object, entries: Entries) -> Completed:
    """Remove the member, but keep the step of its admission: only a later request is good."""
    key = payload_as(entries[0], wire.Dismiss).key
    members = tuple(member for member in state.members if member.key != key)
    return replace(state, members=members), (notices.LobbyChanged(),)


def check_close(state: State, _: object, seat: int, payload: wire.Close) -> Finding | None:
    """Check that the rules allow this many players, and check the choice of the first player.

    `first` must be the key of a member if the rules let the table choose, else empty.
    """
    spec = spec_of(state.settings, len(state.members))
    if not isinstance(spec, TableSpec):
        return Finding(CheckCode.RULES, "closed the roster on a table these rules do not allow")
    chosen = spec.rules.first is First.CHOSEN_ROTATE
    if state.member(payload.first) is None if chosen else payload.first:
        return Finding(CheckCode.RULES, "closed the roster with a first player the rules forbid")
    return None


def complete_close(state: State, _: object, entries: Entries) -> Completed:
    """Fix the roster: the members' keys, sorted as octets; all sign it in the next step."""
    spec = spec_of(state.settings, len(state.members))
    # `close` is refused if the rules allow no such table (7.11).
    assert isinstance(spec, TableSpec)
    roster = tuple(sorted(member.key for member in state.members))
    closed = replace(state, company=state.company.then(state.step + 1, keys=roster))
    of = phases.FirstTable(spec, payload_as(entries[0], wire.Close).first)
    return closed.at(phases.SigningRoster(of)), (notices.LobbyChanged(),)


def agreed_digest(state: State) -> bytes:
    """Return the digest of the rules and the sorted keys, which every member signs as the roster.

    The keys are those of the seats that are present. The digest includes the id of the epoch.
    """
    roster = sorted(state.company.now.here)
    return digest(Tag.ROSTER, state.log_id, _rules_digest(state.settings), roster)


def _rules_digest(settings: wire.Settings) -> bytes:
    """Return the digest of the host's whole offer, for roster digests and session ids."""
    return digest(Tag.RULES, encode(settings))


def check_roster(state: State, _: object, seat: int, payload: wire.Roster) -> Finding | None:
    """Check that the signed digest is that of our roster and rules."""
    if payload.digest != agreed_digest(state):
        return Finding(CheckCode.SHAPE, "signed another roster or other rules")
    return None


def complete_roster(state: State, now: phases.SigningRoster, entries: Entries) -> Completed:
    """Go on to the commitments to the coin, without a notice: all have signed the roster."""
    return state.at(phases.CommittingCoin(now.of)), ()


def complete_coin_commit(state: State, now: phases.CommittingCoin, entries: Entries) -> Completed:
    """Keep the commitments, and go on to the reveal, without a notice."""
    commitments = by_seat(state, entries, wire.CoinCommit, lambda each: each.commitment)
    digest_ = step_digest(state.head, entries)
    return state.at(phases.RevealingCoin(now.of, commitments, state.head, digest_)), ()


def form_again(state: State, of: phases.FirstTable) -> Completed:
    """Go back to signing the roster, now without those who left; earlier commitments are void.

    If the rules allow no such table, the game is over, and the notice says that the table is
    closed; else it is `LobbyChanged`.
    """
    spec = spec_of(state.settings, len(state.present))
    if not isinstance(spec, TableSpec):
        return state.at(phases.Over()), (notices.TableClosed(notices.WhyClosed.TOO_FEW),)
    return state.at(phases.SigningRoster(of._replace(spec=spec))), (notices.LobbyChanged(),)


def check_coin_reveal(
    state: State, now: phases.RevealingCoin, seat: int, payload: wire.CoinReveal
) -> Finding | None:
    """Check that the author reveals the part of the coin to which it committed."""
    key = state.company.now.keys[seat]
    if coin_commitment(state.log_id, key, payload.secret) != now.commitments[seat]:
        return Finding(CheckCode.PROOF, "revealed a coin it had not committed to")
    return None


def complete_coin_reveal(state: State, now: phases.RevealingCoin, entries: Entries) -> Completed:
    """Work out the id of the new session, without a notice.

    The session begins once a poll has decided so; until then no seat can be removed.
    """
    session = session_of(state.company.now, state.settings, now.digest, entries)
    return state.at(phases.CoinFallen(now.of, session)), ()


def open_session(state: State, now: phases.CoinFallen) -> Completed:
    """Begin the session of a coin in a new epoch; the first coin also gives the seats.

    The next deal is due then; the due step stays the same. The notice is `GameStarted` the first
    time, and later `SeatsCame`, `VotesCame` or both.
    """
    new = now.of if isinstance(now.of, phases.NewSeats) else None
    voting = frozenset[int]() if new is None else new.before.grants.voting
    named = replace(state, company=state.company.with_session(state.step, now.session, voting))
    if isinstance(now.of, phases.NewSeats):
        table = now.of.standing.table
        came = [seat for seat in state.present if table.game.came >> seat & 1]
        deal = new_deal(named, table.spec, next_round_number(table))
        before = now.of.before.standing.table
        back = [seat for seat in came if seat < before.spec.seats]
        raised = [seat for seat in back if totals(table)[seat] != totals(before)[seat]]
        names = map(state.names_of, (came, back, raised))
        sat = (notices.SeatsCame(*names),) if came else ()
        votes = (notices.VotesCame(state.names_of(sorted(voting))),) if voting else ()
        return named.at(phases.Dealing(now.of.standing, deal)), (*sat, *votes)
    by_key = {member.key: member for member in state.members}
    seated = replace(named, seats=tuple(by_key[key] for key in named.company.now.keys))
    since = phases.FirstDeal(now.of.spec, _first_of(seated, now.of))
    dealing = phases.Dealing(since, new_deal(seated, now.of.spec, 0))
    return seated.at(dealing), (notices.GameStarted(),)


def _first_of(state: State, of: phases.FirstTable) -> int:
    """Return the seat that plays first: the one the table chose, or else one drawn by the coin.

    If the chosen player has left, it is the next player who is present, in the order in which
    people sat down, not in seat order.
    """
    if not of.chosen:
        return first_seat(state.session, len(state.seats))
    came = [member.key for member in state.members]
    at = came.index(of.chosen)
    here = (state.seat_of(key) for key in (*came[at:], *came[:at]))
    return next(seat for seat in here if seat is not None)


def session_of(epoch: Epoch, settings: wire.Settings, coin: bytes, entries: Entries) -> bytes:
    """Return the id of the session of those who revealed their parts of the coin in `entries`.

    `coin` is the digest of the step in which they committed to these parts. The id also depends on
    the id of `epoch` and on the settings.
    """
    shown = {epoch.keys[each.seat]: payload_as(each, wire.CoinReveal).secret for each in entries}
    roster, rules = sorted(shown), _rules_digest(settings)
    secrets = [shown[key] for key in roster]
    return session_id(epoch.id, PROTOCOL_VERSION, rules, roster, coin, secrets)
