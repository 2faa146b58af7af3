"""How one comes to sit, and what becomes of that wish [peer.md §3.3].

In the lobby the host is asked, once a link; later every member, once for each seating. Who wants
no seat says so, and watches.
"""

from dataclasses import dataclass, field
from typing import Final

from netgame.limits import DROP_S
from netgame.protocol.fold.latecomers import why_not_seated_later
from netgame.protocol.fold.lobby import STALE
from netgame.protocol.fold.phases import Phase
from netgame.protocol.notices import SeatLater, SeatRefused, WhyClosed
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.text import clean_text
from netgame.wire.messages import JoinAnswer, JoinAsk, Watch

CLOSED: Final = "closed"
"""Code of the answer with which a host takes its table away before the game."""

KICKED: Final = "kicked"
"""Code of the answer to whose seat the host has taken back before the game."""

LATER: Final = "later"
"""Code of the answer to an applicant that gets a seat at the next round."""

ONLY_WATCH: Final = "watch"
"""Code of the answer to an applicant that gets none, but may look on."""


@dataclass(eq=False)
class Joiner:
    """Our own wish for a seat.

    `host` is whose table we look for, if we know, at `host_addresses`; who `looks` wants no seat
    now, who `watches` says so. `_asked` has at which step each host was asked on its link,
    `_introduced` what each member was told last, `_answer_code` what the members have answered.
    `_sat`: we had a seat in the lobby. No link to the host since `_alone_since`.
    """

    place: Place
    mesh: Mesh
    stay: Stay
    news: News
    host: PeerKey | None = None
    host_addresses: tuple[str, ...] = ()
    looks: bool = False
    watches: bool = False
    _asked: dict[PeerKey, int] = field(default_factory=dict)
    _sat: bool = False
    _met_host: bool = False
    _alone_since: float | None = None
    _introduced: dict[PeerKey, tuple[bytes, int] | None] = field(default_factory=dict)
    _answer_code: str = ""

    def take_seat(self) -> None:
        """Who has only looked on sits down; when the game has begun, at the next round.

        Who has asked before asks again, and hears the answer again.
        """
        self.looks, self.watches, self._answer_code = False, False, ""
        self._introduced = {}

    def look_on(self) -> None:
        """Want no seat any more."""
        self.looks = True

    def look_no_more(self) -> None:
        """Ask for no seat again: this one is left for good."""
        self.looks = True

    def forget(self, key: PeerKey) -> None:
        """A link is gone: over the next one everything is said again."""
        self._asked.pop(key, None)
        self._introduced.pop(key, None)

    # ---- before the game ----

    def keep_seat(self) -> None:
        """Ask for a seat when it is time, and once more for one that a broken link has cost us."""
        if self.host is None:
            return
        if self.place.state.member(self.place.key) is not None:
            self._sat = True
        elif self._sat and self.host in self.place.links.greeted():
            self._sat = False
            self._asked.pop(self.host, None)
        self._ask_host(self.host)

    def _ask_host(self, host: PeerKey) -> None:
        """Ask the host, once a link, when we have read what it has written."""
        if self.looks or host in self._asked or not self.place.in_lobby:
            return
        own = self.place.state.member(self.place.key)
        is_new = own is None or own.addresses != self.place.addresses
        if self.place.links.is_level(host) and is_new:
            self._asked[host] = self.place.state.step
            self.place.outbox.send(host, JoinAsk(*self.place.signed_request()))

    def watch_host(self) -> None:
        """A table whose host is gone before the start is gone."""
        if not self.place.in_lobby:
            self._alone_since = None
        elif self.host in self.place.links.peers:
            self._met_host = True
            self._alone_since = None
        elif not self._met_host:
            return  # the first link may take as long as somebody needs to type a join code
        else:
            if self._alone_since is None:
                self._alone_since = self.place.now
            if self.place.reached(self._alone_since + DROP_S):
                self.stay.close(WhyClosed.HOST_GONE)

    def find_back(self) -> None:
        """Dial the host where it was found, while no log says yet where those who sit are."""
        if not self._met_host or self.host is None or not self.place.in_lobby:
            return
        if not self.stay.is_over and not self.place.belongs(self.place.key):
            self.mesh.dial(self.host, self.host_addresses)

    # ---- what is answered ----

    def hear(self, key: PeerKey, answer: JoinAnswer) -> None:
        """An answer to our wish."""
        if answer.code not in (LATER, ONLY_WATCH):
            self._hear_host(key, answer)
        elif self._answer_code != answer.code and self._is_without_seat():
            self._answer_code = answer.code
            sentence = clean_text(answer.text, 200, "The game has begun: you watch.")
            self.place.outbox.notify(SeatLater(sentence, answer.code == LATER))

    def _hear_host(self, key: PeerKey, answer: JoinAnswer) -> None:
        state = self.place.state
        if key != self.host or not self.place.in_lobby:
            return
        if answer.code == CLOSED:
            self.stay.close(WhyClosed.BY_HOST)
        elif answer.code == STALE and self._asked.get(key, state.step) < state.step:
            del self._asked[key]  # the log has moved on meanwhile
        elif state.member(self.place.key) is None:
            code = clean_text(answer.code, 32, "refused")
            self.place.outbox.notify(SeatRefused(code, clean_text(answer.text, 200, "No seat.")))

    def _is_without_seat(self) -> bool:
        """Whether the person here has none, and would sit."""
        return not self.looks and not self.place.sits(self.place.key)

    def _is_seatless_host(self) -> bool:
        return self.place.is_host and self.place.seat is None

    # ---- once the game has begun ----

    def introduce(self) -> None:
        """Say who we are, once a link: a name that looks on, or, each round, a wish for a seat."""
        place, state = self.place, self.place.state
        if place.sits(place.key):
            self._introduced, self._answer_code = {}, ""  # to be said again by who is given up
            return
        if not place.table_id or self._is_seatless_host():
            return
        if place.in_lobby and not self.watches:
            return
        # A request is good for one seating: who gets no seat asks anew for the next.
        wish = None if self.looks else (state.session, state.seating_since)
        for key, _ in place.links.at_table():
            done = key in self._introduced and self._introduced[key] == wish
            if not done and place.belongs(key) and (self.looks or place.links.is_level(key)):
                self._introduced[key] = wish
                ask = Watch(place.name) if self.looks else JoinAsk(*place.signed_request())
                place.outbox.send(key, ask)

    def lose_hope(self) -> None:
        """Tell who waits for a seat when the log has none any more.

        Whom a member has promised one; and, when the game is over, who has had no answer: the
        members may leave before they give any.
        """
        phase = self.place.state.phase
        waits = self._answer_code == LATER
        waits |= phase is Phase.OVER and self._answer_code != ONLY_WATCH
        if not waits or not self._is_without_seat() or self._is_seatless_host():
            return
        if self.news.is_catching_up or phase is Phase.AUDIT:
            return
        refusal = why_not_seated_later(self.place.state, self.place.join_request())
        if refusal is not None:
            self._answer_code = ONLY_WATCH
            self.place.outbox.notify(SeatLater(refusal[1], granted=False))
