"""Statistics over games, and the score sheet of one game."""

import json
import sys
from random import Random
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from cli.commands.standings import _lines as standings_lines
from cli.commands.stats import stats_lines
from cli.history.sheet import csv_sheet, drawn_sheet, sheet_facts, svg_sheet
from cli.render.cells import Canvas
from cli.render.palette import ASCII_GLYPHS, plain_text
from cli.results.standings import standings_of
from cli.results.stats import stats_of
from cli.results.summary import Player, Summary
from tests.cli.running import complaint, data_of, printed


def game(scores, winners, *, switches=(), finished=True, names=("Ann", "=Ben", "Ada")):
    """Return the summary of a game between two people and a bot, seated in the order of `names`."""
    players = tuple(
        Player(name, key * 64, bot)
        for name, key, bot in zip(names, "abc", (False, False, True), strict=True)
    )
    longest = tuple((7, 1, 1) for _ in scores)
    hubs = tuple(range(9, 9 - len(scores), -1))
    return Summary(
        version=2,
        octets=0,
        preset="standard",
        switches=switches,
        pip_max=9,
        rounds=3,
        players=players,
        host="a" * 64,
        scores=tuple(scores),
        longest=longest,
        hubs=hubs,
        winners=tuple(winners),
        finished=finished,
    )


def test_a_name_is_no_formula_in_a_spreadsheet():
    """CSV puts an apostrophe before a name that looks like a formula, and SVG escapes names."""
    told = game([(0, 9, 12), (20, 5, 9)], (1,), names=("A<b>&", "=Ben", "Ada"))
    assert csv_sheet(told).splitlines() == [
        '"round","engine","A<b>&","\'=Ben","Ada"', '"1","9-9","0","9","12"',
        '"2","8-8","20","5","9"', '"total","","20","14","21"',
    ]  # fmt: skip
    plot = ElementTree.fromstring(svg_sheet(told))
    assert plot.tag.endswith("svg")
    assert not [each for each in plot.iter() if each.tag.endswith("script") and each.get("href")]


def test_a_round_is_won_by_whom_its_card_names():
    """A round is won by the winners that the game's summary lists, whatever the points are.

    A round for which a seat was absent does not count for that seat.
    """
    told = game([(0, 0, 9), (0, 5, 5), (0, 7, 0)], (0,))
    told = replace(told, won=((1,), (1, 2), (2,)), absent=(0, 0b1, 0b1))
    ann, ben, _ = (stats_of([(told, seat)]).total for seat in range(3))
    assert (ann.rounds, ann.rounds_won) == (1, 0)
    assert (ben.rounds, ben.rounds_won, ben.average) == (3, 2, 4.0)


def test_a_sum_that_is_too_wide_goes_on_beside_its_head():
    """A line of statistics that is too wide for the window continues in an indented line."""
    lines = stats_lines(stats_of([(game([(0, 9, 12)], (0,)), 0)]), 24)
    told = [*map(plain_text, lines)][:2]
    assert told == ["Games   1 finished, 1", "        won (100%)"]


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_a_full_width_sign_begins_no_formula_either(sign):
    """A full-width sign is escaped like a plain one; quotes keep a name with a semicolon whole."""
    told = game([(0, 9, 12)], (1,), names=(f"{sign}1;={sign}2", "Ben", "Ada"))
    assert f'"\'{sign}1;={sign}2"' in csv_sheet(told)


def any_game(chance):
    """Return a random game of at most two rounds, some facts of which may be missing."""
    scores = [tuple(chance.randrange(40) for _ in range(3)) for _ in range(chance.randrange(3))]
    told = game(scores, chance.choice([(), (0,), (0, 2)]), finished=chance.random() < 0.7)
    absent = tuple(chance.randrange(8) for _ in scores)
    won = tuple(chance.choice([(), (1,), (0, 2)]) for _ in scores)
    return replace(
        told,
        absent=chance.choice([(), absent]),
        won=chance.choice([(), won]),
        longest=chance.choice([(), told.longest]),
        places=chance.choice([(), (1, None, 2)]),
    )


