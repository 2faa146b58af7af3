"""Words for every kind of move: typed as shown, offered while legal, refused otherwise."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cli.input.readers import UsageError
from cli.input.resolution import Ambiguous, MoveIntent, NotFound, NotLegal, TileByTile, resolve
from cli.scene import calls, forced_move, lays, legal, possible, tile_text
from cli.session.answers import explanation
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS, find_verb
from cli.session.verbs.verb import TableVerb
from cli.session.verbs.why import Why
from cli.wording.moves import call_sentences, duty_sentences, move_text
from engine.play.judge import why_illegal_holding
from engine.refusals import RefusalCode
from engine.rules.choose import RULE_SETS
from engine.table.moves import (
    Catch,
    Declare,
    Discard,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    NoDouble,
    PullBack,
    Quiet,
    Show,
    Silent,
    Tap,
    TurnUp,
)
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from tests.cli.scenes import scenes_of, walk_all


def typed(line, scene):
    """Return what a line resolves to."""
    intent = parse(line)
    assert not isinstance(intent, UsageError), (line, intent)
    return resolve(intent, scene)


def find(kind, preset, moves=60, seeds=12, **switches):
    """Return the first scene under these rules with a possible move of this kind, and the move."""
    return next(
        (scene, move)
        for scene in scenes_of(preset, moves, seeds, **switches)
        for move in possible(scene)
        if isinstance(move, kind)
    )


def command_of(move, scene) -> TableVerb:
    """Return the verb that a move's text begins with, which is `play` if it begins with a tile."""
    text = move_text(scene, move)
    found = find_verb("play" if text[0].isdigit() else text.split()[0])
    assert isinstance(found, TableVerb)
    return found


def check_words(scene):
    """Check that each possible move's text parses to that move, with a verb these rules know.

    Check too that the sentences about duties and calls are whole sentences.
    """
    for move in possible(scene):
        text = move_text(scene, move)
        found = typed(text, scene)
        if isinstance(found, Ambiguous):
            # where blanks are wild, only the order of the halves distinguishes such lays
            assert move in found.options
        else:
            assert found == move, text
        assert isinstance(parse(f"why {text}"), Why)
        command = command_of(move, scene)
        assert command.known(scene.table.rules), text
        assert isinstance(move, command.makes)
    for sentence in (*duty_sentences(scene), *call_sentences(scene)):
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.isprintable()
        assert sentence.endswith(".")


@pytest.mark.parametrize("preset", RULE_SETS)
def test_every_move_of_every_preset_is_typed_as_it_is_told(preset):
    """Under every preset, the text of each possible move can be typed to make that move."""
    for scene in scenes_of(preset, 70):
        check_words(scene)


def test_every_move_under_random_rules_is_typed_as_it_is_told():
    """Under random valid rules, too, the text of each possible move can be typed to make it."""
    for number in range(40):
        entropy = seeded(number.to_bytes(4, "big"))
        for scene in walk_all(random_spec(entropy), b"walk", 40):
            check_words(scene)


def test_open_and_close_are_offered_each_by_itself():
    """`open` and `close` are each offered only if the marker can be moved that way."""
    scene, _ = find(Mark, "wolf-lake")
    ups = {move.up for move in legal(scene) if isinstance(move, Mark)}
    offered = {offer.text for offer in complete("", scene)}
    assert ("open" in offered, "close" in offered) == (True in ups, False in ups)


def test_an_opening_is_laid_in_one_line():
    """An opening typed on one line is one chain; each tile may have either half first."""
    found = 0
    for scene in scenes_of("walnut", 40, 30):
        for move in legal(scene):
            if not isinstance(move, LayTile) or not scene.table.opening:
                continue
            far = move.tile.other_end(move.joined)
            follow = [t for _, t in scene.hand.tiles if t != move.tile and t.has(far)]
            for tile in follow:
                line = f"play {move.tile.low}-{move.tile.high} {tile.high}-{tile.low}"
                played = typed(line, scene)
                chain = played.chain if isinstance(played, TileByTile) else played
                assert isinstance(chain, LayChain), line
                assert [link.tile for link in chain.lays] == [move.tile, tile]
                assert chain.lays[0].joined == move.joined
                start = f"play {move.tile.high}-{move.tile.low} "
                texts = {offer.text for offer in complete(start, scene)}
                assert tile_text(tile) in texts
                found += 1
    assert found > 20


