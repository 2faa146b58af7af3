"""The transitions: who must write, which entries are acceptable, what follows [protocol.md §4.4].

They are one table, `TRANSITIONS`, which protocol.md prints too. Everything here is a function of
the log alone, so every peer, and `verify` years later, sees the same.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from engine.play.due import due_seats
from netgame.errors import Malformed
from netgame.frozen import FrozenStruct
from netgame.protocol.log.entry import Entries, Entry, entry_name, step_digest
from netgame.protocol.log.fault import CheckCode, Finding, PendingProof
from netgame.protocol.notices import DealPhase, DealStage
from netgame.protocol.state import deal, leavers, lobby, play, round_end, shares, turn
from netgame.protocol.state import phases as at
from netgame.protocol.state.deck import Deal
from netgame.protocol.state.state import Completed, State
from netgame.wire import messages as wire

Kind: TypeAlias = type[wire.Payload]


def _nothing_to_check(state: State, now: at.Now, seat: int, payload: object) -> None:
    """Check nothing: a commitment cannot be wrong yet."""


def _complete_stage(state: State, now: at.Staged, entries: Entries) -> Completed:
    """Finish a step of a deal: go back to the turns or, if the table waits for the deck, go on.

    The one notice names the stage and, if it was mixing, the player who mixed. A fault that only
    the whole step shows is stored in `late`, without a notice, and the deal stays as it was.
    """
    moved = deal.moved_on(state, now.deal, entries)
    if isinstance(moved, at.Late):
        after = _with_deal(state, now, now.deal)
        return replace(state, now=after, late=moved), ()
    mixer = state.seats[entries[0].seat].name if now.deal.phase is DealPhase.DECK else ""
    return state.at(_with_deal(state, now, moved)), (DealStage(now.deal.phase, mixer),)


def _with_deal(state: State, now: at.Staged, moved: Deal) -> at.Now:
    if isinstance(now, at.BetweenTurns):
        return at.Playing(replace(now.round, following=moved))
    if moved.phase is not DealPhase.READY:
        return replace(now, deal=moved)
    match now:
        case at.Dealing(since):
            return play.begin_round(state, since, moved)
        case at.Reshuffling(round_):
            return play.resume_reshuffled(state, round_, moved)
        case at.MixingRebuilt(round_):
            return at.BlindingRebuilt(round_, moved)


# ---- the table --------------------------------------------------------------------------------


class Writers(FrozenStruct):
    """A rule that determines the authors of a step."""

    words: str
    """The words that protocol.md prints for them."""
    of: Callable[[State, Any], tuple[int, ...]]
    """Returns the authors for a state and phase."""


class Transition(FrozenStruct):
    """One phase and some kinds of entry: who writes them, their check, and what may follow."""

    phase: type[at.Now]
    writers: Writers
    kinds: tuple[Kind, ...]
    check: Callable[..., Finding | PendingProof | None]
    complete: Callable[..., Completed]
    next: tuple[type[at.Now], ...]
    """The phases to which `complete` may lead."""
    stage: DealPhase | None = None
    """The stage of a deal that is due; None in a phase that has none."""


HOST: Final = Writers("the host, as seat 255", lambda state, now: (wire.CHAIR,))
MEMBERS: Final = Writers("every member", lambda state, now: state.present)
ALL: Final = Writers("every seat", lambda state, now: state.present)
STAYING: Final = Writers("every seat that stays", lambda state, now: state.present)
DEALERS: Final = Writers("every seat", lambda state, now: now.deal.authors)
MIXER: Final = Writers(
    "one seat, in seat order", lambda state, now: now.deal.authors[len(now.deal.decks) - 1 :][:1]
)
SHARERS: Final = Writers("every seat that owes one", shares.share_authors)
TURN: Final = Writers(
    "the seat that is due, or all that are due at once",
    lambda state, now: tuple(due_seats(now.round.table)),
)
GIVERS: Final = Writers(
    "every seat whose tile goes back unseen",
    lambda state, now: tuple(sorted(seat for seat, _ in now.going_back.hidden)),
)
DRAWERS: Final = Writers(
    "every seat that can be told to have drawn since its hand was last mixed",
    lambda state, now: play.hands_to_mix(state, now.round),
)


def _stages(
    phase: type[at.Staged], within: type[at.Now], *ready: type[at.Now]
) -> tuple[Transition, ...]:
    """Return the transitions for the stages of a deal, in order.

    Each may lead to the phase `within`; if `ready` is given, the last one leads to those instead.
    """
    kinds: tuple[Kind, ...] = (wire.KeyCommit, wire.KeyOpen, wire.Deck, wire.Proof, wire.Checked)
    return tuple(
        Transition(
            phase=phase,
            writers=MIXER if kind is wire.Deck else DEALERS,
            kinds=(kind,),
            check=deal.check_stage,
            complete=_complete_stage,
            next=ready if ready and kind is wire.Checked else (within,),
            stage=stage,
        )
        for stage, kind in zip(DealPhase, kinds, strict=False)  # READY has no entries
    )


def _chain(phase: type[at.Staged], *ready: type[at.Now]) -> tuple[Transition, ...]:
    """Return the transitions for a deal that has its keys already: the stages from the deck on."""
    return _stages(phase, phase, *ready)[2:]


_PLAYED: Final = wire.Turn.__args__

TRANSITIONS: Final = (
    Transition(at.Unopened, HOST, (wire.OpenTable,), lobby.check_open_table,
               lobby.complete_open_table, (at.InLobby,)),
    Transition(at.InLobby, HOST, (wire.Admit,), lobby.check_admit,
               lobby.complete_admit, (at.InLobby,)),
    Transition(at.InLobby, HOST, (wire.Dismiss,), lobby.check_dismiss,
               lobby.complete_dismiss, (at.InLobby,)),
    Transition(at.InLobby, HOST, (wire.Close,), lobby.check_close,
               lobby.complete_close, (at.SigningRoster,)),
    Transition(at.SigningRoster, MEMBERS, (wire.Roster,), lobby.check_roster,
               lobby.complete_roster, (at.CommittingCoin,)),
    Transition(at.CommittingCoin, MEMBERS, (wire.CoinCommit,), _nothing_to_check,
               lobby.complete_coin_commit, (at.RevealingCoin,)),
    Transition(at.RevealingCoin, MEMBERS, (wire.CoinReveal,), lobby.check_coin_reveal,
               lobby.complete_coin_reveal, (at.CoinFallen,)),
    *_stages(at.Dealing, at.Dealing, at.SharingHands, at.SharingDraws),
    Transition(at.SharingHands, SHARERS, (wire.Shares,), shares.check_shares,
               play.complete_dealt, (at.Playing, at.SealingOpenings)),
    Transition(at.Playing, TURN, _PLAYED, turn.check_turn, turn.complete_turn,
               (at.Playing, at.BetweenTurns, at.SharingDraws, at.HearingCalls, at.MixingHands,
                at.HandingOver, at.Reshuffling, at.Dealing, at.SealingOpenings, at.OpeningHands)),
    *_stages(at.BetweenTurns, at.Playing),
    Transition(at.SealingOpenings, ALL, (wire.OpeningCommit,), _nothing_to_check,
               turn.complete_opening_commit, (at.ShowingOpenings,)),
    Transition(at.ShowingOpenings, TURN, (wire.OpeningReveal,), turn.check_opening_reveal,
               turn.complete_turn,
               (at.Playing, at.BetweenTurns, at.SharingDraws, at.MixingHands, at.OpeningHands)),
    Transition(at.SharingDraws, SHARERS, (wire.Shares,), shares.check_shares,
               play.complete_drawn,
               (at.Playing, at.Reshuffling, at.SharingDraws, at.Dealing, at.OpeningHands)),
    Transition(at.HearingCalls, ALL, wire.Spoken.__args__, turn.check_call,
               turn.complete_calls, (at.Playing, at.BetweenTurns, at.SharingDraws, at.MixingHands)),
    Transition(at.MixingHands, DRAWERS, (wire.MixHand,), play.check_mix_hand,
               play.complete_mix_hand, (at.Playing, at.BetweenTurns)),
    Transition(at.HandingOver, GIVERS, (wire.HandOver,), play.check_hand_over,
               play.complete_hand_over, (at.Reshuffling,)),
    *_chain(at.Reshuffling, at.SharingHands, at.Playing, at.SealingOpenings, at.OpeningHands),
    Transition(at.Rebuilding, STAYING, (wire.Rebuild,), leavers.check_rebuild,
               leavers.complete_rebuild, (at.MixingRebuilt,)),
    *_chain(at.MixingRebuilt, at.BlindingRebuilt),
    Transition(at.BlindingRebuilt, STAYING, (wire.Blind,), leavers.check_blind,
               leavers.complete_blind, (at.FindingBlanks, at.BlindingRebuilt)),
    Transition(at.FindingBlanks, STAYING, (wire.Unblind,), leavers.check_unblind,
               leavers.complete_unblind, (at.Playing, at.OpeningHands, at.Dealing)),
    Transition(at.OpeningHands, ALL, (wire.Open,), round_end.check_open,
               round_end.complete_open, (at.Scoring,)),
    Transition(at.Scoring, ALL, (wire.RoundOver,), round_end.check_round_over,
               round_end.complete_round_over,
               (at.Dealing, at.SharingHands, at.SharingDraws, at.Auditing, at.SigningRoster,
                at.Over)),
    Transition(at.Auditing, ALL, (wire.Keys,), round_end.check_keys,
               round_end.complete_keys,
               (at.Dealing, at.SharingHands, at.SharingDraws, at.SigningRoster, at.Over)),
)  # fmt: skip
"""All transitions that entries can cause. After a coin, `lobby.open_session` follows once a poll
has decided it; when a seat goes, `leavers.open_epoch` does."""

_BY_PLACE: Final[dict[tuple[type[at.Now], DealPhase | None], dict[Kind, Transition]]] = {}
for _row in TRANSITIONS:
    _BY_PLACE.setdefault((_row.phase, _row.stage), {}).update(dict.fromkeys(_row.kinds, _row))


def _due(now: at.Now) -> dict[Kind, Transition]:
    if isinstance(now, at.FINAL):
        return {}
    return _BY_PLACE[type(now), now.deal.phase if isinstance(now, at.Staged) else None]


class Due(NamedTuple):
    """The authors that must write the due step, and the kinds of entry they may write."""

    authors: tuple[int, ...]
    kinds: tuple[Kind, ...]


_asked: tuple[State, Due] = State(), Due((), ())


def due(state: State) -> Due:
    """Return the authors, in seat order, and the kinds of entry of the due step.

    Both are empty when the game is over, and while a poll is to begin the session of a fallen coin.
    """
    global _asked  # callers ask about the same state again and again
    last, answer = _asked
    if state is not last:
        rows = _due(state.now)
        # All rows of one phase and stage have the same writers.
        writers = next((row.writers.of(state, state.now) for row in rows.values()), ())
        answer = Due(writers, tuple(rows))
        _asked = state, answer
    return answer


def check_payload(state: State, entry: Entry) -> Finding | PendingProof | None:
    """Return a `Finding` if the payload of a due slot is wrong, or None if it is good.

    If slow checks remain, they are returned as a `PendingProof`. A kind that is not due, or octets
    that do not decode, are a finding. This does not check that the author is due, that step and
    link are right, or that the slot is free.
    """
    row, name = _due(state.now).get(type(entry.payload)), entry_name(entry.payload)
    if row is None:
        return Finding(CheckCode.KIND, f"wrote a {name} where none was due")
    try:
        return row.check(state, state.now, entry.seat, entry.payload)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"wrote a malformed entry ({name}): {problem}")


def complete_step(state: State, entries: Entries) -> Completed:
    """Return the state after the due step with all its entries, and the notices to give.

    The entries, of which there is at least one, must have been checked. The new state's `late` is
    the fault that all of them together show, or None.
    """
    row = _due(state.now)[type(entries[0].payload)]
    moved, notices = row.complete(replace(state, late=None), state.now, entries)
    head = step_digest(state.head, entries)
    return replace(moved, step=state.step + 1, head=head), notices
