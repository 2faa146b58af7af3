"""How long what somebody types makes sense."""

from enum import Enum


class Until(Enum):
    """How long something makes sense; a move does until the round ends."""

    ROUND_ENDS = "neither at the card of a round nor after the game"
    GAME_ENDS = "not after the game"
    TABLE_ENDS = "always"
