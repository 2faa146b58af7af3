"""Past games: how they are listed and named, and which one `resume` means."""

import json
import re
import shutil

import pytest

from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import kept_games
from netgame.io.tables.notes import note
from tests.cli.running import (
    boneyard,
    boneyard_here,
    complaint,
    data_of,
    printed,
    small_game,
    spoken,
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A data folder with one finished game and two that wait for the player."""
    data = tmp_path_factory.mktemp("past")
    small_game(data, "--bots", "2", "--auto")
    for _ in range(2):
        small_game(data, "--bots", "2", text="quit\n")
    return data


def test_every_game_is_a_line_with_its_number(played):
    """Date, rules, company and result, also as data."""
    first, *others = printed("games", data=played).splitlines()
    assert first.startswith("   1  20")
    assert "standard double-6, 1 round, with " in first
    assert first.endswith(" won")
    assert [line.split()[0] for line in others] == ["2", "3"]
    assert all("unfinished" in line for line in others)
    facts = [json.loads(line) for line in printed("games", "--json", data=played).splitlines()]
    assert [each["number"] for each in facts] == [1, 2, 3]
    assert [each["resume"] for each in facts] == [False, True, True]
    assert len(facts[0]["scores"][0]) == 3
    assert facts[0]["players"][facts[0]["seat"]]["name"] == "Ann"


def test_what_was_told_once_is_read_again(played):
    """The second time from the file beside the record, which may be damaged."""
    before = printed("games", data=played)
    for path in played.glob("tables/*/summary.json"):
        path.write_text("{")
    assert printed("games", data=played) == before


def test_a_damaged_record_is_a_line(played, tmp_path):
    """Whatever is wrong with one game, the others are listed."""
    lost = played / "tables" / ("ab" * 16)
    lost.mkdir()
    (lost / "record").write_bytes(b"nothing")
    try:
        told = printed("games", data=played)
        assert len(told.splitlines()) == 4
        assert "damaged: " in told
    finally:
        for path in lost.iterdir():
            path.unlink()
        lost.rmdir()


def test_records_are_named_by_number_and_several_at_once(played):
    """A number, `last`, or a path; what is not there is said and the others are checked."""
    told = printed("verify", "1", "last", data=played)
    assert told.count("A good record") == 2
    assert "waits for" in told
    assert "won after" in printed("replay", "1", data=played)
    assert "boneyard games" in complaint("verify", "99", data=played, code=3)
    mixed = boneyard_here("verify", "1", played / "none", data=played)
    assert mixed.returncode == 1
    assert "A good record" in mixed.stdout
    assert "Cannot read" in mixed.stdout


@pytest.mark.parametrize(
    ("ended", "said", "listed", "added_up"),
    [
        ("left", "you left this game for good in round 1", "you left for good", "left 1 game"),
        ("over", "a game that was stopped in round 1", "stopped", ""),
        ("demonstration", "a game from a seed", "seeded, not finished", ""),
    ],
)
def test_a_game_that_has_ended_for_you_waits_for_nobody(
    played, tmp_path, ended, said, listed, added_up
):
    """Its record ends there, whatever the others play; programs are told of the file alone."""
    data = shutil.copytree(played, tmp_path / "data")
    sums = printed("stats", data=data)
    assert "left" not in sums
    note(next(each.path for each in kept_games(DataFolder(data)) if each.number == 2), ended=ended)
    told = printed("verify", "2", data=data)
    assert told.startswith(f"A good record: {said}")
    assert "waits" not in told
    assert "Checked: " in told
    assert printed("games", data=data).splitlines()[1].endswith(f": {listed}")
    more = printed("stats", data=data).removeprefix(sums)
    assert (added_up in more, bool(more)) == (True, bool(added_up))
    assert "waits for" in data_of("verify", "2", data=data)["sentence"]


def test_of_several_games_resume_asks_which(played):
    """Without a terminal it says what to type; a number means that game."""
    asked = boneyard("resume", "--plain", data=played)
    assert asked.returncode == 2
    assert "2 games wait for you" in asked.stderr
    assert "boneyard resume 3" in asked.stderr
    assert "standard double-6, 0 of " in asked.stderr
    assert "with Ann" not in asked.stderr
    back = spoken("resume", "2", "--plain", data=played, text="quit\n")
    assert "You are back at the table" in back


def test_a_game_that_is_not_there_is_not_resumed(played):
    """Least of all another one, whose folder's name begins so."""
    folder = next((played / "tables").iterdir())
    for wanted in ("9", "x", folder.name[:7]):
        said = complaint("resume", wanted, "--plain", data=played, code=3)
        assert f"There is no game {wanted}." in said


@pytest.mark.campaign
@pytest.mark.parametrize("since", ["", "Bea"])
def test_whoever_comes_back_keeps_the_name_for_another_game(since, tmp_path):
    """But for one that was set since, as at the menu."""
    small_game(tmp_path, "--name", "Zoe", text="quit\n")
    typed = "again\n" + "1\n" * 100
    played = boneyard("resume", "--plain", data=tmp_path, text=typed, BONEYARD_NAME=since)
    first, another, second = played.stdout.partition("Practice game: ")
    assert another
    for game, name in ((first, "Zoe"), (second, since or "Zoe")):
        assert set(re.findall(r"1, \d-\d on (\w+)", game)) <= {name, "Ada", "Mexican"}
    assert f"on {since or 'Zoe'}" in second


def test_without_a_game_it_is_said(tmp_path):
    """And nothing is made where nothing was."""
    data = tmp_path / "none"
    assert "no games yet" in printed("games", data=data)
    assert printed("games", "--json", data=data) == ""
    assert boneyard_here("replay", "last", data=data).returncode == 3
    assert not data.exists()
