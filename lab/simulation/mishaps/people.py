"""How people deal with missing seats, and how they leave a game early."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import Script
from lab.simulation.computers.life import Life
from lab.simulation.computers.process import Process
from lab.simulation.computers.world import World
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase

_LOOKS_UP_S: Final = 100.0
"""People who see nothing happen for so long give up the seats for which the table waits."""

_HAS_GONE_S: Final = 0.5
"""Within this long of a farewell the person ends the program."""


class People:
    """The people of one table: they give up missing seats, and may say farewell."""

    def __init__(self, world: World, chance: Chance) -> None:
        self._world = world
        self._chance = chance
        self.look_up_began = False

    def name_all_missing(self, within_s: float) -> None:
        """Have most people give up all missing seats.

        Each does so at a random moment in the next `within_s` seconds.
        """
        for process in self._world.processes:
            if not self._chance.once_in(3):
                names = partial(self._name_missing, process)
                self._world.later(self._chance.between(0.5, within_s), names)

    def _name_missing(self, process: Process) -> None:
        if not process.is_ready:
            return
        now, state = process.clock(), process.state
        keys = {state.author_key(state.step, seat) for seat in state.present} - {process.key, None}
        missed = [key for key in keys if key is not None and process.core.is_missed(key, now)]
        process.act(lambda parts: parts.wishes.give_up(missed))

    def say_farewell(self, victim: Process) -> bool:
        """Have a process say that it leaves for good, and return True; return False if it stays.

        It stays if it has no seat, or if the game has not begun, is over, or would be left without
        an honest seat. A host stays if it alone links the others. A cheater stays, because a
        farewell might contradict its lies. One leaver in three comes back later all the same.
        """
        if self._world.keeps_apart and victim.number == 0:
            return False
        sits = [p for p in self._world.processes if p.core.context.sits(p.key)]
        stay = [p for p in sits if p is not victim and p.number not in self._world.left]
        state = victim.state
        is_left_alone = not any(type(each.core) is Core for each in stay)  # except for a cheater
        if victim not in sits or is_left_alone or type(victim.core) is not Core:
            return False
        if state.phase in (Phase.LOBBY, Phase.OVER):
            return False
        comes_back = self._chance.once_in(3)
        if not comes_back:
            self._world.left.add(victim.number)
        victim.act(leave_for_good)
        ends = partial(self._end, victim, victim.life, comes_back=comes_back)
        self._world.later(self._chance.between(0.0, _HAS_GONE_S), ends)
        self.begin_to_look_up()
        return True

    def begin_to_look_up(self) -> None:
        """From now on, have everybody look for missing seats again and again.

        This is called when somebody leaves or signs nothing, and has an effect only the first time.
        """
        if not self.look_up_began:
            self.look_up_began = True
            self._world.follow(self.look_up(lambda: self._world.processes))

    def _end(self, victim: Process, life: Life, *, comes_back: bool) -> None:
        if not comes_back:
            victim.die(quits=True)
        elif not life.is_over:
            victim.die(quits=True)
            victim.life.later(self._chance.between(0.1, 20.0), victim.come_back)

    def look_up(self, who: Callable[[], Iterable[Process]]) -> Script:
        """Have people give up the missing seats whenever the step has not changed for long.

        `who` returns the people to ask. The script never ends.
        """
        seen: dict[int, int] = {}
        while True:
            yield _LOOKS_UP_S
            for process in who():
                step = process.state.step
                if seen.get(process.number) == step:
                    self._name_missing(process)
                seen[process.number] = step
