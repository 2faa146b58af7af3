"""Whether an honest seat names who has cheated, with evidence that convinces anybody."""

from collections.abc import Iterator

from lab.simulation.computers.process import Process
from lab.simulation.computers.records import judged
from netgame.protocol.text import fingerprint


def title(process: Process) -> str:
    """A name and its key's fingerprint, as notices and verdicts have them."""
    return f"{process.name} ({fingerprint(process.key)})"


def not_convinced(process: Process, cheater: Process) -> Iterator[str]:
    """An honest seat that does not name the cheater, or has no proof that convinces others."""
    if cheater.key not in {fault.key for fault in process.core.faults}:
        yield f"escaped: {process.name} does not know that {title(cheater)} cheated"
    if not process.records.evidence:
        yield f"escaped: {process.name} has no evidence against {title(cheater)}"
    for name, content in process.records.evidence.items():
        verdict = judged(content)
        if not verdict.ok or verdict.culprit != title(cheater):
            yield f"evidence: {name} of {process.name} says: {verdict.sentence}"
