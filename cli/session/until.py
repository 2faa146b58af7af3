"""How long what somebody types makes sense, and what it is answered."""

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from netgame.protocol.peer.view import TableView

About: TypeAlias = Callable[[TableView], tuple[object, ...]]
"""Finds what of the table an answer is about."""


class Until(Enum):
    """How long something makes sense; a move does until the round ends."""

    ROUND_ENDS = "neither at the card of a round nor after the game"
    GAME_ENDS = "not after the game"
    TABLE_ENDS = "always"


class OnChange(Enum):
    """The fate of an answer that stands in sight when what it is about has changed."""

    HOLDS = "it is true all the same"
    YIELDS = "it is true all the same, and makes way for the first turn of a round"
    RENEWS = "it is given anew"
    CLOSES = "it is closed, as it takes long to give"
