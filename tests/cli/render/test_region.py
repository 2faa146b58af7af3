"""The table that stays on the screen: golden screens, and properties at every size."""

import re
from dataclasses import replace

import pytest
from msgspec import structs

from cli.learn.happenings import legend
from cli.learn.lessons import lesson_for, sentence_of
from cli.render.board import in_rows
from cli.render.cells import Canvas, line_cells
from cli.render.hand import Picture
from cli.render.layout import HandLayout, HandOrder
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS, Paint, Span, plain_text
from cli.render.tiles import tiled_lines
from cli.scene import LobbyScene
from cli.screens.region import Region
from cli.wording.since import Since
from engine.table.moves import DrawTile, Pass
from engine.table.table import ENDED, AllScored, Ending, Outcome, Scored
from engine.table.trains import Seat
from netgame.protocol.peer.people.joiner import OwnPlace
from tests.cli.render.test_sheets import view
from tests.cli.scenes import (
    check_screen,
    scene_after,
    scenes_of,
    some_scenes,
    walk,
    with_owed,
    written,
)
from tests.engine.deals import spec_of

SIZES = {
    name: Canvas(*map(int, name.split("x")), UNICODE_GLYPHS)
    for name in ("40x20", "80x24", "100x35", "120x40", "200x60")
}
LONG = tuple((Span(f"line {number}"),) for number in range(1, 31))


def region_of(scene, picture=None) -> Region:
    """Return a region that shows this scene."""
    region = Region(is_off=False)
    region.scene_is(scene, picture or Picture())
    return region


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "pip_max", "seats", "moves"),
    [("four", 12, 4, 43), ("eight", 12, 8, 61), ("fourteen", 18, 14, 40)],
)
def test_it_looks_as_it_was_reviewed(size, name, pip_max, seats, moves):
    """The region matches its golden screen; a person has to review any change."""
    scene = scene_after(pip_max, seats, moves)
    check_screen(f"region-{name}-{size}", region_of(scene).lines(SIZES[size]))


@pytest.mark.parametrize("size", ["40x20", "80x24", "120x40"])
def test_a_lesson_stands_right_above_the_prompt(size):
    """In a small window an open answer hides the lesson; in a larger one both are shown.

    A lesson does not change the height of the region.
    """
    scene, canvas = scene_after(9, 3, 9), SIZES[size]
    found, read = lesson_for(scene, ()), legend(scene, canvas, has_board=True)
    told = f"Lesson 4 of 8, {found.lesson.title}: {sentence_of(scene, found)}"
    region = region_of(scene, Picture(lesson=told))
    lines = region.lines(canvas)
    check_screen(f"lesson-{size}", lines)
    assert len(lines) == len(region_of(scene).lines(canvas))
    region.answer(LONG[:3], canvas)
    covered = written(region.lines(canvas))
    assert len(region.lines(canvas)) == len(lines)
    assert ("Lesson 4" in covered) == (size != "40x20")
    assert all(f"line {number}" in covered for number in range(1, 4))
    region.close()
    assert region.lines(canvas) == lines
    region.scene_is(scene, Picture(asks=True, lesson=told))
    region.ask(f"{read} Press Enter to go on.")
    check_screen(f"reading-{size}", region.lines(canvas))


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_covers_what_has_happened_and_the_plays_alone(size):
    """While an answer is open, the ends, the owed doubles and the hand stay in sight.

    Every line of the answer is on one of its pages. Closing it brings back what it covered.
    """
    region, canvas = region_of(with_owed()), SIZES[size]
    before = region.lines(canvas)
    assert region.answer(LONG, canvas)
    covered = region.lines(canvas)
    check_screen(f"region-answer-{size}", covered)
    read = written(covered)
    for _ in LONG:
        region.turn_page(1)
        read += written(region.lines(canvas))
    assert all(f"line {number}\n" in read for number in range(1, 31))
    for _ in LONG:
        region.turn_page(-1)
    assert region.lines(canvas) == covered
    region.close()
    assert region.lines(canvas) == before


@pytest.mark.parametrize("columns", [20, 40, 80, 100, 200])
@pytest.mark.parametrize("rows", [10, 13, 20, 24, 36, 60])
def test_its_height_is_the_same_whatever_happens_there(columns, rows):
    """The region keeps its height whatever it shows, so that the line being typed stays in place.

    Only further rows of typed text make the region lower.
    """
    for glyphs in (ASCII_GLYPHS, UNICODE_GLYPHS):
        canvas, heights = Canvas(columns, rows, glyphs), {}
        for scene in (*some_scenes()[::5], *map(with_nothing_to_do, some_scenes()[::9])):
            region = region_of(scene, Picture(HandLayout(HandOrder.ENDS), ("Plan 4-6 6-10",)))
            for _ in range(2):
                lines = region.lines(canvas)
                wide = [line for line in lines if line_cells(line) > max(columns, 40)]
                assert wide == []
                heights.setdefault(len(scene.table.trains), set()).add(len(lines))
                region.answer(LONG, canvas)
            assert len(region.lines(canvas, typed_rows=3)) == len(lines) - 2
        assert all(len(each) == 1 and max(each) <= rows - 2 for each in heights.values())


