"""Whole games between cores, and what their records say."""

from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.peer.view import TableStage
from tests.netgame.protocol.happenings import until_in_play
from tests.netgame.simtable import SimTable, full_table, standard
from tests.sliced import sliced

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")


def fresh(label: str = "verify"):
    """Entropy for a verifier."""
    return expand(bytes(32), label)


def play(seats: int, pip_max: int = 6, rounds: int = 1, seed: bytes = bytes(32)) -> SimTable:
    """Play a whole game between bots."""
    table = full_table(NAMES[:seats], standard(pip_max, seats, rounds), seed=seed)
    table.run_game()
    return table


@sliced(("seats", "pip_max", "rounds"), [(3, 6, 3), (2, 6, 7), (4, 9, 1)], 2)
def test_every_peer_ends_with_the_same_log(seats: int, pip_max: int, rounds: int) -> None:
    """All rounds are played, nobody is accused, and heads and scores agree."""
    table = play(seats, pip_max, rounds)
    states = [sitter.core.state for sitter in table.sitters]
    assert {state.phase for state in states} == {Phase.OVER}
    assert len({state.head for state in states}) == 1
    assert states[0].table is not None
    assert len(states[0].table.past) == rounds
    for sitter in table.sitters:
        assert not sitter.faults()
        assert sitter.core.view().stage is TableStage.OVER
        verdict = verify_record(sitter.record_octets, fresh())
        assert verdict.ok, verdict.sentence
        assert verdict.finished
        assert verdict.head == states[0].head.hex()
        assert any(isinstance(each, notices.GameOver) for each in sitter.told)


def test_the_next_deal_stands_between_the_turns() -> None:
    """Nobody waits at the table for a later deal: it is ready when the round ends."""
    table = play(3, 6, 2)
    kinds = [
        str(entries[0].payload.__struct_config__.tag)
        for entries in table.sitters[0].core.ledger.steps
    ]
    first_over = kinds.index("round-over")
    assert kinds.index("shares", first_over) == first_over + 1
    assert kinds[:first_over].count("checked") == 2


def test_everybody_sees_their_own_hand_and_no_other() -> None:
    """A view holds one hand; the positions of others stay closed."""
    table = full_table(NAMES[:3], standard(6, 3, 1), bots=False)
    until_in_play(table)
    seen = set()
    for sitter in table.sitters:
        view = sitter.core.view()
        assert view.hand is not None
        assert view.table is not None
        assert len(view.hand.tiles) == view.table.spec.hand
        tiles = {tile for _, tile in view.hand.tiles}
        assert not tiles & seen
        seen |= tiles
        assert not sitter.core.state.deck.tiles
