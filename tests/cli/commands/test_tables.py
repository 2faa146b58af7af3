"""Hosting and joining: whole processes on this machine, to which the tests type through pipes."""

import pytest

from tests.cli.players import hosted
from tests.cli.running import boneyard, printed


def test_host_and_guest_meet_talk_and_play(party):
    """A host and a guest meet at a table, chat, and play a round to its end."""
    host, join, _ = hosted(party, "--open", "--rounds", "1")
    host.type("start")
    host.wait_for("needs at least two players")
    guest = party("Bob", *join)
    guest.wait_for("Waiting for the host")
    host.wait_for("Bob sits down. 2 of")
    guest.type("start")
    guest.wait_for("Only the host can start")
    guest.type("say hello everybody")
    host.wait_for("Bob: hello everybody")
    guest.type("who")
    guest.wait_for(r"1 Ann +\w{8} +host")
    guest.type("rules")
    guest.wait_for("double-6")
    host.type("start")
    for player in (host, guest):
        player.wait_for("is dealt")
        for _ in range(80):
            player.type("1")
    for player in (host, guest):
        player.wait_for("boneyard verify")
        assert player.exit_code() == 0


def test_a_watcher_who_comes_back_goes_along_to_the_next_game(start, party, tmp_path):
    """A watcher who comes back to a resumed table watches the next game without a join code."""
    # Seven tiles: with three a bot might be out before the host types anything.
    host, join, code = hosted(party, "--bots", "1", "--tiles", "7", "--rounds", "1")
    watcher = ("--data", str(tmp_path / "watcher"))
    left = start(*join, "--watch", "--code", code, "--name", "Vic", *watcher, name="")
    host.wait_for("Vic is here")
    host.type("start")
    left.wait_for("is dealt")
    left.send("quit\r")
    assert left.exit_code() == 0
    host.type("quit")
    assert host.exit_code() == 0
    host = party("Ann", "resume")
    host.wait_for("back at the table")
    back = start("resume", *watcher, name="")
    back.wait_for("2 connected")
    host.type("again")
    while not back.has("You only watch. Type"):  # a watcher who lags is not taken along
        seen = back.text()
        host.type("1")
        back.wait_until(lambda before=seen: back.text() != before)
    assert not back.has("asks newcomers for its join code")


@pytest.mark.campaign
def test_four_experts_play_a_round_as_peers(tmp_path, party):
    """Four expert bots play a round as peers of their own, and its record verifies."""
    record = tmp_path / "experts.record"
    rules = ("--set", "9", "--rounds", "1", "--seats", "4", "--bots", "expert,expert,expert,expert")
    host = party("Ann", "host", *rules, "--no-seat", "--record", str(record))
    host.wait_for("the game.")
    assert host.exit_code() == 0
    assert "A good record: a whole game of 1 round" in printed("verify", record)


@pytest.mark.campaign
@pytest.mark.slow
def test_a_host_that_leaves_the_lobby_takes_the_table_along(party):
    """If the host leaves the lobby, a guest there is told that the table is closed."""
    host, join, _ = hosted(party, "--open")
    guest = party("Bob", *join)
    guest.wait_for("Waiting for the host")
    host.type("quit")
    assert host.exit_code() == 0
    guest.wait_for("The table is closed|not connected")


def test_join_code_lets_a_stranger_in_once_and_for_all(party, tmp_path):
    """A stranger needs the right code to join, but no code to come back.

    Without a code or with a wrong one, joining ends with exit code 4.
    """
    _, join, code = hosted(party)
    number, *words = code.split("-")
    word = next(word for word in ("otter", "violin", "recipe") if word not in words)
    other = f"{number}-{word}-{words[1]}"
    for typed, ends, said in (
        ([], 4, "--code"),
        (["--code", other], 4, "code is wrong"),
        (["--code", "otter"], 2, "7-otter-violin"),
    ):
        done = boneyard(*join, "--plain", *typed, data=tmp_path / "ben")
        assert (done.returncode, said in done.stderr) == (ends, True), done
    guest = party("ben", *join, "--code", code)
    guest.wait_for("2 of .* seats taken")
    guest.type("quit")
    assert guest.exit_code() == 0
    again = party("ben", *join)
    again.wait_for("2 of .* seats taken")
