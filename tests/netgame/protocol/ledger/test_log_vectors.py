"""The program agrees with the vectors of logs [protocol.md §9]."""

import json

import pytest

from lab.simulation.cheats.catalogue import CATALOGUE
from netgame.protocol.ledger.verdict import FileFinding
from netgame.protocol.ledger.verification import verify_record
from netgame.wire import messages as wire
from tests.conformance.test_reader import CASES, GOOD, LOGS
from tests.sliced import sliced
from tests.vectors.bad_logs import UNLOGGED, table_of
from tests.vectors.log_cases import Replay, described, entropy, frames_of, signed_in
from tests.vectors.logs import record
from tests.vectors.writing import text

pytestmark = pytest.mark.real_group

FLOOD_LEAST = 200
"""The fewest messages and statements that make a flood.

A case contains the statements, but only the number of the messages.
"""


def signed_of(name):
    """Return the entries and statements of a record among the vectors."""
    return [signed_in(frame) for frame in frames_of((LOGS / name).read_bytes())]


def offered(case):
    """Return the entries and statements that a case offers."""
    kinds = {"entry": wire.SignedEntry, "statement": wire.SignedStatement}
    return [
        kinds[each["kind"]](bytes.fromhex(each["body"]), bytes.fromhex(each["signature"]))
        for each in case["offer"]
    ]


@sliced("name", GOOD, 4)
def test_a_good_log(name):
    """The ids, masks, kinds, digests, scores and end read from a good log match its vector."""
    told = json.loads((LOGS / f"{name}.json").read_text())
    found = described((LOGS / f"{name}.bin").read_bytes())
    assert {"about": told["about"], **json.loads(json.dumps(text(found)))} == told


@pytest.mark.parametrize("log", sorted(CASES))
def test_a_log_that_ends_in_something_wrong(log):
    """Each entry or statement that a case offers after a log gets the stated outcome."""
    signed_so_far, at = signed_of(log), 0
    so_far = Replay(table_of(signed_so_far))
    for case in CASES[log]:
        for signed in signed_so_far[at : case["frames"]]:
            assert so_far.offer(signed) in (None, {"outcome": "ignore"})
        at = case["frames"]
        replay = so_far.fork() if at else Replay(table_of(offered(case)))
        state = replay.ledger.state
        assert (state.step, state.head.hex()) == (case["due"], case["head"]), case["name"]
        results = [replay.offer(signed) or {"outcome": "accept"} for signed in offered(case)]
        assert text(results) == case["results"], case["name"]


def test_every_cheat_of_the_catalogue_has_its_log():
    """Every cheat of the catalogue that can be in a log has a case.

    The case ends in a fault if the cheat binds, and only then.
    """
    by_name = {case["name"]: case for case in json.loads((LOGS / "cheats.json").read_text())}
    in_logs = [cheat for cheat in CATALOGUE if cheat.how not in UNLOGGED]
    assert set(by_name) == {cheat.name for cheat in in_logs}
    for cheat in in_logs:
        last = by_name[cheat.name]["results"][-1]
        assert (last["outcome"] == "fault") == cheat.binds, cheat.name
        if cheat.check is not None and cheat.binds:
            assert last["check"] == cheat.check.value
        told = by_name[cheat.name].get("unlogged", {})
        sent = sum(told.values()) + len(by_name[cheat.name]["offer"])
        assert (sent >= FLOOD_LEAST) == cheat.name.startswith("a flood of"), cheat.name


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("7.2 canonical: one octet more", "it is "),
        ("7.5 signature", "the signature of an entry"),
        ("7.8 turn", "check turn"),
        ("7.15 cut 6: a last after the step", "check cut"),
        ("a proposal that follows not, shown by a step", "check cut"),
    ],
)
def test_a_record_that_goes_on_so_is_refused(name, says):
    """A bad record is refused with a sentence that names the frame, and it convicts nobody."""
    (case,) = (each for of_log in CASES.values() for each in of_log if each["name"] == name)
    before = signed_of(case["log"])[: case["frames"]]
    verdict = verify_record(record([*before, *offered(case)]), entropy())
    assert verdict.finding is FileFinding.BAD
    assert verdict.sentence.startswith("Not a good record: frame ")
    assert says in verdict.sentence
    assert not verdict.culprit