def with_nothing_to_do(scene):
    """Return a copy of the scene in which the player cannot move."""
    return replace(scene, can_move=False)


def test_what_matters_least_goes_first():
    """As the window gets lower, the lines that matter least are left out first.

    The order is old events, plays, the plan, and closed trains.
    """
    scene = scene_after(12, 8, 61)
    moves = (DrawTile(Seat(2)), Pass(Seat(2)))
    picture = Picture(notes=("Plan 4-6 6-10",), since=Since(moves))
    marks = ("Since", "Play  1", "Plan", " 4 Dora  ", "Hand", "Mexican", "Gül (you)")
    region, seen = region_of(scene, picture), []
    for rows in (22, 20, 18, 17, 16):
        text = written(region.lines(Canvas(80, rows, UNICODE_GLYPHS)))
        seen.append([mark in text for mark in marks])
    assert [marks[row.index(True)] for row in seen] == list(marks[:5])
    assert all(row == sorted(row) for row in seen)


def test_what_says_that_an_answer_is_on_its_way_goes_with_it():
    """The notice that an answer is on its way is shown below any other answer.

    It stays until it is withdrawn, closed, or replaced by the answer.
    """
    region, canvas = region_of(with_owed()), SIZES["80x24"]
    before, waits = region.lines(canvas), ((Span("on its way"),),)
    assert region.awaits(waits)
    region.answer(LONG[:1], canvas)
    text = written(region.lines(canvas))
    assert text.index("line 1\n") < text.index("on its way\n")
    region.awaits(())
    assert "on its way" not in written(region.lines(canvas))
    assert "line 1\n" in written(region.lines(canvas))
    region.close()
    for end in (region.close, lambda: region.renews(list) and region.answer((), canvas)):
        assert region.awaits(waits)
        assert region.is_covered
        assert "on its way" in written(region.lines(canvas))
        end()
        assert region.lines(canvas) == before
    region.scene_is(None)
    assert not region.awaits(waits), "it is to be said where no table stands"


# ---- tiles ----------------------------------------------------------------------------------