def test_a_chain_that_breaks_says_which_tile_does_not_fit():
    """The refusal of a chain names its first tile that does not join."""
    scene, lay, misfit = next(
        (scene, lay, tile)
        for scene in scenes_of("walnut", 12, 8)
        for lay in lays(scene)[:1]
        for _, tile in scene.hand.tiles
        if scene.table.opening and lay.train == scene.seat
        if tile != lay.tile and not tile.has(lay.tile.other_end(lay.joined))
    )
    found = typed(f"{lay.tile.low}-{lay.tile.high} {misfit.low}-{misfit.high}", scene)
    assert isinstance(found, NotLegal)
    assert found.refusal.code is RefusalCode.END_MISMATCH
    assert tile_text(misfit) in explanation(found, scene)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("9-7 9-7", "only once"),
        ("9-7 12-9", "no 9-12"),
        ("9-7 7-5 zoe", "no train zoe"),
        ("9-7 114", "Write several tiles as 9-7 7-5."),
        ("hub 12-12", "no 12-12"),
        ("catch zoe", "called zoe"),
        ("9-7 7-5 5-4 back", "a second double"),
    ],
)
def test_words_that_name_nothing_here_say_so(line, part):
    """A line that names an unknown tile, train or person, or that is a wrong chain, gets a hint."""
    scene = next(iter(scenes_of("roundhouse", 5)))
    found = typed(line, scene)
    assert isinstance(found, NotFound)
    assert part in found.hint


def test_a_bullet_train_is_found_or_typed():
    """`bullet` lays the whole hand in an order that the program finds, or in the typed one."""
    scene, move = find(LayChain, "standard", 90, 40, bullet="yes", deal="3")
    assert move.bullet
    assert typed("bullet", scene) == move
    tiles = " ".join(f"{link.tile.low}-{link.tile.high}" for link in move.lays)
    assert typed(f"bullet {tiles}", scene) == move
    if len(move.lays) > 1:
        assert typed(tiles, scene) == move
    idle = replace(scene, hand=structs.replace(scene.hand, tiles=()))
    assert isinstance(typed("bullet", idle), NotFound)


def test_a_second_double_comes_with_the_cover_of_one_of_the_two():
    """Under `two-held` a second double and a cover are typed on one line.

    With `back` at its end, the line lays the cover on the first double.
    """
    backs = 0
    for scene in scenes_of("parsons-1994", 80, 60):
        for move in legal(scene):
            if isinstance(move, LayChain):
                first, second = (link.tile for link in move.lays)
                line = f"{first.low}-{first.high} {second.low}-{second.high}"
                found = typed(line + (" back" if move.back else ""), scene)
                options = found.options if isinstance(found, Ambiguous) else (found,)
                assert move in options, line
                backs += move.back
    assert backs


def test_the_engine_is_laid_declared_or_denied_in_words():
    """`hub`, `play 9-9 hub` and `declare` mean the double that the rules ask for.

    `none` and `silent` deny it, if the rules allow that.
    """
    scene, move = find(LayHub, "walnut")
    high = move.tile.high
    for line in ("hub", f"hub {high}-{high}", f"play {high}-{high} hub", f"{high}={high} engine"):
        assert typed(line, scene) == move
    assert isinstance(typed("none", scene), NotLegal)
    scene, move = find(Declare, "wolf-lake")
    high = move.tile.high
    for line in ("declare", f"declare {high}-{high}", f"hub {high} {high}"):
        assert typed(line, scene) == move
    assert typed("silent", scene) == Silent(scene.seat)
    scene, move = find(NoDouble, "walnut")
    assert typed("none", scene) == move
    assert isinstance(typed("hub", scene), NotFound)
    assert isinstance(typed("hub 0-0", scene), NotLegal)


def test_the_heaviest_tile_is_shown_or_denied_in_words():
    """`reveal` shows the tile asked for; another tile or another move is refused."""
    scene, move = find(Show, "standard", first="heaviest-held")
    tile = f"{move.tile.low}-{move.tile.high}"
    for line in ("reveal", f"reveal {tile}", f"shows {tile}", f"mostrar {tile}"):
        assert typed(line, scene) == move
    assert tile_text(move.tile) in {offer.text for offer in complete("reveal ", scene)}
    other = next(held for _, held in scene.hand.tiles if held != move.tile)
    for line in ("none", f"reveal {other.low}-{other.high}", "draw", "hub"):
        assert isinstance(typed(line, scene), NotLegal), line
    assert isinstance(typed("reveal 13-0", scene), NotFound)
    scene, move = find(NoDouble, "standard", first="heaviest-held")
    assert typed("none", scene) == move
    assert isinstance(typed("reveal", scene), NotFound)
    played = next(iter(scenes_of("standard", 3)))
    assert isinstance(typed("reveal", played), NotLegal)


