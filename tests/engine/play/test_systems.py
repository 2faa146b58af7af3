"""Corners of the rule systems that no published example reaches, as short written games."""

import pytest

from engine.notation.notation import parse
from engine.notation.referee import judge
from engine.play.apply import apply
from engine.play.due import as_left, due_seats, due_together, in_step_order
from engine.play.judge import hidden_claim, why_illegal
from engine.play.legal_moves import legal_moves
from engine.refusals import RefusalCode
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.moves import (
    ChainLink,
    Declare,
    Discard,
    Done,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    NoDouble,
    Pass,
    PullBack,
    Silent,
    Tap,
    TurnUp,
)
from engine.table.rounds import begin_round, start_game
from engine.table.table import RoundPhase
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from tests.engine.deals import spec_of

GAMES = {
    "high draw by tiles": """
        with: first=high-draw
        set: 6
        seats: A B C
        hand A: 6-1
        hand B: 6-2 1-1
        hand C: 6-3
        boneyard: 1-2 5-5 4-6 0-0
        ! A draw
        A turns 1-2
        C turns 4-6
        ! C turns 0-0 : not-your-turn
        B draw 5-5
        ? turn: C
        C 6-3 C
        ? boneyard: 4
    """,
    "a double in no hand and nowhere else": """
        with: engine=holder engine-missing=turn-draw first=engine-layer
        set: 6
        seats: A B
        hand A: 1-2
        hand B: 1-3
        boneyard: 1-4
        ! A silent : not-allowed
        A none
        ! A declares 6-6 : not-allowed
        B none
        A draw 1-4
        ! A engine 1-1 : not-your-tile
        A none
        ? over: redeal
    """,
    "an engine that lies in the hub of an excerpt": """
        rules: roundhouse
        set: 6
        seats: A B
        engine: 6-6
        first: B
        hand A: 6-1 2-2
        hand B: 6-2 2-3
        boneyard: none
        ? turn: B
        ! A bullet : not-allowed
        B 6-2 2-3 B
        A 6-1 A
    """,
    "nobody declares and there is no boneyard": """
        rules: wolf-lake
        set: 6
        seats: A B
        rounds: 3
        hand A: 5-5 6-1
        hand B: 6-6 1-2
        boneyard: none
        ! A none : must-declare
        A silent
        ! A turns 1-1 : not-allowed
        B silent
        ! B silent : must-declare
        ! A engine 5-5 : wrong-engine
        B engine 6-6
        A 6-1 A
    """,
    "all prove it and there is no boneyard": """
        rules: wolf-lake
        set: 6
        seats: A B
        hand A: 5-4
        hand B: 1-2
        boneyard: none
        A none
        B none
        ? over: redeal
    """,
    "looked through, and nobody holds one after all": """
        rules: wolf-lake
        set: 6
        seats: A B
        hand A: 5-4
        hand B: 1-2 6-3
        boneyard: 6-6 0-1
        A silent
        B none
        ! B turns 6-6 : not-your-turn
        A turns 6-6
        ! B turns 6-6 : not-your-tile
        A silent
        B turns 0-1
        ! A declares 6-6 : not-your-tile
        A silent
        B none
        A turns 6-6
        ! A discards 5-4 : not-allowed
        ! B silent
        B pulls 5-4 A
        ? over: out
    """,
    "turned up in vain": """
        rules: wolf-lake
        set: 6
        seats: A B
        hand A: 5-4
        hand B: 1-2
        boneyard: 0-1
        A none
        B none
        A turns 0-1
        ? over: redeal
    """,
    "found, laid by word, and discarded": """
        rules: wolf-lake
        set: 6
        seats: A B
        hand A: 5-4 6-1
        hand B: 1-2 6-3
        boneyard: 0-1 6-6 0-2
        A silent
        B silent
        A turns 0-1
        B turns 6-6
        B declares 6-6
        ! B discards 5-4 : not-your-tile
        B discards 1-2
        ? turn: A
        ? boneyard: 3
        A 6-1 A
    """,
    "two held on the double itself": """
        with: several=two-held
        set: 9
        seats: A B
        hand A: 9-5 5-5 4-4 3-3
        hand B: 9-4 1-1 2-2
        boneyard: 0-0 9-3 0-1
        A 9-5 A
        B 9-4 B
        A 5-5 A
        ! A 4-4 mexican : end-mismatch
        A draw
        A pass
        B draw
        B pass
    """,
    "two held with a cover of the first": """
        with: several=two-held
        set: 9
        seats: A B
        hand A: 9-5 5-5 9-3 5-1 3-3 1-7
        hand B: 9-4 4-2 2-2 4-4
        boneyard: 0-0
        A 9-5 A
        B 9-4 B
        A 9-3 mexican
        B 4-2 B
        A 5-5 A
        ? legal A: 5-1@A 3-3@mexican
        A 3-3 mexican
        ! A 1-7 B : owed-double
        A 5-1 A
        ? owed: 3-3
        ? turn: B
    """,
    "a delayed chain that ends on a double": """
        with: opening=delayed
        set: 6
        seats: A B
        hand A: 6-1 1-3 4-4
        hand B: 1-2 5-5 2-3
        boneyard: 5-6 0-0
        A 6-1 A
        A done
        B draw
        B pass
        A 1-3 A
        B 5-6 5-5 B
        ? owed: 5-5
        ? turn: A
        ! A 4-4 A : owed-double
    """,
    "a chain is no longer than its train": """
        with: opening=whole-train opening-miss=marker
        set: 6
        seats: A B
        hand A: 6-1 1-3 4-4
        hand B: 6-2 5-5 2-3
        boneyard: 0-0
        ! B 6-2 B : not-your-turn
        ! A 6-1 1-3 B : train-closed
        ! A 6-1 1-3 mexican3 : no-such-train
        A 6-1 1-3 A
        ! B 6-2 2-3 A : train-closed
        ! B done : not-allowed
        B 6-2 B
        ? turn: B
    """,
    "a turn that a known hand cannot go on with is over": """
        with: opening=whole-train
        set: 6
        seats: A B
        hand A: 6-1 4-4
        hand B: 6-2 5-5
        boneyard: 0-0
        A 6-1 A
        ? turn: B
        B 6-2 B
        A draw
    """,
    "a bullet train in turn only": """
        with: bullet=yes
        set: 6
        seats: A B
        hand A: 6-1 1-3
        hand B: 6-2
        boneyard: 0-0
        ! B bullet : not-your-turn
        A bullet
        ! A 6-1 A : not-allowed
        A 6-1 1-3 A
        ! B 6-2 A : train-closed
        B 6-2 B
        ? over: out
        ? score: A=0 B=0
    """,
    "errors in a round with unknown hands": """
        with: strategic-error=yes
        set: 6
        seats: A B
        rounds: 1
        hand A: 6-1 6-2
        A draw
        A 6-2 A
        B 6-3 B
        ! A pass : playable-tile
        ? score: -
    """,
    "partners whose hands are not known": """
        with: partners=yes deal=1
        set: 6
        seats: A B C D
        hand A: 6-1
        hand B: 6-2 1-1
        A 6-1 A
        ? over: out
        ? score: A=0 B=? C=0 D=?
    """,
}


