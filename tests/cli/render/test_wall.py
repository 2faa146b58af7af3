"""The wall at the sizes of televisions, and at that of an old terminal."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.render.cells import Canvas, line_cells
from cli.render.palette import ASCII_GLYPHS, NO_COLOURS, UNICODE_GLYPHS, Paint, Span, ansi_text
from cli.render.wall import Wall, wall_lines
from cli.scene import LobbyScene, Scene
from cli.wording.game_end import winner_text
from cli.wording.round_end import held_text
from engine.rules.spec import TableSpec
from engine.table.trains import Seat
from tests.cli.render.test_game_end import END, EVENING
from tests.cli.render.test_round_card import ROUNDS, card
from tests.cli.render.test_sheets import view
from tests.cli.scenes import check_screen, scene_after, scenes_of, walk, with_owed, written

SIZES = {
    "80x24": Canvas(80, 23, UNICODE_GLYPHS),
    "80x24-ascii": Canvas(80, 23, ASCII_GLYPHS),
    "120x40": Canvas(120, 39, UNICODE_GLYPHS),
    "200x60": Canvas(200, 59, UNICODE_GLYPHS),
}
"""The sizes of the picture: each is a window without the line for typing."""

SAID = (
    "Ana played 12-6 on their own train.",
    "Ben drew a tile and passed. Ben's train is open to all now.",
    "Cy played 9=9 on the Mexican train. 9=9 must be covered.",
    "Dora: what a round!",
)


def watched(scene: Scene, *past: tuple[int, ...]) -> Scene:
    """Return the scene as a watcher sees it after rounds with these points.

    All players have mixed the deck.
    """
    table = structs.replace(scene.table, past=past)
    mixers = tuple(map(Seat, range(len(scene.names))))
    return replace(scene, table=table, hand=None, seat=None, can_move=False, mixers=mixers)


def hung(scene: Scene, **more) -> Wall:
    """Return a wall that shows a game in play."""
    name = scene.names[scene.table.to_move]
    return Wall(scene=scene, status=f"{name}'s turn | 4 connected", said=SAID, **more)


def four() -> Scene:
    """Return a scene of four seats in their second round."""
    return watched(scene_after(12, 4, 40), (31, 0, 112, 7))


def eight() -> Scene:
    """Return a scene of eight seats whose points have up to three digits."""
    return watched(scene_after(12, 8, 61), (131, 40, 112, 7, 55, 0, 201, 88))


def lobby(**facts) -> LobbyScene:
    """Return a lobby whose game starts by itself."""
    return LobbyScene(view(), b"", ("192.168.1.5:4747",), starts_itself=True, **facts)


@pytest.mark.parametrize("size", SIZES)
def test_a_table_in_play_looks_as_it_was_reviewed(size):
    """The wall shows trains as tiles, scores and turn in large letters, and the last moves."""
    check_screen(f"wall-four-{size}", wall_lines(hung(four()), SIZES[size]))
    check_screen(f"wall-eight-{size}", wall_lines(hung(eight()), SIZES[size]))


def test_the_name_of_a_seat_that_has_gone_is_dim_above_its_points():
    """The name of a seat that has gone is dim, because nobody waits for its move."""
    scene, canvas = four(), SIZES["120x40"]
    game = structs.replace(scene.table.game, gone=0b100)
    left = replace(scene, table=structs.replace(scene.table, game=game))
    spans = [span for line in wall_lines(hung(left), canvas) for span in line]
    dim = {span.text.strip() for span in spans if span.paint is Paint.DIM} & set(scene.names)
    assert dim == {scene.names[2]}


def test_fourteen_trains_fit_a_screen_of_24_lines():
    """Each of fourteen trains has a row with its points, even in 24 rows."""
    scene = watched(scene_after(18, 14, 60), tuple(range(0, 140, 10)))
    check_screen("wall-fourteen-80x24", wall_lines(hung(scene), SIZES["80x24"]))


@pytest.mark.parametrize("size", SIZES)
def test_a_lobby_looks_as_it_was_reviewed(size):
    """A wall in the lobby shows the join code in letters that can be read from afar."""
    check_screen(
        f"wall-lobby-{size}", wall_lines(Wall(lobby=lobby(code="7-otter-violin")), SIZES[size])
    )


def test_a_lobby_without_the_code_shows_none():
    """A wall that does not know the code shows only the address."""
    text = written(wall_lines(Wall(lobby=lobby()), SIZES["80x24"]))
    assert "boneyard join 192.168.1.5:4747" in text
    assert "code" not in text
    assert "connecting" in written(wall_lines(Wall(status="connecting"), SIZES["80x24"]))


@pytest.mark.parametrize("size", ["80x24", "120x40"])
def test_the_ends_of_rounds_and_games_look_as_they_were_reviewed(size):
    """The wall shows a countdown in large digits, the card, and the evening's totals."""
    shown = replace(card(), seat=None)
    wall = Wall(scene=shown.scene, card=shown, seconds=27, evening=EVENING, said=SAID)
    check_screen(f"wall-card-{size}", wall_lines(wall, SIZES[size]))
    begun = written(wall_lines(structs.replace(wall, seconds=0, status="dealing"), SIZES[size]))
    assert begun.startswith(" dealing\n")
    table = structs.replace(shown.end.table, past=tuple(ROUNDS))
    last = replace(shown, end=structs.replace(shown.end, table=table), is_last=True)
    end = structs.replace(END, scene=shown.scene)
    over = structs.replace(wall, card=last, end=end, seconds=0)
    check_screen(f"wall-end-{size}", wall_lines(over, SIZES[size]))


