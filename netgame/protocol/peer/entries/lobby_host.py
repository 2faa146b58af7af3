"""The host in the lobby: opening the table, admitting people, starting the game [peer.md §2]."""

from engine.refusals import Refusal
from engine.rules.spec import TableSpec
from engine.rules.switches import First
from netgame.limits import HEAD_S, NAME_CELLS_MAX, WATCHERS_MAX
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.budget import Budget
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.people.chair import Asking, Chair
from netgame.protocol.seating import CLOSED, NoSeat, SeatAsked
from netgame.protocol.state.lobby import member_of, spec_of, why_not_admitted
from netgame.protocol.text import clean_text
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, Close, Dismiss, JoinAnswer, JoinAsk, JoinRequest, OpenTable


class LobbyHost(PeerPart):
    """Hosts a table in the lobby: admits and dismisses members, and starts the game."""

    entry_signer: EntrySigner
    budget: Budget
    chair: Chair
    opening: OpenTable | None = None
    """The payload with which this process opens the table; None if it does not open one."""
    seated: bool = True
    """True if the host has a seat."""
    start_at: int | None = None
    """The number of seated players at which the game begins by itself."""
    lead: str | None = None
    """The name of the first player, unless `begin` names another."""
    _asks: dict[PeerKey, JoinAsk] = {}
    """Requests not answered yet."""
    _barred: dict[PeerKey, Asking] = {}
    """Joiners to whom the chair's policy gave no seat."""

    def is_open(self) -> bool:
        """Return True if this process opens the table, and the lobby is not closed."""
        return self.opening is not None and self.context.in_lobby

    def open(self, opening: OpenTable) -> None:
        """Write the first entry of the log, and admit the host itself if it is `seated`."""
        self.entry_signer.write(opening)
        if self.seated:
            self.entry_signer.write(Admit(*self.context.signed_request()))

    def close(self) -> None:
        """Tell everybody that the host closes the table; do nothing if the lobby is closed."""
        if self.is_open():
            self.context.links.tell_all(JoinAnswer(CLOSED))

    def lose(self, peer: PeerKey) -> None:
        """Dismiss a member whose link is gone, if the lobby is open.

        An unanswered request of that key lapses.
        """
        self._asks.pop(peer, None)
        is_member = peer != self.context.key and self.context.state.member(peer) is not None
        if self.is_open() and is_member:
            self.entry_signer.write(Dismiss(peer))

    def kick(self, key: PeerKey) -> None:
        """Take away a member's seat, and give its key no other.

        Does nothing outside the open lobby, for the host itself, or for a key without a seat.
        """
        member = self.context.state.member(key)
        if self.is_open() and key != self.context.key and member is not None:
            self.entry_signer.write(Dismiss(key))
            self.chair.kick(key, member.name)

    # ---- requests for a seat ----

    def hear(self, key: PeerKey, ask: JoinAsk) -> None:
        """Hear a request for a seat: admit its sender, or tell it why not.

        A key over its budget waits. A request that would change nothing is ignored; for a bad
        request the sender is refused or dropped. Does nothing outside the open lobby, before the
        log names the host, or while a fault stops us.
        """
        if not self.is_open() or not self.context.state.host or self.context.fault is not None:
            return
        request = self.context.links.request_of(key, ask)
        if request is None or self._bars(key, request.name):
            return
        # The log tells who sits; seating somebody again without a change would look like a loss.
        others = [each for each in self.context.state.members if each.key != key]
        if member_of(others, request) != self.context.state.member(key):
            self._asks[key] = ask
            self.take_asks()

    def asking(self) -> tuple[Asking, ...]:
        """Return the joiners whom the chair's policy bars, and whom our person has not allowed.

        Empty unless the lobby is open.
        """
        barred = self._barred.values() if self.is_open() else ()
        return tuple(each for each in barred if self.chair.why_barred(each.key) is not None)

    def _bars(self, key: PeerKey, name: str) -> bool:
        """Return whether the chair's policy bars this key.

        If so, refuse the peer with that key and, the first time, tell our person.
        """
        why = self.chair.why_barred(key)
        if why is None:
            return False
        self.context.outbox.send(key, NoSeat(why).answer())
        if key not in self._barred and len(self._barred) < WATCHERS_MAX:
            clean = clean_text(name, NAME_CELLS_MAX, "player").replace(" ", "_")
            asking = self._barred[key] = Asking(key, clean, why)
            told = SeatAsked(asking.name, asking.fingerprint, why)
            self.context.notify_of(key, told)
        return True

    def rename(self) -> None:
        """Admit the host again under its new name, if it sits and the table is open."""
        if self.is_open() and self.context.state.member(self.context.key) is not None:
            self._admit_again(self.context.key, Admit(*self.context.signed_request()))

    def _admit_again(self, key: PeerKey, admit: Admit) -> None:
        """Dismiss a member and admit it again, under another name or address, in one message."""
        with self.context.links.together():
            self.entry_signer.write(Dismiss(key))
            self.entry_signer.write(admit)

    def take_asks(self) -> None:
        """Admit or refuse those who have asked; a key over its budget waits.

        Once the lobby is closed or a fault stops us, requests are dropped without an answer.
        """
        for key, ask in tuple(self._asks.items()):
            is_closed = not self.context.in_lobby or self.context.fault is not None
            if is_closed or self._admit(key, ask, decode(ask.request, JoinRequest)):
                del self._asks[key]
        if self._asks:
            self.context.reached(self.context.now + HEAD_S)

    def _admit(self, key: PeerKey, ask: JoinAsk, request: JoinRequest) -> bool:
        """Answer a request with an entry or a refusal; return False if it must wait instead.

        The game begins once `start_at` players sit; if the rules do not allow that, the player is
        told.
        """
        state = self.context.state
        again = state.member(key) is not None
        refusal = why_not_admitted(state, request, again=again)
        if refusal is not None:
            self.context.outbox.send(key, refusal.answer())
            return True
        if not self.budget.may_admit(key, self.context.now):
            return False
        admit = Admit(ask.request, ask.signature)
        if again:  # its process has lost the log of its seat, or has a new name
            self._admit_again(key, admit)
        else:
            self.entry_signer.write(admit)
        is_full = self.start_at is not None and len(self.context.state.members) >= self.start_at
        if is_full and self.begin() is not None:
            self.context.outbox.notify(Trouble(TroubleKind.TABLE_UNFIT))
        return True

    # ---- the beginning of the game ----

    def begin(self, lead: str | None = None) -> Refusal | None:
        """Close the lobby and start the game; return the refusal if the rules forbid this table.

        Does nothing if the lobby is not open. `lead` names the first player where the rules let the
        table choose; without it, the name given when the table opened counts.
        """
        state = self.context.state
        if not self.is_open() or not state.host:
            return None
        spec = spec_of(state.settings, len(state.members))
        if isinstance(spec, Refusal):
            return spec
        self.entry_signer.write(self._closing(spec, lead or self.lead))
        return None

    def _closing(self, spec: TableSpec, lead: str | None) -> Close:
        """Return the entry that ends the lobby; it names the first player if the table chooses one.

        That is the player named by `lead`, or else the one who sat down first; the player here is
        told if nobody has that name. [docs/rules.md §1.5]
        """
        if spec.rules.first is not First.CHOSEN_ROTATE:
            return Close()
        members = self.context.state.members
        asked = [each for each in members if lead and each.name.casefold() == lead.casefold()]
        if lead and not asked:
            name = clean_text(lead, NAME_CELLS_MAX)
            self.context.outbox.notify(Trouble(TroubleKind.NOBODY_CALLED, (name, members[0].name)))
        return Close((asked or members)[0].key)
