"""Whose talk one person does not want to read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from netgame.protocol.notices import WATCHES, ChatHeard, Notice
from netgame.protocol.peer.view import TableView

HOST: Final = "host"
"""Stands for a host without a seat, of whom no name is known; no player can be called so."""

_SPEAKERS_MAX: Final = 64
"""Speakers without a link here that are kept in mind, so that they can be named."""


@dataclass(slots=True)
class Muted:
    """Those whose lines are hidden, by their keys: for an evening, whoever passes them on."""

    names: dict[bytes, str] = field(default_factory=dict)
    """The name of each, as it was when they were muted."""
    _speakers: dict[bytes, str] = field(default_factory=dict)

    def hides(self, notice: Notice) -> bool:
        """Return whether a notice is talk of somebody muted; note who talks, so as to name them."""
        if not isinstance(notice, ChatHeard):
            return False
        self._speakers.pop(notice.key, None)
        self._speakers[notice.key] = notice.name.removesuffix(WATCHES)
        if len(self._speakers) > _SPEAKERS_MAX:
            del self._speakers[next(iter(self._speakers))]
        return notice.key in self.names

    def others(self, view: TableView, own_key: bytes) -> Mapping[bytes, str]:
        """Return the others who can talk here, by keys: players, guests, and who has talked.

        Bots say nothing.
        """
        host = {view.host_key: HOST} if view.is_hosted_apart else {}
        seats = {info.key: info.name for info in view.seats if not info.bot}
        named = {**self._speakers, **host, **dict(view.guests), **seats}
        return {key: name for key, name in named.items() if key != own_key}
