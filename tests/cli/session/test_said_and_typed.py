"""Every move that the program mentions can be typed back as it is written.

At random tables under random rules, in both languages, the test collects the list of plays, what
Tab and Enter offer, plans, hints, refusals, lessons and chains, as the full screen and the plain
one show them. A reader that knows only what tiles and places look like finds the moves in these
texts.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from cli.input.chains import PlayChain
from cli.input.plan import Plan, lays_now, longest_plan, plan_of
from cli.input.resolution import (
    Ambiguous,
    Doubtful,
    MoveIntent,
    NotFound,
    NotLegal,
    TileByTile,
    resolve,
)
from cli.language import say
from cli.learn.lessons import FIRST, SECOND, lesson_for, play_text, sentence_of
from cli.render.cells import Canvas
from cli.render.hand import passing_lines, region_rows, standing_lines
from cli.render.palette import ASCII_GLYPHS, plain_text
from cli.scene import (
    Scene,
    choices,
    hangs_on,
    lays,
    legal,
    own_train,
    place_text,
    possible,
    tile_text,
    train_name,
    train_number,
)
from cli.screens.plain import table_sentences
from cli.session.answers import explanation
from cli.session.desk import Desk
from cli.session.verbs.asked_back import read_answer
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from cli.wording.events import on_train
from cli.wording.hints import hint_sentence, plan_sentence
from cli.wording.moves import call_sentences, duty_sentences, move_text, turn_sentence
from engine.bots.advice import Advice, planned_train, reasons_for
from engine.bots.margin import Gain, Margin
from engine.refusals import RefusalReason
from engine.rules.choose import RULE_SETS
from engine.table.moves import LayChain, LayTile
from engine.tiles import Tile, make_tile
from engine.view import SeatView
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from tests.cli.fakes import FakeFront, FakeNode
from tests.cli.scenes import scenes_of, walk_all

ODD = ("The One", "O'Neil", "Ross", "Me", "Dr. X", "Ann–Marie", "Jo, Al", "Yo")
"""Names that resemble the words around names."""

_TILES = re.compile(r"(?<![-=\d|])\d+[-=]\d+(?: \d+[-=]\d+)*(?![-=\d|])")
_VERBS = re.compile(
    r"\b(?:bullet|hub|declare|discard|pull|estación|declarar|descartar|sacar) \d+(?:[-=]\d+)*"
)
_HUB = ("in the hub", "en la estación")
_ON = (" on ", " en ")
"""The words with which a place begins; no name here contains them."""


class Said(NamedTuple):
    """A text that the program shows, and the name of its source."""

    source: str
    text: str


class Mention(NamedTuple):
    """A play in a text: the words to type back, its tiles, and its place or an empty text."""

    typed: str
    tiles: tuple[Tile, ...]
    place: str


def told(scene: Scene) -> Iterator[Said]:
    """Yield every text about moves at this moment, for a screen with keys and for one without."""
    for front in (FakeFront(), FakeFront()):
        desk = Desk(FakeNode(scene), front)
        front.has_keys = front.keeps_board = not front.keeps_board
        for plan in (None, longest_plan(scene), _elsewhere(scene)):
            desk.plan = plan
            yield from _turn(scene, desk)
    yield Said("plays", turn_sentence(scene))
    for sentence in (*duty_sentences(scene), *call_sentences(scene)):
        yield Said("duty", sentence)
    yield from _advice(scene)
    yield from _refusals(scene)
    for course in (FIRST, SECOND):
        if taught := lesson_for(scene, (), course):
            yield Said("lesson", sentence_of(scene, taught))
            text = say("It is still your turn. The lesson wants: {play}",
                       play=play_text(scene, taught.play))  # fmt: skip
            yield Said("lesson", text)


def _elsewhere(scene: Scene) -> Plan | None:
    """Return a one-tile plan for a train other than the player's own, or None if nothing fits."""
    others = (move for move in lays(scene) if move.train != own_train(scene))
    return next(
        (Plan(move.train, ((move.joined, move.tile.other_end(move.joined)),)) for move in others),
        None,
    )


def _turn(scene: Scene, desk: Desk) -> Iterator[Said]:
    picture = desk.picture(desk.node.view(), scene)
    canvas = Canvas(200, 60, ASCII_GLYPHS)
    lines = (*standing_lines(scene, canvas, region_rows(scene, canvas), picture),
             *passing_lines(scene, canvas, 40, picture))  # fmt: skip
    notes = {" ".join(note.split()) for note in picture.notes}
    page = " ".join(" ".join(map(plain_text, lines)).split())
    assert all(note in page for note in notes), (notes, page)
    for number, move in enumerate(choices(scene), 1):
        assert f"{number}: {move_text(scene, move)}" in page
        yield Said("list", move_text(scene, move))
    *_, last = table_sentences(scene, picture)
    yield Said("plain", last)
    for note in notes:
        plan, _, step = note.partition(" (Enter ")
        yield Said("train" if desk.plan is None else "plan", plan)
        yield Said("offer", step)
    if picture.suggestion is not None:
        yield Said("offer", picture.suggestion.told)


