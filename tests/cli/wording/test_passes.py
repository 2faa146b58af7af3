"""Why a pass was made for its player."""

import dataclasses

from cli.wording.events import events_text
from cli.wording.moves import HeldDraws
from engine.struct import replace
from engine.table.events import Passed, TileDrawn
from engine.table.table import Owed
from engine.table.trains import MEXICAN, Seat
from engine.tiles import Tile
from netgame.protocol.notices import Played
from tests.cli.scenes import scene_after
from tests.cli.session.test_calls import played


def test_a_pass_names_the_double_that_nothing_covers():
    """Not that nothing fits: a tile may fit another train."""
    scene = scene_after(9, 3, 7)
    table = replace(scene.table, owed=(Owed(MEXICAN, 0, Tile(5, 5)),))
    scene, seat = dataclasses.replace(scene, table=table), Seat(0)
    (at, tile), passed = scene.hand.tiles[-1], Played(seat, (Passed(seat),))
    draws = HeldDraws()
    assert draws.told(scene, passed, events_text(scene, passed.events)) == (
        "Nothing you hold covers 5=5: you passed."
    )
    drew = Played(seat, (TileDrawn(seat, at),))
    assert draws.told(scene, drew, events_text(scene, drew.events)) == ""
    assert draws.told(scene, passed, events_text(scene, passed.events)) == (
        f"Nothing you hold covers 5=5: you drew {tile.high}-{tile.low} and passed."
    )


async def test_why_says_the_rule_of_a_pass_that_was_made_for_its_player():
    """Until a move is refused, of which it says the rule then."""
    scene = scene_after(9, 3, 7)
    table = replace(scene.table, owed=(Owed(MEXICAN, 0, Tile(5, 5)),))
    told = [Played(scene.seat, (Passed(scene.seat),))]
    scene = dataclasses.replace(scene, table=table)
    _, front = await played(scene, "why", "9-9", "why", told=told)
    first, last = (said for said in front.said if "of the rules" in said)
    assert first.startswith("Nothing you hold covers 5=5: you passed. The tile after a double")
    assert not last.startswith("Nothing")
