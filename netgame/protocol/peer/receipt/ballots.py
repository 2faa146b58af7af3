"""What a seat takes of the due step, once somebody has been said to be missing [§4.7].

Who has voted may close the step only as all can who have voted with it in its highest ballot:

    without S   all but S have said so in this ballot
    whole       all but S have said in this ballot that they take every entry, also of whom they
                have named before
    vouched     a peer that it has never named has closed the step so
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from netgame.protocol.ledger.votes import Votes, naming_of
from netgame.protocol.log.entry import Entry
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.place import Place
from netgame.wire.messages import Missing


@dataclass(eq=False)
class Ballots:
    """How our own votes bind us.

    `_aside` are entries of the step `_aside_step` that are here and do not count, as their seats
    have been named. `_floor` is a step that is read anew, and the first ballot in which it can be
    closed.
    """

    place: Place
    _floor: tuple[int, int] = (-1, 0)
    _aside_step: int = -1
    _aside: dict[int, Entry] = field(default_factory=dict)

    def bind(self, step: int, ballot: int) -> None:
        """All who stay have bound themselves not to close this step in an earlier ballot."""
        self._floor = step, ballot

    def aside(self) -> Mapping[int, Entry]:
        """The entries of the due step that do not count, by seat."""
        return self._aside if self.place.state.step == self._aside_step else {}

    def admit(self, entry: Entry, sender: PeerKey | None) -> bool:
        """Whether an entry of the due step may count; if not, it is put aside, a vote ignored."""
        if not self._is_unvouched(entry, sender):
            return True
        if not isinstance(entry.payload, Missing):
            if entry.step != self._aside_step:
                self._aside_step, self._aside = entry.step, {}
            self._aside[entry.seat] = entry
        return False

    def _is_unvouched(self, entry: Entry, sender: PeerKey | None) -> bool:
        """Whether we have said that this entry's author is missing, and nobody has gone on with it.

        Else some might close the step with it, others without, as all have said. The same holds for
        what a seat says is missing.
        """
        state, votes = self.place.state, self.place.ledger.missing
        own = self.place.seat
        if self._is_under_floor(entry):
            return True
        if own is None or not is_bound(votes, own, frozenset(state.present), entry):
            return False
        peer = None if sender is None else self.place.links.peers.get(sender)
        if sender is None or peer is None or peer.head is None:
            return True
        return peer.head.step <= state.step or not may_vouch(
            votes, own, entry, state.seat_of(sender)
        )

    def _is_under_floor(self, entry: Entry) -> bool:
        """Whether it is a vote by which all who stay have bound themselves to close nothing."""
        (step, ballot), said = self._floor, entry.payload
        return isinstance(said, Missing) and entry.step == step and said.ballot < ballot


def is_bound(votes: Votes, own: int, present: frozenset[int], entry: Entry) -> bool:
    """Whether `own`, by what it has said in the due step, may not take this entry or vote."""
    ballot = votes.ballot_of(own)
    if ballot < 0 or entry.seat == own:
        return False
    if isinstance(entry.payload, Missing):
        vote = naming_of(entry.payload)
        return vote.ballot < ballot or entry.seat in votes.named_by(own, vote.ballot)
    mine = [naming for naming in votes.by(own) if naming.ballot == ballot]
    if not any(naming.whole for naming in mine):
        return entry.seat in votes.named_by(own, ballot)
    if any(naming.whole and not votes.lacks(naming, present) for naming in mine):
        return False
    return entry.seat in votes.named_by(own)


def may_vouch(votes: Votes, own: int, entry: Entry, voucher: int | None) -> bool:
    """Whether `voucher`, if it has gone on past the step, shows that this entry can be taken.

    It has closed the step without saying what we have said: so nobody can close it that way. Who
    has said something in a later ballot than this vote's takes no such vote: it has followed
    somebody, whom we can follow too, or it lies.
    """
    if voucher is None or _is_before(entry, votes.ballot_of(voucher)):
        return False
    mine = votes.by(own)
    if votes.ballot_of(own) == 0:
        mine = tuple(naming for naming in mine if entry.seat in naming.seats)
    return not any(voucher in naming.seats for naming in mine)


def _is_before(entry: Entry, ballot: int) -> bool:
    """Whether this is a vote, and of an earlier ballot."""
    return isinstance(entry.payload, Missing) and entry.payload.ballot < ballot
