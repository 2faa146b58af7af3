"""Boards and hands: golden screens, and properties at every size."""

import re
from dataclasses import replace

import pytest
from msgspec import structs

from cli import scene as scenes
from cli.render.board import board_lines, ends_of, header_text
from cli.render.cells import Canvas, line_cells
from cli.render.hand import Picture, choice_lines, hand_lines, standing_lines, turn_lines
from cli.render.layout import HandLayout, HandOrder, hand_groups
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS, Paint, plain_text
from cli.scene import choices, lays
from cli.wording.moves import move_text
from cli.wording.since import Since
from engine.play.legal_moves import legal_moves
from engine.table.moves import DrawTile, LayTile, Pass
from engine.table.trains import Seat, TrainId
from engine.tiles import Tile, full_set, make_tile
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
    "80x24": Canvas(80, 24, UNICODE_GLYPHS),
    "80x24-ascii": Canvas(80, 24, ASCII_GLYPHS),
    "40x24": Canvas(40, 24, UNICODE_GLYPHS),
    "132x40": Canvas(132, 40, UNICODE_GLYPHS),
}


MORE_SIZES = {"120x40": Canvas(120, 40, UNICODE_GLYPHS), "40x20": Canvas(40, 20, UNICODE_GLYPHS)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "pip_max", "seats", "moves"),
    [("begin", 12, 4, 0), ("middle", 12, 4, 43), ("eight", 12, 8, 61), ("six", 6, 2, 9)],
)
def test_screens_look_as_they_were_reviewed(size, name, pip_max, seats, moves):
    """The screen matches its golden file; a person has to review any change."""
    scene = scene_after(pip_max, seats, moves)
    check_screen(f"{name}-{size}", turn_lines(scene, SIZES[size]))


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("size", ["80x24", "40x24"])
def test_spanish_screens_look_as_they_were_reviewed(size):
    """A Spanish screen, whose words are longer than the English ones, matches its golden file."""
    check_screen(f"spanish-{size}", turn_lines(with_owed(), SIZES[size]))


@pytest.mark.parametrize("size", SIZES)
def test_an_owed_double_is_seen_on_the_board_and_said(size):
    """The board marks an owed double, and a sentence names it.

    The screen matches its golden file.
    """
    scene = with_owed()
    lines = turn_lines(scene, SIZES[size], Picture(HandLayout(HandOrder.ENDS)))
    check_screen(f"owed-{size}", lines)


def test_the_rules_are_asked_once_for_all_that_is_drawn(monkeypatch):
    """The legal moves are worked out only once to draw the board, the hand and the plays."""
    scene, asked = replace(with_owed()), []

    def counted(table, hand):
        asked.append(hand)
        return legal_moves(table, hand)

    monkeypatch.setattr(scenes, "legal_moves", counted)
    turn_lines(scene, SIZES["80x24"], Picture(HandLayout(HandOrder.ENDS)))
    assert len(asked) == 1


def test_with_more_trains_than_rows_the_closed_ones_share_a_line():
    """In a low window closed trains share a line; in a taller one each train has its own row."""
    for rows, shared in ((24, True), (60, False)):
        lines = board_lines(scene_after(18, 14, 40), Canvas(80, rows, UNICODE_GLYPHS))
        assert ("closed:" in written(lines)) == shared
        assert len(lines) <= rows - 7


def test_all_trains_that_share_a_line_are_named_in_a_narrow_window():
    """In a narrow window fourteen train numbers are shortened to runs such as `1 to 6`."""
    scene = scene_after(18, 14, 40)
    *_, last = board_lines(scene, Canvas(40, 20, ASCII_GLYPHS), rows=5)
    assert written([last]) == "    open: 8, 9  closed: 1 to 6, 10 to 14\n"


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_heads_of_the_board_are_whole(language, columns, request):
    """Headings of the board that have no room are replaced with shorter ones, never cut."""
    if language == "es":
        request.getfixturevalue("spanish")
    for scene in (scene_after(12, 8, 61), scene_after(18, 14, 40)):
        heads = board_lines(scene, Canvas(columns, 24, ASCII_GLYPHS))[:2]
        assert ASCII_GLYPHS.cut not in written(heads)


