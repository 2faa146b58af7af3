"""Whoever sits at a simulated seat: plays any legal move, and calls whenever asked."""

from collections.abc import Callable, Sequence
from typing import Final

from engine.refusals import Refusal, RefusalCode
from engine.table.moves import Call, Catch, Quiet, Tap
from engine.table.trains import Seat
from engine.view import SeatView
from lab.rounds.seeds import pick
from lab.simulation.computers.process import Process
from netgame.protocol.notices import MayCall, Notice, Trouble, TroubleKind, YourTurn
from netgame.protocol.peer.effects import Effect

_DOUBTS: Final = (TroubleKind.JOURNAL_DOUBT, TroubleKind.POLLS_DOUBT)
"""What people take the risk of, by and by."""


class Person:
    """Hears what the core tells, thinks, and acts; forgotten with the process it sits at."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._thinks = False

    def hear(self, notice: Notice) -> None:
        """Think about a notice that asks for something."""
        if isinstance(notice, YourTurn) and not self._thinks:
            self._thinks = True
            self._after_a_while(self._propose)
        elif isinstance(notice, MayCall):
            self._after_a_while(self._call)
        elif isinstance(notice, Trouble) and notice.kind in _DOUBTS:
            self._after_a_while(self._take_risk)

    def _after_a_while(self, act: Callable[[], Sequence[Effect]]) -> None:
        process = self._process
        process.life.later(process.room.weather.think_s(), lambda: process.take(act))

    def _propose(self) -> Sequence[Effect]:
        self._thinks = False
        process = self._process
        view = process.core.view()
        if not view.can_move or view.table is None or view.hand is None:
            return ()
        legal = SeatView(view.table, view.seat, view.hand).legal
        moves = [move for move in legal if not isinstance(move, Catch | Quiet)]
        move = pick(process.room.moves, moves)
        effects = process.core.act(lambda parts: parts.writer.try_move(move), process.clock())
        if isinstance(effects, Refusal):
            assert effects.code is RefusalCode.NOT_YOUR_TURN, effects
            return ()
        return effects

    def _take_risk(self) -> Sequence[Effect]:
        """Play on, once the others have shown all that they have."""
        process = self._process
        effects = process.core.act(lambda parts: parts.pen.take_risk(), process.clock())
        return () if isinstance(effects, Refusal) else effects

    def _call(self) -> Sequence[Effect]:
        """Say that one tile is left, or catch somebody, whether or not it is so."""
        process = self._process
        view = process.core.view()
        if view.table is None or view.seat is None:
            return ()
        seats = range(view.table.spec.seats)
        calls: list[Call] = [Tap(view.seat), *(Catch(view.seat, Seat(seat)) for seat in seats)]
        call = pick(process.room.moves, calls)
        effects = process.core.act(lambda parts: parts.calling.say(call), process.clock())
        return () if isinstance(effects, Refusal) else effects
