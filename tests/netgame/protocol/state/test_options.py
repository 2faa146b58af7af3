"""Table options: hands that are mixed, and rounds that are opened and judged again."""

from engine.play.judge import hidden_claim
from engine.tiles import Tile
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.round_end import judged_again
from tests.netgame.games import ledger_until, played_widely
from tests.netgame.protocol.ledger.intake import at_phase


def test_no_lay_tells_when_its_tile_was_drawn():
    """No lay shows when its tile was drawn: a hand of several tiles is as dealt, or was mixed."""
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
    """Mixing a hand gives it new positions, and the audit opens all positions ever used."""
    deck = played_widely().host.state.deck
    seen = [position for _, positions in deck.mixed for position in positions]
    drawn = range(len(deck.chains[0].deck))
    assert len(set(seen)) == len(seen)
    assert min(seen) >= len(drawn)
    assert {*seen, *drawn} <= set(deck.tiles)


def test_what_a_mixed_hand_held_before_only_keys_show():
    """Opened hands do not show which tiles a hand had before it was mixed; only opened keys do.

    Most claims are proved when they are made. No proof covers the claim that a double is not
    held together with the tile that must follow it, so only the keys reveal that such a claim
    is false [§5.8].
    """
    state = ledger_until(at_phase(Phase.AUDIT), played_widely()).state
    history, tiles = state.history, state.deck.tiles
    lies = 0
    for table, move in history:
        away = [at for at in table.hands[move.seat] if at not in tiles]
        denied = hidden_claim(table, move)
        if away and denied and isinstance(denied[0], Tile):
            assert judged_again(history, tiles) is None
            found = judged_again(history, {**tiles, away[0]: denied[0]})
            assert found is not None
            lies += 1
    assert lies > 2
