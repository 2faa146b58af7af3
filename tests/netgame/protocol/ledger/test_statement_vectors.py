"""The program agrees with the vectors of statements [protocol.md §4.7]."""

import pytest

from netgame.errors import Malformed
from netgame.protocol.epochs.company import epoch_id
from netgame.protocol.log.entry import epoch_digest, read_statement
from netgame.wire.messages import SignedStatement
from tests.conformance.test_statements import VECTORS as SAID
from tests.conformance.test_statements import unhex

pytestmark = pytest.mark.real_group


@pytest.mark.parametrize("case", SAID["accepted"], ids=lambda case: case["says"])
def test_a_statement(case):
    """A statement has the vector's name, and its signature is good."""
    body, name, signature = unhex(case, "body", "name", "signature")
    said = read_statement(SignedStatement(body, signature))
    assert said.name == name
    assert said.is_by(bytes.fromhex(SAID["public"]))


@pytest.mark.parametrize("case", SAID["refused"], ids=lambda case: case["name"])
def test_what_is_no_statement(case):
    """Octets that are not the canonical encoding of a statement within its bounds are refused."""
    with pytest.raises(Malformed):
        read_statement(SignedStatement(bytes.fromhex(case["body"]), bytes(64)))


@pytest.mark.parametrize("case", SAID["epochs"], ids=lambda case: str(case["goes"]))
def test_an_epoch_has_the_id_of_its_cut(case):
    """The id and the digest computed for the epoch that a cut begins are those of the vector."""
    before, head, new = unhex(case, "before", "head", "id")
    assert epoch_id(before, sum(1 << seat for seat in case["goes"]), case["step"], head) == new
    assert epoch_digest(head, new) == bytes.fromhex(case["digest"])
