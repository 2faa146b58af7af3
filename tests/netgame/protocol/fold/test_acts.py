"""Acts of the richer rules: mutated, misplaced, and in every word, an answer and never a crash."""

from functools import cache
from itertools import product

from netgame.protocol.fold.acts import move_of
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.simtable import full_table

RULES = (
    ("roundhouse", ()),
    ("standard", ("opening=whole-train", "bullet=yes", "opening-double=owed")),
    ("standard", ("last-tile=tap", "tap-penalty=2")),
    ("standard", ("partners=yes",)),
    ("standard", ("engine=highest-held", "first=engine-layer", "engine-missing=turn-draw")),
    ("standard", ("branching=chicken-foot", "marker-voluntary=yes")),
    ("standard", ("cover=anywhere-then-duty", "several=chain", "duty-order=last-played")),
)
WORDS = (
    *("none", "done", "tap", "quiet", "hub", "mark", "catch", "dance"),
    *("chain", "chain-back", "bullet", "bullet-back"),
)


@cache
def game(preset, switches):
    """A game of four by these rules."""
    table = full_table(NAMES[:4], wire.Settings(preset, switches, 6, 4, 1, 5))
    table.run_game()
    return table


AGAIN = wire.Settings(
    "standard", ("engine=holder", "first=engine-layer", "engine-missing=all-draw"), *(6, 6, 1, 4)
)
"""Six seats, four tiles each: the double may lie in a boneyard too small to draw from."""

AGAIN_SEED = 4


def test_no_two_acts_are_one_move():
    """Whatever the fields of a word that means nothing by them hold: one spelling a move."""
    words = (*WORDS, "silent", "declare", "discard", "pull", "")
    tiles = ((), ((4, 3, 9),), ((4, 9, 3),), ((4, 9, 9),), ((4, 3, 9), (5, 9, 1)))
    spelt = {}
    for word, number, on, laid in product(words, range(-2, 4), range(-1, 3), tiles):
        act = wire.Act(word, number, on, laid, b"", b"", b"")
        move = move_of(1, act)
        if move is not None:
            assert spelt.setdefault(move, act) == act
    assert {act.word for act in spelt.values()} == {*words} - {"dance", ""}
