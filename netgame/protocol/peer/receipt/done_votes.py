"""Votes on steps that are done here: others may have closed one in another way [§4.7].

Most come late and change nothing. One that asks is answered; one that shows, with all who could
say so, that the members closed the step otherwise has this peer read their log instead, or go.
"""

from dataclasses import dataclass, field
from enum import Enum

from netgame.limits import ANSWERED_STEPS, VOICES_PER_SEAT_MAX
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.votes import Naming, naming_of
from netgame.protocol.log.entry import Entry, read_entry, said, sign_entry
from netgame.protocol.notices import WhyClosed
from netgame.protocol.peer.effects import Journalled, PeerKey, StartAnew
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.receipt.ballots import Ballots
from netgame.protocol.peer.receipt.pulls import Held
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.journal import Journal
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.silence import Silence
from netgame.protocol.peer.standing.stay import Stay
from netgame.wire.codec import encode
from netgame.wire.messages import Body, Entries, Missing, RecordEntry


@dataclass(eq=False)
class FreshReading:
    """Whoever remembers something of the log that was read before, and forgets it."""

    place: Place
    journal: Journal
    silence: Silence
    author: Author
    held: Held
    ballots: Ballots
    news: News

    def start_anew(self, step: int, ballot: int) -> None:
        """Read the log again; its members closed `step` in this ballot, otherwise than we.

        What is still being judged counts no more.
        """
        self.ballots.bind(step, ballot)
        self.news.read_anew()
        self.place.outbox.emit(StartAnew())
        self.place.ledger = Ledger(self.place.table_id)
        self.journal.read_anew(step)
        self.author.forget()
        self.silence.begin(self.place.now)
        self.place.outbox.forget_work()
        self.held.clear()
        for peer in self.place.links.peers.values():
            peer.read_anew()


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

    def __len__(self) -> int:
        return sum(map(len, self._by_seat.values()))


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


@dataclass(eq=False)
class DoneVotes:
    """Hears votes on done steps, and does what follows."""

    place: Place
    stay: Stay
    journal: Journal
    silence: Silence
    reading: FreshReading
    voices: Voices = field(default_factory=Voices)

    def hear(self, entry: Entry, sender: PeerKey | None) -> None:
        """If all who could have closed a step in another way than we, we go.

        Who only looks on, and who was given up while its last entry was on its own disk alone, can
        read their log instead.
        """
        vote = said(entry, Missing)
        voices = self.voices.add(entry.seat, entry.step, naming_of(vote))
        match course(self.place.ledger, entry, voices, self.place.key):
            case Course.ANSWER if sender is not None:
                self._answer(entry, vote, sender)
            case Course.GONE:
                self.stay.close(WhyClosed.WITHOUT_YOU)
            case Course.ANEW:
                self.reading.start_anew(entry.step, vote.ballot)
                self.voices = Voices()
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
