"""Who looks on without a seat: let in, named, told of, and who among them wants one.

    a watcher    gets entries and heads, may pull and talk, signs nothing
    an applicant is a watcher that has sent its `JoinAsk` since the lobby: it asks for a seat at
                 the next round

Nothing waits for a watcher, and nothing that one says can slow a member down: entries of later
steps count from it only with the signature of who must write them, and it is asked for entries
only by who has no member to ask. [protocol.md §3.7]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

from netgame.crypto.group import Entropy
from netgame.crypto.signing import verify_signature
from netgame.errors import Malformed
from netgame.limits import HOST_GONE_S, NAME_CELLS_MAX, WATCHERS_MAX
from netgame.protocol import notices
from netgame.protocol.fold.latecomers import next_open_round, why_not_seated_later
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import ENTRY_DOMAIN, Signer, read_entry
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.seating import Seating
from netgame.protocol.peer.view import TableView
from netgame.protocol.peer.watcher_news import WatcherNews
from netgame.protocol.text import clean_text
from netgame.wire import messages as wire
from netgame.wire.codec import decode

LATER: Final = "later"
"""Code of the answer to an applicant that gets a seat at the next round."""

ONLY_WATCH: Final = "watch"
"""Code of the answer to an applicant that gets none, but may look on."""

TOO_MANY: Final = "watchers"
"""Code of the answer to who would look on where so many do already."""

_CATCH_UP_S: Final = 60.0
"""Who comes late hears nothing of what is over until its log is level, but no longer than this."""

_OLD_NEWS: Final = (
    notices.DealStage
    | notices.Dealt
    | notices.GameStarted
    | notices.LobbyChanged
    | notices.Played
    | notices.RoundOver
    | notices.SeatsLeft
)


class Watching(Seating):
    """Watchers and applicants, and a watcher's own part; see `Core` for the inputs."""

    def __init__(
        self,
        signer: Signer,
        name: str,
        entropy: Entropy,
        secret: bytes,
        addresses: Sequence[str],
        *,
        bot: bool = False,
    ) -> None:
        super().__init__(signer, name, entropy, secret, addresses, bot=bot)
        self._watches = False
        self._linked: set[PeerKey] = set()
        self._applying: dict[PeerKey, wire.JoinAsk] = {}
        self._names: dict[PeerKey, str] = {}
        self._news = WatcherNews()
        self._vouched: dict[PeerKey, tuple[bytes, ...]] = {}
        self._guests_told: dict[PeerKey, tuple[bytes, ...]] = {}
        self._introduced: dict[PeerKey, tuple[bytes, int] | None] = {}
        self._answer_code = ""
        self._promised_at = (-1, 0)
        self._level_at: int | None = None
        self._mute_until = 0.0
        self._host_gone_at: float | None = None
        self._announces = False

    # ---- who may look on ----

    def may_come(self, key: bytes) -> bool:
        """Whether this key needs no join code here: it sits, or a member has let it in."""
        return self._belongs(key) or any(key in keys for keys in self._vouched.values())

    def _guests(self) -> list[PeerKey]:
        """Who is linked to us and at our table without belonging to it."""
        return [
            key
            for key, peer in self.peers.items()
            if peer.greeted and not peer.dropped and not self._belongs(key)
        ]

    def _may_watch(self, key: PeerKey) -> bool:
        """Whether a peer without a seat may look on here; if not, it is told so and dropped."""
        if not self._belongs(self.key):
            return True  # our log may not have come to where it sits, or where we do
        if len(self._guests()) < WATCHERS_MAX:
            return True
        self._turn_away(key)
        return False

    def _thin_guests(self) -> None:
        """When the game begins, all that the lobby let in without a seat watch: not too many."""
        if self.state.phase is Phase.LOBBY or not self._belongs(self.key):
            return
        for key in self._guests()[WATCHERS_MAX:]:
            self._turn_away(key)

    def _turn_away(self, key: PeerKey) -> None:
        sentence = f"{WATCHERS_MAX} people watch this table already."
        self.send(key, wire.JoinAnswer(TOO_MANY, sentence))
        self.drop(key, "too many watch this table already")

    def _hear_wish(self, key: PeerKey, message: wire.LinkMessage) -> None:
        """What is said about sitting and looking on."""
        match message:
            case wire.JoinAsk():
                self._asked_for_seat(key, message)
            case wire.Watch(name):
                self._hear_watch(key, name)
            case wire.Guests(keys) if self._belongs(key):
                self._vouched[key] = keys  # let in by a member, they need no code here either
            case _:
                pass

    def _hear_watch(self, key: PeerKey, name: str) -> None:
        """A peer says that it looks on, and wants no seat."""
        self._withdraw(key)
        if not self._belongs(key):
            self._name_watcher(key, name)

    def _withdraw(self, key: PeerKey) -> None:
        """Whatever this peer has asked for, it wants no seat any more."""
        self.applicants.pop(key, None)
        self._applying.pop(key, None)

    def _name_watcher(self, key: PeerKey, name: str) -> None:
        """Note what a watcher is called; its first name on a link stays."""
        if key in self.peers and len(self._names) < 2 * WATCHERS_MAX:
            clean = clean_text(name, NAME_CELLS_MAX, "somebody").replace(" ", "_")
            self._names.setdefault(key, clean)

    def _name_of(self, key: bytes) -> str:
        own = self.name if key == self.key else None
        member, name = self.state.member(key), own or self._names.get(cast("PeerKey", key))
        if member is None and name is not None:
            return f"{name} (watching)"
        return super()._name_of(key)

    def view(self) -> TableView:
        """A snapshot of what the person here may see."""
        watchers, announces = self.watcher_names(), self.announces()
        return replace(super().view(), watchers=watchers, announces=announces)

    def watcher_names(self) -> tuple[str, ...]:
        """What those are called who look on here, in the order they came."""
        here = [key for key in self._guests() if key in self._names]
        looks_on = self._watches or self.state.phase is not Phase.LOBBY
        own = [self.name] if looks_on and not self._belongs(self.key) else []
        return (*own, *(self._names[key] for key in here))

    def _forget_watcher(self, key: PeerKey) -> None:
        """The link to a peer is gone, and with it what it wanted."""
        self._withdraw(key)
        self._names.pop(key, None)
        self._guests_told.pop(key, None)
        self._introduced.pop(key, None)

    # ---- entries that a watcher passes on ----

    def _vetted(
        self, key: PeerKey, entries: tuple[wire.SignedEntry, ...]
    ) -> tuple[wire.SignedEntry, ...]:
        """What may be judged or held of what this peer has sent: from a member everything."""
        if self._belongs(key) or not self._belongs(self.key):
            return entries
        return tuple(signed for signed in entries if self._is_vetted(signed))

    def _is_vetted(self, signed: wire.SignedEntry) -> bool:
        """Whether an entry is due or over, or signed by who must write it."""
        try:
            entry = read_entry(signed)
        except Malformed:
            return True  # to be judged: it ends the link
        if entry.step <= self.state.step:
            return True
        author = self.state.author_key(entry.step, entry.seat)
        return author is not None and verify_signature(
            author, ENTRY_DOMAIN, signed.body, signed.signature
        )

    # ---- applicants ----

    def _asked_for_seat(self, key: PeerKey, ask: wire.JoinAsk) -> None:
        """In the lobby the host answers; later every member, for the next round."""
        if self.state.phase is Phase.LOBBY:
            super()._asked_for_seat(key, ask)
        elif self.fault is None and self._belongs(self.key) and not self._sits(key):
            self._applying[key] = ask

    def _sits(self, key: bytes) -> bool:
        """Whether this key has a seat, and has not left it for good."""
        return self.state.seat_of(key) in self.state.present

    def _take_applicants(self) -> None:
        """Answer who asks for a seat, once there are seats; forget who has one."""
        if self._applying and self.state.seats:
            applying, self._applying = self._applying, {}
            for key, ask in applying.items():
                self._applies(key, ask)
        for key in [key for key in self.applicants if self._sits(key)]:
            del self.applicants[key]
        self._keep_promises()

    def _keep_promises(self) -> None:
        """Tell who waits for a seat, and gets none after all, as soon as the log says so."""
        table = self.state.table
        place = (-1 if table is None else table.round_number, len(self.state.seats))
        if place == self._promised_at:
            return
        self._promised_at = place
        for key, ask in tuple(self.applicants.items()):
            refusal = why_not_seated_later(self.state, decode(ask.request, wire.JoinRequest))
            if refusal is not None:
                del self.applicants[key]
                self.send(key, wire.JoinAnswer(ONLY_WATCH, refusal[1]))

    def _applies(self, key: PeerKey, ask: wire.JoinAsk) -> None:
        """Somebody wants a seat at the next round: keep what is signed for it, and answer."""
        if self.applicants.get(key) == ask:
            return
        request = self._own_request(key, ask)
        if request is None:
            return
        self._name_watcher(key, request.name)
        refusal = why_not_seated_later(self.state, request)
        if refusal is None and len(self.applicants.keys() | {key}) <= WATCHERS_MAX:
            self.applicants[key] = ask
            self.send(key, wire.JoinAnswer(LATER, self._later_sentence()))
        else:
            self.applicants.pop(key, None)
            sentence = refusal[1] if refusal else f"{WATCHERS_MAX} wait for a seat already."
            self.send(key, wire.JoinAnswer(ONLY_WATCH, sentence))

    def _later_sentence(self) -> str:
        number = next_open_round(self.state)
        return (
            f"The game has begun: you watch round {number} and get a seat when round "
            f"{number + 1} is dealt."
        )

    def _answered(self, key: PeerKey, answer: wire.JoinAnswer) -> None:
        if answer.code not in (LATER, ONLY_WATCH):
            super()._answered(key, answer)
        elif not self._looks and not self._sits(self.key) and answer.code != self._answer_code:
            self._answer_code = answer.code
            sentence = clean_text(answer.text, 200, "The game has begun: you watch.")
            self.notify(notices.SeatLater(sentence, answer.code == LATER))

    def _lose_hope(self) -> None:
        """Tell who waits for a seat when the log has none any more.

        Whom a member has promised one; and, when the game is over, who has had no answer: the
        members may leave before they give any.
        """
        is_over = self.state.phase is Phase.OVER
        waits = self._answer_code == LATER or (is_over and self._answer_code != ONLY_WATCH)
        if not waits or not self._wants_seat():
            return
        if self._level_at is not None or self.state.phase is Phase.AUDIT:
            return
        refusal = why_not_seated_later(self.state, self._join_request())
        if refusal is not None:
            self._answer_code = ONLY_WATCH
            self.notify(notices.SeatLater(refusal[1], granted=False))

    def _wants_seat(self) -> bool:
        """Whether the person here has none, and would sit."""
        return not (self._looks or self._sits(self.key) or self._is_seatless_host())

    def _is_seatless_host(self) -> bool:
        return self.key == self.state.host and self.state.seat_of(self.key) is None

    # ---- our own part, if we have no seat ----

    def _introduce(self) -> None:
        """Say who we are, once a link: a name that looks on, or, each round, a wish for a seat."""
        if self._sits(self.key):
            self._introduced, self._answer_code = {}, ""  # to be said again by who is given up
            return
        if not self.table_id or self._is_seatless_host():
            return
        in_lobby = self.state.phase is Phase.LOBBY
        if in_lobby and not self._watches:
            return
        # A request is good for one seating: who gets no seat asks anew for the next.
        wish = None if self._looks else (self.state.log_id, self.state.seating_since)
        for key, peer in self.peers.items():
            done = key in self._introduced and self._introduced[key] == wish
            if done or not peer.greeted or peer.dropped or not self._belongs(key):
                continue
            if self._looks or self._is_level(key):
                self._introduced[key] = wish
                ask = wire.Watch(self.name) if self._looks else wire.JoinAsk(*self._request())
                self.send(key, ask)

    def _tell_guests(self) -> None:
        """Tell members whom we have let in, when that changes."""
        if self.state.phase is Phase.LOBBY or not self._belongs(self.key):
            return
        guests: tuple[bytes, ...] = tuple(sorted(self._guests())[:WATCHERS_MAX])
        for key, peer in self.peers.items():
            if peer.greeted and self._belongs(key) and self._guests_told.get(key, ()) != guests:
                self._guests_told[key] = guests
                self.send(key, wire.Guests(guests))

    # ---- what the person here is told ----

    def notify(self, notice: notices.Notice) -> None:
        """Tell the person here; who comes late is not told what was over before."""
        if self._level_at is not None and isinstance(notice, _OLD_NEWS):
            return
        super().notify(notice)

    def _come_late(self, head: wire.Head) -> None:
        """The first head of the table we have just found: what came before is no news."""
        if self.state.step == 0 and self._level_at is None and head.step > 1:
            self._level_at, self._mute_until = head.step, self.now + _CATCH_UP_S

    def start_anew(self, step: int) -> None:
        """What the person here has seen already is no news when it is read again."""
        self._level_at, self._mute_until = self.state.step, self.now + _CATCH_UP_S
        super().start_anew(step)

    def _come_level(self) -> None:
        """Tell how things stand, once, when our log is level with what we found."""
        if self._level_at is None:
            return
        if self.state.step >= self._level_at or self.now >= self._mute_until:
            self._level_at = None
            in_lobby = self.state.phase is Phase.LOBBY
            self.notify(notices.LobbyChanged() if in_lobby else notices.CaughtUp())

    def _tell_watchers(self) -> None:
        """Tell once that somebody watches, and once that they no longer do."""
        here = {key: self._names[key] for key in self._guests() if key in self._names}
        for notice in self._news.changes(here, self._belongs, self.now):
            self.notify(notice)

    # ---- who announces the table ----

    def announces(self) -> bool:
        """Whether this computer is the one to announce the table on the network."""
        return self._announces or self.key == self.state.host

    def _stand_in(self) -> None:
        """While the host's process is gone, the first seat that is here announces the table."""
        state, own = self.state, self.author.seat(self.state)
        present = state.phase not in (Phase.LOBBY, Phase.OVER) and own in state.present
        if own is None or not present or self.key == state.host or self.fault is not None:
            self._announces = False
            return
        host = self.peers.get(cast("PeerKey", state.host))
        if host is not None and host.greeted:
            self._host_gone_at = None
        elif self._host_gone_at is None:
            self._host_gone_at = self.now
        gone_at = self._host_gone_at
        up = {state.seat_of(key) for key, peer in self.peers.items() if peer.greeted}
        first = next((seat for seat in state.present if seat == own or seat in up), None)
        stands_in = gone_at is not None and self.now - gone_at >= HOST_GONE_S and first == own
        if stands_in != self._announces:
            self._announces = stands_in
            self.notify(notices.StandIn(up=stands_in))
