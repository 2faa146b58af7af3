"""Simulated links end as real ones do, and report how they ended: quit, broken or silent."""

from collections.abc import Callable

import pytest

from lab.simulation.computers.cables import Cable, Host
from lab.simulation.computers.clock import Script
from lab.simulation.computers.process import Process
from lab.simulation.computers.toys import toys
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import Injector, quiet_world
from netgame.limits import CLOCK_CHECK_S, DIAL_BACKOFF_MAX_S, DROP_S, FLOOD_BAN_S, LINK_SETTLED_S
from netgame.protocol.notices import LinkChanged, LinkEnd, Notice, YourTurn
from netgame.protocol.peer import driver
from netgame.protocol.peer.effects import Drop, PeerKey
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Settings


class Thinkers(World):
    """A table at which nobody makes a move after the deal."""

    def person(self, _: Process) -> Callable[[Notice], None]:
        """Return a person who ignores every notice."""
        return lambda _: None


def in_play(seed: int = 3) -> World:
    """Return a world with a table of three in mid-round, on a network without faults."""
    world = quiet_world(seed, Settings("standard", (), 6, 3, 1, 0))
    world.open_table()
    world.time.run(lambda: all(_plays(process) for process in world.processes), 600.0)
    return world


def _plays(process: Process) -> bool:
    return process.core.state.phase is Phase.PLAY and process.core.state.step > 30


def ends_told(process: Process, name: str) -> list[LinkEnd | None]:
    """Return how each link to `name` ended, according to the notices of this process."""
    told = (notice for notice in process.told if isinstance(notice, LinkChanged))
    return [notice.end for notice in told if notice.name == name and not notice.up]


def _have_told(ann: Process, ben: Process, his: LinkEnd | None) -> bool:
    return bool(ends_told(ann, ben.name)) and (his is None or bool(ends_told(ben, ann.name)))


def _link(world: World) -> Cable:
    (link,) = world.network.links_of(frozenset((0, 1)))
    return link


def _replace(world: World) -> None:
    ann, ben, _ = world.processes
    world.later(LINK_SETTLED_S, lambda: world.follow(world.network.dial(ben, ann.key)))


def _drop(world: World, *, floods: bool) -> None:
    ann, ben, _ = world.processes
    driver.carry_out(Drop(ann.key, "", floods), ben, ben.links.known)


def _farewell(world: World) -> None:
    world.processes[1].act(leave_for_good)
    world.processes[1].die(quits=True)


ENDS: dict[str, tuple[Callable[[World], object], LinkEnd, LinkEnd | None]] = {
    "quit": (lambda world: world.processes[1].die(quits=True), LinkEnd.QUIT, None),
    "killed": (lambda world: world.processes[1].die(), LinkEnd.BROKEN, None),
    "power cut": (lambda world: world.processes[1].die(power=True), LinkEnd.SILENT, None),
    "left for good": (_farewell, LinkEnd.LEFT, None),
    "reset": (lambda world: _link(world).reset(), LinkEnd.BROKEN, LinkEnd.BROKEN),
    "cut off": (
        lambda world: world.network.part([frozenset((0, 1))]),
        LinkEnd.SILENT,
        LinkEnd.SILENT,
    ),
    "replaced": (_replace, LinkEnd.ENDED_HERE, LinkEnd.ENDED_HERE),
    "paused": (
        lambda world: world.processes[1].links.finish_all(),
        LinkEnd.QUIT,
        LinkEnd.ENDED_HERE,
    ),
    "slept": (lambda world: world.processes[1].links.end_all(), LinkEnd.BROKEN, LinkEnd.ENDED_HERE),
    "dropped": (lambda world: _drop(world, floods=False), LinkEnd.QUIT, LinkEnd.ENDED_HERE),
}
"""Ways for Ben's link to Ann to end: the act, how it ends for Ann, and how for Ben.

None if Ben is gone and is told nothing.
"""


