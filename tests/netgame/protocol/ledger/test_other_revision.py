"""A record made under another revision of the rules is not judged, and convicts nobody."""

import pytest

from engine.rules.revision import RULES_REVISION
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.ledger.verdict import FileFinding, RecordVerdict
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import played
from tests.netgame.protocol.happenings import file_of, verified, walked
from tests.netgame.protocol.ledger.intake import resigned, signer_of
from tests.netgame.revisions import playing

LATER = RULES_REVISION + 1
SAYS = (
    f"Not verified: this is a game by revision {RULES_REVISION} of the rules, and this program "
    f"plays revision {LATER}: use the Boneyard that began it"
)


def record():
    """Return the frames of a good record of a whole game, by this program's revision."""
    return list(played(3, 6, 1).host.record)


def entry_of(frame):
    """Return the entry of a frame."""
    return decode(frame, wire.RecordEntry).entry


def good():
    """Return the file of the whole game."""
    return file_of(record())


def cut_off():
    """Return a file that breaks off inside its last frame."""
    return good()[:-5]


def refused():
    """Return a file in which one of the first entries has a wrong signature."""
    frames = record()
    forged = wire.SignedEntry(entry_of(frames[3]).body, bytes(64))
    return file_of([*frames[:3], encode(wire.RecordEntry(forged)), *frames[4:]])


def convicting():
    """Return an evidence file of a fork, which convicts under the revision that is played here."""
    frames = record()
    other = resigned(frames[-1], signer_of(frames[-1]), prev=bytes(64))
    entries = entry_of(frames[-1]), entry_of(other)
    return file_of([*frames, encode(wire.EvidenceFrame("fork", entries))])


@pytest.mark.parametrize("octets", [good, cut_off, refused, convicting])
def test_whatever_it_holds_one_sentence_says_which_revision_it_is(octets):
    """The verdict on a file of another revision names only the revision; the rest is not judged."""
    own = verified(octets())
    assert own.finding is not FileFinding.OTHER_REVISION
    assert bool(own.culprit) is (octets is convicting)
    with playing(LATER):
        verdict = verified(octets())
        with pytest.raises(BadRecord, match=f"by revision {RULES_REVISION} of the rules"):
            next(walked(octets()))
    assert verdict == RecordVerdict(FileFinding.OTHER_REVISION, verdict.says, RULES_REVISION)
    assert verdict.sentence == SAYS
