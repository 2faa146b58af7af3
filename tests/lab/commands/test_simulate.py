"""`boneyard simulate`: its counts, its output, its exit codes."""

import json
import re
from functools import cache
from types import SimpleNamespace

import pytest

from cli.arguments.parser import read_arguments
from cli.exits import CommandFailed, ExitCode
from engine.rules.choose import SWITCHES
from lab.commands import simulate
from lab.rounds import random_tables
from lab.simulation import campaign, exposure
from lab.simulation import printed as simulated
from lab.simulation.mishaps.kinds import Mishap
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.status.faults import Faults
from tests.lab.simulation.planted.catalogue import planted


def run(*arguments: str) -> ExitCode:
    """Run the command in this process and return its exit code."""
    return simulate.run(read_arguments(["simulate", *arguments]))


def tables(*arguments: str) -> ExitCode:
    """Run the command on tables without a network and return its exit code."""
    return run("--network", "0", "--tables", *arguments)


def test_a_person_reads_how_many_wrong_moves_were_tried(capsys) -> None:
    """The report says how many wrong moves were refused, and how many moves were judged wrongly."""
    assert tables("5", "--json") is ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert facts["refused"] > facts["moves"]
    assert tables("5") is ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert f"wrong moves tried, refused{facts['refused']:>14,}" in lines
    assert f"{'judged wrongly':<28}{0:>12}" in lines


@pytest.mark.campaign
def test_every_table_counts_once_for_every_switch(capsys) -> None:
    """A switch's counts add up to the number of tables, and include a zero for unplayed values."""
    run("--tables", "3", "--network", "2", "--json")
    facts = json.loads(capsys.readouterr().out)
    assert facts["network"]["tables"] == facts["network"]["verified"] == 2
    for key, count in (("played", 3), ("played_over_network", 2)):
        assert set(facts[key]) == set(SWITCHES)
        for name, counts in facts[key].items():
            assert sum(counts.values()) == count
            assert set(counts) >= set(SWITCHES[name].words())


def test_a_bug_is_told_with_the_command_that_shows_it_again(capsys, monkeypatch) -> None:
    """A bug gives exit code 1 and the command to repeat it, and later tables are still played."""
    true, calls = random_tables.apply, []

    def broken(table, move):
        calls.append(move)
        if len(calls) == 40:
            raise KeyError("planted")
        return true(table, move)

    monkeypatch.setattr(random_tables, "apply", broken)
    assert tables("3", "--from", "7") is ExitCode.FAILED
    out = capsys.readouterr().out
    assert "crashed: KeyError('planted')" in out
    assert "boneyard simulate --tables 1 --network 0 --from 7" in out
    assert f"tables{3:>34}" in out
    calls.clear()
    assert tables("3", "--from", "7", "--json") is ExitCode.FAILED
    (trouble,) = json.loads(capsys.readouterr().out)["troubles"]
    assert trouble["again"] == "boneyard simulate --tables 1 --network 0 --from 7"


def test_rule_sets_are_played_in_their_turn_and_trouble_names_its_own(capsys, monkeypatch) -> None:
    """Each rule set is played for at least twenty rounds.

    A mismatch is reported with a command that plays that rule set again.
    """
    assert run("--rules", "1", "--from", "1", "--json") is ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert facts["rounds"] >= random_tables.RULES_ROUNDS
    assert facts["played"]["mexican-from"]["first-turn"] == facts["tables"]
    monkeypatch.setattr(random_tables, "disagreements", lambda *_: iter(["it is listed"]))
    assert run("--rules", "2", "--from", "20") is ExitCode.FAILED
    out = capsys.readouterr().out
    assert "it is listed, by Hand" in out
    assert "boneyard simulate --rules 1 --from 21" in out


def test_it_is_told_how_many_rule_sets_are_done(capsys, monkeypatch) -> None:
    """The command prints its progress to standard error every ten rule sets."""
    monkeypatch.setattr(simulated, "simulate_rules", lambda *_: None)
    assert run("--rules", "25", "--json") is ExitCode.OK
    shown = capsys.readouterr()
    assert shown.err.splitlines() == ["10 of 25 rule sets", "20 of 25 rule sets"]
    assert json.loads(shown.out)["tables"] == 0


def test_an_interrupted_run_tells_what_it_has(capsys, monkeypatch) -> None:
    """Ctrl-C ends the run and prints the counts so far."""
    true = random_tables.simulate_table

    def until_third(number, seed, result):
        if number == 2:
            raise KeyboardInterrupt
        true(number, seed, result)

    monkeypatch.setattr(simulated, "simulate_table", until_third)
    assert tables("100", "--json") is ExitCode.INTERRUPTED
    assert json.loads(capsys.readouterr().out)["tables"] == 2


def test_a_campaign_counts_games_and_faults(capsys, monkeypatch) -> None:
    """The text and the JSON have the same numbers; every kind of fault has its line."""
    monkeypatch.setattr(campaign, "play_game", cache(campaign.play_game))  # printed twice
    assert run("--seeds", "1", "--toy", "--json") is ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"] == 1
    assert facts["real"] == 0
    assert set(facts["faults"]) == {fault.value for fault in Mishap}
    assert sum(facts["verdicts"].values()) == 1
    assert facts["verdicts"]["failed"] == 0
    assert run("--seeds", "1", "--toy") is ExitCode.OK
    text = capsys.readouterr().out
    assert facts["digest"] in text
    for fault, count in facts["faults"].items():
        assert f"  {fault:<26}{count:>12}" in text


