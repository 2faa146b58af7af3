"""Records of games in which players come and go, written in notation and judged."""

from collections import Counter
from hashlib import sha256

import pytest

from cli.exits import CommandFailed
from cli.export.deals import DealHistory
from cli.export.notation import notation_of
from engine.notation.game import GameText, Verb
from engine.notation.notation import parse
from engine.notation.position import scored_rounds
from engine.notation.referee import follow
from engine.play.hub_search import asks_heaviest
from engine.scoring import totals
from engine.table.moves import Catch
from engine.table.table import Ending, RoundPhase
from lab.simulation import game as simulation
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.record import walk
from netgame.protocol.state.phases import SharingDraws
from netgame.wire.messages import Settings
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import say_farewell
from tests.netgame.simtable import full_table, kill
from tests.sliced import sliced
from tests.tree import VECTORS

ENTROPY = expand(bytes(32), "notation")
UNWRITTEN = ("was never shown", "(draws=hidden)", "No round of this game was finished")
"""Parts of the sentences with which the exporter refuses a game that it cannot write."""

SEEN = Counter()
"""Counts what happened in the games of a test, so that it can assert what was covered."""


def digest_of(table, rounds):
    """Return a table's public state with its scores, and a digest of both.

    Position numbers are left out, because notation does not have them.
    """
    trains = [
        (train.id, train.marker, [(lay.seat, lay.tile, lay.joined, lay.on) for lay in train.lays])
        for train in table.trains
    ]
    held = [*map(len, table.hands), len(table.boneyard)]
    ended = (table.outcome, table.round_number, table.first, table.hub, table.game.gone)
    forfeits = sorted(each for each in table.game.forfeits if each[1])
    found = (trains, held, ended, forfeits, rounds)
    return found, sha256(repr(found).encode()).hexdigest()


def check(octets):
    """Write a record in notation, and assert that the referee computes the same rounds from it.

    Return the notation, or None if the record cannot be written.
    """
    story = DealHistory()
    for step in walk(octets, ENTROPY):
        story.take(step)
        state = step.after
    try:
        text = notation_of(walk(octets, ENTROPY))
    except CommandFailed as problem:
        unwritten = [words for words in UNWRITTEN if words in problem.sentence]
        SEEN.update(unwritten or [problem.sentence])
        return None
    written = parse(text)
    assert isinstance(written, GameText), f"{written}\n{text}"
    judged = [*follow(written)]
    wrong = [verdict for verdict, _ in judged if not verdict.ok]
    assert not wrong, f"{wrong[:2]}\n{text}"
    ends = [setting for verdict, setting in judged if verdict.action == "score"]
    scored = [deal.ended for deal in story.deals if not deal.voided]
    assert len(ends) == len(scored)
    for setting, table in zip(ends, scored, strict=True):
        told = digest_of(setting.table, scored_rounds(setting))
        assert told == digest_of(table, table.past), text
    if ends and len(state.table.past) == len(scored):
        names = ends[-1].names
        assert totals(scored[-1]) == tuple(map(sum, zip(*scored_rounds(ends[-1]), strict=True)))
        assert len(names) == scored[-1].spec.seats
    count(written, story)
    return text


def count(written, story):
    """Add the joins, catches and departures of this game to `SEEN`."""
    for played in written.rounds:
        for change in played.changes:
            SEEN["joins" if change.joins else "leaves"] += 1
    for deal in story.deals:
        SEEN["catches"] += sum(isinstance(move, Catch) for _, move in deal.history)
        for each in deal.departures:
            SEEN["redeal" if each.redeal else "rebuilt"] += 1
            SEEN["together"] += len(each.seats) > 1
        SEEN["alone"] += deal.ended.outcome is not None and deal.ended.outcome[0] is Ending.LEFT


LEFT = {
    **dict.fromkeys(("rebuilt", "dealt-again", "left-at-the-end"), (Verb.LEAVES.value, True)),
    **dict.fromkeys(("left-alone", "said-farewell"), (Verb.LEAVES.value, True)),
    **dict.fromkeys(("came-late", "came-back", "newcomer-lost"), ("joins:", True)),
    "formed-again": ("leaves", False),
}