def test_tiles_are_looked_at_discarded_and_pulled_in_words():
    """Under wolf-lake `look` turns up a tile, `discard` discards one, and `pull` pulls one back."""
    scene, move = find(TurnUp, "wolf-lake", 80, 40, deal="2")
    assert typed("look", scene) == move
    scene, move = find(Discard, "wolf-lake", 120, 200, deal="2")
    tile = dict(scene.hand.tiles)[move.position]
    assert typed(f"discard {tile.low}-{tile.high}", scene) == move
    assert f"{tile.high}-{tile.low}" in {o.text for o in complete("discard ", scene)}
    scene, move = find(PullBack, "wolf-lake", 120, 200, deal="2")
    assert typed("pull", scene) == move
    assert typed("pull 2", scene) == [m for m in legal(scene) if isinstance(m, PullBack)][1]
    found = typed("pull 99", scene)
    assert isinstance(found, NotFound)
    count = len(scene.table.hands[move.other])
    assert f"has {count} tiles" in found.hint
    assert {o.text for o in complete("pull ", scene)} == set(map(str, range(1, count + 1)))


def test_a_last_tile_is_told_and_a_silent_seat_caught():
    """The program tells a seat with one tile to tap, and tells the others whom they can catch."""
    scene, move = find(Catch, "roundhouse", 120, 60)
    offender = scene.names[move.offender]
    assert typed(f"catch {offender[:3].lower()}", scene) == move
    assert offender in {o.text for o in complete("catch ", scene)}
    assert any(f"type catch {offender}." in said for said in call_sentences(scene))
    own = next(each for each in scenes_of("roundhouse", 120, 60) if Tap(each.seat) in calls(each))
    assert "One tile left: type tap." in call_sentences(own)
    assert typed("tap", own) == Tap(own.seat)
    assert "tap" in {o.text for o in complete("t", own)}


def test_under_before_play_a_tap_is_a_move_of_ones_own_turn():
    """Under wolf-lake players tap before they play, and only in their own turn."""
    scene, move = find(Tap, "wolf-lake", 150, 60)
    assert scene.can_move
    assert typed("tap", scene) == move
    waiting = replace(scene, can_move=False)
    assert Tap(scene.seat) not in calls(waiting)
    assert isinstance(typed("tap", waiting), NotFound)
    assert bool(lays(scene)) == any("type tap first" in said for said in call_sentences(scene))


def test_what_is_only_said_beside_it_does_not_keep_a_draw_from_being_made():
    """The program draws if no other move changes the hand, even if a tap or a marker is legal."""
    found = 0
    for scene in scenes_of("wolf-lake", 150, 20):
        moves = legal(scene)
        if DrawTile(scene.seat) in moves and len(moves) > 1:
            kinds = {type(move) for move in moves}
            if kinds <= {DrawTile, Mark, Tap, Catch} and not scene.table.turn.from_hand:
                assert forced_move(scene) == DrawTile(scene.seat)
                found += 1
    assert found


def test_nothing_to_call_is_never_offered():
    """`Quiet`, a move for programs, is never offered to a person."""
    for scene in scenes_of("roundhouse", 100, 10):
        assert not any(isinstance(move, Quiet) for move in possible(scene))


@pytest.mark.parametrize(
    "line", ["tap", "catch ben", "done", "open", "close", "none", "silent", "look", "hub 9-9",
             "declare 9-9", "discard 9-4", "pull 1", "bullet"]
)  # fmt: skip
def test_a_word_out_of_place_is_a_sentence_of_its_own(line):
    """Under `standard` each of these words is refused with a sentence that explains the refusal."""
    scene = next(scene for scene in scenes_of("standard", 5) if scene.can_move)
    found = typed(line, scene)
    assert isinstance(found, NotLegal | NotFound)
    text = explanation(found, scene)
    assert "no such action" not in text
    assert text[0].isupper()


SOME = [
    scene
    for preset in ("walnut", "wolf-lake", "roundhouse", "parsons-1994")
    for scene in list(scenes_of(preset, 40))[::17]
]
TYPED = st.lists(
    st.sampled_from(
        [*(word for each in VERBS for word in (each.word, *each.short)), "9-7", "7-5", "0=0",
         "99", "9", "4", "18-18", "ana", "m", "mexican2", "ben/5-5", "back", "on", "999", "/"]
    ),
    max_size=6,
)  # fmt: skip


@given(st.sampled_from(SOME), TYPED)
def test_whatever_is_typed_comes_to_a_move_or_a_sentence(scene, words):
    """Any line gives a legal move or a whole sentence, and completing it never fails."""
    line = " ".join(words)
    complete(line, scene)
    complete(f"{line} ", scene)
    intent = parse(line)
    move = intent.move if isinstance(intent, Why) else intent
    if not isinstance(move, get_args(MoveIntent)):
        return
    found = resolve(move, scene)
    if isinstance(found, Ambiguous | NotFound | NotLegal):
        text = explanation(found, scene)
        assert text.isprintable()
        assert text.endswith((".", "?"))
    elif isinstance(found, TileByTile):
        assert len(found.lays) == len(found.chain.lays)
    else:
        assert found in possible(scene) or isinstance(found, LayChain)
        assert why_illegal_holding(scene.table, scene.hand, found) is None
