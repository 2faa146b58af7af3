"""How many proofs of others this process has checked, so that a player can be told.

Only what was verified here counts: not our own proofs, which we make, nor those of a record that is
read again, which were checked before they were written down. Bots of one process share their
checks, so each of them counts those of all.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec import field

from netgame.protocol.log.fault import ProofKind
from netgame.protocol.peer.context import PeerPart


class CheckedProofs(PeerPart):
    """Counts the proofs that were checked and held, by what they show."""

    _held: Counter[ProofKind] = field(default_factory=Counter)

    def note(self, kinds: Iterable[ProofKind]) -> None:
        """Note that proofs of these kinds were checked and hold."""
        self._held.update(kinds)

    def counted(self) -> tuple[tuple[ProofKind, int], ...]:
        """How many of each kind were checked; a kind of which there was none is left out."""
        return tuple((kind, self._held[kind]) for kind in ProofKind if self._held[kind])
