"""Faults of a process, or of its computer.

Each function causes one fault and returns a line about it for the story, or an empty string if the
fault cannot happen.
"""

from lab.simulation.computers.process import Process
from lab.simulation.computers.weather import SLOW_CHECK_S, SLOW_WORK_S
from lab.simulation.mishaps.kinds import CRASHES
from lab.simulation.mishaps.outages import Outages


def slow_work(outages: Outages, victim: Process) -> str:
    """Make a computer slow at all work, for a while."""
    outages.slow_down(outages.world.room.weather.lame, victim.number, SLOW_WORK_S)
    return victim.name


def slow_check(outages: Outages, victim: Process) -> str:
    """Make a computer slow at checking a chain, for a while."""
    outages.slow_down(outages.world.room.weather.slow_checks, victim.number, SLOW_CHECK_S)
    return victim.name


def crash(outages: Outages, victim: Process) -> str:
    """Kill a process or cut the power of its computer, and start it again after a while."""
    victim.die(power=outages.chance.once_in(2))
    outages.bring_back(victim, alone=outages.chance.once_in(3))
    return victim.name


def crash_all(outages: Outages, writer: Process) -> str:
    """Cut the power of every computer but the writer's, and doom the writer to die as it writes.

    All come back after a while.
    """
    for process in outages.world.processes:
        if process is not writer and process.is_alive:
            process.die(power=True)
            outages.bring_back(process, alone=False)
    outages.doom[writer.number] = outages.chance.pick(CRASHES)
    return "all"


def sleep(outages: Outages, victim: Process) -> str:
    """Suspend a computer, and resume it after a while."""
    seconds = outages.chance.between(0.5, 60.0)
    links = outages.world.network.links_at(victim)
    for link in links:
        link.stall()
    victim.fall_asleep()

    def wake() -> None:
        for link in links:
            link.heal()
        victim.wake_up(seconds)

    outages.last(seconds, wake)
    return f"{victim.name} for {seconds:.1f} s"


def set_clock(_: Outages, victim: Process) -> str:
    """End all links, as after a jump of the wall clock, which looks to the program like sleep."""
    victim.links.end_all()
    return victim.name


def say_farewell(outages: Outages, victim: Process) -> str:
    """Have the victim say that it leaves for good, unless it has to stay."""
    return victim.name if outages.people.say_farewell(victim) else ""
