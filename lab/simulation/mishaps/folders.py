"""A data folder that is copied and played elsewhere, and what must be true afterwards.

Of two programs that play with one key, one stops as soon as it hears the other; a person then
closes the copy.
"""

from typing import Final

from lab.simulation.computers.clock import Script
from lab.simulation.computers.process import Process
from lab.simulation.computers.world import World
from lab.simulation.mishaps.outages import CALM_S, Outages
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.notices import FaultFound
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint

_LOOKS_UP_S: Final = 1.0
"""How often a person looks at both screens."""

_PATIENCE_S: Final = 20.0
"""Seconds after which a copy that nobody has noticed is closed."""

_SIGNED_TWICE: Final = (CheckCode.FORK, CheckCode.CUT)
"""The checks that find a pair signed by one key."""

_COPY_NUMBER: Final = 100
_COPY_LIFE: Final = 1_000
"""The numbers of copies and of their lives begin here, so that their random octets differ."""


def start_copy(outages: Outages, original: Process) -> str:
    """Copy the folder of a process now, and play from the copy a while later.

    While original and copy play, nothing else goes wrong, so that each can hear the other. Return a
    line about the copy for the story.
    """
    world = outages.world
    delay = outages.chance.between(0.0, 10.0)
    outages.calm_for(delay + 2 * CALM_S)
    number = _COPY_NUMBER + len(world.copies)
    copy = Process(world, number, original.signer, original.core, original.remake)
    copy.is_alive = False
    copy.lives = _COPY_LIFE * (1 + len(world.copies))
    copy.checking = original.checking.of_copy()
    copy.records.disk.durable[:] = original.records.disk.octets
    copy.records.journal.durable[:] = original.records.journal.octets
    world.copies.append(copy)
    world.follow(_look_after(world, original, copy, delay))
    return f"{original.name}'s folder, played {delay:.1f} s later"


def _look_after(world: World, original: Process, copy: Process, delay: float) -> Script:
    """Close the copy once either program has stopped, the game is over or the time is up.

    If the original has stopped, bring it back. The original may stop a moment after the copy,
    because other processes have met both programs.
    """
    until, stopped = world.time.now + delay + _PATIENCE_S, False
    yield delay
    copy.come_back()
    is_over = False
    while not (stopped or is_over or world.time.now >= until):
        yield _LOOKS_UP_S
        if copy.is_alive and copy.is_finished:
            copy.die()
        is_over = original.state.phase is Phase.OVER
        stopped = original.is_alive and original.is_finished and not is_over
    copy.die()
    if stopped:
        original.die()
        original.life.later(_LOOKS_UP_S, original.come_back)


def signed_twice(world: World) -> Process | None:
    """Return the original of a copy if the two have signed contradictory things, or None.

    These are two entries for one slot, or something that contradicts a promise. No message can tell
    the two programs apart in time (docs/threat-model.md), so this ends the game.
    """
    keys = {copy.key for copy in world.copies}
    faults = (fault for process in world.processes for fault in process.core.faults)
    pairs = (fault for fault in faults if fault.finding.check in _SIGNED_TWICE)
    return next((world.by_key[PeerKey(pair.key)] for pair in pairs if pair.key in keys), None)


def wrong_with_copy(world: World, twice: Process) -> list[str]:
    """Return a line for each accusation of a seat other than `twice`, the copied one.

    Each process that stays but was told of no fault gets a line, too.
    """
    found = []
    for process in world.processes:
        told = [each for each in process.told if isinstance(each, FaultFound)]
        found += [
            f"accused: {process.name} was told that {each.sentence}"
            for each in told
            if fingerprint(twice.key) not in each.name
        ]
        if process is not twice and not told and process in world.staying:
            found.append(f"escaped: {process.name} was told nothing of two entries")
    return found
