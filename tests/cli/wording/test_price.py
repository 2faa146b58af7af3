"""The cost of being voted out, as players are told it, equals what the engine charges."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.session.votes import vote_advice
from cli.wording.departures import price_text
from cli.wording.notices import notice_text
from engine.play.leavers import forfeit, leave, void_round
from engine.rules.switches import HandPoints
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from netgame.protocol import notices
from netgame.protocol.seating import NoSeat, WhyNoSeat
from tests.cli.fakes import view_of
from tests.cli.scenes import scene_after, scenes_of
from tests.cli.session.test_seat_parts import away_from, commented, heard

SCENE = scene_after(12, 4, 43)
BEN = forfeit(SCENE.table, Seat(1))
CY = forfeit(SCENE.table, Seat(2))


@pytest.mark.parametrize("preset", ["standard", "walnut", "wolf-lake", "masters-of-games"])
def test_it_is_what_the_engine_takes_from_who_goes(preset):
    """At any moment the price is what leaving costs, whether the round goes on or is voided."""
    seen = 0
    for scene in scenes_of(preset, 40):
        table = scene.table
        for seat in table.present if len(table.present) > 2 else ():
            price = forfeit(table, seat)
            if table.phase is RoundPhase.PLAY:
                assert dict(leave(table, [seat]).game.forfeits)[seat] == price
            assert dict(void_round(table, [seat]).game.forfeits)[seat] == price
            seen += 1
    assert seen > 100


def test_whoever_is_invited_to_vote_reads_the_price_and_the_way_back():
    """Voters read what being voted out costs a player, and when the player may return, if ever.

    Without names, or without a table, there is no such sentence.
    """
    assert BEN > 100
    view = view_of(SCENE)
    back = f"Ben would take about {BEN} points, and gets the seat back at the next round."
    assert price_text(view, ["Ben"]) == back
    assert vote_advice(view, ["Ben"]).endswith(f"(3 of 4 must agree). {back}")
    assert price_text(view, ["Ben", "Cy"]) == (
        f"That would cost Ben about {BEN} points and Cy about {CY} points. "
        "They get their seats back at the next round."
    )
    last = replace(view, closed=NoSeat(WhyNoSeat.LAST_ROUND))
    assert price_text(last, ["Ben"]) == (
        f"Ben would take about {BEN} points, and gets no seat back in this game."
    )
    assert price_text(last, ["Ben", "Cy"]).endswith("They get no seats back in this game.")
    assert price_text(view, []) == price_text(replace(view, table=None), ["Ben"]) == ""


def test_where_it_costs_no_points_none_are_named():
    """No points are named if only the winner scores, or if no hands are dealt."""
    rules = replace(SCENE.table.rules, scoring=HandPoints.WINNER_TAKES)
    spec = replace(SCENE.table.spec, rules=rules)
    takes = view_of(replace(SCENE, table=structs.replace(SCENE.table, spec=spec)))
    bare = view_of(replace(SCENE, table=structs.replace(SCENE.table, hands=((),) * 4)))
    for view in (takes, bare):
        assert price_text(view, ["Ben"]) == "Ben gets the seat back at the next round."
        said = price_text(view, ["Ben", "Cy"])
        assert said == "They get their seats back at the next round."
        last = replace(view, closed=NoSeat(WhyNoSeat.LAST_ROUND))
        assert price_text(last, ["Ben"]) == "Ben gets no seat back in this game."


def test_a_vote_of_somebody_else_that_one_may_follow_names_the_price():
    """The news of a vote names the price if the reader may join it and is not its target."""
    front, commentary = commented()
    agreed = (notices.Agreed(("Ben",), ("Cy",)),)
    price = price_text(view_of(SCENE), ["Ben"])
    for may_agree in (True, False):
        vote = notices.VoteCast("Cy", ("Ben",), 3, own=False, may_agree=may_agree, agreed=agreed)
        heard(commentary, vote)
        told = notice_text(SCENE, vote)
        assert front.said.pop() == (f"{told} {price}" if may_agree else told)
    own = notices.VoteCast("Cy", ("Ana",), 3, own=False, may_agree=True, agreed=agreed)
    heard(commentary, own)
    assert "points" not in front.said.pop()
    assert "points" in price_text(away_from(SCENE, "Ben"), ["Ben"])
