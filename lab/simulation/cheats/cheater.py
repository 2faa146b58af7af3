"""A cheater and its accomplice: real cores that say what they should not.

A cheater repeats its lies to each peer that links up, as an honest peer repeats the truth, so that
network faults cannot hide them for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.cheat import At, Cheat, How, Ready, due_body, tag
from lab.simulation.computers.records import file_of
from netgame.errors import Malformed
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.verdict import record_frames
from netgame.protocol.log.entry import Entry, ReceivedStatement, Signer, read_entry, read_statement
from netgame.protocol.log.fault import Fault
from netgame.protocol.peer.effects import Effect, PeerKey
from netgame.protocol.peer.linked import Peer, batches
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.protocol.state.deck import Deal
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import (
    CHAIR,
    Entries,
    Evidence,
    Hello,
    LinkMessage,
    Payload,
    RecordHeader,
    RecordStatement,
    SignedEntry,
    SignedStatement,
    Statements,
)


@dataclass(slots=True)
class Deed:
    """A cheat that one peer does in a game, and what came of it.

    It is kept when the process of the peer restarts.
    """

    cheat: Cheat
    wait: int = 0
    """The number of chances that pass unused."""
    lie: SignedEntry | SignedStatement | None = None
    repeated: tuple[LinkMessage, ...] = ()
    """The messages that it repeats to each peer that links up."""
    done: At | None = None
    victim: bytes = b""
    told: tuple[SignedEntry | SignedStatement, ...] = ()
    """The entries and statements that it has sent, if they were signed already."""
    files: tuple[bytes, ...] = ()
    """False evidence that it shows to outsiders."""
    elsewhere: tuple[SignedEntry, ...] = ()
    """The log of another table at which the same people have played."""
    lent: Signer | None = None
    """The key of its helper."""
    was_heard: bool = False
    """True if a frame with the lie has reached anybody."""

    def overhear(self, frame: bytes) -> None:
        """Note whether a frame that somebody hears contains the lie."""
        self.was_heard |= self.lie is not None and self.lie.signature in frame


class Cheater(Bent):
    """A peer that does one deed."""

    kept_back: Payload | None = None
    """The payload that it owes, while it waits for others to write theirs."""

    def __init__(self, deed: Deed, *arguments: Any) -> None:  # noqa: ANN401 - what a core takes
        self.deed = deed
        self.cheat = deed.cheat
        super().__init__(*arguments)

    def flush(self) -> tuple[Effect, ...]:
        """Do an unasked or late cheat whose time has come; then return the effects as usual."""
        late = self.kept_back is not None
        if (late or not self.cheat.kinds) and self._is_time():
            bent = self.cheat.bend(self, self.kept_back)
            if bent is not None:
                self._do(bent)
        if self.deed.done is not None and self.cheat.goes_on is not None:
            for said in self.cheat.goes_on(self):
                super().hear_statement(said.signed, None)
                self.context.links.tell_all(Statements((said.signed,)))
        return super().flush()

    def write(self, payload: Payload | PendingPayload) -> None:
        """Write the due payload, or cheat with it if it is time.

        After some cheats, write nothing more.
        """
        if self.deed.done is not None and (self.cheat.is_silence or self._has_spoilt_lobby()):
            return
        if self._is_held():
            return
        waits = self.cheat.how is How.LATE and self.deed.done is None
        if waits and isinstance(payload, self.cheat.kinds):
            self.kept_back = payload
            self.hold_back()
            return
        fits = not isinstance(payload, PendingPayload) and isinstance(payload, self.cheat.kinds)
        bent = self.cheat.bend(self, payload) if fits and self._is_time() else None
        if bent is None:
            super().write(payload)
            return
        self._do(bent)
        if self.cheat.is_beside:
            super().write(payload)

    def _has_spoilt_lobby(self) -> bool:
        """Return True in a lobby if the lie takes the place of an entry.

        A host that has told such a lie writes nothing more there.
        """
        return self.state.phase is Phase.LOBBY and not self.cheat.is_beside

    def _is_time(self) -> bool:
        """Count a chance to cheat that a peer would hear; return True if it is the one to take."""
        cheat, deed = self.cheat, self.deed
        if deed.done is not None or (cheat.phase is not None and self.state.phase != cheat.phase):
            return False
        if cheat.how is not How.FORCED and not self._hearers():
            return False
        deed.wait -= 1
        return deed.wait < 0

    def offer(self, signed: SignedEntry, sender: PeerKey | None) -> bool:
        """Take an entry, except a lie of its own that comes back, which would convict the cheater.

        A cheater that loses its record needs its other entries back from its peers.
        """
        return not self._is_told(signed) and bool(super().offer(signed, sender))

    def hear_statement(self, signed: SignedStatement, sender: PeerKey | None) -> bool:
        """Take a statement, except a lie of its own that would convict it."""
        is_lie = self.cheat.binds and self._is_told(signed)
        return not is_lie and bool(super().hear_statement(signed, sender))

    def _is_told(self, signed: SignedEntry | SignedStatement) -> bool:
        """Return True if the cheater has both signed and sent this."""
        if signed not in self.deed.told:
            return False
        with suppress(Malformed):
            if isinstance(signed, SignedStatement):
                return read_statement(signed).is_by(self.key)
            return read_entry(signed).is_by(self.key)
        return False

    def decide(self) -> None:
        """Vote honestly, unless the cheater has already made a statement in this poll."""
        if not self._is_held():
            super().decide()

    def _is_held(self) -> bool:
        """Return True if the cheater has made a statement in the open poll, which binds it."""
        return any(self.ledger.poll.is_of(said.statement) for said in self.told_statements())

    def told_statements(self) -> Iterator[ReceivedStatement]:
        """Yield the statements in polls that the cheater has sent and has signed itself."""
        for signed in self.deed.told:
            if isinstance(signed, SignedStatement):
                said = read_statement(signed)
                if said.is_by(self.key):
                    yield said

    def hold_back(self) -> None:
        """Prevent the true entry for the due step from being written."""
        self.parts.entry_signer.begun = self.state.log_id, self.state.step

    def has_been_level(self, step: int) -> bool:
        """Return False, even if its own lie comes back: no other program uses its key."""
        del step
        return False

    def _hearers(self) -> list[PeerKey]:
        return sorted(self.context.links.greeted())

    def _do(self, bent: Payload | Ready) -> None:
        """Do the cheat: tell the lie or, if the cheat is a silence, only stop signing."""
        cheat, deed = self.cheat, self.deed
        if isinstance(bent, Ready):
            deed.told = bent.said
            self._say(bent, self._hearers())
            return
        deed.done = At(tag(bent), self.state.step)
        if not cheat.is_beside:
            self.hold_back()
        if not cheat.is_silence:
            self._say(Ready(tag(bent), (self.signed(bent),)), None)

    def _say(self, ready: Ready, hearers: list[PeerKey] | None) -> None:
        """Tell the lie to these hearers, or to everybody if None.

        If the cheat is of a kind that only one peer hears, tell the last peer instead. A forced lie
        only goes into the cheater's own log.
        """
        deed, how = self.deed, self.cheat.how
        deed.done = At(ready.kind, self.state.step)
        deed.files = ready.files
        deed.lie = ready.said[-1]
        if how is How.FORCED:
            self.parts.intake.settle(read_entry(ready.entries[0]))
            return
        deed.repeated = messages = tuple(_messages(ready))
        last = self._hearers()[-1]
        if how in (How.BESIDE, How.UNSIGNED):
            deed.victim, hearers = last, [last]
        if hearers is None:
            self.context.links.tell_all(*messages)
            return
        for key in hearers:
            for message in _apart(ready, is_last=key == last) if ready.apart else messages:
                self.send(key, message)

    def record_with(self, statements: Iterable[SignedStatement]) -> bytes:
        """Return a file of the cheater's record, followed by these statements."""
        header = RecordHeader(PROTOCOL_VERSION)
        said = map(RecordStatement, statements)
        return file_of((header, *record_frames(self.ledger), *said))

    def signed(self, payload: Payload) -> SignedEntry:
        """Return the lie as an entry for the due step."""
        own = CHAIR if self.state.phase is Phase.LOBBY else self.state.seat_of(self.key)
        assert own is not None
        return self.cheat.sign(self, due_body(self.ledger, own, payload))

    def greet(self, key: PeerKey, peer: Peer, hello: Hello) -> None:
        """Greet a peer, and repeat the messages of the lie to it where they are needed.

        That is so for a statement in the open poll and, after the lobby, for any other lie that
        convicts; one that was told to a single peer is repeated to that peer alone.
        """
        super().greet(key, peer, hello)
        if peer.greeted and self._repeats_to(key):
            for message in self.deed.repeated:
                self.send(key, message)

    def _repeats_to(self, key: PeerKey) -> bool:
        if self._is_held():
            return True  # its messages went into dead links, and it says nothing else
        if not self.cheat.binds or self.state.phase is Phase.LOBBY:
            return False
        return self.cheat.how is not How.BESIDE or key == self.deed.victim