@sliced("name", LEFT, 3)
def test_recorded_games_come_out_the_same_when_they_are_judged(name):
    """Records in which players leave, come late or come back are judged as they were played."""
    text = check((VECTORS / "logs" / f"{name}.bin").read_bytes())
    word, stands = LEFT[name]
    assert (word in text) == stands, text


@pytest.mark.usefixtures("toy_group")
def test_who_leaves_while_tiles_are_turned_up_is_written_as_leaving_the_hand_that_was_due():
    """If Ben leaves during the draw for the first turn, he is written as leaving the coming hand.

    The notation has a line `Ben leaves redeal`, and no header that says that he leaves.
    """
    offer = Settings("standard", ("first=high-draw",), 6, 3, 2, 2, ("patience=vote",))
    table = full_table(("Ann", "Ben", "Cy"), offer)
    ben = table.sitters[1]
    table.run(lambda: isinstance(ben.state.now, SharingDraws))
    assert ben.state.table.phase is RoundPhase.HIGH_DRAW
    say_farewell(table, ben)
    table.run_game()
    assert table.host.state.table.past[0][ben.seat] == 11 + 10
    text = check(table.host.record_octets)
    assert "Ben leaves redeal" in text
    assert "leaves:" not in text


@pytest.fixture
def recorded(monkeypatch):
    """Write in notation and judge every simulated game that finishes without a fault.

    No game hides its draws, because notation cannot express that.
    """
    SEEN.clear()
    honest = simulation.wrong

    def wrong(world, **more):
        found = honest(world, **more)
        finished = [each for each in world.processes if each.is_finished]
        if not found and finished:
            finished[0].records.disk.process_died()
            check(finished[0].records.disk.octets)
            SEEN["games"] += 1
        return found

    monkeypatch.setattr(simulation, "wrong", wrong)
    # A table that hides draws cannot be written in notation.
    monkeypatch.setattr(simulation, "_random_options", lambda _: ())


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("whose", "met"),
    [("leave", ("rebuilt", "redeal", "together")), ("company", ("joins", "leaves"))],
)
def test_simulated_games_come_out_the_same_when_they_are_judged(whose, met, recorded):
    """Simulated games in which players leave or come late are judged as they were played."""
    for seed in range(300, 310):
        game = simulation.play_game(seed, faults=False, **{whose: True})
        assert game.trouble == (), game.trouble
    assert min(SEEN[what] for what in met) > 0, SEEN
    assert SEEN["games"] > 2


def test_what_a_catch_costs_is_written_down(recorded):
    """Games with catches, and the penalty tiles that they cost, are judged as they were played."""
    switches = ("last-tile=tap", "tap-penalty=2")
    for seed in range(18, 22):
        settings = Settings("standard", switches, 6, 3, 1, 3, ())
        assert simulation.play_game(seed, faults=False, settings=settings).trouble == ()
    assert SEEN["catches"] > 2, SEEN
    assert SEEN["games"] == 4


@pytest.mark.parametrize("asking", [True, False])
@pytest.mark.parametrize("engine", ["highest-held", "set-aside"])
def test_a_second_round_given_up_is_written_though_the_moves_said_who_began_it(engine, asking):
    """A game whose second round was given up can be written and is judged as it was played.

    With `asking`, the seats are still being asked for the first double. Without it, the moves have
    already shown who begins.
    """
    rules = ("first=heaviest-held", f"engine={engine}")
    table = full_table(
        NAMES[:4], Settings("standard", rules, 6, 4, 2, 4, ("patience=minute", "leaver=redeal"))
    )

    def is_there():
        now = table.host.state.table
        if now is None or now.round_number != 1:
            return False
        return (
            asks_heaviest(now) if asking else now.phase is RoundPhase.PLAY and now.hub is not None
        )

    table.run(is_there, 3600)
    assert is_there()
    kill(table, table.sitters[3])
    table.run_game(36_000)
    text = check(table.host.record_octets)
    assert text is not None
    assert " leaves redeal" in text