@pytest.mark.parametrize("what", ENDS)
def test_a_link_says_how_it_has_ended(what: str) -> None:
    """Ann is told once how her link to Ben really ended, and so is Ben if he is still there."""
    act, hers, his = ENDS[what]
    with toys():
        world = in_play()
        ann, ben, _ = world.processes
        act(world)
        world.time.later(5 * DROP_S, lambda: None)
        end = world.time.now + 5 * DROP_S
        world.time.run(lambda: world.time.now >= end or _have_told(ann, ben, his), 600.0)
    assert ends_told(ann, ben.name) == [hers]
    if his is not None:
        assert ends_told(ben, ann.name) == [his]


@pytest.mark.parametrize("ended", ["end", "finish"])
def test_a_frame_for_a_link_that_has_ended_never_leaves(ended: str, monkeypatch) -> None:
    """Of two frames, one before and one after the end of a link, the first alone counts as sent."""
    with toys():
        world = in_play()
        _, ben, _ = world.processes
        left: list[bytes] = []
        monkeypatch.setattr(ben, "frame_left", left.append)
        end = next(each for each in _link(world).ends if each.owner is ben)
        end.send(b"before")
        getattr(end, ended)()
        end.send(b"after")
    assert left == [b"before"]


def test_who_floods_gets_no_other_link_for_a_while(monkeypatch) -> None:
    """A flood ends the link, and the two peers are linked again only after the ban.

    Until then Ben turns Ann away, though she dials him all the time, and does not dial her.
    """
    dialled: list[tuple[Host, PeerKey]] = []
    seen: list[tuple[bool, bool]] = []
    with toys():
        world = in_play()
        ann, ben, _ = world.processes
        dial = world.network.dial

        def noted(dialler: Host, peer: PeerKey) -> Script:
            dialled.append((dialler, peer))
            return dial(dialler, peer)

        monkeypatch.setattr(world.network, "dial", noted)
        _drop(world, floods=True)

        def look() -> None:
            seen.append((ben.turns_away(ann.key), ann.key in ben.links.ends))

        for after in range(1, int(FLOOD_BAN_S)):
            world.time.later(float(after), look)
        world.time.run(lambda: len(seen) == FLOOD_BAN_S - 1, 600.0)
        told = list(dialled)
        world.time.later(1.0 + 2 * DIAL_BACKOFF_MAX_S, look)
        world.time.run(lambda: len(seen) == FLOOD_BAN_S, 600.0)
    assert set(seen[:-1]) == {(True, False)}
    assert (ann, ben.key) in told
    assert (ben, ann.key) not in told
    assert seen[-1] == (False, True)


@pytest.mark.parametrize("side", [(0, 1, 2), (3, 4, 5), (0, 5), (4,)])
def test_a_cut_shows_at_both_sides_in_time_though_nobody_moves(side: tuple[int, ...]) -> None:
    """Soon after a cut, each seat sees only its own side as connected, though nobody moves."""
    settings = Settings("standard", (), 9, 6, 1, 3)
    injector = Injector(1, faults=False)
    with toys():
        world = Thinkers(1, settings, Weather(1, restless=False), injector)
        world.open_table()
        people = world.processes
        world.time.run(lambda: any(type(n) is YourTurn for p in people for n in p.told), 600.0)
        quiet_at = world.time.now + 90.0
        world.time.later(90.0, lambda: None)
        world.time.run(lambda: world.time.now >= quiet_at, 600.0)
        rest = [number for number in range(6) if number not in side]
        world.network.part([frozenset((here, there)) for here in side for there in rest])
        end = world.time.now + DROP_S + CLOCK_CHECK_S
        world.time.later(DROP_S + CLOCK_CHECK_S, lambda: None)
        world.time.run(lambda: world.time.now >= end, 600.0)
        for process in people:
            own = side if process.number in side else rest
            seen = {info.name for info in process.core.view().seats if info.connected}
            assert seen == {people[number].name for number in own}
