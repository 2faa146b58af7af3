"""This peer's request for a seat, and the answers to it [peer.md §2, §7].

In the lobby it asks the host, once per link. Later it asks every member, once for each seating. A
peer that wants no seat says so, and watches. `seeking` defines the states of a request and the
events that change them. Everything that the screen and the commands say about our place comes from
`own_place` and `why_no_seat`.
"""

from enum import Enum
from typing import assert_never

from engine.rules.spec import ROUNDS_MAX
from netgame.limits import DROP_S
from netgame.protocol.notices import HostMoved, SeatLater, SeatRefused, WhyClosed
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people import seeking
from netgame.protocol.peer.people.mesh import Mesh
from netgame.protocol.peer.state_table import after
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.peer.status.news import News
from netgame.protocol.seating import CLOSED, LATER, Giver, NoSeat, WhyNoSeat, no_seat_of
from netgame.protocol.state.latecomers import is_coming, why_not_seated_later
from netgame.protocol.state.lobby import why_full
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import JoinAnswer, JoinAsk, Watch


class OwnPlace(Enum):
    """This peer's place at the table."""

    SEAT = "seat"
    """It has a seat, and the others have not gone on without it."""
    PROMISED = "promised"
    """It watches, and gets a seat at the next round."""
    ASKED = "asked"
    """It watches, and wants a seat that nobody has promised yet."""
    WATCHING = "watching"
    """It wants no seat, or there is none for it."""


