"""A person at a simulated seat, who moves and calls at random, and lets everybody in."""

from typing import Final

from engine.refusals import Refusal, RefusalCode, RefusalReason
from engine.table.moves import Call, Catch, Quiet, Tap
from engine.table.trains import Seat
from engine.view import SeatView
from lab.rounds.seeds import pick
from lab.simulation.computers.process import Errand, Process
from lab.simulation.computers.surroundings import Fate
from netgame.protocol.notices import MayCall, Notice, Trouble, TroubleKind, YourTurn
from netgame.protocol.peer.parts import Parts
from netgame.protocol.seating import SeatAsked

_NOTHING_TO_DO: Final = Refusal(RefusalReason.ANOTHERS_TURN)


class Person:
    """A person who hears the core's notices, thinks, and acts, for one life of a process."""

    def __init__(self, process: Process, fate: Fate[Process]) -> None:
        self._process = process
        self._fate = fate
        self._thinks = False

    def hear(self, notice: Notice) -> None:
        """React to a notice that asks for something."""
        if isinstance(notice, YourTurn) and not self._thinks:
            self._thinks = True
            self._after_a_while(self._propose)
        elif isinstance(notice, MayCall):
            self._after_a_while(self._call)
        elif isinstance(notice, SeatAsked):
            self._after_a_while(_say_yes)
        elif isinstance(notice, Trouble) and notice.kind is TroubleKind.JOURNAL_DOUBT:
            self._fate.doubted(self._process)

    def _after_a_while(self, errand: Errand) -> None:
        process = self._process
        process.life.later(process.room.weather.think_s(), lambda: process.act(errand))

    def _propose(self, parts: Parts) -> Refusal | None:
        self._thinks = False
        view = self._process.core.view()
        if not view.can_move or view.table is None or view.hand is None:
            return _NOTHING_TO_DO
        legal = SeatView(view.table, view.seat, view.hand).legal
        moves = [move for move in legal if not isinstance(move, Catch | Quiet)]
        refusal = parts.writer.try_move(pick(self._process.room.moves, moves))
        assert refusal is None or refusal.code is RefusalCode.NOT_YOUR_TURN, refusal
        return refusal

    def _call(self, parts: Parts) -> Refusal | None:
        """Announce a last tile, or catch a random seat, whether or not the rules allow it."""
        view = self._process.core.view()
        if view.table is None or view.seat is None:
            return _NOTHING_TO_DO
        seats = range(view.table.spec.seats)
        calls: list[Call] = [Tap(view.seat), *(Catch(view.seat, Seat(seat)) for seat in seats)]
        return parts.calling.say(pick(self._process.room.moves, calls))


def _say_yes(parts: Parts) -> None:
    """Let in everybody who asks for a seat."""
    for asking in parts.applicants.asking():
        parts.chair.allow(asking.key)
