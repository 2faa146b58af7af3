"""Sentences in the rows that a table leaves free: golden screens, and no sentence is lost."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.render.cells import Canvas, hang, wrap_words
from cli.render.hand import Picture
from cli.render.palette import ASCII_GLYPHS, UNICODE_GLYPHS, Span, hued, plain_text
from cli.screens.region import Region
from cli.wording.since import OwnPass, Since
from engine.table.moves import DrawTile, LayTile, Pass
from engine.table.table import AllScored, Ending, Outcome
from engine.table.trains import Seat, TrainId
from tests.cli.render.test_region import LONG, region_of
from tests.cli.scenes import check_screen, scene_after, written
from tests.engine.deals import spec_of

SIZES = {
    "80x24": Canvas(80, 24, UNICODE_GLYPHS),
    "40x20": Canvas(40, 20, ASCII_GLYPHS),
    "120x40": Canvas(120, 40, UNICODE_GLYPHS),
}
SAID = (
    "Round 1 of 13 is dealt: engine 12=12, Dora begins.",
    "Dora played 12-10 on their own train.",
    "You played 12-0 on your own train.",
    "Ben: does anybody have the 9=9?",
    "Ben played 12-2 on their own train.",
    "Nothing you held fits: you drew 5-4 and passed.",
    "Cy played 9=9 on the Mexican train.",
    "Dora: hush, it is on the table, and that is all that I say about it",
    "Dora played 9-10 on the Mexican train.",
    "Ben passed.",
)


def block(sentence, canvas, names):
    """Return a function that returns the lines of a wrapped sentence, with the time before it."""
    return lambda: hang(Span("19:30 "), hued(wrap_words(sentence, canvas.columns - 6), names))


def hear(region, canvas, *sentences, names=()):
    """Have the region hear these sentences; return the lines that are printed above it."""
    gone = region.hear([block(each, canvas, names) for each in sentences], canvas, 1)
    return [line for each in gone for line in each()]


def own_pass(scene):
    """Return what has happened since the seat's turn, in which the program drew and passed.

    The other seats have played, drawn and passed since.
    """
    drawn = frozenset(position for position, _ in scene.hand.tiles[-1:])
    laid = [train.lays[-1] for train in scene.table.trains if train.lays and train.id > 0]
    moves = [
        LayTile(Seat(at), each.position, each.tile, TrainId(at), each.on, each.joined)
        for at, each in enumerate(laid, 1)
    ]
    moves += [DrawTile(Seat(2)), Pass(Seat(2))]
    return Since(tuple(moves), had_turn=True, passed=OwnPass(drawn))


@pytest.mark.parametrize("size", SIZES)
def test_it_looks_as_it_was_reviewed(size):
    """A region with talk matches its golden screens, with an answer and without."""
    canvas, scene = SIZES[size], scene_after(12, 4, 43)
    trains = tuple(
        structs.replace(train, marker=train.marker or train.id == 0) for train in scene.table.trains
    )
    scene = replace(scene, table=structs.replace(scene.table, trains=trains))
    region = region_of(scene, Picture(since=own_pass(scene)))
    hear(region, canvas, *SAID, names=scene.names)
    check_screen(f"talk-{size}", region.lines(canvas))
    assert region.answer(LONG[:4], canvas)
    check_screen(f"talk-answer-{size}", region.lines(canvas))


@pytest.mark.parametrize("size", SIZES)
def test_each_sentence_stands_below_the_table_or_has_gone_by_and_none_is_lost(size):
    """Every sentence is either shown below the table or already printed above it.

    Sentences keep their order, and the newest is next to the prompt.
    """
    canvas, scene = SIZES[size], scene_after(12, 4, 43)
    region, gone = region_of(scene), []
    for number in range(1, 40):
        gone += hear(region, canvas, f"sentence {number}")
        shown = [line for line in region.lines(canvas) if "sentence" in plain_text(line)]
        read = written([*gone, *shown]).splitlines()
        assert read == [f"19:30 sentence {at}" for at in range(1, number + 1)]
        assert plain_text(region.lines(canvas)[-1]).endswith(f"sentence {number}")
    assert len(shown) >= {"40x20": 3, "80x24": 9, "120x40": 7}[size]


def test_no_row_of_the_table_moves_as_people_talk():
    """The table's rows and the prompt stay where they are as sentences arrive."""
    canvas = SIZES["80x24"]
    region = region_of(scene_after(12, 4, 43))
    before = region.lines(canvas)
    top = len(written(before).rstrip().splitlines())
    for number in range(30):
        hear(region, canvas, f"sentence {number}")
        lines = region.lines(canvas)
        assert lines[:top] == before[:top]
        assert len(lines) == len(before) == canvas.rows - 2


