"""How one comes to sit, and what becomes of that wish [peer.md §3.3].

In the lobby the host is asked, once a link; later every member, once for each seating. Who wants
no seat says so, and watches.

`own_place` and `why_no_seat` are all that anybody here is told of it: what the screen says, which
question it asks, and what is answered to a command come from these two.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from netgame.limits import DROP_S
from netgame.protocol.fold.latecomers import is_coming, next_open_round, why_not_seated_later
from netgame.protocol.fold.lobby import STALE, why_full
from netgame.protocol.notices import SeatLater, SeatRefused, WhyClosed
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.seating import YOU_WATCH, NoSeat, WhyNoSeat, promise_text
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


class OwnPlace(Enum):
    """Where this peer is at the table."""

    SEAT = "seat"
    """It sits: nobody has gone on without it."""
    PROMISED = "promised"
    """It watches, and has a seat from the next round on."""
    ASKED = "asked"
    """It watches, and wants a seat that nobody has promised."""
    WATCHING = "watching"
    """It wants none, or there is none for it."""


@dataclass(eq=False)
class Joiner:
    """Our own wish for a seat.

    `host` is whose table we look for, if we know, at `host_addresses`; who `looks` wants no seat
    now, who `watches` says so. `_asked` has at which step each host was asked on its link,
    `_asks_again` that one is to be asked for the seat we have, too. `_introduced` has what each
    member was told last, `_wish` the seating that this was for: for that one the chair has
    `_promised` a seat. `_answer` is what the person here was told of the wish, `_kicked` that the
    host has taken our seat back. `_sat`: we had a seat in the lobby. No link to the host since
    `_alone_since`.
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
    _asks_again: bool = False
    _sat: bool = False
    _met_host: bool = False
    _alone_since: float | None = None
    _introduced: dict[PeerKey, tuple[bytes, int] | None] = field(default_factory=dict)
    _wish: tuple[bytes, int] | None = None
    _promised: bool = False
    _answer: SeatLater | None = None
    _kicked: bool = False

    # ---- where we are ----

    def own_place(self) -> OwnPlace:
        """Whether we have a seat, will have one, have asked for one, or watch."""
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
        """Why the table would grant us no seat, as the log or its host says; None if it would.

        None for who has one, too.
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
        """Who has only looked on sits down; when the game has begun, at the next round.

        Who has asked before asks again, and hears the answer again.
        """
        self.looks, self.watches, self._answer, self._kicked = False, False, None, False
        self._introduced = {}

    def look_on(self) -> None:
        """Want no seat any more."""
        self.looks = True

    def look_no_more(self) -> None:
        """Ask for no seat again: this one is left for good."""
        self.looks = True

    def ask_again(self) -> None:
        """Ask the host once more, over the same link: for something else, or in vain before."""
        self._asked.clear()
        self._introduced.clear()
        self._asks_again = True

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
        is_new = own is None or own.addresses != self.place.addresses or self._asks_again
        if self.place.links.is_level(host) and is_new:
            self._asked[host], self._asks_again = self.place.state.step, False
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
        is_by_host = key in (self.host, self.place.state.host)
        if answer.code in (LATER, ONLY_WATCH):
            self._hear_chair(answer)
        elif answer.code == KICKED and is_by_host and (self.looks or not self.place.in_lobby):
            self._kicked = True
            self.lose_hope()
        else:
            self._hear_host(key, answer)

    def _hear_chair(self, answer: JoinAnswer) -> None:
        """Take the answer of the chair to our wish for the next seating."""
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
        if why is None and sentence == WhyNoSeat.OTHERS_FIRST.sentence:
            why = NoSeat(WhyNoSeat.OTHERS_FIRST)
        self._tell(SeatLater(sentence, granted=False, no_seat=why))

    def _tell(self, answer: SeatLater) -> None:
        """Tell the person what is new; that the log has no seat is told once, whyever."""
        before, self._answer = self._answer, answer
        if before != answer and not (_is_final(before) and _is_final(answer)):
            self.place.outbox.notify(answer)

    def _hear_host(self, key: PeerKey, answer: JoinAnswer) -> None:
        state = self.place.state
        if key != self.host or not self.place.in_lobby:
            return
        if answer.code == CLOSED:
            self.stay.close(WhyClosed.BY_HOST)
        elif answer.code == STALE and self._asked.get(key, state.step) < state.step:
            self.ask_again()  # the log has moved on meanwhile
        elif state.member(self.place.key) is None:
            code, text = (
                clean_text(answer.code, 32, "refused"),
                clean_text(answer.text, 200, "No seat."),
            )
            known = NoSeat(WhyNoSeat.KICKED) if code == KICKED else why_full(state)
            agrees = known is not None and known.sentence == text
            self.place.outbox.notify(SeatRefused(code, text, known if agrees else None))

    def _is_without_seat(self) -> bool:
        """Whether the person here has none, and would sit."""
        return not self.looks and not self.place.sits(self.place.key)

    def _is_seatless_host(self) -> bool:
        return self.place.is_host and self.place.seat is None

    # ---- once the game has begun ----

    def introduce(self) -> None:
        """Say who we are, once a link: a name that looks on, or, each round, a wish for a seat."""
        place, state = self.place, self.place.state
        if place.sits(place.key):  # what is below is to be said again by who is given up
            self._introduced, self._wish, self._promised, self._answer = {}, None, False, None
            return
        if not place.table_id or self._is_seatless_host() or self._is_coming():
            return
        if place.in_lobby and not self.watches:
            return
        # A request is good for one seating: who gets no seat asks anew for the next.
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
        """Tell who wants a seat when there is none to be had: our log knows before we are answered.

        The members may leave before they give any.
        """
        if not self._is_without_seat() or self._is_seatless_host() or self.news.is_catching_up:
            return
        refusal = self.why_no_seat()
        if self.place.in_lobby or refusal is None or refusal.why is WhyNoSeat.STARTED:
            return
        self._promised = False
        self._tell(SeatLater(refusal.sentence, granted=False, no_seat=refusal))


def _is_final(answer: SeatLater | None) -> bool:
    """Whether this says that there is no seat, whatever others do."""
    why = None if answer is None else answer.no_seat
    return why is not None and why.why is not WhyNoSeat.OTHERS_FIRST
