"""What an act says: one move or none, by every word."""

from itertools import product

from netgame.protocol.state.acts import move_of
from netgame.wire import messages as wire

WORDS = (
    "none",
    "done",
    "tap",
    "quiet",
    "hub",
    "show",
    "mark",
    "catch",
    "dance",
    "chain",
    "chain-back",
    "bullet",
    "bullet-back",
)


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