@pytest.mark.parametrize("rows", range(3, 15))
def test_an_open_train_without_a_row_is_not_called_closed(rows):
    """In a low window, open trains without a row of their own share the last line.

    They are listed there as open, and only closed trains as closed.
    """
    scene = scene_after(18, 14, 40)
    marked = [structs.replace(each, marker=each.id not in (2, 5)) for each in scene.table.trains]
    scene = replace(scene, table=structs.replace(scene.table, trains=tuple(marked)))
    last = written(board_lines(scene, Canvas(120, 40, UNICODE_GLYPHS), rows=rows)[-1:])
    opened, _, closed = last.partition("closed: ")
    assert re.findall(r"(\d+)(?: \w+)? \(", closed) == ["3", "6"] or closed == "3, 6\n"
    assert opened.strip().startswith("open: ")


@pytest.mark.parametrize("seats", [9, 11, 14])
@pytest.mark.parametrize("size", ["80x24", "40x20"])
def test_nine_and_more_players_look_as_it_was_reviewed(size, seats):
    """Boards of many players fit the canvas, and a line names the player with one tile left."""
    canvas, scene = SIZES.get(size, Canvas(40, 20, ASCII_GLYPHS)), many(seats)
    lines = standing_lines(scene, canvas, canvas.rows - 4)
    assert all(line_cells(line) <= canvas.columns for line in lines)
    check_screen(f"many-{seats}-{size}", lines)
    assert "Eve has ONE TILE LEFT." in written(lines)


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_a_row_that_many_share_is_not_cut(columns):
    """If the numbers of closed trains have no room, the line says that all others are closed.

    It is never wider than the window.
    """
    for seats in (9, 11, 14):
        (line,) = board_lines(many(seats), Canvas(columns, 20, ASCII_GLYPHS), rows=5)[-1:]
        assert re.search(r"closed: .*\d\)?$|all others closed$", plain_text(line))
        assert line_cells(line) <= columns


def many(seats):
    """Return a scene with many players, in which Eve has one tile left and her train is closed."""
    scene = scene_after(18, seats, 3 * seats + 2)
    hands = list(scene.table.hands)
    hands[4] = hands[4][:1]
    trains = tuple(structs.replace(each, marker=each.id in (1, 7)) for each in scene.table.trains)
    table = structs.replace(scene.table, hands=tuple(hands), trains=trains)
    return replace(scene, table=table)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 20)])
@pytest.mark.parametrize("seats", [9, 11, 14])
def test_who_has_one_tile_left_is_never_hidden_among_closed_trains(columns, rows, seats):
    """On the full board, the number of tiles of a player with one tile left is highlighted.

    A sentence names the player even if there are too few rows for the full board.
    """
    canvas = Canvas(columns, rows, ASCII_GLYPHS)
    (row,) = (line for line in board_lines(many(seats), canvas) if "5 Eve" in plain_text(line))
    assert [span.text.strip() for span in row if span.paint is Paint.ALERT] == ["1"]
    standing = written(standing_lines(many(seats), canvas, rows - 4))
    assert "Eve has ONE TILE LEFT." in standing
    assert re.search(r"5 Eve +1 |5 Eve \(1\)|5 \(1\)", standing) or columns == 40


def test_a_row_that_many_share_says_how_many_tiles_each_holds():
    """A row shared by many trains shows their names and counts of tiles if there is room.

    In a narrow window it shows only the numbers of the trains.
    """
    scene = many(14)
    told = {
        columns: written(board_lines(scene, Canvas(columns, 24, ASCII_GLYPHS), rows=9)[-1:])
        for columns in (150, 120, 80, 40)
    }
    assert [text.count("(") for text in told.values()] == [9, 9, 9, 0]
    assert "11 Cy1 (" in told[150]
    assert "closed: " in told[40]


