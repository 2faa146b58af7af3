"""Whole games of many kinds to spoil: their records, and everybody's keys.

Small sets and hands; the toy group for all but one. A snapshot of the verifier stands before every
frame, so that nothing has to be folded twice.
"""

from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from lab.judged_logs import same_log
from lab.simulation.cheats.conspiracy import Party
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import Stuck
from lab.simulation.computers.records import signed_in
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.toys import toys
from lab.simulation.mishaps.company import Comers
from lab.simulation.mishaps.faults import quiet_world
from lab.simulation.mishaps.leaving import Leaver
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.record import BadRecord, Reading
from netgame.protocol.log.entry import frame_payload, read_frames, statement_name
from netgame.protocol.notices import DealPhase
from netgame.wire.messages import (
    Act,
    HandOver,
    Keys,
    MixHand,
    OpeningReveal,
    Payload,
    Settings,
    SignedEntry,
    SignedStatement,
    Unblind,
)

_LIMIT_S: Final = 3_600.0
_SEEDS_TRIED: Final = 60
_AT_ONCE: Final = ("opening=simultaneous", "last-tile=tap", "tap-penalty=1")
_GONE: Final = ("patience=minute",)


class Kind(NamedTuple):
    """A table to play: in which phase one leaves, whether guests come, whether points are real.

    The game is the first of its kind that has all the entries of `shows`.
    """

    name: str
    settings: Settings
    shows: tuple[type[Payload], ...] = ()
    leaves: Phase | None = None
    company: bool = False
    real: bool = False

    def group(self) -> AbstractContextManager[None]:
        """The group it is played and judged with."""
        return nullcontext() if self.real else toys()


GAMES: Final = (
    Kind("real", small(2, 3), real=True),
    Kind("two rounds", small(3, 3, rounds=2)),
    Kind("high draw", small(3, 3, "first=high-draw")),
    Kind("wolf-lake", small(3, 1, preset="wolf-lake"), (HandOver,)),
    Kind("at once", small(3, 4, *_AT_ONCE), (OpeningReveal, Act)),
    Kind("roundhouse", small(3, 5, preset="roundhouse"), (Act,)),
    Kind("pairs", small(3, 5, preset="parsons-1994")),
    Kind("hidden, keys", small(3, 4, "draws=hidden", "audit=keys"),
         (MixHand, Keys)),
    Kind("seeds", small(3, 3, "audit=seeds", rounds=2), (Keys,)),
    Kind("leaver", small(4, 4, *_GONE), (Unblind,), Phase.PLAY),
    Kind("leaver, redeal", small(4, 4, *_GONE, "leaver=redeal"),
         (), Phase.DRAWN),
    Kind("leaver in the coin", small(4, 3, *_GONE), (),
         Phase.COIN_REVEAL),
    Kind("latecomers", small(3, 3, *_GONE, rounds=2), company=True),
)  # fmt: skip
"""What a table can come to, once each."""


@dataclass(frozen=True)
class RecordGame:
    """A finished game: its frames, the verifier before each, and who can sign."""

    kind: Kind
    payloads: tuple[bytes, ...]
    readings: tuple[Reading, ...]
    parties: dict[bytes, Party]

    def entries(self) -> list[SignedEntry]:
        """All entries of the record, void ones too."""
        return [each for each in signed_in(self.payloads) if isinstance(each, SignedEntry)]

    @cached_property
    def statements(self) -> tuple[SignedStatement, ...]:
        """All that decided its polls."""
        return tuple(s for s in signed_in(self.payloads) if isinstance(s, SignedStatement))

    @property
    def statement_names(self) -> list[bytes]:
        """What names these."""
        return [*map(statement_name, self.statements)]

    def mixing(self) -> list[int]:
        """The frames before which somebody is to mix a deck."""
        deals = ((at, each.ledger.state.deal) for at, each in enumerate(self.readings))
        return [at for at, deal in deals if deal is not None and deal.phase is DealPhase.DECK]


def play(kind: Kind) -> RecordGame:
    """Play tables to their end until one shows all that it is to show; fold its longest record."""
    with kind.group():
        games = (_played(kind, seed) for seed in range(1, _SEEDS_TRIED))
        return next(game for game in games if game is not None)


def _played(kind: Kind, seed: int) -> RecordGame | None:
    """One game; None if it does not come to what it is to show."""
    goers: list[Leaver | Comers] = []
    if kind.leaves is not None:
        goers.append(Leaver(1, kind.leaves, 2, None, power=False))
    if kind.company:
        goers.append(Comers(Chance(seed, "company")))
    world = quiet_world(seed, kind.settings, goers)
    try:
        world.run_game(_LIMIT_S)
    except Stuck:
        return None  # who was to leave never came to that
    longest = max(world.processes, key=lambda each: each.state.step)
    steps = longest.ledger.steps
    said = {type(entry.payload) for step in steps for entry in step}
    if not said.issuperset(kind.shows) or longest.state.phase is not Phase.OVER:
        return None
    if kind.company and len(longest.state.company.sessions) < 2:
        return None
    payloads, _ = read_frames(longest.records.left_behind())
    parties: dict[bytes, Party] = {}
    for number in range(len(world.processes)):
        signer = make_signing_key(world.secret("identity", number))
        parties[signer.public_bytes] = signer, world.secret("table secret", number)
    return RecordGame(kind, payloads, tuple(_folded(payloads)), parties)


def copied(reading: Reading) -> Reading:
    """The same again, to be read on in another way."""
    return replace(
        reading,
        ledger=same_log(reading.ledger),
        found=[*reading.found],
        places={**reading.places},
        signers=deepcopy(reading.signers),
    )


def _folded(payloads: tuple[bytes, ...]) -> list[Reading]:
    """The verifier before each frame, and after the last."""
    reading = Reading(expand(bytes(32), "fuzz records"))
    readings = []
    for payload in payloads:
        readings.append(copied(reading))
        before = reading.frames
        try:
            for _ in reading.read_on(frame_payload(payload)):
                pass
        except BadRecord as problem:
            raise AssertionError(f"an honest game is refused: {problem}") from None
        assert reading.frames == before + 1
    return [*readings, reading]
