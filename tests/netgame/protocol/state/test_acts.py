"""Each move has a single message, and each message a single form."""

from itertools import product

import pytest

from engine.table import moves
from engine.table.trains import Position, Seat
from engine.tiles import make_tile
from netgame.errors import LocalMisuse
from netgame.protocol.state.acts import MoveProofs, move_of, proofs_of, turn_entry
from netgame.wire import messages as wire

TILES = ((3, 9), (9, 3), (9, 9))
ONE_TILE = (wire.LayHub, wire.Show, wire.Declare)
SAID = (
    *(wire.Lay(at, tile, train, on, b"", b"")
      for at, tile, train, on in product((4, 5), TILES, (-2, -1, 0, 1), (-1, 0, 2))),
    *(wire.LayChain(train, on, bullet, back, tiles, b"", b"")
      for train, on, bullet, back, tiles in product(
          (-1, 1), (-1, 0), (False, True), (False, True),
          (((4, 3, 9),), ((4, 9, 3),), ((4, 3, 9), (5, 9, 1))))),
    *(kind(at, tile, b"", b"", *([b""] if kind is wire.LayHub else []))
      for kind, at, tile in product(ONE_TILE, (4, 5), TILES)),
    *(kind(b"") for kind in (wire.Draw, wire.Pass, wire.NoDouble, wire.Silent)),
    *(kind() for kind in (wire.Done, wire.Tap, wire.Quiet)),
    *(wire.Mark(up) for up in (False, True)),
    *(kind(number) for kind, number in product((wire.Catch, wire.Discard), (0, 1, 13))),
    *(wire.PullBack(seat, at) for seat, at in product((0, 13), (0, 1))),
)  # fmt: skip


def test_no_two_messages_are_one_move():
    """No two messages mean the same move, and each move is written as the message it came from."""
    spelt = {}
    for said in SAID:
        move = move_of(1, said)
        if move is not None:
            assert spelt.setdefault(move, said) == said
            assert turn_entry(move) == said
    kinds = {type(said) for said in spelt.values()}
    assert kinds == {*wire.Turn.__args__, *wire.Spoken.__args__}


@pytest.mark.parametrize("kind", ONE_TILE)
def test_a_tile_that_is_asked_for_has_its_low_half_first(kind):
    """A tile in a message has its low half first; otherwise the message is not a move."""
    more = [b""] if kind is wire.LayHub else []
    assert move_of(1, kind(4, (9, 3), b"", b"", *more)) is None


def test_a_message_takes_the_proofs_that_it_has_fields_for():
    """A move's message carries exactly the proofs that it has fields for."""
    sent = MoveProofs(b"tokens", b"proof", b"claim")
    for said in SAID:
        move = move_of(1, said)
        if move is not None:
            fields = said.__struct_fields__
            kept = [name in fields or f"{name}s" in fields for name in ("token", "proof", "claim")]
            wanted = MoveProofs(
                *(each if has else b"" for each, has in zip(sent, kept, strict=True))
            )
            assert proofs_of(turn_entry(move, sent)) == wanted


def test_a_tile_that_is_turned_up_has_no_entry():
    """Writing an entry for a tile that is turned up raises LocalMisuse: no player decides it."""
    with pytest.raises(LocalMisuse):
        turn_entry(moves.TurnUp(Seat(0), Position(3), make_tile(1, 2)))
