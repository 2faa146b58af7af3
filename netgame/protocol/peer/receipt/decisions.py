"""Statements of a poll as they come, and what follows when it is decided [protocol.md §4.7]."""

from netgame.errors import Malformed
from netgame.limits import PARTINGS_AHEAD_MAX
from netgame.protocol.ledger.poll import Heard, key_of
from netgame.protocol.log.entry import ReceivedStatement, read_statement
from netgame.protocol.log.fault import Fault
from netgame.protocol.peer.budget import Budget, Cost
from netgame.protocol.peer.effects import PeerKey, Persist
from netgame.protocol.peer.place import PeerPart
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.faults import Faults
from netgame.protocol.peer.standing.journal import Journal, Silence
from netgame.protocol.peer.standing.news import News
from netgame.protocol.peer.standing.stay import Stay
from netgame.wire.codec import encode
from netgame.wire.messages import RecordStatement, SignedStatement
from netgame.wire.statements import Parting


class Decisions(PeerPart):
    """Takes statements one by one; writes decisions down, and carries them out.

    A statement costs its judges more than its signer. It is therefore counted for its author, once
    its signature is found good, so nobody can use up what another may say. What is no news is
    counted so only if its author sends it; and what others show of a poll that is over is always
    judged, so nobody can hide a fault behind an allowance that it has used up. A parting of an
    epoch that has not begun here is kept, a few for each sender: its seat may be gone when we get
    there.
    """

    budget: Budget
    journal: Journal
    silence: Silence
    stay: Stay
    faults: Faults
    news: News
    author: Author
    _early: dict[PeerKey, tuple[ReceivedStatement, ...]] = {}

    def hear(self, signed: SignedStatement, sender: PeerKey | None) -> bool:
        """Judge a statement from `sender` (None: our own journal); returns whether it was news.

        News is held in the open poll, and a decision that it brings is carried out. A fault is
        acted on, and a sender of what is malformed or forged is dropped. A statement beyond its
        author's allowance is not judged. Nothing is done once another process signs with our key.
        """
        place = self.place
        if self.stay.is_elsewhere:
            return False
        try:
            said = read_statement(signed)
        except Malformed as problem:
            if sender is not None:
                place.links.drop(sender, f"it sent a statement that is {problem}")
            return False
        return self._take(said, sender)

    def _take(self, said: ReceivedStatement, sender: PeerKey | None) -> bool:
        place, key = self.place, key_of(self.place.state.company, said.statement)
        is_own = sender == key
        is_limited = is_own or (sender is not None and place.ledger.poll.is_of(said.statement))
        if is_limited and self.budget.is_spent(key, Cost.STATEMENT, place.now):
            return False
        was_held = said.name in place.ledger.poll.said
        heard = place.ledger.hear(said)
        if heard is Heard.LATER and sender is not None:
            self._keep_early(said, sender)
        if isinstance(heard, Fault):
            self.faults.blame(heard, sender)
            is_held = place.ledger.poll.said.get(said.name) == said
            heard = Heard.NEWS if is_held and not was_held else Heard.OLD
        if heard is Heard.FORGED and sender is not None:
            place.links.drop_forger(sender)
        if (sender is not None and heard is Heard.NEWS) or (is_own and heard is Heard.OLD):
            self.budget.may(key, Cost.STATEMENT, place.now)
        if heard is not Heard.NEWS:
            return False
        if key == place.key:
            self.journal.meet(said)
        place.stirred = True
        self.follow()
        return True

    def _keep_early(self, said: ReceivedStatement, sender: PeerKey) -> None:
        """Keep a parting of an epoch or a poll that has not begun here, a few for each sender.

        While we are silent after a restart, any statement of our own key goes to the journal: it
        may be a forgotten one. Others show it before their head, so nothing has been signed by
        then.
        """
        if isinstance(said.statement, Parting):
            self._early[sender] = (*self._early.get(sender, ()), said)[-PARTINGS_AHEAD_MAX:]
        if self.silence.until is not None and said.is_by(self.place.key):
            self.journal.meet(said)

    def forget(self, sender: PeerKey) -> None:
        """Drop what was kept from a peer that does not belong to the table, whose link is gone."""
        self._early.pop(sender, None)

    def follow(self) -> None:
        """Carry out all that is decided, and write the certificates down.

        The notices are told, and partings kept early are judged again. Where seats go, our author
        forgets tiles and drafts; where an epoch opens, a doubt of the journal ends, unless we are
        still silent after a start.
        """
        place, ledger = self.place, self.place.ledger
        while (decided := ledger.decide()) is not None:
            before, (decision, notices) = place.state, decided
            for number, each in enumerate(decision.said, 1):
                is_last = number == len(decision.said)
                place.outbox.emit(Persist(encode(RecordStatement(each.signed)), sync=is_last))
                ledger.steps.note()
            if decision.goes:
                self.author.forget()
            is_new = place.state.log_id != decision.book.id
            if is_new and not self.silence.lasts():
                self.journal.begin_epoch()
            place.stirred |= before is not place.state
            self.news.tell(notices)
            early, self._early = self._early, {}
            for sender, kept in early.items():
                for each in kept:
                    self._take(each, sender)
