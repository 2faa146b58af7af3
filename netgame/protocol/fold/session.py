"""The fold: who must write, is what they wrote acceptable, and what follows [protocol.md §4.4].

One table, `TRANSITIONS`, which protocol.md prints too. Everything here is a function of the log
alone, so every peer, and `verify` years later, sees the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias

from netgame.errors import Malformed
from netgame.protocol.fold import (
    audit,
    deal,
    forming,
    lobby,
    mix,
    opening,
    play,
    rebuild,
    round_end,
    shares,
    turn,
)
from netgame.protocol.fold.deck import Deal, DealPhase
from netgame.protocol.fold.phases import (
    Auditing,
    BetweenTurns,
    BlindingRebuilt,
    CommittingCoin,
    Dealing,
    FindingBlanks,
    HandingOver,
    HearingCalls,
    InLobby,
    Late,
    MixingHands,
    MixingRebuilt,
    Now,
    OpeningHands,
    Over,
    Playing,
    Rebuilding,
    Reshuffling,
    RevealingCoin,
    Scoring,
    SealingOpenings,
    SharingDraws,
    SharingHands,
    ShowingOpenings,
    SigningRoster,
    Staged,
    Unopened,
)
from netgame.protocol.fold.state import Completed, State
from netgame.protocol.log.entry import Entry, step_digest
from netgame.protocol.log.fault import CheckCode, Finding, Judging
from netgame.wire import messages as wire

Kind: TypeAlias = type[wire.Payload]


def _nothing_to_check(state: State, now: Now, entry: Entry, payload: object) -> None:
    """A commitment says nothing that could be wrong yet."""


def _complete_stage(state: State, now: Staged, entries: tuple[Entry, ...]) -> Completed:
    """A stage of a deal is done: back to the turns, or, if the table waits for the deck, on."""
    moved = deal.moved_on(state, now.deal, entries)
    if isinstance(moved, Late):
        after = _with_deal(state, now, now.deal)
        return replace(state, now=after, late=moved), ()
    note = deal.stage_of(state, moved)
    return state.at(_with_deal(state, now, moved)), (note,)


def _with_deal(state: State, now: Staged, moved: Deal) -> Now:
    if isinstance(now, BetweenTurns):
        return Playing(replace(now.round, following=moved))
    if moved.phase is not DealPhase.READY:
        return replace(now, deal=moved)
    match now:
        case Dealing(since):
            return play.begin_round(state, since, moved)
        case Reshuffling(round_):
            return play.resume_reshuffled(state, round_, moved)
        case MixingRebuilt(round_):
            return BlindingRebuilt(round_, moved)


def _complete_mix_hand(state: State, now: MixingHands, entries: tuple[Entry, ...]) -> Completed:
    mixed = mix.mixed_hands(now.round, entries)
    return state.at(play.go_on(state, mixed, turn_over=True, called=True)), ()


# ---- the table --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Writers:
    """Who writes, as protocol.md says it and as it is found."""

    words: str
    of: Callable[[State, Any], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Transition:
    """In one phase one kind of entry, or several: who writes it, its check, what may follow."""

    phase: type[Now]
    writers: Writers
    kinds: tuple[Kind, ...]
    check: Callable[..., Finding | Judging | None]
    complete: Callable[..., Completed]
    next: tuple[type[Now], ...]
    stage: DealPhase | None = None


HOST: Final = Writers("the host, as seat 255", lambda state, now: (wire.CHAIR,))
MEMBERS: Final = Writers("every member", lambda state, now: state.present)
ALL: Final = Writers("every seat", lambda state, now: state.present)
STAYING: Final = Writers("every seat that stays", lambda state, now: state.present)
DEALERS: Final = Writers("every seat", lambda state, now: now.deal.authors)
MIXER: Final = Writers(
    "one seat, in seat order", lambda state, now: now.deal.authors[len(now.deal.decks) - 1 :][:1]
)
SHARERS: Final = Writers("every seat that owes one", shares.share_authors)
TURN: Final = Writers("the seat that is due, or all that are due at once", turn.turn_authors)
GIVERS: Final = Writers("every seat whose tile goes back unseen", play.givers)
DRAWERS: Final = Writers(
    "every seat that can be told to have drawn since its hand was last mixed",
    lambda state, now: mix.hands_to_mix(state, now.round),
)


def _stages(phase: type[Staged], within: type[Now], *ready: type[Now]) -> tuple[Transition, ...]:
    """The stages of a deal in a phase: `within` follows each, `ready` the last."""
    kinds: dict[DealPhase, Kind] = {
        DealPhase.KEY_COMMIT: wire.KeyCommit,
        DealPhase.KEY_OPEN: wire.KeyOpen,
        DealPhase.DECK: wire.Deck,
        DealPhase.PROOF: wire.Proof,
        DealPhase.CHECKED: wire.Checked,
    }
    return tuple(
        Transition(
            phase, MIXER if kind is wire.Deck else DEALERS, (kind,),
            deal.check_stage, _complete_stage,
            ready if ready and kind is wire.Checked else (within,), stage,
        )
        for stage, kind in kinds.items()
    )  # fmt: skip


def _chain(phase: type[Staged], *ready: type[Now]) -> tuple[Transition, ...]:
    """A deal that has the keys of its round already: it begins with the first deck."""
    return _stages(phase, phase, *ready)[2:]


_PLAYED: Final = (wire.Lay, wire.Draw, wire.Pass, wire.Act)

TRANSITIONS: Final = (
    Transition(Unopened, HOST, (wire.OpenTable,), lobby.check_open_table,
               lobby.complete_open_table, (InLobby,)),
    Transition(InLobby, HOST, (wire.Admit,), lobby.check_admit,
               lobby.complete_admit, (InLobby,)),
    Transition(InLobby, HOST, (wire.Dismiss,), lobby.check_dismiss,
               lobby.complete_dismiss, (InLobby,)),
    Transition(InLobby, HOST, (wire.Close,), lobby.check_close,
               lobby.complete_close, (SigningRoster,)),
    Transition(SigningRoster, MEMBERS, (wire.Roster,), forming.check_roster,
               forming.complete_roster, (CommittingCoin,)),
    Transition(CommittingCoin, MEMBERS, (wire.CoinCommit,), _nothing_to_check,
               forming.complete_coin_commit, (RevealingCoin,)),
    Transition(RevealingCoin, MEMBERS, (wire.CoinReveal,), forming.check_coin_reveal,
               forming.complete_coin_reveal, (Dealing,)),
    *_stages(Dealing, Dealing, SharingHands, SharingDraws),
    Transition(SharingHands, SHARERS, (wire.Shares,), shares.check_shares,
               play.complete_dealt, (Playing, SealingOpenings)),
    Transition(Playing, TURN, _PLAYED, turn.check_turn, turn.complete_turn,
               (Playing, BetweenTurns, SharingDraws, HearingCalls, MixingHands, HandingOver,
                Reshuffling, Dealing, SealingOpenings, OpeningHands)),
    *_stages(BetweenTurns, Playing),
    Transition(SealingOpenings, ALL, (wire.OpeningCommit,), _nothing_to_check,
               opening.complete_opening_commit, (ShowingOpenings,)),
    Transition(ShowingOpenings, TURN, (wire.OpeningReveal,), opening.check_opening_reveal,
               opening.complete_opening_reveal,
               (Playing, BetweenTurns, SharingDraws, MixingHands, OpeningHands)),
    Transition(SharingDraws, SHARERS, (wire.Shares,), shares.check_shares,
               play.complete_drawn, (Playing, Reshuffling, SharingDraws, Dealing, OpeningHands)),
    Transition(HearingCalls, ALL, (wire.Act,), turn.check_call,
               turn.complete_calls, (Playing, BetweenTurns, SharingDraws, MixingHands)),
    Transition(MixingHands, DRAWERS, (wire.MixHand,), mix.check_mix_hand,
               _complete_mix_hand, (Playing, BetweenTurns)),
    Transition(HandingOver, GIVERS, (wire.HandOver,), play.check_hand_over,
               play.complete_hand_over, (Reshuffling,)),
    *_chain(Reshuffling, SharingHands, Playing, SealingOpenings, OpeningHands),
    Transition(Rebuilding, STAYING, (wire.Rebuild,), rebuild.check_rebuild,
               rebuild.complete_rebuild, (MixingRebuilt,)),
    *_chain(MixingRebuilt, BlindingRebuilt),
    Transition(BlindingRebuilt, STAYING, (wire.Blind,), rebuild.check_blind,
               rebuild.complete_blind, (FindingBlanks, BlindingRebuilt)),
    Transition(FindingBlanks, STAYING, (wire.Unblind,), rebuild.check_unblind,
               rebuild.complete_unblind, (Playing, OpeningHands, Dealing)),
    Transition(OpeningHands, ALL, (wire.Open,), round_end.check_open,
               round_end.complete_open, (Scoring,)),
    Transition(Scoring, ALL, (wire.RoundOver,), round_end.check_round_over,
               round_end.complete_round_over,
               (Dealing, SharingHands, SharingDraws, Auditing, SigningRoster, Over)),
    Transition(Auditing, ALL, (wire.Keys,), audit.check_keys,
               round_end.complete_keys, (Dealing, SharingHands, SharingDraws, SigningRoster, Over)),
)  # fmt: skip
"""All that can happen while nobody leaves; who has left for good is `leavers`' affair."""

