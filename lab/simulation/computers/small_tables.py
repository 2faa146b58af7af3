"""Offers of the small tables that simulations play: double-six, few seats, small hands."""

from engine.rules.choose import STANDARD
from netgame.protocol.state.options import OPTIONS
from netgame.wire.messages import Settings


def small(seats: int, hand: int, *words: str, rounds: int = 1, preset: str = STANDARD) -> Settings:
    """Return an offer with this many seats, and this many tiles in a hand.

    A `hand` of 0 leaves the number to the rules. `words` are rule switches and table options, in
    any order.
    """
    options = tuple(word for word in words if word.partition("=")[0] in OPTIONS)
    switches = tuple(word for word in words if word not in options)
    return Settings(preset, switches, 6, seats, rounds, hand, options)
