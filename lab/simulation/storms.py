"""Check for storms of polls: votes on whom to remove, held too often although nobody is removed.

No number of polls is too many by itself: a seat may open useless ballots again and again, after a
pause each time, as long as a step lasts. But the pauses double, because an honest seat limits how
often it promises one owner [peer.md §8.2]. The check therefore compares the number of promises that
a program made with the time that they took.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Final

from lab.simulation.computers.world import World
from netgame.limits import BALLOT_PAUSE_MAX_S, BALLOT_PAUSE_MIN_S
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Decision, key_of
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.statements import Promise

_UNTIMED: Final = 3
"""The number of promises that the time from the first decision to the last does not limit.

The first is older than that time. The second may have been signed while the first decision was
being written down, so the pause before the third may have begun before that time, too.
"""


def promises_within(seconds: float) -> int:
    """Return at most how many polls of one owner a seat can help to decide within `seconds`."""
    promises = _UNTIMED
    for behind in count(_UNTIMED):
        # After `behind` promises to an owner a seat promises it nothing for this long.
        seconds -= min(BALLOT_PAUSE_MIN_S * 2 ** (behind - 1), BALLOT_PAUSE_MAX_S)
        if seconds < 0:
            break
        promises += 1
    return promises


def stormy(world: World, ledger: Ledger) -> Iterator[str]:
    """Yield a line for each honest program that promised one owner too often in one step.

    Only polls that remove nobody count. A process that restarts may promise that often again,
    because its pauses start over.
    """
    helped = defaultdict[tuple[bytes, int, int, PeerKey], list[float]](list)
    for each in ledger.decisions:
        at = world.agreement.decided_at[each.book.id, each.book.number]
        for key in () if each.goes else _helpers(each, ledger):
            helped[each.book.id, each.step, each.proposal.ballot.owner, key].append(at)
    for (_, step, owner, key), times in helped.items():
        process = world.by_key[key]
        allowed = process.lives * promises_within(times[-1] - times[0])
        if type(process.core) is Core and len(times) > allowed:
            of = f"polls of seat {owner} for nothing at step {step}"
            yield f"storm: {process.name} promised {len(times)} {of}, {allowed} at the most"


def _helpers(decision: Decision, ledger: Ledger) -> Iterator[PeerKey]:
    """Yield the keys whose promises the decided proposal counts."""
    for each in decision.said:
        if isinstance(each.statement, Promise) and each.name in decision.proposal.counted:
            yield PeerKey(key_of(ledger.state.company, each.statement))
