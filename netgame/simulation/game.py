"""One game from one seed, and whether it ended as every game must."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.chance import Entropy, below, seeded
from engine.random_tables import random_rules
from engine.rules import format_rules
from engine.spec import TableSpec
from netgame.crypto.entropy import expand
from netgame.protocol import notices
from netgame.protocol.lobby import spec_of
from netgame.protocol.record import verify_record
from netgame.protocol.recordfile import read_frames
from netgame.protocol.state import Phase
from netgame.simulation.faults import Fault, Injector
from netgame.simulation.toys import toys
from netgame.simulation.weather import Weather
from netgame.simulation.world import Stuck, World
from netgame.wire.codec import decode
from netgame.wire.messages import RecordEntry, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from netgame.protocol.core import Core
    from netgame.simulation.process import Process

__all__ = ["Game", "play_game", "play_random_rules"]

LIMIT_S: Final = 7_200.0
"""Simulated seconds in which any game is over: an hour of faults, an hour of play."""
FRAMES_PER_ENTRY_MAX: Final = 400
"""Frames for each entry and seat, faults and their repair included."""


@dataclass(frozen=True, slots=True)
class Game:
    """What came of one seed; `trouble` is empty if it ended as it must."""

    seed: int
    is_real: bool
    trouble: tuple[str, ...]
    digest: bytes
    settings: Settings
    entries: int = 0
    frames: int = 0
    simulated_s: float = 0.0
    is_gone: bool = False
    """The host was lost in the lobby, and the table with it."""
    faults: tuple[tuple[Fault, int], ...] = ()
    story: tuple[str, ...] = ()


def play_random_rules(seed: int) -> Game:
    """Play a table of four under random rules, in a quiet room, with the real group."""
    settings = _random_settings(seeded(f"network rules {seed}".encode()), 4)
    return play_game(seed, real=True, faults=False, settings=settings)


def _random_settings(entropy: Entropy, seats: int) -> Settings:
    """Any rules, with a small deal of a small set."""
    while True:
        preset, switches = format_rules(random_rules(entropy))
        settings = Settings(preset, switches, 6, seats, 1, 3 + below(entropy, 3))
        if isinstance(spec_of(settings, seats), TableSpec):
            return settings


def _settings(seed: int) -> Settings:
    """Mostly `standard`, which is quickest; every fourth game any rules."""
    entropy = seeded(f"rules {seed}".encode())
    seats = (2, 3, 3, 3, 4)[below(entropy, 5)]
    if below(entropy, 4) == 0:
        return _random_settings(entropy, seats)
    rounds = 2 if below(entropy, 8) == 0 else 1
    return Settings("standard", (), 6, seats, rounds, 3 + below(entropy, 3))


def play_game(
    seed: int,
    *,
    real: bool = False,
    faults: bool = True,
    settings: Settings | None = None,
    core_class: Callable[[int], type[Core]] | None = None,
) -> Game:
    """Play one game to its end and look at everything that must be true of it."""
    chosen = settings or _settings(seed)
    injector = Injector(seed, faults=faults)
    with nullcontext() if real else toys():
        world = World(seed, chosen, Weather(seed, restless=faults), injector)
        injector.attach(world)
        trouble = _play(world, core_class)
        gone = not trouble and _is_gone(world)
        if not trouble and not gone:
            trouble = tuple(_wrong(world))
    return Game(
        seed,
        real,
        trouble,
        world.digest(),
        chosen,
        entries=max(len(p.core.ledger.steps) for p in world.processes) if world.processes else 0,
        frames=world.frames,
        simulated_s=world.now,
        is_gone=gone,
        faults=tuple(injector.counts.items()),
        story=tuple(injector.story),
    )


def _play(world: World, core_class: Callable[[int], type[Core]] | None) -> tuple[str, ...]:
    try:
        world.open_table(world.settings.seats, core_class)
        world.run(lambda: world.is_gone or all(map(_has_left, world.processes)), LIMIT_S)
    except Stuck as stuck:
        phases = ", ".join(f"{p.name} {_where(p)}" for p in world.processes)
        return (f"stuck: {stuck} ({phases})",)
    except Exception as bug:
        trace = bug.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = f" in {trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace else ""
        return (f"crashed: {bug!r}{where}",)
    return ()


def _has_left(process: Process) -> bool:
    return process.is_finished and process.is_alive


def _where(process: Process) -> str:
    state = process.core.state
    alive = "" if process.is_alive else " dead"
    return f"{state.phase.value} at step {state.step}{alive}"


def _is_gone(world: World) -> bool:
    """Whether the table went with its host before the game began, as it then must."""
    told = (notice for process in world.processes for notice in process.told)
    lost = any(isinstance(notice, notices.TableClosed) for notice in told)
    return world.is_gone or (lost and world.injector.in_lobby)


def _wrong(world: World) -> list[str]:
    """Everything that is not as it must be after a game among honest seats."""
    found = []
    heads = {p.core.state.head for p in world.processes}
    if len(heads) > 1 or any(p.core.state.phase is not Phase.OVER for p in world.processes):
        found.append(f"diverged: {', '.join(f'{p.name} {_where(p)}' for p in world.processes)}")
    for process in world.processes:
        found += _told_wrong(process)
        found += _lost(world, process)
    found += _bad_records(world)
    entries = sum(map(len, world.processes[0].core.ledger.steps))
    if world.frames > FRAMES_PER_ENTRY_MAX * entries * len(world.processes):
        found.append(f"livelock: {world.frames} frames for {entries} entries")
    return found


def _told_wrong(process: Process) -> list[str]:
    """Somebody honest was accused, or a link between two honest seats was closed for its words."""
    found = []
    for notice in process.told:
        if isinstance(notice, notices.FaultFound):
            found.append(f"accused: {process.name} was told that {notice.sentence}")
        elif isinstance(notice, notices.Trouble | notices.Refused):
            found.append(f"told: {process.name} was told {notice}")
    return found


def _lost(world: World, process: Process) -> list[str]:
    """What left this process stands in the log, and nothing else under its name."""
    steps = world.processes[0].core.ledger.steps
    standing = {entry.signed for step in steps for entry in step}
    sent = {decode(record, RecordEntry).entry for record in process.sent}
    missing = len(sent - standing)
    return [f"lost: {missing} entries that {process.name} had sent"] if missing else []


def _bad_records(world: World) -> list[str]:
    """The record of one seat is verified from its first octet on, the others hold the same."""
    found = []
    steps = world.processes[0].core.ledger.steps
    standing = Counter(entry.signed for step in steps for entry in step)
    verified = world.chance.pick(world.processes)
    for process in world.processes:
        process.disk.process_died()
        payloads, damage = read_frames(process.disk.octets)
        entries = [decode(payload, RecordEntry).entry for payload in payloads[1:]]
        if damage is not None or Counter(entries) != standing:
            found.append(f"record: that of {process.name} is not the log")
        if process is verified:
            verdict = verify_record(process.disk.octets, expand(bytes(32), "verify", world.seed))
            if not (verdict.ok and verdict.finished):
                found.append(f"record: that of {process.name} says: {verdict.sentence}")
    return found
