"""What a peer can be found guilty of, and the numbered checks that find it.

`RECEIPT_CHECKS` is the list of protocol.md §7, in its order: every entry from anywhere, our own
included, passes it before it counts. `LATER_CHECKS` judge entries that are in the log already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.play.legality import Refusal
from netgame.crypto.group import Entropy
from netgame.wire.messages import SignedEntry


class CheckCode(Enum):
    """Stable names of the checks; they stand in evidence files."""

    SIZE = "size"
    CANONICAL = "canonical"
    TABLE = "table"
    AUTHOR = "author"
    SIGNATURE = "signature"
    FORK = "fork"
    LINK = "link"
    TURN = "turn"
    KIND = "kind"
    SHAPE = "shape"
    RULES = "rules"
    PROOF = "proof"
    SHUFFLE = "shuffle"
    AUDIT = "audit"


class Consequence(Enum):
    """What follows when a check fails."""

    DROP = "drop the link: nobody has signed this"
    IGNORE = "ignore the entry"
    WITNESS = "ignore the entry, drop the link, name the sender as a witness"
    HOLD = "hold the entry and ask for what is missing"
    FAULT = "the signer is at fault, and the entry proves it"


@dataclass(frozen=True, slots=True)
class Check:
    """One numbered check: its section in protocol.md, its code, its outcome."""

    section: str
    code: CheckCode
    outcome: Consequence


RECEIPT_CHECKS: Final = (
    Check("7.1", CheckCode.SIZE, Consequence.DROP),
    Check("7.2", CheckCode.CANONICAL, Consequence.DROP),
    Check("7.3", CheckCode.TABLE, Consequence.IGNORE),
    Check("7.4", CheckCode.AUTHOR, Consequence.IGNORE),
    Check("7.5", CheckCode.SIGNATURE, Consequence.WITNESS),
    Check("7.6", CheckCode.FORK, Consequence.FAULT),
    Check("7.7", CheckCode.LINK, Consequence.HOLD),
    Check("7.8", CheckCode.TURN, Consequence.FAULT),
    Check("7.9", CheckCode.KIND, Consequence.FAULT),
    Check("7.10", CheckCode.SHAPE, Consequence.FAULT),
    Check("7.11", CheckCode.RULES, Consequence.FAULT),
    Check("7.12", CheckCode.PROOF, Consequence.FAULT),
)

LATER_CHECKS: Final = (
    Check("7.13", CheckCode.SHUFFLE, Consequence.FAULT),
    Check("7.14", CheckCode.AUDIT, Consequence.FAULT),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Why an entry is refused: the check, a sentence without its subject, the rule broken."""

    check: CheckCode
    says: str
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Judging:
    """A check that takes time: run it anywhere, it touches nothing; None means passed.

    It is given octets of this peer alone, for the factors with which equations are added up.
    """

    run: Callable[[Entropy], Finding | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding with a name to it, and the signed entries that prove it to anybody.

    `key` is the culprit's; `sender` is set where only the link says who it was (a signature that
    does not verify binds nobody). `shown` is the step with which it shows, where that is a done
    one: what was written behind it proves nothing.
    """

    finding: Finding
    key: bytes
    step: int
    entries: tuple[SignedEntry, ...]
    sender: bytes = b""
    shown: int | None = None

    def __str__(self) -> str:
        return f"step {self.step}: {self.finding.says} [{self.finding.check.value}]"
