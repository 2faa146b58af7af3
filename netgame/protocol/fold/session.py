"""The fold: who must write, is what they wrote acceptable, and what follows [protocol.md §4.4].

One table joins each kind of entry with its phase, its check and what completes it. Everything
here is a function of the log alone, so every peer, and `verify` years later, sees the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.table.table import RoundPhase as TablePhase
from netgame.protocol.fold import audit, deal, lobby, mix, opening, play, rebuild, turn
from netgame.protocol.fold.state import DealPhase, Due, Phase, State
from netgame.protocol.log.entry import Entry, step_digest
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.protocol.notices import Notice
from netgame.wire import messages as wire
from netgame.wire.messages import CHAIR

Complete = Callable[[State, tuple[Entry, ...]], tuple[State, "tuple[Notice, ...]"]]


@dataclass(frozen=True, slots=True)
class EntryKind:
    """How one kind of entry is judged, and what its done step does."""

    phases: tuple[Phase, ...]
    check: Callable[..., Finding | Judging | None]
    complete: Complete


def _nothing_to_check(state: State, entry: Entry, payload: object) -> None:
    """A commitment says nothing that could be wrong yet."""
    del state, entry, payload


def _complete_deal_stage(
    state: State, entries: tuple[Entry, ...]
) -> tuple[State, tuple[Notice, ...]]:
    """A stage of a deal is done: back to the turns, or, if the table waits for it, on."""
    moved, notices = deal.complete_deal(state, entries)
    if state.interlude:
        return replace(moved, interlude=False), notices
    assert moved.deal is not None
    if moved.deal.phase is DealPhase.READY and moved.blinded is not None:
        return rebuild.begin_blinding(moved), notices
    if moved.deal.phase is DealPhase.READY:
        again = moved.table is not None and moved.table.phase is TablePhase.RESHUFFLE
        moved = play.resume_reshuffled(moved) if again else play.begin_round(moved)
    return moved, notices


def _complete_mix_hand(
    state: State, entries: tuple[Entry, ...]
) -> tuple[State, tuple[Notice, ...]]:
    return play.go_on(mix.complete_mix_hand(state, entries), turn_over=True, called=True), ()


_DEALING: Final = (Phase.DEAL, Phase.PLAY)
_DEAL_KIND: Final = EntryKind(_DEALING, deal.check_deal, _complete_deal_stage)
_TURN: Final = EntryKind((Phase.PLAY,), turn.check_turn, turn.complete_turn)
_LOBBY: Final = (Phase.LOBBY,)

KINDS: Final[dict[type[wire.Payload], EntryKind]] = {
    wire.OpenTable: EntryKind(_LOBBY, lobby.check_open_table, lobby.complete_open_table),
    wire.Admit: EntryKind(_LOBBY, lobby.check_admit, lobby.complete_admit),
    wire.Dismiss: EntryKind(_LOBBY, lobby.check_dismiss, lobby.complete_dismiss),
    wire.Close: EntryKind(_LOBBY, lobby.check_close, lobby.complete_close),
    wire.Roster: EntryKind((Phase.ROSTER,), lobby.check_roster, lobby.complete_roster),
    wire.CoinCommit: EntryKind((Phase.COIN_COMMIT,), _nothing_to_check, lobby.complete_coin_commit),
    wire.CoinReveal: EntryKind(
        (Phase.COIN_REVEAL,), lobby.check_coin_reveal, lobby.complete_coin_reveal
    ),
    wire.KeyCommit: _DEAL_KIND,
    wire.KeyOpen: _DEAL_KIND,
    wire.Deck: _DEAL_KIND,
    wire.Proof: _DEAL_KIND,
    wire.Checked: _DEAL_KIND,
    wire.Shares: EntryKind((Phase.SHARES, Phase.DRAWN), play.check_shares, play.complete_shares),
    wire.Lay: _TURN,
    wire.Draw: _TURN,
    wire.Pass: _TURN,
    wire.Act: EntryKind((Phase.PLAY, Phase.CALLS), turn.check_act, turn.complete_act),
    wire.OpeningCommit: EntryKind(
        (Phase.OPENING_COMMIT,), _nothing_to_check, opening.complete_opening_commit
    ),
    wire.OpeningReveal: EntryKind(
        (Phase.PLAY,), opening.check_opening_reveal, opening.complete_opening_reveal
    ),
    wire.HandOver: EntryKind((Phase.HAND_OVER,), play.check_hand_over, play.complete_hand_over),
    wire.MixHand: EntryKind((Phase.MIX_HAND,), mix.check_mix_hand, _complete_mix_hand),
    wire.Rebuild: EntryKind((Phase.REBUILD,), rebuild.check_rebuild, rebuild.complete_rebuild),
    wire.Blind: EntryKind((Phase.BLIND,), rebuild.check_blind, rebuild.complete_blind),
    wire.Unblind: EntryKind((Phase.UNBLIND,), rebuild.check_unblind, rebuild.complete_unblind),
    wire.Open: EntryKind((Phase.OPEN,), play.check_open, play.complete_open),
    wire.RoundOver: EntryKind((Phase.SCORE,), play.check_round_over, play.complete_round_over),
    wire.Keys: EntryKind((Phase.AUDIT,), audit.check_keys, play.complete_keys),
}


_AUTHORS: Final[dict[Phase, Callable[[State], tuple[int, ...]]]] = {
    Phase.SHARES: play.share_authors,
    Phase.DRAWN: play.share_authors,
    Phase.MIX_HAND: mix.hands_to_mix,
    Phase.HAND_OVER: play.givers,
}
"""Who writes in the phases in which neither all seats do nor those whose turn it is."""


def due(state: State) -> Due:
    """Who must write the step that is due, and what they may write; nobody when it is over."""
    everybody = state.present
    match state.phase:
        case Phase.LOBBY:
            opening: tuple[type[Any], ...] = (wire.OpenTable,)
            later = (wire.Admit, wire.Dismiss, wire.Close)
            return Due((CHAIR,), opening if state.step == 0 else later)
        case Phase.PLAY if not state.interlude:
            authors = turn.turn_authors(state)
            if state.sealed is not None:
                return Due(authors, (wire.OpeningReveal,))
            return Due(authors, (wire.Lay, wire.Draw, wire.Pass, wire.Act))
        case Phase.DEAL | Phase.PLAY:
            assert state.deal is not None
            return Due(deal.deal_authors(state.deal), (deal.DEAL_KINDS[state.deal.phase],))
        case Phase.OVER:
            return Due((), ())
        case phase:
            kinds = tuple(kind for kind, how in KINDS.items() if phase in how.phases)
            some = _AUTHORS.get(phase)
            return Due(everybody if some is None else some(state), kinds)


def check_payload(state: State, entry: Entry) -> Finding | Judging | None:
    """Judge what a slot that is due says; `Judging` has the part that takes time."""
    payload = entry.payload
    if type(payload) not in due(state).kinds:
        return Finding(CheckCode.KIND, f"wrote a {deal.entry_name(payload)} where none was due")
    return KINDS[type(payload)].check(state, entry, payload)


def complete_step(state: State, entries: tuple[Entry, ...]) -> tuple[State, tuple[Notice, ...]]:
    """The state after the step now due, given all its entries, and what there is to tell."""
    complete = KINDS[type(entries[0].payload)].complete
    moved, notices = complete(replace(state, late=None), entries)
    head = step_digest(state.head, entries)
    return replace(moved, step=state.step + 1, head=head), notices