def test_what_an_answer_covers_is_there_when_it_is_closed():
    """Sentences that an answer hides are shown again when it is closed.

    Each sentence, also one heard while the answer is open, is shown or printed exactly once.
    """
    canvas = SIZES["80x24"]
    region = region_of(scene_after(12, 4, 43))
    hear(region, canvas, *(f"sentence {at}" for at in range(1, 10)))
    before = written(region.lines(canvas))
    assert "sentence 1\n" in before
    region.answer(LONG, canvas)
    covered = written(region.lines(canvas))
    assert "sentence 1\n" not in covered
    assert "sentence 9\n" in covered
    region.close()
    assert written(region.lines(canvas)) == before
    region.answer(LONG, canvas)
    gone = hear(region, canvas, "sentence 10")
    region.close()
    text = written(gone) + written(region.lines(canvas))
    assert [text.count(f"sentence {at}\n") for at in range(1, 11)] == [1] * 10


def test_what_a_longer_list_of_plays_takes_rows_from_goes_by():
    """Sentences that lose their rows to the list of plays are printed above the table.

    They are not shown again when the rows are free.
    """
    canvas = SIZES["80x24"]
    mine = scene_after(12, 4, 43)
    theirs = replace(mine, can_move=False)
    region = region_of(theirs)
    gone = hear(region, canvas, *(f"sentence {at}" for at in range(1, 40)))
    region.scene_is(mine)
    more = hear(region, canvas)
    assert len(more) == 1
    region.scene_is(theirs)
    read = written([*gone, *more, *region.lines(canvas)])
    assert [read.count(f"sentence {at}\n") for at in range(1, 40)] == [1] * 39


def test_all_of_it_goes_by_when_the_round_is_over():
    """When the round is over, all sentences that are still shown are printed before the card."""
    canvas, scene = SIZES["80x24"], scene_after(12, 4, 43)
    over = structs.replace(scene.table, now=AllScored(Outcome(Ending.OUT, Seat(0))))
    region = region_of(scene)
    assert hear(region, canvas, "sentence 1", "sentence 2") == []
    assert not region.is_left_talking
    region.scene_is(replace(scene, table=over))
    assert region.is_left_talking
    assert written(hear(region, canvas, "the card")).split("19:30 ")[1:] == [
        "sentence 1\n",
        "sentence 2\n",
        "the card\n",
    ]
    assert not region.is_left_talking
    assert "sentence" not in written(region.lines(canvas))


def test_a_smaller_window_lets_go_what_it_has_no_room_for():
    """In a smaller window, old sentences without a row are printed above it.

    A sentence too long for the rows is printed whole, once. Its end is shown until the next
    sentence arrives.
    """
    region = region_of(scene_after(12, 4, 43))
    hear(region, SIZES["80x24"], *(f"sentence {at}" for at in range(1, 10)))
    small = Canvas(40, 14, UNICODE_GLYPHS)
    gone = hear(region, small, "sentence 10")
    shown = written(region.lines(small))
    assert "sentence 1\n" in written(gone)
    assert "sentence 10\n" in shown
    words = " ".join(f"word{at}" for at in range(60))
    gone = hear(region, small, words)
    assert "word0 " in written(gone), "it can be read whole"
    for _ in range(3):
        assert hear(region, small) == [], "once"
        assert "word59" in written(region.lines(small))
    assert len(region.lines(small)) == small.rows - 2
    assert hear(region, small, "sentence 11") == []
    assert "sentence 11\n" in written(region.lines(small))
    assert "word59" not in written(region.lines(small))


def test_what_is_to_go_by_at_once_is_let_go():
    """`hush` returns the sentences that are still shown, so that they can be printed.

    A second call returns none. A region that is off has each sentence printed at once.
    """
    canvas = SIZES["80x24"]
    region = region_of(scene_after(spec_of(12, 4).pip_max, 4, 43))
    hear(region, canvas, "sentence 1")
    assert written([line for each in region.hush() for line in each()]) == "19:30 sentence 1\n"
    assert region.hush() == []
    calm = Region(is_off=True)
    calm.scene_is(scene_after(12, 4, 43))
    assert written(hear(calm, canvas, "sentence 1")) == "19:30 sentence 1\n", "it has no table"
