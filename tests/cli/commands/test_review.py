"""The command `review`: what it prints for a record, and its sentence for a bad one."""

import json

import pytest
from msgspec import structs

from cli.commands import review
from netgame.wire import messages as wire
from tests.cli.running import boneyard, boneyard_here, complaint, printed, recorded
from tests.netgame.simtable import full_table

pytestmark = pytest.mark.usefixtures("quick_reviews")


@pytest.mark.campaign
def test_a_review_goes_through_somebodys_moves(record):
    """A review rates each round by the sum of the costs of its choices.

    A second run prints the same. Without `--json` the round is printed as text.
    """
    first, again = (boneyard_here("review", record, "--name", "1", "--json") for _ in range(2))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == again.stdout
    rounds = [json.loads(line) for line in first.stdout.splitlines()]
    assert [each["round"] for each in rounds] == [1, 2]
    for each in rounds:
        assert each["seat"] == 0
        assert each["cost"] == pytest.approx(sum(one["cost"] for one in each["choices"]), abs=0.1)
        assert each["text"]
    drawn = boneyard_here("review", record, "--name", rounds[0]["name"], "--round", "2")
    assert drawn.stdout.startswith(f" Round 2, {rounds[0]['name']}\n")
    assert rounds[1]["text"][-1].split()[-1] in drawn.stdout


def test_a_review_needs_a_name_and_a_round_that_are_there(record):
    """For an unknown name, a review says what to type.

    For a round that does not exist, it says how many rounds are scored.
    """
    nobody = complaint("review", record, "--name", "zoe")
    assert "Nobody called zoe played in round 1. Choose whose moves: --name " in nobody
    late = complaint("review", record, "--name", "1", "--round", "3", code=1)
    assert "Only 2 rounds are scored in this record." in late


def texts(reader) -> list[str]:
    """Return the lines that a terminal shows so far, except empty ones."""
    return [line for line in reader.text().splitlines() if line.strip()]


def test_a_review_stops_at_each_window_of_lines(start, record):
    """A review pauses whenever the window is full; when you stop it, its question disappears."""
    reader = start("review", str(record), "--name", "1", columns=100, rows=6)
    reader.wait_for("Enter: next page, q and Enter: stop")
    assert len(texts(reader)) == 6
    reader.send("\r")
    reader.wait_until(lambda: len(texts(reader)) > 6 and "Enter: next" in texts(reader)[-1])
    *read, question = texts(reader)
    assert "Enter: next page" in question
    reader.send("q\r")
    assert reader.exit_code() == 0
    assert texts(reader) == read


def test_rounds_in_which_somebody_does_not_sit_are_left_out(record, monkeypatch):
    """A review leaves out rounds in which the player had no seat; to ask for one is an error."""
    found, shown = review.finished_rounds, []

    def bix_comes_late(entries):
        for each in found(entries):
            names = {"Bix": "nobody"} if each.number == 1 else {}
            seats = (structs.replace(one, name=names.get(one.name, one.name)) for one in each.seats)
            yield structs.replace(each, seats=tuple(seats))

    monkeypatch.setattr(review, "finished_rounds", bix_comes_late)
    monkeypatch.setattr(review, "_show", lambda finished, *_: shown.append(finished.number))
    printed("review", record, "--name", "bix")
    assert shown == [2]
    absent = complaint("review", record, "--name", "bix", "--round", "1")
    assert "played in round 1" in absent


def test_the_only_person_at_a_table_is_meant(tmp_path):
    """Without `--name`, the moves of the only person among bots are reviewed.

    The person may have a different name in the settings by then.
    """
    told = boneyard(
        "play",
        "--set",
        "6",
        "--rounds",
        "1",
        "--bots",
        "1",
        "--seed",
        "11",
        "--name",
        "Zoe",
        "--auto",
        "--plain",
        data=tmp_path,
    )
    assert told.returncode == 0, told.stderr
    reviewed = boneyard_here("review", "1", data=tmp_path)
    assert (reviewed.returncode, reviewed.stderr) == (0, "")
    assert reviewed.stdout.startswith(" Round 1")


def test_a_review_of_a_spoilt_record_is_one_sentence(record, tmp_path):
    """A record that is cut or changed, or a file that is not a record, gets exit code 5."""
    octets, path = record.read_bytes(), tmp_path / "record"
    wrong = bytearray(octets)
    wrong[len(octets) // 3] ^= 1
    for spoilt in (octets[: len(octets) // 3], wrong, b"x" * 99, b""):
        path.write_bytes(spoilt)
        assert complaint("review", path, "--name", "1", code=5).endswith(".\n"), spoilt[:9]


def test_a_review_says_what_a_record_does_not_prove(tmp_path, toy_group):
    """With hidden draws, a review says that moves cannot be judged for want of the hands held."""
    settings = wire.Settings("standard", (), 6, 2, 1, 3, ("draws=hidden",))
    said = ""
    for seed in range(1, 20):
        table = full_table(("Ann", "Ben"), settings, seed=bytes([seed]) * 32)
        table.run_game()
        path = recorded(tmp_path, table)
        said += "".join(printed("review", path, "--name", name) for name in "12")
        if "cannot be judged" in said:
            break
    assert "cannot be judged: the record never shows the hands held then." in said


def test_moves_are_judged_under_rules_that_branch(tmp_path, toy_group):
    """A review can judge moves under rules by which a train may have several open ends."""
    settings = wire.Settings("wolf-lake", (), 6, 2, 1, 3)
    table = full_table(("Ann", "Ben"), settings, seed=bytes([4]) * 32)
    table.run_game()
    told = printed("review", recorded(tmp_path, table), "--name", "ann")
    assert "Best, or about as good (~0): " in told
