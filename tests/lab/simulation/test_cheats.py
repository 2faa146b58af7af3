"""When one peer cheats, every honest peer names it, with evidence; nobody else is accused."""

import re
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import ClassVar, Final

import pytest
from msgspec.structs import replace

from docs import make_cheats
from lab.simulation import exposure
from lab.simulation import game as games
from lab.simulation.cheats.catalogue import CATALOGUE, CHEATS
from lab.simulation.cheats.cheat import Cheat
from lab.simulation.cheats.cheater import Cheater, Deed
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.toys import toys
from lab.simulation.exposure import first_row
from lab.simulation.game import play_game
from lab.simulation.mishaps.kinds import Mishap
from netgame.limits import BALLOT_PAUSE_MIN_S
from netgame.protocol.epochs import pairs
from netgame.protocol.epochs.cut import Cut
from netgame.protocol.epochs.pairs import Pair, Written
from netgame.protocol.ledger import evidence, ledger, poll
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.entry import Entry
from netgame.protocol.peer.budget import Budget
from netgame.protocol.peer.people.chair import Chair
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.status import faults
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.state import latecomers
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Payload
from netgame.wire.statements import Ballot, Parting, Promise
from tests.netgame.simtable import LATENCY_S, SimTable, Sitter, standard
from tests.sliced import sliced

IN_OWN_BALLOTS: Final = (
    "a proposer that names somebody who is there",
    "a proposal that counts what nobody has",
)
"""Cheats in a ballot of the cheater's own; they can only delay a vote."""


@pytest.mark.campaign
@pytest.mark.parametrize("cheat", CATALOGUE, ids=attrgetter("name"))
def test_a_cheat_is_found_where_it_first_shows(cheat: Cheat) -> None:
    """Every peer that can find the cheat does, by the right check; no honest seat is named.

    If the cheater falls silent or leaves, the table goes on without it from that step, and does
    not accuse it.
    """
    row = first_row(cheat, real=False)
    assert not row.trouble, row
    assert row.accepted in (True, None)
    named = {whom for _, whom in row.verdicts}
    assert named <= {row.culprit, ""}
    if cheat.binds or cheat.is_silence or cheat.floods:
        assert named == {row.culprit}
        assert row.found is not None
    if cheat.is_silence:
        assert row.check == "gone on without"
        assert row.found == ("cut", row.done[1])
    if cheat.binds:
        assert row.accepted
        assert row.found[1] >= row.done[1]
        assert (row.found[1] > row.done[1]) == (cheat.shown is not None)


def test_there_are_cheats_of_every_kind() -> None:
    """Each cheat has its own name; every kind of entry that a seat owes has a cheat."""
    assert len(CATALOGUE) == len({cheat.name for cheat in CATALOGUE})
    kinds = {kind for cheat in CATALOGUE for kind in cheat.kinds}
    untouched = {kind.__name__ for kind in Payload.__args__ if kind not in kinds}
    assert untouched == {"Dismiss", "Catch"}, "which nobody owes: they are written unasked"


def test_the_page_of_cheats_is_the_catalogue() -> None:
    """The page of cheats is up to date and names every cheat of the catalogue.

    `uv run python docs/make_cheats.py` writes the page.
    """
    page = make_cheats.page()
    assert make_cheats.PAGE.read_text(encoding="utf-8") == page
    flat = " ".join(page.split())
    names = [re.sub("^(is silent|leaves) ", "", cheat.name) for cheat in CATALOGUE]
    assert [name for name in names if name not in flat] == []


@pytest.mark.parametrize("name", ["a stacked deck", "cannot play, with a tile that fits"])
def test_a_cheat_with_the_real_group(name: str) -> None:
    """Cheats are found in games with real points, proofs and signatures, too."""
    assert not first_row(CHEATS[name], real=True).trouble


@sliced("first", range(0, 20, 5), 4)
def test_cheats_among_faults(first: int) -> None:
    """A cheat is found even if networks break and processes die."""
    done = 0
    for seed in range(first, first + 5):
        game = play_game(seed, cheat=True)
        assert not game.trouble, (seed, game.cheat, game.trouble, game.story)
        done += bool(game.cheat)
    assert done


def test_a_cheat_that_closes_a_step_behind_its_own_lie_goes_on(monkeypatch) -> None:
    """A game ends without trouble although a cheater reveals a false secret of its round key.

    In the same game a data folder is copied.
    """

    def deed(chance: Chance) -> Deed:
        chance.pick(CATALOGUE)  # draw once, as if this picked among all cheats
        return Deed(CHEATS["the key of nothing"])

    monkeypatch.setattr(games, "make_deed", deed)
    game = play_game(70226, real=True, cheat=True)
    assert any(Mishap.COPIED.value in line for line in game.story)
    assert not game.trouble, game.trouble


def test_a_second_body_that_goes_into_a_dead_link_parts_nobody(monkeypatch) -> None:
    """A second opening that nobody heard may go unnoticed.

    If its victim had heard it, the game would be reported as trouble.
    """
    game = play_game(1687, cheat=True)
    assert game.cheat == "two openings"
    assert not game.trouble, game.trouble
    monkeypatch.setattr(Deed, "overhear", lambda deed, _: setattr(deed, "was_heard", True))
    assert any("escaped" in each for each in play_game(1687, cheat=True).trouble)


class _SlowFor(SimTable):
    """A table at which `lags` sets how long frames from and to a seat take."""

    lags: ClassVar[dict[str, float]] = {}

    def delays(self, sitter: Sitter, other: Sitter) -> tuple[float, ...]:
        """Return the longer of the two seats' delays, in a tuple of one."""
        names = sitter.core.context.name, other.core.context.name
        return (max(self.lags.get(name, LATENCY_S) for name in names),)


