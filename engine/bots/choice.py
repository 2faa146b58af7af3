"""What every bot is: a function from a seat's view and octets to a move and its reason."""

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, TypeAlias

from engine.chance import Entropy
from engine.table.moves import Move
from engine.view import SeatView


class Reason(Enum):
    """Why a bot chose a move, in a few words a person understands."""

    FORCED = "nothing else is legal"
    COVER = "the double must be covered"
    OWN_MARKER = "takes the own marker down"
    OWN_TRAIN = "goes on with the longest own train"
    SPARE = "fits no plan for the own train, so it goes where it may"
    LAST_TILE = "the last tile has to be told"
    CHANCE = "picked at random"


class Choice(NamedTuple):
    """A legal move and why it was chosen."""

    move: Move
    reason: Reason


Strategy: TypeAlias = Callable[[SeatView, Entropy], Choice]
