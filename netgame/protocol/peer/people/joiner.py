"""How this peer gets a seat, and what becomes of its request [peer.md §3.3].

In the lobby it asks the host, once a link; later every member, once for each seating. A peer that
wants no seat says so, and watches. All that the screen, its questions and answered commands say of
it comes from `own_place` and `why_no_seat`.
"""

from enum import Enum
from typing import Final

from netgame.limits import DROP_S
from netgame.protocol.fold.latecomers import is_coming, next_open_round, why_not_seated_later
from netgame.protocol.fold.lobby import STALE, why_full
from netgame.protocol.fold.phases import Phase
from netgame.protocol.notices import HostMoved, SeatLater, SeatRefused, WhyClosed
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.place import PeerPart
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.seating import YOU_WATCH, NoSeat, WhyNoSeat, promise_text, reason_of_chair
from netgame.protocol.text import clean_text
from netgame.wire.messages import JoinAnswer, JoinAsk, Watch

CLOSED: Final = "closed"
"""Code of a host's answer that it closes its table before the game."""

KICKED: Final = "kicked"
"""Code of the answer to a key whose seat the host took back before the game."""

LATER: Final = "later"
"""Code of the answer to an applicant that gets a seat at the next round."""

ONLY_WATCH: Final = "watch"
"""Code of the answer to an applicant that gets no seat, but may watch."""


class OwnPlace(Enum):
    """This peer's place at the table."""

    SEAT = "seat"
    """It has a seat, and nobody has gone on without it."""
    PROMISED = "promised"
    """It watches, and gets a seat at the next round."""
    ASKED = "asked"
    """It watches, and wants a seat that nobody has promised."""
    WATCHING = "watching"
    """It wants no seat, or there is none for it."""


