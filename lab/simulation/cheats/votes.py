"""Cheats with votes: more of them than a seat has, the same twice, and words that nobody gave.

A seat that votes does so in the turn of another, where it owes nothing itself.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from lab.simulation.cheats.cheat import Cheat, Cheater, How, Ready
from netgame.limits import BALLOT_MAX, MISSING_MAX
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.log.entry import GENESIS, Signer, filled_mask, sign_entry
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire

_SEVEN: Final = wire.Settings("standard", (), 6, 7, 1, 1)
"""Of six others there are 21 sets that one seat may vote for: more than it has votes."""
_FIVE: Final = wire.Settings("standard", (), 6, 5, 1, 3)
_TWO: Final = wire.Settings("standard", (), 6, 2, 2, 4)
_LONG_DONE: Final = 6
"""So many steps back everybody has written since."""
_FIVE_LEFT: Final = wire.Settings("standard", (), 6, 5, 1, 3, ("leaver=rebuild", "patience=minute"))


def _others(core: Core) -> tuple[int, ...]:
    """Who else is there, in the turn of another; nobody at any other time."""
    state, seat = core.state, core.state.seat_of(core.key)
    if seat is None or state.phase is not Phase.PLAY or seat in due(state).authors:
        return ()
    return tuple(each for each in state.present if each != seat)


def _may_be_missing(core: Core) -> tuple[tuple[int, ...], ...]:
    """All sets of others that are fewer than half of the table, the smallest first."""
    others, most = _others(core), (len(core.state.present) - 1) // 2
    return tuple(some for size in range(1, most + 1) for some in combinations(others, size))


def vote(
    core: Core,
    seats: Sequence[int],
    stage: int,
    *words: wire.Leave,
    ballot: int = 0,
    step: int | None = None,
    prev: bytes = b"",
    signer: Signer | None = None,
) -> wire.SignedEntry:
    """A vote at this stage, with words of those who are said to leave: its own, on the due step."""
    state, signer = core.state, signer or core.place.signer
    seat = state.seat_of(signer.public_bytes)
    assert seat is not None
    said = wire.Missing(filled_mask(tuple(seats)), ballot, words, whole=False, unplayed=False)
    at = state.step if step is None else step
    body = wire.Body(state.log_id, at, prev or state.head, seat, stage, said)
    return sign_entry(signer, body)


def _voting(
    votes: Callable[[Core, tuple[tuple[int, ...], ...]], Sequence[wire.SignedEntry]],
) -> Callable[[Core, object], Ready | None]:
    """Have these votes sent, where somebody may be said to be missing at all."""

    def bend(core: Core, _: object) -> Ready | None:
        sets = _may_be_missing(core)
        return Ready("missing", tuple(votes(core, sets))) if len(sets) > 1 else None

    return bend


def _every_stage(core: Core, sets: tuple[tuple[int, ...], ...]) -> list[wire.SignedEntry]:
    """As many as it has, each for another set."""
    return [vote(core, some, at) for at, some in enumerate(sets[:MISSING_MAX], 1)]


def _every_set(core: Core, sets: tuple[tuple[int, ...], ...]) -> list[wire.SignedEntry]:
    """A vote for each set there is; where its stages are used up it begins with them again."""
    return [vote(core, some, at % MISSING_MAX + 1) for at, some in enumerate(sets)]


def _one_too_many(core: Core, sets: tuple[tuple[int, ...], ...]) -> list[wire.SignedEntry]:
    return [vote(core, sets[0], MISSING_MAX + 1)]


def _same_twice(core: Core, sets: tuple[tuple[int, ...], ...]) -> list[wire.SignedEntry]:
    return [vote(core, sets[0], stage) for stage in range(1, MISSING_MAX + 1)]


def _two_at_once(core: Core, sets: tuple[tuple[int, ...], ...]) -> list[wire.SignedEntry]:
    return [vote(core, some, 1) for some in sets[:2]]


def _with_false_words(core: Core, _: object) -> Ready | None:
    """All others have gone for good, as it says in their names."""
    others, step = _others(core), core.state.step
    if not others:
        return None
    words = (wire.Leave(step, bytes([seat + 1]) * 64) for seat in others)
    return Ready("missing", (vote(core, others, 1, *words),))


def _with_an_old_word(core: Core, _: object) -> Ready | None:
    """Who has left has come back and played on: its word is used all the same."""
    assert isinstance(core, Cheater)
    core.words.update(core.parts.away_votes._leaves)
    others = _others(core)
    if not others or not core.words:
        return None
    (word,), ledger = core.words.values(), core.ledger
    since = (each.seat for step in ledger.steps[word.step :] for each in step)
    has_played = others[0] in since
    return Ready("missing", (vote(core, others, 1, word),)) if has_played else None


def _behind_nothing(core: Core, _: object) -> Ready | None:
    """All others were missing in the last step, on no log that anybody has."""
    others, step = _others(core), core.state.step - 1
    return Ready("missing", (vote(core, others, 9, step=step, prev=GENESIS),)) if others else None


def _undoing(phase: Phase) -> Callable[[Core, object], Ready | None]:
    """Two of three have found the third missing, long since: as good votes say it."""

    def bend(core: Core, _: object) -> Ready | None:
        assert isinstance(core, Cheater)
        assert core.partner is not None
        state, step = core.state, core.state.step - _LONG_DONE
        if state.phase is not phase or step < state.company.seats_step:
            return None
        signers = {each.public_bytes: each for each in (core.place.signer, core.partner.lent)}
        (victim,) = (seat for seat in state.present if state.seats[seat].key not in signers)
        prev = core.ledger.head_before(step)
        votes = (
            vote(core, (victim,), 9, signer=each, step=step, prev=prev) for each in signers.values()
        )
        return Ready("missing", tuple(votes))

    return bend


def _every_ballot(core: Core, sets: tuple[tuple[int, ...], ...]) -> list[wire.SignedEntry]:
    """The same seat named in each ballot there is."""
    return [vote(core, sets[0], at + 1, ballot=at) for at in range(BALLOT_MAX + 1)]


def _with_who_is_away(core: Core, _: object) -> Ready | None:
    """Who is away, and one more that is not, in each ballot: for others to spend their votes on."""
    state, others = core.state, _others(core)
    away = [seat for seat in others if state.seats[seat].key not in core.place.links.peers]
    if not away or not set(away) & set(due(state).authors):
        return None
    here = [seat for seat in others if seat not in away]
    stages = range(MISSING_MAX - BALLOT_MAX, MISSING_MAX + 1)  # its honest votes have the others
    votes = [
        vote(core, (away[0], here[at % len(here)]), stage, ballot=at)
        for at, stage in enumerate(stages)
    ]
    return Ready("missing", tuple(votes))


VOTE_CHEATS: Final = (
    Cheat("all its votes in one step", (), _voting(_every_stage), None, How.IDLE, place=_SEVEN),
    Cheat(
        "a vote for every set of seats",
        (),
        _voting(_every_set),
        CheckCode.FORK,
        How.UNASKED,
        place=_SEVEN,
        fleeting=True,
    ),
    Cheat("a vote too many", (), _voting(_one_too_many), None, How.UNSIGNED, place=_FIVE),
    Cheat(
        "the same vote at every stage",
        (),
        _voting(_same_twice),
        CheckCode.FORK,
        How.UNASKED,
        place=_FIVE,
        fleeting=True,
    ),
    Cheat(
        "two votes at one stage",
        (),
        _voting(_two_at_once),
        CheckCode.FORK,
        How.UNASKED,
        place=_FIVE,
        fleeting=True,
    ),
    Cheat("a vote in every ballot", (), _voting(_every_ballot), None, How.IDLE, place=_FIVE),
    Cheat(
        "a voter that has others spend their votes",
        (),
        _with_who_is_away,
        None,
        How.IDLE,
        place=_FIVE_LEFT,
        leaver=True,
        first_seed=4,
    ),
    Cheat(
        "a vote with words that nobody gave",
        (),
        _with_false_words,
        CheckCode.SHAPE,
        How.UNASKED,
        fleeting=True,
    ),
    Cheat(
        "a vote with a word taken back",
        (),
        _with_an_old_word,
        CheckCode.SHAPE,
        How.UNASKED,
        place=_TWO,
        back=True,
        fleeting=True,
    ),
    Cheat("a vote behind another log", (), _behind_nothing, None, How.IDLE, place=_FIVE),
    Cheat("a majority that undoes moves", (), _undoing(Phase.PLAY), None, How.IDLE, backed=True),
    Cheat("a majority that undoes a game", (), _undoing(Phase.OVER), None, How.IDLE, backed=True),
)
"""Floods first."""
