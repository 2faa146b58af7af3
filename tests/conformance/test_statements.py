"""The reader of statements, written from protocol.md alone, agrees with the vectors."""

import json
from pathlib import Path

import pytest
from msgpack import packb

from tests.conformance import octets, proofs
from tests.conformance.fold import leaving
from tests.conformance.fold.state import Fold
from tests.conformance.poll import Poll, statement

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
def test_an_epoch_has_the_id_of_its_cut(case, monkeypatch):
    """The reader's new epoch has the vector's id, and its step has the digest of that id."""
    monkeypatch.setattr(leaving, "go_on_without", lambda _fold, _seats: None)  # needs a whole log
    before, head, new, digest = unhex(case, "before", "head", "id", "digest")
    fold = Fold(before)
    fold.step, fold.head = case["step"], head
    leaving.open_epoch(fold, frozenset(case["goes"]))
    assert (fold.id, fold.head, fold.step) == (new, digest, case["step"] + 1)
    assert fold.ids == ((0, before), (case["step"], new))
    assert fold.gone == frozenset(case["goes"])


class Agreed:
    """A log that holds every head that is named, before any coin has fallen."""

    def holds(self, _step, _head):
        """Return True."""
        return True

    def is_final(self, _step):
        """Return False."""
        return False


def test_a_certificate_proves_its_decision_to_who_has_nothing_else():
    """A certificate has what its partings had accepted, each statement behind those it names.

    Without that a reader cannot count such a parting, and finds nothing decided.
    """
    table, low, high, ends = bytes(64), (1, 0), (2, 1), (1, bytes(64), 0)
    poll = Poll((table, 0), frozenset(range(4)), frozenset(), Agreed())

    def say(tag, *fields):
        said = statement(packb((tag, table, 0, *fields)), bytes(64))
        poll.held[said.name] = said
        return said.name

    def proposal(ballot, *counted):
        return say("proposal", ballot, 0b1000, *ends[:2], sorted(counted))

    first = proposal(low, *(say("promise", seat, low, *ends, 0b1000, b"") for seat in range(3)))
    others = [say("promise", seat, high, *ends, 0b1000, b"") for seat in (0, 1)]
    again = proposal(high, *others, say("promise", 2, high, *ends, 0b1000, first))
    say("accept", 2, first)
    parted = say("parting", 2, high, *ends, first)
    for seat in (0, 1):
        say("accept", seat, again)
    assert poll.decided().name == again
    certificate = poll.certificate(poll.decided())
    alone = Poll((table, 0), poll.voters, frozenset(), poll.log)
    for each in certificate:
        assert set(each.names) - {b""} <= alone.held.keys()
        alone.held[each.name] = each
    assert parted in alone.held
    assert alone.decided().name == again