def written(text):
    """Return the game parsed from an indented text."""
    return parse("\n".join(line.strip() for line in text.strip().splitlines()) + "\n")


@pytest.mark.parametrize("name", GAMES)
def test_corner(name):
    """Each game comes out as written."""
    game = written(GAMES[name])
    assert [verdict for verdict in judge(game) if not verdict.ok] == []


def seeking(preset="wolf-lake"):
    """Return a table whose seats still seek the hub double, and the tile of every position."""
    table = start_game(make_spec(RULE_SETS[preset], 6, 3, 2), Seat(0))
    return table, deal(table, seeded(b"seek"))


def test_hostile_moves_of_the_search_are_refused():
    """Moves that are not due in the search for the hub double are refused without an exception."""
    table, _ = seeking()
    assert (table.phase, due_together(table), due_seats(table)) == (
        RoundPhase.ENGINE,
        True,
        (0, 1, 2),
    )
    code = {type(move): why_illegal(table, move).code for move in (
        Pass(Seat(0)),
        Discard(Seat(0), Position(0)),
        PullBack(Seat(0), Seat(1), Position(9)),
        TurnUp(Seat(0), Position(30)),
        NoDouble(Seat(0)),
    )}  # fmt: skip
    assert set(code.values()) == {RefusalCode.NOT_ALLOWED}
    assert why_illegal(table, Silent(Seat(7))).code is RefusalCode.NOT_YOUR_TURN
    lie = Declare(Seat(0), Position(40), Tile(6, 6))
    assert why_illegal(table, lie).code is RefusalCode.NOT_YOUR_TILE
    assert why_illegal(table, Tap(Seat(0))).code is RefusalCode.NOT_ALLOWED


def test_silence_claims_nothing_of_a_hand():
    """A seat that keeps silent in the search has no claim about its hand to prove."""
    table, _ = seeking()
    assert hidden_claim(table, Silent(Seat(0))) is None


def test_hostile_turns_and_returns_are_refused():
    """Turning up a wrong position, declaring a wrong tile, and a wrong discard are all refused."""
    table, _ = seeking()
    for _ in range(7):
        for seat in range(3):
            table, _ = apply(table, Silent(Seat(seat)))
    for seat in range(3):
        table, _ = apply(table, Silent(Seat(seat)))
    at = table.boneyard[0]
    for move in (TurnUp(Seat(0), at + 1), TurnUp(Seat(0), at, Tile(6, 6))):
        assert why_illegal(table, move).code is RefusalCode.NOT_YOUR_TILE
    table, _ = apply(table, TurnUp(Seat(0), at))
    wrong = Declare(Seat(0), Position(at), Tile(6, 5))
    assert why_illegal(table, wrong).code is RefusalCode.WRONG_ENGINE
    table, _ = apply(table, Declare(Seat(0), Position(at), Tile(6, 6)))
    other = Discard(Seat(0), table.hands[1][0])
    assert why_illegal(table, other).code is RefusalCode.NOT_YOUR_TILE
    mine = Discard(Seat(1), table.hands[1][0])
    assert why_illegal(table, mine).code is RefusalCode.NOT_YOUR_TURN


