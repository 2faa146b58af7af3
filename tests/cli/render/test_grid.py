"""Columns in windows of any width: alignment, wide letters, blocks and sentences."""

import pytest

from cli.render.cells import line_cells
from cli.render.grid import Column, Grid, Prose, named, painted
from cli.render.palette import Paint, Span, plain_text

NUMBER = Column(right=True)


def texts(lines):
    """Return the text of each line, without its colours and other looks."""
    return [plain_text(line) for line in lines]


def test_a_letter_of_two_cells_takes_two():
    """Text after a wide letter stays aligned, and no name is cut through such a letter."""
    rows = [("李小龍", "1"), ("Ann", "12"), ("", "3")]
    assert texts(Grid((Column(gap=0), NUMBER), rows).lines()) == [
        "李小龍   1",
        "Ann     12",
        "         3",
    ]
    name = Column(gap=0, most=4, cut="~")
    assert texts(Grid((name, NUMBER), rows).lines()) == ["李 ~   1", "Ann   12", "       3"]


def test_a_column_is_as_wide_as_its_widest_cell_and_no_less_than_it_should():
    """A column has the width of its widest cell, or its least width if that is more."""
    columns = (Column(gap=1, right=True, least=3), Column(), NUMBER)
    rows = [("1", "a", "100"), ("10", "bcd", "7")]
    assert texts(Grid(columns, rows).lines()) == ["   1  a    100", "  10  bcd    7"]


def test_blanks_around_a_text_look_as_it_does():
    """Neighbouring cells with the same look become one span, and a hue fills its whole column."""
    rows = [(*painted(("1", "2"), Paint.STRONG), Span("Al", seat=3)), ("10", "20", Span("Benny"))]
    first, second = Grid((Column(gap=0), NUMBER, Column(gap=1)), rows).lines()
    assert first == (Span("1    2", Paint.STRONG), Span(" Al   ", seat=3))
    assert second == (Span("10  20 Benny"),)


def test_a_cell_of_several_looks_keeps_them():
    """Each part of a cell keeps its look, for example a number on a chip after a name."""
    cell = (Span("a "), Span("12", Paint.CHIP, 1), Span("!"))
    (line,) = Grid((Column(gap=1, least=7), NUMBER), [(cell, "5")]).lines()
    assert line == (Span(" a "), Span("12", Paint.CHIP, 1), Span("!    5"))


@pytest.mark.parametrize("cells", [("a", ""), ("a", " "), ("a", Span("  ", Paint.STRONG))])
def test_no_line_ends_in_blanks(cells):
    """Blanks at the end of a line are dropped, so that nobody copies them."""
    assert Grid((Column(gap=0, least=9), Column()), [cells]).lines() == ((Span("a"),),)


def test_columns_without_room_follow_in_blocks():
    """Columns without room follow in further blocks, each of which repeats the labels.

    Each block has at least one column, however narrow the window is.
    """
    rows = [("", *"ABC"), ("sum", "1", "22", "3")]
    grid = Grid((Column(gap=1), *[Column(right=True, least=4)] * 3), rows)
    wide = ["         A     B     C", " sum     1    22     3"]
    assert texts(grid.blocks(22)) == wide
    narrow = ["         A     B", " sum     1    22", "         C", " sum     3"]
    assert texts(grid.blocks(21)) == texts(grid.blocks(16)) == narrow
    assert len(grid.blocks(15)) == len(grid.blocks(3)) == 6


def test_sentences_are_wrapped_beside_their_row():
    """Wrapped lines are indented, and so is the sentence of a row without a name."""
    rows = [("ok", "one two three four"), ("", "five")]
    grid = Grid((Column(gap=0),), rows, Prose(below=3))
    assert texts(grid.lines(100)) == ["ok  one two three four", "    five"]
    beside = Grid((Column(gap=0),), rows, Prose(free=0))
    assert texts(beside.lines(12)) == ["ok  one two", "    three", "    four", "    five"]


def test_sentences_move_below_their_row_in_a_narrow_window():
    """A sentence without room beside its row moves below it or, if it may not, is left out."""
    rows = [("won", ""), ("ok", "one two three four"), ("", "five")]
    grid = Grid((Column(gap=0),), rows, Prose(below=3))
    assert texts(grid.lines(14)) == ["won", "ok", "   one two", "   three four", "   five"]
    assert texts(grid.lines(60)) == ["won", "ok   one two three four", "     five"]
    assert texts(Grid((Column(gap=0),), rows[:2], Prose(least=9)).lines(14)) == ["won", "ok"]


def test_a_table_of_short_names_is_a_table():
    """Rows become sentences only if a name has too little room in its column."""
    grid = named([("Player", "won"), ("Al", "1")])
    assert texts(grid.or_sentences(40)) == ["Player  won", "Al        1"]
    assert texts(grid.or_sentences(9)) == ["Player:", "  Al: won", "    1"]


def test_a_name_that_is_wider_than_a_line_is_broken_between_words():
    """A name too wide for the line, such as rules with many switches, is wrapped above its row."""
    grid = named([("By rules", "won"), ("walnut blanks=25-50 ties=shared", "1")])
    name = ["walnut blanks=25-50", "    ties=shared"]
    assert texts(grid.or_sentences(20)) == [f"{'By rules':17}won", *name, f"{'':19}1"]


@pytest.mark.parametrize("window", range(21, 70))
def test_no_line_is_wider_than_the_window(window):
    """Lines fit the window in all three layouts of columns."""
    rows = [("Name", "won", "points a round"), ("李小龍 the Second", "12", "7.5")]
    told = [(*row, "Nobody had a better round than this one.") for row in rows]
    columns = (Column(gap=0, most=5, cut="~"), NUMBER, NUMBER)
    drawn = [
        *named(rows).or_sentences(window),
        *Grid(columns[:1] + columns[2:], [row[::2] for row in rows]).blocks(window),
        *Grid(columns[:2], [(*row[:2], row[3]) for row in told], Prose(below=5)).lines(window),
    ]
    assert max(map(line_cells, drawn)) <= window
