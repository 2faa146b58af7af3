"""The sentences about the search for the engine, and those about chains, catches and reshuffles."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.scene import Scene
from cli.wording.events import events_text
from cli.wording.moves import forced_text
from cli.wording.notices import notice_text
from cli.wording.search import Search
from engine.play.apply import apply
from engine.play.due import due_seats, due_together, in_step_order
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.rules.switches import First
from engine.table.events import Caught, DoubleOwed, Tapped, TileDrawn, TileLaid, TileReturned
from engine.table.moves import LayHub, NoDouble, Show, Silent
from engine.table.rounds import start_game
from engine.table.table import RoundPhase
from engine.table.trains import MEXICAN, Position, Seat, TrainId
from engine.tiles import Tile
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from netgame.protocol import notices
from tests.cli.scenes import NAMES, scene_after, scenes_of

HEAVIEST = "the heaviest tile in any hand"
"""The sentence's words for the tile that decides who begins."""


def search_told(preset: str, seed: int, choose, **switches):
    """Play a search step by step; return its sentences and the table after it.

    All moves of one step are told together, once the table is at the next step.
    """
    spec = make_spec(replace(RULE_SETS[preset], **switches), 9, 3, deal=4)
    entropy, table = seeded(bytes([seed])), start_game(spec, Seat(0))
    tiles = deal(table, entropy)
    scene = Scene(table, None, NAMES[:3], Seat(0), can_move=False)
    search, said = Search(), []
    search.told(scene, notices.Dealt(0), "")
    while table.phase is RoundPhase.ENGINE:
        due = due_seats(table) if due_together(table) else due_seats(table)[:1]
        hands = [hand_of(table, tiles, seat) for seat in due]
        told = []
        for move in in_step_order(choose(legal_moves(table, hand)) for hand in hands):
            table, events = apply(table, move)
            told.append(notices.Played(move.seat, events))
        scene = replace(scene, table=table)
        texts = [search.told(scene, each, notice_text(scene, each)) for each in told]
        said += filter(None, texts)
    return said, table


def first_of(moves):
    """Return the first legal move, which is a lay or a declaration if there is one."""
    return moves[0]


def silent_if_may(moves):
    """Return the move that declares nothing if it is legal, and otherwise the first legal move."""
    return next((move for move in moves if isinstance(move, Silent)), moves[0])


def claims_if_may(moves):
    """Return the claim to hold no double if it is legal, or else the move of `silent_if_may`."""
    return next((move for move in moves if isinstance(move, NoDouble)), silent_if_may(moves))


