"""The program says of every file of the vectors what stands beside it [protocol.md §6, §11]."""

import json

import pytest

from netgame.protocol.ledger.verdict import VerdictKind
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.text import fingerprint
from tests.tree import VECTORS
from tests.vectors import record_files
from tests.vectors.log_cases import entropy
from tests.vectors.record_files import verdict_on

pytestmark = pytest.mark.real_group

CASES = json.loads((VECTORS / "files" / "files.json").read_text())


def octets_of(case):
    """The file of a case."""
    whole = (VECTORS / "files" / case["file"]).read_bytes() if case["file"] else b""
    return whole[: case["octets"]] + bytes.fromhex(case["more"])


@pytest.mark.parametrize("name", sorted({case["file"] for case in CASES}))
def test_a_file_is_what_the_vector_says(name):
    """What it is; where it is refused, or who is accused of which check."""
    for case in (each for each in CASES if each["file"] == name):
        accused = bytes.fromhex(case.get("accused", ""))
        found = verdict_on(octets_of(case), accused)
        assert found["verdict"] == case["verdict"], case["name"]
        assert (found.get("at"), found.get("check")) == (case.get("at"), case.get("check"))


def test_nobody_is_convicted_who_is_not_accused():
    """Good evidence has a culprit; hearsay and what is refused have none."""
    for case in CASES:
        verdict = verify_record(octets_of(case), entropy())
        is_evidence = case["verdict"] == "evidence"
        assert (verdict.kind is VerdictKind.EVIDENCE) == is_evidence == bool(verdict.culprit)
        if is_evidence:
            assert fingerprint(bytes.fromhex(case["accused"])) in verdict.culprit
        assert verdict.ok == (case["verdict"] in ("record", "evidence"))


def test_files_are_what_the_generator_writes():
    """Nobody edits a vector by hand, and nothing has drifted."""
    made = record_files.documents()
    assert {path.name for path in record_files.FOLDER.iterdir()} == set(made)
    for name, content in made.items():
        assert (record_files.FOLDER / name).read_bytes() == content, name
