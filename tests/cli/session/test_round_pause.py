"""The pause at a round's card: which news is told at once, which waits, and for which players."""

import itertools
from dataclasses import replace

import trio
from msgspec import structs

from cli.render.board import train_lines
from cli.render.round_card import card_lines
from cli.scene import RoundCard
from cli.session.endings.round_pause import CARD_S, NOT_NOW, PRESS, RoundPause
from cli.session.frontend import NoticeShown
from cli.session.loop import sit
from cli.session.verbs.complete import complete
from engine.table import events
from engine.table.trains import Seat, TrainId
from netgame.protocol import notices
from netgame.protocol.peer.people.joiner import OwnPlace
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.render.test_round_card import card
from tests.cli.scenes import scene_after, written

CARD = card()
OVER = notices.RoundOver((events.RoundScored((0, 21, 48, 14), (0, 21, 48, 14)),), CARD.end)
PASSED = notices.Played(Seat(1), (events.Passed(Seat(1)),))
TOLD = [OVER, PASSED, notices.ChatHeard("Ben", "well played")]


class Reader(FakeFront):
    """A person who types these lines; `said` also has the class name of each thing shown."""

    def __init__(self, *lines) -> None:
        super().__init__(*lines)
        self.cards = []

    def tell(self, occasion) -> None:
        """Note the sentence or the class name, and keep a card."""
        super().tell(occasion)
        if not isinstance(occasion, NoticeShown):
            self.said.append(type(occasion).__name__)
        if isinstance(occasion, RoundCard):
            self.cards.append(occasion)


SCENE = scene_after(9, 4, 30)


async def paused(*lines, asks_back=True, scene=SCENE, told=TOLD, facts=None, **sitting):
    """Sit at a table whose round is over and whose next round has begun; return node and front."""
    node, front = FakeNode(scene, **facts or {}), Reader(*lines)
    front.asks_back = asks_back
    node.tell(*told)
    with trio.move_on_after(CARD_S + 1):
        await sit(node, front, sitting_with(**sitting))
    return node, front


def goes_on(front: Reader) -> bool:
    """Return True if the player has been told of a move in the next round."""
    return any(said.startswith("Ben") and "passed" in said for said in front.said)


async def test_what_is_played_waits_for_enter_and_talk_does_not():
    """At a card, moves made meanwhile wait for Enter, and talk is shown at once."""
    _, front = await paused("", "")
    ben = next(said for said in front.said if said.startswith("Ben") and "passed" in said)
    press = next(at for at, said in enumerate(front.said) if said.startswith("Press Enter"))
    talk = front.said.index("Ben: well played")
    assert front.said.index("RoundCard") < press < talk < front.said.index(ben)


async def test_a_move_waits_too_and_is_not_lost_on_the_wrong_round():
    """At a card a move is refused until Enter is pressed, so none is played in the wrong round."""
    node, front = await paused("1", "draw", "say hello")
    assert front.said.count(NOT_NOW) == 2
    assert not any(what == "propose" for what, _ in node.asked)


async def test_at_the_card_nothing_is_told_of_the_next_round():
    """At the card, `board` and a redraw show the scored round, and `hint` and the like are refused.

    Tab does not offer the refused commands.
    """
    _, front = await paused("hint", "odds", "why draw", "hand", "board", "\f")
    assert front.said.count(NOT_NOW) == 4
    assert front.said.count("RoundCard") == 3
    _, front = await paused("board ana", "board zoe")
    assert front.said.count("RoundCard") == 1
    train = written(train_lines(CARD.scene, TrainId(0), front.canvas()))
    assert " ".join(train.split()) in front.said
    assert any(said.startswith("There is no train zoe here") for said in front.said)
    pause = RoundPause(front, reads=True)
    pause.begin(CARD)
    offered = {each.text for each in complete("", pause.scene())}
    assert offered.isdisjoint({"hint", "odds", "why", "hand", "plan", "draw"})
    assert {"review", "score", "board"} <= offered


