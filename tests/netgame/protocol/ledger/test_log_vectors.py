"""The program finds in every log of the vectors what stands beside it [protocol.md §11]."""

import json

import pytest

from lab.simulation.cheats.catalogue import CATALOGUE
from lab.simulation.cheats.cheat import How
from netgame.protocol.ledger.record import verify_record
from netgame.protocol.log.entry import frame_payload
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.sliced import sliced
from tests.tree import VECTORS
from tests.vectors.log_cases import Replay, described, entropy, frames_of
from tests.vectors.logs import record
from tests.vectors.writing import text

pytestmark = pytest.mark.real_group

LOGS = VECTORS / "logs"
GOOD = sorted(path.stem for path in LOGS.glob("*.json") if path.stem not in ("checks", "cheats"))
CASES = {name: json.loads((LOGS / f"{name}.json").read_text()) for name in ("checks", "cheats")}

FLOOD_LEAST = 200
"""Messages without an entry that a flood has at least; no log shows them, so the case says them."""


def entries_of(name: str) -> list[wire.SignedEntry]:
    """The entries of a record among the vectors."""
    return [frame.entry for frame in frames_of((LOGS / name).read_bytes())]


def offered(case: dict) -> list[wire.SignedEntry]:
    """The entries that a case offers."""
    return [
        wire.SignedEntry(bytes.fromhex(each["body"]), bytes.fromhex(each["signature"]))
        for each in case["offer"]
    ]


def table_of(entries: list[wire.SignedEntry]) -> bytes:
    """The id of the table that a log is of."""
    return decode(entries[0].body, wire.Body).id


@sliced("name", GOOD, 4)
def test_a_good_log(name: str) -> None:
    """Ids, masks, kinds and digests, step by step and entry by entry; scores and the end."""
    told = json.loads((LOGS / f"{name}.json").read_text())
    found = described((LOGS / f"{name}.bin").read_bytes())
    assert {"about": told["about"], **json.loads(json.dumps(text(found)))} == told


@sliced("log", sorted({case["log"] for each in CASES.values() for case in each}), 4)
def test_a_log_that_ends_in_something_wrong(log: str) -> None:
    """What becomes of each entry that is offered: outcome, check, step and culprit."""
    entries, at = entries_of(log), 0
    mine = [case for each in CASES.values() for case in each if case["log"] == log]
    so_far = Replay(table_of(entries))
    for case in sorted(mine, key=lambda case: case["entries"]):
        for signed in entries[at : case["entries"]]:
            assert so_far.offer(signed) is None
        at = case["entries"]
        replay = so_far.fork() if at else Replay(table_of(offered(case)))
        state = replay.ledger.state
        assert (state.step, state.head.hex()) == (case["due"], case["head"]), case["name"]
        results = [replay.offer(signed) or {"outcome": "accept"} for signed in offered(case)]
        assert text(results) == case["results"], case["name"]


def test_every_cheat_of_the_catalogue_has_its_log() -> None:
    """By name; and every one that binds its author convicts. No log knows who was kicked."""
    by_name = {case["name"]: case for case in CASES["cheats"]}
    in_logs = [cheat for cheat in CATALOGUE if cheat.how is not How.KICKED]
    assert set(by_name) == {cheat.name for cheat in in_logs}
    for cheat in in_logs:
        last = by_name[cheat.name]["results"][-1]
        assert (last["outcome"] == "fault") == cheat.binds, cheat.name
        if cheat.check is not None and cheat.binds:
            assert last["check"] == cheat.check.value
        told = by_name[cheat.name].get("unlogged", {})
        assert (sum(told.values()) >= FLOOD_LEAST) == cheat.name.startswith("a flood of"), (
            cheat.name
        )


@pytest.mark.parametrize("check", ["fork", "turn", "kind", "shape", "rules", "proof"])
def test_a_case_is_good_evidence(check: str) -> None:
    """As a file it convicts the same key of the same check."""
    case = next(each for each in CASES["checks"] if each["results"][-1].get("check") == check)
    before = entries_of(case["log"])[: case["entries"]]
    closing = wire.EvidenceFrame(check, tuple(offered(case)), b"", b"", b"")
    octets = record(before) + frame_payload(encode(closing))
    verdict = verify_record(octets, entropy())
    assert verdict.ok, verdict.sentence
    assert verdict.check == check
    assert fingerprint(bytes.fromhex(case["results"][-1]["culprit"])) in verdict.culprit
