"""Peers that cheat: real cores with one way bent each."""

from collections.abc import Callable

from lab.simulation.cheats.bent import Bent
from netgame.crypto.signing import SigningKey
from netgame.protocol.log.entry import ENTRY_DOMAIN, sign_entry
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.wire import messages as wire
from tests.netgame.games import due_body

Bend = Callable[["Mallory", wire.Payload], wire.Payload | None]


class Mallory(Bent):
    """A peer that sends something else than it should, once, without judging it first.

    `bend` gets each payload it is about to write and returns another one to send instead, or None
    to behave. `cheated_at` is the step of the cheat.
    """

    bend: Bend | None = None
    cheated_at: int | None = None

    def write(self, payload: wire.Payload | PendingPayload) -> None:
        """Write honestly unless it is time to cheat."""
        if isinstance(payload, PendingPayload) or self.bend is None or self.cheated_at is not None:
            super().write(payload)
            return
        bent = self.bend(self, payload)
        if bent is None:
            super().write(payload)
            return
        self.cheat(bent, payload)

    def cheat(self, bent: wire.Payload, payload: wire.Payload) -> None:
        """Sign the one instead of the other."""
        del payload
        self.slip(bent)

    def slip(self, payload: wire.Payload, seat: int | None = None) -> None:
        """Send an entry for the due step to everybody, past our own judgement."""
        self.cheated_at = self.state.step
        self.parts.pen.begun = self.state.log_id, self.state.step
        signed = sign_entry(self.place.signer, self.body(payload, seat))
        self.place.links.tell_all(wire.Entries((signed,)))

    def has_been_level(self, step: int) -> bool:
        """What it has said past its own judgement comes back to it; it knows from whom."""
        del step
        return False

    def body(self, payload: wire.Payload, seat: int | None = None) -> wire.Body:
        """A body for the due step."""
        own = self.state.seat_of(self.key)
        assert own is not None
        return due_body(self.ledger, own if seat is None else seat, payload)


class TwoFaced(Mallory):
    """Signs a second entry for a slot, and shows it to the last peer only."""

    def cheat(self, bent: wire.Payload, payload: wire.Payload) -> None:
        """Send one story to all, another to one."""
        self.cheated_at = self.state.step
        other = sign_entry(self.place.signer, self.body(bent))
        victim = max(key for key, peer in self.place.links.peers.items() if peer.greeted)
        self.send(victim, wire.Entries((other,)))
        super(Mallory, self).write(payload)


class WrongSigner:
    """Signs entries with a signature that does not fit, when told to."""

    def __init__(self, key: SigningKey) -> None:
        self.public_bytes = key.public_bytes
        self.key = key
        self.lies = False

    def sign(self, domain: str, data: bytes) -> bytes:
        """Sign something else."""
        if self.lies and domain == ENTRY_DOMAIN:
            self.lies = False
            return self.key.sign(domain, data + b"!")
        return self.key.sign(domain, data)


def when(kind: type[wire.Payload], change: Bend) -> Bend:
    """Bend the first payload of a kind."""
    return lambda core, payload: change(core, payload) if isinstance(payload, kind) else None
