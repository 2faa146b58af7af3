"""What votes on who is missing do to a log: of the due step, and of steps that are done [§4.7].

Who has voted may close the due step only as all can who have voted with it in its highest ballot:

    without S   all but S have said so in this ballot
    whole       all but S have said in this ballot that they take every entry, also of whom they
                have named before
    vouched     a peer that it has never named has closed the step so
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from netgame.limits import ANSWERED_STEPS, VOICES_PER_SEAT_MAX
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.votes import Naming, Votes, naming_of
from netgame.protocol.log.entry import Entry, read_entry, said, sign_entry
from netgame.protocol.peer.effects import Journalled, PeerKey, StartAnew
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.receipt.pulls import Held
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.journal import Journal, Silence
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.stay import Stay
from netgame.wire.codec import encode
from netgame.wire.messages import Body, Entries, Missing, RecordEntry


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


@dataclass(slots=True)
class Voices:
    """What each seat has last said; one that says much forgets its own words, nobody else's."""

    _by_seat: dict[int, dict[tuple[int, Naming], None]] = field(default_factory=dict)

    def add(self, seat: int, step: int, naming: Naming) -> frozenset[int]:
        """Note that `seat` said so of `step`; whoever has said the same."""
        own, voice = self._by_seat.setdefault(seat, {}), (step, naming)
        own.pop(voice, None)
        own[voice] = None
        if len(own) > VOICES_PER_SEAT_MAX:
            del own[next(iter(own))]
        return frozenset(each for each, sets in self._by_seat.items() if voice in sets)


class Course(Enum):
    """What follows from what others have said of a step that is done here."""

    STAY = "nothing"
    ANSWER = "it was closed here as they would close it: tell them"
    ANEW = "they have closed it otherwise: read their log"


def course(ledger: Ledger, entry: Entry, voices: frozenset[int], key: bytes) -> Course:
    """How `key` goes on after a vote on a done step that `voices` have given.

    All who could have: who was named by them can have closed the step otherwise, and nobody
    follows. Those count for nothing whom this log gave up in an earlier ballot: of those who are
    left to it, all have bound themselves to another way. Nor does the voice of a seat that has gone
    on past the step with this log, which else any majority could have undone; nothing undoes a
    finished one.
    """
    step, naming = entry.step, naming_of(said(entry, Missing))
    closed = ledger.closed_by(step)
    is_later = naming.ballot > closed.ballot
    own, stays = ledger.seat_at(step, key), ledger.state.seat_of(key) in ledger.state.present
    named = own in naming.seats
    if naming.whole and not closed.seats:
        return (
            Course.ANSWER if stays and own not in (None, entry.seat, *naming.seats) else Course.STAY
        )
    without_say = naming.seats | (closed.seats if is_later else frozenset())
    needed = frozenset(ledger.present(step)) - without_say
    count = frozenset(seat for seat in voices & needed if not ledger.has_gone_on(step, seat))
    if not needed or count != needed or (stays and not named) or ledger.state.phase is Phase.OVER:
        return Course.STAY
    theirs = naming._replace(seats=frozenset()) if naming.whole else naming
    differs = theirs != closed
    return Course.ANEW if differs and (is_later or own not in closed.seats) else Course.STAY


@dataclass(eq=False)
class Ballots:
    """How our own votes bind us in the due step, and what others' on done steps have us do.

    `_aside` are entries of the step `_aside_step` that are here and do not count, as their seats
    have been named. `_floor` is a step that is read anew, and the first ballot in which it can be
    closed: all who stay have bound themselves not to close it in an earlier one.
    """

    place: Place
    stay: Stay
    journal: Journal
    silence: Silence
    author: Author
    held: Held
    news: News
    voices: Voices = field(default_factory=Voices)
    _floor: tuple[int, int] = (-1, 0)
    _aside_step: int = -1
    _aside: dict[int, Entry] = field(default_factory=dict)

    # ---- the due step ----

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
        step, ballot = self._floor
        if entry.step == step and _is_before(entry, ballot):
            return True
        if own is None or not is_bound(votes, own, frozenset(state.present), entry):
            return False
        peer = None if sender is None else self.place.links.peers.get(sender)
        if sender is None or peer is None or peer.head is None:
            return True
        return peer.head.step <= state.step or not may_vouch(
            votes, own, entry, state.seat_of(sender)
        )

    # ---- steps that are done ----

    def hear(self, entry: Entry, sender: PeerKey | None) -> None:
        """Hear a vote on a step that is done here; if all who could say so closed it otherwise, go.

        Most come late and change nothing; one that asks is answered.

        Who only looks on, and who was given up while its last entry was on its own disk alone, can
        read their log instead.
        """
        vote = said(entry, Missing)
        voices = self.voices.add(entry.seat, entry.step, naming_of(vote))
        match course(self.place.ledger, entry, voices, self.place.key):
            case Course.ANSWER if sender is not None:
                self._answer(entry, vote, sender)
            case Course.ANEW:
                self.start_anew(entry.step, vote.ballot)
            case _:
                pass

    def _answer(self, entry: Entry, asked: Missing, sender: PeerKey) -> None:
        """Others can close a step as we have, with all entries, once we say that we have."""
        step, peer, ledger = entry.step, self.place.links.peers.get(sender), self.place.ledger
        if self.stay.has_left or self.silence.lasts() or self.journal.is_void(ledger):
            return
        is_open = peer is not None and peer.head is not None and peer.head.step <= step
        if not is_open or step < self.place.state.step - ANSWERED_STEPS:
            return
        own = ledger.seat_at(step, self.place.key)
        answer = self.journal.answer(step, asked.ballot, asked.seats)
        if answer is None and own is not None and self.journal.may_answer(step):
            stage, head = self.journal.next_stage(step), ledger.head_before(step)
            body = Body(self.place.state.log_id_at(step), step, head, own, stage, asked)
            answer = read_entry(sign_entry(self.place.signer, body))
            self.journal.keep(answer)
            self.place.outbox.emit(Journalled(encode(RecordEntry(answer.signed))))
        if answer is not None:
            self.place.outbox.send(sender, Entries((answer.signed,)))

    def start_anew(self, step: int, ballot: int) -> None:
        """Read the log again; its members closed `step` in this ballot, otherwise than we.

        What is read is held to what was: nobody fills a slot in two ways. Whoever remembers
        something of the log that was read before forgets it, and what is still being judged counts
        no more.
        """
        self._floor = step, ballot
        self.voices = Voices()
        self.news.read_anew()
        self.place.outbox.emit(StartAnew())
        self.journal.recall(self.place.ledger, ())
        self.place.read_anew()
        self.place.stirred = True
        self.journal.read_anew(step)
        self.author.forget()
        self.silence.begin(self.place.now)
        self.place.outbox.forget_work()
        self.held.clear()
        for peer in self.place.links.peers.values():
            peer.read_anew()
