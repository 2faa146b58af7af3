"""What a person or bot asks of a core."""

from collections.abc import Callable
from typing import Generic, TypeVar

import trio

from netgame.errors import NetgameError
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import Effect

T = TypeVar("T")


class Question(Generic[T]):
    """`answer` is why not, and `error` what was raised, once `done` is set; else it is done."""

    def __init__(self, ask: Callable[[Core, float], tuple[Effect, ...] | T]) -> None:
        self._ask = ask
        self.answer: T | None = None
        self.error: NetgameError | None = None
        self.done = trio.Event()

    def put(self, core: Core, now: float) -> tuple[Effect, ...]:
        """Ask; return what is to be done."""
        try:
            answer = self._ask(core, now)
        except NetgameError as error:
            self.error = error
            return ()
        if isinstance(answer, tuple):
            return answer
        self.answer = answer
        return ()
