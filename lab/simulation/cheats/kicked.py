"""A guest whose seat the host has taken back, and who keeps asking for another one.

Four people come to a table; as soon as one of the guests sits, the host kicks it, and begins with
the others. The kicked key stays linked, and asks for a seat in the lobby, in every step of the
game, and over a new link. No log can show that somebody was kicked: the host's own program must
remember it.
"""

from typing import Final

from lab.simulation.cheats.cheat import Aftermath, At, Cheat, How, cheat
from lab.simulation.computers.clock import Script
from lab.simulation.computers.process import Process
from lab.simulation.computers.small_tables import small
from lab.simulation.mishaps.faults import quiet_world
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import Effect
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import JoinAsk

_FOUR: Final = small(4, 4, rounds=7)
_LIMIT_S: Final = 600.0
_AGAIN_S: Final = 0.01
"""How often the kicked guest asks: a game of such small hands lasts only seconds here."""


def ask_again(seed: int, _: Cheat) -> Aftermath | None:
    """Play a game with a kicked guest. Return None if it began before the guest was kicked."""
    world = quiet_world(seed, _FOUR)
    world.open_table()
    host, *guests = world.processes
    victim = guests[seed % len(guests)]
    world.run(lambda: host.state.member(victim.key) is not None, _LIMIT_S)
    if host.state.phase is not Phase.LOBBY:
        return None
    host.act(lambda parts: parts.lobby_host.kick(victim.key))
    asked = list[int]()
    stay = [process for process in world.processes if process is not victim]
    world.follow(_keep_asking(victim, stay, asked))
    members = {process.key for process in stay}
    world.run(lambda: {each.key for each in host.state.members} == members, _LIMIT_S)
    host.act(lambda parts: parts.lobby_host.begin())
    world.run(lambda: all(process.is_finished for process in stay), _LIMIT_S)
    return Aftermath(victim.name, At("join-ask", max(asked)), tuple(_wrong(victim, stay, asked)))


def _keep_asking(victim: Process, stay: list[Process], asked: list[int]) -> Script:
    """Have the victim ask everybody for a seat until the others have finished.

    After the third time, all its links are cut once, so it must make new ones.
    """
    core = victim.core
    while True:
        asked.append(core.state.step)
        # each request is signed afresh: one request is good for one seating
        victim.take(lambda: _told_all(core, JoinAsk(*core.context.signed_request())))
        if len(asked) == 3:
            victim.links.end_all()
        if all(process.is_finished for process in stay):
            return
        yield _AGAIN_S


def _told_all(core: Core, message: JoinAsk) -> tuple[Effect, ...]:
    core.context.links.tell_all(message)
    return core.flush()


def _wrong(victim: Process, stay: list[Process], asked: list[int]) -> list[str]:
    """Return what went wrong, in words.

    Possible faults: the kicked key has a seat, somebody has not seen the end, or the kicked key
    never asked in mid-game.
    """
    found = []
    for process in stay:
        state = process.state
        if any(epoch.has(victim.key) for epoch in state.company.epochs):
            found.append(f"{process.name} has {victim.name} in a seat")
        if state.phase is not Phase.OVER:
            found.append(f"{process.name} has not seen the end")
    begun = stay[0].state.company.sessions[0][0]
    if not any(step > begun for step in asked):
        found.append(f"{victim.name} has never asked in mid-game")
    return found


KICKED_CHEATS: Final = (
    cheat(
        "a seat for a key that was kicked",
        how=How.KICKED,
        first_seed=1,
        play=ask_again,
        about=(
            "asked for in the lobby, in every step of the game and over new links; the "
            "host's program keeps no such request, and as the chair seats it in no round"
        ),
    ),
)
