"""The sentence about the moves made for a player, which precedes "since your turn"."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.scene import Scene, tile_text
from cli.wording.since import Since, since_last_turn, since_sentence
from engine.table.moves import DrawTile, Pass
from engine.table.trains import TrainId
from tests.cli.scenes import NAMES, history_of, walk
from tests.engine.deals import spec_of

SCENES = [*walk(spec_of(9, 3), b"digest", 200)]
HISTORY = history_of(SCENES)


def passes(*, drew: bool):
    """Return the indices in `HISTORY` of the passes that follow a draw, or of the other passes."""
    found = []
    for at, (_, move) in enumerate(HISTORY[:-1]):
        before = HISTORY[at - 1][1] if at else None
        if isinstance(move, Pass) and isinstance(before, DrawTile) == drew:
            found.append(at)
    assert found
    return found


def told(upto: int, seat, *, in_turn: bool = False, **changes) -> str:
    """Return what a seat reads after `upto` moves; `changes` replace fields of the scene."""
    table = HISTORY[upto][0]
    mine = next(each for each in reversed(SCENES[: upto + 1]) if each.seat == seat)
    hand = structs.replace(mine.hand, tiles=tuple(tiles_of(seat, table).items()))
    scene = Scene(table, hand, NAMES[:3], seat, can_move=in_turn)
    since = since_last_turn(HISTORY[:upto], table, seat, in_turn=in_turn)
    return since_sentence(replace(scene, **changes), since)


def tiles_of(seat, table):
    """Return a seat's hand at a table, by position, as far as the seat saw it in any scene."""
    known = {}
    for scene in SCENES:
        if scene.seat == seat:
            known |= dict(scene.hand.tiles)
    return {position: known[position] for position in table.hands[seat] if position in known}


@pytest.mark.parametrize("drew", [True, False])
def test_the_digest_begins_with_what_was_done_for_you(drew):
    """The text begins with your draw, if any, and your pass, and says that your train is open.

    The moves of others come behind that, if there are any.
    """
    for at in passes(drew=drew):
        seat = HISTORY[at][1].seat
        came = set(HISTORY[at + 1][0].hands[seat]) - set(HISTORY[at - 1][0].hands[seat])
        tiles = [tiles_of(seat, HISTORY[at + 1][0])[position] for position in came if drew]
        drawn = "".join(f"drew {tile_text(tile)} and " for tile in tiles)
        assert len(tiles) == drew
        for upto in range(at + 1, min(at + 3, len(HISTORY))):
            if any(move.seat == seat for _, move in HISTORY[at + 1 : upto]):
                break
            text = told(upto, seat)
            begins = f"You {drawn}passed: your train is open."
            assert text.startswith(f"{begins} Since your turn: " if upto > at + 1 else begins), text
            assert upto > at + 1 or text == begins


def test_it_names_no_tile_that_it_does_not_see_and_no_train_that_is_closed():
    """A drawn tile is named only if it is in the hand, and your train only if it is open."""
    at = passes(drew=True)[0]
    seat = HISTORY[at][1].seat
    hidden = structs.replace(SCENES[at].hand, tiles=())
    assert told(at + 1, seat, hand=hidden).startswith("You drew a tile and passed: ")
    table = HISTORY[at + 1][0]
    trains = tuple(structs.replace(train, marker=False) for train in table.trains)
    shut = structs.replace(table, trains=trains)
    assert told(at + 1, seat, hand=hidden, table=shut) == "You drew a tile and passed."
    assert table.train(TrainId(seat)).marker


def test_a_turn_that_was_played_is_not_told_again():
    """A turn in which you played a tile is not told again, even if it began with a draw."""
    seen = 0
    for at, (_, move) in enumerate(HISTORY[:-1]):
        if not isinstance(move, Pass | DrawTile):
            since = since_last_turn(HISTORY[: at + 1], HISTORY[at + 1][0], move.seat, in_turn=False)
            assert since.passed is None
            seen += (
                isinstance(HISTORY[at - 1][1], DrawTile) and HISTORY[at - 1][1].seat == move.seat
            )
    assert seen
    assert since_sentence(SCENES[0], Since()) == ""
