"""Two games of one company, typed through the plain screen and in JSON: their evening adds up."""

import json

from cli.session.frontend import EveningShown
from cli.session.loop import sit
from cli.session.stay import SessionOptions
from cli.wording.game_end import GameEnd
from tests.cli.fakes import FakeFront
from tests.cli.running import boneyard
from tests.cli.session.test_next_table import GameIsOver

PLAY = ("play", "--bots", "2", "--set", "6", "--rounds", "1", "--seed", "5", "--name", "Ann")
TYPED = "again\n" + "1\n" * 80 + "score\n"


def test_a_second_game_is_added_to_the_first_one():
    """With names at a seeded table; `score` says it again."""
    said = boneyard(*PLAY, "--plain", text=TYPED).stdout.splitlines()
    assert sum("the game." in line and "win" in line for line in said) == 2
    assert said.count("The evening so far: 1 game.") == 0
    at = said.index("The evening so far: 2 games.")
    rows = said[at + 1 : at + 4]
    assert {row.split()[1] for row in rows} == {"Ada:", "Bix:", "Ann:"}
    assert all("; ahead and behind: " in row for row in rows)
    longest = next(n for n, line in enumerate(said) if line.startswith("The fewest points win. L"))
    assert longest < at


def test_programs_are_told_of_the_result_and_of_the_evening():
    """In objects of their own."""
    told = map(json.loads, boneyard(*PLAY, "--json", text=TYPED).stdout.splitlines())
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


async def test_an_evening_goes_on_from_table_to_table_and_shows_from_its_second_game_on():
    """By the same value, which whoever opens or finds the next table hands on."""
    sitting = SessionOptions()
    # the next table has an id of its own
    for table, lines, evenings, ends in (("one", ["score"], 0, 1), ("two", ["score", ""], 2, 2)):
        front = FakeFront(*lines, "quit")
        node = GameIsOver(table_id=table.encode())
        await sit(node, front, SessionOptions(evening=sitting.evening))
        assert (front.count(EveningShown), front.count(GameEnd)) == (evenings, ends)
    assert len(sitting.evening.games) == 2
