"""A table forms: a roster that all sign, a coin that nobody can choose [protocol.md §4.4, §5.2].

Every member signs the roster and the rules, commits to its part of a coin, and reveals it. The coin
names the session and, the first time, seats and first player.
"""

from dataclasses import replace

from engine.play.leavers import leave
from engine.rules.spec import TableSpec
from engine.scoring import winners
from engine.table.events import GameEnded
from engine.table.rounds import next_round_number
from netgame.crypto.coin import coin_commitment, first_seat, seat_order, session_id
from netgame.crypto.transcript import Tag, digest
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.fold import phases
from netgame.protocol.fold.deal import as_seats, new_deal
from netgame.protocol.fold.lobby import spec_of
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import Entry, by_seat, said, step_digest
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.protocol.notices import (
    GameOver,
    GameStarted,
    LobbyChanged,
    SeatsCame,
    TableClosed,
    WhyClosed,
)
from netgame.wire.codec import encode
from netgame.wire.messages import CoinCommit, CoinReveal, Roster, Settings


def agreed_digest(state: State) -> bytes:
    """What every member signs in the roster step: the rules and the sorted keys."""
    keys = (state.author_key(state.step, seat) for seat in state.present)
    roster = sorted(key for key in keys if key is not None)
    return digest(Tag.ROSTER, state.log_id, _rules_digest(state.settings), roster)


def _rules_digest(settings: Settings) -> bytes:
    """What stands for the rules in the session id."""
    return digest(Tag.RULES, encode(settings))


def check_roster(
    state: State, now: phases.SigningRoster, entry: Entry, payload: Roster
) -> Finding | None:
    """Every member signs the same roster and rules."""
    if payload.digest != agreed_digest(state):
        return Finding(CheckCode.SHAPE, "signed another roster or other rules")
    return None


def complete_roster(
    state: State, now: phases.SigningRoster, entries: tuple[Entry, ...]
) -> Completed:
    """All agree; on to the coin."""
    return state.at(phases.CommittingCoin(now.of)), ()


def complete_coin_commit(
    state: State, now: phases.CommittingCoin, entries: tuple[Entry, ...]
) -> Completed:
    """All are bound to their part of the coin."""
    seats = len(state.seats or state.roster)
    commitments = by_seat(entries, seats, lambda each: said(each, CoinCommit).commitment, b"")
    digest_ = step_digest(state.head, entries)
    return state.at(phases.RevealingCoin(now.of, commitments, state.head, digest_)), ()


def form_again(
    state: State, of: phases.FirstTable | phases.NewSeats, lost: frozenset[int]
) -> Completed:
    """Somebody left while a table forms: those who stay sign the roster and commit anew."""
    if isinstance(of, phases.NewSeats):
        standing = replace(of.standing, table=leave(of.standing.table, as_seats(lost)))
        if len(state.present) == 1:
            ended = (GameEnded(winners(standing.table)),)
            return state.at(phases.Over(standing)), (GameOver(ended),)
        return state.at(phases.SigningRoster(of._replace(standing=standing))), ()
    spec = spec_of(state.settings, len(state.present))
    if not isinstance(spec, TableSpec):
        return state.at(phases.Over()), (TableClosed(WhyClosed.TOO_FEW),)
    return state.at(phases.SigningRoster(of._replace(spec=spec))), (LobbyChanged(),)


def check_coin_reveal(
    state: State, now: phases.RevealingCoin, entry: Entry, payload: CoinReveal
) -> Finding | None:
    """The octets are those committed to."""
    key, committed = state.author_key(state.step, entry.seat), now.commitments[entry.seat]
    if key is None or coin_commitment(state.log_id, key, payload.secret) != committed:
        return Finding(CheckCode.PROOF, "revealed a coin it had not committed to")
    return None


def complete_coin_reveal(
    state: State, now: phases.RevealingCoin, entries: tuple[Entry, ...]
) -> Completed:
    """The coin names the session and, the first time, the order of seats and who begins."""
    sid = _session_of(state, now, entries)
    named = replace(state, log_id=sid, sessions=(*state.sessions, (state.step + 1, sid)))
    if isinstance(now.of, phases.NewSeats):
        standing = now.of.standing
        table = standing.table
        came = tuple(seat for seat in state.present if table.aside.came >> seat & 1)
        deal = new_deal(named, table.spec, next_round_number(table))
        return named.at(phases.Dealing(standing, deal)), (
            SeatsCame(tuple(map(state.name_of, came))),
        )
    roster = tuple(state.roster[seat] for seat in state.present)
    by_key = {member.key: member for member in state.members}
    seats = tuple(by_key[key] for key in seat_order(sid, roster))
    seated = replace(named, seats=seats, gone=frozenset(), seats_step=state.step + 1)
    since = phases.FirstDeal(now.of.spec, _first_of(state, now.of, sid, seats))
    return seated.at(phases.Dealing(since, new_deal(seated, now.of.spec, 0))), (GameStarted(),)


def _first_of(
    state: State, of: phases.FirstTable, sid: bytes, seats: tuple[phases.Member, ...]
) -> int:
    """Who plays first: by the coin; or whom the table chose, and if that has left the next to come.

    Next in the order in which they sat down, which is not that of the seats.
    """
    if not of.chosen:
        return first_seat(sid, len(seats))
    came = [member.key for member in state.members]
    at = came.index(of.chosen)
    here = {member.key: seat for seat, member in enumerate(seats)}
    return next(here[key] for key in (*came[at:], *came[:at]) if key in here)


def _session_of(state: State, now: phases.RevealingCoin, entries: tuple[Entry, ...]) -> bytes:
    """The id of the session of those who revealed, under the id of what came before it."""
    keyed = [(state.author_key(state.step, entry.seat), entry) for entry in entries]
    secrets = {key: said(entry, CoinReveal).secret for key, entry in keyed if key is not None}
    roster = sorted(secrets)
    return session_id(
        state.log_id,
        PROTOCOL_VERSION,
        _rules_digest(state.settings),
        roster,
        now.digest,
        [secrets[key] for key in roster],
    )
