"""Faults made known: the evidence is kept and passed on, and a proved fault stops the table."""

from dataclasses import dataclass, field

from netgame.limits import HEARSAY_MAX
from netgame.protocol.ledger.evidence import evidence_file, fault_sentence, seat_name
from netgame.protocol.log.fault import CheckCode, Fault
from netgame.protocol.notices import FaultFound
from netgame.protocol.peer.effects import PeerKey, SaveEvidence
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.text import fingerprint
from netgame.wire.messages import Evidence


@dataclass(eq=False)
class Faults:
    """Who is accused of what; `_witnessed` has passed on what nobody had signed, and is named."""

    place: Place
    stay: Stay
    _witnessed: set[PeerKey] = field(default_factory=set)

    def blame(self, fault: Fault, sender: PeerKey | None) -> None:
        """A fault in an entry: its signer's, or, where nobody signed it, the sender's."""
        if fault.finding.check is CheckCode.FORK and fault.key == self.place.key:
            self.stay.stop_here()
            return
        if fault.finding.check is not CheckCode.SIGNATURE:
            self.convict(fault)
            return
        if sender is None:
            return
        if sender not in self._witnessed and len(self._witnessed) < HEARSAY_MAX:
            self._witnessed.add(sender)
            self._publish(Fault(fault.finding, fault.key, fault.step, fault.entries, sender))
        self.place.links.drop(sender, "it passed on an entry with a wrong signature")

    def convict(self, fault: Fault) -> None:
        """Stop the table on a proved fault; the evidence is kept and passed on."""
        if self.place.fault is not None:
            return
        self.place.fault = fault
        self._publish(fault)
        self.place.links.tell_all(Evidence(fault.entries))
        self.stay.halt()

    def convict_late(self) -> None:
        """Convict whom the whole of the last done step shows to have cheated, if anybody."""
        late = self.place.ledger.late_fault()
        if late is not None:
            self.convict(late)

    def _publish(self, fault: Fault) -> None:
        place, named = self.place, fault.sender or fault.key
        code = fault.finding.check.value
        file = f"evidence-{fault.step}-{code}-{fingerprint(named)}.bin"
        content = evidence_file(place.ledger, fault, place.signer)
        place.outbox.emit(SaveEvidence(file, content))
        culprit, sentence = seat_name(place.state, named), fault_sentence(place.state, fault)
        place.outbox.notify(FaultFound(culprit, code, sentence, file))