@pytest.mark.parametrize("glyphs", [ASCII_GLYPHS, UNICODE_GLYPHS])
@pytest.mark.parametrize("columns", [60, 80, 100, 200])
def test_a_long_train_counts_what_it_leaves_out(columns, glyphs):
    """A train too long for its row shows its newest tiles and the number of the others.

    No row is wider than the window.
    """
    canvas = Canvas(columns, 99, glyphs)
    for scene in [*walk(spec_of(12, 8), b"tiles", 300)][::40]:
        for tall in (1, 2, 3, 5):
            lines = tiled_lines(scene, canvas, tall)
            assert max(map(line_cells, lines)) <= columns
            for train, row in zip(in_rows(scene), lines[(tall - 1) // 2 :: tall], strict=True):
                text = plain_text(row)
                left = re.search(r"\+(\d+) ", text)
                count = text.count("[") + int(left[1] if left else 0)
                assert tall == 5 or count == len(train.lays)


def test_an_answer_without_room_below_tiles_takes_theirs():
    """For a long answer, trains that are drawn as tiles shrink to chains of ends.

    An answer that fits below the tiles leaves them as they are.
    """
    region, canvas = region_of(scene_after(12, 4, 43)), SIZES["120x40"]

    def trains():
        return written(region.lines(canvas)).partition(" Hand ")[0]

    tiled = trains()
    region.answer(LONG[:3], canvas)
    assert trains() == tiled
    region.answer(LONG, canvas)
    assert "12-0-2-6-10" in trains() != tiled
    region.close()
    assert trains() == tiled


@pytest.mark.parametrize(("columns", "rows"), [(100, [8, 7]), (120, [15]), (200, [15])])
def test_fifteen_tiles_lie_in_one_row_or_two_equal_ones(columns, rows):
    """Fifteen tiles are drawn in one row, or in rows of eight and seven in a narrower window."""
    scene = scene_after(12, 4, 0)
    text = written(region_of(scene).lines(Canvas(columns, 40, UNICODE_GLYPHS)))
    assert [line.count("┌") for line in text.splitlines() if "┌──" in line] == rows


@pytest.mark.parametrize("size", ["40x20", "80x24", "120x40"])
@pytest.mark.parametrize("is_over", [False, True])
def test_a_question_stands_at_the_prompt_whatever_covers_the_table(size, is_over):
    """A question is shown right above the prompt, even below a card or an answer.

    During a round it does not change the height of the region.
    """
    canvas, scene = SIZES[size], scene_after(12, 4, 43)
    if is_over:
        over = AllScored(Outcome(Ending.OUT, Seat(0)))
        scene = replace(scene, table=structs.replace(scene.table, now=over))
    asking = Picture(asks=True)
    region = region_of(scene, asking)
    before = region.lines(canvas)
    assert region.ask("Leave? The others wait until you come back. Type quit again.")
    for covers in (False, True):
        if covers:
            region.answer(LONG, canvas)
        region.scene_is(scene, asking)
        lines = region.lines(canvas)
        assert len(lines) == len(before) or is_over
        assert lines[: len(before)] == before or covers or not is_over
        assert "Type quit again." in written(lines[-2:])
    region.close()
    region.scene_is(scene, Picture())
    assert region.lines(canvas) == before


def test_a_question_in_the_lobby_stands_until_it_is_answered():
    """A question in the lobby stays through updates of the scene until it has been answered.

    A region that is off does not show it.
    """
    region, canvas = region_of(None, Picture(asks=True)), SIZES["80x24"]
    assert region.ask("Sit down? [Y/n]")
    for _ in range(6):
        region.scene_is(None, Picture(asks=True))
    assert written(region.lines(canvas)) == " Sit down? [Y/n]\n"
    region.scene_is(None, Picture())
    assert region.lines(canvas) == ()
    assert not Region(is_off=True).ask("Sit down? [Y/n]")


def test_trains_that_are_shown_whole_grow_with_the_table():
    """Trains that are shown whole follow the table until they are closed.

    They do not replace an answer that is opened later.
    """
    canvas = Canvas(40, 24, UNICODE_GLYPHS)
    region = region_of(scene_after(12, 4, 30))
    assert region.show_whole(canvas, 1)
    before = written(region.lines(canvas))
    later = scene_after(12, 4, 43)
    region.scene_is(later, Picture())
    after = written(region.lines(canvas))
    assert "Esc closes" in after != before
    assert not region.renews(region.close), "it is renewed here"
    region.show_whole(canvas, 1)
    assert written(region.lines(canvas)) == after
    region.close()
    assert region.answer(LONG[:3], canvas)
    region.scene_is(scene_after(12, 4, 30))
    assert "line 3" in written(region.lines(canvas))


def test_a_move_is_seen_for_a_moment():
    """The new end of a train that has grown is highlighted until it fades."""
    before, after = (scene_after(12, 4, moves) for moves in (42, 43))
    region, canvas = region_of(before), SIZES["80x24"]
    assert alerts(region, canvas) == [">"]
    assert region.scene_is(after)
    grown = next(
        new for old, new in zip(before.table.trains, after.table.trains, strict=True) if old != new
    )
    assert alerts(region, canvas) == [f"{grown.ends[0].pip:>2}", ">"]
    assert not region.scene_is(after)
    assert len(alerts(region, canvas)) == 2
    region.fade()
    assert alerts(region, canvas) == [">"]


@pytest.mark.parametrize(("size", "tile"), [("80x24", "[10|5]"), ("200x60", "──10─")])
def test_a_click_types_what_it_is_about(size, tile):
    """A click on a play, or on a tile or train with only one play, types that play.

    If tiles are typed already, a click on a train puts its name after them. If no tile is typed, a
    click on a train with several plays types nothing.
    """
    region = region_of(scene_after(12, 4, 43))
    drawn = written(region.lines(SIZES[size])).splitlines()

    def clicked(text, typed="", below=0):
        row, line = next(pair for pair in enumerate(drawn) if text in pair[1])
        return region.clicked(line.index(text) + 1, row + below, typed)

    assert clicked("2: 1-9") == "1-9 Mexican"
    assert clicked(tile) == "10-5 Ana"
    assert clicked(tile.replace("10", "12").replace("5", "1")) == "1-12 Mexican"
    assert clicked("4 Dora", "1-9 ") == "1-9 Dora"
    assert clicked("4 Dora", "9 8-7 8") == clicked("4 Dora", "9 8-7 8 Ana") == "9 8-7 8 Dora"
    assert clicked("4 Dora") == "6-4 Dora"
    assert clicked("M Mexican") == clicked("Engine") == region.clicked(0, 99, "") == ""
    assert clicked("4 Dora", below=size == "200x60") == "6-4 Dora"


def alerts(region, canvas) -> list[str]:
    """Return the highlighted texts."""
    return [
        span.text for line in region.lines(canvas) for span in line if span.paint is Paint.ALERT
    ]


def test_after_a_round_the_board_alone_stays():
    """After a round only the board stays; an answer can be opened over it and closed again."""
    scene = scene_after(12, 4, 43)
    over = structs.replace(scene.table, now=Scored(Outcome(Ending.OUT, Seat(0))))
    region = region_of(replace(scene, table=over))
    text = written(region.lines(SIZES["80x24"]))
    assert len(text.splitlines()) == 3 + 5
    assert "Hand" not in text
    assert region.answer(LONG, SIZES["80x24"])
    assert "Esc closes" in written(region.lines(SIZES["80x24"]))
    region.close()
    assert written(region.lines(SIZES["80x24"])) == text


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 20)])
@pytest.mark.parametrize(("pip_max", "seats"), [(12, 4), (12, 8), (18, 9), (18, 11), (18, 14)])
def test_a_board_yields_its_rows_to_a_card_and_all_of_them_to_the_winners(
    columns, rows, pip_max, seats
):
    """Between rounds the board stays if it leaves room for the whole card.

    After the game it is hidden, unless somebody asks for it.
    """
    scene = scene_after(pip_max, seats, 30)
    outcome, canvas = Outcome(Ending.OUT, Seat(0)), Canvas(columns, rows, UNICODE_GLYPHS)
    over = replace(scene, table=structs.replace(scene.table, now=Scored(outcome)))
    lines = region_of(over).lines(canvas)
    assert not lines or len(lines) + seats + 4 <= rows - 2
    assert lines or seats > 4 or columns == 40
    region = region_of(replace(scene, table=structs.replace(scene.table, now=AllScored(outcome))))
    assert region.lines(canvas) == ()
    assert region.answer(LONG, canvas), "such as the board, for who asks for it"
    assert written(region.lines(canvas)).startswith("── Esc closes; PgUp PgDn, 1-")
    assert len(region.lines(canvas)) == rows - 2
    region.close()
    assert region.lines(canvas) == ()


