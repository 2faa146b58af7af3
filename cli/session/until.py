"""How long what somebody types makes sense, and what it is answered."""

from enum import Enum


class Until(Enum):
    """How long something makes sense; a move does until the round ends."""

    ROUND_ENDS = "neither at the card of a round nor after the game"
    GAME_ENDS = "not after the game"
    TABLE_ENDS = "always"


class OnPlay(Enum):
    """The fate of an answer that stands in sight when somebody plays."""

    HOLDS = "it is true all the same"
    RENEWS = "it is given anew"
    CLOSES = "it is closed, as it takes long to give"
