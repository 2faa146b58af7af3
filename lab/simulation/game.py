"""One game from one seed, and everything that was wrong with it."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Final, NamedTuple

from msgspec import structs

from engine.chance import Entropy, below
from engine.rules.choose import format_rules
from engine.rules.spec import TableSpec
from lab.rounds.random_tables import random_rules
from lab.rounds.seeds import pick, seeded
from lab.simulation.cheats.catalogue import make_deed
from lab.simulation.cheats.cheater import Cheater, Deed
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import Stuck, bug_at
from lab.simulation.computers.process import Process
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.toys import toys
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.evening import played_elsewhere
from lab.simulation.liars.plan import MISHAPS, Liars
from lab.simulation.mishaps.company import Comers
from lab.simulation.mishaps.faults import Goer, Injector
from lab.simulation.mishaps.folders import signed_twice, wrong_with_copy
from lab.simulation.mishaps.leaving import SETTINGS_FOR, Leaver, follow_ups, make_leavers
from lab.simulation.mishaps.talking import Talkers
from lab.simulation.polls import polls_of
from lab.simulation.verdict import (
    Blocked,
    is_gone,
    stuck_at,
    wrong,
    wrong_while_blocked,
    wrong_with_cheater,
)
from lab.simulation.verdict_liars import Given, counts_of, wrong_with_liars
from netgame.protocol.peer.core import Core
from netgame.protocol.state.lobby import spec_of
from netgame.protocol.state.options import OPTIONS
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Settings

APART: Final = "guests kept apart"
"""A network on which each guest reaches only the host."""

_SEATS_OF_RANDOM_RULES: Final = 5
"""For this many seats or more, hardly any random rules fit a double-six."""

LIMIT_S: Final = 7_200.0
"""Simulated seconds within which any game ends: an hour of faults, an hour of play."""


class Game(NamedTuple):
    """The outcome of the game of one seed."""

    seed: int
    is_real: bool
    """True if the game used the real group."""
    trouble: tuple[str, ...]
    """Everything that went wrong; empty if all is well."""
    digest: bytes
    settings: Settings
    entries: int = 0
    frames: int = 0
    simulated_s: float = 0.0
    is_gone: bool = False
    """True if the host was lost in the lobby, and the table with it."""
    is_blocked: bool = False
    """True if the table has lost its quorum for good, so that the rest wait for ever."""
    cheat: str = ""
    """The cheat of this game; empty if there was none."""
    counts: Mapping[str, Mapping[str, int]] = {}
    """The counts by kind, under their names in JSON."""
    story: tuple[str, ...] = ()
    has_liars: bool = False


def play_random_rules(seed: int) -> Game:
    """Play a table of four under random rules, in a quiet room, with the real group."""
    entropy = seeded(f"network rules {seed}".encode())
    settings = _random_settings(entropy, 4, _random_options(entropy))
    return play_game(seed, real=True, faults=False, settings=settings)


def _random_settings(entropy: Entropy, seats: int, options: tuple[str, ...]) -> Settings:
    """Return settings with random rules that allow a double-six set and small hands."""
    while True:
        preset, switches = format_rules(random_rules(entropy))
        settings = small(seats, 3 + below(entropy, 3), *switches, *options, preset=preset)
        if isinstance(spec_of(settings, seats), TableSpec):
            return settings


def _settings(seed: int) -> Settings:
    """Return the settings of a seed: usually the `standard` rules, sometimes random ones.

    `standard` is the quickest to play.
    """
    entropy = seeded(f"rules {seed}".encode())
    seats = pick(entropy, (2, 3, 3, 3, 4))
    options = _random_options(entropy) if below(entropy, 4) == 0 else ()
    if below(entropy, 4) == 0:
        return _random_settings(entropy, seats, options)
    rounds = 2 if below(entropy, 8) == 0 else 1
    return small(seats, 3 + below(entropy, 3), *options, rounds=rounds)


def _random_options(entropy: Entropy) -> tuple[str, ...]:
    """Return every table option, each with a random value."""
    chosen = [(name, tuple(kind)) for name, kind in OPTIONS.items()]
    return tuple(f"{name}={pick(entropy, each).value}" for name, each in chosen)


def _leaving_settings(seed: int, leavers: tuple[Leaver, ...]) -> Settings:
    """Return settings with enough seats, little patience, and rules for the leavers' phase."""
    entropy = seeded(f"leaving {seed}".encode())
    phase = leavers[0].phase
    rounds = 1 + below(entropy, 2)
    hand = 3 + below(entropy, 3)
    seats = 3 + len(leavers)
    then = "rebuild" if len(leavers) > 1 else pick(entropy, ("rebuild", "redeal"))
    chosen = (f"leaver={then}", "patience=minute")
    if phase in SETTINGS_FOR:
        preset, *words = SETTINGS_FOR[phase]
        hand = 1 if phase is Phase.HAND_OVER else hand  # so that nobody holds a double
        return small(seats, hand, *words, *chosen, rounds=rounds, preset=preset)
    others = _random_options(entropy) if below(entropy, 2) else ()
    kept = (word for word in others if not word.startswith(("leaver", "patience")))
    options = (*kept, *chosen)
    if below(entropy, 4) == 0:
        return _random_settings(entropy, seats, options)
    return small(seats, hand, *options, rounds=rounds)


