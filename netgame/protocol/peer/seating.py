"""How one comes to sit at a table, and how a host lets people sit [protocol.md §3.3].

The part of a peer between `Writing`, which knows what to sign, and `Watching`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from engine.rules.spec import TableSpec
from engine.rules.switches import First
from netgame.crypto.group import Entropy
from netgame.errors import Malformed
from netgame.limits import DROP_S, NAME_CELLS_MAX
from netgame.protocol import notices
from netgame.protocol.fold.lobby import (
    STALE,
    read_request,
    spec_of,
    why_not_admitted,
)
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import REQUEST_DOMAIN, Signer
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.mesh import HIGHER_KEY_WAITS_S, Mesh
from netgame.protocol.peer.writer import Writing
from netgame.protocol.text import clean_text
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode

CLOSED: Final = "closed"
"""Code of the answer with which a host takes its table away before the game."""


class Seating(Writing):
    """Seats asked for, given and lost; see `Core` for the inputs."""

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
        super().__init__(signer, entropy, secret)
        self.name = clean_text(name, NAME_CELLS_MAX, "player")
        self.addresses = tuple(addresses)
        self.bot = bot
        self.life = b""
        self.start_at: int | None = None
        self.lead: str | None = None
        self._wanted: PeerKey | None = None
        self._opening: wire.OpenTable | None = None
        self._seated = True
        self._looks = False
        self._sat = False
        self._early: dict[PeerKey, wire.Hello] = {}
        self._asked: dict[PeerKey, int] = {}
        self._asks: dict[PeerKey, wire.JoinAsk] = {}
        self._alone_since: float | None = None
        self._host_addresses: tuple[str, ...] = ()
        self._met_host = False
        self.mesh = Mesh()

    def _name_of(self, key: bytes) -> str:
        member = self.state.member(key)
        return member.name if member else "somebody"

    def say_hello(self, key: PeerKey) -> None:
        """Name the table that we mean, first of all."""
        self.send(key, wire.Hello(self.table_id, self.life))

    def unsettled_of(self, key: PeerKey) -> tuple[wire.SignedEntry, ...]:
        """The peer's own entries that our head does not tell of: held, or still being judged.

        They come before the head: a seat that forgot them must not think that it may write anew.
        """
        waiting = (*self.ledger.pending.values(), *self._held.entries())
        by_peer = (each for each in waiting if self.state.author_key(each.step, each.seat) == key)
        return tuple(each.signed for each in by_peer if each.is_by(key))

    # ---- coming to sit ----

    def _join_request(self) -> wire.JoinRequest:
        """Our wish for the seating that is open as far as we have read the log."""
        state, who = self.state, (self.key, self.name, self.addresses, self.bot)
        return wire.JoinRequest(state.log_id, state.step, *who)

    def _request(self) -> tuple[bytes, bytes]:
        """Our own request for a seat, and its signature."""
        octets = encode(self._join_request())
        return octets, self.signer.sign(REQUEST_DOMAIN, octets)

    def _ask_for_seat(self, key: PeerKey) -> None:
        """A joiner asks the host, once a link, when it has read what the host has written."""
        asks = self._opening is None and not self._looks and key == self._wanted
        if not asks or key in self._asked or self.state.phase is not Phase.LOBBY:
            return
        own = self.state.member(self.key)
        if self._is_level(key) and (own is None or own.addresses != self.addresses):
            self._asked[key] = self.state.step
            self.send(key, wire.JoinAsk(*self._request()))

    def _is_level(self, key: PeerKey) -> bool:
        """Whether our log has all that this peer has said of its own."""
        peer = self.peers.get(key)
        if peer is None or not peer.greeted or peer.head is None:
            return False
        return self.state.step >= max(1, peer.head.step)

    def _asked_for_seat(self, key: PeerKey, ask: wire.JoinAsk) -> None:
        """The host admits a joiner or tells it why not; it has none to admit to a broken table."""
        if self._opening is None or not self.state.host or self.fault is not None:
            return
        request = self._own_request(key, ask)
        if request is None:
            return
        # Who sits is told by the log; a second seat that changes nothing would look like a loss.
        member = self.state.member(key)
        if member is None or member.addresses != request.addresses:
            self._asks[key] = ask
            self._take_asks()

    def _take_asks(self) -> None:
        """Admit or refuse who has asked; who has come and gone too often waits for a while."""
        for key, ask in tuple(self._asks.items()):
            in_lobby = self.state.phase is Phase.LOBBY and self.fault is None
            if not in_lobby or self._admit(key, ask, decode(ask.request, wire.JoinRequest)):
                del self._asks[key]

    def _own_request(self, key: PeerKey, ask: wire.JoinAsk) -> wire.JoinRequest | None:
        """What a peer has signed for itself, for this table; None, and it hears why, if not."""
        try:
            request = read_request(ask.request, ask.signature)
        except Malformed as problem:
            self.drop(key, f"it sent {problem}")
            return None
        if request.key == key:
            return request
        self.send(key, wire.JoinAnswer("key", "A request must come from the one who asks."))
        return None

    def _admit(self, key: PeerKey, ask: wire.JoinAsk, request: wire.JoinRequest) -> bool:
        """Whether the request has its answer, which is an entry of the log or a refusal."""
        again = self.state.member(key) is not None
        refusal = why_not_admitted(self.state, request, again=again)
        if refusal is not None:
            self.send(key, wire.JoinAnswer(*refusal))
            return True
        if not self.budget.may_admit(key, self.now):
            return False
        if again:
            self.write(wire.Dismiss(key))  # a process that lost its seat's log sits down anew
        self.write(wire.Admit(ask.request, ask.signature))
        if self.start_at is not None and len(self.state.members) >= self.start_at:
            self.begin_when_full()
        return True

    def begin_when_full(self) -> None:
        """All awaited have come: close the roster, if the rules allow this table."""
        spec = spec_of(self.state.settings, len(self.state.members))
        if isinstance(spec, TableSpec):
            self.write(self.closing(spec))
        else:
            self.notify(notices.Trouble("These rules do not allow a table of those who sit here."))

    def closing(self, spec: TableSpec) -> wire.Close:
        """The end of the lobby; where the table chooses who plays first, with that one's key.

        Whom `lead` names, else who sat down first. [docs/rules.md §1.5]
        """
        if spec.rules.first is not First.CHOSEN_ROTATE:
            return wire.Close()
        members, lead = self.state.members, self.lead
        asked = [each for each in members if lead and each.name.casefold() == lead.casefold()]
        if lead and not asked:
            name = clean_text(lead, NAME_CELLS_MAX)
            text = f"Nobody here is called {name}, so {members[0].name} plays first."
            self.notify(notices.Trouble(text))
        return wire.Close((asked or members)[0].key)

    def _answered(self, key: PeerKey, answer: wire.JoinAnswer) -> None:
        if key != self._wanted or self.state.phase is not Phase.LOBBY:
            return
        if answer.code == CLOSED:
            self._table_is_gone("The host has closed the table.")
        elif answer.code == STALE and self._asked.get(key, self.state.step) < self.state.step:
            del self._asked[key]  # the log has moved on meanwhile
        elif self.state.member(self.key) is None:
            code = clean_text(answer.code, 32, "refused")
            self.notify(notices.MoveRefused(code, clean_text(answer.text, 200, "No seat.")))

    def _keep_seat(self) -> None:
        """Ask for a seat when it is time, and once more for one that a broken link has cost us."""
        if self._wanted is None:
            return
        if self.state.member(self.key) is not None:
            self._sat = True
        elif self._sat and self._wanted in self.peers and self.peers[self._wanted].greeted:
            self._sat = False
            self._asked.pop(self._wanted, None)
        self._ask_for_seat(self._wanted)

    def _watch_host(self) -> None:
        """A table whose host is gone before the start is gone."""
        if self._opening is not None or self.state.phase is not Phase.LOBBY:
            self._alone_since = None
        elif self._wanted in self.peers:
            self._met_host = True
            self._alone_since = None
        elif not self._met_host:
            return  # the first link may take as long as somebody needs to type a join code
        elif self._alone_since is None:
            self._alone_since = self.now
        elif self.now - self._alone_since >= DROP_S:
            self._table_is_gone("The host has left before the game began.")

    def _find_back(self) -> None:
        """Dial the host where it was found, while no log says yet where those who sit are."""
        host = self._wanted
        if not self._met_host or host is None or host in self.peers:
            return
        if self._belongs(self.key) or self._finished or self.state.phase is not Phase.LOBBY:
            return
        if self._host_addresses and self.mesh.is_time(host, self.now, 0.0):
            self.emit(fx.Dial(host, self._host_addresses))

    def _dial_members(self) -> None:
        """Keep a link to every member; who has no seat dials them all, as nobody dials it."""
        sits = self._belongs(self.key)
        begun = self.state.phase not in (Phase.LOBBY, Phase.OVER)
        if self.fault is not None or not (sits or begun):
            return
        for member in self.state.members:
            key = cast("PeerKey", member.key)
            if key == self.key or key in self.peers or not member.addresses:
                continue
            wait = 0.0 if not sits or self.key < key else HIGHER_KEY_WAITS_S
            if self.mesh.is_time(key, self.now, wait):
                self.emit(fx.Dial(key, member.addresses))
