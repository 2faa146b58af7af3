"""The advice to a player in the middle of an opening train."""

from cli.scene import Scene
from cli.wording.moves import duty_sentences
from engine.tiles import Tile
from tests.engine.play.test_chains import at_the_hub, lay


def test_done_is_offered_only_where_a_train_may_end():
    """§3.5: `done` is offered after a plain tile, not after a double that may not end a train."""
    table, hand = at_the_hub(Tile(5, 6), Tile(5, 5), Tile(3, 5))
    for tile, on, sentence in (
        (Tile(5, 6), -1, "Your train goes on: play the next tile, or type done."),
        (Tile(5, 5), 0, "Your train goes on: it may not end on this double."),
    ):
        table, hand = lay(table, hand, tile, on)
        scene = Scene(table, hand, ("Ann", "Bob", "Cy"), hand.seat, can_move=True)
        assert sentence in duty_sentences(scene)
