"""The checks that a simulated process has yet to make, and what it must not sign before them.

A seat that signs `checked`, or gives its shares of a new deck, before its own check of the chain
has ended vouches for what it has not seen. The core must not; this looks at it from outside.
"""

from dataclasses import dataclass, field

from netgame.protocol.log.entry import read_entry
from netgame.protocol.state.deck import ChainId
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.wire.codec import decode
from netgame.wire.messages import Checked, RecordEntry, Shares


@dataclass(slots=True)
class Checking:
    """The chains whose check is under way in this life of a process."""

    hasty: list[str]
    """Entries that were signed too early, in any life: none, in a game in which all is well."""
    said: set[bytes]
    """All that was signed in any life, or by a copy.

    A process that lost its record says it again from its journal, and one that was played from a
    copy takes what that has signed from others.
    """
    under_way: set[ChainId] = field(default_factory=set)
    last: ChainId = (b"", -1)
    """The chain whose check was begun last."""
    stops_all: bool = False
    """Whether the table waits for the last chain, so that no share can be due for another."""

    def begin(self, chain: ChainId | None, state: State) -> None:
        """Note that work was handed out: the check of a chain, or of None anything else."""
        if chain is None:
            return
        self.under_way.add(chain)
        self.last = chain
        self.stops_all = state.phase is Phase.DEAL  # else it is the next round's, between turns

    def end(self, chain: ChainId | None) -> None:
        """Note that the work has come to its result."""
        if chain is not None:
            self.under_way.discard(chain)

    def of_copy(self) -> "Checking":
        """The same for a process that plays from a copy, as it signs with the same key."""
        return Checking([], self.said)

    def wrote(self, record: bytes) -> None:
        """Look at an own entry that is being written, and about to be sent."""
        if record in self.said:
            return
        self.said.add(record)
        entry = read_entry(decode(record, RecordEntry).entry)
        waits = self.last in self.under_way and entry.id == self.last[0]
        if waits and isinstance(entry.payload, Checked):
            self.hasty.append(f"checked at step {entry.step}")
        if waits and self.stops_all and isinstance(entry.payload, Shares):
            self.hasty.append(f"shares at step {entry.step}")
