"""Check that an honest seat names the cheater, with evidence that convinces anybody."""

from collections.abc import Iterator

from lab.simulation.computers.process import Process
from lab.simulation.computers.records import judged
from netgame.protocol.text import fingerprint


def title(process: Process) -> str:
    """Return the player's name with the fingerprint of the key, as in notices and verdicts."""
    return f"{process.name} ({fingerprint(process.key)})"


def not_convinced(process: Process, cheater: Process) -> Iterator[str]:
    """Yield a fault if an honest seat cannot name the cheater, or lacks convincing evidence."""
    if cheater.key not in {fault.key for fault in process.core.faults}:
        yield f"escaped: {process.name} does not know that {title(cheater)} cheated"
    if not process.records.evidence:
        yield f"escaped: {process.name} has no evidence against {title(cheater)}"
    for name, content in process.records.evidence.items():
        verdict = judged(content)
        if not verdict.ok or verdict.culprit != title(cheater):
            yield f"evidence: {name} of {process.name} says: {verdict.sentence}"
