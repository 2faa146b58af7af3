"""Past games: how they are listed, how commands name them, and which one `resume` takes."""

import json
import re
import shlex
import shutil
import sys

import pexpect
import pytest
from msgspec.structs import replace

from netgame.io.disk.identity import load_or_create
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.tables.kept import kept_games, offered_games, waits_at
from netgame.io.tables.notes import NOTES_FILE, note
from netgame.io.tables.options import ReachedBy
from tests.cli.joining.ads import ANN
from tests.cli.pseudoterminals import WAIT_S, Forked
from tests.cli.running import (
    boneyard,
    boneyard_here,
    complaint,
    data_of,
    environment,
    printed,
    run,
    small_game,
    spoken,
)

DAY_S = 86_400.0


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return a data folder with one finished game and two that can be resumed."""
    data = tmp_path_factory.mktemp("past")
    small_game(data, "--bots", "2", "--auto")
    for _ in range(2):
        small_game(data, "--bots", "2", text="quit\n")
    return data


def test_every_game_is_a_line_with_its_number(played):
    """A game's line shows its number, date, rules, players and result.

    `--json` gives the same facts as data.
    """
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
    """`games` prints the same list again after the summaries have been damaged."""
    before = printed("games", data=played)
    for path in played.glob("tables/*/summary.json"):
        path.write_text("{")
    assert printed("games", data=played) == before


def test_a_damaged_record_is_a_line(played, tmp_path):
    """A damaged record gets a line of its own, and the other games are still listed."""
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
    """Records can be named by number, by `last` or by path, and several at once.

    If one of them is missing, the others are still verified.
    """
    told = printed("verify", "1", "last", data=played)
    assert told.count("A good record") == 2
    assert "waits for" in told
    assert "won after" in printed("replay", "1", data=played)
    assert "boneyard games" in complaint("verify", "99", data=played, code=3)
    mixed = boneyard_here("verify", "1", played / "none", data=played)
    assert mixed.returncode == 3
    assert "A good record" in mixed.stdout
    assert "Cannot read" in mixed.stdout


@pytest.mark.parametrize(
    ("ended", "said", "listed", "added_up"),
    [
        ("left", "you left this game for good in round 1", "you left for good", "left 1 game"),
        ("over", "a game that was stopped in round 1", "stopped", ""),
        (
            "demonstration",
            "a game from a seed",
            "from a seed, not finished, so it is not resumed",
            "",
        ),
    ],
)
def test_a_game_that_has_ended_for_you_waits_for_nobody(
    played, tmp_path, ended, said, listed, added_up
):
    """A game that its player has left, that was stopped or that is seeded waits for nobody.

    `verify --json` judges the record alone, so its sentence still says whom the game waits for.
    """
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


@pytest.fixture
def with_others(played, tmp_path):
    """Return a copy of the data folder whose games are noted as played over the network."""
    data = shutil.copytree(played, tmp_path / "with-others")
    for game in kept_games(DataFolder(data)):
        note(game.path, reach=ReachedBy.NETWORK)
    return data


def test_of_several_games_resume_asks_which(with_others):
    """Without a terminal `resume` lists the commands to type; a number picks the game."""
    played = with_others
    asked = boneyard("resume", "--plain", data=played)
    assert asked.returncode == 2
    assert "2 games wait for you" in asked.stderr
    assert "boneyard resume 3" in asked.stderr
    assert "standard double-6, 0 of " in asked.stderr
    assert "with Ann" not in asked.stderr
    back = spoken("resume", "2", "--plain", data=played, text="quit\n")
    assert "You are back at the table" in back


def test_a_game_waits_at_its_own_table_and_where_its_host_answered_last(with_others):
    """An unfinished game waits at its own table, and at the last known address of its host.

    It does not wait at the address of another known peer, and a finished game waits nowhere.
    """
    data = DataFolder(with_others)
    waiting = next(game for game in kept_games(data) if game.waits)
    over = next(game for game in kept_games(data) if not game.waits)
    for game, waits in ((waiting, True), (over, False)):
        table_id = game.path.name + "0" * (128 - len(game.path.name))
        assert waits_at(data, replace(ANN, table_id=table_id)) is waits
    host = load_or_create(data.path).public
    KnownPeers(data.path).meet("Ann", "10.0.0.1:4747", host)
    KnownPeers(data.path).meet("Bo", "10.0.0.2:4747", b"another")
    assert waits_at(data, "10.0.0.1:4747")
    assert not waits_at(data, "10.0.0.2:4747")


def test_a_game_that_is_not_there_is_not_resumed(played):
    """Neither an unknown number nor the start of a folder's name resumes a game."""
    folder = next((played / "tables").iterdir())
    for wanted in ("9", "x", folder.name[:7]):
        said = complaint("resume", wanted, "--plain", data=played, code=3)
        assert f"There is no game {wanted}." in said


