"""Whole games between cores, and what their records say."""

from netgame.protocol import notices
from netgame.protocol.peer.view import TableStage
from tests.netgame.protocol.happenings import until_in_play
from tests.netgame.simtable import SimTable, full_table, standard
from tests.netgame.small_games import expect_whole
from tests.sliced import sliced

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")


def play(seats: int, pip_max: int = 6, rounds: int = 1, seed: bytes = bytes(32)) -> SimTable:
    """Play a whole game between bots."""
    table = full_table(NAMES[:seats], standard(pip_max, seats, rounds), seed=seed)
    table.run_game()
    return table


@sliced(("seats", "pip_max", "rounds"), [(3, 6, 3), (2, 6, 7), (4, 9, 1)], 2)
def test_every_peer_ends_with_the_same_log(seats: int, pip_max: int, rounds: int) -> None:
    """All rounds are played, nobody is accused, and each is told that the game is over."""
    table = play(seats, pip_max, rounds)
    expect_whole(table)
    for sitter in table.sitters:
        assert len(sitter.core.state.table.past) == rounds
        assert sitter.core.view().stage is TableStage.OVER
        assert sitter.told_of(notices.GameOver)


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
        assert len(view.hand.tiles) == view.table.spec.hand
        tiles = {tile for _, tile in view.hand.tiles}
        assert not tiles & seen
        seen |= tiles
        assert not sitter.core.state.deck.tiles
