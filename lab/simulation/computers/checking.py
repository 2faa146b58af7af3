"""The checks that a simulated process has yet to finish, and the entries that must wait for them.

A seat that signs `checked`, or gives its shares of a new deck, before its own check of the chain
has ended vouches for something it has not verified. The core must not do that; `Checking`
watches the core from outside.
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
    """The chains that a process is checking in this life."""

    hasty: list[str]
    """Entries signed too early, in any life; empty if the core behaves."""
    said: set[bytes]
    """All entries of this key, written in any life or by a program on a copied folder.

    A process that lost its record writes its entries again from its journal. An original gets the
    entries of its copy from others.
    """
    under_way: set[ChainId] = field(default_factory=set)
    last: ChainId = (b"", -1)
    """The chain whose check began last."""
    stops_all: bool = False
    """True if the table waits for the last chain, so that no share can be due for another."""

    def begin(self, chain: ChainId | None, state: State) -> None:
        """Note that the check of `chain` has begun; None is other work, which changes nothing."""
        if chain is None:
            return
        self.under_way.add(chain)
        self.last = chain
        self.stops_all = state.phase is Phase.DEAL  # otherwise the next round's, between turns

    def end(self, chain: ChainId | None) -> None:
        """Note that the check of `chain` has ended; None is other work, which changes nothing."""
        if chain is not None:
            self.under_way.discard(chain)

    def of_copy(self) -> "Checking":
        """Return an empty `Checking` for a process that plays from a copied folder.

        The copy has the same key, so both share `said`.
        """
        return Checking([], self.said)

    def wrote(self, record: bytes) -> None:
        """Note an entry of this key, and add a line to `hasty` if it was signed too early.

        That is so if it vouches for a chain that this process is still checking. An entry noted
        before is skipped.
        """
        if record in self.said:
            return
        self.said.add(record)
        entry = read_entry(decode(record, RecordEntry).entry)
        waits = self.last in self.under_way and entry.id == self.last[0]
        if waits and isinstance(entry.payload, Checked):
            self.hasty.append(f"checked at step {entry.step}")
        if waits and self.stops_all and isinstance(entry.payload, Shares):
            self.hasty.append(f"shares at step {entry.step}")
