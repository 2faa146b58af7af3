"""A view says whether it is out of date, and for whose part of a tile the table waits."""

import pytest

from engine.table.moves import DrawTile
from engine.view import SeatView
from netgame.protocol.notices import CaughtUp
from netgame.protocol.peer.status import news
from netgame.wire import messages as wire
from tests.netgame.games import driven, played
from tests.netgame.protocol.happenings import apart, go_on, gone, heal
from tests.netgame.protocol.peer.test_votes_told import by_turn, moves, six_in_play


def two_gone_on_without():
    """Return a table of six, two of its players, and the four who have gone on without them."""
    table = six_in_play()
    first, second, *rest = by_turn(table)
    few = [first, second]
    apart(table, few, rest)
    table.pass_time(1.0)
    go_on(table, rest, *few)
    table.run(lambda: all(len(gone(each)) == 2 for each in rest), 10)
    table.pass_time(1.0)
    for each in few:
        assert not each.view.catching_up
    moves(table, 1)
    return table, few, rest


def test_who_was_cut_off_sees_the_table_as_it_was_or_as_it_is():
    """A player who was cut off sees the old table, then the new one.

    Any view in between says that it is catching up.
    """
    table, few, rest = two_gone_on_without()
    table.work_s = 0.05
    before = {each.view.step for each in few}
    after = {each.view.step for each in rest}
    assert len(before) == len(after) == 1
    between = set[int]()
    heal(table, table.sitters)
    end = table.now + 5.0
    while table.now < end:
        now = table.now
        table.later(0.001, lambda: None)
        table.run(lambda at=now: table.now > at, 1.0)
        for each in few:
            view = each.view
            if view.step not in before | after:
                between.add(view.step)
                assert view.catching_up
    assert between, "or this shows nothing"
    assert {each.view.step for each in few} == after
    assert not any(each.view.catching_up for each in table.sitters)
    assert [each.told_of(CaughtUp) for each in few] == [[CaughtUp()]] * 2
    assert not any(each.told_of(CaughtUp) for each in rest)


@pytest.mark.parametrize("step", [200, 200_000])
def test_who_claims_to_be_far_ahead_hides_the_table_for_a_moment_only(step):
    """A peer that claims to be far ahead hides the table only for a moment.

    If no steps follow the claim, the view shows the log as current.
    """
    one = driven(30)
    ben, cy = (sitter.key for sitter in played().sitters[1:])
    polls = len(one.ledger.decisions)
    one.link(cy)
    one.hear_head(cy)
    one.link(ben)
    assert not one.view.catching_up
    one.hear(ben, wire.Head(step, bytes(64), b"", polls))
    assert one.view.catching_up
    one.pass_time(news._STALLED_S)
    assert not one.view.catching_up
    assert [each for each in one.told if isinstance(each, CaughtUp)] == [CaughtUp(is_level=False)]
    one.hear(ben, wire.Head(step + 1, bytes(64), b"", polls))
    assert not one.view.catching_up


def test_a_view_says_whose_part_of_a_drawn_tile_is_missing():
    """A view names the seats whose part of a drawn tile is missing, and the mover has to wait."""
    table = six_in_play()
    while not any(isinstance(move, DrawTile) for move in legal_at(by_turn(table)[0])):
        moves(table, 1)
    mover, away, *rest = by_turn(table)
    assert away.context.seat not in mover.view.lacking
    apart(table, [away], [mover, *rest])
    table.pass_time(1.0)
    table.move(mover)
    table.pass_time(1.0)
    for each in (mover, *rest):
        assert each.view.lacking == (away.context.seat,)
    assert not mover.view.can_move


def legal_at(sitter):
    """Return the legal moves of this seat, or () if it cannot move now."""
    view = sitter.view
    if view.table is None or view.hand is None or not view.can_move:
        return ()
    return SeatView(view.table, view.seat, view.hand).legal