def _company_settings(seed: int, seats: int) -> Settings:
    """Return settings with a second round that guests can join, small hands and little patience."""
    entropy = seeded(f"company {seed}".encode())
    others = _random_options(entropy) if below(entropy, 3) == 0 else ()
    options = (*(word for word in others if not word.startswith("patience")), "patience=minute")
    if below(entropy, 6) == 0 and seats < _SEATS_OF_RANDOM_RULES:
        while True:
            settings = structs.replace(_random_settings(entropy, seats, options), rounds=2)
            if isinstance(spec_of(settings, seats), TableSpec):
                return settings
    return small(seats, 3, *options, rounds=2)


def _settings_for(
    seed: int, deed: Deed | None, leavers: tuple[Leaver, ...], coming: Comers | None
) -> Settings:
    """Return settings that allow the planned events."""
    if coming is not None:
        return _company_settings(seed, coming.seats)
    if deed is not None and deed.cheat.place is not None:
        return deed.cheat.place
    return _leaving_settings(seed, leavers) if leavers else _settings(seed)


def play_game(
    seed: int,
    *,
    real: bool = False,
    faults: bool = True,
    cheat: bool = False,
    leave: bool = False,
    company: bool = False,
    apart: bool = False,
    lies: bool = False,
    talk: bool = False,
    settings: Settings | None = None,
) -> Game:
    """Play one game to its end and check everything that must be true of it.

    With `cheat` one of the peers cheats. With `leave` one of four leaves for good, or two of five,
    if the game gets that far. With `company` people come late, watch, say farewell and come back.
    With `lies` some of the guests and players sign faults at random moments, and about half of the
    games have no other faults. With `talk` people chat, and say after the game that they want
    another. With `apart` the network keeps guests apart all the time, unless the host is to leave.

    `real` selects the real group instead of the toy group. Without `faults` nothing else goes
    wrong. `settings`, if given, replace those that the seed would choose.
    """
    leavers = make_leavers(Chance(seed, "leaver")) if leave else ()
    chance = Chance(seed, "cheat")
    deed = make_deed(chance) if cheat else None
    liars = Liars(Chance(seed, "liars")) if lies else None
    coming: Comers | None = liars
    if coming is None and company:
        coming = Comers(Chance(seed, "company"))
    faults = faults and not (lies and chance.once_in(2))
    chosen = settings or _settings_for(seed, deed, leavers, coming)
    talkers = Talkers(Chance(seed, "talk")) if talk else None
    goers: list[Goer] = [*leavers]
    goers += [goer for goer in (coming, talkers) if goer is not None]
    injector = Injector(seed, faults=faults, goers=goers, kinds=MISHAPS if lies else None)
    number = chance.below(chosen.seats)
    apart = apart and all(each.number for each in leavers)
    with nullcontext() if real else toys():
        if deed is not None and deed.cheat.elsewhere:
            deed.elsewhere = played_elsewhere(seed, chosen)
        world = World(seed, chosen, Weather(seed, restless=faults), injector, apart=apart)
        if deed is not None:
            world.room.overhear = deed.overhear
        blocked = Blocked(world, deed, number)
        trouble = _play(world, blocked, deed, number, liars)
        gone = not trouble and is_gone(world)
        if coming is not None:
            coming.count_seats()
        if not trouble and not gone:
            if liars is None:
                trouble = tuple(_judged(world, deed, number, coming, blocked))
            else:
                trouble = tuple(wrong_with_liars(world, liars, is_quiet=not faults))
        if talkers is not None:
            trouble = (*trouble, *talkers.wrong())
    ledger = world.longest()
    lie = deed.cheat.name if deed and deed.lie else ""
    return Game(
        seed=seed,
        is_real=real,
        trouble=trouble,
        digest=world.room.digest(),
        settings=chosen,
        entries=len(ledger.steps),
        frames=world.room.frames,
        simulated_s=world.time.now,
        is_gone=gone,
        is_blocked=not trouble and blocked.is_sure(),
        cheat=lie,
        counts={
            "faults": injector.counts,
            "cheats": Counter(filter(None, [lie])),
            "left": Counter(each.left.value for each in leavers if each.left is not None),
            "given_up": Counter(follow_ups(ledger) if leavers else ()),
            "polls": polls_of(world),
            "networks": Counter([APART] * apart),
            "company": coming.counts if coming else {},
            "talk": talkers.counts if talkers else {},
            **(counts_of(world, liars) if liars else {}),
        },
        story=tuple(world.story),
        has_liars=lies,
    )


