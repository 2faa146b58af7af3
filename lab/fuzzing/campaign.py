"""Run parts for a number of inputs or seconds; record the outcome and how to repeat an input."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from lab.fuzzing.mutation import chance_for
from lab.fuzzing.part import Part, Reader, Reads

_BATCH: Final = 1_000
_AGAIN: Final = 3
"""Times that a slow input is run again: the first run may have paid for something else, such as
garbage collection or the loading of modules.
"""


@dataclass(frozen=True, slots=True)
class BadInput:
    """An input that broke its reader, was wrongly accepted, or took too long."""

    part: str
    index: int
    """Its number among the inputs of a seed."""
    what: str
    """The outcome, in words."""
    slow: bool = False
    """True if its only fault is the time it took."""

    def again(self, seed: int) -> str:
        """Return the command line that runs this one input."""
        return f"boneyard fuzz {self.part} --inputs 1 --from {self.index} --seed {seed}"


@dataclass(slots=True)
class Count:
    """The outcome of one part's inputs."""

    name: str
    inputs: int = 0
    taken: int = 0
    """Inputs that were not refused."""
    slowest_s: float = 0.0
    slowest: int = 0
    """The number of the slowest input."""
    failures: list[BadInput] = field(default_factory=list)


class Lot(NamedTuple):
    """The inputs to run, all made from one seed."""

    seed: int
    first: int
    inputs: float
    """How many to run, from the first on."""
    end_at: float
    """When to stop even if some are left: monotonic seconds."""
    turn: int = 0
    """The place of this process, counted from 0, among those that take turns at the batches."""
    turns: int = 1
    """How many processes take turns."""


async def fuzz(chosen: Sequence[Part], folder: Path, lot: Lot) -> tuple[Count, ...]:
    """Run the inputs of `lot`, and return the count of each part.

    Every part gets its share of the inputs; a part that runs alone gets all of them. Readers run
    one after the other in one task. With several `turns`, run only the batches of this process.
    """
    shares = sum(part.share for part in chosen)
    runs = [(part, part.make(folder), Count(part.name)) for part in chosen]
    begun = batch = 0
    while begun < lot.inputs and time.monotonic() < lot.end_at:
        before, begun = begun, int(min(begun + _BATCH, lot.inputs))
        if batch % lot.turns == lot.turn:
            for part, run, count in runs:
                start, end = (-(-each * part.share // shares) for each in (before, begun))
                for index in range(lot.first + start, lot.first + end):
                    await _one(part, run, count, lot.seed, index)
        batch += 1
    return tuple(count for _, _, count in runs)


def together(counts: Sequence[tuple[Count, ...]]) -> tuple[Count, ...]:
    """Return the counts of several processes added up, part by part."""
    added = []
    for same in zip(*counts, strict=True):
        worst = max(same, key=lambda count: count.slowest_s)
        failures = sorted(
            (each for count in same for each in count.failures), key=attrgetter("index")
        )
        inputs = sum(count.inputs for count in same)
        taken = sum(count.taken for count in same)
        added.append(Count(worst.name, inputs, taken, worst.slowest_s, worst.slowest, failures))
    return tuple(added)


async def _one(part: Part, run: Reader | Reads, count: Count, seed: int, index: int) -> None:
    """Run one input and record the outcome."""
    count.inputs += 1
    taken, spent = await _timed(part, run, seed, index)
    if isinstance(taken, Exception):
        count.failures.append(BadInput(part.name, index, f"{type(taken).__name__}: {taken}"))
    else:
        count.taken += taken
    if spent > part.slow_s:
        again = [await _timed(part, run, seed, index) for _ in range(_AGAIN)]
        spent = min(spent, *(each for _, each in again))
        if spent > part.slow_s:
            what = f"took {spent * 1000:.0f} ms"
            count.failures.append(BadInput(part.name, index, what, slow=True))
    if spent > count.slowest_s:
        count.slowest_s, count.slowest = spent, index


async def _timed(
    part: Part, run: Reader | Reads, seed: int, index: int
) -> tuple[bool | Exception, float]:
    """Run one input. Return whether it was accepted, and the processor seconds it took.

    If it raises an exception, return that in place of the bool.
    """
    start = time.thread_time()
    taken: bool | Exception
    try:
        made = run(chance_for(seed, part.name, index))
        taken = made if isinstance(made, bool) else await made
    except Exception as error:
        taken = error
    return taken, time.thread_time() - start
