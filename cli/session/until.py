"""How long a typed line makes sense, and what happens to its answer when the table changes."""

from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from netgame.protocol.peer.view import TableView

About: TypeAlias = Callable[[TableView], tuple[object, ...]]
"""Returns the facts of the table that an answer is about."""


class Until(Enum):
    """The time until which a request makes sense; for every move it is `ROUND_ENDS`."""

    ROUND_ENDS = "neither at the card of a round nor after the game"
    GAME_ENDS = "not after the game"
    TABLE_ENDS = "always"


class OnChange(Enum):
    """The fate of an answer on the screen when its subject has changed."""

    HOLDS = "it is true all the same"
    YIELDS = "it is true all the same, and makes way for the first turn of a round"
    RENEWS = "it is given anew"
    CLOSES = "it is closed, as it takes long to give"