def test_turned_tiles_must_be_of_the_set_and_new():
    """Nobody can turn up a tile that is on the table already or not in the set."""
    spec = spec_of(6, 2, first="high-draw")
    table = start_game(spec, Seat(0))
    assert (table.phase, due_together(table)) == (RoundPhase.HIGH_DRAW, True)
    table, _ = apply(table, TurnUp(Seat(0), Position(0), Tile(1, 2)))
    for tile in (Tile(1, 2), Tile(0, 9), Tile(3, 1)):
        move = TurnUp(Seat(1), Position(1), tile)
        assert why_illegal(table, move).code is RefusalCode.NOT_YOUR_TILE
    assert why_illegal(table, TurnUp(Seat(1), Position(1), Tile(1, 3))) is None


def test_a_seat_that_has_turned_up_its_tile_waits():
    """In the draw for the first turn, the seats that have turned up a tile have no legal move."""
    table = start_game(spec_of(6, 2, first="high-draw"), Seat(0))
    tiles = deal(table, seeded(b"high"))
    for waits in (0, 1):
        moves = [legal_moves(table, hand_of(table, tiles, Seat(seat))) for seat in range(2)]
        assert [len(each) for each in moves] == ([0, 1] if waits else [1, 1])
        table, _ = apply(table, moves[waits][0])


def test_an_opening_of_all_at_once_is_for_the_own_train_only():
    """§3.1: a simultaneous opening has no markers, bullets, other trains or second turns.

    The table after it does not depend on the order of the lays.
    """
    table = start_game(spec_of(6, 2, opening="simultaneous", bullet="yes"), Seat(0))
    tile = ChainLink(Position(0), Tile(1, 6), 6)
    refused = {
        Mark(Seat(0), up=True): RefusalCode.NOT_ALLOWED,
        LayChain(Seat(0), TrainId(0), (tile,), bullet=True): RefusalCode.NOT_ALLOWED,
        LayChain(Seat(0), TrainId(0), ()): RefusalCode.NOT_ALLOWED,
        LayTile(Seat(0), Position(0), Tile(1, 6), TrainId(1), -1, 6): RefusalCode.TRAIN_CLOSED,
        NoDouble(Seat(0)): RefusalCode.NOT_ALLOWED,
    }
    for move, code in refused.items():
        assert why_illegal(table, move).code is code
    assert due_together(table)
    first = apply(table, LayChain(Seat(0), TrainId(0), (tile,)))[0]
    assert why_illegal(first, Pass(Seat(0))).code is RefusalCode.NOT_YOUR_TURN
    other = ChainLink(Position(9), Tile(2, 6), 6)
    chain = LayChain(Seat(1), TrainId(1), (other,))
    one_way = apply(first, chain)[0]
    other_way = apply(apply(table, chain)[0], LayChain(Seat(0), TrainId(0), (tile,)))[0]
    assert one_way == other_way


def test_a_step_of_all_at_once_with_too_few_tiles():
    """§3.1: draws are served in seat order; a draw without a tile left becomes a pass."""
    spec = spec_of(6, 3, opening="simultaneous")
    table = begin_round(spec, 0, Seat(0), Tile(6, 6), past=(), boneyard_count=2)
    step = in_step_order([DrawTile(Seat(2)), DrawTile(Seat(0)), DrawTile(Seat(1))])
    assert [move.seat for move in step] == [0, 1, 2]
    for move in step:
        left = as_left(table, move)
        assert isinstance(left, Pass if move.seat == 2 else DrawTile)
        table, _ = apply(table, left)
    assert [train.marker for train in table.trains] == [False, False, True, False]
    assert table.now.finished == 0b100


def test_a_double_in_the_hub_ends_a_step():
    """§1.6: the seat that lays the hub double comes last in its step."""
    answers = [Declare(Seat(0), Position(0), Tile(6, 6)), Silent(Seat(2)), Silent(Seat(1))]
    assert [move.seat for move in in_step_order(answers)] == [1, 2, 0]
    laid = [LayHub(Seat(1), Position(9), Tile(5, 5)), NoDouble(Seat(2))]
    assert [move.seat for move in in_step_order(laid)] == [2, 1]


def test_nobody_speaks_of_markers_after_a_bullet_train():
    """§6.4, §7.10: after a bullet train the others lay a last chain, and no marker may be moved."""
    spec = spec_of(6, 3, bullet="yes", marker_voluntary="yes")
    sizes = (1, 3, 3)
    table = begin_round(spec, 0, Seat(0), Tile(6, 6), past=(), hand_sizes=sizes)
    bullet = LayChain(Seat(0), TrainId(0), (ChainLink(Position(0), Tile(1, 6), 6),), bullet=True)
    table, _ = apply(table, bullet)
    assert why_illegal(table, Mark(Seat(1), up=True)).code is RefusalCode.NOT_ALLOWED
    assert why_illegal(table, Done(Seat(1))) is None