def _advice(scene: Scene) -> Iterator[Said]:
    view = SeatView(scene.table, scene.seat, scene.hand)
    listed = legal(scene)
    for move, rival in zip(listed, (*listed[1:], *listed[:1]), strict=True):
        for gain, points in ((Gain.HOLDS_LESS, 30.0), (Gain.GOES_OUT, 0.1)):
            margin = Margin(rival, points, 1.0, gain)
            advice = Advice(move, reasons_for(view, move), margin)
            yield Said("hint", hint_sentence(scene, advice))
    if (train := planned_train(view)) is not None and train.tiles:
        # the tiles left over come after the train, and are not part of it
        yield Said("hint train", re.split(r"\. ", plan_sentence(scene, train))[0])


def _refusals(scene: Scene) -> Iterator[Said]:
    lines = ["draw", "pass", "done", "18-18"]
    for _, tile in scene.hand.tiles:
        lines += [tile_text(tile), *(f"{tile_text(tile)} {train_name(scene, each.id)}"
                                     for each in scene.table.trains)]  # fmt: skip
    for line in lines:
        found = resolve(parse(line), scene)
        if isinstance(found, Ambiguous | Doubtful | NotLegal | NotFound):
            yield Said("refusal", explanation(found, scene))


# ---- read, and typed back -------------------------------------------------------------------


def mentions(text: str, scene: Scene) -> Iterator[Mention]:
    """Yield the plays in a text, each with the place after it, if any."""
    places = {place for each in scene.table.trains for place in _places(scene, each.id)}
    at_double = [place_text(scene, move) for move in lays(scene)]
    at_double += [place.lower() for place in at_double]
    places |= {*_HUB, *at_double, *(say("on {train}", train=each) for each in at_double)}
    named = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    for found in _TILES.finditer(text):
        place = re.match(rf" (?:{named})(?![\w'])(?: back\b)?", text[found.end() :])
        behind = text[found.end() :] if place is None else ""
        verb = re.search(r"(\w+) $", text[: found.start()])
        if verb is not None and _VERBS.fullmatch(f"{verb[1]} {found[0]}".split(" ", 2)[0] + " 1"):
            yield Mention(f"{verb[1]} {found[0]}{place[0] if place else ''}", _tiles(found[0]), "")
            continue
        assert not behind.startswith(_ON), f"a place that is none: {text[found.start() :]}"
        yield Mention(found[0] + (place[0] if place else ""), _tiles(found[0]),
                      place[0].strip() if place else "")  # fmt: skip


def _places(scene: Scene, train) -> tuple[str, ...]:
    name = train_name(scene, train)
    own = on_train(scene, train, scene.seat) if scene.seat is not None else name
    number = (train_number(train).lower(),) if train < 0 else ()
    return name, name.lower(), say("on {train}", train=name), on_train(scene, train), own, *number


def _tiles(text: str) -> tuple[Tile, ...]:
    return tuple(make_tile(*map(int, re.split("[-=]", each))) for each in text.split())


def made_of(line: str, scene: Scene):
    """Return the moves that a typed line makes at this moment, or the reason why it makes none."""
    intent = read_answer(line, (), scene) or parse(line)
    assert isinstance(intent, MoveIntent), (line, intent)
    found = resolve(intent, scene)
    if isinstance(found, NotLegal) and isinstance(intent, PlayChain) and not intent.bullet:
        plan = plan_of(intent, scene)
        return (lays_now(plan, scene) if isinstance(plan, Plan) else ()) or found
    return found.lays if isinstance(found, TileByTile) else found


def check(mention: Mention, scene: Scene, source: str = "") -> bool:
    """Return True if a mentioned play can be made at this moment, and False if not.

    If it can, assert that its words make it when they are typed back.
    """
    first = mention.tiles[0]
    fitting = [move for move in possible(scene) if first in _tiles_of(move, scene)[:1]]
    own = own_train(scene)
    if len(mention.tiles) > 1 and not mention.place and own is not None:
        # such a train is the player's own, which may have to wait
        fitting = [move for move in fitting if getattr(move, "train", own) == own]
    held = {tile for _, tile in scene.hand.tiles}
    if len(mention.tiles) > 1 and not held.issuperset(mention.tiles):
        return False  # an example
    if len(mention.tiles) == 1 and source == "Tab":
        # a double that must be covered at once is offered as the first of two tiles
        fitting = [move for move in fitting if not isinstance(move, LayChain)]
    if not fitting:
        return False
    found = made_of(mention.typed, scene)
    moves = found if isinstance(found, tuple) else (found,)
    if isinstance(found, Ambiguous):
        # a tile without its place, or, where blanks are wild, one whose order of halves matters
        assert {_tiles_of(move, scene)[:1] for move in found.options} == {(first,)}, mention
        # a plan is for a train, and waits for any of its ends
        places = {_place_of(move)[: 1 if source == "plan" else 2] for move in found.options}
        assert not mention.place or len(places) == 1, mention
        return True
    if source in ("plan", "hint train") and _ends_opening_badly(found):
        return False  # it can be planned, but not played at once
    where = [_where(move, scene) for move in fitting]
    if mention.place and not any(mention.place in each for each in where):
        return False  # for instance the player's own train, for a tile that fits another
    if isinstance(found, Doubtful) and found.word.capitalize() in ODD:
        assert found.move in fitting, (mention, found)
        return True  # a player named like a word for oneself is asked back
    assert not isinstance(found, Doubtful | NotFound | NotLegal), (mention, found)
    laid = [tile for move in moves for tile in _tiles_of(move, scene)]
    assert tuple(laid) == mention.tiles[: len(laid)], (mention, found)
    assert laid, mention
    if mention.place:
        assert mention.place in _where(moves[0], scene), (mention, found)
    return True


