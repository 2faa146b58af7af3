"""The request of a player or a bot to its seat, and the answer."""

from typing import TypeAlias

import trio
from msgspec import Struct, field

from engine.refusals import Refusal
from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct
from netgame.protocol.peer.core import Wish


class Granted(FrozenStruct):
    """The seat has carried out the wish; the entries that it signed are on disk and being sent."""


class Waiting(FrozenStruct):
    """The seat cannot answer: it is paused, or its disk is full; the player has been told.

    The wish may still be carried out once the disk has room.
    """


Answer: TypeAlias = Granted | Waiting | Refusal


class Question(Struct, eq=False):
    """A wish, and its answer once `done` is set."""

    wish: Wish
    answer: Answer = Waiting()
    """Stays `Waiting` if the seat is paused or waits for room."""
    error: NetgameError | None = None
    """The error that the wish raised instead."""
    done: trio.Event = field(default_factory=trio.Event)
