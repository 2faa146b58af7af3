"""One peer cheats: everybody honest names it, with evidence, and nobody else is accused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from netgame.protocol.core import Core
from netgame.simulation import game as games
from netgame.simulation.cheats import CHEATS, UNSIGNED, Cheater, make_cheater
from netgame.simulation.game import play_game
from netgame.wire.messages import Settings

if TYPE_CHECKING:
    from netgame.simulation.chance import Chance


PLACES = {
    "an act of no kind": Settings("roundhouse", (), 6, 3, 1, 5),
    "a false act": Settings("roundhouse", (), 6, 3, 1, 5),
    "another opening": Settings("standard", ("opening=simultaneous",), 6, 3, 1, 5),
    "a false hand-over": Settings("wolf-lake", (), 6, 3, 1, 1),
    "a false mix of the hand": Settings("standard", (), 6, 3, 1, 5, ("draws=hidden",)),
    "another hand": Settings("standard", (), 6, 3, 1, 5, ("draws=hidden",)),
    "the key of nothing": Settings("standard", (), 6, 3, 1, 3, ("audit=keys",)),
    "another seed": Settings("standard", (), 6, 3, 1, 3, ("audit=seeds",)),
}
"""Where cheats have their chance that other games give none."""


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_exposed(cheat: str, monkeypatch) -> None:
    """At the first chance in a quiet room, whatever it is; the first seed in which it is done."""
    kinds: list[type[Cheater]] = []

    def this_one(chance: Chance) -> type[Cheater]:
        kind = make_cheater(chance)
        kind.cheat, kind.wait = cheat, 0
        kinds.append(kind)
        return kind

    monkeypatch.setattr(games, "make_cheater", this_one)
    place = PLACES.get(cheat)
    played = (play_game(seed, faults=False, cheat=True, settings=place) for seed in range(40))
    game = next(game for game in played if game.cheat)
    assert game.cheat == cheat
    assert not game.trouble, (game.seed, game.trouble)
    assert kinds[-1].lie is not None
    assert game.entries > 0


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_cheats_among_faults(first: int) -> None:
    """A network that breaks and processes that die hide nothing for ever."""
    done = 0
    for seed in range(first, first + 10):
        game = play_game(seed, cheat=True)
        assert not game.trouble, (seed, game.cheat, game.trouble, game.story)
        done += bool(game.cheat)
    assert done


def test_a_cheat_that_nobody_judges_is_noticed(monkeypatch) -> None:
    """The verdict is about the honest: if they notice nothing, the game has failed."""
    monkeypatch.setattr(games, "LIMIT_S", 60.0)
    monkeypatch.setattr(Core, "convict", lambda self, fault: None)
    played = (play_game(seed, faults=False, cheat=True) for seed in range(40))
    game = next(game for game in played if game.cheat and game.cheat not in UNSIGNED)
    assert game.trouble
