"""`verify` names the author of a single false proof, which only the sum of proofs reveals.

Everything else is right: the author has signed the entry, it says what is due, and it comes
last. So no later entry can be to blame.
"""

import pytest
from msgspec.structs import replace

from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import entries_in, played_widely
from tests.netgame.protocol.happenings import file_of, verified

FALSE = {wire.Shares: "proof", wire.Draw: "claim", wire.OpeningReveal: "turn"}
"""Each kind of entry whose proof is only checked in a sum, and the field that ends with an answer.

The shuffle proofs are too: a file of the vectors has a false one. All other kinds are checked one
by one, in a record as at a table, and the logs of the vectors have a false one of each.
"""


def _spoilt(octets):
    """Change the last answer of a proof, so that the proof still decodes."""
    return octets[:-1] + bytes([octets[-1] ^ 1])


def _lie(payload):
    """Return the payload with a false proof, or None if this one has nothing to prove."""
    name = FALSE.get(type(payload), "claim" if hasattr(payload, "claim") else "proof")
    if name == "turn":
        turn = _lie(payload.turn)
        return None if turn is None else replace(payload, turn=turn)
    octets = getattr(payload, name)
    return replace(payload, **{name: _spoilt(octets)}) if octets else None


def _lies_in(table):
    """Yield each possible lie in the host's record, last first: kind, frame number, payload."""
    frames = table.host.record
    for at in reversed(range(len(frames))):
        for signed in entries_in(frames[at : at + 1]):
            payload = read_entry(signed).payload
            lie = _lie(payload) if type(payload) in FALSE else None
            if lie is not None:
                yield type(payload), at, lie


def _refusal(table, at, lie):
    """Return the sentence of `verify` on a record that ends with this lie, and its author."""
    frames = table.host.record
    (signed,) = entries_in(frames[at : at + 1])
    author = next(s for s in table.sitters if read_entry(signed).is_by(s.key))
    body = replace(decode(signed.body, wire.Body), payload=lie)
    last = encode(wire.RecordEntry(sign_entry(author.signer, body)))
    verdict = verified(file_of((*frames[:at], last)))
    assert not verdict.ok, verdict.sentence
    return verdict.sentence, fingerprint(author.key)


@pytest.mark.parametrize("kind", FALSE, ids=lambda kind: kind.__name__)
def test_one_false_proof_refuses_a_record(kind):
    """One false proof refuses a record, and the sentence names its author and the check."""
    at, lie = next((at, lie) for each, at, lie in _lies_in(played_widely()) if each is kind)
    sentence, author = _refusal(played_widely(), at, lie)
    assert f"({author})" in sentence
    assert "check proof)" in sentence
