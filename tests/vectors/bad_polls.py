"""Statements of polls for the vectors of protocol.md 9: decisions, evidence, and harmless ones.

All follow one log of three seats, which ends when one of them is to play. A row is a case's name
and its offers. If an evidence file shows some of the offers, a third member of the row lists their
indices in the order of the file.
"""

from netgame.protocol.epochs.company import epoch_id
from netgame.protocol.log.entry import CUT_DOMAIN
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import Ballot, Promise, bit
from tests.vectors.by_hand import ByHand


class Voices(ByHand):
    """A copy of a log in which `seat` is to move, and from which its seats sign statements."""

    def __init__(self, log, seat):
        self.__dict__ = log.fork().__dict__
        self.before = self.ledger.head_before(self.state.step - 1)
        self.seat, self.other, self.third = seat, (seat + 1) % 3, (seat + 2) % 3
        self.both = self.other, self.third


def poll_cases(log, lay):
    """Yield all cases of polls; `log` ends before the entry `lay`, which is due."""
    voices = Voices(log, lay.seat)
    for name, offered, *evidence in (
        *_decisions(voices, lay),
        *_nothing(voices),
        *_convicting(voices, lay),
    ):
        more = {"evidence": evidence[0]} if evidence else {}
        yield {"name": name, "so_far": list(log.signed), "offer": offered, **more}


def _decisions(at, lay):
    """Return rows of polls that are decided, with entries before and after the decision."""
    nobody, without = at.decided(voters=at.both), at.decided(bit(at.seat), voters=at.both)
    other_lay = at.entry(at.seat, wire.Pass(b""))
    behind = epoch_id(at.state.log_id, bit(at.seat), at.state.step, at.state.head)
    there = at.entry(at.other, wire.Pass(b""), id=behind)
    second = at.promise(at.third, (2, at.third), accepted=at.name_of(nobody[2]))
    forced = at.proposal((2, at.third), 0, [nobody[0], second])
    parting = at.parting(at.seat)
    late = at.parting(at.seat, promised=(1, at.other))
    gone = at.decided(bit(at.seat), voters=at.both, partings=[parting])
    more = {"voters": at.both, "owner": at.third, "partings": [late], "poll": 1}
    promised = at.promise(at.seat, (1, at.other))
    later = at.entry(at.seat, lay.payload, poll=1)
    again = at.promise(at.seat, (2, at.third), bit(at.other))
    repeated = at.proposal((2, at.third), 0, [again, second])
    return (
        ("4.7: nobody goes, and the entry of poll 0 stands in poll 1", [*nobody, lay.signed]),
        ("4.7: a seat goes, and its entry is of no epoch any more", [*without, lay.signed]),
        ("4.7: a seat goes, and nobody has a slot in the step that this fills", [*without, there]),
        ("4.7: what has been played is void, and stays signed: 7.6 fork",
         [lay.signed, *without, other_lay]),
        ("4.7: what is void is ignored when it comes again", [lay.signed, *without, lay.signed]),
        ("4.7: a seat that has parted goes", [parting, *gone]),
        ("4.7: a parting of a poll that is over still counts",
         [*nobody, late, *at.decided(bit(at.seat), **more)]),
        ("4.7: what may have been decided is proposed again",
         [*nobody[:3], nobody[4], again, second, repeated,
          *(at.accept(seat, repeated) for seat in (at.seat, at.third)), later]),
        ("7.15 cut: a proposal that counts a promise of another ballot",
         [*nobody[:3], second, forced], [0, 1, 2, 3, 4]),
        ("4.7: who has promised plays once nobody goes", [promised, *nobody, later]),
    )  # fmt: skip


def _nothing(at):
    """Return rows of statements that decide nothing and convict nobody."""
    good = at.promise(at.other, (1, at.other))
    strange = Promise(at.state.log_id, 0, 9, Ballot(1, 9), at.state.step, at.state.head, 0, 0, b"")
    by_nobody = at.say(at.other, strange)
    octets = encode(strange) + b"\0"
    one_more = wire.SignedStatement(octets, at.signer(at.other).sign(CUT_DOMAIN, octets))
    return (
        ("a statement of an epoch that nobody knows",
         [at.promise(at.other, (1, at.other), id=bytes(64))]),
        ("a statement of a poll that has not begun", [at.promise(at.other, (1, at.other), poll=1)]),
        ("a statement of a seat that is not there", [by_nobody]),
        ("a statement with a wrong signature", [wire.SignedStatement(good.body, bytes(64))]),
        ("a statement with an octet too many", [one_more]),
        ("a statement that is here already", [good, good]),
        ("a head that nobody knows waits",
         [good, at.promise(at.third, (1, at.other), head=bytes(64))]),
        ("an accept of what nobody knows waits", [at.accept(at.third, good)]),
        ("a promise that would go on without seat 31, which is not there, waits",
         [at.promise(at.other, (1, at.other), 1 << 31)]),
        ("a statement with a poll in a longer encoding",
         [_with_long_poll(at, good)]),
        ("a statement of poll 2^32 - 1", [at.promise(at.other, (1, at.other), poll=2**32 - 1)]),
    )  # fmt: skip


