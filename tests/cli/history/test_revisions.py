"""Games and tables with another revision of the rules: one sentence says why each is refused."""

import json

import pytest

from cli.kept import summary_of
from engine.rules.revision import RULES_REVISION
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import kept_games
from netgame.protocol.log.entry import frame_payload, read_frames
from tests.cli.players import hosted
from tests.cli.running import boneyard_here, data_of, printed, run_python, small_game
from tests.netgame.revisions import playing

LATER = RULES_REVISION + 1
SENTENCE = (
    f"This is a game by revision {RULES_REVISION} of the rules, and this program plays revision "
    f"{LATER}: use the Boneyard that began it."
)


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """Return a data folder with a finished and an unfinished game of this program's revision.

    The list of games has been printed, so that summaries are kept beside the records.
    """
    data = tmp_path_factory.mktemp("old")
    small_game(data, "--auto")
    small_game(data, text="quit\n")
    printed("games", data=data)
    return data


def test_verify_says_so_as_of_another_version(old):
    """`verify` names the other revision in a sentence and in JSON, and goes on to other games."""
    printed("verify", "1", data=old)
    with playing(LATER):
        told = printed("verify", "1", data=old, code=5)
        facts = data_of("verify", "1", data=old, code=5)
        assert boneyard_here("verify", "1", "2", data=old).stdout.count("Not verified") == 2
    assert told == f"Not verified: {SENTENCE[0].lower()}{SENTENCE[1:]}\n"
    assert (facts["kind"], facts["ok"], facts["culprit"]) == ("refused", False, "")
    assert (facts["differs"], facts["revision"]) == ("other-revision", RULES_REVISION)


def test_json_tells_in_which_way_a_file_is_no_whole_game(old, tmp_path):
    """In `verify --json`, `differs` says in which way a file is not a whole game, or is `none`."""
    (whole,) = (g.path / "record" for g in kept_games(DataFolder(old)) if g.number == 1)
    octets = whole.read_bytes()
    border = len(octets) - len(frame_payload(read_frames(octets)[0][-1]))
    for content, word, code in (
        (octets, "none", 0),
        (octets[:border], "unfinished", 0),
        (octets[: border + 7], "cut-off", 5),
        (octets[:11], "cut-off", 5),
        (b"", "empty", 5),
    ):
        path = tmp_path / "record"
        path.write_bytes(content)
        assert data_of("verify", path, code=code)["differs"] == word


def test_resume_does_not_go_on_with_it_and_keeps_the_record(old):
    """`resume` refuses a game of another revision in one sentence, and does not change its record.

    A program of the game's own revision can still resume it.
    """
    game = next(game for game in kept_games(DataFolder(old)) if game.number == 2)
    before = (game.path / "record").read_bytes()
    with playing(LATER):
        done = boneyard_here("resume", "2", data=old)
        assert done.returncode == 1
        said = (done.stdout + done.stderr).splitlines()[-1]
        assert said.endswith(f"{SENTENCE[0].lower()}{SENTENCE[1:]}")
        assert not any(each.waits for each in kept_games(DataFolder(old)))
        assert boneyard_here("resume", data=old).returncode == 1
    assert (game.path / "record").read_bytes() == before
    assert next(each for each in kept_games(DataFolder(old)) if each.number == 2).waits


def test_games_says_what_it_can_tell(old):
    """`games` shows a finished game's result, and an unfinished game's revision."""
    with playing(LATER):
        first, second = printed("games", data=old).splitlines()
        listed = printed("games", "--json", data=old).splitlines()
    assert first.endswith(" won")
    assert second.endswith(
        f"unfinished; by revision {RULES_REVISION} of the rules, which this program does not play"
    )
    facts = [json.loads(each) for each in listed]
    assert [each["revision"] for each in facts] == [RULES_REVISION] * 2
    assert not any(each.get("resume") for each in facts)


def test_each_command_says_one_sentence_of_a_finished_one(old):
    """`replay` and `review` refuse a finished game in one sentence; `sheet` uses its kept summary.

    Without that summary, `games` lists the game with the same sentence and `stats` leaves it out.
    """
    game = next(each for each in kept_games(DataFolder(old)) if each.number == 1)
    assert summary_of(game.path).finished
    with playing(LATER):
        for words in (("replay", "1"), ("review", "1")):
            done = boneyard_here(*words, data=old)
            assert done.returncode == 5
            assert (done.stdout + done.stderr).splitlines()[-1] == SENTENCE
        assert "Total" in printed("sheet", "1", data=old)
        (game.path / "summary.json").unlink()
        listed = printed("games", data=old).splitlines()
        assert listed[0].endswith(SENTENCE)
        assert "damaged" not in listed[0]
        facts = json.loads(printed("games", "--json", data=old).splitlines()[0])
        assert facts["unread"] == SENTENCE
        said = printed("stats", data=old)
        assert "1 game was made by another version of Boneyard, and is not counted." in said


OF_REVISION = """
import sys
from engine.rules import revision
revision.RULES_REVISION = int(sys.argv.pop(1))
from cli.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("revision", "words", "who"),
    [
        (LATER, (), "ask the host to update theirs."),
        (LATER, ("--watch",), "ask the host to update theirs."),
        (LATER, ("--auto",), "ask the host to update theirs."),
        (0, (), "update yours, and come again."),
    ],
    ids=["joins", "watches", "auto", "older"],
)
def test_a_program_leaves_the_table_of_another_revision(party, tmp_path, revision, words, who):
    """A refused guest reads both revisions and who should update; the program exits with 4."""
    host, join, _ = hosted(party, "--open", "--rounds", "1")
    variables = {"BONEYARD_DATA": str(tmp_path / "guest"), "BONEYARD_NAME": "Bob"}
    comes = (str(revision), *join, *words, "--plain")
    done = run_python("-c", OF_REVISION, *comes, **variables)
    assert done.returncode == 4, done.stderr
    assert (
        f"This table plays revision {RULES_REVISION} of the rules, and your Boneyard plays "
        f"revision {revision}: {who}"
    ) in " ".join(done.stdout.split())
    assert done.stdout.count("revision") == 2
    assert "Traceback" not in done.stderr
    host.type("who")
    host.wait_for(r"1 Ann +\w{8}")
