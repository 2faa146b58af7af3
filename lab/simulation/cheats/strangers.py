"""Strangers who come to an open table with more keys than there are players.

Three play at a table that asks for no join code, and somebody says yes to everybody. Four keys of
one stranger ask for seats in the first round; as soon as they have votes they vote to go on without
the players. No log can show that several keys are one person: the chair's own program has to keep
strangers fewer than the others.
"""

from typing import Final

from lab.simulation.cheats.cheat import Aftermath, At, Cheat, How, cheat
from lab.simulation.computers.process import Process
from lab.simulation.computers.small_tables import small
from lab.simulation.mishaps.faults import quiet_world
from netgame.protocol.fold.phases import Phase

_THREE: Final = small(3, 3, "newcomers=open", "patience=vote", rounds=7)
_KEYS: Final = 4
_LIMIT_S: Final = 3_600.0


def take_over(seed: int, _: Cheat) -> Aftermath | None:
    """Play a game to which four keys come that vote against the players; None if none ever sat."""
    world = quiet_world(seed, _THREE)
    world.open_table()
    players = list(world.processes)
    for player in players:
        player.is_attended = True
        player.act(lambda parts: parts.place.attend())
    world.run(lambda: players[0].state.phase is Phase.PLAY, _LIMIT_S)
    keys = [world.add_guest(watches=False) for _ in range(_KEYS)]
    for each in keys:
        each.codes.update(player.number for player in players)  # no door is shut here
        _votes_against(each, {other.key for other in keys})
        each.start()
        each.join(players[0].key)
    world.run(lambda: all(player.is_finished for player in players), _LIMIT_S)
    ledger = players[0].ledger
    sat = [epoch.first for epoch in ledger.state.company.epochs if _has_any(epoch.keys, keys)]
    if not sat:
        return None
    return Aftermath(keys[0].name, At("join-ask", sat[0]), tuple(_wrong(players, keys)))


def _votes_against(each: Process, own: set[bytes]) -> None:
    """Have its program miss everybody else as soon as it has a seat."""
    place = each.core.place

    def misses() -> frozenset[bytes]:
        here = frozenset(place.state.company.now.here)
        return here - own if place.key in here else frozenset()

    vars(each.core.parts.wishes)["misses"] = misses


def _has_any(keys: tuple[bytes, ...], of: list[Process]) -> bool:
    return any(each.key in keys for each in of)


def _wrong(players: list[Process], keys: list[Process]) -> list[str]:
    """The players who were gone on without or saw no end, and whether the keys ever were more."""
    found = []
    for player in players:
        state = player.state
        if not state.company.now.has(player.key):
            found.append(f"{player.name} was gone on without")
        if state.phase is not Phase.OVER:
            found.append(f"{player.name} has not seen the end")
        votes = sum(state.company.now.has(each.key) for each in keys)
        if votes >= len(players):
            found.append(f"{votes} of the keys have a seat")
    return found


STRANGER_CHEATS: Final = (cheat("more strangers than players", how=How.CROWD, play=take_over),)