@pytest.mark.parametrize("columns", [30, 80])
def test_what_nobody_knows_is_left_out_or_a_dash(columns):
    """No cell of any table says `None`, even if no round was scored or played."""
    chance = Random(41)
    for _ in range(300):
        games = [any_game(chance) for _ in range(chance.randrange(3))]
        finished = [told for told in games if told.finished]
        seat = chance.randrange(3)
        lines = [*stats_lines(stats_of([(told, seat) for told in games]), columns)]
        lines += standings_lines(standings_of(finished), finished, columns)
        for told in games:
            lines += map(plain_text, drawn_sheet(told, Canvas(columns, 24, ASCII_GLYPHS)))
            lines += csv_sheet(told).splitlines()
        assert [line for line in lines if "None" in line] == []


def test_the_commands_print_what_was_played(played, tmp_path):
    """Statistics and sheets come as text and as data.

    `--out` writes to the file that it names, or to the target if that is a symbolic link.
    """
    assert "Games   1 finished" in printed("stats", data=played)
    facts = data_of("stats", data=played)
    assert (facts["total"]["games"], facts["total"]["rounds"]) == (1, 2)
    sheet = printed("sheet", "1", data=played)
    assert "Total" in sheet
    assert sheet.rstrip().endswith("won")
    path = tmp_path / "plot.svg"
    printed("sheet", "last", "--svg", "--out", path, data=played)
    assert path.read_text(encoding="utf-8").startswith("<?xml")
    wrong = ("sheet", "1", "--csv", "--out", tmp_path / "no" / "x")
    assert "Cannot write" in complaint(*wrong, code=1, data=played)
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    printed("sheet", "1", "--csv", "--out", link, data=played)
    assert link.is_symlink(), "what stands there is written into, not replaced"


def test_an_install_without_the_extra_says_how_to_get_a_plot(played, monkeypatch):
    """Without pygal, `sheet --svg` says how to install it, and in a clone how to run with it."""
    monkeypatch.setitem(sys.modules, "pygal", None)
    told = complaint("sheet", "last", "--svg", code=1, data=played)
    assert 'pipx install --force "boneyard-dominoes[svg]"' in told
    told = complaint("sheet", "last", "--svg", code=1, data=played, UV_RUN_RECURSION_DEPTH="1")
    assert "Type: uv run --extra svg boneyard sheet" in told


def test_a_sheet_is_data_for_programs_too(played, tmp_path):
    """`sheet --json` agrees with `games --json`, and a round that a player missed is null."""
    facts = data_of("sheet", "1", data=played)
    (listed,) = [json.loads(line) for line in printed("games", "--json", data=played).splitlines()]
    assert all(facts[key] == listed[key] for key in facts.keys() & listed.keys())
    assert facts["totals"] == [sum(column) for column in zip(*facts["scores"], strict=True)]
    assert facts["engines"] == [6, 5]
    path = tmp_path / "sheet.json"
    assert printed("sheet", "1", "--json", "--out", path, data=played) == ""
    assert json.loads(path.read_text(encoding="utf-8")) == facts
    late = replace(game([(4, 0, 9), (1, 2, 3)], (0,)), absent=(0b10, 0))
    told = sheet_facts(late)
    assert (told["start"], told["scores"]) == ([0, 0, 0], [[4, None, 9], [1, 2, 3]])


def test_a_game_from_a_seed_counts_nowhere(tmp_path):
    """A seeded game is listed but not counted, and `standings` says why if that game is named."""
    rules = ("--set", "6", "--rounds", "1", "--bots", "1", "--seed", "5")
    printed("play", *rules, "--auto", "--plain", data=tmp_path)
    (listed,) = printed("games", data=tmp_path).splitlines()
    assert "with Ada" in listed
    facts = data_of("stats", data=tmp_path)
    assert (facts["total"]["games"], facts["total"]["rounds"]) == (0, 0)
    facts = data_of("standings", data=tmp_path)
    assert (facts["games"], facts["left_out"]) == (0, [])
    facts = data_of("standings", "1", data=tmp_path)
    assert facts["games"] == 0
    assert facts["left_out"] == [
        {"file": "1", "why": "Game 1 was dealt from a seed, and does not count."}
    ]


def test_without_a_round_it_is_said(tmp_path):
    """Without a scored round `stats` prints a sentence, not a table."""
    assert "No round of yours" in printed("stats", data=tmp_path)