async def test_after_a_pass_a_person_sees_where_the_table_stands():
    """The table is shown after a person's own pass, but not after another player's.

    It is not shown to a script.
    """
    waits = replace(SCENE, can_move=False)
    for seat, asks_back in itertools.product((SCENE.seat, Seat(SCENE.seat + 1)), (True, False)):
        told = [notices.Played(seat, (events.Passed(seat),))]
        _, front = await paused("say hello", asks_back=asks_back, scene=waits, told=told)
        assert ("TableShown" in front.said) == (asks_back and seat == SCENE.seat)


async def test_where_others_wait_the_next_round_begins_by_itself(autojump_clock):
    """If other people play, the next round begins by itself after 30 seconds, as the card says.

    A player alone with bots must press Enter first.
    """
    for bot in (False, True):
        seats = {"seats": seats_of(*SCENE.names, bot=bot)}
        _, front = await paused(None, facts=seats, stays=True)
        assert goes_on(front) != bot
        assert any("begins by itself in 30 seconds" in said for said in front.said) != bot


def test_who_has_just_sat_down_is_not_sent_to_moves_of_their_own():
    """Somebody who had no seat in a round is not offered a review of it."""
    for seat, sent in ((Seat(0), True), (None, False)):
        front = FakeFront()
        RoundPause(front, reads=True).begin(replace(CARD, seat=seat), ends=True)
        assert ("review" in front.said[-1]) == sent


async def test_who_comes_back_is_shown_the_table_though_it_is_not_their_turn(autojump_clock):
    """Somebody who comes back is shown the table at once, unless it is their turn."""
    for seat in (SCENE.seat, Seat((SCENE.seat + 1) % 4)):
        is_own = seat == SCENE.seat
        table = structs.replace(SCENE.table, to_move=seat)
        scene = replace(SCENE, table=table, can_move=is_own)
        _, front = await paused(None, scene=scene, told=[], stays=True, returns=True)
        assert ("TableShown" in front.said) != is_own


async def test_who_watches_until_the_next_round_is_held_up_by_no_card():
    """Somebody who watches until the next round sees the card, but need not press Enter."""
    _, front = await paused(facts={"own": OwnPlace.PROMISED})
    assert "RoundCard" in front.said
    assert not any(said.startswith("Press Enter") for said in front.said)
    assert goes_on(front)


async def test_programs_and_scripts_do_not_wait():
    """A program or a script is not asked to press Enter at a card, and goes on at once."""
    for front_of in ({"auto": True}, {"asks_back": False}):
        _, front = await paused(*["say hello"] * 5, **front_of)
        assert PRESS not in front.said
        assert goes_on(front)


async def test_the_card_is_of_those_who_played_the_round(autojump_clock):
    """The card leaves out a player who came after the round."""
    scene = replace(SCENE, names=(*SCENE.names, "Zoe"), seat=Seat(4))
    _, front = await paused(None, scene=scene, told=[OVER], stays=True)
    (shown,) = front.cards
    assert (shown.names, shown.seat) == (SCENE.names, None)


async def test_what_is_played_after_coming_back_has_no_heading(autojump_clock):
    """Moves made after a player has come back are told without the heading for missed moves."""
    node, front = FakeNode(SCENE), Reader(None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(sit, node, front, sitting_with(returns=True, stays=True))
        await trio.sleep(5.0)
        node.tell(PASSED)
        await trio.sleep(1.0)
        nursery.cancel_scope.cancel()
    assert any("passed" in said for said in front.said)
    assert "Since you left:" not in front.said


async def test_the_card_of_the_last_round_is_shown_again_in_the_next():
    """`card` and its synonyms show the last card again, or the scores if no round is over yet."""
    for line in ("card", "last round", "what happened last round"):
        _, front = await paused("", line)
        drawn = " ".join(written(card_lines(CARD, front.canvas())).split())
        assert drawn in front.said
    _, front = await paused("card", told=[])
    assert "ScoresShown" in front.said
