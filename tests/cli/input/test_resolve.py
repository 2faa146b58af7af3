"""Typed moves are resolved to legal moves, to a choice between several, or to a reason why not."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.input.readers import UsageError
from cli.input.resolution import (
    Ambiguous,
    Doubtful,
    NotFound,
    NotLegal,
    find_seats,
    find_trains,
    resolve,
)
from cli.scene import (
    choices,
    lays,
    legal,
    legal_of,
    one_named,
    own_train,
    tile_text,
    train_name,
    train_number,
)
from cli.session.answers import explanation
from cli.session.verbs.complete import complete
from cli.session.verbs.play import Choose
from cli.session.verbs.reading import parse
from cli.session.verbs.verb import Speak
from cli.wording.moves import turn_sentence
from engine.refusals import RefusalCode
from engine.table.moves import DrawTile, LayTile, Pass
from netgame.protocol.peer.view import SeatInfo
from tests.cli.scenes import scene_after, some_scenes, walk
from tests.engine.deals import spec_of

SCENES = some_scenes()


def typed(line, scene):
    """Return what a line resolves to."""
    intent = parse(line)
    assert not isinstance(intent, UsageError), intent
    return resolve(intent, scene)


@pytest.mark.parametrize("scene", SCENES[::3])
def test_every_legal_lay_can_be_typed_in_every_way(scene):
    """Every lay can be typed with either half first, any sign, and its train's name or number.

    Its number in the list of plays is enough as well.
    """
    for number, move in enumerate(lays(scene), 1):
        a, b = move.tile.high, move.tile.low
        names = [train_name(scene, move.train), train_number(move.train)]
        for name in (*names, names[0].lower(), names[0].upper()):
            for text in (f"{a}-{b}", f"{b}|{a}", f"[{a}|{b}]", f"{a} {b}", f"{b}={a}", f"{a}{b}"):
                assert typed(f"{text} {name}", scene) == move, (text, name)
                assert typed(f"play {text} {name}", scene) == move
        assert typed(str(number), scene) == move
        assert typed(f"p {number}", scene) == move


@pytest.mark.parametrize("scene", SCENES[::3])
def test_a_tile_alone_takes_its_only_train_or_asks_which(scene):
    """A tile typed alone goes to the only train that takes it, or all such trains are offered."""
    for move in lays(scene):
        same = tuple(other for other in lays(scene) if other.tile == move.tile)
        found = typed(f"{move.tile.low}-{move.tile.high}", scene)
        if len(same) == 1:
            assert found == move
        else:
            assert isinstance(found, Ambiguous)
            assert {*found.options} == {*same}


def test_where_nothing_fits_only_what_may_be_done_is_named():
    """If no tile fits, the hint names only the legal move: a draw or a pass."""
    stuck = [
        scene
        for seed in range(20)
        for scene in walk(spec_of(6, 4), b"stuck%d" % seed, 60)
        if scene.can_move and not choices(scene)
    ]
    said = {typed("1", scene).hint for scene in stuck}
    assert said == {"Nothing you hold fits: draw a tile.", "Nothing you hold fits: pass."}
    for scene in stuck:
        kind = DrawTile if "draw" in typed("1", scene).hint else Pass
        assert legal_of(scene, kind)
        assert turn_sentence(scene).endswith(typed("1", scene).hint)


def test_what_is_asked_back_names_every_place_of_a_tile():
    """If a tile has several places, the options include those where the half typed last joins."""
    scene, places, half = next(
        (scene, places, half)
        for seed in range(40)
        for scene in walk(spec_of(6, 4), bytes([seed]), 60)
        for tile in {move.tile for move in lays(scene)}
        for half in (tile.low, tile.high)
        if (places := tuple(move for move in lays(scene) if move.tile == tile))
        if len(places) > sum(move.joined == half for move in places) > 1
    )
    found = typed(f"{half}-{places[0].tile.other_end(half)}", scene)
    assert {*found.options} == {*places}


@pytest.mark.parametrize("word", ["draw", "pass"])
def test_one_example_is_given_of_what_can_be_played_instead(word):
    """The refusal of a draw or a pass names one tile that can be played, and no other example."""
    scene = next(scene for scene in SCENES if len({move.tile for move in lays(scene)}) > 2)
    found = typed(word, scene)
    tile = dict(found.refusal.facts)["tile"]
    assert {move.tile for move in found.nearest} == {tile}
    assert f"You can play {tile_text(tile)}, " in explanation(found, scene)


def test_a_run_of_digits_means_the_tile_that_is_held():
    """A run of digits such as `112` means 1-12 or 11-2, whichever is in the hand."""
    found = 0
    for scene in walk(spec_of(12, 2), b"runs", 60):
        held = {tile for _, tile in scene.hand.tiles}
        for move in lays(scene):
            text = f"{move.tile.low}{move.tile.high}"
            others = [(int(text[:1]), int(text[1:])), (int(text[:2]), int(text[2:] or 99))]
            if sum((min(o), max(o)) in held for o in others) == 1:
                number = train_number(move.train)
                assert typed(f"{text} {number}", scene) == move
                found += 1
    assert found


def test_what_must_be_drawn_can_be_drawn():
    """If the rules demand a draw, the draw is accepted and the number of a play is not found."""
    scenes = (scene for scene in SCENES if isinstance(legal(scene)[0], DrawTile))
    scene = next(scenes)
    assert resolve(Speak(DrawTile), scene) == legal(scene)[0]
    assert isinstance(typed("1", scene), NotFound)


def test_a_refusal_names_the_rule_and_the_nearest_legal_move_first():
    """A refusal cites the rule, and suggests other places for the same tile first.

    Three suggestions are introduced by "for instance", and two are not.
    """
    scene = scene_after(12, 4, 20)
    move = lays(scene)[0]
    closed = next(
        train
        for train in scene.table.trains
        if train.id >= 0 and not train.marker and train.id != own_train(scene)
    )
    text = f"{move.tile.low}-{move.tile.high} {train_name(scene, closed.id)}"
    found = typed(text, scene)
    assert isinstance(found, NotLegal)
    assert found.refusal.code is RefusalCode.TRAIN_CLOSED
    assert found.refusal.rule
    assert found.nearest[0].tile == move.tile
    few, many = (structs.replace(found, nearest=(move,) * count) for count in (2, 3))
    assert "You could play, for instance," in explanation(many, scene)
    assert "for instance" not in explanation(few, scene)


def test_words_that_name_nothing_are_told_what_there_is():
    """An unknown train gets a list of the trains; an unknown tile or number gets a hint."""
    scene = scene_after(9, 3, 6)
    tile = lays(scene)[0].tile
    missing = typed(f"{tile.low}-{tile.high} zoe", scene)
    assert isinstance(missing, NotFound)
    assert "Ana" in missing.hint
    assert isinstance(typed("18-17 ana", scene), NotFound)
    assert isinstance(resolve(Choose(99, None), scene), NotFound)


def test_out_of_turn_it_is_said_whose_turn_it_is():
    """A move typed out of turn is refused for that reason, or no such play is found."""
    scenes = list(walk(spec_of(9, 4), b"turns", 4))
    waiting = replace(scenes[0], table=scenes[1].table, can_move=False)
    for line in ("1", "draw", "9-4 ana"):
        found = typed(line, waiting)
        assert isinstance(found, NotLegal | NotFound)
        if isinstance(found, NotLegal):
            assert found.refusal.code is RefusalCode.NOT_YOUR_TURN


def test_a_move_under_way_is_not_made_twice():
    """A move that is under way cannot be made again, for example by a double Enter."""
    scene = replace(scene_after(9, 4, 8), can_move=False)
    moves = lays(replace(scene, can_move=True))
    found = typed(f"{moves[0].tile.low}-{moves[0].tile.high} {train_number(moves[0].train)}", scene)
    assert isinstance(found, NotFound)


@pytest.mark.parametrize("scene", SCENES[::3])
def test_a_start_that_fits_several_names_is_asked_back(scene):
    """If several names begin with what was typed, a move is in doubt even if only one train fits.

    If several trains fit, they are the options; if none does, a hint says that the name is unclear.
    """
    alike = replace(scene, names=tuple(f"A{name}" for name in scene.names))
    for move in lays(alike):
        fitting = tuple(
            other for other in lays(alike) if other.tile == move.tile and other.train >= 0
        )
        found = typed(f"{move.tile.low}-{move.tile.high} a", alike)
        if len(fitting) == 1:
            assert found == Doubtful(fitting[0], "a", alike.names)
        elif fitting:
            assert found == Ambiguous(fitting)
        else:
            assert isinstance(found, NotFound)
            assert "could be" in found.hint


@pytest.mark.parametrize(
    "word",
    [
        "me",
        "my",
        "mine",
        "own",
        "on my train",
        "on mine",
        "On ME",
        "mi tren",
        "en mi tren",
        "mío",
        "en el mío",
        "mio",
        "yo",
    ],
)
def test_words_for_me_mean_ones_own_train_and_never_the_mexican(word):
    """Words such as `me` mean your own train, even if other players' names begin with them."""
    found = 0
    for scene in SCENES:
        named = replace(scene, names=tuple(f"Me{name}" for name in scene.names))
        for move in lays(named):
            tile = f"{move.tile.low}-{move.tile.high}"
            moved = typed(f"{tile} {word}", named)
            if move.train == own_train(named):
                assert moved == move
                found += 1
            elif isinstance(moved, LayTile):
                assert moved.train == own_train(named)
    assert found
    assert find_trains(replace(scene, seat=None), "me") == ()