def test_a_failed_seed_is_told_with_its_story_and_the_command_that_shows_it(
    capsys, monkeypatch
) -> None:
    """If a core crashes, the report has the crash, its seed and the command to repeat it.

    The exit code is 1.
    """

    def planted(self, job, result, now):
        raise LookupError("planted")

    monkeypatch.setattr(Core, "work_done", planted)
    assert run("--seeds", "1", "--from", "6", "--real") is ExitCode.FAILED
    out = capsys.readouterr().out
    assert "seed 6:" in out
    assert "crashed: LookupError('planted')" in out
    assert "boneyard simulate --seeds 1 --from 6 --real" in out


def test_every_cheat_is_a_row_with_where_it_was_found_and_by_whom(capsys, monkeypatch) -> None:
    """Each possible outcome is reported: convicted, named, given up, without effect."""
    names = ("another coin", "a wrong signature", "is silent at the roster")
    names = (*names, "an entry of another table")
    chosen = tuple(cheat for cheat in exposure.CATALOGUE if cheat.name in names)
    monkeypatch.setattr(exposure, "CATALOGUE", chosen)
    monkeypatch.setattr(exposure, "first_row", cache(exposure.first_row))  # printed twice
    assert run("--cheats", "--json") is ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert facts["strategies"] == 4
    coin = next(row for row in facts["rows"] if row["strategy"] == "another coin")
    assert coin["done"] == coin["found"] == {"kind": "coin-reveal", "step": coin["log"]}
    assert coin["accepted"] is True
    assert set(coin["verdicts"].values()) == {coin["culprit"]}
    assert run("--cheats") is ExitCode.OK
    out = capsys.readouterr().out
    assert "the entry, good; Ben named by 2 of 2" in out
    assert "none; Ben named by 1 of 2" in out
    assert "the record, good; Ben gone on without by 3 of 3" in out
    assert "none, good; nobody named" in out


def test_a_cheat_that_comes_through_is_told_and_fails(capsys, monkeypatch) -> None:
    """The report names the cheat, its seed and what went wrong, and the command fails."""
    monkeypatch.setattr(Faults, "convict", lambda self, fault: None)
    monkeypatch.setattr(exposure, "LIMIT_S", 60.0)
    monkeypatch.setattr(exposure, "SEEDS_MOST", 3)
    chosen = tuple(cheat for cheat in exposure.CATALOGUE if cheat.name == "another coin")
    monkeypatch.setattr(exposure, "CATALOGUE", chosen)
    assert run("--cheats") is ExitCode.FAILED
    out = capsys.readouterr().out
    assert "another coin (seed 0):" in out
    assert "nobody noticed" in out


@pytest.mark.campaign
def test_crashes_at_effects_are_counted_by_kind_and_seat(capsys) -> None:
    """When every 400th crash is tried, all games end well; a second run has the same digest."""
    assert run("--crashes", "--every", "400", "--json") is ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert facts["crashes"] == sum(facts["seats"].values()) > 5
    assert set(facts["seats"]) == {"0", "1", "2", "3"}
    assert not facts["failed"]
    assert run("--crashes", "--every", "400") is ExitCode.OK
    out = capsys.readouterr().out
    assert f"digest {facts['digest']}" in out
    assert "power cut while it is half written" in out


def test_a_crash_that_loses_something_is_told_with_its_number(capsys) -> None:
    """A seat that sends before it saves and then crashes is reported.

    The report has a command that repeats the crash, and that crash alone.
    """
    with planted("send before persist"):
        assert run("--crashes", "--from", "2971", "--every", "460") is ExitCode.FAILED
    out = capsys.readouterr().out
    again = re.search(r"see it again: boneyard simulate (--crashes --from (\d+) .*)", out)
    assert again is not None, out
    assert (int(again[2]) - 2971) % 460 == 0
    with planted("send before persist"):
        assert run(*again[1].split()) is ExitCode.FAILED
    assert again[0] in capsys.readouterr().out


def test_seconds_end_after_the_game_that_was_begun(capsys, monkeypatch) -> None:
    """When the time is up during the second game, that game is still played to its end."""
    looks = iter((0.0, 0.4, 0.8, 1.2))
    monkeypatch.setattr(simulate, "time", SimpleNamespace(monotonic=lambda: next(looks)))
    assert run("--seconds", "1", "--toy", "--json") is ExitCode.OK
    assert json.loads(capsys.readouterr().out)["games"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("--tables", "1", "--toy"),
        ("--tables", "1", "--real"),
        ("--seeds", "1", "--network", "2"),
        ("--cheats", "--network", "2"),
        ("--cheats", "--every", "2"),
        ("--cheats", "--liars"),
        ("--tables", "1", "--liars"),
        ("--crashes", "--real"),
    ],
)
def test_options_that_mean_nothing_together_are_refused(arguments) -> None:
    """Options that mean nothing together are refused with a sentence and exit code 2."""
    with pytest.raises(CommandFailed) as refused:
        run(*arguments)
    assert refused.value.code is ExitCode.USAGE
    assert refused.value.sentence.endswith(".")
