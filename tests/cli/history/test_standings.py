"""Standings: a ranking of players over the games of many tables."""

import shutil

import pytest
from msgspec.structs import replace

from cli.commands.standings import _lines
from cli.kept import summary_of_record
from cli.render.palette import plain_text
from cli.results.standings import each_once, standings_of
from cli.results.summary import Player
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.toys import toys
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import Injector
from netgame.protocol.log.entry import whole_frames
from tests.cli.history.test_stats import game
from tests.cli.running import boneyard_here, data_of, printed

PEOPLE = tuple(Player(name, key * 64, key == "d") for name, key in zip("ABCD", "abcd", strict=True))


def four(*scores, winners, places, number="1"):
    """Return the summary of a finished game of three people and a bot, with these results."""
    told = game([(0, 0, 0)], winners)
    return replace(told, players=PEOPLE, scores=scores, places=places, game=number)


@pytest.mark.parametrize(
    ("games", "rows"),
    [
        (  # A won one of two; B and C won none, but B's average place is better than C's
            [
                four((0, 5, 5, 9), winners=(0,), places=(1, 2, 2, 4)),
                four((50, 4, 9, 1), winners=(3,), places=(4, 2, 3, 1), number="2"),
            ],
            [(1, "A", 2.5), (2, "B", 2.0), (3, "C", 2.5)],
        ),
        (
            [four((3, 3, 8, 9), winners=(0, 1), places=(1, 1, 3, 4))],
            [(1, "A", 1.0), (1, "B", 1.0), (3, "C", 3.0)],
        ),
        (
            [four((0, 5, 5, 9), winners=(1, 2), places=(None, 1, 1, 3))],
            [(1, "B", 1.0), (1, "C", 1.0), (3, "A", 4.0)],
        ),
    ],
    ids=["won", "equal", "left"],
)
def test_who_comes_first_in_the_standings(games, rows):
    """Players are ranked by games won, then by average place, and equal players share a place.

    A seat that left its game counts as last in it.
    """
    assert [(row.place, row.name, row.mean_place) for row in standings_of(games)] == rows


def test_people_of_one_name_are_told_apart():
    """If two names are the same but for their case, part of the key is printed after each."""
    alike = replace(
        four((0, 5, 5, 9), winners=(0,), places=(1, 2, 2, 4)),
        players=(*PEOPLE[:1], replace(PEOPLE[1], name="a"), *PEOPLE[2:]),
    )
    lines = [*map(plain_text, _lines(standings_of([alike]), [alike], 60))]
    assert [line.split()[1] for line in lines[1:4]] == ["A", "a", "C"]
    assert all(len(line.split()[2]) == 8 for line in lines[1:3])
    assert all(len(line) <= 60 for line in lines)


@pytest.fixture
def records(played, tmp_path):
    """Return a folder with a good record, its copy, an unfinished game and a bad file."""
    good = next(played.glob("**/record"))
    shutil.copy(good, tmp_path / "good")
    shutil.copy(good, tmp_path / "again")
    octets = good.read_bytes()
    (tmp_path / "cut").write_bytes(whole_frames(octets[: len(octets) * 2 // 3]))
    (tmp_path / "none").write_bytes(b"no record")
    return tmp_path


def test_records_are_checked_before_they_count(records, played):
    """`standings` names a bad record and fails, but counts each of the good games once."""
    names = [records / name for name in ("good", "again", "none")]
    told = boneyard_here("standings", *names, data=played)
    assert told.returncode == 5
    assert "1 game counted." in told.stdout
    assert "none is not a good record" in told.stdout
    facts = data_of("standings", records / "good", data=played)
    assert (facts["games"], len(facts["standings"]), facts["left_out"]) == (1, 1, [])


def test_without_a_file_all_of_yours_are_added_up(played, tmp_path):
    """Without a file, `standings` adds up the player's own games, or says that there are none."""
    said = "1 game counted. Ranked by wins, then by average place."
    assert said in printed("standings", data=played)
    told = boneyard_here("standings", data=tmp_path)
    assert (told.returncode, "No finished game" in told.stdout) == (0, True)


def test_a_game_that_is_not_over_is_named(records, played):
    """An unfinished game is reported, but does not count as a bad record."""
    told = boneyard_here("standings", records / "cut", data=played)
    assert told.returncode == 0
    assert "ends before its game" in told.stdout.replace("\n", " ")


def test_a_game_counts_once_though_some_ended_it_without_one_who_was_done(tmp_path):
    """Records of one game that differ after a cut in its last step count as one game.

    The same one of them is counted, in whatever order they are given.
    """
    options = "draws=shown", "audit=keys", "leaver=redeal", "patience=minute"
    weather, faults = Weather(1896, restless=True), Injector(1896, faults=True)
    files = [tmp_path / str(number) for number in range(3)]
    with toys():
        world = World(1896, small(3, 3, *options, "latecomers=watch"), weather, faults)
        world.run_game(7_200.0)
        records = [process.records.left_behind() for process in world.processes]
        for file, record in zip(files, records, strict=True):
            file.write_bytes(record)
        facts = data_of("standings", *files, data=tmp_path / "none")
        games = list(map(summary_of_record, records))
    assert records[0] not in records[1:], "another seed shows it"
    assert each_once(games) == each_once(reversed(games)) == [games[1]]
    assert (facts["games"], facts["left_out"]) == (1, [])
    assert {row["games"] for row in facts["standings"]} == {1}
    places = sorted(row["place"] for row in facts["standings"])
    assert places == sorted(games[1].places)
