"""The pause at the card of a round: what is told at once, what waits, and for whom."""

import itertools
from dataclasses import replace

import trio
from msgspec import structs

from cli.render.board import train_lines
from cli.screens.json_lines import facts_of
from cli.session.frontend import NoticeShown
from cli.session.loop import sit
from cli.session.round_pause import CARD_S, NOT_NOW, PRESS, RoundPause
from cli.session.stay import SessionOptions
from cli.session.verbs.complete import complete
from engine.table import events
from engine.table.trains import Seat, TrainId
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from tests.cli.fakes import FakeFront, FakeNode
from tests.cli.render.test_round_card import card
from tests.cli.scenes import scene_after, written

CARD = card()
OVER = notices.RoundOver((events.RoundScored((0, 21, 48, 14), (0, 21, 48, 14)),), CARD.end)
PASSED = notices.Played(Seat(1), (events.Passed(Seat(1)),))
TOLD = [OVER, PASSED, notices.ChatHeard("Ben", "well played")]


class Reader(FakeFront):
    """Somebody who types these lines; what is shown is remembered by its kind."""

    def tell(self, occasion) -> None:
        """Remember what happened, and that a card was shown."""
        super().tell(occasion)
        if not isinstance(occasion, NoticeShown):
            self.said.append(type(occasion).__name__)

    def show(self, lines) -> None:
        """Remember the page that was shown."""
        self.said.append(written(lines))


async def paused(
    *lines: str, asks_back: bool = True, auto: bool = False
) -> tuple[FakeNode, Reader]:
    """Sit at a table whose round is over, with the next under way."""
    node, front = FakeNode(scene_after(9, 4, 30)), Reader(*lines)
    front.asks_back = asks_back
    for notice in TOLD:
        node.teller.send_nowait(notice)
    await sit(node, front, SessionOptions(auto=auto))
    return node, front


async def test_what_is_played_waits_for_enter_and_talk_does_not():
    """The card stands; others play on, and are told of when it has been read."""
    _, front = await paused("", "")
    ben = next(said for said in front.said if said.startswith("Ben") and "passed" in said)
    press = next(at for at, said in enumerate(front.said) if said.startswith("Press Enter"))
    talk = front.said.index("Ben: well played")
    assert front.said.index("RoundCard") < press < talk < front.said.index(ben)


async def test_a_move_waits_too_and_is_not_lost_on_the_wrong_round():
    """Whoever types a move at the card is told what comes first; other words are answered."""
    node, front = await paused("1", "draw", "say hello")
    assert front.said.count(NOT_NOW) == 2
    assert not any(what == "propose" for what, _ in node.asked)


async def test_at_the_card_nothing_is_told_of_the_next_round():
    """Nobody has seen it yet; the board and a redraw are those of the round that is over."""
    _, front = await paused("hint", "odds", "why draw", "hand", "board", "\f")
    assert front.said.count(NOT_NOW) == 4
    assert front.said.count("RoundCard") == 3
    _, front = await paused("board ana", "board zoe")
    assert front.said.count("RoundCard") == 1
    assert written(train_lines(CARD.scene, TrainId(0), front.canvas())) in front.said
    assert any(said.startswith("There is no train zoe here") for said in front.said)
    pause = RoundPause(front, reads=True)
    pause.begin(CARD)
    offered = {each.text for each in complete("", pause.scene())}
    assert offered.isdisjoint({"hint", "odds", "why", "hand", "plan", "draw"})
    assert {"review", "score", "board"} <= offered


async def test_after_a_pass_a_person_sees_where_the_table_stands():
    """There was nothing to choose, so nothing was shown before; others' passes show nothing."""
    scene = scene_after(9, 4, 30)
    for seat, asks_back in itertools.product((scene.seat, Seat(scene.seat + 1)), (True, False)):
        node, front = FakeNode(replace(scene, can_move=False)), Reader("say hello")
        front.asks_back = asks_back
        node.teller.send_nowait(notices.Played(seat, (events.Passed(seat),)))
        await sit(node, front, SessionOptions())
        assert ("TableShown" in front.said) == (asks_back and seat == scene.seat)


async def test_where_others_wait_the_next_round_begins_by_itself(autojump_clock):
    """The card says so, and when; alone with bots one may read as long as one likes."""
    for others_are_bots in (False, True):
        node, front = FakeNode(scene_after(9, 4, 30)), Reader(None)
        view = node.view()
        seats = (replace(info, bot=others_are_bots) for info in view.seats)
        table = replace(view, seats=tuple(seats))
        node.view = lambda table=table: table
        for notice in TOLD:
            node.teller.send_nowait(notice)
        with trio.move_on_after(CARD_S + 1):
            await sit(node, front, SessionOptions(stays=True))
        goes_on = any(said.startswith("Ben") and "passed" in said for said in front.said)
        assert goes_on == (not others_are_bots)
        assert any("begins by itself in 30 seconds" in said for said in front.said) == goes_on


def test_who_has_just_sat_down_is_not_sent_to_moves_of_their_own():
    """They made none in that round."""
    for seat, sent in ((Seat(0), True), (Seat(4), False)):
        front = FakeFront()
        RoundPause(front, reads=True).begin(replace(CARD, seat=seat), ends=True)
        assert ("review" in front.said[-1]) == sent


async def test_who_comes_back_is_shown_the_table_though_it_is_not_their_turn(autojump_clock):
    """Once nothing more is told of what was missed; in one's own turn that shows it."""
    scene = scene_after(9, 4, 30)
    other = Seat((scene.seat + 1) % 4)
    for can_move in (False, True):
        table = structs.replace(scene.table, to_move=scene.seat if can_move else other)
        node = FakeNode(replace(scene, table=table, can_move=can_move))
        front = Reader(None)
        with trio.move_on_after(10):
            await sit(node, front, SessionOptions(stays=True, returns=True))
        assert ("TableShown" in front.said) == (not can_move)


async def test_who_watches_until_the_next_round_is_held_up_by_no_card():
    """They may have come back when the table is rounds further: old cards go by."""
    node, front = FakeNode(scene_after(9, 4, 30)), Reader()
    seen = node.view
    node.view = lambda: replace(seen(), own=OwnPlace.PROMISED)
    for notice in TOLD:
        node.teller.send_nowait(notice)
    await sit(node, front, SessionOptions())
    assert "RoundCard" in front.said
    assert not any(said.startswith("Press Enter") for said in front.said)
    assert any(said.startswith("Ben") and "passed" in said for said in front.said)


async def test_programs_and_scripts_do_not_wait():
    """Nobody is there to press a key."""
    for front_of in ({"auto": True}, {"asks_back": False}):
        _, front = await paused(*["say hello"] * 5, **front_of)
        assert PRESS not in front.said
        assert any(said.startswith("Ben") and "passed" in said for said in front.said)


def test_the_card_is_an_object_for_programs():
    """With what each seat held, its points, total, place and train."""
    kind, facts = facts_of(CARD)
    assert kind == "round-card"
    assert set(facts) == {"round", "rounds", "ending", "last", "text", "seats"}
    assert all(
        set(each) == {"name", "held", "points", "total", "place", "train"}
        for each in facts["seats"]
    )
    _, told = facts_of(NoticeShown(OVER, "Points of the round."))
    assert set(told) == {"events", "text"}
