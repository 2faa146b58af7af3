"""Every way to cheat: the strategies that the simulator knows, and which of them go anywhere."""

from typing import Final

from lab.simulation.cheats.cheat import Cheat, How
from lab.simulation.cheats.cheater import Accomplice, Cheater
from lab.simulation.cheats.deal import DEAL_CHEATS
from lab.simulation.cheats.delays import DELAYS
from lab.simulation.cheats.end import END_CHEATS, SILENCES
from lab.simulation.cheats.framing import FRAMING_CHEATS
from lab.simulation.cheats.kicked import KICKED_CHEATS
from lab.simulation.cheats.lost_tail import BRANCH_CHEATS
from lab.simulation.cheats.parted import PARTED_CHEATS
from lab.simulation.cheats.play import PLAY_CHEATS
from lab.simulation.cheats.polls import POLL_CHEATS
from lab.simulation.cheats.seats import SEAT_CHEATS
from lab.simulation.computers.chance import Chance
from netgame.wire.messages import Lay

CATALOGUE: Final = (
    *(*DEAL_CHEATS, *PLAY_CHEATS, *END_CHEATS, *SEAT_CHEATS),
    *(*POLL_CHEATS, *DELAYS, *FRAMING_CHEATS, *BRANCH_CHEATS, *KICKED_CHEATS, *PARTED_CHEATS),
    *SILENCES,
)
"""Every strategy."""

CHEATS: Final = {
    cheat.name: cheat
    for cheat in CATALOGUE
    if (cheat.binds or cheat.how in (How.UNSIGNED, How.IDLE))
    and not (cheat.leaver or cheat.back or cheat.backed or cheat.host)
    and cheat.how not in (How.FORCED, How.PARTED)
}
"""Those that one peer can do in any game, whatever else goes wrong there."""


def make_cheater(chance: Chance) -> type[Cheater]:
    """A cheater of its own class, with one of all cheats at one of its first chances."""
    cheat = CHEATS[chance.pick(tuple(CHEATS))]
    comes_often = Lay in cheat.kinds
    return new_cheater(cheat, chance.below(4) if comes_often else 0)


def new_cheater(cheat: Cheat, wait: int = 0) -> type[Cheater]:
    """A class of its own, which remembers what its one object has done."""
    partner = type("OneAccomplice", (Accomplice,), {}) if cheat.backed else None
    own = {"cheat": cheat, "wait": wait, "partner": partner}
    return type("OneCheater", (Cheater,), own)
