"""Table options: hands that are mixed, and rounds that are laid open and computed again."""

from functools import cache

from netgame.wire import messages as wire
from tests.netgame.simtable import full_table

NAMES = ("Ann", "Ben", "Cy")
ALL = ("draws=hidden", "audit=seeds")


def offer(options, preset="standard", rounds=2):
    """Three seats, four tiles each."""
    return wire.Settings(preset, (), 6, 3, rounds, 4, options)


@cache
def game(options, preset="standard", seed=2):
    """A whole game; not to be changed."""
    table = full_table(NAMES, offer(options, preset), seed=bytes([seed]) * 32)
    table.run_game()
    return table


def entries(table, kind):
    """Every entry of one kind, with its author."""
    steps = table.host.ledger.steps
    return [entry for step in steps for entry in step if isinstance(entry.payload, kind)]


def test_no_lay_tells_when_its_tile_was_drawn():
    """When a turn begins, every hand of several tiles lies at positions that came together."""
    table = game(ALL)
    assert entries(table, wire.MixHand)
    state = table.host.state
    turn = -1
    for before, _ in state.history:
        if before.turns > turn >= 0:
            for held in before.hands:
                assert len(held) < 2 or state.deck.settled.issuperset(held)
        turn = before.turns


def test_positions_of_mixed_hands_are_new():
    """And every one that was ever used opens in the audit."""
    state = game(ALL).host.state
    seen = [position for _, positions in state.deck.mixed for position in positions]
    assert len(set(seen)) == len(seen)
    assert min(seen) >= len(state.deck.chains[0].decks[-1])
    assert set(seen) <= set(state.deck.tiles)
    assert set(range(len(state.deck.chains[0].decks[-1]))) <= set(state.deck.tiles)
