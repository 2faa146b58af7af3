"""The table of transitions lists every next phase, and almost every row happens in some log."""

import pytest

from engine.table.moves import Catch
from lab.judged_logs import TrustingLedger
from lab.simulation.computers.toys import toys
from netgame.protocol.log.entry import read_entry, read_frames, read_statement
from netgame.protocol.log.fault import Accepted
from netgame.protocol.state.phases import (
    BlindingRebuilt,
    Dealing,
    FindingBlanks,
    OpeningHands,
    Playing,
    Reshuffling,
    SharingDraws,
    Staged,
)
from netgame.protocol.state.session import TRANSITIONS
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.conformance.test_reader import LOGS
from tests.netgame.games import NAMES, entries_in, played, played_widely, played_without
from tests.netgame.protocol.peer.test_calling import at_the_first_call, call
from tests.netgame.shared_checks import checks_shared
from tests.netgame.simtable import full_table

pytestmark = pytest.mark.real_group

SELDOM = {
    (Playing, Reshuffling): "a double declared only when all of the boneyard was looked through",
    (SharingDraws, Dealing): "the last tile turned up, and no double in it that was not used yet",
    (SharingDraws, OpeningHands): "tiles drawn for silence when the round is over",
    (BlindingRebuilt, BlindingRebuilt): "a sum of O, once in 2^256",
    (FindingBlanks, Dealing): "proofs that hold, and yet a tile too many or too few",
    (FindingBlanks, OpeningHands): "a seat that leaves in the last turn of a blocked round",
}
"""Transitions that may happen, but in none of these games, and what each would take."""

AT_ONCE = wire.Settings("standard", ("opening=simultaneous",), 6, 3, 2, 5)
SPRUCE = wire.Settings("spruce", ("opening=simultaneous",), 6, 4, 1, 3, ("draws=hidden",))
AGAIN = wire.Settings(
    "standard", ("engine=holder", "first=engine-layer", "engine-missing=all-draw"), 6, 6, 1, 4
)
"""Six seats, four tiles each: the double may be in a boneyard too small to draw from."""
MORE = (
    (wire.Settings("standard", (), 6, 3, 2, 3, ("audit=keys",)), 0),
    (wire.Settings("standard", ("first=high-draw",), 6, 3, 2, 2), 0),
    (AT_ONCE, 0),
    (AT_ONCE, 10),
    (SPRUCE, 4),
    (wire.Settings("standard", ("last-tile=tap", "tap-penalty=1"), 6, 3, 2, 3), 0),
    (wire.Settings("wolf-lake", (), 6, 3, 1, 2), 2),
    (AGAIN, 8),
)
"""Rules and seeds of games that reach what the others do not."""

RICHER = (
    ("roundhouse", ()),
    ("standard", ("opening=whole-train", "bullet=yes", "opening-double=owed")),
    ("standard", ("last-tile=tap", "tap-penalty=2")),
    ("standard", ("partners=yes",)),
    ("standard", ("engine=highest-held", "first=engine-layer", "engine-missing=turn-draw")),
    ("standard", ("branching=chicken-foot", "marker-voluntary=yes")),
    ("standard", ("cover=anywhere-then-duty", "several=chain", "duty-order=last-played")),
)


def record_of(settings, seed):
    """Return the log of a game between bots."""
    table = full_table(NAMES[: settings.seats], settings, seed=bytes([seed]) * 32)
    table.run_game()
    return table.host.record


def caught():
    """Return the log of a game in which somebody is caught for a missing call, and draws."""
    table, silent, other = at_the_first_call()
    call(table, other, Catch(other.seat, silent.seat))
    table.run_game()
    return table.host.record


def logs():
    """Yield the logs of the vectors, then those of many games."""
    for path in sorted(LOGS.glob("*.bin")):
        yield read_frames(path.read_bytes())[0]
    with toys(), checks_shared():
        games = (played(), played_widely(), played_without())
        yield from (game.host.record for game in games)
        yield caught()
        yield from (record_of(*each) for each in MORE)


def steps_of(record):
    """Yield phase, stage of the deal or None, kind of entry, and next phase for each step of a log.

    A step with several kinds of entry is yielded once for each. Stop at an entry that is not
    accepted.
    """
    ledger = TrustingLedger(read_entry(entries_in(record)[0]).id)
    for payload in record[1:]:
        before, frame = ledger.state, decode_any(payload, wire.RecordFrame)
        if isinstance(frame, wire.RecordStatement):
            ledger.hear(read_statement(frame.statement))
            ledger.decide()
            continue
        judged = ledger.judge(frame.entry)
        if not isinstance(judged, Accepted):
            return  # the log of a cheat ends there
        ledger.settle(judged.entry)
        after = ledger.state
        if after.step > before.step:
            kinds = {type(entry.payload) for entry in ledger.steps[-1]}
            stage = before.now.deal.phase if isinstance(before.now, Staged) else None
            yield from ((type(before.now), stage, kind, type(after.now)) for kind in kinds)
        ledger.decide()


def seen_in(records):
    """Return the set of all transitions in these logs."""
    return frozenset(step for record in records for step in steps_of(record))


DECLARED = {
    (each.phase, each.stage, kind, after)
    for each in TRANSITIONS
    for kind in each.kinds
    for after in each.next
}


@pytest.mark.campaign
def test_nothing_follows_that_is_not_in_the_table():
    """Every step of all logs is in the table, including games with richer rules."""
    assert seen_in(logs()) <= DECLARED
    with toys(), checks_shared():
        records = [record_of(wire.Settings(*rules, 6, 4, 1, 5), 1) for rules in RICHER]
    assert seen_in(records) <= DECLARED


def test_all_of_the_table_happens():
    """Every row of the table happens in some log, except the rare ones in `SELDOM`."""
    happened = {(phase, stage, after) for phase, stage, _, after in seen_in(logs())}
    declared = {(phase, stage, after) for phase, stage, _, after in DECLARED}
    assert {(phase, after) for phase, _, after in declared - happened} == set(SELDOM)
