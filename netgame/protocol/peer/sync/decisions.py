"""Judging the statements of a poll, and carrying out what they decide [protocol.md §4.7]."""

from netgame.errors import Malformed
from netgame.limits import PARTINGS_AHEAD_MAX
from netgame.protocol.ledger.poll import Reception, key_of
from netgame.protocol.log.entry import ReceivedStatement, read_statement
from netgame.protocol.log.fault import Fault
from netgame.protocol.peer.budget import Budget, Cost
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey, Persist
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.peer.status.news import News
from netgame.protocol.peer.status.recovery import Recovery
from netgame.wire.codec import encode
from netgame.wire.messages import RecordStatement, SignedStatement
from netgame.wire.statements import Parting


class Decisions(PeerPart):
    """Takes statements one by one; writes decisions down and carries them out.

    A statement costs its judges more than its signer. It is therefore charged to its author, once
    its signature is found good, so nobody can use up another's allowance. A statement that is not
    news is charged only if its author sends it. Statements of a poll that is over are always judged
    if somebody other than their author sends them, so a used-up allowance cannot hide a fault.
    """

    budget: Budget
    journal: Journal
    recovery: Recovery
    lifetime: Lifetime
    faults: Faults
    news: News
    author: Author
    _early: dict[PeerKey, tuple[ReceivedStatement, ...]] = {}
    """Partings of an epoch or a poll that has not begun here, a few for each sender: the parted
    seats may be gone, and unable to send them again, when we get there."""

    def hear(self, signed: SignedStatement, sender: PeerKey | None) -> bool:
        """Judge a statement from `sender` (None: our own journal); return whether it was news.

        News is kept in the open poll, and a decision that it completes is carried out. Faults are
        acted on, and the sender of a malformed or forged statement is dropped. A statement beyond
        its author's allowance is not judged. Does nothing once another process signs with our key.
        """
        context = self.context
        if self.lifetime.is_elsewhere:
            return False
        try:
            said = read_statement(signed)
        except Malformed as problem:
            if sender is not None:
                context.links.drop(sender, f"it sent a statement that is {problem}")
            return False
        return self._take(said, sender)

    def _take(self, said: ReceivedStatement, sender: PeerKey | None) -> bool:
        context, key = self.context, key_of(self.context.state.company, said.statement)
        is_own = sender == key
        is_limited = is_own or (sender is not None and context.ledger.poll.is_of(said.statement))
        if is_limited and self.budget.is_spent(key, Cost.STATEMENT, context.now):
            return False
        was_held = said.name in context.ledger.poll.said
        reception = context.ledger.hear(said)
        if reception is Reception.LATER and sender is not None:
            self._keep_early(said, sender)
        is_fault = isinstance(reception, Fault)
        if isinstance(reception, Fault):
            self.faults.blame(reception, sender)
            is_held = context.ledger.poll.said.get(said.name) == said
            reception = Reception.NEWS if is_held and not was_held else Reception.OLD
        if reception is Reception.FORGED and sender is not None:
            context.links.drop_forger(sender)
        is_news = reception is Reception.NEWS
        if (sender is not None and is_news) or (is_own and reception is Reception.OLD):
            self.budget.may(key, Cost.STATEMENT, context.now)
        if not is_news:
            if is_fault:
                self.follow()  # the later half of a pair, kept aside, may be what others went by
            return False
        if key == context.key:
            self.journal.meet(said)
        context.stirred = True
        self.follow()
        return True

    def _keep_early(self, said: ReceivedStatement, sender: PeerKey) -> None:
        """Keep a parting of an epoch or a poll that has not begun here, a few for each sender.

        While we recover after a restart, also note any statement of our own key in the journal: we
        may have forgotten it. Others send it before their head, so we have signed nothing by then.
        """
        if isinstance(said.statement, Parting):
            self._early[sender] = (*self._early.get(sender, ()), said)[-PARTINGS_AHEAD_MAX:]
        if self.recovery.lasts and said.is_by(self.context.key):
            self.journal.meet(said)

    def forget(self, sender: PeerKey) -> None:
        """Drop the early partings of a peer that does not belong here and whose link is gone."""
        self._early.pop(sender, None)

    def follow(self) -> None:
        """Carry out everything that is decided, and write the certificates down.

        Tells the player the notices, and judges early partings again. If seats are let go, our
        author forgets its tiles and drafts. If an epoch opens, a doubt of the journal ends, unless
        we are still recovering.
        """
        context, ledger = self.context, self.context.ledger
        while (decided := ledger.decide()) is not None:
            before, (decision, notices) = context.state, decided
            for number, each in enumerate(decision.said, 1):
                is_last = number == len(decision.said)
                context.outbox.emit(Persist(encode(RecordStatement(each.signed)), sync=is_last))
                ledger.steps.note()
            if decision.goes:
                self.author.forget()
            if context.state.log_id != decision.book.id:
                self.recovery.look()
                if not self.recovery.lasts:
                    self.journal.begin_epoch()
            context.stirred |= before is not context.state
            self.news.tell(notices)
            early, self._early = self._early, {}
            for sender, kept in early.items():
                for each in kept:
                    self._take(each, sender)