_Place: TypeAlias = tuple[type[Now], DealPhase | None]


def _by_place() -> dict[_Place, dict[Kind, Transition]]:
    found: dict[_Place, dict[Kind, Transition]] = {(Over, None): {}}
    for each in TRANSITIONS:
        rows = found.setdefault((each.phase, each.stage), {})
        rows.update(dict.fromkeys(each.kinds, each))
    return found


_BY_PLACE: Final = _by_place()


def _due(now: Now) -> dict[Kind, Transition]:
    return _BY_PLACE[type(now), now.deal.phase if isinstance(now, Staged) else None]


class Due(NamedTuple):
    """Whom the fold waits for, and what they may write."""

    authors: tuple[int, ...]
    kinds: tuple[Kind, ...]


def due(state: State) -> Due:
    """Who must write the step that is due, and what they may write; nobody when it is over."""
    rows = _due(state.now)
    for row in rows.values():  # of one phase and stage all have the same writers
        return Due(row.writers.of(state, state.now), tuple(rows))
    return Due((), ())


def check_payload(state: State, entry: Entry) -> Finding | Judging | None:
    """Judge what a slot that is due says; `Judging` has the part that takes time."""
    row, name = _due(state.now).get(type(entry.payload)), deal.entry_name(entry.payload)
    if row is None:
        return Finding(CheckCode.KIND, f"wrote a {name} where none was due")
    try:
        return row.check(state, state.now, entry, entry.payload)
    except Malformed as problem:
        return Finding(CheckCode.SHAPE, f"wrote a malformed entry ({name}): {problem}")


def complete_step(state: State, entries: tuple[Entry, ...]) -> Completed:
    """The state after the step now due, given all its entries, and what there is to tell."""
    row = _due(state.now)[type(entries[0].payload)]
    moved, notices = row.complete(replace(state, late=None), state.now, entries)
    head = step_digest(state.head, entries)
    return replace(moved, step=state.step + 1, head=head), notices
