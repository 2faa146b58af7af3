"""A record with a false proof is not shown, and no reader crashes on it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from cli.history.film import film_of
from cli.kept import summary_of_record
from lab.simulation.computers.toys import toys
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.log.entry import frame_payload, read_entry, sign_entry
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import entries_in
from tests.netgame.simtable import SimTable, full_table

HIGH_DRAW = wire.Settings("standard", ("first=high-draw",), 6, 3, 1, 3)


@pytest.fixture(autouse=True)
def with_toys() -> Iterator[None]:
    """Use toy cryptography: these tests do not depend on the real group."""
    with toys():
        yield


def _forged(table: SimTable, at: int, payload: wire.Payload) -> bytes:
    """Return the first sitter's record up to and including frame `at`, with `payload` in its entry.

    The author of the entry signs it again, so that only the payload can be wrong.
    """
    frames = table.sitters[0].record
    (signed,) = entries_in((frames[at],))
    author = next(s for s in table.sitters if read_entry(signed).is_by(s.core.key))
    body = replace(decode(signed.body, wire.Body), payload=payload)
    last = encode(wire.RecordEntry(sign_entry(author.signer, body)))
    return b"".join(map(frame_payload, (*frames[:at], last)))


def _last(table: SimTable, kind: type) -> tuple[int, wire.Payload]:
    """Find the last payload of this kind in the first sitter's record.

    Return the number of its frame and the payload.
    """
    frames = table.sitters[0].record
    found = ((at, each) for at, frame in enumerate(frames) for each in entries_in((frame,)))
    payloads = [(at, read_entry(each).payload) for at, each in found]
    return next(each for each in reversed(payloads) if isinstance(each[1], kind))


def _turned_up() -> tuple[SimTable, int, wire.Shares]:
    """Return a table just after its draw for the first turn, and the last shares for that draw.

    The tuple holds the table, the number of the frame with those shares, and the shares.
    """
    table = full_table(("Ann", "Ben", "Cy"), HIGH_DRAW)
    ann = table.sitters[0].core
    table.run(lambda: ann.state.phase is Phase.DRAWN)
    table.run(lambda: ann.state.phase is not Phase.DRAWN)
    return (table, *_last(table, wire.Shares))


@pytest.mark.parametrize("read", [film_of, summary_of_record])
@pytest.mark.parametrize("spoilt", ["tokens", "proof"])
def test_a_share_that_does_not_hold_is_laid_to_who_gave_it(read, spoilt) -> None:
    """A reader blames the author of a false share, even if it reveals an impossible tile."""
    table, at, shares = _turned_up()
    first, rest = shares.tokens[:33], shares.tokens[33:]
    proof = shares.proof[:-1] + bytes([shares.proof[-1] ^ 1])
    false = {"tokens": rest + first, "proof": proof}
    with pytest.raises(BadRecord, match="sent a share that is not of its key"):
        read(_forged(table, at, replace(shares, **{spoilt: false[spoilt]})))


def test_a_record_that_holds_is_shown() -> None:
    """A record whose shares are all true is shown as a film and read as a summary."""
    table, at, shares = _turned_up()
    octets = _forged(table, at, shares)
    assert film_of(octets)
    assert summary_of_record(octets).pip_max == 6