class Joiner(PeerPart):
    """Our own request for a seat: five state machines, whose states are in `seeking`.

    After each input, `_request` is `Asked` or `Admitted` only while the host has a link. With a
    seat in the game, `_next_seat` is `NotAsking` and `_introduced` is empty. `HostElsewhere` occurs
    in the game only; all other states of `_host_link` and `_request` matter only in the lobby.
    """

    mesh: Mesh
    lifetime: Lifetime
    news: News
    host: PeerKey | None = None
    """The key of the host whose table we look for, if known."""
    host_addresses: tuple[str, ...] = ()
    """The addresses at which that host was found, for when no log has them."""
    purpose: seeking.Purpose = seeking.WantsSeat()
    _host_link: seeking.HostLink = seeking.HostUnmet()
    _request: seeking.Request = seeking.Unasked()
    _hosts_word: seeking.HostsWord = seeking.Welcome()
    _next_seat: seeking.NextSeat = seeking.NotAsking()
    _introduced: dict[PeerKey, seeking.Seating | None] = {}
    """For each member that we told: the seating for which we asked for a seat, or None if we said
    that we watch."""
    _answer: SeatLater | None = None
    """The last answer to our request that the player was told."""

    # ---- our place ----

    def own_place(self) -> OwnPlace:
        """Return our place: with a seat, promised one, asking for one, or watching."""
        if self._sits():
            return OwnPlace.SEAT
        if self._is_coming():
            return OwnPlace.PROMISED
        refusal = self.why_no_seat()
        hopeless = refusal is not None and refusal.why is not WhyNoSeat.FORMING
        if self._looks() or hopeless or self._is_seatless_host():
            return OwnPlace.WATCHING
        is_promised = isinstance(self._next_seat, seeking.Promised | seeking.PromisedEarly)
        return OwnPlace.PROMISED if is_promised else OwnPlace.ASKED

    def why_no_seat(self) -> NoSeat | None:
        """Return why we would get no seat: a kick, or what the log says; None if we would get one.

        None, too, if we have a seat, if one is coming, or while the log has no host.
        """
        state = self.context.state
        if not state.host or self._sits() or self._is_coming():
            return None
        if isinstance(self._hosts_word, seeking.TurnedAway):
            return NoSeat(WhyNoSeat.KICKED)
        if self.context.in_lobby:
            return why_full(state)
        return why_not_seated_later(state, self.context.join_request())

    def _sits(self) -> bool:
        context = self.context
        if context.in_lobby:
            return context.state.member(context.key) is not None
        return context.sits(context.key)

    def _is_coming(self) -> bool:
        return is_coming(self.context.state, self.context.key)

    @property
    def says_it_watches(self) -> bool:
        """True if we tell members in the lobby that we watch."""
        return isinstance(self.purpose, seeking.SaysItWatches)

    def _looks(self) -> bool:
        return not isinstance(self.purpose, seeking.WantsSeat)

    # ---- wishes of the player here ----

    def take_seat(self) -> None:
        """Ask for a seat after watching; in a game, for the next round.

        The next duties send the request. A player who has asked before asks again, and hears the
        answer again.
        """
        self.purpose = after(seeking.PURPOSES, self.purpose, seeking.PurposeEvent.TAKE_SEAT)
        self._hosts_word = after(
            seeking.HOSTS_WORDS, self._hosts_word, seeking.WelcomeEvent.TAKE_SEAT
        )
        self._introduced, self._answer = {}, None

    def come_for(self, purpose: seeking.Purpose) -> None:
        """Look for a table for this purpose; only for `WantsSeat` do we ask for a seat there."""
        match purpose:
            case seeking.WantsSeat():
                self.take_seat()
            case seeking.LooksOn():
                self.look_on()
            case seeking.SaysItWatches():
                event = seeking.PurposeEvent.WATCH
                self.purpose = after(seeking.PURPOSES, self.purpose, event)
            case _:
                assert_never(purpose)

    def restart(self) -> None:
        """Note that a table is resumed from its record; without a seat there, look on."""
        if self.context.state.member(self.context.key) is None:
            self.purpose = after(seeking.PURPOSES, self.purpose, seeking.PurposeEvent.SEATLESS)

    def look_on(self) -> None:
        """Ask for no seat from now on; a seat that we already have stays ours."""
        self.purpose = after(seeking.PURPOSES, self.purpose, seeking.PurposeEvent.LOOK_ON)

    def ask_again(self) -> None:
        """Ask the host again over the same link, with another request or after a refusal.

        The next duties ask. In a game they ask the members, or tell them that we watch.
        """
        self._request = after(seeking.REQUESTS, self._request, seeking.RequestEvent.ASK_ANEW)
        self._introduced.clear()

    def forget(self, key: PeerKey) -> None:
        """Forget a link that is gone: we say everything again over the next one."""
        if key == self.host:
            self._request = after(seeking.REQUESTS, self._request, seeking.RequestEvent.LINK_GONE)
        self._introduced.pop(key, None)

    # ---- before the game ----

    def keep_seat(self) -> None:
        """In the lobby, ask the host for a seat when it is time; ask again after losing one.

        Does nothing while we only look on, or before we have read what the host has written.
        """
        context, host = self.context, self.host
        if host is None or not context.in_lobby:
            return
        own = context.state.member(context.key)
        if own is not None:
            self._request = after(seeking.REQUESTS, self._request, seeking.RequestEvent.SEATED)
        elif host in context.links.greeted():
            self._request = after(seeking.REQUESTS, self._request, seeking.RequestEvent.SEAT_GONE)
        if self._looks() or isinstance(self._request, seeking.Asked | seeking.Admitted):
            return
        is_anew = isinstance(self._request, seeking.AskingAnew)
        # A process that came back at another address has a seat that others cannot dial.
        is_new = own is None or own.addresses != context.addresses or is_anew
        if context.links.is_level(host) and is_new:
            event = seeking.RequestEvent.ASKED if own is None else seeking.RequestEvent.ASKED_AGAIN
            self._request = after(seeking.REQUESTS, self._request, event, step=context.state.step)
            context.outbox.send(host, JoinAsk(*context.signed_request()))

    def watch_host(self) -> None:
        """Leave a table in the lobby if the host has had no link to us for `DROP_S`.

        A host that we have not met yet is still waited for.
        """
        context = self.context
        if not context.in_lobby:
            return
        event = (
            seeking.HostEvent.MET if self.host in context.links.peers else seeking.HostEvent.LOST
        )
        self._host_link = link = after(
            seeking.HOST_LINKS, self._host_link, event, since=context.now
        )
        if isinstance(link, seeking.HostLost) and context.reached(link.since + DROP_S):
            self.lifetime.close(WhyClosed.HOST_GONE)

    def hear_elsewhere(self, key: PeerKey) -> None:
        """Hear that a peer is at another table; if it is our host, leave its lobby.

        In a game the player is told once that the host has moved. Ignored for any other peer.
        """
        if key not in (self.host, self.context.state.host):
            return
        if self.context.in_lobby:
            self.lifetime.close(WhyClosed.BY_HOST)
        elif not isinstance(self._host_link, seeking.HostElsewhere):
            self._host_link = after(
                seeking.HOST_LINKS, self._host_link, seeking.HostEvent.ELSEWHERE
            )
            self.context.outbox.notify(HostMoved())

    def find_back(self) -> None:
        """Dial a host, at the addresses where we found it, if no log has its addresses.

        In a game only a peer that is not a member does so: the host itself dials the members.
        """
        context, host = self.context, self.host
        is_met = not isinstance(self._host_link, seeking.HostUnmet)
        may_dial = is_met if context.in_lobby else context.state.phase is not Phase.OVER
        if host is None or not may_dial or self.lifetime.is_over or context.fault is not None:
            return
        is_dialled_by_host = context.belongs(context.key) and not context.in_lobby
        is_elsewhere = context.state.member(host) is None and not is_dialled_by_host
        if is_elsewhere and self.host_addresses:
            self.mesh.dial(host, self.host_addresses)

    # ---- answers ----

    def hear(self, key: PeerKey, answer: JoinAnswer) -> None:
        """Hear an answer to our request.

        Answers about a seat at the next round count from any member, because our log may not know
        yet who has become the chair; a host's answers in the lobby count only from our host.
        """
        if answer.code == LATER:
            if self.context.belongs(key):
                self._hear_promise(answer.numbers)
            return
        is_of_lobby = key == self.host and self.context.in_lobby
        if answer.code == CLOSED:
            if is_of_lobby:
                self.lifetime.close(WhyClosed.BY_HOST)
            return
        no_seat = no_seat_of(answer)
        if no_seat.why is WhyNoSeat.KICKED and self._turns_away(key):
            self._hosts_word = after(
                seeking.HOSTS_WORDS, self._hosts_word, seeking.WelcomeEvent.KICKED
            )
            self.lose_hope()
        elif is_of_lobby and no_seat.why.giver is not Giver.CHAIR:
            self._hear_refusal(no_seat)
        elif self.context.belongs(key) and no_seat.why.giver is not Giver.HOST:
            self._hear_denial(no_seat)

    def _turns_away(self, key: PeerKey) -> bool:
        """Return True if a refusal with the reason `KICKED` counts when it comes from this peer.

        One from the host does, but in the lobby only while we look on. In the game one from the
        chair does, too, as far as our log knows the chair.
        """
        state = self.context.state
        is_by_host = key in (self.host, state.host)
        if self.context.in_lobby:
            return is_by_host and self._looks()
        return is_by_host or (
            state.chair is not None and key == state.company.now.keys[state.chair]
        )

    def _hear_promise(self, numbers: tuple[int, ...]) -> None:
        """Take the chair's promise of a seat after the round whose number comes first in `numbers`.

        Ignored if we have a seat or want none, or if signed scores already give us one.
        """
        if not self._is_without_seat() or self._is_coming():
            return
        self._next_seat = after(seeking.NEXT_SEATS, self._next_seat, seeking.SeatingEvent.PROMISED)
        self._hosts_word = after(
            seeking.HOSTS_WORDS, self._hosts_word, seeking.WelcomeEvent.PROMISED
        )
        watched = numbers[0] if numbers and numbers[0] <= ROUNDS_MAX else 0
        self._tell(SeatLater(watched=watched, returns=self.context.seat is not None))

    def _hear_denial(self, no_seat: NoSeat) -> None:
        """Take the chair's answer that there is no seat; a reason in our own log takes precedence.

        Ignored if we have a seat or want none, or if signed scores already give us one.
        """
        if not self._is_without_seat() or self._is_coming():
            return
        self._next_seat = after(seeking.NEXT_SEATS, self._next_seat, seeking.SeatingEvent.DENIED)
        self._tell(SeatLater(self.why_no_seat() or no_seat))

    def _tell(self, answer: SeatLater) -> None:
        """Tell the player an answer, unless it repeats the last one or both are final refusals."""
        before, self._answer = self._answer, answer
        if before != answer and not (_is_final(before) and _is_final(answer)):
            self.context.outbox.notify(answer)

    def _hear_refusal(self, no_seat: NoSeat) -> None:
        """Take the host's refusal in its lobby: ask again if our request was stale.

        Otherwise tell the player, unless we have a seat.
        """
        state = self.context.state
        if no_seat.why is WhyNoSeat.STALE and self._has_asked_before(state.step):
            self.ask_again()  # the log has moved on meanwhile
        elif state.member(self.context.key) is None:
            self.context.outbox.notify(SeatRefused(no_seat))

    def _has_asked_before(self, step: int) -> bool:
        """Return True if we asked the host over this link at a due step other than `step`."""
        return (
            isinstance(self._request, seeking.Asked | seeking.Admitted)
            and self._request.step != step
        )

    def _is_without_seat(self) -> bool:
        """Return True if we have no seat in the game and want one."""
        return not self._looks() and not self.context.sits(self.context.key)

    def _is_seatless_host(self) -> bool:
        return self.context.is_host and self.context.seat is None

    # ---- once the game has begun ----

    def introduce(self) -> None:
        """Tell each member that we watch, once per link, or that we want a seat, once per seating.

        In the lobby only a peer that `says_it_watches` does so. With a seat, forget what we told.
        """
        context, state, looks = self.context, self.context.state, self._looks()
        if context.sits(context.key):  # we must say it all again if we lose this seat
            self._next_seat = after(
                seeking.NEXT_SEATS, self._next_seat, seeking.SeatingEvent.SEATED
            )
            self._introduced, self._answer = {}, None
            return
        if not context.table_id or self._is_seatless_host() or self._is_coming():
            return
        if context.in_lobby and not self.says_it_watches:
            return
        # A request is good for one seating: without a seat we ask again in the next.
        seating = None if looks else seeking.Seating(state.session, state.seating_since)
        if looks or seating != _seating_of(self._next_seat):
            event = seeking.SeatingEvent.LOOKS_ON if looks else seeking.SeatingEvent.NEW_SEATING
            self._next_seat = after(seeking.NEXT_SEATS, self._next_seat, event, seating=seating)
        for key, _ in context.links.at_table():
            done = key in self._introduced and self._introduced[key] == seating
            if not done and context.belongs(key) and (looks or context.links.is_level(key)):
                self._introduced[key] = seating
                ask = Watch(context.name) if looks else JoinAsk(*context.signed_request())
                context.outbox.send(key, ask)

    def is_known_to(self, key: PeerKey) -> bool:
        """Return True if this peer knows our name: from its log, or because we told it."""
        return self.context.belongs(self.context.key) or key in self._introduced

    def lose_hope(self) -> None:
        """Tell a player who wants a seat that there is none, as soon as `why_no_seat` says so.

        The members may leave before they answer. Tells nothing in the lobby or while catching up.
        """
        if not self._is_without_seat() or self._is_seatless_host() or self.news.is_catching_up:
            return
        refusal = self.why_no_seat()
        if self.context.in_lobby or refusal is None or refusal.why is WhyNoSeat.FORMING:
            return
        self._next_seat = after(seeking.NEXT_SEATS, self._next_seat, seeking.SeatingEvent.DENIED)
        self._tell(SeatLater(refusal))


def _seating_of(state: seeking.NextSeat) -> seeking.Seating | None:
    """Return the seating in which we ask for a seat, or None."""
    return state.seating if isinstance(state, seeking.Applying | seeking.Promised) else None


def _is_final(answer: SeatLater | None) -> bool:
    """Return True if this answer says that there is no seat, for a reason that the log shows."""
    why = None if answer is None else answer.no_seat
    return why is not None and not why.why.is_of_chair