def test_there_is_none_away_from_a_table_or_where_somebody_wants_none():
    """A region that is off, or away from a table, has no lines and takes no answers."""
    calm = Region(is_off=True)
    calm.scene_is(scene_after(12, 4, 43))
    for region in (calm, region_of(None)):
        assert region.lines(SIZES["80x24"]) == ()
        assert not region.answer(LONG, SIZES["80x24"])


def test_an_answer_that_is_higher_than_the_window_opens_in_a_lobby_too():
    """In a lobby, an answer longer than the window opens in pages; a shorter one is printed.

    For a watcher even a long answer is printed.
    """
    canvas, lobby = SIZES["80x24"], LobbyScene(view(), b"")
    region = region_of(lobby)
    assert not region.answer(LONG[:20], canvas)
    assert region.answer(LONG, canvas)
    region.scene_is(lobby)
    text = written(region.lines(canvas))
    assert "PgUp PgDn, 1-21 of 30" in text
    assert len(text.splitlines()) == canvas.rows - 2
    region.turn_page(1)
    assert "line 30" in written(region.lines(canvas))
    region.close()
    assert region.lines(canvas) == ()
    watches = replace(view(), own=OwnPlace.WATCHING, is_host=False)
    assert not region_of(LobbyScene(watches, b"")).answer(LONG, canvas), "a question may stand"


def test_the_hand_stays_whatever_is_said_loudly_in_a_small_window():
    """Every tile of the hand stays in sight, even beside a message such as ONE TILE LEFT."""
    canvas, loud = Canvas(30, 10, ASCII_GLYPHS), 0
    for scene in scenes_of("standard", 90, 2):
        if scene.hand is None or scene.table.phase in ENDED:
            continue
        text = written(region_of(scene).lines(canvas))
        loud += "ONE TILE LEFT" in text
        for _, tile in scene.hand.tiles:
            assert f"[{tile.high}|{tile.low}]" in text or f"[{tile.low}|{tile.high}]" in text
    assert loud


def test_a_long_answer_has_three_lines_in_a_small_window():
    """Even a window of ten rows shows three lines of a long answer."""
    region, canvas = region_of(with_owed()), Canvas(30, 10, ASCII_GLYPHS)
    region.answer(LONG, canvas)
    assert written(region.lines(canvas)).count("line ") == 3
