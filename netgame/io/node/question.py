"""A player's or a bot's request to its seat, and the answer."""

from typing import TypeAlias

import trio
from msgspec import Struct, field

from engine.refusals import Refusal
from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct
from netgame.protocol.peer.core import Wish


class Granted(FrozenStruct):
    """The seat has done all that the wish takes; what it signed is on disk and on its way."""


class Waiting(FrozenStruct):
    """The answer is still to come: the seat is paused or its disk is full; its player is told.

    The wish may still be carried out, once there is room.
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
