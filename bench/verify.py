"""The cost of verifying a record of thirteen rounds of eight seats, on one core.

Bots play the game in virtual time, without checking any proof: the measurement does that
afterwards. A record of many rounds takes a minute to make.
"""

import secrets
from functools import cache
from typing import Final
from unittest.mock import patch

from bench.figure import Figure, middle, timed
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.fault import PendingProof
from tests.netgame.simtable import full_table, standard

GOAL_S: Final = 2.0
"""The goal for thirteen rounds of eight seats, on one core."""


@cache
def record(rounds: int, seats: int) -> bytes:
    """Return the record of a whole game of `standard` with a double-twelve set.

    No proof is checked during the game. Later calls with the same numbers return the same record.
    """
    with patch.object(PendingProof, "run", lambda *_: None):
        names = [f"seat{number}" for number in range(seats)]
        table = full_table(names, standard(12, seats, rounds))
        table.run_game(limit_s=360_000.0)
    return table.sitters[0].record_octets


def seconds(octets: bytes) -> float:
    """Return the processor seconds it takes to verify a record, which must hold and be finished."""
    verdict, spent = timed(lambda: verify_record(octets, secrets.token_bytes))
    assert verdict.finished, "a good record was refused"
    return spent


def measure(rounds: int = 13, seats: int = 8, repeat: int = 3) -> list[Figure]:
    """Make a record, unless this process has made it before, and verify it `repeat` times."""
    octets = record(rounds, seats)
    name = f"verify {rounds} rounds of {seats} seats, {len(octets):,} octets"
    goal = GOAL_S if (rounds, seats) == (13, 8) else None
    return [middle(name, [seconds(octets) for _ in range(repeat)], "s of one core", goal)]
