"""The cost of a round's play to one peer, after the deal: its inputs, and the work they cause.

All peers of a table run in this process, in virtual time, and one of them is timed (`bench._core`).
"""

from functools import partial
from typing import Final

from bench._core import TimedCore
from bench.figure import Figure
from netgame.protocol.notices import Dealt
from netgame.protocol.peer.core import Core
from tests.netgame.simtable import SimTable, Sitter, standard

_PAUSE_S: Final = 0.25
"""The pause between the start of a turn and its move, in which the peers come to rest."""


class _PausingTable(SimTable):
    """A table of bots that pause before each move."""

    def move(self, sitter: Sitter) -> None:
        """Let the bot at this seat move after a pause."""
        self.later(_PAUSE_S, partial(super().move, sitter))


def _play(seats: int, pips: int) -> None:
    """Play one round, and time the peer at seat `seats // 2` from the deal on."""
    table = _PausingTable(standard(pips, seats))
    for number in range(seats):
        core_class = TimedCore if number == seats // 2 else Core
        table.seat(f"seat{number}", core_class=core_class, start_at=None if number else seats)
    timed = table.sitters[seats // 2]
    table.run(lambda: timed.told_of(Dealt) != [])
    TimedCore.begin()
    table.run_game()


def measure(tables: tuple[tuple[int, int], ...] = ((8, 12), (14, 18))) -> list[Figure]:
    """Play one round at each table, given as seats and pips; break down one peer's time."""
    figures = []
    for seats, pips in tables:
        _play(seats, pips)
        name = f"a round's play, one peer of {seats}"
        figures.append(Figure(name, sum(TimedCore.spent.values()), "s"))
        for kind, seconds in sorted(TimedCore.spent.items()):
            figures.append(Figure(f"  of it {TimedCore.calls[kind]} {kind}", seconds, "s"))
    return figures
