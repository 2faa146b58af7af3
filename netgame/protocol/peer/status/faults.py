"""The faults that this peer knows of, and those that stop it [protocol.md §7, peer.md §8.1].

A fault convicts its author for ever. It is kept, shown to the player and passed on only once for
each key, seating and kind. So nobody can fill disks and screens with faults. A fault that *binds*
(`ledger.binding`) is kept no matter how many there were before, and this peer signs nothing while
it binds. The peer checks again with every step, decision and statement whether a fault binds: so a
harmless first fault does not shield a later one, and a peer that only lagged behind signs again.

A convicted seat that stops nobody is missed like one that is away (`people.wishes`), until it has
gone.
"""

from collections.abc import Callable

from msgspec.structs import replace

from netgame.crypto.group import Entropy
from netgame.limits import EVIDENCE_BURST, FORGERS_NAMED_MAX
from netgame.protocol.ledger.binding import binds, is_since_seated
from netgame.protocol.ledger.verdict import evidence_file, fault_sentence, seat_name
from netgame.protocol.log.entry import read_statement
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind
from netgame.protocol.notices import AfterFault, FaultFound, PlaysOn
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey, SaveEvidence
from netgame.protocol.peer.linked import batches
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.protocol.text import fingerprint
from netgame.wire.messages import Evidence, Statements


