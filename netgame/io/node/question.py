"""What a person or a bot asks of its seat, and what came of that."""

from dataclasses import dataclass, field

import trio

from engine.refusals import Refusal
from netgame.errors import NetgameError
from netgame.protocol.peer.core import Core, Wish
from netgame.protocol.peer.effects import Effect


@dataclass(slots=True, eq=False)
class Question:
    """`answer` is why not, and `error` what was raised, once `done` is set; else it is done."""

    wish: Wish
    answer: Refusal | None = None
    error: NetgameError | None = None
    done: trio.Event = field(default_factory=trio.Event)

    def put(self, core: Core, now: float) -> tuple[Effect, ...]:
        """Ask; return what is to be done."""
        try:
            answer = core.act(self.wish, now)
        except NetgameError as error:
            self.error = error
            return ()
        self.answer = None if isinstance(answer, tuple) else answer
        return answer if isinstance(answer, tuple) else ()
