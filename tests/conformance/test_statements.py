"""The reader of statements, written from protocol.md alone, agrees with the vectors."""

import json
from pathlib import Path

import pytest

from tests.conformance import octets, proofs
from tests.conformance.poll import statement
from tests.netgame.crypto.oracle import hashed

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "statements.json").read_text())


def unhex(case, *names):
    """Return some fields of a vector as octets."""
    return tuple(bytes.fromhex(case[name]) for name in names)


@pytest.mark.parametrize("case", VECTORS["accepted"], ids=lambda case: case["says"])
def test_a_statement(case):
    """A statement has the vector's name, and its signature verifies only in the domain of cuts."""
    body, name, signature = unhex(case, "body", "name", "signature")
    assert statement(body, signature).name == name
    (public,) = unhex(VECTORS, "public")
    assert proofs.signed(public, "boneyard/v4/cut", body, signature)
    assert not proofs.signed(public, "boneyard/v4/entry", body, signature)


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["name"])
def test_what_is_no_statement(case):
    """Values outside limits, extra fields and other encodings are refused."""
    (body,) = unhex(case, "body")
    with pytest.raises(octets.Malformed):
        statement(body, bytes(64))


@pytest.mark.parametrize("case", VECTORS["epochs"], ids=lambda case: str(case["goes"]))
def test_an_epoch_has_the_id_of_its_cut(case):
    """The new epoch has the vector's id, and its step has the digest of that id."""
    before, head, new, digest = unhex(case, "before", "head", "id", "digest")
    goes = sum(1 << seat for seat in case["goes"])
    assert hashed("epoch", before, goes, case["step"], head) == new
    assert hashed("step", head, [new]) == digest
