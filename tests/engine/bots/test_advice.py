"""Advice: the adviser's move, and the reasons for it."""

import pytest
from msgspec.structs import replace

from cli.scene import lays
from engine.bots import advice, margin
from engine.bots.advice import Advice, ReasonKind, advise, planned_train, reasons_for, reasons_over
from engine.bots.effort import Effort
from engine.bots.levels import BotLevel
from engine.bots.margin import Gain, Margin, margin_over
from engine.bots.pieces import in_pieces
from engine.bots.search import Searched, TrialEnd
from engine.play.places import places
from engine.table.moves import LayTile
from engine.table.table import Hand
from engine.table.trains import Position, Seat
from engine.tiles import TILE_BITS, make_tile
from engine.view import SeatView
from lab.rounds.seeds import seeded
from tests.cli.scenes import scenes_of, some_scenes, walk
from tests.engine.deals import spec_of


def view_of(hand, *, after=8, seed=b"advice", **switches):
    """Return the view of a seat in mid-round that holds these tiles instead of its own."""
    scene = list(walk(spec_of(9, 3, **switches), seed, after + 1))[-1]
    table, seat = scene.table, scene.seat
    tiles = tuple((Position(200 + at), make_tile(*tile)) for at, tile in enumerate(hand))
    hands = list(table.hands)
    hands[seat] = tuple(position for position, _ in tiles)
    return SeatView(replace(table, hands=tuple(hands)), seat, Hand(seat, tiles))


def own_end(**switches):
    """Return the open pip of the seat's own train, which does not depend on its hand."""
    view = view_of([(1, 2)], **switches)
    return view.table.trains[view.seat].ends[0].pip


def own_lay(view, *tile):
    """Return the legal move that lays this tile on the seat's own train."""
    lays = (move for move in view.legal if isinstance(move, LayTile) and move.train == view.seat)
    return next(move for move in lays if move.tile == make_tile(*tile))


def kinds(view, move):
    """Return the kinds of the reasons for a move."""
    return [reason.kind for reason in reasons_for(view, move)]


@pytest.mark.parametrize("scene", some_scenes()[::4])
def test_advice_is_what_an_expert_plays(scene):
    """The advice is the expert's move for equal entropy, with reasons that hold for that move."""
    view = SeatView(scene.table, scene.seat, scene.hand)
    short = [seeded(b"advice"), seeded(b"advice")]
    found = advise(view, short[0], Effort(0))
    assert isinstance(found, Advice)
    assert found.move in view.legal
    assert found.move == BotLevel.EXPERT.choose(view, short[1], Effort(0))
    assert {*found.reasons} <= {*reasons_for(view, found.move)}


def test_who_is_not_in_turn_gets_no_advice():
    """A seat that is not to move gets no advice."""
    view = view_of([(1, 2)])
    other = Seat((view.seat + 1) % 3)
    theirs = SeatView(view.table, other, Hand(other, view.hand.tiles))
    assert advise(theirs, seeded(b"")) is None


def test_the_last_tile_needs_no_other_reason():
    """Going out is the only reason given for the last tile."""
    tile = own_end(), 4 if own_end() != 4 else 5
    view = view_of([tile])
    assert kinds(view, own_lay(view, *tile)) == [ReasonKind.GOES_OUT]


def test_a_lay_on_the_own_train_counts_what_follows():
    """The count of `EXTENDS` is the laid tile plus the longest train that can follow it."""
    end = own_end()
    first, second, third, *_ = (pip for pip in range(10) if pip != end)
    view = view_of([(end, first), (first, second), (second, third), (end, third)])
    reasons = reasons_for(view, own_lay(view, end, first))
    extends = [reason for reason in reasons if reason.kind is ReasonKind.EXTENDS]
    assert [reason.count for reason in extends] == [4]


def test_where_all_play_on_arms_no_train_is_kept_and_the_longest_begins_at_an_arm():
    """Where all play on arms, no move is said to keep a train, and plans begin at an arm."""
    planned = 0
    for scene in scenes_of("chickenfoot", 60, seeds=3, deal="7"):
        view = SeatView(scene.table, scene.seat, scene.hand)
        assert not any(ReasonKind.KEEPS_TRAIN in kinds(view, move) for move in lays(scene))
        if (plan := planned_train(view)) is not None:
            ends = {end.pip for train in scene.table.mexican_trains for end in train.ends}
            assert plan.pip in ends
            assert plan.tiles or not any(
                tile.has(pip) for _, tile in view.hand.tiles for pip in ends
            )
            planned += len(plan.tiles) > 1
    assert planned


def test_a_double_says_whether_it_can_be_covered():
    """A lay of a double has the reason `KEEPS_COVER` if a cover is in hand, else `OPENS_DOUBLE`."""
    own = own_end()
    other = ({end.pip for end in places(view_of([(1, 2)]).table).plain} - {own}).pop()
    far = next(pip for pip in range(10) if pip not in (own, other))
    for rest, kind in (
        ([(own, far), (other, far)], ReasonKind.KEEPS_COVER),
        ([(other, far)], ReasonKind.OPENS_DOUBLE),
    ):
        view = view_of([(own, own), *rest])
        assert kind in kinds(view, own_lay(view, own, own))


