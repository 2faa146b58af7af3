"""The join code by the formulas of protocol.md 3.6, against the vectors of another hand."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.conformance.spake import Client, L, M, N, encode

FILE = json.loads((Path(__file__).parents[1] / "vectors" / "contact.json").read_text())
RUN = FILE["runs"][0]


def client_of(run):
    """Give the client of a run of the vectors."""
    octets = {name: bytes.fromhex(run[name]) for name in run if name not in ("name", "code")}
    server = octets["server_key"] + hashlib.sha256(octets["certificate"]).digest()
    secret = int.from_bytes(octets["client_entropy"], "big") % L
    return Client(run["code"].encode(), octets["client_key"], server, secret)


def test_points_message_and_key_are_those_of_the_vectors():
    """M, N, w, X and K, each made as the page says."""
    client = client_of(RUN)
    assert [encode(point).hex() for point in (M, N)] == [RUN["M"], RUN["N"]]
    assert client.password.to_bytes(32, "little").hex() == RUN["w"]
    assert client.message.hex() == RUN["opening"]
    assert client.key(bytes.fromhex(RUN["answer"])).hex() == RUN["K"]


BAD = [case for case in FILE["refused"] if case["class"] == "malformed"]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["name"])
def test_no_point_of_the_group_is_refused(case):
    """Letters, lengths, the neutral point in every guise, small orders, the own point."""
    run = {**RUN, **case["change"]}
    with pytest.raises(ValueError, match=" "):
        client_of(run).key(bytes.fromhex(run["answer"]))
