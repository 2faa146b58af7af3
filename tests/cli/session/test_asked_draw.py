"""A player who sets `draw` to `ask` draws by hand: `Enter draws a tile`."""

from dataclasses import replace

import trio

from cli.render.status import status_text
from cli.scene import asked_draw, forced_move
from cli.screens.attention import title_text
from cli.screens.plain import table_sentences
from cli.session.desk import Desk
from cli.session.frontend import TableShown
from cli.session.loop import sit
from cli.session.moves import DRAW_S
from cli.session.turn_clock import TurnClock
from cli.settings.declared import DRAW
from engine.table.moves import DrawTile, Pass
from engine.table.table import RoundPhase
from netgame.protocol.notices import YourTurn
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.scenes import scenes_of, some_scenes

ENTER = "Nothing you hold fits: Enter draws a tile."
SCENES = some_scenes()
SCENE = next(
    scene for scene in SCENES if isinstance(forced_move(scene), DrawTile) and not scene.table.owed
)
DRAWN = ("propose", DrawTile(SCENE.seat))


class Script(FakeFront):
    """A fake screen that belongs to a script, not to a person."""

    asks_back = False


async def asked(*lines, scene=SCENE, front=FakeFront, facts=(), asks_draw=True, **sitting):
    """Type these lines in this turn; return what the node was asked, and the screen."""
    node, screen = FakeNode(scene, **dict(facts)), front(*lines)
    node.tell(YourTurn())
    await sit(node, screen, sitting_with(asks_draw=asks_draw, **sitting))
    return node.asked, screen


async def test_enter_draws_and_nothing_else_does(autojump_clock):
    """Among bots a draw waits for Enter or `draw` without a time limit; Tab suggests `draw`."""
    bots = {"seats": seats_of(*SCENE.names, bot=True)}
    for lines, made in (((500.0,), []), (("",), [DRAWN]), (("draw",), [DRAWN])):
        done, front = await asked(*lines, facts=bots)
        assert done == made
        turn = next(each for each in front.shown if isinstance(each, TableShown))
        assert ENTER in " ".join(table_sentences(turn.scene, turn.picture))
        assert turn.picture.suggestion == ("draw", True)


async def test_whoever_is_not_asked_has_it_drawn(autojump_clock):
    """Without the setting, or for a script, which types only choices, the program draws."""
    for facts in ({"asks_draw": False}, {"front": Script}):
        done, _ = await asked(3.0, **facts)
        assert done == [DRAWN]


async def test_a_pass_is_no_draw(autojump_clock):
    """The program still passes by itself, because a pass turns over no tile."""
    passes = next(each for each in SCENES if isinstance(forced_move(each), Pass))
    done, _ = await asked(3.0, scene=passes)
    assert done == [("propose", Pass(passes.seat))]


async def test_other_people_do_not_wait_for_long(autojump_clock):
    """With people at the table, the program draws after 30 seconds and says so."""
    for wait, made in ((DRAW_S - 1, []), (DRAW_S + 1, [DRAWN])):
        done, front = await asked(wait)
        assert done == made
        told = "The others wait: after 30 seconds the tile is drawn for you." in front.said
        assert told == bool(made)
    assert f" {DRAW_S:.0f} seconds" in DRAW.about


async def test_a_draw_is_not_held(autojump_clock):
    """A draw is made at once, without the grace time that choices have."""
    done, front = await asked("", 0.1, grace_s=5.0)
    assert done == [DRAWN]
    assert not any(each.startswith("Held") for each in front.said)


def test_a_search_for_the_engine_asks_nobody():
    """In a search for the engine the program draws without asking."""
    searching = [
        scene
        for scene in scenes_of("standard", 40, 20, engine="holder", deal="2")
        if scene.table.phase is not RoundPhase.PLAY and isinstance(forced_move(scene), DrawTile)
    ]
    assert searching
    assert not any(asked_draw(replace(scene, asks_draw=True)) for scene in searching)


async def test_it_is_a_turn_for_status_title_and_clock(nursery, autojump_clock):
    """Status, title and clock treat a turn that waits for a draw as the player's turn."""
    for asks in (False, True):
        node, front, told = FakeNode(SCENE), FakeFront(), []
        assert status_text(node.view(), asks_draw=asks).startswith("YOUR TURN") == asks
        own = replace(SCENE, asks_draw=asks)
        assert title_text(own).endswith("your turn") == asks
        assert Desk(node, front, asks_draw=asks).suggestion(own) == (
            ("draw", True) if asks else None
        )
        front.thinking = lambda seconds, *, first, told=told: told.append((seconds, first))
        nursery.start_soon(TurnClock(node, front, 60, ticks=False, asks_draw=asks).watch)
        await trio.sleep(70)
        assert told == [(60, True)] * asks


def test_where_one_draws_until_a_tile_fits_each_draw_is_asked_for(start, tmp_path):
    """With `--plain`, each drawn tile is reported before the next draw is asked for."""
    (tmp_path / "data0").mkdir()
    (tmp_path / "data0" / "config.toml").write_text('draw = "ask"\n')
    rules = ("--set", "9", "--rounds", "1", "--bots", "easy", "--draw", "until-playable")
    game = start("play", "--plain", "--pace", "0", "--seed", "6", *rules)

    def said():
        return " ".join(game.text().split())

    def asks():
        return said().endswith((ENTER, "or help."))

    drawn = typed = 0
    while " and now you can play." not in said():
        game.wait_until(asks)
        line = "" if (draws := said().endswith(ENTER)) else "1"
        drawn, typed, before = drawn + draws, typed + 1, len(said())
        game.send(f"{line}\r")
        game.wait_until(lambda before=before: len(said()) > before + 10)
    assert 1 < drawn == said().count("You drew ") == said().count(ENTER) < typed
    assert said().count(", which does not fit. ") == drawn - 1
    game.send("quit\rquit\r")
    assert game.exit_code() == 0
