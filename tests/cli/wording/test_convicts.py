"""Sentences about players proved to have cheated, and about a game that ends because of it."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from cli.language import ENGLISH, speak
from cli.scene import Convict, Scene, convicts_of
from cli.wording.convicts import convict_texts, stopped_texts
from engine.table.table import Table
from engine.table.trains import Seat
from netgame.protocol.log.fault import Offence
from tests.cli.fakes import seats_of, view_of
from tests.cli.scenes import scene_after
from tests.cli.session.test_seat_parts import gone_seat

MAL = Convict("Ben", Offence.SCORE, 1)
SCENE = scene_after(12, 4, 43)


def stood(*rounds: tuple[int, ...], seat: int = 0) -> str:
    """Return what a seat reads about the standings if the game stops after these scored rounds."""
    table: Table = changed(SCENE.table, past=rounds)
    scene = Scene(table, None, SCENE.names, Seat(seat), can_move=False)
    first, second = stopped_texts(scene, [MAL])
    assert first == "The game ends here: Ben cheated, and nobody can play on."
    return second


def test_who_leads_by_the_last_scored_round_is_the_result():
    """The leaders after the last scored round are named with their points, as are the others."""
    after = f"After round 2 of {SCENE.table.spec.rounds}, the last that was scored,"
    assert stood((3, 9, 1, 5), (4, 0, 9, 20)) == (
        f"{after} you lead with 7 points. The others: Ben 9, Cy 10 and Dora 25."
    )
    assert stood((3, 9, 1, 5), (4, 0, 9, 20), seat=3) == (
        f"{after} Ana leads with 7 points. The others: Ben 9, Cy 10 and you 25."
    )
    assert stood((1, 1, 2, 3), (0, 0, 0, 0)) == (
        f"{after} you and Ben lead with 1 point. The others: Cy 2 and Dora 3."
    )


def test_without_a_scored_round_nobody_leads():
    """Without a scored round nobody leads; without a table the standings are left out."""
    assert stood() == "No round was scored, so nobody leads."
    assert [*stopped_texts(None, [])] == ["The game ends here: nobody can play on."]


@pytest.mark.parametrize("language", ["en", "es"])
def test_each_offence_has_its_sentence(language):
    """Every offence has a sentence of its own, which begins with the name of the player."""
    speak(language)
    try:
        said = [*convict_texts((Convict("Ben", each, 0) for each in Offence), is_over=False)]
    finally:
        speak(ENGLISH)
    assert len({*said}) == len(Offence)
    assert all(each.startswith("Ben ") for each in said)


def test_who_has_cheated_is_read_off_the_table():
    """A convict is listed with the offence, the round, and whether and how they have left."""
    ana, ben, cy = seats_of("Ana", "Ben", "Cy")
    ben = replace(ben, offence=Offence.TWICE, found_in=2, left=True)
    cy = replace(cy, offence=Offence.VOTE)
    view = view_of(SCENE, seats=(ana, ben, cy), departures=(gone_seat("Ben", farewell=True),))
    assert convicts_of(view) == (
        Convict("Ben", Offence.TWICE, 2, is_gone=True, farewell=True),
        Convict("Cy", Offence.VOTE, 0),
    )
