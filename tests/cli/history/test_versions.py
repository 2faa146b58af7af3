"""Games of another protocol version: a sentence explains each, and other files stay usable."""

import json
import os
import shutil
from pathlib import Path

import pytest

from cli.kept import summary_of
from netgame.io.disk.identity import load_or_create
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import kept_games
from netgame.io.tables.notes import note
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.record import NOT_OUR_VERSION
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.wire.codec import encode
from netgame.wire.messages import RecordHeader
from tests.cli.running import boneyard_here, data_of, printed, small_game

SAID = NOT_OUR_VERSION.format(version=2, ours=PROTOCOL_VERSION)
SENTENCE = f"{SAID[0].upper()}{SAID[1:]}."
HEADER = frame_payload(encode(RecordHeader(2)))


def made_older(folder):
    """Give a table's record a header of version 2, followed by frames that nobody can read."""
    record = folder / "record"
    since = record.stat().st_mtime
    frames = read_frames(record.read_bytes())[0]
    record.write_bytes(HEADER + b"".join(frame_payload(each[::-1]) for each in frames[1:]))
    os.utime(record, (since, since))


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """Return a data folder with two games whose records have a header of version 2.

    One is finished and has a summary, and the other is unfinished.
    """
    data = tmp_path_factory.mktemp("old")
    small_game(data, "--auto")
    (first,) = kept_games(DataFolder(data))
    assert summary_of(first.path).finished
    small_game(data, text="quit\n")
    KnownPeers(data).meet("Ben", "192.0.2.1:4747", bytes(range(32)))
    for game in kept_games(DataFolder(data)):
        octets = len((game.path / "record").read_bytes())
        made_older(game.path)
        assert len((game.path / "record").read_bytes()) == octets
    return data


@pytest.mark.parametrize(
    "words", [("verify", "2"), ("replay", "2"), ("review", "2"), ("sheet", "2"), ("resume", "2")]
)
def test_each_command_says_so_in_one_sentence(old, words):
    """Each command's sentence names the record's version and the one that this program reads."""
    done = boneyard_here(*words, data=old)
    assert done.returncode == (1 if words[0] == "resume" else 5)
    said = (done.stdout + done.stderr).splitlines()[-1]
    assert said.endswith(SENTENCE if words[0] in ("replay", "review", "sheet") else f"{SAID}.")
    assert "frame" not in said
    assert "damaged" not in said


def test_verify_tells_programs_too(old):
    """`verify --json` gives the verdict `refused`, and convicts nobody."""
    facts = data_of("verify", "1", data=old, code=5)
    assert (facts["kind"], facts["ok"], facts["culprit"]) == ("refused", False, "")
    assert facts["sentence"] == f"Not verified: {SAID}"


def test_games_lists_them_and_resume_offers_none(old):
    """`games` shows a game's result if it has a summary, or else why its record cannot be read.

    Neither game waits to be resumed.
    """
    first, second = printed("games", data=old).splitlines()
    assert first.endswith(" won")
    assert second.endswith(SENTENCE)
    listed = printed("games", "--json", data=old).splitlines()
    facts = [json.loads(each) for each in listed]
    assert [each["version"] for each in facts] == [2, 2]
    assert "scores" in facts[0]
    assert facts[1]["unread"] == SENTENCE
    assert "damaged" not in facts[1]
    assert not any(game.waits for game in kept_games(DataFolder(old)))


def test_what_sheets_told_counts_still(old):
    """`sheet` and `stats` still use the summary of a game whose record cannot be read."""
    assert "Total" in printed("sheet", "1", data=old)
    said = printed("stats", data=old)
    assert "1 game was made by another version of Boneyard, and is not counted." in said
    facts = data_of("stats", data=old)
    assert (facts["total"]["games"], facts["unread"]) == (1, 1)


