"""What is to become of an entry, by the first check of protocol.md §7 that it fails."""

from dataclasses import dataclass

from netgame.protocol.log.entry import Entry
from netgame.protocol.log.fault import Fault, Judging


@dataclass(frozen=True, slots=True)
class Garbage:
    """7.1, 7.2: nobody signed this; whoever sent it is not speaking the protocol."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stray:
    """7.3, 7.4: of another table, or of an author this step does not have.

    `entry` is given where its author has signed it and it says who was missing in a done step.
    """

    reason: str
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    """The slot holds these very octets already."""


@dataclass(frozen=True, slots=True)
class Later:
    """Of a step that is not due yet."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Unlinked:
    """7.7: of the due step, but after another history than ours."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Guilty:
    """A fault, proved."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Accepted:
    """Good as far as could be told at once; `judging` is what is left to run."""

    entry: Entry
    judging: Judging | None


Judgement = Garbage | Stray | Repeat | Later | Unlinked | Guilty | Accepted