@pytest.mark.parametrize("columns", [28, 40, 80])
def test_a_row_has_every_end_of_a_train_and_is_no_wider_than_the_window(columns):
    """A row that is too wide leaves out branches, but none of the ends.

    If even the ends have no room, only the last ones stay.
    """
    spurs = walk(spec_of(12, 2, branching="chicken-foot"), bytes([1]), 200)
    moments = ((each, train) for each in spurs for train in each.table.trains)
    scene, train = next(each for each in moments if len(ends_of(*each)) > 6)
    lines = board_lines(scene, Canvas(columns, 24, ASCII_GLYPHS))
    assert all(line_cells(line) <= columns for line in lines)
    chips = [span for line in lines for span in line if span.paint is Paint.CHIP]
    drawn = [span.text for span in chips if span.seat == train.id]
    ends = [f"{pip:>2}" if columns == 80 else str(pip) for pip in ends_of(scene, train)]
    assert drawn == (ends if columns > 28 else [ASCII_GLYPHS.cut, *ends[-3:]])


def test_hues_are_on_names_and_open_ends_only():
    """Names and ends have their seat's hue; a hand has none, and its playable tiles are bold."""
    scene = scene_after(12, 4, 43)
    canvas = SIZES["80x24"]
    board = [span for line in board_lines(scene, canvas) for span in line]
    ends = [span.seat for span in board if span.paint is Paint.CHIP]
    assert ends == [-1, 0, 1, 2, 3]
    assert [span.seat for span in board if span.seat >= 0] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert scene.hand is not None
    rest = [*hand_lines(scene, canvas), *choice_lines(scene, canvas)]
    assert {span.seat for line in rest for span in line} == {-1}
    bold = [span for line in rest for span in line if span.paint is Paint.STRONG]
    assert len(bold) == len({move.tile for move in lays(scene)})


def lying(scene, layout) -> list[Tile]:
    """Return the tiles of a hand in the order in which they are drawn."""
    return [make_tile(*pair) for group in hand_groups(scene, layout) for pair in group]


def test_a_hand_can_be_sorted_and_loses_no_tile():
    """Each way to sort a hand keeps all its tiles, in the right order."""
    scene = scene_after(12, 4, 43)
    assert scene.hand is not None
    held = sorted(tile for _, tile in scene.hand.tiles)
    for order in HandOrder:
        assert sorted(lying(scene, HandLayout(order))) == held
    weights = [tile.pips for tile in lying(scene, HandLayout(HandOrder.VALUE))]
    assert weights == sorted(weights, reverse=True)
    playable = {move.tile for move in lays(scene)}
    first = lying(scene, HandLayout(HandOrder.ENDS))[: len(playable)]
    assert set(first) == playable


def test_a_hand_lies_as_its_longest_train_and_what_is_left():
    """A hand sorted as a train matches its golden screen: the longest train, then what is left."""
    lines = hand_lines(scene_after(12, 4, 0), SIZES["80x24"], HandLayout(HandOrder.TRAIN))
    check_screen("train-80x24", lines)


def test_a_hand_lies_in_groups_until_they_are_changed():
    """A tile that has been played is missing from its group; the other tiles stay where they are.

    A drawn tile is the last one, and is marked as new.
    """
    scene = scene_after(12, 4, 43)
    assert scene.hand is not None
    one, two, *_, drawn = [tile for _, tile in scene.hand.tiles]
    gone = next(tile for tile in full_set(12) if tile not in lying(scene, HandLayout()))
    groups = (((one.low, one.high), (gone.low, gone.high)), ((two.high, two.low),))
    layout = HandLayout(HandOrder.GROUPS, groups, frozenset({drawn}))
    for size, canvas in SIZES.items():
        check_screen(f"groups-{size}", hand_lines(scene, canvas, layout))