class Joiner(PeerPart):
    """Our own request for a seat.

    `host` is the key of the host whose table we look for, if known, at `host_addresses`; one that
    `looks` wants no seat now, and one that `watches` says so. The host was asked on its link at
    the step `_asked`; `_asks_again`: ask again for the seat we have, too. `_introduced`
    has what each member was told last, `_wish` the seating that we ask for, in which the chair has
    `_promised` us a seat. `_answer` is what the player was told of it, `_kicked` that the host took
    our seat back. `_sat`: we had a seat in the lobby. The host has had no link since
    `_alone_since`; that it `_has_moved` to another table is told once.
    """

    mesh: Mesh
    stay: Stay
    news: News
    host: PeerKey | None = None
    host_addresses: tuple[str, ...] = ()
    looks: bool = False
    watches: bool = False
    _asked: int | None = None
    _asks_again: bool = False
    _sat: bool = False
    _met_host: bool = False
    _alone_since: float | None = None
    _has_moved: bool = False
    _introduced: dict[PeerKey, tuple[bytes, int] | None] = {}
    _wish: tuple[bytes, int] | None = None
    _promised: bool = False
    _answer: SeatLater | None = None
    _kicked: bool = False

    # ---- where we are ----

    def own_place(self) -> OwnPlace:
        """Whether we have a seat, are promised one, have asked for one, or watch."""
        if self._sits():
            return OwnPlace.SEAT
        if self._is_coming():
            return OwnPlace.PROMISED
        refusal = self.why_no_seat()
        hopeless = refusal is not None and refusal.why is not WhyNoSeat.STARTED
        if self.looks or hopeless or self._is_seatless_host():
            return OwnPlace.WATCHING
        return OwnPlace.PROMISED if self._promised else OwnPlace.ASKED

    def why_no_seat(self) -> NoSeat | None:
        """Why the table would give us no seat, by the log or the host; None if it would.

        None, too, if we have one, if one is coming, or while the log has no host.
        """
        state = self.place.state
        if not state.host or self._sits() or self._is_coming():
            return None
        if self._kicked:
            return NoSeat(WhyNoSeat.KICKED)
        if self.place.in_lobby:
            return why_full(state)
        return why_not_seated_later(state, self.place.join_request())

    def _sits(self) -> bool:
        place = self.place
        if place.in_lobby:
            return place.state.member(place.key) is not None
        return place.sits(place.key)

    def _is_coming(self) -> bool:
        return is_coming(self.place.state, self.place.key)

    # ---- what the person here wishes ----

    def take_seat(self) -> None:
        """Ask for a seat after watching; in a game, for the next round. The next duties send it.

        One that has asked before asks again, and hears the answer again.
        """
        self.looks, self.watches, self._answer, self._kicked = False, False, None, False
        self._introduced = {}

    def look_on(self) -> None:
        """Want no seat, or none again; one that we have stays ours."""
        self.looks = True

    def ask_again(self) -> None:
        """Have the host asked once more over the same link, for something else or after a refusal.

        The next duties do it. In a game they ask the members, or tell them that we watch.
        """
        self._asked = None
        self._introduced.clear()
        self._asks_again = True

    def forget(self, key: PeerKey) -> None:
        """Forget a link that is gone: everything is said again over the next one."""
        if key == self.host:
            self._asked = None
        self._introduced.pop(key, None)

    # ---- before the game ----

    def keep_seat(self) -> None:
        """In the lobby, ask the host for a seat when it is time; again for one lost with a link.

        Not while we only look, and not before we have read what the host has written.
        """
        host, own = self.host, self.place.state.member(self.place.key)
        if host is None:
            return
        if own is not None:
            self._sat = True
        elif self._sat and host in self.place.links.greeted():
            self._sat, self._asked = False, None
        if self.looks or self._asked is not None or not self.place.in_lobby:
            return
        is_new = own is None or own.addresses != self.place.addresses or self._asks_again
        if self.place.links.is_level(host) and is_new:  # we have read what it has written
            self._asked, self._asks_again = self.place.state.step, False
            self.place.outbox.send(host, JoinAsk(*self.place.signed_request()))

    def watch_host(self) -> None:
        """Leave a table whose host is gone before the start, after `DROP_S` without its link."""
        is_here, now = self.host in self.place.links.peers, self.place.now
        self._met_host |= is_here
        if is_here or not self.place.in_lobby:
            self._alone_since = None
        elif self._met_host:  # the first link may take as long as a join code takes to be typed
            self._alone_since = now if self._alone_since is None else self._alone_since
            if self.place.reached(self._alone_since + DROP_S):
                self.stay.close(WhyClosed.HOST_GONE)

    def hear_elsewhere(self, key: PeerKey) -> None:
        """Hear that a peer is at another table; if it is our host, its lobby here is closed.

        In a game the player is told, once. From any other peer it means nothing.
        """
        if key not in (self.host, self.place.state.host):
            return
        if self.place.in_lobby:
            self.stay.close(WhyClosed.BY_HOST)
        elif not self._has_moved:
            self._has_moved = True
            self.place.outbox.notify(HostMoved())

    def find_back(self) -> None:
        """Dial a host whose address no log names where we found it.

        In a game one without a seat does so: a host dials the members itself.
        """
        place, host = self.place, self.host
        is_lost = self._met_host if place.in_lobby else place.state.phase is not Phase.OVER
        if host is None or not is_lost or self.stay.is_over or place.fault is not None:
            return
        is_dialled_by_host = place.belongs(place.key) and not place.in_lobby
        if place.state.member(host) is None and not is_dialled_by_host:
            self.mesh.dial(host, self.host_addresses)

    # ---- what is answered ----

    def hear(self, key: PeerKey, answer: JoinAnswer) -> None:
        """Hear an answer to our request.

        Those on a seat at the next round are taken from any member, as our log may not say yet who
        has become the chair; those of a host from ours alone.
        """
        is_by_host = key in (self.host, self.place.state.host)
        if answer.code in (LATER, ONLY_WATCH):
            if self.place.belongs(key):
                self._hear_chair(answer)
        elif answer.code == KICKED and is_by_host and (self.looks or not self.place.in_lobby):
            self._kicked = True
            self.lose_hope()
        else:
            self._hear_host(key, answer)

    def _hear_chair(self, answer: JoinAnswer) -> None:
        """Take the chair's answer to our request for the next seating.

        Ignored if we have a seat, want none, or are in the scores as coming.
        """
        if not self._is_without_seat() or self._is_coming():
            return
        self._promised = answer.code == LATER
        sentence = clean_text(answer.text, 200, YOU_WATCH)
        if self._promised:
            number = next_open_round(self.place.state)
            known = sentence == promise_text(number)
            watched, returns = number if known else 0, self.place.seat is not None
            self._tell(SeatLater(sentence, granted=True, watched=watched, returns=returns))
            return
        why = self.why_no_seat()
        of_chair = reason_of_chair(sentence)
        if why is None and of_chair is not None:
            why = NoSeat(of_chair)
        self._tell(SeatLater(sentence, granted=False, no_seat=why))

    def _tell(self, answer: SeatLater) -> None:
        """Tell the player an answer that is new; that the log has no seat is told only once."""
        before, self._answer = self._answer, answer
        if before != answer and not (_is_final(before) and _is_final(answer)):
            self.place.outbox.notify(answer)

    def _hear_host(self, key: PeerKey, answer: JoinAnswer) -> None:
        state = self.place.state
        if key != self.host or not self.place.in_lobby:
            return
        if answer.code == CLOSED:
            self.stay.close(WhyClosed.BY_HOST)
        elif answer.code == STALE and self._asked not in (None, state.step):
            self.ask_again()  # the log has moved on meanwhile
        elif state.member(self.place.key) is None:
            code = clean_text(answer.code, 32, "refused")
            text = clean_text(answer.text, 200, "No seat.")
            known = why_full(state)
            if code == KICKED:
                known = NoSeat(reason_of_chair(text) or WhyNoSeat.KICKED)
            agrees = known is not None and known.sentence == text
            self.place.outbox.notify(SeatRefused(code, text, known if agrees else None))

    def _is_without_seat(self) -> bool:
        """Whether we have no seat and want one."""
        return not self.looks and not self.place.sits(self.place.key)

    def _is_seatless_host(self) -> bool:
        return self.place.is_host and self.place.seat is None

    # ---- once the game has begun ----

    def introduce(self) -> None:
        """Tell each member, once a link, that we watch or, each seating, that we want a seat.

        In the lobby only one that `watches` does so. With a seat, it forgets what it has told.
        """
        place, state = self.place, self.place.state
        if place.sits(place.key):  # all of it is to be said again if we lose this seat
            self._introduced, self._wish, self._promised, self._answer = {}, None, False, None
            return
        if not place.table_id or self._is_seatless_host() or self._is_coming():
            return
        if place.in_lobby and not self.watches:
            return
        # A request is good for one seating: without a seat we ask anew for the next.
        wish = None if self.looks else (state.session, state.seating_since)
        if wish != self._wish:
            self._wish, self._promised = wish, False
        for key, _ in place.links.at_table():
            done = key in self._introduced and self._introduced[key] == wish
            if not done and place.belongs(key) and (self.looks or place.links.is_level(key)):
                self._introduced[key] = wish
                ask = Watch(place.name) if self.looks else JoinAsk(*place.signed_request())
                place.outbox.send(key, ask)

    def lose_hope(self) -> None:
        """Tell a player who wants a seat that there is none, as soon as our log says so.

        The members may leave before they answer. Nothing is told in the lobby or while catching up.
        """
        if not self._is_without_seat() or self._is_seatless_host() or self.news.is_catching_up:
            return
        refusal = self.why_no_seat()
        if self.place.in_lobby or refusal is None or refusal.why is WhyNoSeat.STARTED:
            return
        self._promised = False
        self._tell(SeatLater(refusal.sentence, granted=False, no_seat=refusal))


def _is_final(answer: SeatLater | None) -> bool:
    """Whether this answer says that there is no seat, whatever others do."""
    why = None if answer is None else answer.no_seat
    return why is not None and not why.why.is_of_chair
