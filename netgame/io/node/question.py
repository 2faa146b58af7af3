"""A request of a player or a bot to its seat, and its answer."""

from dataclasses import dataclass, field

import trio

from engine.refusals import Refusal
from netgame.errors import NetgameError
from netgame.protocol.peer.core import Core, Wish
from netgame.protocol.peer.effects import Effect


@dataclass(slots=True, eq=False)
class Question:
    """A wish and, once `done` is set, its refusal in `answer` or its exception in `error`.

    Both are None if the wish was granted.
    """

    wish: Wish
    answer: Refusal | None = None
    error: NetgameError | None = None
    done: trio.Event = field(default_factory=trio.Event)

    def put(self, core: Core, now: float) -> tuple[Effect, ...]:
        """Ask the core; returns the effects to carry out."""
        try:
            answer = core.act(self.wish, now)
        except NetgameError as error:
            self.error = error
            return ()
        self.answer = None if isinstance(answer, tuple) else answer
        return answer if isinstance(answer, tuple) else ()
