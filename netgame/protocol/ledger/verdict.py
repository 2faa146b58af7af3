"""What a record or an evidence file turned out to be, for whoever was not there [protocol.md §6].

A file is good as a record or as evidence, or it is hearsay, or it is refused. Only good evidence
has a culprit; `ok` and `culprit` follow from the kind, so that hearsay cannot have either.
"""

from dataclasses import dataclass
from enum import Enum

from netgame.protocol.ledger.signers import Signatory


class VerdictKind(Enum):
    """What a file shows to anybody."""

    RECORD = "record"
    """A game, with all that it stands on."""
    EVIDENCE = "evidence"
    """That somebody has signed what no honest seat signs."""
    HEARSAY = "hearsay"
    """That a witness says something of another, which nothing in the file proves."""
    REFUSED = "refused"
    """Nothing."""


_GOOD = (VerdictKind.RECORD, VerdictKind.EVIDENCE)


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """What a file turned out to be; `head` is 128 hex digits, `scores` one row a round.

    `accused` is whom evidence convicts, or whom a witness names. `signers` are the keys that stand
    behind the file, which are not people.
    """

    kind: VerdictKind
    sentence: str
    finished: bool = False
    entries: int = 0
    steps: int = 0
    head: str = ""
    names: tuple[str, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    winners: tuple[str, ...] = ()
    accused: str = ""
    check: str = ""
    signers: tuple[Signatory, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the file proves what it says; no word of a witness does."""
        return self.kind in _GOOD

    @property
    def culprit(self) -> str:
        """Who is convicted by the file alone; empty for all but good evidence."""
        return self.accused if self.kind is VerdictKind.EVIDENCE else ""
