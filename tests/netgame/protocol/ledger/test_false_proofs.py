"""One false proof in a record, of whatever kind, and `verify` refuses it and names its author.

All else holds: the entry is signed by its author, says what is due, and stands last, so that
nothing behind it can be to blame.
"""

import pytest
from msgspec.structs import replace

from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import entries_in, played_widely, played_without
from tests.netgame.protocol.happenings import file_of, verified

FALSE = {
    wire.KeyOpen: "opening",
    wire.Proof: "proof",
    wire.Shares: "proof",
    wire.Lay: "proof",
    wire.Draw: "proof",
    wire.Pass: "proof",
    wire.Act: "proof",
    wire.OpeningReveal: "turn",
    wire.HandOver: "over",
    wire.MixHand: "proof",
    wire.Rebuild: "contribution",
    wire.Blind: "blinding",
    wire.Unblind: "proof",
    wire.Open: "proof",
}
"""Each kind of entry that proves something of points, and the field that ends with an answer."""


def _spoilt(octets):
    """The last answer is another, and decodes as before."""
    return octets[:-1] + bytes([octets[-1] ^ 1])


def _lie(payload):
    """The same with a proof that does not hold; None if this one has nothing to prove."""
    if isinstance(payload, wire.OpeningReveal):
        turn = _lie(payload.turn)
        return None if turn is None else replace(payload, turn=turn)
    name = FALSE[type(payload)]
    octets = getattr(payload, name)
    return replace(payload, **{name: _spoilt(octets)}) if octets else None


def _lies_in(table):
    """What may be a lie in the first sitter's record, last first: its kind, its frame, the lie."""
    frames = table.host.record
    for at in reversed(range(len(frames))):
        for signed in entries_in(frames[at : at + 1]):
            payload = read_entry(signed).payload
            lie = _lie(payload) if type(payload) in FALSE else None
            if lie is not None:
                yield type(payload), at, lie


def _refusal(table, at, lie):
    """What `verify` says of the record up to a frame that is such a lie, and who signed that."""
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
    """Found by the one sum that all equations go into, or by itself where it has none to add."""
    games = (played_widely(), played_without())
    found = [(game, *each) for game in games for each in _lies_in(game) if each[0] is kind]
    assert found, "no game has such an entry"
    game, _, at, lie = found[0]
    sentence, author = _refusal(game, at, lie)
    assert f"({author})" in sentence
    assert f"check {'shuffle' if kind is wire.Proof else 'proof'})" in sentence
