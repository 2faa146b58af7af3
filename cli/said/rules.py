"""Every value of every switch and every option as a sentence for a player.

The sheet of a table, the menus and `rules --json` are made of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.rules.choose import SWITCHES
from engine.rules.switches import Switch

VALUES: Final[Mapping[str, Mapping[str, Switch]]] = MappingProxyType(
    {name: {member.value: member for member in switch.kind} for name, switch in SWITCHES.items()}
)
"""Every value of every switch."""
