"""A peer that signs faults on command, and is honest in everything else.

It convicts neither itself nor anybody else, and ignores its own lies that come back.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lab.simulation.cheats.bent import Bent
from lab.simulation.computers.chance import Chance
from lab.simulation.liars.lies import Armed, Breach, Make, Told, in_place_of
from netgame.protocol.log.fault import Fault
from netgame.protocol.peer.effects import Effect, PeerKey
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.wire import messages as wire


@dataclass(slots=True)
class Tale:
    """The lies that one liar has told, in all lives of its process, and the one to tell next."""

    chance: Chance
    heard: Callable[[Breach], None]
    """Called with each lie that somebody is told."""
    armed: Armed | None = None
    """The kind of lie that waits for the next entry that the liar owes."""
    told: set[wire.SignedEntry | wire.SignedStatement] = field(default_factory=set)


class Liar(Bent):
    """A peer that tells the lies of its `tale`."""

    def __init__(self, tale: Tale, *arguments: Any) -> None:  # noqa: ANN401 - what a core takes
        self.tale = tale
        super().__init__(*arguments)

    def convict(self, fault: Fault) -> None:
        """Ignore the fault: a liar convicts nobody, not even itself."""

    def offer(self, signed: wire.SignedEntry, sender: PeerKey | None) -> bool:
        """Take an entry, unless it is one of its own lies.

        Return what the real method returns, or False for a lie.
        """
        return signed not in self.tale.told and bool(super().offer(signed, sender))

    def hear_statement(self, signed: wire.SignedStatement, sender: PeerKey | None) -> bool:
        """Take a statement, unless it is a lie of its own.

        Return what the real method returns, or False for a lie.
        """
        return signed not in self.tale.told and bool(super().hear_statement(signed, sender))

    def has_been_level(self, step: int) -> bool:
        """Return False, even if its own lie comes back: no other program plays its key."""
        del step
        return False

    def write(self, payload: wire.Payload | PendingPayload) -> None:
        """Tell the armed lie if possible, and write the due entry unless the lie replaces it."""
        armed, seat = self.tale.armed, self.context.seat
        if armed is None or seat is None or isinstance(payload, PendingPayload):
            super().write(payload)
            return
        told = in_place_of(self, seat, payload, armed)
        if told is None or not self._tell(told):
            super().write(payload)
            return
        self.tale.armed = None
        if told.instead:
            self.parts.entry_signer.begun = self.context.due()
        else:
            super().write(payload)

    def tell(self, make: Make) -> tuple[Effect, ...]:
        """Tell some peers the lie that `make` returns, if it returns one; return the effects."""
        told = make(self, self.tale.chance)
        if told is not None:
            self._tell(told)
        return self.flush()

    def write_at_last(self) -> tuple[Effect, ...]:
        """Write the entry that was held back for a lie, if it is still due; return the effects."""
        self.parts.entry_signer.begun = None
        return self.flush()

    def _tell(self, told: Told) -> bool:
        """Send the lie to one, some or all peers; each gets one of its two versions.

        Return False if no peer is there to hear it.
        """
        chance, there = self.tale.chance, sorted(self.context.links.greeted())
        match chance.below(3):
            case 0:
                hearers = there
            case 1:
                hearers = [key for key in there if chance.once_in(2)] or there[:1]
            case _:
                hearers = [chance.pick(there)] if there else []
        for key in hearers:
            for message in told.one if chance.once_in(2) else told.other:
                self._keep(message, told.good)
                self.send(key, message)
        if hearers:
            self.tale.heard(told.lie)
        return bool(hearers)

    def _keep(self, message: wire.LinkMessage, good: wire.SignedEntry | None) -> None:
        if isinstance(message, wire.Entries | wire.Evidence):
            self.tale.told.update(each for each in message.entries if each != good)
        if isinstance(message, wire.Statements | wire.Evidence):
            self.tale.told.update(message.statements)