@pytest.mark.campaign
@pytest.mark.parametrize("since", ["", "Bea"])
def test_whoever_comes_back_keeps_the_name_for_another_game(since, tmp_path):
    """`resume` plays under the old name, and so does the next game unless another name is set."""
    small_game(tmp_path, "--name", "Zoe", text="quit\n")
    typed = "again\n" + "1\n" * 100
    played = boneyard("resume", "--plain", data=tmp_path, text=typed, BONEYARD_NAME=since)
    first, another, second = played.stdout.partition("Practice game: ")
    assert another
    for game, name in ((first, "Zoe"), (second, since or "Zoe")):
        assert set(re.findall(r"1, \d-\d on (\w+)", game)) <= {name, "Ada", "Mexican"}
    listed = map(json.loads, printed("games", "--json", data=tmp_path).splitlines())
    names = [{player["name"] for player in game["players"]} for game in listed]
    assert names == [{"Ada", "Zoe"}, {"Ada", since or "Zoe"}]


def test_without_a_game_it_is_said(tmp_path):
    """Without any game `games` says so, `replay` fails, and neither creates the data folder."""
    data = tmp_path / "none"
    assert "no games yet" in printed("games", data=data)
    assert printed("games", "--json", data=data) == ""
    assert boneyard_here("replay", "last", data=data).returncode == 3
    assert not data.exists()


def game_of(data, number):
    """Return the kept game with this number."""
    return next(each for each in kept_games(DataFolder(data)) if each.number == number)


def numbers(data):
    """Return the numbers of the games that `boneyard games` lists."""
    return [int(line.split()[0]) for line in printed("games", data=data).splitlines()]


def test_of_games_for_practice_the_latest_is_offered_for_a_week(played):
    """Only the latest practice game is offered, and only for a week; older ones still wait."""
    games = kept_games(DataFolder(played))
    latest = game_of(played, 3).since
    assert [game.number for game in games if game.waits] == [3, 2]
    assert [game.number for game in offered_games(games, latest)] == [3]
    assert [game.number for game in offered_games(games, latest + 8 * DAY_S)] == []


def test_games_with_others_are_offered_however_many_and_old(with_others):
    """Games with others are offered at any age, but a practice game beside them only for a week."""
    games = kept_games(DataFolder(with_others))
    now = game_of(with_others, 3).since
    later = now + 100 * DAY_S
    assert [game.number for game in offered_games(games, later)] == [3, 2]
    note(game_of(with_others, 3).path, reach=ReachedBy.COMPUTER)
    games = kept_games(DataFolder(with_others))
    assert [game.number for game in offered_games(games, now)] == [3, 2]
    assert [game.number for game in offered_games(games, later)] == [2]


def test_resume_takes_the_latest_of_several_games_for_practice(played, tmp_path):
    """With practice games only, `resume` takes the latest without asking."""
    data = shutil.copytree(played, tmp_path / "data")
    back = spoken("resume", "--plain", data=data, text="quit\n")
    assert "You are back at the table" in back


def test_a_game_is_copied_for_a_friend(played, tmp_path):
    """`games --copy` copies a game's record, which anybody can verify, and overwrites no file."""
    data, copy = shutil.copytree(played, tmp_path / "data"), tmp_path / "for you.record"
    told = printed("games", "--copy", "1", copy, data=data)
    assert told == f"Game 1 is copied to {copy}. Anybody can check it: boneyard verify '{copy}'\n"
    assert copy.read_bytes() == (game_of(data, 1).path / "record").read_bytes()
    assert printed("verify", copy, data=tmp_path / "friend").startswith("A good record")
    again = complaint("games", "--copy", "last", copy, data=data)
    assert again == f"{copy} exists already. Name another file.\n"
    assert "There is no game 9." in complaint("games", "--copy", "9", "x", data=data, code=3)
    lost = complaint("games", "--copy", "1", tmp_path / "no" / "x", data=data, code=1)
    assert lost.startswith("Cannot write ")
    assert data_of("games", "--copy", "1", tmp_path / "y", data=data)["number"] == 1


