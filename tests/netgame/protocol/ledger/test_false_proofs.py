"""`verify` names the author of a single false proof that only a sum of proofs can reveal.

The entry with that proof is otherwise right: its author has signed it, and it is due. It is the
last of the record, so no later entry can be to blame.
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
"""Each kind of entry whose proof is checked only in a sum, and the field that contains the proof.

Shuffle proofs are also checked in a sum, but a file of the vectors has a false one. The proofs of
all other kinds are checked one by one; the logs of the vectors have a false one of each.
"""


def _spoilt(octets):
    """Return a proof with its last answer changed; it still decodes."""
    return octets[:-1] + bytes([octets[-1] ^ 1])


def _lie(payload):
    """Return the payload with a false proof, or None if it has no proof."""
    name = FALSE.get(type(payload), "claim" if hasattr(payload, "claim") else "proof")
    if name == "turn":
        turn = _lie(payload.turn)
        return None if turn is None else replace(payload, turn=turn)
    octets = getattr(payload, name)
    return replace(payload, **{name: _spoilt(octets)}) if octets else None


def _lies_in(table):
    """Yield the kind, frame number and falsified payload of each entry with a proof, last first.

    Only the kinds in `FALSE` are yielded.
    """
    frames = table.host.record
    for at in reversed(range(len(frames))):
        for signed in entries_in(frames[at : at + 1]):
            payload = read_entry(signed).payload
            lie = _lie(payload) if type(payload) in FALSE else None
            if lie is not None:
                yield type(payload), at, lie


def _refusal(table, at, lie):
    """Return what `verify` says of a record that ends with a lie, and the liar's fingerprint."""
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
    """A record with one false proof is refused; the sentence names its author and the check."""
    at, lie = next((at, lie) for each, at, lie in _lies_in(played_widely()) if each is kind)
    sentence, author = _refusal(played_widely(), at, lie)
    assert f"({author})" in sentence
    assert "check proof)" in sentence