def _messages(ready: Ready) -> Iterator[LinkMessage]:
    """Yield the messages that carry these entries and statements."""
    if ready.as_evidence:
        yield Evidence(ready.entries, ready.statements)
        return
    yield from (Entries(piece) for piece in batches(ready.entries))
    yield from (Statements(piece) for piece in batches(ready.statements))


def _apart(ready: Ready, *, is_last: bool) -> Iterator[LinkMessage]:
    """Yield the messages for one peer; the last peer hears something different from the others."""
    *before, other = ready.statements
    yield Statements((*before[:-1], other) if is_last else tuple(before))


class Accomplice(Bent):
    """A partner of the cheater, which accepts all proofs as good and accuses nobody openly."""

    def judged(self, entry: Entry, found: object) -> None:
        """Accept every proof."""
        del found
        super().judged(entry, None)

    def checked(self, deal: Deal, proofs: object, found: object) -> None:
        """Accept every chain."""
        del found
        super().checked(deal, proofs, None)

    def convict(self, fault: Fault) -> None:
        """Keep quiet about a fault, but pass its evidence on to one other peer."""
        others = sorted(self.context.links.greeted().difference({fault.key}))
        if others:
            self.send(others[-1], Entries(fault.entries))
            self.send(others[-1], Statements(fault.statements))
