"""A process killed at a random moment, again and again: `python -m tests.lan.kills [--kills 50]`.

Each time three processes play a round with double-6 tiles on a bridge of their own; one of them,
every other time the one that opened the table, gets `kill -9` somewhere between the start of the
deal and the end of the round, stays away for a while and is started again with `resume`. The round
must end with one good record for all, in which everything stands that the killed process had on its
disk. A recovery is the time from the start of the new process until its record holds an entry that
nobody had before: it is back, has what it missed, and the table has moved on.

Prints every kill and the quantiles, held against three seconds for 95 % of the recoveries. Exit 0
if every round ended well: times are for people to judge, who know what else the machine did.
"""

import argparse
import random
import secrets
import statistics
import sys
import time
from dataclasses import dataclass
from functools import partial

from netgame.crypto.batch import Batch
from netgame.protocol.ledger.record import walk
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.state.phases import Phase
from tests.lan.guests import NAMES, Party, must, played, until
from tests.lan.network import asked_of

SEATS = 3
PORT = 4747
GOAL_S = 3.0
LIMIT_S = 60.0
AWAY_MAX_S = 5.0
ENTRIES_MAX = 90
"""The kill comes after at most this many entries of the game."""
BETWEEN_S = 0.03
"""The most seconds from that entry to the kill, so that work between entries is hit too."""


@dataclass(frozen=True)
class Kill:
    """The victim of a kill, its moment, and the seconds for which the victim stays away.

    The kill comes `later_s` seconds after `entries` entries of the game.
    """

    number: int
    name: str
    entries: int
    later_s: float
    away_s: float


@dataclass(frozen=True)
class Recovery:
    """The result of a kill: entries on the victim's disk, and seconds until the table moved on."""

    kill: Kill
    held: int
    took_s: float


def draw_kill(number: int, seed: int, attempt: int) -> Kill:
    """Return kill `number`, drawn from `seed`; each attempt gives a different one."""
    dice = random.Random(f"{seed} {number} {attempt}")
    return Kill(
        number,
        NAMES[dice.randrange(1, SEATS) if number % 2 else 0],
        dice.randrange(ENTRIES_MAX),
        dice.uniform(0, BETWEEN_S),
        dice.uniform(0, AWAY_MAX_S),
    )


def frames(held: Party, name: str) -> tuple[bytes, ...]:
    """Return the payloads in the record on somebody's disk; none if there is no record yet."""
    record = next(held.data(name).glob("tables/*/record"), None)
    return read_frames(record.read_bytes())[0] if record else ()


def has_entries(held: Party, name: str, entries: int) -> bool:
    """Wait until somebody's disk has this many entries; return False if their program has ended."""

    def more_or_over() -> bool:
        is_over = held.guests[name].process.poll() is not None
        return is_over or len(frames(held, name)) >= entries

    until(more_or_over, f"{name} has {entries} entries", LIMIT_S)
    return held.guests[name].process.poll() is None


def is_over(payloads: tuple[bytes, ...]) -> bool:
    """Return True if a record reaches the end of the game, so that nothing is left to resume."""
    steps = walk(b"".join(map(frame_payload, payloads)), Batch(secrets.token_bytes))
    return any(step.after.phase is Phase.OVER for step in steps)


def play(held: Party, kill: Kill) -> Recovery | None:
    """Play a game with one kill.

    Return None if the game was over before the kill, or if no new entry came after the restart.
    """
    name = kill.name
    held.gather(SEATS, "--set", "6", "--rounds", "1", port=PORT)
    held.reads(name, "The game begins:")
    if not has_entries(held, name, len(frames(held, name)) + kill.entries):
        return None
    time.sleep(kill.later_s)
    if held.guests[name].process.poll() is not None:
        return None
    held.kill(name)
    before = frames(held, name)
    if is_over(before):
        return None
    time.sleep(kill.away_s)
    known = max(len(frames(held, each)) for each in held.guests)
    started = time.monotonic()
    held.resume(name)
    moved = has_entries(held, name, known + 1)
    took = time.monotonic() - started
    held.ends_well(LIMIT_S)
    must(frames(held, name)[: len(before)] == before, f"{name} has lost what was on its disk")
    return Recovery(kill, len(before), took) if moved else None


def kill_once(number: int, seed: int) -> Recovery | None:
    """Play games until one goes on after its kill; return None if one goes wrong.

    Raise RuntimeError if none of ten games goes on.
    """
    for attempt in range(10):
        kill = draw_kill(number, seed, attempt)
        found = played("kill", SEATS, partial(play, kill=kill), Party)
        if not found:
            return None
        if found[0] is not None:
            return found[0]
    raise RuntimeError("the games are shorter than the kills are late")


def tell(recovery: Recovery) -> None:
    """Print one line about a kill and the recovery from it."""
    kill = recovery.kill
    print(
        f"{kill.number:>3}  {kill.name} with {recovery.held:>3} entries, away "
        f"{kill.away_s:3.1f} s, back after {recovery.took_s:.2f} s",
        flush=True,
    )


def tell_quantiles(what: str, times: list[float]) -> None:
    """Print quantiles of these times, and whether 95 % of them meet the goal."""
    cuts = statistics.quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    p50, p95 = cuts[9], cuts[18]
    print(
        f"{what:<12} {len(times):>3} kills  p50 {p50:.2f} s  p95 {p95:.2f} s  "
        f"max {max(times):.2f} s  p95 < {GOAL_S:g} s  {'ok' if p95 < GOAL_S else 'MISSED'}"
    )


def main() -> int:
    """Kill as often as the arguments say; print the quantiles, or return 1 if a game goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="chooses whom, when and for how long")
    parser.add_argument("--first", type=int, default=0, help="number of the first kill")
    wanted = asked_of(parser)
    recoveries = []
    for number in range(wanted.first, wanted.first + wanted.kills):
        recovery = kill_once(number, wanted.seed)
        if recovery is None:
            return 1
        tell(recovery)
        recoveries.append(recovery)
    hosts = [each.took_s for each in recoveries if each.kill.name == "Ann"]
    if hosts:
        tell_quantiles("host", hosts)
    tell_quantiles("all", [each.took_s for each in recoveries])
    return 0


if __name__ == "__main__":
    sys.exit(main())
