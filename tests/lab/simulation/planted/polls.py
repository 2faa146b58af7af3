"""Bugs about polls on who goes on: promises that bind, quorums that share a seat, undone moves."""

from msgspec.structs import replace

from lab.simulation.computers.records import Records, signed_statement
from netgame.protocol.epochs import cut
from netgame.protocol.epochs.voter import Voter
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer import polls
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.polls import Polls
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.sync.decisions import Decisions
from netgame.wire.statements import NOTHING, Proposal
from tests.lab.simulation.planted.swaps import Swap, bug


@bug("a promise forgets what was accepted", Polls, "_promise_of")
def _forgetful(true, self, voter, ballot, own):
    return true(self, replace(voter, accepted=NOTHING), ballot, own)


@bug("a proposal is accepted below a promise", Polls, "_accept")
def _late_accept(true, self, voter):
    statements = self.context.ledger.poll.cut.statements.values()
    ballots = {each.ballot for each in statements if isinstance(each, Proposal)}
    open_ = sorted(b for b in ballots if voter.accepted_in < b <= voter.promised)
    said = (true(self, replace(voter, promised=ballot)) for ballot in open_)
    return next(filter(None, said), None)


@bug("an owner's ballots are promised without a pause", Polls, "_may_promise")
def _at_once(self, ballot):
    return True


@bug("entries are signed behind the last that was promised", Voter, "may_write")
def _writes_on(self, step):
    return True


@bug("half is a quorum")
def _half() -> list[Swap]:
    def wrong(company, seats, parted):
        if seats & parted or (seats | parted) & ~company or not seats:
            return False
        return 2 * seats.bit_count() >= (company & ~parted).bit_count()

    return [(cut, "is_quorum", wrong), (polls, "is_quorum", wrong)]


@bug("whoever has parted counts as parted in earlier ballots", cut, "may_stand")
def _parted_always(parting, ballot):
    return True


@bug("what a cut makes void is not taken back", Ledger, "_cut")
def _no_way_back(true, self, value):
    return true(self, replace(value, step=self.state.step))


@bug("the journal is not synced before a promise leaves", Records, "append")
def _lazy_journal(true, self, effect):
    if isinstance(effect, fx.Journalled) and signed_statement(effect.record) is not None:
        self.journal.append(effect.record)
    else:
        true(self, effect)


@bug("the journal holds no statements", Journal, "keep_statement")
def _entries_only(self, said):
    return False


@bug("what a proposal goes back to is not kept with its accept", Journal, "write_statement")
def _bare_accept(true, self, said):
    if said.is_by(self.context.key):
        true(self, said)


@bug("a poll is spoken in before the log has come to what was signed", Journal, "may_say")
def _ahead_of_the_log(self):
    return not self.is_in_doubt()


@bug("a watcher keeps what a cut has made void", Decisions, "hear")
def _stubborn(true, self, signed, sender):
    return self.context.sits(self.context.key) and true(self, signed, sender)


@bug("statements are shown to nobody who comes back", Core, "link_up")
def _shown_once(true, self, peer, now):
    before = self.context.links.peers.get(peer)
    kept = self.__dict__.setdefault("_planted", {})
    kept[peer] = kept.get(peer, frozenset()) | (before.shown if before else frozenset())
    effects = true(self, peer, now)
    self.context.links.peers[peer].shown |= kept[peer]
    return effects


@bug("an entry that a poll has kept back is not made again", EntrySigner, "made")
def _made_once(true, self, at, payload):
    begun = self.begun
    true(self, at, payload)
    self.begun = begun


@bug("whoever has parted writes on")
def _last_word() -> list[Swap]:
    may_sign, may_write = EntrySigner.may_sign, Voter.may_write

    def wrong(self):
        left, self.lifetime.has_left = self.lifetime.has_left, False
        may = may_sign(self)
        self.lifetime.has_left = left
        return may

    def still(self, step):
        return may_write(replace(self, left=False, last=None if self.left else self.last), step)

    return [(EntrySigner, "may_sign", wrong), (Voter, "may_write", still)]


@bug("a parting of an earlier poll is forgotten")
def _lapsed() -> list[Swap]:
    begin = Poll.__dict__["begin"].__func__

    def wrong(cls, company, number, ground, partings=()):
        del partings
        return begin(cls, company, number, ground)

    return [(Poll, "begin", classmethod(wrong))]
