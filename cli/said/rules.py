"""Every value of every switch and every option as a sentence for a player.

The sheet of a table, the menus and `rules --json` are made of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.rules.choose import SWITCHES
from engine.rules.switches import Switch

OPTION_VALUES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "draws": {
            "shown": "A tile that is laid shows when it was drawn.",
            "hidden": "Hands are mixed after a draw: a tile that is laid does not show when it was "
            "drawn.",
        },
        "audit": {
            "hands": "After a round all hands lie open and every draw and pass is judged again.",
            "keys": "After a round the keys are laid open too: every tile that was dealt or drawn, "
            "or left in the boneyard, can be read, and all is judged again.",
            "seeds": "After a round keys and seeds are laid open: every tile can be read, and "
            "every shuffle is done again.",
        },
        "leaver": {
            "rebuild": "When somebody has left for good the round goes on: their tiles go back, "
            "and everybody else keeps theirs.",
            "redeal": "When somebody has left for good the round is dealt again, and nobody "
            "scores what was played of it.",
        },
        "patience": {
            "five-minutes": "After five minutes away a player is removed.",
            "minute": "After a minute away a player is removed.",
            "vote": "A player who is away is removed only when everybody else votes for it.",
        },
        "latecomers": {
            "seated": "A latecomer gets a seat at the next round, and the worst total so far.",
            "watch": "Latecomers only watch.",
        },
    }
)
"""What a table may choose beside its rules, the usual value first; each value as a sentence."""


VALUES: Final[Mapping[str, Mapping[str, Switch]]] = MappingProxyType(
    {name: {member.value: member for member in switch.kind} for name, switch in SWITCHES.items()}
)
"""Every value of every switch."""