def test_an_unfinished_game_whose_sheet_is_kept_is_not_waited_for(old):
    """`games` names the version of an unfinished game that has only an old, sparse summary."""
    waits = kept_games(DataFolder(old))[0]
    kept = (next(old.glob("tables/*/summary.json"))).read_bytes()
    facts = json.loads(kept) | {
        "version": 2,
        "finished": False,
        "turn": 0,
        "octets": len((waits.path / "record").read_bytes()),
    }
    beside = waits.path / "summary.json"
    beside.write_text(json.dumps(facts))
    try:
        said = printed("games", data=old).splitlines()[1]
        assert said.endswith("unfinished; of protocol version 2, which this program does not play")
    finally:
        beside.unlink()


def test_key_known_peers_and_a_new_game_are_untouched(old):
    """The next game is played with the same key, and known peers stay known."""
    before = load_or_create(old).public
    assert bytes(range(32)).hex() in {peer.key for peer in KnownPeers(old).read()}
    small_game(old, "--auto")
    newest = kept_games(DataFolder(old))[0]
    assert newest.version == PROTOCOL_VERSION
    assert before.hex() in {each.key for each in summary_of(newest.path).players}
    printed("verify", "last", data=old)


def test_a_folder_without_a_header_is_of_no_version(tmp_path):
    """A record without a whole header has version 0, and its game waits to be resumed.

    A whole header gives the version, and a game of another version does not wait.
    """
    opened = DataFolder(tmp_path).open_table(bytes(64), bytes(32))
    opened.close()
    folder = opened.path
    note(folder, begun=True)
    for octets in (b"", b"nothing", HEADER[:-1]):
        (folder / "record").write_bytes(octets)
        (game,) = kept_games(DataFolder(tmp_path))
        assert (game.version, game.waits) == (0, True)
    (folder / "record").write_bytes(HEADER)
    (game,) = kept_games(DataFolder(tmp_path))
    assert (game.version, game.waits) == (2, False)


VERSION_3 = Path(__file__).parent / "version3"
"""Ben's data folder as version 3 wrote it, with a game that Ann won and an unfinished one."""


@pytest.fixture
def of_version_3(tmp_path):
    """Return a copy of the version 3 folder, with the private permissions that a program sets."""
    data = tmp_path / "Ben"
    shutil.copytree(VERSION_3, data)
    for path in (data, *data.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return data


def test_a_folder_that_version_3_wrote_is_read(of_version_3):
    """The games of a version 3 folder are listed, and a kept summary still gives a sheet.

    `verify` and `resume` say why they cannot read the records.
    """
    said = NOT_OUR_VERSION.format(version=3, ours=PROTOCOL_VERSION)
    kept = kept_games(DataFolder(of_version_3))
    assert [(each.version, each.waits) for each in kept] == [(3, False)] * 2
    lines = printed("games", data=of_version_3).splitlines()
    listed = {line.split()[0]: line for line in lines}  # the dates are the checkout's, so any order
    assert listed["1"].endswith("with Ann: Ann won")
    assert listed["2"].endswith(
        "unfinished; of protocol version 3, which this program does not play"
    )
    facts = data_of("verify", "1", data=of_version_3, code=5)
    assert facts["sentence"] == f"Not verified: {said}"
    assert "Total" in printed("sheet", "1", data=of_version_3)
    assert data_of("stats", data=of_version_3)["total"]["games"] == 1
    resumed = boneyard_here("resume", "2", data=of_version_3)
    (sentence,) = resumed.stderr.splitlines()
    assert resumed.returncode == 1
    assert sentence.endswith(f"record: {said}.")


def test_whoever_played_version_3_is_the_same_at_the_next_table(of_version_3):
    """A player of version 3 keeps their key, name, level and known peers in a new game."""
    mine = load_or_create(of_version_3).public
    assert [peer.name for peer in KnownPeers(of_version_3).read()] == ["Ann"]
    settings = printed("config", data=of_version_3)
    assert "Ben" in settings
    assert "hard" in settings
    small_game(of_version_3, "--auto")
    newest = kept_games(DataFolder(of_version_3))[0]
    assert newest.version == PROTOCOL_VERSION
    assert mine.hex() in {each.key for each in summary_of(newest.path).players}
