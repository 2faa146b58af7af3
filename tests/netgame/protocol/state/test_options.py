"""Table options: hands that are mixed, and rounds that are laid open and computed again."""

from tests.netgame.games import played_widely


def test_no_lay_tells_when_its_tile_was_drawn():
    """When a turn begins, every hand of several tiles lies at positions that came together."""
    state = played_widely().host.state
    turn, several = -1, 0
    for before, _ in state.history:
        if before.turns > turn >= 0:
            for held in before.hands:
                several += len(held) > 1
                assert len(held) < 2 or state.deck.settled.issuperset(held)
        turn = before.turns
    assert several > 20


def test_positions_of_mixed_hands_are_new():
    """And every one that was ever used opens in the audit."""
    deck = played_widely().host.state.deck
    seen = [position for _, positions in deck.mixed for position in positions]
    drawn = range(len(deck.chains[0].decks[-1]))
    assert len(set(seen)) == len(seen)
    assert min(seen) >= len(drawn)
    assert {*seen, *drawn} <= set(deck.tiles)