def test_a_question_that_nobody_answers_with_yes_is_one_sentence():
    """Three seats' denials are told in one sentence, and so are their three draws."""
    said, table = search_told("roundhouse", 4, first_of)
    assert said[:-1] == ["Nobody has 9=9.", "Everybody draws a tile."] * (len(said) // 2)
    assert len(said) > 2
    assert said[-1].startswith(f"{NAMES[1]} played the engine 9=9.")
    assert table.hub == Tile(9, 9)


def some_search(preset: str, choose, begins: str) -> list[str]:
    """Return the sentences of the first search in which a sentence begins with `begins`."""
    told = (search_told(preset, seed, choose)[0] for seed in range(60))
    return next(said for said in told if any(text.startswith(begins) for text in said))


def test_draws_of_all_are_told_where_any_double_will_do():
    """Every double is asked for, from the highest down, before everybody draws."""
    said = some_search("fundex", first_of, "Everybody draws a tile.")
    assert said[:10] == [f"Nobody has {pip}={pip}." for pip in range(9, -1, -1)]
    assert said[10] == "Everybody draws a tile."


def test_a_round_that_is_dealt_again_is_not_announced_as_a_draw():
    """If fewer tiles than seats are left, nobody draws, and a sentence says why the search ends."""
    begins = "Nobody has 9=9. The engine cannot be found: "
    assert some_search("roundhouse", first_of, begins)[-1].startswith(begins)


def test_a_deal_names_who_begins_only_once_the_engine_is_known():
    """While the engine is unknown, a deal's sentence names nobody as the first player.

    Whoever holds the engine may become the first player.
    """
    sought = notice_text(next(iter(scenes_of("walnut", 1))), notices.Dealt(0))
    assert sought == "Round 1 of 10 is dealt. Who has the engine?"
    known = notice_text(scene_after(9, 3, 1), notices.Dealt(0))
    assert known.startswith("Round 1 of 10 is dealt: engine 9=9, ")
    assert known.endswith((" begins.", "you begin."))


def test_where_seats_draw_in_turn_each_draw_is_told():
    """Where seats draw one after another, each draw is told in a sentence of its own."""
    said, _ = search_told("walnut", 2, first_of)
    assert said[0] == "Nobody has 9=9."
    assert len(said) > 2
    assert all(text.endswith("drew a tile.") for text in said[1:-1])
    assert "played the engine 9=9" in said[-1]


def test_a_declaration_is_asked_for_once_a_double_and_then_who_holds_none():
    """Under wolf-lake each double is asked for once, and then players look through the boneyard.

    After that each double is asked for again, until the engine is played.
    """
    said, _ = search_told("wolf-lake", 1, silent_if_may)
    assert said[:10] == [f"Nobody declares {pip}={pip}." for pip in range(9, -1, -1)]
    assert said[10] == "Somebody keeps silent: players look through the boneyard."
    looks = [text for text in said if text.endswith("looked at a tile.")]
    assert said[11 : 11 + len(looks)] == looks
    assert len(looks) == 55 - 3 * 4
    forced = said[11 + len(looks) : -1]
    assert forced == [f"Nobody has {9 - at}={9 - at}." for at in range(len(forced))]
    assert "played the engine" in said[-1]


def test_claims_of_all_are_told_with_what_follows():
    """If nobody holds a double, one sentence says so, and the next tells of a tile turned up."""
    begins = "Nobody holds a double that may be the engine: "
    said = some_search("wolf-lake", claims_if_may, begins)
    assert said[10] == f"{begins}players turn up tiles of the boneyard."
    assert " up." in said[11]


def test_the_heaviest_tile_is_asked_for_once_a_tile_and_then_shown():
    """Tiles are asked for in one sentence each, from the heaviest down, until one is shown."""
    said = some_search("private-trains", first_of, "Nobody has 9-7.")
    asked = ("9-8", "9-7", "8=8", "9-6", "8-7", "9-5", "8-6", "7=7")
    assert said[:-1] == [f"Nobody has {tile}." for tile in asked[: len(said) - 1]]
    assert said[-1].endswith(f" showed {asked[len(said) - 1]}, {HEAVIEST}: first to play.")


def test_the_engine_is_asked_for_once_the_heaviest_tile_is_shown():
    """Once the heaviest tile is shown, the engine is asked for, from the highest double down."""
    told = (search_told("fundex", seed, first_of, first=First.HEAVIEST_HELD) for seed in range(60))
    said, _ = next(each for each in told if any(text == "Nobody has 9=9." for text in each[0][1:]))
    at = next(at for at, text in enumerate(said) if HEAVIEST in text)
    assert all(text.startswith("Nobody has ") for text in (*said[:at], *said[at + 1 : -1]))
    assert said[at + 1] == "Nobody has 9=9."
    assert "played the engine" in said[-1]


def test_a_tile_that_is_shown_for_a_player_is_named():
    """If the program shows a tile for a player who has no choice, a sentence names that tile."""
    scene = next(iter(scenes_of("standard", 1, first="heaviest-held")))
    assert notice_text(scene, notices.Dealt(0)).endswith("Who has the heaviest tile?")
    shown = Show(Seat(0), Position(1), Tile(8, 9))
    assert forced_text(shown) == "You hold 9-8: it is shown for you."


def test_forced_answers_of_a_search_are_not_announced():
    """The program does not announce the answers that it gives for a player in a search."""
    for scene in scenes_of("roundhouse", 9):
        for move in legal_moves(scene.table, scene.hand):
            if scene.table.phase is RoundPhase.ENGINE and not isinstance(move, LayHub):
                assert forced_text(move) == ""


def test_a_chain_laid_in_one_move_is_one_sentence():
    """Tiles that join each other on one train are told in one sentence, written as on the board."""
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
    """A caught seat's draws are its penalty, so the sentence about the catch counts them."""
    scene = scene_after(9, 3, 7)
    assert scene.seat is not None
    drawn = [TileDrawn(Seat(at), Position(80 + at)) for at in (0, 0)]
    for seat in (Seat(0), Seat(1), Seat(2)):
        events = [Caught(seat, Seat((seat + 1) % 3), 2)]
        events += [structs.replace(draw, seat=seat) for draw in drawn]
        text = events_text(scene, events)
        assert text.endswith("drew 2 tiles for it.")
        assert text.count("drew") == 1
        assert ("caught you silent: you drew" in text) == (seat == scene.seat)


def test_a_tap_says_how_many_tiles_are_left_only_when_it_is_so():
    """If more than one tile is left, a tap's sentence says only that this play may leave one."""
    scene = scene_after(9, 3, 7)
    one = (scene.table.hands[0], scene.table.hands[1][:1], scene.table.hands[2])
    after = replace(scene, table=structs.replace(scene.table, hands=one))
    assert events_text(after, [Tapped(Seat(1))]).endswith(" tapped: one tile left.")
    text = events_text(scene, [Tapped(Seat(1))])
    assert text.endswith(" tapped: this play may leave one tile.")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_tile_that_goes_back_is_said_with_whose_it_was(seat):
    """If a tile goes back into the boneyard, a sentence says whose hand it came from."""
    scene = replace(scene_after(9, 3, 7), seat=Seat(seat))
    own = events_text(scene, [TileReturned(Seat(1), Seat(1))])
    pulled = events_text(scene, [TileReturned(Seat(1), Seat(0))])
    assert own.endswith(" put a tile back into the boneyard.")
    assert ("out of your hand" if seat == 1 else f"out of {NAMES[1]}'s hand") in pulled
    assert pulled.startswith("You" if seat == 0 else NAMES[0])


def test_a_shuffle_between_two_deals_is_told_with_its_reason():
    """A reshuffle's sentence names the seat that turned up the highest tile, if that is known."""
    scene = replace(scene_after(9, 3, 7), seat=Seat(1))
    texts = [notice_text(scene, notices.Reshuffled(lead)) for lead in (None, Seat(0), Seat(1))]
    assert texts[0] == "Tiles go back into the boneyard, and everybody reshuffles it."
    assert texts[1].startswith(f"{NAMES[0]} has turned up the highest tile: ")
    assert texts[2].startswith("You have turned up the highest tile: ")
    assert notice_text(None, notices.Reshuffled(Seat(0))) == texts[0]


def test_where_seats_are_asked_in_turn_for_any_double_none_is_named():
    """Where each seat is asked for its own highest double, the sentence names no double."""
    begins = "Nobody has a double that may be the engine."
    said = some_search("galt-1994", first_of, begins)
    assert said[0] == begins
    assert "drew a tile" in said[1]
