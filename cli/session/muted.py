"""The people whose talk one person does not want to read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from netgame.protocol.notices import WATCHES, ChatHeard, Notice
from netgame.protocol.peer.view import TableView

HOST: Final = "host"
"""The name for a host without a seat, whose own name is unknown; no player can be called this."""

_SPEAKERS_MAX: Final = 64
"""How many recent speakers to remember, so that they can be named without a link here."""


@dataclass(slots=True)
class Muted:
    """The people that one person has muted for the evening.

    They are muted by key, so it does not matter who relays their lines.
    """

    names: dict[bytes, str] = field(default_factory=dict)
    """The names of the muted people by key, as they were when muted."""
    _speakers: dict[bytes, str] = field(default_factory=dict)

    def hides(self, notice: Notice) -> bool:
        """Return True if a notice is talk by a muted person.

        Remember the name of everybody who talks, for `others`.
        """
        if not isinstance(notice, ChatHeard):
            return False
        self._speakers.pop(notice.key, None)
        self._speakers[notice.key] = notice.name.removesuffix(WATCHES)
        if len(self._speakers) > _SPEAKERS_MAX:
            del self._speakers[next(iter(self._speakers))]
        return notice.key in self.names

    def others(self, view: TableView, own_key: bytes) -> Mapping[bytes, str]:
        """Return the names of the others who can talk here, by key.

        They are players, guests, a host without a seat, and recent speakers. Bots are left out.
        """
        host = {view.host_key: HOST} if view.is_hosted_apart else {}
        seats = {info.key: info.name for info in view.seats if not info.bot}
        named = {**self._speakers, **host, **dict(view.guests), **seats}
        return {key: name for key, name in named.items() if key != own_key}
