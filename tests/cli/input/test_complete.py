"""Tab offers continuations of the text, and only legal moves."""

from dataclasses import replace

import pytest

from cli.choices.table import RULES, TABLE
from cli.input.resolution import resolve
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS
from cli.render.sheets import switch_lines
from cli.scene import LobbyScene, lays, legal, train_name
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS
from cli.wording.glossary import EXPLAINED
from cli.wording.rulebook import rulebook
from engine.rules.presets import PRESETS
from engine.table.trains import Seat
from netgame.protocol.peer.people.joiner import OwnPlace
from tests.cli.fakes import view_of
from tests.cli.scenes import scene_after, scenes_of, some_scenes, walk, written
from tests.engine.deals import spec_of

SETTINGS = TABLE.keys() - {RULES.key}
SCENES = some_scenes()[::4]


def accepted(line: str, scene) -> set[str]:
    """Return every line that accepting a completion of this line would give."""
    offers = complete(line, scene)
    return {line[: len(line) - offer.length] + offer.text for offer in offers}


UNFIT = ("sit", "watch", "without", "with", "allow", "block", "page", "code", "cover",
         "kick", "mute", "unmute")  # fmt: skip
"""Verbs that are of no use while nobody is away or asks for a seat and no double is owed."""


def lobby(own: OwnPlace = OwnPlace.SEAT) -> LobbyScene:
    """Return a lobby as seen by somebody with a seat or without one."""
    return LobbyScene(replace(view_of(scene_after(9, 4, 8)), table=None, own=own), b"Ana")


def test_a_seat_is_offered_only_to_who_has_none():
    """A watcher is offered `sit`, and during a game also `watch`; a player is offered neither."""
    assert "sit" in accepted("s", lobby(OwnPlace.WATCHING))
    assert "sit" not in accepted("s", lobby())
    scene = scene_after(9, 4, 8)
    assert {"sit", "watch"}.isdisjoint(accepted("", scene))
    looks_on = replace(scene, hand=None, can_move=False, sits=False)
    assert {"sit", "watch"} <= accepted("", looks_on)


def test_only_the_host_is_offered_to_start_and_only_who_is_away_to_be_voted_on():
    """Tab offers `start` to the host only, and `without` only for players who are away."""
    waits = lobby()
    host = replace(waits, view=replace(waits.view, is_host=True))
    assert "start" in accepted("st", host)
    assert "start" not in accepted("st", waits)
    scene = scene_after(9, 4, 8)
    assert accepted("without ", scene) == set()
    away = replace(scene, missed=(Seat(1),))
    assert "without" in accepted("with", away)
    assert accepted("without ", away) == {"without Ben"}
    assert accepted("s", None) == set()


def either_way():
    """Return a scene where both halves of a tile fit, each on one train, and the two plays."""
    for number in range(60):
        for scene in walk(spec_of(9, 3), bytes([number]), 60):
            for move in lays(scene):
                same = [other for other in lays(scene) if other.tile == move.tile]
                if len(same) == 2 and {each.joined for each in same} == set(move.tile):
                    return scene, same
    raise AssertionError("no seed gives such a scene")


def test_a_tile_that_fits_two_trains_is_asked_back_whichever_half_comes_first():
    """If a tile fits two trains, the player is asked which one, whichever half is typed first.

    Tab offers such a tile only once.
    """
    scene, both = either_way()
    for move in both:
        found = resolve(parse(f"{move.joined}-{move.tile.other_end(move.joined)}"), scene)
        assert {*found.options} == {*both}
    tile = both[0].tile
    ways = {f"{one}-{other}" for one, other in (tile, reversed(tile))}
    assert len(ways & accepted("", scene)) == 1


def test_of_the_only_tile_the_places_are_offered_and_nothing_else():
    """If only one tile can be laid, in several places, Tab offers just those places."""
    found = [
        scene
        for scene in scenes_of("standard", 40, 20)
        if len({move.tile for move in lays(scene)}) == 1
    ]
    for scene in found:
        offered = accepted("", scene)
        if "help" not in offered:
            assert {resolve(parse(line), scene) for line in offered} == set(lays(scene))
        assert ("help" in offered) == (len(lays(scene)) == 1)
        assert "help" in accepted("h", scene)
    assert any(len(lays(scene)) > 1 for scene in found)


def test_every_prefix_of_every_legal_line_leads_to_it():
    """For every prefix of a legal play as it is typed, Tab offers that play's tile or train."""
    for scene in SCENES:
        for verb in ["", "play ", "p ", "why "]:
            for move in lays(scene):
                tile = f"{move.tile.high}-{move.tile.low}"
                line = f"{verb}{tile} {train_name(scene, move.train)}"
                for at in range(len(verb) or 1, len(line) + 1):
                    prefix = line[:at]
                    word = line if at > len(verb) + len(tile) else verb + tile
                    assert word in accepted(prefix, scene), prefix


def test_every_offered_move_is_legal():
    """Every tile that Tab offers makes a legal move with each train that Tab then offers."""
    for scene in SCENES:
        for prefix in ("", "play ", "why "):
            for line in accepted(prefix, scene):
                if not line.removeprefix(prefix)[0].isdigit():
                    continue
                trains = {line} if " " in line.removeprefix(prefix) else accepted(f"{line} ", scene)
                assert trains
                for whole in trains:
                    assert resolve(parse(whole.removeprefix("why ")), scene) in legal(scene)


