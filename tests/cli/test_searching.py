"""The search for the engine in few words, and chains in one."""

from __future__ import annotations

from dataclasses import replace

from cli.searching import Search
from cli.telling import events_text, forced_text, notice_text
from engine.legality import legal_moves
from engine.moves import Caught, DoubleOwed, HubLaid, LayHub, NothingHeld, TileDrawn, TileLaid
from engine.simulate import deal, hand_of
from engine.table import Phase, start_game
from engine.tiles import Tile
from engine.trains import MEXICAN, Position, Seat, TrainId
from engine.transition import apply
from netgame.protocol import notices
from tests.cli.scenes import NAMES, scene_after, scenes_of


def first(preset: str, **switches: str):
    """The first scene of a round in which the engine is looked for."""
    return next(iter(scenes_of(preset, 1, **switches)))


def heard(scene, *told):
    """What is said of these notices after a deal, one after the other."""
    search = Search()
    search.told(scene, notices.Dealt(0), "")
    return [search.told(scene, notice, notice_text(scene, notice)) for notice in told]


def none(seat, *, claimed=True):
    """The notice that this seat does not hold or declare the double."""
    return notices.Played(Seat(seat), (NothingHeld(Seat(seat), claimed),))


def drew(seat):
    """The notice of a draw."""
    return notices.Played(Seat(seat), (TileDrawn(Seat(seat), Position(90)),))


def test_a_question_that_nobody_answers_with_yes_is_one_sentence():
    """Three seats say no and draw, and one line tells of it."""
    scene = first("roundhouse")
    said = heard(scene, none(0), none(1), none(2), drew(0), drew(1), drew(2), none(0))
    assert said == ["", "", "Nobody has 9=9: everybody draws.", "", "", "", ""]


def test_a_deal_names_who_begins_only_once_the_engine_is_known():
    """Before that whoever lays it may be first."""
    sought = notice_text(first("walnut"), notices.Dealt(0))
    assert sought == "Round 1 of 10 is dealt; the engine is looked for."
    known = notice_text(scene_after(9, 3, 1), notices.Dealt(0))
    assert known.startswith("Round 1 of 10 is dealt: engine 9=9, ")
    assert known.endswith((" begins.", "you begin."))


def test_where_seats_draw_in_turn_each_draw_is_told():
    """Who draws next depends on it."""
    said = heard(first("walnut"), none(0), none(1), none(2), drew(0), none(0))
    assert said[2] == "Nobody has 9=9."
    assert "drew a tile" in said[3]
    assert said[4] == ""


def test_a_declaration_is_asked_for_once_a_double():
    """Wolf-lake asks from the highest down."""
    said = heard(first("wolf-lake"), *(none(seat, claimed=False) for seat in range(3)))
    assert said == ["", "", "Nobody declares 9=9."]


def test_the_engine_itself_ends_the_search():
    """From then on every notice has its own sentence again."""
    scene = first("roundhouse")
    laid = notices.Played(Seat(1), (HubLaid(Seat(1), Tile(9, 9)),))
    said = heard(scene, none(0), laid, drew(0))
    assert said[0] == ""
    assert "laid the engine 9=9" in said[1]
    assert "drew a tile" in said[2]


def test_without_a_search_nothing_is_held_back():
    """A draw in play is told, whatever the rules."""
    scene = scene_after(9, 3, 7)
    assert "drew a tile" in heard(scene, drew(0))[0]


def test_a_real_search_ends_with_the_engine():
    """Played through by the engine's own moves, only questions and the engine are told."""
    scene = first("roundhouse")
    table = start_game(scene.table.spec, Seat(0))
    tiles = deal(table, lambda count: bytes(range(7, 7 + count)))
    search, said = Search(), []
    search.told(replace(scene, table=table), notices.Dealt(0), "")
    for _ in range(200):
        if table.phase is not Phase.ENGINE:
            break
        seat = next(s for s in range(3) if legal_moves(table, hand_of(table, tiles, Seat(s))))
        move = legal_moves(table, hand_of(table, tiles, Seat(seat)))[0]
        table, events = apply(table, move)
        after = replace(scene, table=table)
        notice = notices.Played(Seat(seat), events)
        text = search.told(after, notice, notice_text(after, notice))
        said += [text] if text else []
        if isinstance(move, LayHub):
            break
    assert table.hub == Tile(9, 9)
    assert "laid the engine 9=9" in said[-1]
    assert all(line == "Nobody has 9=9: everybody draws." for line in said[:-1])


def test_forced_answers_of_a_search_are_not_announced():
    """What comes of them is told, and that is enough."""
    for scene in scenes_of("roundhouse", 9):
        for move in legal_moves(scene.table, scene.hand):
            if scene.table.phase is Phase.ENGINE and not isinstance(move, LayHub):
                assert forced_text(scene, move, "") == ""


def test_a_chain_laid_in_one_move_is_one_sentence():
    """Tiles that join each other are written as the board writes them."""
    scene = scene_after(9, 3, 7)
    train = TrainId(1)
    chain = [
        TileLaid(Seat(1), Tile(7, 9), train, 9),
        TileLaid(Seat(1), Tile(5, 7), train, 7),
        TileLaid(Seat(1), Tile(5, 5), train, 5),
    ]
    owed = DoubleOwed(train, Tile(5, 5), Seat(1))
    text = events_text(scene, [*chain, owed])
    assert text == f"{NAMES[1]} played 9-7-5=5 on their own train. 5=5 must be covered."
    other = TileLaid(Seat(1), Tile(5, 9), MEXICAN, 9)
    assert events_text(scene, [chain[0], other]).count(" played ") == 2
    assert events_text(scene, []) == ""


def test_a_caught_seat_and_the_tiles_it_draws_are_one_sentence():
    """The draws are the penalty, and named with it."""
    scene = scene_after(9, 3, 7)
    assert scene.seat is not None
    drawn = [TileDrawn(Seat(at), Position(80 + at)) for at in (0, 0)]
    for seat in (Seat(0), Seat(1), Seat(2)):
        events = [Caught(seat, Seat((seat + 1) % 3), 2)]
        events += [replace(draw, seat=seat) for draw in drawn]
        text = events_text(scene, events)
        assert text.endswith("drew 2 tiles for it.")
        assert text.count("drew") == 1
        assert ("caught you silent: you drew" in text) == (seat == scene.seat)
