"""`selftest` plays a round at a real table of four, and reports area by area whether all works."""

import dataclasses

import pytest
from msgspec.structs import replace

from cli.doctor.symptoms import Level, trial_symptoms
from cli.doctor.trial import TrialPage, play_trial
from netgame.io.abilities import ABILITIES, Abilities
from tests.cli.running import data_of, printed
from tests.netgame.io.page.browsers import installed_page
from tests.netgame.io.page.test_built import flip


@pytest.fixture
def page_folder(tmp_path):
    """Yield the folder of a page for browsers that is installed during this test."""
    with installed_page(tmp_path / "page") as folder:
        yield folder


def told(trial):
    """Return the level and the text of the finding for each area."""
    return {each.area: (each.level, each.text) for each in trial_symptoms(trial)}


async def test_four_programs_play_a_round_and_keep_one_log(tmp_path, page_folder):
    """All four records verify and have the same head, and the page is served without trouble.

    Nothing is left in the data folder.
    """
    trial = await play_trial(tmp_path / "data")
    assert len(trial.records) == 4
    assert all(verdict.ok for verdict in trial.records)
    assert len({verdict.head for verdict in trial.records}) == 1
    assert sorted(trial.records[0].names) == ["Ann", "Ben", "Cleo", "Dot"]
    assert trial.page is not None
    assert trial.page.trouble == ""
    assert [*(tmp_path / "data").iterdir()] == [], "nothing of it is kept"
    assert {level for level, _ in told(trial).values()} == {Level.OK}


async def test_a_damaged_page_is_told_and_the_table_plays(tmp_path, page_folder):
    """A damaged page is reported as a problem, although the table plays."""
    flip(next((page_folder / "parts").iterdir()))
    trial = await play_trial(tmp_path / "data")
    assert all(verdict.ok for verdict in trial.records)
    assert told(trial)["page"][0] is Level.PROBLEM


async def test_where_nobody_can_connect_the_host_plays_its_bots(tmp_path):
    """Where the program cannot listen, as in a browser tab, the trial plays inside the program."""
    before = ABILITIES.set(Abilities(listens=False, is_tab=True))
    try:
        trial = await play_trial(tmp_path / "data")
    finally:
        ABILITIES.reset(before)
    assert (trial.over_network, len(trial.records), trial.page) == (False, 1, None)
    assert "inside this program" in told(trial)["table"][1]


async def test_records_that_differ_and_a_page_that_fails_are_problems(tmp_path):
    """Records that differ and a page that is not served are problems, each in its own area."""
    trial = await play_trial(tmp_path / "data")
    first, *others = trial.records
    parted = replace(trial, records=(dataclasses.replace(first, head="00" * 64), *others))
    assert told(parted)["disk"][0] is Level.PROBLEM
    assert told(parted)["table"][0] is Level.OK
    found = told(replace(trial, page=TrialPage(0, "404 Not Found")))
    why = "The page for browsers was not served: 404 Not Found."
    assert found["page"] == (Level.PROBLEM, why)


def test_the_command_says_that_all_works(tmp_path):
    """`selftest` prints a line for each area and a verdict; `--json` prints the same as data."""
    lines = printed("selftest", data=tmp_path).splitlines()
    assert lines[-1] == "Everything works here."
    assert [line.split()[1] for line in lines if line.startswith("ok ")] == [
        "clock", "versions", "data", "terminal", "table", "disk", "page"
    ]  # fmt: skip
    facts = data_of("selftest", data=tmp_path)
    assert facts["ok"] is True
    assert {each["level"] for each in facts["findings"]} == {"ok"}


def test_a_folder_that_cannot_be_written_to_is_a_problem(tmp_path):
    """If its folder cannot be written to, `selftest` says that the table could not play.

    It exits with 1.
    """
    (tmp_path / "file").write_text("")
    told = printed("selftest", "--data", str(tmp_path / "file" / "below"), code=1)
    assert "problem  table      A table of four could not play:" in told
    assert told.splitlines()[-1].startswith("Something failed")
