"""Whole games of many kinds for the fuzzer to spoil: their records, and all the players' keys.

Sets and hands are small, and all games but one use the toy group. A snapshot of the verifier before
every frame is kept, so that no frame has to be read twice.
"""

from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

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
from netgame.crypto.signing import SigningKey, make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.record import BadRecord, Reading
from netgame.protocol.log.entry import frame_payload, read_entry, read_frames, statement_name
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.phases import Phase
from netgame.wire.codec import decode, decode_any
from netgame.wire.messages import (
    Body,
    Declare,
    HandOver,
    Keys,
    LayHub,
    MixHand,
    OpeningReveal,
    Payload,
    RecordEntry,
    RecordFrame,
    Settings,
    SignedEntry,
    SignedStatement,
    Unblind,
)

P = TypeVar("P", bound=Payload)

_LIMIT_S: Final = 3_600.0
_SEEDS_TRIED: Final = 60
_AT_ONCE: Final = ("opening=simultaneous", "last-tile=tap", "tap-penalty=1")
_GONE: Final = ("patience=minute",)


class GameKind(NamedTuple):
    """A kind of table to play, and what its game must show."""

    name: str
    settings: Settings
    shows: tuple[type[Payload], ...] = ()
    """The kinds of entry that the game must contain; the first game that has them all is used."""
    leaves: Phase | None = None
    """The phase in which somebody leaves for good; None if nobody does."""
    company: bool = False
    """True if people come late, watch, leave or come back, as `Comers` plans."""
    real: bool = False
    """True if the game uses the real group."""

    def group(self) -> AbstractContextManager[None]:
        """Return a context in which the game's group is in use, to play and judge the game."""
        return nullcontext() if self.real else toys()


GAMES: Final = (
    GameKind("real", small(2, 3), real=True),
    GameKind("two rounds", small(3, 3, rounds=2)),
    GameKind("high draw", small(3, 3, "first=high-draw")),
    GameKind("heaviest tile", small(3, 3, "first=heaviest-held")),
    GameKind("wolf-lake", small(3, 1, preset="wolf-lake"), (HandOver,)),
    GameKind("at once", small(3, 4, *_AT_ONCE), (OpeningReveal,)),
    GameKind("roundhouse", small(3, 5, preset="roundhouse"), (LayHub,)),
    GameKind("pairs", small(3, 5, preset="parsons-1994")),
    GameKind("hidden, keys", small(3, 4, "draws=hidden", "audit=keys"),
         (MixHand, Keys)),
    GameKind("leaver", small(4, 4, *_GONE), (Unblind,), Phase.PLAY),
    GameKind("leaver, redeal", small(4, 4, *_GONE, "leaver=redeal"),
         (), Phase.DRAWN),
    GameKind("leaver in the coin", small(4, 3, *_GONE), (),
         Phase.COIN_REVEAL),
    GameKind("latecomers", small(3, 3, *_GONE, rounds=2), company=True),
    GameKind("declared engine", small(3, 5, "engine=declared"), (Declare,)),
)  # fmt: skip
"""A game for each of several courses that a table can take."""


class SignedTurn(NamedTuple):
    """One entry of a game: the log before it, its signer, and its body."""

    ledger: Ledger
    signer: SigningKey
    body: Body


@dataclass(frozen=True)
class RecordGame:
    """A finished game: its record, the verifier before each frame, and everybody's keys."""

    kind: GameKind
    payloads: tuple[bytes, ...]
    """The payloads of its frames."""
    readings: tuple[Reading, ...]
    """The verifier before each frame and after the last."""
    parties: dict[bytes, Party]
    """The party that can sign with each public key."""

    def entries(self) -> list[SignedEntry]:
        """Return all entries of the record, void ones included."""
        return [each for each in signed_in(self.payloads) if isinstance(each, SignedEntry)]

    @cached_property
    def statements(self) -> tuple[SignedStatement, ...]:
        """The statements in the record."""
        return tuple(s for s in signed_in(self.payloads) if isinstance(s, SignedStatement))

    @cached_property
    def turns(self) -> tuple[SignedTurn, ...]:
        """Every entry of the record, with the log before it and its signer."""
        frames = ((at, decode_any(each, RecordFrame)) for at, each in enumerate(self.payloads))
        return tuple(self._turn(at, each.entry) for at, each in frames if type(each) is RecordEntry)

    def _turn(self, at: int, signed: SignedEntry) -> SignedTurn:
        reading = self.readings[at]
        entry = read_entry(signed)
        signer = next(signer for key, (signer, _) in self.parties.items() if entry.is_by(key))
        ledger = reading.ledger if reading.entries else Ledger(entry.id)
        return SignedTurn(ledger, signer, decode(signed.body, Body))

    @property
    def signers(self) -> list[SigningKey]:
        """The signing keys of everybody in the game."""
        return [signer for signer, _ in self.parties.values()]

    def all_of(self, kind: type[P]) -> list[P]:
        """Return every payload of one kind."""
        said = (turn.body.payload for turn in self.turns)
        return [payload for payload in said if isinstance(payload, kind)]

    @property
    def statement_names(self) -> list[bytes]:
        """The names of the statements in the record."""
        return [*map(statement_name, self.statements)]

    def mixing(self) -> list[int]:
        """Return the indices of the frames before which a seat must mix a deck."""
        deals = ((at, each.ledger.state.deal) for at, each in enumerate(self.readings))
        return [at for at, deal in deals if deal is not None and deal.phase is DealPhase.DECK]


@cache
def played(number: int) -> RecordGame:
    """Return a game of kind `number` that shows all it must, with its longest record.

    The first call plays one game after another until it finds one; later calls return the same.
    Raise StopIteration if none of the first seeds gives such a game.
    """
    kind = GAMES[number]
    with kind.group():
        games = (_played(kind, seed) for seed in range(1, _SEEDS_TRIED))
        return next(game for game in games if game is not None)


def _played(kind: GameKind, seed: int) -> RecordGame | None:
    """Play one game. Return None if it does not show what it must."""
    goers: list[Leaver | Comers] = []
    if kind.leaves is not None:
        goers.append(Leaver(1, kind.leaves, 2, None, power=False))
    if kind.company:
        goers.append(Comers(Chance(seed, "company")))
    world = quiet_world(seed, kind.settings, goers)
    try:
        world.run_game(_LIMIT_S)
    except Stuck:
        return None  # the leaver never came to the phase in which to leave
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
    """Return a copy of a verifier, with which to read a different continuation."""
    return replace(
        reading,
        ledger=same_log(reading.ledger),
        found=[*reading.found],
        places={**reading.places},
        signers=deepcopy(reading.signers),
    )


def _folded(payloads: tuple[bytes, ...]) -> list[Reading]:
    """Return the verifier before each frame and after the last."""
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
