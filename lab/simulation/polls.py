"""The outcomes of a table's polls, counted: who is given up, and how that was decided."""

from collections import Counter
from typing import Final

from lab.simulation.computers.world import World
from netgame.protocol.ledger.poll import Decision
from netgame.protocol.notices import MovesUndone
from netgame.wire.statements import NOTHING, Parting, bit

NOBODY: Final = "nobody goes"
PARTED: Final = "somebody goes who has parted"
NAMED: Final = "somebody goes whom a quorum names"
LATER: Final = "decided in a later ballot"
FORCED: Final = "decided as accepted before"
UNDONE: Final = "programs that took moves back"

KINDS: Final = (NOBODY, PARTED, NAMED, LATER, FORCED, UNDONE)


def polls_of(world: World) -> Counter[str]:
    """Return how often each of `KINDS` occurred in one game."""
    counts: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for decision in world.longest().decisions:
        counts.update(_kinds_of(decision))
    counts[UNDONE] = sum(isinstance(n, MovesUndone) for p in world.processes for n in p.told)
    return counts


def _kinds_of(decision: Decision) -> list[str]:
    said, last = [each.statement for each in decision.said], decision.proposal
    parted = sum(bit(each.seat) for each in said if isinstance(each, Parting))
    named = {each.name: each.statement for each in decision.said}
    counted = [named.get(name) for name in last.counted]
    seen = {
        NOBODY: not decision.goes,
        PARTED: decision.goes & parted,
        NAMED: decision.goes & ~parted,
        LATER: last.ballot.counter > 1,
        FORCED: any(getattr(each, "accepted", NOTHING) != NOTHING for each in counted),
    }
    return [kind for kind, is_so in seen.items() if is_so]
