"""What a seat takes, and how it goes on, once somebody has been said to be missing [§4.7].

Who has voted may close the step only as all can who have voted with it in its highest ballot:

    without S   all but S have said so in this ballot
    whole       all but S have said in this ballot that they take every entry, also of whom they
                have named before
    vouched     a peer that it has never named has closed the step so
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.votes import Votes, naming_of
from netgame.protocol.log.entry import Entry, said
from netgame.wire.messages import Missing


class SetAside:
    """Entries of the due step that are here and do not count, as their seats have been named."""

    def __init__(self) -> None:
        self.step = -1
        self.entries: dict[int, Entry] = {}

    def of(self, step: int) -> Mapping[int, Entry]:
        """Those of the due step, by seat."""
        return self.entries if step == self.step else {}

    def keep(self, entry: Entry) -> None:
        """Put one aside; those of other steps are done with."""
        if entry.step != self.step:
            self.step, self.entries = entry.step, {}
        self.entries[entry.seat] = entry


def is_bound(votes: Votes, own: int | None, present: frozenset[int], entry: Entry) -> bool:
    """Whether `own`, by what it has said in the due step, may not take this entry or vote."""
    ballot = -1 if own is None else votes.ballot_of(own)
    if own is None or ballot < 0 or entry.seat == own:
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


class Course(Enum):
    """What follows from what others have said of a step that is done here."""

    STAY = "nothing"
    ANSWER = "it was closed here as they would close it: tell them"
    GONE = "they have gone on without this seat"
    ANEW = "they have closed it otherwise: read their log"


def course(ledger: Ledger, entry: Entry, voices: frozenset[int], key: bytes) -> Course:
    """How `key` goes on after a vote on a done step that `voices` have given.

    All who could have: who was named by them can have closed the step otherwise, and nobody
    follows. Those count for nothing whom this log gave up in an earlier ballot: of those who are
    left to it, all have bound themselves to another way.
    """
    step, naming = entry.step, naming_of(said(entry, Missing))
    closed = ledger.closed_by(step)
    is_here = entry.prev == ledger.head_before(step)
    is_later = naming.ballot > closed.ballot
    own, stays = ledger.seat_at(step, key), ledger.state.seat_of(key) in ledger.state.present
    named = own in naming.seats
    if naming.whole and is_here and not closed.seats:
        return (
            Course.ANSWER if stays and own not in (None, entry.seat, *naming.seats) else Course.STAY
        )
    without_say = naming.seats | (closed.seats if is_later else frozenset())
    if not voices >= frozenset(ledger.present(step)) - without_say or (stays and not named):
        return Course.STAY
    if stays and not is_here:
        return Course.GONE
    theirs = naming._replace(seats=frozenset()) if naming.whole else naming
    differs = is_here and theirs != closed
    return Course.ANEW if differs and (is_later or own not in closed.seats) else Course.STAY
