"""The join code by the formulas of peer.md 3.6, against the vectors of another hand."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.conformance.spake import L, M, N, Run, encode

FILE = json.loads((Path(__file__).parents[1] / "vectors" / "contact.json").read_text())
RUN = FILE["runs"][0]


def side_of(run, side):
    """Give one side of a run of the vectors."""
    octets = {name: bytes.fromhex(run[name]) for name in run if name not in ("name", "code")}
    server = octets["server_key"] + hashlib.sha256(octets["certificate"]).digest()
    drawn = octets["client_entropy" if side == "A" else "server_entropy"]
    secret = int.from_bytes(drawn, "big") % L
    return Run(side, run["code"].encode(), octets["client_key"], server, secret)


def test_points_message_and_key_are_those_of_the_vectors():
    """M, N, w, X, Y and K, each made as the page says."""
    client, server = side_of(RUN, "A"), side_of(RUN, "B")
    assert [encode(point).hex() for point in (M, N)] == [RUN["M"], RUN["N"]]
    assert client.password.to_bytes(32, "little").hex() == RUN["w"]
    assert [client.message.hex(), server.message.hex()] == [RUN["opening"], RUN["answer"]]
    assert client.key(server.message).hex() == server.key(client.message).hex() == RUN["K"]


BAD = [case for case in FILE["refused"] if case["class"] == "malformed"]


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["name"])
def test_no_point_of_the_group_is_refused(case):
    """Letters, lengths, the neutral point in every guise, small orders, the own point."""
    run = {**RUN, **case["change"]}
    with pytest.raises(ValueError, match=" "):
        side_of(run, "A").key(bytes.fromhex(run["answer"]))