def _with_long_poll(at, good):
    """Return a statement whose poll number takes an octet too many, with a valid signature."""
    after = good.body.index(b"\xc4\x40") + 66
    assert good.body[after] == 0
    octets = good.body[:after] + b"\xcc" + good.body[after:]
    return wire.SignedStatement(octets, at.signer(at.other).sign(CUT_DOMAIN, octets))


def _convicting(at, lay):
    """Return at least one row for each kind of evidence in 4.7."""
    one, two = (1, at.other), (2, at.other)
    nobody = at.decided(voters=at.both)
    first, second, proposal, accept, _ = nobody
    both = at.promise(at.third, one, bit(at.seat))
    rival = at.proposal(one, 0, [first, second, at.promise(at.seat, one)])
    named = at.name_of(proposal)
    step, seat, third = at.state.step, at.seat, at.third
    parting = at.parting(third, promised=one)
    return (
        ("7.15 cut 1: two promises of one ballot", [second, both], [0, 1]),
        ("7.15 cut 1: two proposals of one ballot", [proposal, rival], [0, 1]),
        ("7.15 cut 1: two partings", [parting, at.parting(third, promised=two)], [0, 1]),
        ("7.15 cut 2: an accept that is not said later",
         [first, second, proposal, accept, at.promise(at.other, two)], [3, 4, 2]),
        ("7.15 cut 2: an accept that a parting does not say",
         [first, second, proposal, accept, at.parting(at.other, promised=one)], [3, 4, 2]),
        ("7.15 cut 3: a later promise of a shorter log",
         [second, at.promise(third, two, step=step - 1, head=at.before)], [0, 1]),
        ("7.15 cut 3: a later promise with another last",
         [second, at.promise(third, two, last=step)], [0, 1]),
        ("7.15 cut 3: a later promise of less that was accepted",
         [first, second, proposal, at.promise(third, two, accepted=named),
          at.promise(third, (3, at.other))], [3, 4, 2]),
        ("7.15 cut 3: a parting of a shorter log",
         [second, at.parting(third, promised=one, step=step - 1, head=at.before)], [0, 1]),
        ("7.15 cut 4: a parting, and a promise above", [parting, at.promise(third, two)], [0, 1]),
        ("7.15 cut 4: a parting, and a promise in a later poll",
         [*nobody, at.parting(third, promised=one, accepted=named),
          at.promise(third, one, poll=1)], [5, 6]),
        ("7.15 cut 4: a promise in a later poll, and the parting after it",
         [*nobody, at.promise(third, one, poll=1),
          at.parting(third, promised=one, accepted=named)], [5, 6]),
        ("7.15 cut 4: a parting, and an entry in a later poll",
         [*nobody, at.parting(seat), at.entry(seat, lay.payload, poll=1)]),
        ("7.15 cut 5: an entry after the last step", [at.promise(seat, one), lay.signed], [0]),
        ("7.15 cut 5: an entry after a parting", [at.parting(seat), lay.signed], [0]),
        ("7.15 cut 5: an entry behind another head",
         [at.promise(seat, one, last=step, head=bytes(64)), lay.signed], [0]),
        ("7.15 cut 5: a promise after the entry", [lay.signed, at.promise(seat, one)], [1]),
        ("7.15 cut 6: a last after the step", [at.promise(third, one, last=step + 1)], [0]),
        ("7.15 cut 6: who would go on without itself",
         [at.promise(third, one, bit(third))], [0]),
        ("7.15 cut 6: an owner that is not there", [at.promise(third, (1, 9))], [0]),
        ("7.15 cut 6: a value that does not follow",
         [first, second, at.proposal(one, bit(seat), [first, second])], [0, 1, 2]),
        ("7.15 cut 6: a value in which seat 31 goes too, which is not there",
         [first, second, at.proposal(one, 1 << 31, [first, second])], [0, 1, 2]),
        ("7.15 cut 6: a proposal that counts too few",
         [first, at.proposal(one, 0, [first])], [0, 1]),
        ("7.15 cut 3: a later promise of less, shown by the proposal that is here last",
         [first, second, at.promise(third, two, accepted=named), at.promise(third, (3, at.other)),
          proposal], [3, 2, 4]),
        ("7.15 cut 6: a value that waits for a promise, and does not follow with it",
         [first, at.proposal(one, bit(seat), [first, second]), second], [0, 2, 1]),
        ("7.15 cut 6: a promise that names no proposal",
         [first, at.promise(third, two, accepted=at.name_of(first))], [0, 1]),
    )  # fmt: skip