def _judged(
    world: World, deed: Deed | None, number: int, coming: Comers | None, blocked: Blocked
) -> list[str]:
    twice = signed_twice(world)
    if twice is not None:
        return wrong_with_copy(world, twice)
    if blocked.is_sure():
        return wrong_while_blocked(world, blocked.cheater())
    if deed is None:
        return wrong(world, company=coming)
    return wrong_with_cheater(world, world.processes[number], deed)


def _play(
    world: World, blocked: Blocked, deed: Deed | None, cheater: int, liars: Liars | None
) -> tuple[str, ...]:
    given = None if liars is None else Given(world, liars)

    def is_over() -> bool:
        if given is not None:
            return world.is_gone or given.is_up() or all(map(_may_leave, world.honest))
        if world.is_gone or blocked.is_sure():
            return True
        done = cheater if deed is not None and deed.done is not None else -1
        convicted = {fault.key for each in world.processes for fault in each.core.faults}
        staying = (each for each in world.staying if each.number != done)
        state = world.furthest()
        gone = {state.seats[seat].key for seat in state.gone if seat < len(state.seats)}
        return all(_may_leave(each) or each.key in convicted | gone for each in staying)

    false: dict[int, Callable[..., Core]] = {}
    if deed is not None:
        false[cheater] = partial(Cheater, deed)
    if liars is not None:
        false.update(liars.kinds)
        world.liars.update(liars.kinds)
    try:
        world.open_table(false)
        world.run(is_over, LIMIT_S)
    except Stuck as stuck:
        in_lobby = all(each.state.phase is Phase.LOBBY for each in world.processes)
        if in_lobby and 0 in false:
            return ()  # the host told its one lie over a link that was lost, and says no more
        return (stuck_at(world, stuck),)
    except Exception as bug:
        return (f"crashed: {bug_at(bug)}",)
    return ()


def _may_leave(process: Process) -> bool:
    """Return True if the game is over for a process, so that nobody needs to wait for it.

    One that stopped because its key is played elsewhere must first see the end of the game.
    """
    waits = process.core.parts.lifetime.is_elsewhere and process.state.phase is not Phase.OVER
    return process.is_through and not waits
