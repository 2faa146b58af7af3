"""Seats that sign faults at random moments: an honest program stops only if a fault binds."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache, partial

import pytest

from cli.exits import ExitCode
from lab.simulation import campaign, verdict_liars
from lab.simulation.computers.agreement import Difference
from lab.simulation.computers.world import World
from lab.simulation.game import play_game
from lab.simulation.liars.lies import Breach
from lab.simulation.liars.plan import Standing
from lab.simulation.liars.stops import Bind
from lab.simulation.verdict_liars import TableEnd
from tests.lab.commands.test_simulate import run

play = cache(partial(play_game, lies=True))
"""Plays the game of a seed with liars, or returns it if it was played already."""

SEEDS = 60
"""This many games have every kind of liar, nearly every stop, and all lies but one kind."""
SHOWN = 530
"""The seed of a game with the missing kind of lie, a false shuffle.

This holds as long as games are drawn from their seeds in the same way.
"""


COUNT_AND_SHARE = re.compile(r" +(.*?) +(\d+) +(\d+\.\d)%")


@pytest.mark.parametrize("seed", [2, 6])
def test_a_table_with_liars_ends_as_it_must(seed: int) -> None:
    """The liar tells its lie, no honest seat is accused, and every stop follows from a rule."""
    game = play(seed)
    assert not game.trouble, (game.trouble, game.story)
    assert sum(game.counts["lies"].values()) == sum(game.counts["signers"].values()) > 0
    assert any("signs: " in line for line in game.story)


def test_programs_that_part_where_a_liar_goes_meet_again_behind_the_cut(monkeypatch) -> None:
    """Two programs close a step with different bodies, and agree again after a vote.

    The vote drops the author of both bodies at that step. A difference that remained in the logs,
    or that no fault explained, would be noticed.
    """
    seen: list[Difference] = []
    mended = verdict_liars._is_mended

    def looked_at(parting: Difference, world: World) -> bool:
        seen.append(parting)
        assert not mended(replace(parting, epoch=world.longest().state.company.now.id), world)
        assert not mended(replace(parting, step=0), world)
        assert not mended(replace(parting, step=None), world)
        return mended(parting, world)

    monkeypatch.setattr(verdict_liars, "_is_mended", looked_at)
    game = play(746)
    assert not game.trouble, (game.trouble, game.story)
    assert seen


def test_the_same_seed_is_the_same_lies() -> None:
    """Two games of one seed, both with liars, have the same digest and the same story."""
    one, other = play(2), play_game(2, lies=True)
    assert (one.digest, one.story) == (other.digest, other.story)


def test_the_report_has_every_kind_with_its_share(capsys, monkeypatch) -> None:
    """The report lists every kind of lie, signer, stop and end of a table.

    As printed text, it also gives the share of each kind of lie in percent.
    """
    monkeypatch.setattr(campaign, "play_game", cache(play_game))  # printed twice
    assert run("--seeds", "1", "--from", "2", "--toy", "--liars", "--json") is ExitCode.OK
    facts = json.loads(capsys.readouterr().out)
    assert set(facts["lies"]) == {each.value for each in Breach}
    assert set(facts["signers"]) == {each.value for each in Standing}
    assert set(facts["binds"]) == {each.value for each in Bind}
    assert {each.value for each in TableEnd} < set(facts["tables"])
    assert run("--seeds", "1", "--from", "2", "--toy", "--liars") is ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    told = [found.groups() for found in map(COUNT_AND_SHARE.fullmatch, lines) if found]
    for counts in (facts["lies"], facts["signers"], facts["binds"]):
        total = sum(counts.values())
        assert total > 0
        for name, count in counts.items():
            assert (name, f"{count}", f"{100 * count / total:.1f}") in told


def test_a_failure_of_the_family_is_shown_again_as_one_of_it(capsys, monkeypatch) -> None:
    """The command that repeats a failure contains `--liars`."""
    monkeypatch.setattr("lab.simulation.game.wrong_with_liars", lambda *_, **__: ["planted"])
    assert run("--seeds", "1", "--from", "2", "--toy", "--liars") is ExitCode.FAILED
    assert "boneyard simulate --seeds 1 --from 2 --toy --liars" in capsys.readouterr().out


@pytest.mark.campaign
def test_every_kind_of_lie_is_told_by_everybody_who_can() -> None:
    """Every kind of lie is told, and liars lie while seated, convicted, gone and seated again.

    Every kind of stop must occur, too, except perhaps a stop in the lobby, and so must every way
    for a table to end.
    """
    lies, signers, binds, tables = (Counter[str]() for _ in range(4))
    for seed in (*range(SEEDS), SHOWN):
        game = play_game(seed, lies=True)
        assert not game.trouble, (seed, game.trouble, game.story)
        for name, counts in (
            ("lies", lies), ("signers", signers), ("binds", binds), ("tables", tables),
        ):  # fmt: skip
            counts.update(game.counts[name])
    assert set(lies) == {each.value for each in Breach}
    assert set(signers) == {each.value for each in Standing}
    assert {each.value for each in Bind} - set(binds) <= {Bind.LOBBY.value}
    assert min(tables[each.value] for each in TableEnd) > 0
