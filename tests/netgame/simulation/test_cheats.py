"""One peer cheats: everybody honest names it, with evidence, and nobody else is accused."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from netgame.protocol import progress
from netgame.protocol.core import Core
from netgame.simulation import exposure
from netgame.simulation import game as games
from netgame.simulation.catalogue import CATALOGUE, CHEATS
from netgame.simulation.exposure import Row, first_row
from netgame.simulation.game import play_game
from netgame.wire.messages import Payload

if TYPE_CHECKING:
    from netgame.simulation.cheats import Cheat


@cache
def row_of(cheat: Cheat) -> Row:
    """What came of it, with toys."""
    return first_row(cheat, real=False)


@pytest.mark.parametrize("cheat", CATALOGUE, ids=lambda cheat: cheat.name)
def test_a_cheat_is_found_where_it_first_shows(cheat: Cheat) -> None:
    """By the right check, with good evidence, by all who can; no honest seat is named."""
    row = row_of(cheat)
    assert not row.trouble, row
    assert row.accepted in (True, None)
    named = {whom for _, whom in row.named}
    assert named <= {row.culprit, ""}
    if cheat.binds or cheat.is_silence:
        assert named == {row.culprit}
        assert row.found is not None
    if cheat.binds:
        assert row.accepted
        assert row.found[1] >= row.done[1]
        assert (row.found[1] > row.done[1]) == (cheat.shown is not None)


def test_there_are_cheats_of_every_kind() -> None:
    """Far more than forty, each of another name, and every kind of entry is cheated with."""
    assert len(CATALOGUE) == len({cheat.name for cheat in CATALOGUE})
    assert sum(cheat.binds for cheat in CATALOGUE) >= 40
    kinds = {kind for cheat in CATALOGUE for kind in cheat.kinds}
    untouched = {kind.__name__ for kind in Payload.__args__ if kind not in kinds}
    assert untouched == {"Dismiss", "Missing"}, "which nobody owes: they are written unasked"


def test_the_page_of_cheats_has_them_all() -> None:
    """A row for each, and no row for anything else."""
    page = " ".join(Path("docs/cheats.md").read_text("utf-8").split())
    rows = re.findall(r"\| ([^|]+) \| [^|]+ \| [^|]+ \| ", page)
    silences = {cheat.name for cheat in CATALOGUE if cheat.is_silence}
    others = {cheat.name for cheat in CATALOGUE} - silences
    assert others == {name for name in rows if name not in ("strategy", "---")}
    told = page.partition("Strategies: ")[2].rstrip(".").replace(";", ",").split(", ")
    assert silences == set(told)


def test_silence_is_not_accused() -> None:
    """Who is silent or leaves is given up at the step it left open, and convicted of nothing."""
    silences = [row_of(cheat) for cheat in CATALOGUE if cheat.is_silence]
    assert len(silences) > 20
    for row in silences:
        assert row.check == "given up"
        assert row.found == ("missing", row.done[1])


@pytest.mark.parametrize("name", ["a stacked deck", "cannot play, with a tile that fits"])
def test_a_cheat_with_the_real_group(name: str) -> None:
    """The same with real points, real proofs and real signatures."""
    assert not first_row(CHEATS[name], real=True).trouble


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_cheats_among_faults(first: int) -> None:
    """A network that breaks and processes that die hide nothing for ever."""
    done = 0
    for seed in range(first, first + 10):
        game = play_game(seed, cheat=True)
        assert not game.trouble, (seed, game.cheat, game.trouble, game.story)
        done += bool(game.cheat)
    assert done


def test_a_cheat_that_nobody_judges_is_noticed(monkeypatch) -> None:
    """The verdict is about the honest: if they notice nothing, the game has failed."""
    monkeypatch.setattr(games, "LIMIT_S", 60.0)
    monkeypatch.setattr(exposure, "LIMIT_S", 60.0)
    monkeypatch.setattr(Core, "convict", lambda self, fault: None)
    played = (play_game(seed, faults=False, cheat=True) for seed in range(40))
    assert next(game for game in played if game.cheat and CHEATS[game.cheat].binds).trouble
    assert first_row(CHEATS["a wrong share"], real=False).trouble


def test_evidence_that_convinces_nobody_is_noticed(monkeypatch) -> None:
    """The file alone has to do."""
    monkeypatch.setattr(progress, "evidence_file", lambda ledger, fault, signer: b"my word for it")
    row = first_row(CHEATS["a wrong share"], real=False)
    assert row.accepted is False
    assert row.trouble
