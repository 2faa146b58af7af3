"""The evening: games of the same people are added up, and the totals are shown."""

import json
import re
import time
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from cli.kept import evening_of, summary_of
from cli.results.summary import Player
from cli.session.frontend import EveningShown
from cli.session.loop import sit
from netgame.io.tables.kept import SavedGame
from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage
from tests.cli.fakes import FakeFront, FakeNode, seats_of, sitting_with
from tests.cli.render.test_game_end import game
from tests.cli.running import boneyard
from tests.cli.scenes import NAMES, scene_after

PLAY = ("play", "--bots", "2", "--set", "6", "--rounds", "1", "--name", "Ann")
TYPED = "again\n" + "1\n" * 80 + "score\n"


def test_a_second_game_is_added_to_the_first_one(tmp_path):
    """After the second game each player has a row for the evening below the result."""
    said = boneyard(*PLAY, "--plain", data=tmp_path, text=TYPED).stdout.splitlines()
    # two players with the lowest score share the game
    assert sum(re.search(r"\b(wins?|shares?) the game\.", line) is not None for line in said) == 2
    begins = [line[: line.find(".") + 1] for line in said]
    assert begins.count("The evening so far: 1 game.") == 0
    at = begins.index("The evening so far: 2 games.")
    rows = said[at + 1 : at + 4]
    assert {row.split()[1] for row in rows} == {"Ada:", "Bix:", "Ann:"}
    assert all("; ahead and behind: " in row for row in rows)
    longest = next(n for n, line in enumerate(said) if line.startswith("The fewest points win. L"))
    assert longest < at


def test_programs_are_told_of_the_result_and_of_the_evening(tmp_path):
    """`--json` prints each result and the evening as objects; the evening adds up the results."""
    told = map(json.loads, boneyard(*PLAY, "--json", data=tmp_path, text=TYPED).stdout.splitlines())
    found = [each for each in told if each["type"] in ("result", "evening")]
    assert [each["type"] for each in found][:3] == ["result", "result", "evening"]
    first, second, evening = found[:3]
    assert evening["games"] == 2
    for row in evening["seats"]:
        totals = [
            seat["total"]
            for result in (first, second)
            for seat in result["seats"]
            if seat["name"] == row["name"]
        ]
        assert (row["games"], row["points"]) == (2, sum(totals))
    assert sum(row["won"] for row in evening["seats"]) >= 2


def test_whoever_begins_anew_or_comes_back_still_has_the_evening(tmp_path):
    """The evening is read from the kept records, and `score` shows it during a game too."""
    for number in (1, 2):
        said = boneyard(*PLAY, "--auto", "--plain", data=tmp_path).stdout
        assert ("The evening so far: 2 games." in said) == (number == 2)
    left = boneyard(*PLAY, "--plain", data=tmp_path, text="score\nquit\nquit\n").stdout
    assert "The evening so far: 2 games." in left
    back = boneyard("resume", "--auto", "--plain", data=tmp_path).stdout
    assert "The evening so far: 3 games." in back


def test_a_game_from_a_seed_is_no_game_of_an_evening(tmp_path):
    """A seeded game is not part of an evening, whether the other games are seeded or not."""
    for _ in range(2):
        seeded = boneyard(*PLAY, "--auto", "--plain", "--seed", "5", data=tmp_path).stdout
        assert "The fewest points win." in seeded
        assert "The evening so far" not in seeded
    assert "The evening so far" not in boneyard(*PLAY, "--auto", "--plain", data=tmp_path).stdout


async def test_score_tells_the_evening_in_the_lobby_of_its_next_game(tmp_path):
    """`score` in a lobby shows the evening if a game was played before."""
    boneyard(*PLAY, "--auto", "--plain", data=tmp_path)
    (folder,) = (tmp_path / "tables").iterdir()
    for last in (folder, None):
        node = FakeNode(scene_after(6, 2, 4), table=None, stage=TableStage.LOBBY)
        front = FakeFront("score")
        await sit(node, front, sitting_with(last=last))
        assert "The game has not begun yet." in front.said
        assert front.count(EveningShown) == (last is not None)


@pytest.mark.parametrize("typed", ["score", ""])
async def test_a_table_opened_anew_after_a_restart_has_the_evening_in_its_lobby(tmp_path, typed):
    """In the lobby of a new table, `score` shows the evening if the same people are there.

    A wall shows it without being asked.
    """
    boneyard(*PLAY, "--auto", "--plain", data=tmp_path)
    (folder,) = (tmp_path / "tables").iterdir()
    ann = next(each for each in summary_of(folder).players if not each.bot)
    for key in (bytes.fromhex(ann.key), b"another"):
        facts = {"table": None, "stage": TableStage.LOBBY}
        node = FakeNode(scene_after(6, 2, 4), seats=seats_of("Ann", key=key), **facts)
        node.folder = SimpleNamespace(path=folder.parent / "new")
        node.tell(notices.LobbyChanged())
        front = FakeFront(*filter(None, [typed]), 0.2)
        await sit(node, front, sitting_with(on_wall=not typed))
        assert front.count(EveningShown) == (key != b"another")


def test_an_evening_is_that_of_one_company(tmp_path, monkeypatch):
    """A game's evening is that game and those that share at least two people with it.

    Games that were played many hours before or after it are left out. Bots do not count as people.
    """
    ann, ben, cy, dora = (Player(name, name.lower() * 20, bot=False) for name in NAMES[:4])
    bix = Player("Bix", "bix" * 20, bot=True)
    played = {
        "ab": (ann, ben, bix),
        "abc": (ann, ben, cy),
        "ac": (ann, cy),
        "alone": (ann, bix),
        "cd": (cy, dora),
    }
    kept = [SavedGame(1, tmp_path / "tables" / name, 5e4, None) for name in played]
    kept += [SavedGame(1, tmp_path / "tables" / "early", 1e3, None)]
    monkeypatch.setattr("cli.kept.kept_games", lambda _data: kept)
    told = {name: replace(game(), game=name, players=who) for name, who in played.items()}
    told["early"] = told["ab"]
    monkeypatch.setattr("cli.kept.summary_of", lambda path: told[path.name])

    def of(name):
        found = evening_of(tmp_path / "tables" / name, played[name], is_over=True)
        return {each.game for each in found}

    assert of("ab") == {"ab", "abc"}
    assert of("abc") == {"ab", "abc", "ac"}
    assert of("alone") == {"alone"}
    assert of("cd") == {"cd"}
    played["lobby"] = (ben, ann)
    monkeypatch.setattr(time, "time", lambda: 6e4)
    assert of("lobby") == {"ab", "abc"}
    monkeypatch.setattr(time, "time", lambda: 5e5)
    assert of("lobby") == set()