def _ends_opening_badly(found) -> bool:
    return isinstance(found, NotLegal) and found.refusal.reason is RefusalReason.CHAIN_ENDS_DOUBLE


def _tiles_of(move, scene: Scene) -> tuple[Tile, ...]:
    if isinstance(move, LayChain):
        return tuple(each.tile for each in move.lays)
    tile = getattr(move, "tile", None)
    if tile is None and getattr(move, "position", None) is not None:
        tile = dict(scene.hand.tiles).get(move.position)
    return () if tile is None else (tile,)


def _place_of(move):
    return (move.train, getattr(move, "on", None)) if isinstance(move, LayTile | LayChain) else ()


def _where(move, scene: Scene) -> set[str]:
    """Return every way to write the place of a move."""
    if not isinstance(move, LayTile | LayChain):
        return {"", *_HUB}
    said = {*_places(scene, move.train)}
    if isinstance(move, LayTile):
        double = hangs_on(scene.table, move)
        name = f"{train_name(scene, move.train)}/{double}"
        said |= {name, say("on {train}", train=name)}
    return said | {f"{each} back" for each in said}


def typed_back(scenes, counted: Counter[str]) -> None:
    """Type back every play told at these moments; count by source those that can be made."""
    for scene in scenes:
        if scene.hand is None or not scene.can_move or not legal(scene):
            continue
        for source, text in dict.fromkeys(told(scene)):
            for mention in mentions(text, scene):
                counted[source] += check(mention, scene, source)
        for number, move in enumerate(choices(scene), 1):
            assert made_of(str(number), scene) == move
            assert made_of(f"{number}.", scene) == move
        for offer in complete("", scene):
            for mention in mentions(offer.text, scene):
                counted["Tab"] += check(mention, scene, "Tab")
        counted["chain"] += _chain_typed(scene)


def _chain_typed(scene: Scene) -> bool:
    """Assert that the longest train, typed as the board draws it, is read like its single tiles.

    Return True, or False if there is no train of at least two tiles.
    """
    plan = longest_plan(scene)
    if plan is None or len(plan.pairs) < 2:
        return False
    tiles = [tile_text(tile, pair[0]) for tile, pair in zip(plan.tiles, plan.pairs, strict=True)]
    chain = tiles[0] + "".join(re.sub(r"^\d+", "", each) for each in tiles[1:])
    assert parse(chain) == parse(" ".join(tiles)) == parse(", ".join(tiles))
    assert made_of(chain, scene) == made_of(" ".join(tiles), scene)
    return True


@pytest.fixture(params=["en", "es"])
def language(request):
    """Run the test once in each language; return the code of the language."""
    if request.param == "es":
        request.getfixturevalue("spanish")
    return request.param


def renamed(scene: Scene) -> Scene:
    """Return the scene with names that resemble the words around them."""
    return replace(scene, names=(ODD * 2)[: len(scene.names)])


SOURCES = {
    "list",
    "plain",
    "plays",
    "plan",
    "train",
    "offer",
    "hint",
    "hint train",
    "refusal",
    "lesson",
}


def some_tables(count: int) -> Iterator[Scene]:
    """Yield every fifth moment at `count` random tables; every third table has odd names.

    Two more tables are included: one with two Mexican trains, and one where a double can be played
    only with its cover.
    """
    for number in sorted({*range(count), 108, 147}):
        entropy = seeded(number.to_bytes(4, "big"))
        for at, scene in enumerate(walk_all(random_spec(entropy), b"said", 40)):
            if at % 5 == 0:
                yield renamed(scene) if number % 3 == 0 else scene


def test_what_is_said_under_random_rules_can_be_typed(language):
    """Every play mentioned at the tables of `some_tables` can be typed, in both languages."""
    counted: Counter[str] = Counter()
    typed_back(some_tables(24), counted)
    assert counted.keys() >= SOURCES
    assert min(counted.values()) > 3
    assert counted.total() > 4_000


@pytest.mark.parametrize("preset", RULE_SETS)
def test_what_is_said_under_each_preset_can_be_typed(language, preset):
    """Every play mentioned under each published rule set can be typed, in both languages."""
    counted: Counter[str] = Counter()
    typed_back([each for each in scenes_of(preset, 120, 2) if lays(each)][:24:2], counted)
    assert sum(counted.values()) > 50