def test_every_prefix_of_a_command_offers_it_when_it_means_something():
    """Tab offers a verb after any prefix of it, but only while the verb is of use.

    A verb that makes moves is offered only if one of those moves is legal.
    """
    for command in VERBS:
        scene = scene_after(9, 4, 8)
        can = not command.makes or any(isinstance(move, command.makes) for move in legal(scene))
        for at in range(len(command.word) + 1):
            prefix = command.word[:at]
            in_time = command.where.is_now(playing=True) and can and command.word not in UNFIT
            assert (command.word in accepted(prefix, scene)) == in_time
            for hosts in (False, True):
                waits = lobby()
                waits = replace(waits, view=replace(waits.view, is_host=hosts))
                # this scene draws no page code, and nobody else is here to mute
                is_fit = command.word not in ("sit", "block", "page", "mute", "unmute")
                is_setting = hosts and at > 0 and command.word in SETTINGS
                in_lobby = command.where.is_now(playing=False, hosts=hosts) and is_fit
                in_lobby |= is_setting  # such as draw, which a host may choose before the game
                assert (command.word in accepted(prefix, waits)) == in_lobby
            assert accepted(prefix, None) == set()


def test_either_half_may_come_first():
    """Tab completes a tile with either half first, and keeps the sign between the halves."""
    scene = scene_after(12, 4, 16)
    for move in lays(scene):
        low, high = move.tile.low, move.tile.high
        assert f"{low}-{high}" in accepted(f"{low}-", scene)
        assert f"{high}|{low}" in accepted(f"{high}|", scene)
        assert f"{low} {high} {train_name(scene, move.train)}" in accepted(f"{low} {high} ", scene)


def test_nothing_to_lay_offers_no_tile():
    """Out of turn, or in a lobby, Tab offers no tile."""
    scene = replace(scene_after(9, 4, 8), can_move=False)
    assert all(not line[0].isdigit() for line in accepted("", scene))
    assert accepted("play ", scene) == set()
    assert accepted("play ", lobby()) == set()


def test_arguments_of_the_other_commands_are_offered():
    """Tab completes the arguments of `board`, `help`, `rules` and `hand`, but not of `say`."""
    scene = scene_after(9, 4, 8)
    assert "board Ben" in accepted("board b", scene)
    assert "help play" in accepted("help p", scene)
    assert "rules blanks" in accepted("rules bl", scene)
    assert "hand sort" in accepted("hand ", scene)
    assert accepted("say hel", scene) == set()
    assert accepted("frobnicate x", scene) == set()
    assert accepted("board ben x", scene) == set()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("change au", {"change audit"}),
        ("change wal", {"change walnut"}),
        ("change audit ", {"change audit hands", "change audit keys"}),
        ("change walnut set 1", {f"change walnut set {pips}" for pips in (12, 15, 18)}),
        ("change blanks=2", {"change blanks=25-50"}),
        ("change set 9 pat", {"change set 9 patience"}),
        ("bots ea", {"bots easy"}),
        ("bots hard,ex", {"bots hard,expert"}),
    ],
)
def test_what_a_host_may_choose_is_offered_to_the_host_alone(typed, offered):
    """Tab completes the words after `change` and `bots`, but only for the host of a lobby."""
    waits = lobby()
    assert accepted(typed, replace(waits, view=replace(waits.view, is_host=True))) == offered
    assert accepted(typed, waits) == set()
    assert accepted(typed, scene_after(9, 4, 8)) == set()


def test_every_choice_of_a_table_can_be_explained():
    """After `rules` Tab offers every choice, rule set and section, and each choice is explained."""
    offers = accepted("rules ", scene_after(9, 4, 8))
    assert offers == {f"rules {name}" for name in (*TABLE, *PRESETS, *rulebook())}
    for name, choice in TABLE.items():
        text = " ".join(written(switch_lines(name, None, Canvas(80, 24, ASCII_GLYPHS))).split())
        assert choice.about in text
        assert all(word in text for word in choice.kind.sentences)


def test_help_offers_the_words_and_signs_that_it_explains():
    """`help` completes terms as well as verbs, and a term of several words word by word."""
    scene = scene_after(9, 4, 8)
    assert "help marker" in accepted("help ma", scene)
    assert {"help mexican", "help >", "help hand"} <= accepted("help ", scene)
    assert accepted("help mexican t", scene) == {"help mexican train"}
    for term in EXPLAINED:
        first, *more = term.called.split()
        said = {f"help {first}"} if not more else accepted(f"help {first} ", scene)
        assert said & accepted("help ", scene) if not more else said, term.called


def test_why_offers_the_sections_of_the_rules():
    """After `why`, Tab offers the sections of the rules, even out of turn."""
    scene = replace(scene_after(9, 4, 8), can_move=False)
    assert accepted("why §2.", scene) == {f"why §2.{number}" for number in range(1, 9)}
    assert accepted("why §2.2 ", scene) == set()
    assert "why §7.12" in accepted("why ", scene)


def test_tab_goes_on_from_what_people_write_around_tiles_and_commands():
    """Slashes, brackets, commas and `on` do not keep Tab from completing the last word."""
    scene, both = either_way()
    tile = f"{both[0].tile.high}-{both[0].tile.low}"
    plain = accepted(f"{tile} ", scene)
    assert plain
    places = {line.removeprefix(f"{tile} ") for line in plain}
    for before in (f"({tile.replace('-', ',')}) ", f"{tile}, ", f"{tile.replace('-', '–')} "):
        assert {line.removeprefix(before) for line in accepted(before, scene)} == places
    on = {line.removeprefix(f"{tile} on ") for line in accepted(f"{tile} on ", scene)}
    assert on <= places
    assert {train_name(scene, move.train) for move in both} <= on
    assert "/help" in accepted("/he", scene)
    assert "/help hub" in accepted("/help hu", scene)
