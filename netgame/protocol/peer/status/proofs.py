"""The number of others' proofs that this process has checked, for the player to see.

Only proofs verified here count: not our own, and not those of a record that is read again, which
were checked before they were written down. Bots of one process share their checks, so each of them
counts the checks of all.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import field

from netgame.protocol.log.fault import ProofKind
from netgame.protocol.peer.context import PeerPart


class CheckedProofs(PeerPart):
    """Counts, by kind, the proofs that were checked and found good."""

    _held: Counter[ProofKind] = field(default_factory=Counter)

    def note(self, kinds: Iterable[ProofKind]) -> None:
        """Note that proofs of these kinds were checked and found good."""
        self._held.update(kinds)

    def counted(self) -> tuple[tuple[ProofKind, int], ...]:
        """Return the number of good proofs of each kind; kinds without any are left out."""
        return tuple((kind, self._held[kind]) for kind in ProofKind if self._held[kind])
