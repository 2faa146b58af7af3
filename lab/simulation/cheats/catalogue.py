"""Every way to cheat that the simulator knows, and which of them fit any game."""

from typing import Final

from lab.simulation.cheats.cheat import Cheat, How
from lab.simulation.cheats.cheater import Deed
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
from lab.simulation.cheats.second_look import SECOND_LOOKS
from lab.simulation.cheats.strangers import STRANGER_CHEATS
from lab.simulation.computers.chance import Chance
from netgame.wire.messages import Lay

CATALOGUE: Final = (
    *DEAL_CHEATS,
    *PLAY_CHEATS,
    *END_CHEATS,
    *SEAT_CHEATS,
    *POLL_CHEATS,
    *DELAYS,
    *FRAMING_CHEATS,
    *BRANCH_CHEATS,
    *KICKED_CHEATS,
    *SECOND_LOOKS,
    *STRANGER_CHEATS,
    *PARTED_CHEATS,
    *SILENCES,
)
"""Every way to cheat."""


def _fits_any_game(cheat: Cheat) -> bool:
    """Return True if one peer can cheat this way in any game, whatever else goes wrong there."""
    needs_others = cheat.leaver or cheat.back or cheat.backed or cheat.host
    if needs_others or cheat.how in (How.FORCED, How.PARTED):
        return False
    return cheat.binds or cheat.how in (How.UNSIGNED, How.IDLE)


CHEATS: Final = {cheat.name: cheat for cheat in CATALOGUE if _fits_any_game(cheat)}
"""The cheats that one peer can do in any game, by name."""


def make_deed(chance: Chance) -> Deed:
    """Return a deed: a random cheat that fits any game, and how many chances to let pass first.

    Up to three pass if chances come often, otherwise none.
    """
    cheat = CHEATS[chance.pick(tuple(CHEATS))]
    comes_often = Lay in cheat.kinds
    return Deed(cheat, chance.below(4) if comes_often else 0)