def test_a_game_is_forgotten_but_for_its_number(played, tmp_path):
    """`--forget` deletes a game but keeps its number, so that no later game gets it.

    A script needs `--force` as well.
    """
    data = shutil.copytree(played, tmp_path / "data")
    folder = game_of(data, 3).path
    refused = complaint("games", "--forget", "3", data=data)
    assert refused.endswith("To delete without a question, add --force.\n")
    assert numbers(data) == [1, 2, 3]
    assert printed("games", "--forget", "3", "--force", data=data) == "1 game is deleted.\n"
    assert [path.name for path in folder.iterdir()] == [NOTES_FILE]
    assert "Ada" not in (folder / NOTES_FILE).read_text()
    assert numbers(data) == [1, 2]
    small_game(data, "--auto")
    assert numbers(data) == [1, 2, 4]
    assert "There is no game 3." in complaint("games", "--forget", "3", data=data, code=3)


def test_all_games_for_practice_are_forgotten_by_one_word(played, tmp_path):
    """`--forget practice` deletes all unfinished practice games, even seeded ones.

    A finished practice game stays.
    """
    data = shutil.copytree(played, tmp_path / "data")
    small_game(data, "--seed", "7", text="quit\nquit\n")
    told = printed("games", "--forget", "practice", "--json", "--force", data=data)
    assert [json.loads(line) for line in told.splitlines()] == [
        {"number": 4, "forgotten": True},
        {"number": 3, "forgotten": True},
        {"number": 2, "forgotten": True},
    ]
    assert numbers(data) == [1]
    assert printed("games", "--forget", "practice", data=data) == "0 games are deleted.\n"


def test_a_game_for_which_others_wait_is_not_forgotten(with_others):
    """A game that others may wait for cannot be deleted until its player has left it.

    Without the secrets in its folder nobody could play that seat.
    """
    told = complaint("games", "--forget", "1", "2", data=with_others, code=1)
    assert told == (
        "The others of game 2 may wait for you. Leave it first: boneyard resume 2, then leave.\n"
    )
    assert numbers(with_others) == [1, 2, 3]
    note(game_of(with_others, 2).path, ended="left")
    assert (
        printed("games", "--forget", "1", "2", "--force", data=with_others)
        == "2 games are deleted.\n"
    )


def test_a_game_at_which_somebody_sits_is_not_forgotten(played, tmp_path):
    """A game that another window has open is not deleted, not even with `--force`."""
    data = shutil.copytree(played, tmp_path / "data")
    folder = game_of(data, 2).path
    table = TableFolder(folder)
    try:
        told = complaint("games", "--forget", "2", "--force", data=data, code=1)
    finally:
        table.close()
    assert "is open in another window" in told
    assert (folder / "secret").exists()


def test_a_record_goes_to_whatever_reads_standard_output(played):
    """`games --copy 1 -` writes the bare record to standard output, unless that is a terminal.

    It refuses `--json`.
    """
    words = shlex.join([sys.executable, "-m", "cli"])
    piped = run(
        "sh", "-c", f"{words} games --copy 1 - | {words} verify -", BONEYARD_DATA=str(played)
    )
    assert piped.stdout.startswith("A good record"), piped.stderr
    assert "Leave out --json" in complaint("games", "--copy", "1", "-", "--json", data=played)
    place = environment(TERM="xterm", BONEYARD_DATA=str(played))
    process = Forked(("games", "--copy", "1", "-"), place, 24, 80)
    process.expect("no text for a terminal")
    process.expect(pexpect.EOF)
    assert process.program.wait(WAIT_S) == 2


@pytest.mark.parametrize(
    ("typed", "left", "said"),
    [("y\r", [1, 2], "1 game is deleted."), ("\r", [1, 2, 3], "Nothing is deleted.")],
)
def test_a_person_is_asked_before_a_game_is_deleted(typed, left, said, played, tmp_path):
    """The question before a deletion shows the game, and only a yes deletes it."""
    data = shutil.copytree(played, tmp_path / "data")
    place = environment(TERM="xterm", BONEYARD_DATA=str(data))
    process = Forked(("games", "--forget", "3"), place, 24, 80)
    process.expect("   3  20[^?]*Delete this game for good")
    process.send(typed)
    process.expect(said)
    process.expect(pexpect.EOF)
    assert process.program.wait(WAIT_S) == 0
    assert numbers(data) == left