def test_a_wild_blank_covers_a_double():
    """A wild blank counts as a cover, because it fits any double."""
    own, unseen = own_end(wild_blanks="yes"), view_of([(1, 2)], wild_blanks="yes").table.unseen
    one, other, *_ = (pip for pip in range(1, 10) if pip != own and TILE_BITS[0, pip] & unseen)
    view = view_of([(own, own), (0, one), (one, other)], wild_blanks="yes")
    reasons = reasons_for(view, own_lay(view, own, own))
    kept = [reason.count for reason in reasons if reason.kind is ReasonKind.KEEPS_COVER]
    assert kept == [1]


def test_covering_names_the_double_and_its_train():
    """The first reason for covering an owed double names the double and its train."""
    rounds = (walk(spec_of(9, 4), bytes([number]), 80) for number in range(40))
    scene = next(s for each in rounds for s in each if s.table.owed and len(lays(s)) > 1)
    owed, *_ = scene.table.owed
    first, *_ = reasons_for(SeatView(scene.table, scene.seat, scene.hand), lays(scene)[0])
    assert (first.kind, first.tile, first.train) == (ReasonKind.COVERS, owed.tile, owed.train)


def choice():
    """Return a view in which several tiles can be laid, and two of its lays."""
    end = own_end()
    first, second, *_ = (pip for pip in range(10) if pip != end)
    view = view_of([(end, first), (end, second), (first, second)])
    return view, *[each for each in view.legal if isinstance(each, LayTile)][:2]


def at_once(result):
    """Return a function in pieces that returns this result whatever its arguments are."""

    @in_pieces
    def think(*_):
        yield
        return result

    return think


def test_a_rival_that_further_deals_clearly_prefer_is_advised(monkeypatch):
    """The move found first is advised unless further deals show its rival to be clearly better."""
    view, move, rival = choice()
    monkeypatch.setattr(advice, "search", at_once(Searched(move, rival)))
    for points, best in ((-5.0, rival), (-1.0, move), (5.0, move)):
        found = Margin(rival, points, 2.0, Gain.GOES_OUT)
        monkeypatch.setattr(advice, "margin_over", at_once(found))
        advised = advise(view, seeded(b""))
        assert (advised.move, advised.margin.rival == advised.move) == (best, False)
        other = rival if best == move else move
        assert advised.reasons == reasons_over(view, best, other)


def test_a_reason_is_what_the_next_best_has_less_of():
    """Of two moves that both shed pips, only the heavier one has that as a reason."""
    view, first, second = choice()
    light, heavy = sorted((first, second), key=lambda move: move.tile.pips)
    sheds = [reasons_over(view, *pair) for pair in ((light, heavy), (heavy, light))]
    assert [ReasonKind.SHEDS in {each.kind for each in found} for found in sheds] == [False, True]
    assert ReasonKind.SHEDS in kinds(view, light)


def test_two_moves_are_not_called_as_good_in_a_hurry(monkeypatch):
    """In a hurry a margin is given only if it is clear; with more time, any margin is given."""
    view, move, rival = choice()
    monkeypatch.setattr(advice, "search", at_once(Searched(move, rival)))
    for points, told_in_a_hurry in ((1.0, False), (5.0, True)):
        found = Margin(rival, points, 2.0, Gain.GOES_OUT)
        monkeypatch.setattr(advice, "margin_over", at_once(found))
        hurried = Effort(is_stopped=lambda: True)
        assert not hurried.lasts()
        assert advise(view, seeded(b""), hurried).margin == (found if told_in_a_hurry else None)
        assert advise(view, seeded(b"")).margin == found


def test_a_gain_is_where_the_points_come_from():
    """The gain is `GOES_OUT` if one move goes out more often, else the larger source of points."""
    view, move, rival = choice()
    ends = {
        Gain.GOES_OUT: (TrialEnd(0, 20, is_out=True), TrialEnd(3, 15, is_out=False)),
        Gain.HOLDS_LESS: (TrialEnd(2, 20, is_out=False), TrialEnd(7, 19, is_out=False)),
        Gain.OTHERS_HOLD_MORE: (TrialEnd(2, 20, is_out=False), TrialEnd(3, 10, is_out=False)),
    }
    for gain, pair in ends.items():
        for better, worse, sign in ((*pair, 1), (*reversed(pair), -1)):
            weighed = [better] * 30, [worse] * 30
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(margin, "weigh", at_once(weighed))
                found = margin_over(view, move, rival, seeded(b""), 30)
            assert (found.gain, found.points * sign > 0) == (gain, True)
            assert found.turned(move).points == -found.points