@pytest.mark.parametrize("name", IN_OWN_BALLOTS)
def test_what_only_delays_convicts_nobody_when_a_promise_comes_late(name: str) -> None:
    """A cheat that can only delay a vote convicts nobody, even when a promise comes late.

    By then the cheater already has its majority, and it signs nothing more.
    """
    with toys():
        table = _SlowFor(standard(seats=3, hand=4), bytes([1]) * 32)
        table.seat("Ann", start_at=3)
        cheater = table.seat("Ben", core_class=partial(Cheater, Deed(CHEATS[name])))
        table.seat("Cy")
        table.run(lambda: cheater.core.state.phase is Phase.PLAY)
        table.lags = {"Ann": 0.3, "Cy": 0.4}
        table.run_game()
    assert len(cheater.core.ledger.decisions) > 1
    assert not any(sitter.faults() for sitter in table.sitters)


def test_a_cheat_that_nobody_judges_is_noticed(monkeypatch) -> None:
    """A game is reported as trouble if its honest peers do not notice the cheat."""
    monkeypatch.setattr(games, "LIMIT_S", 60.0)
    monkeypatch.setattr(exposure, "LIMIT_S", 60.0)
    monkeypatch.setattr(exposure, "SEEDS_MOST", 12)
    monkeypatch.setattr(Faults, "convict", lambda self, fault: None)
    played = (play_game(seed, faults=False, cheat=True) for seed in range(40))
    assert next(game for game in played if game.cheat and CHEATS[game.cheat].binds).trouble
    assert first_row(CHEATS["a wrong share"], real=False).trouble


def test_evidence_that_convinces_nobody_is_noticed(monkeypatch) -> None:
    """Evidence that does not convince by itself is reported as trouble."""
    monkeypatch.setattr(exposure, "SEEDS_MOST", 12)
    monkeypatch.setattr(faults, "evidence_file", lambda ledger, fault: b"my word for it")
    row = first_row(CHEATS["a wrong share"], real=False)
    assert row.accepted is False
    assert row.trouble


# ---- what the cheats would find ----------------------------------------------------------------


def _any_table(one: Entry, other: Entry) -> bool:
    return one.signed.body != other.signed.body and one.slot[1:] == other.slot[1:]


def _any_head() -> Callable[..., object]:
    true = Ledger._judge_signed

    def wrong(self: Ledger, entry: Entry, key: bytes) -> object:
        return true(self, replace(entry, prev=self.head_before(entry.step)), key)

    return wrong


def _one_pause_for_all() -> Callable[..., bool]:
    def wrong(self: Polls, ballot: Ballot) -> bool:
        del ballot
        return self.context.reached(self._promised_at + BALLOT_PAUSE_MIN_S)

    return wrong


def _never_astray(said: Promise | Parting, entry: Written) -> Pair | None:
    return pairs.went_on(said, entry._replace(prev=said.head))


@pytest.mark.campaign
@sliced(
    ("cheat", "where", "what", "wrong"),
    [
        ("evidence of two tables", ledger, "is_fork", _any_table),
        ("evidence from another branch", Ledger, "_judge_signed", _any_head()),
        ("evidence with a signature of another entry", Entry, "is_by", lambda self, key: True),
        ("two promises of one ballot", poll, "convicting", lambda *_: None),
        ("an entry behind the last that a promise allows", evidence, "went_on", lambda *_: None),
        ("an entry behind another head than was promised", evidence, "went_on", _never_astray),
        ("a proposal that counts too few", Poll, "why_false", lambda *_: None),
        ("a certificate of too few accepts", Cut, "is_decided_by", lambda *_: True),
        ("an owner that outbids every ballot", Polls, "_may_promise", _one_pause_for_all()),
        ("a majority that undoes moves", Ledger, "_entry_against", lambda *_: None),
        ("a seat that two quorums share and that parts them", poll, "convicting", lambda *_: None),
        ("a seat for a key that was kicked", Chair, "turns_away", lambda *_: False),
        ("a flood of steps to come", Budget, "may", lambda *_: True),
        (
            "a seat for who has left, by its first request",
            latecomers,
            "is_for_now",
            lambda *_: True,
        ),
    ],
    2,
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_cheat_that_would_succeed_is_noticed(
    cheat: str, where: object, what: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the check that prevents a cheat is missing, the cheat's row reports trouble."""
    monkeypatch.setattr(exposure, "LIMIT_S", 300.0)
    monkeypatch.setattr(exposure, "SEEDS_MOST", 4)
    monkeypatch.setattr(where, what, wrong)
    by_name = {each.name: each for each in CATALOGUE}
    assert first_row(by_name[cheat], real=False).trouble


def test_a_seat_without_its_journal_would_show_its_first_hand(monkeypatch) -> None:
    """A seat without its journal gives shares for a second deck, and the cheater sees its tiles.

    The second deck is the first with the two hands exchanged, so the victim's shares for the
    cheater's new hand open its own first hand. This shows that the attack is real.
    """
    monkeypatch.setattr(Journal, "recall", lambda *_: ())
    monkeypatch.setattr(exposure, "SEEDS_MOST", 12)
    cheat = next(each for each in CATALOGUE if each.name.startswith("another deck, for"))
    assert any(
        re.match(r"Ben saw \d+ tiles of Ann", said) for said in first_row(cheat, real=False).trouble
    )