def test_a_player_may_be_called_as_ones_own_train_is():
    """If another player is called `Yo`, a player who types `yo` is asked which train they mean."""
    scene = scene_after(12, 4, 43)
    for seat in range(4):
        mine = replace(scene, names=("Yo", "Mine", "Mío", "Cy"), seat=seat)
        assert find_trains(mine, "yo") == tuple(sorted({0, seat}))
        assert find_trains(mine, "me") == (seat,)
        assert find_trains(mine, "Yo") == (0,), "so the program writes it in what it offers"
    asked = [
        typed(f"{move.tile.low}-{move.tile.high} yo", named)
        for named in (replace(each, names=("Yo", *each.names[1:])) for each in SCENES)
        for move in lays(named)
        if move.train in (0, own_train(named)) and named.seat
    ]
    assert asked
    assert all(isinstance(each, Ambiguous | Doubtful) for each in asked)


def test_names_are_typed_without_their_accents():
    """A name is found with and without its accents, which not every keyboard has."""
    scene = scene_after(12, 4, 43)
    move = lays(scene)[0]
    named = replace(scene, names=tuple("Pía" if at == move.train else "Bo" for at in range(4)))
    for name in ("pia", "PÍA", "Pi", "pi\u0301a"):
        assert find_trains(named, name) == (move.train,)
        assert find_seats(named, name) == (move.train,)
    offers = complete(f"{move.tile.high}-{move.tile.low} pi", named)
    assert [offer.text for offer in offers] == ["Pía"]


@pytest.mark.parametrize("word", ["Zoë", "zoë", "zoe\u0308", "ZOË"])
def test_an_exact_name_goes_before_one_without_accents(word):
    """`kick Zoë` never means Zoe, even if Zoe has an earlier seat."""
    named = replace(scene_after(12, 4, 43), names=("Zoe", "Zoë", "Zoé", "Cy"))
    assert find_trains(named, word) == find_seats(named, word) == (1,)
    seats = [SeatInfo(name, name.encode(), "abcd", False, True) for name in named.names]
    assert one_named(seats, word) == seats[1]
    assert one_named(seats, "zoè") is None  # it could be any of the three
    assert find_trains(named, "zoè") == (0, 1, 2)