def test_a_room_sees_what_everybody_held_last_before_the_end_takes_its_place():
    """In 24 rows the last card, with all hands, is shown until its seconds are over.

    Then the winner is shown in its place.
    """
    last = replace(card(), seat=None, is_last=True)
    wall = Wall(scene=last.scene, card=last, end=END, evening=EVENING, seconds=9)
    canvas, held = SIZES["80x24"], held_text(last, 3)
    assert held in written(wall_lines(wall, canvas))
    after = written(wall_lines(structs.replace(wall, seconds=0), canvas))
    assert held not in after
    assert winner_text(END) in after


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 132, 200])
@pytest.mark.parametrize("rows", [9, 23, 49])
def test_every_picture_is_as_large_as_the_screen(columns, rows):
    """Every picture has the screen's number of rows, and no line is wider than the screen."""
    shown = card()
    arms = [*scenes_of("standard", 40, 1, mexican="4-arms")] if columns == 80 else []
    scenes = [four(), eight(), with_owed(), *arms[-1:]]
    for glyphs in (ASCII_GLYPHS, UNICODE_GLYPHS):
        canvas = Canvas(columns, rows, glyphs)
        walls = [hung(scene) for scene in scenes]
        walls += [Wall(lobby=lobby(code="7-otter-violin")), Wall(scene=four(), card=shown)]
        for wall in walls:
            lines = wall_lines(wall, canvas)
            assert len(lines) == rows
            assert [line for line in lines if line_cells(line) > columns] == []


def test_the_picture_stays_where_it_is_from_move_to_move():
    """The board stays on the same row from move to move, although some names are longer."""
    spec = four().table.spec
    assert isinstance(spec, TableSpec)
    rows = set()
    for scene in walk(spec, b"still", 60):
        scene = watched(replace(scene, names=("Ana", "Ben", "Wilhelmina", "Жанна")), (1, 2, 3, 4))
        text = written(wall_lines(hung(scene), SIZES["120x40"])).splitlines()
        rows.add(next(at for at, line in enumerate(text) if "Mexican" in line))
    assert len(rows) == 1


def test_newcomers_see_where_to_go_while_there_are_seats():
    """While seats are free, the wall shows the address, and the join code if the wall knows it."""
    scene, known = four(), lobby(code="7-otter-violin")
    shown = hung(replace(scene, has_seats=True), lobby=known)
    assert "boneyard join 192.168.1.5:4747  7-otter-violin" in written(
        wall_lines(shown, SIZES["120x40"])
    )
    assert "7-otter" in written(wall_lines(shown, SIZES["80x24"]))
    assert "7-otter" not in written(wall_lines(hung(scene, lobby=known), SIZES["120x40"]))


def test_what_was_asked_for_covers_all():
    """A page that was asked for covers the whole wall."""
    page = ((Span("A page."),),) * 99
    assert set(wall_lines(hung(four(), page=page), SIZES["80x24"])) == {page[0]}


def test_a_name_that_would_be_an_order_shows():
    """Control codes in a name are spelled out, not sent to the terminal."""
    names = ("Ana\x1b[2J", "Ben", "Cy", "Dora")
    lines = wall_lines(hung(replace(four(), names=names)), SIZES["80x24"])
    told = "".join(ansi_text(line, NO_COLOURS) for line in lines)
    assert "\x1b" not in told
    assert "\\u001b" in told