class Faults(PeerPart):
    """Acts on faults: keeps and publishes them, stops this peer, or ends a link."""

    lifetime: Lifetime
    fresh: Callable[[], Entropy]
    """Returns a source of random weights, with which several proofs are judged together."""
    kept: list[Fault] = []
    """The faults kept, in the order in which they were found."""
    found_in: list[int] = []
    """The round, from 0, in which each kept fault was found."""
    _seen: set[tuple[bytes, tuple[int, int] | None, FaultKind]] = set()
    """The keys, seatings and kinds of the faults kept."""
    _weighed_at: tuple[int, int, int] = (-1, -1, -1)
    """The step, and the numbers of decisions and statements, when the faults were last weighed."""
    _witnessed: set[PeerKey] = set()
    """The peers already named for passing on wrong signatures."""

    def blame(self, fault: Fault, sender: PeerKey | None) -> None:
        """Act on a fault: blame its signer or, if the signature is wrong, the peer that sent it.

        A wrong signature ends the sender's link. The player is told once of each such sender, of
        `FORGERS_NAMED_MAX` at most. A wrong signature without a sender is ignored. For any other
        fault, its signer is convicted (`convict`).
        """
        if fault.finding.check is not CheckCode.SIGNATURE:
            self.convict(fault)
            return
        if sender is None:
            return
        if sender not in self._witnessed and len(self._witnessed) < FORGERS_NAMED_MAX:
            self._witnessed.add(sender)
            self.context.outbox.notify(self._found(replace(fault, sender=sender)))
        self.context.links.drop_forger(sender)

    def convict(self, fault: Fault) -> None:
        """Keep a proved fault, save the evidence and pass it on; stop if it binds.

        Ignores a fault of the same key, seating and kind as a kept one, unless it binds. Ignores a
        fault while another of its key binds, unless the log shows it: such a fault is found only
        once, and may bind once the other no longer does. A fault of our own key shows that another
        process signs with it: this process stops, and does nothing else.
        """
        context = self.context
        if fault.key == context.key:
            self.lifetime.stop_here()
            return
        if fault.kind is not FaultKind.SHOWN and self._is_stopped_by(fault.key):
            return
        like = fault.key, context.state.company.seated_at(fault.key), fault.kind
        is_first = like not in self._seen
        stops = self._binds(fault)
        if not (is_first or stops):
            return
        self._seen.add(like)
        self.kept.append(fault)
        self.found_in.append(_round_now(context.state))
        context.guilty[fault.key] = context.guilty.get(fault.key, 0) + 1
        context.stirred = True
        was_stopped = context.fault is not None
        self._weigh(told=fault)
        self._publish(fault, self._then(fault, stops=stops or was_stopped))
        context.links.tell_all(Evidence(fault.entries, fault.statements))
        if fault.kind is FaultKind.PAIR:
            self._tell_decision(fault)

    def _tell_decision(self, fault: Fault) -> None:
        """Send everybody the certificate of the poll to which a pair belongs, if that poll is over.

        Somebody may have gone on by another certificate.
        """
        said = read_statement(fault.statements[0]).statement
        for decision in self.context.ledger.decisions:
            if decision.book.is_of(said):
                for piece in batches(each.signed for each in decision.said):
                    self.context.links.tell_all(Statements(piece))

    def convict_late(self) -> None:
        """Convict the author of a fault that only a whole step or poll shows, if there is one."""
        late = self.context.ledger.late_fault()
        if late is not None:
            self.convict(late)

    def is_closed(self) -> bool:
        """Return True if a fault that the log shows stops us: the log accepts no more entries.

        A decision may still make the fault void.
        """
        return self.context.fault is not None and self.context.fault.kind is FaultKind.SHOWN

    def weigh(self) -> None:
        """Check again, after a step, a decision or a statement, whether a fault stops us."""
        if self.kept and self._present() != self._weighed_at:
            self._weigh()

    def _present(self) -> tuple[int, int, int]:
        ledger = self.context.ledger
        return ledger.state.step, len(ledger.decisions), len(ledger.poll.said)

    def _weigh(self, told: Fault | None = None) -> None:
        """Stop or go on, as the kept faults require, and tell the player if that is a change.

        If `told` is the fault that stops us, the caller tells the player.
        """
        context = self.context
        self._weighed_at = self._present()
        now = context.state.company
        before = context.fault
        since = (each for each in self.kept if is_since_seated(now, each))
        context.convicted = frozenset(each.key for each in since)
        # A fault that the log shows comes first: it closes the log, no matter what else stops us.
        in_order = sorted(self.kept, key=lambda each: each.kind is not FaultKind.SHOWN)
        context.fault = next(filter(self._binds, in_order), None)
        if (context.fault is None) == (before is None):
            return
        context.stirred = True
        if context.fault is not None:
            self.lifetime.halt()
            if context.fault is not told:
                context.outbox.notify(self._found(context.fault, AfterFault.STOPS))
        else:
            self.lifetime.go_on()
            context.outbox.notify(PlaysOn())

    def _is_stopped_by(self, key: bytes) -> bool:
        """Return True if a fault of this key stops us, even if a fault of another key does, too.

        False while no fault stops us.
        """
        first = self.context.fault
        if first is None:
            return False
        return first.key == key or any(e.key == key and self._binds(e) for e in self.kept)

    def _binds(self, fault: Fault) -> bool:
        convicted = self.context.convicted | {fault.key}
        return binds(self.context.ledger, fault, convicted, self.context.key, self.fresh())

    def to_show(self) -> list[Fault]:
        """Return the faults to show to a new peer: the one that stops us, then others.

        The others are of keys convicted since they sat down. At most `EVIDENCE_BURST` together, as
        many as a peer may tell at once.
        """
        first = [] if self.context.fault is None else [self.context.fault]
        sits = self.context.convicted
        others = [each for each in self.kept if each.key in sits and each not in first]
        return [*first, *others][:EVIDENCE_BURST]

    def _then(self, fault: Fault, *, stops: bool) -> AfterFault:
        """Return what follows from a fault: this peer stops, the seat is let go, or nothing."""
        if stops:
            return AfterFault.STOPS
        return AfterFault.LET_GO if fault.key in self.context.convicted else AfterFault.NOTHING

    def _publish(self, fault: Fault, then: AfterFault) -> None:
        content = evidence_file(self.context.ledger, fault)
        found = self._found(fault, then)
        self.context.outbox.emit(SaveEvidence(found.evidence, content))
        self.context.outbox.notify(found)

    def _found(self, fault: Fault, then: AfterFault = AfterFault.NOTHING) -> FaultFound:
        """Return the notice of a fault; a wrong signature has no evidence file."""
        state = self.context.state
        named = fault.sender or fault.key
        code = fault.finding.check.value
        file = "" if fault.sender else f"evidence-{fault.step}-{code}-{fingerprint(named)}.bin"
        return FaultFound(seat_name(state, named), code, fault_sentence(state, fault), file, then)


def _round_now(state: State) -> int:
    """Return the round, from 0, that is played or dealt, or whose scores are being signed."""
    table = state.table
    if table is None:
        return 0
    if state.phase in (Phase.SCORE, Phase.AUDIT):
        return table.round_number
    return min(len(table.past), table.spec.rounds - 1)
