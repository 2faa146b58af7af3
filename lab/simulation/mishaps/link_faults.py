"""Faults between two processes, or between parts of the network.

Each function causes one fault and returns a line about it for the story, or an empty string if the
fault cannot happen.
"""

from itertools import combinations
from typing import Final

from lab.simulation.computers.network import pairs_of
from lab.simulation.computers.process import Process
from lab.simulation.mishaps.outages import Outages

_CUT_S: Final = (1.0, 40.0)
"""How long the parts of a network are apart."""


def part(outages: Outages, writer: Process) -> str:
    """Part the network into two groups for a while; one of them may be a single seat."""
    numbers = range(len(outages.world.processes))
    here = {n for n in numbers if outages.chance.once_in(2)} or {writer.number}
    there = [n for n in numbers if n not in here] or [writer.number]
    here -= set(there)
    outages.cut_off(pairs_of(here, there))
    return f"{sorted(here)} from {there}"


def cut_in_parts(outages: Outages, _: Process) -> str:
    """Part the network into two or three parts, which meet again pair by pair.

    People of each part go on without the missing seats, if they can.
    """
    groups = 2 + outages.chance.below(2)
    parts: dict[int, list[int]] = {}
    for process in outages.world.processes:
        parts.setdefault(outages.chance.below(groups), []).append(process.number)
    if len(parts) < 2:
        return ""
    for here, there in combinations(parts.values(), 2):
        outages.cut_off(pairs_of(here, there), _CUT_S)
    outages.people.name_all_missing(_CUT_S[1])
    return " and ".join("".join(map(str, part)) for part in parts.values())


def stall(outages: Outages, pair: frozenset[int]) -> str:
    """Stall the links of a pair for a while."""
    links = outages.world.network.links_of(pair)
    for link in links:
        link.stall()
        outages.for_a_while(link.heal)
    return _between(pair) if links else ""


def reset(outages: Outages, pair: frozenset[int]) -> str:
    """Break the links of a pair."""
    links = outages.world.network.links_of(pair)
    for link in links:
        link.reset()
    return _between(pair) if links else ""


def slow_link(outages: Outages, pair: frozenset[int]) -> str:
    """Slow down the octets between a pair for a while."""
    world = outages.world
    keys = frozenset[bytes](world.processes[number].key for number in pair)
    outages.slow_down(world.room.weather.slow, keys, (0.2, 3.0))
    return _between(pair)


def _between(pair: frozenset[int]) -> str:
    return f"between {sorted(pair)}"


def cut_up_frames(outages: Outages, _: Process) -> str:
    """Deliver the octets of the next 400 frames cut into pieces."""
    outages.world.room.weather.cut_up_frames = 400
    return "400 frames"


def repeat_frames(outages: Outages, _: Process) -> str:
    """Deliver about half of the next 200 frames a second time."""
    outages.world.room.weather.repeated_frames = 200
    return "200 frames"