def test_new_tiles_dead_ends_totals_and_one_tile_left_are_seen():
    """The board highlights changes since the player's last turn, and a line lists them."""
    spec = spec_of(6, 3)
    scenes = [scene for scene in walk(spec, b"since", 60) if scene.seat == 0]
    scene = scenes[-1]
    table = structs.replace(scene.table, past=((10, 25, 7),))
    lengths = {train.id: max(0, len(train.lays) - 1) for train in table.trains}
    laid = [train.lays[-1] for train in table.trains if train.lays]
    moves = tuple(
        LayTile(each.seat, each.position, each.tile, TrainId(each.seat), each.on, each.joined)
        for each in laid
        if each.seat
    )
    picture = Picture(since=Since((*moves, DrawTile(Seat(2)), Pass(Seat(2))), lengths))
    scene = replace(scene, table=table)
    for size, canvas in (*SIZES.items(), *MORE_SIZES.items()):
        check_screen(f"since-{size}", turn_lines(scene, canvas, picture))
    bold = [
        span.text
        for line in board_lines(scene, SIZES["80x24"], picture.since)[2:]
        for span in line[-1:]
        if span.paint is Paint.STRONG
    ]
    assert len(bold) == len(laid)


@pytest.mark.parametrize("size", [*SIZES, *MORE_SIZES])
def test_a_turn_with_a_plan_looks_as_it_was_reviewed(size):
    """The line about the plan shows the plan's first tiles and the play that Enter makes.

    The screen matches its golden file.
    """
    scene = scene_after(12, 4, 0)
    notes = ("Plan 12-4 4-6 6-10 (Enter plays 12-4 Ana)",)
    picture = Picture(HandLayout(HandOrder.TRAIN), notes)
    check_screen(f"plan-{size}", turn_lines(scene, (SIZES | MORE_SIZES)[size], picture))


def test_a_screen_is_unchanged_when_hidden_tiles_are_others():
    """Two scenes that differ only in hidden tiles have the same board."""
    one = scene_after(9, 3, 0, b"same")
    two = scene_after(9, 3, 0, b"other")
    canvas = SIZES["80x24"]
    assert board_lines(one, canvas) == board_lines(two, canvas)


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("name", ["Ana", "Maximiliana_Augusta_Bee"])
def test_too_many_plays_say_how_many_more_there_are_and_first_some_of_them(rows, name):
    """The line of plays lists those that fit and counts the rest.

    If not even one fits, it says that Tab lists them.
    """
    canvas = Canvas(40, 20, UNICODE_GLYPHS)
    scenes = [replace(each, names=(name,) * 8) for each in some_scenes() if len(lays(each)) > 4]
    shown = 0
    for scene in scenes:
        lines = choice_lines(scene, canvas, rows)
        text = written(lines)
        assert len(lines) <= rows
        assert all(line_cells(line) <= 40 for line in lines)
        numbers = re.findall(r"(\d+): ", text)
        more = re.search(r"\+(\d+) more", text)
        assert numbers or f" Play  {len(choices(scene))} plays: Tab lists them" in text
        shown += bool(numbers)
        assert not numbers or len(numbers) + int(more[1] if more else 0) == len(choices(scene))
    assert (shown == len(scenes) > 0) or len(name) > 20


def test_plays_that_have_room_close_together_are_all_listed():
    """If all plays fit side by side, they are all listed and nothing else is on the line."""
    listed = 0
    for scene in some_scenes():
        plays = "  ".join(f"{at}: {move_text(scene, m)}" for at, m in enumerate(choices(scene), 1))
        for columns in range(len(f" Play  {plays}"), len(f" Play  {plays}") + 4):
            lines = choice_lines(scene, Canvas(columns, 20, ASCII_GLYPHS), 1)
            assert not plays or written(lines).split() == ["Play", *plays.split()]
            listed += len(choices(scene)) > 2
    assert listed


def test_the_header_counts_to_no_round_where_a_total_ends_the_game():
    """If a target score ends the game, the header does not say how many rounds there are."""
    told = {
        header_text(next(scenes_of("longana", 1, 1, target=target)), SIZES["80x24"]).split("   ")[0]
        for target in ("100", "none")
    }
    assert told == {"Round 1", "Round 1/10"}
