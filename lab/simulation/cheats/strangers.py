"""A stranger with more keys than there are players, all asking for seats while three play.

    to take over   the table needs no join code, and somebody lets everybody in; as soon as the
                   keys have votes, they vote to go on without the players
    to hold up     the keys have the join code; they get seats, and one of them falls silent in
                   each try to seat them
    to be many     the keys belong to the host, who seats them all, and votes with them against the
                   players

No log can show that several keys are one person. So the chair's own program must keep strangers
fewer than the others, and all programs must let silent seats go quickly. In a vote, each program
limits the strangers that it names: together with the chair they must not be a majority.
"""

from collections.abc import Set
from typing import Final

from lab.simulation.cheats.cheat import Aftermath, At, Cheat, How, cheat
from lab.simulation.computers.process import Process
from lab.simulation.computers.small_tables import small
from lab.simulation.mishaps.faults import quiet_world
from netgame.limits import NEWCOMER_S, NEWCOMER_STEP_S
from netgame.protocol.state.phases import Phase

_THREE: Final = small(3, 3, "newcomers=open", "patience=vote", rounds=7)
_WITH_CODE: Final = small(3, 3, "patience=vote", rounds=3)
_KEYS: Final = 4
_SILENT: Final = 5
_HOLD_S: Final = NEWCOMER_S + (_SILENT - 1) * NEWCOMER_STEP_S + 2.0 * _SILENT
"""How long silent keys may hold a table up; the last part is for the polls."""
_LIMIT_S: Final = 3_600.0


def take_over(seed: int, _: Cheat) -> Aftermath | None:
    """Play a game in which four keys come and vote against the players. Return None if none sat."""
    world = quiet_world(seed, _THREE)
    world.open_table()
    players = list(world.processes)
    for player in players:
        player.is_attended = True
        player.act(lambda parts: parts.context.attend())
    world.run(lambda: players[0].state.phase is Phase.PLAY, _LIMIT_S)
    keys = [world.add_guest(watches=False) for _ in range(_KEYS)]
    for each in keys:
        each.codes.update(player.number for player in players)  # no door is shut here
        _votes_against(each, {other.key for other in keys})
        each.start()
        each.join(players[0].key)
    world.run(lambda: all(player.is_finished for player in players), _LIMIT_S)
    own = {each.key for each in keys}
    epochs = players[0].ledger.state.company.epochs
    sat = [epoch.first for epoch in epochs if not own.isdisjoint(epoch.keys)]
    if not sat:
        return None
    return Aftermath(keys[0].name, At("join-ask", sat[0]), tuple(_wrong(players, keys)))


def brings_strangers(seed: int, _: Cheat) -> Aftermath | None:
    """Play a game whose host seats its own keys and votes with them. Return None if none sat."""
    world = quiet_world(seed, _THREE)
    world.open_table()
    players = list(world.processes)
    host = players[0]
    chair = host.core.parts.chair
    vars(chair)["why_barred"] = lambda _key: None
    chair.knows = lambda _key: True
    world.run(lambda: host.state.phase is Phase.PLAY, _LIMIT_S)
    keys = [world.add_guest(watches=False) for _ in range(_KEYS)]
    own: set[bytes] = {host.key, *(each.key for each in keys)}
    for each in keys:
        each.codes.update(player.number for player in players)
        _votes_against(each, own)
        each.start()
        each.join(host.key)
    world.run(lambda: len(host.state.seats) > len(players) or host.is_finished, _LIMIT_S)
    if len(host.state.seats) == len(players):
        return None
    step = host.state.step
    _votes_against(host, own)
    world.run(lambda: all(player.is_finished for player in players), _LIMIT_S)
    return Aftermath(host.name, At("round-over", step), tuple(_gone(players)))


def _votes_against(each: Process, own: Set[bytes]) -> None:
    """Have this program miss everybody outside `own` as soon as it has a seat."""
    place = each.core.context

    def misses() -> frozenset[bytes]:
        here = frozenset(place.state.company.now.here)
        return here - own if place.key in here else frozenset()

    vars(each.core.parts.wishes)["misses"] = misses


def _wrong(players: list[Process], keys: list[Process]) -> list[str]:
    """Return what went wrong, in words.

    Possible faults: players were left behind or have not seen the end, or the keys have at least as
    many seats as there are players.
    """
    found = _gone(players)
    for player in players:
        seats = sum(player.state.company.now.has(each.key) for each in keys)
        if seats >= len(players):
            found.append(f"{seats} of the keys have a seat")
    return found


def _gone(players: list[Process]) -> list[str]:
    """Return, in words, which players were left behind or have not seen the end of the game."""
    found = []
    for player in players:
        if not player.state.company.now.has(player.key):
            found.append(f"{player.name} was gone on without")
        if player.state.phase is not Phase.OVER:
            found.append(f"{player.name} has not seen the end")
    return found


def fall_silent(seed: int, _: Cheat) -> Aftermath | None:
    """Play a game in which five keys sit down and fall silent. Return None if they ask too late."""
    world = quiet_world(seed, _WITH_CODE)
    world.open_table()
    players = list(world.processes)
    host = players[0]
    world.run(lambda: host.state.phase is Phase.PLAY, _LIMIT_S)
    keys = [world.add_guest(watches=False) for _ in range(_SILENT)]
    for number, each in enumerate(keys):
        each.codes.update(player.number for player in players)
        _is_silent(each, among=_SILENT - number)
        each.start()
        each.join(host.key)
    world.run(lambda: bool(host.state.newcomers) or host.is_finished, _LIMIT_S)
    if len(host.state.newcomers) < _SILENT:
        return None
    began, step = world.time.now, host.state.step
    world.run(lambda: host.state.phase in (Phase.PLAY, Phase.OVER), _LIMIT_S)
    took = world.time.now - began
    tries = sum(bool(each.goes) for each in host.ledger.decisions)
    world.run(lambda: all(player.is_finished for player in players), _LIMIT_S)
    found = _wrong(players, keys)
    if took > _HOLD_S or tries < _SILENT:
        found.append(f"{tries} tries to seat the keys took {took:.0f} s")
    return Aftermath(keys[0].name, At("roster", step), tuple(found))


def _is_silent(each: Process, *, among: int) -> None:
    """Have this program write nothing while the number of newcomers is `among`."""
    writer = each.core.parts.writer
    write = writer.write_owed

    def written() -> None:
        if len(each.state.newcomers) != among:
            write()

    vars(writer)["write_owed"] = written


STRANGER_CHEATS: Final = (
    cheat(
        "more strangers than players",
        how=How.CROWD,
        play=take_over,
        about=(
            "four keys of one stranger ask for seats at an open table of three, where "
            "somebody says yes to all, and vote against the players; a chair seats fewer "
            "strangers than there are others (peer.md 6), and they are no quorum"
        ),
    ),
    cheat(
        "a host that brings strangers",
        how=How.CROWD,
        play=brings_strangers,
        about=(
            "it seats four keys of its own at a table of three, and all vote against the others; "
            "who comes late has a vote once more than half of the voters have named them, and no "
            "other program names so many that they and the chair are more than half"
        ),
    ),
    cheat(
        "guests who fall silent one after the other",
        how=How.CROWD,
        play=fall_silent,
        about=(
            "five keys with the join code sit down, and one in each try signs no roster; "
            "half a minute is for all tries (peer.md 8.2), each costs five seconds more, "
            "and none of the keys gets another seat in this game without a yes"
        ),
    ),
)
