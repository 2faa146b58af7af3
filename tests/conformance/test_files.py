"""A reader written from protocol.md alone gives each file of the vectors the right verdict."""

import json
from pathlib import Path

import pytest

from tests.conformance.files import verify

FILES = Path(__file__).parents[1] / "vectors" / "files"
CASES = json.loads((FILES / "files.json").read_text())
TOLD = ("verdict", "at", "check", "accused")


def octets_of(case):
    """Return the octets of a case: the beginning of a file, and more octets after it."""
    whole = (FILES / case["file"]).read_bytes() if case["file"] else b""
    return whole[: case["octets"]] + bytes.fromhex(case["more"])


@pytest.mark.parametrize("name", sorted({case["file"] for case in CASES}))
def test_a_file_is_what_the_vector_says(name):
    """The verdict equals the vector's, with the place of a refusal or the accused and the check."""
    for case in CASES:
        if case["file"] == name:
            wanted = {field: case[field] for field in TOLD if field in case}
            assert verify(octets_of(case)) == wanted, case["name"]


def test_there_is_a_file_for_each_kind_of_evidence():
    """Each kind of evidence of 6.3 convicts somebody in some file, and each verdict occurs."""
    convicting = [case for case in CASES if case["verdict"] == "evidence"]
    checks = {case["check"] for case in convicting}
    assert checks == {"fork", "shape", "proof", "rules", "shuffle", "audit", "cut"}
    assert {case["verdict"] for case in CASES} == {
        *("record", "evidence", "refused", "other version", "other revision")
    }
