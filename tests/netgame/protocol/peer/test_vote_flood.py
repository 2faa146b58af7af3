"""One seat says of many sets of seats that they are missing: nobody honest pays for it."""

from itertools import combinations

from netgame.limits import FRAME_BYTES_MAX, MISSING_MAX
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import filled_mask, sign_entry
from netgame.protocol.peer.sync import batches
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.simtable import full_table

SEATS = 12


def test_a_flood_of_votes_drops_no_honest_link_and_names_nobody_honest() -> None:
    """Of all small subsets a seat can say sixteen, and all of that fits the frames of others."""
    names = tuple(f"P{number}" for number in range(SEATS))
    settings = wire.Settings("standard", (), 6, SEATS, 1, 1, ("patience=vote",))
    table = full_table(names, settings, seed=bytes(32))
    table.run(lambda: all(each.core.state.phase is Phase.DEAL for each in table.sitters))
    liar, *honest = table.sitters
    state = liar.core.state
    own = state.seat_of(liar.core.key)
    others = [seat for seat in state.present if seat != own]
    small = [set(some) for size in (1, 2, 3, 4, 5) for some in combinations(others, size)]
    assert len(small) > 1000
    signed = []
    for number, some in enumerate(small):
        payload = wire.Missing(filled_mask(tuple(some)), 0, (), whole=False, unplayed=False)
        stage = number % MISSING_MAX + 1 if number < MISSING_MAX else MISSING_MAX
        body = wire.Body(state.log_id, state.step, state.head, own, stage, payload)
        signed.append(sign_entry(liar.core.place.signer, body))
    within, beyond = signed[:MISSING_MAX], signed[MISSING_MAX:]
    for sitter in honest:
        frame = encode(wire.Entries(tuple(within)))
        table.do(sitter, sitter.core.frame(liar.core.key, frame, table.now))
    until = table.now + 6.0
    table.run(lambda: table.now >= until or table.sitters[1].core.state.phase is Phase.OVER, 60)
    for sitter in honest:
        assert not sitter.faults()
        assert not any(peer.dropped for peer in sitter.core.place.links.peers.values())
    # The seventeenth, whatever it says, is a second entry for a slot: it convicts its signer alone.
    one = honest[0]
    if one.core.state.step == state.step:
        for piece in batches(beyond):
            one.core.frame(liar.core.key, encode(wire.Entries(piece)), table.now)
        assert one.core.fault is not None
        assert one.core.fault.key == liar.core.key


def test_all_that_can_be_said_in_a_step_is_sent_in_frames_that_others_take() -> None:
    """Fourteen seats, sixteen times each, with the words of thirteen leavers."""
    leaves = tuple(wire.Leave(200_000, bytes(64)) for _ in range(13))
    payload = wire.Missing(bytes([255]) * 32, 0, leaves, whole=False, unplayed=True)
    body = encode(wire.Body(bytes(64), 200_000, bytes(64), 13, 16, payload))
    votes = [wire.SignedEntry(body, bytes(64))] * (14 * MISSING_MAX)
    pieces = list(batches(votes))
    assert sum(map(len, pieces)) == len(votes)
    assert len(pieces) > 1
    assert all(len(encode(wire.Entries(piece))) <= FRAME_BYTES_MAX for piece in pieces)
