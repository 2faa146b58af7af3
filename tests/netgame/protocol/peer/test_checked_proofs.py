"""A player reads how many proofs of others this process verified, and who mixed the deck."""

from collections import Counter

from netgame.protocol.log.fault import ProofKind
from netgame.protocol.notices import Dealt, GameOver, RoundOver
from netgame.wire import messages as wire
from tests.netgame.games import NAMES
from tests.netgame.simtable import full_table, kill, link_all, revive, standard
from tests.netgame.small_games import playing

SHOWS = {
    wire.Proof: ProofKind.SHUFFLE,
    wire.KeyOpen: ProofKind.KEY,
    wire.Shares: ProofKind.LOCK,
    wire.Lay: ProofKind.TILE,
    wire.Open: ProofKind.TILE,
    wire.Draw: ProofKind.HAND,
    wire.Pass: ProofKind.HAND,
}


def proofs_of_others(sitter, known=()):
    """Return how many proofs of each kind the log has from other seats, as (kind, number) pairs.

    Entries in `known` are left out, as are kinds without a proof.
    """
    found = Counter()
    for entry in sitter.ledger.newest_first():
        payload = entry.payload
        shown = SHOWS.get(type(payload))
        if shown is None or entry.seat == sitter.seat or entry in known:
            continue
        if isinstance(payload, wire.Open) and not payload.proof:
            continue  # nothing is left to show
        if isinstance(payload, wire.Draw | wire.Pass) and not payload.claim:
            continue  # an empty hand, or one without a claim
        found[shown] += 1
    return tuple((kind, found[kind]) for kind in ProofKind if found[kind])


def test_each_proof_of_the_others_is_counted_once():
    """Each proof of another seat is counted once over a game of two rounds."""
    table = full_table(NAMES[:3], standard(6, 3, 2))
    table.run_game()
    for sitter in table.sitters:
        assert sitter.view.proofs == proofs_of_others(sitter)
    counted = dict(table.sitters[0].view.proofs)
    assert counted[ProofKind.SHUFFLE] == counted[ProofKind.KEY] == 4
    assert counted[ProofKind.TILE] > 4 < counted[ProofKind.LOCK]


def test_what_a_record_holds_is_not_counted_again():
    """After a restart the count starts at zero, without the proofs in the record."""
    table = full_table(NAMES[:3], standard(6, 3, 1))
    table.run(lambda: playing(table))
    one = table.sitters[1]
    assert one.view.proofs
    kill(table, one)
    revive(table, one)
    assert one.view.proofs == ()
    known = tuple(one.ledger.newest_first())
    link_all(table)
    table.run_game()
    assert one.view.proofs == proofs_of_others(one, known)


def test_who_mixed_a_deck_is_told_with_each_deal_and_its_end():
    """The players who mixed a deck are named with its deal and with the end of its round."""
    table = full_table(NAMES[:3], standard(6, 3, 2))
    assert table.sitters[0].view.mixers == ()
    table.run(lambda: playing(table))
    assert table.sitters[0].view.mixers == (0, 1, 2)
    table.run_game()
    one = table.sitters[2]
    assert [each.mixers for each in one.told_of(Dealt)] == [(0, 1, 2)] * 2
    ends = [each.end for each in (*one.told_of(RoundOver), *one.told_of(GameOver))]
    assert [end.mixers for end in ends if end is not None] == [(0, 1, 2)] * 2
