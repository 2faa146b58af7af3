"""Polls, written from protocol.md 4.7 alone: statements, which of them count, and decisions."""

from typing import NamedTuple

from tests.conformance import octets
from tests.conformance.octets import Malformed, Message
from tests.netgame.crypto.oracle import hashed

NO_BALLOT = (0, 0)
TAGS = ("promise", "parting", "proposal", "accept")
LIMIT = 4_096


class Statement(NamedTuple):
    """A statement as received.

    `bound` is the ballot of a promise or proposal, or the highest ballot that a parting has
    promised; it is (0, 0) for an accept. `bound` and `tag` are read only once, because a flood of
    statements is compared pair by pair.
    """

    body: bytes
    signature: bytes
    said: Message
    name: bytes
    tag: str
    bound: tuple[int, int]

    def __getattr__(self, name):
        return getattr(self.said, name)

    @property
    def of(self):
        """The id and the number of its poll."""
        return self.said.id, self.said.poll

    @property
    def author(self):
        """The seat that signs it."""
        return self.said.ballot.owner if self.tag == "proposal" else self.said.seat

    @property
    def told_step(self):
        """The step that a conviction for it names: its own `step`, or 0 if it has none."""
        return self.said.fields.get("step", 0)

    @property
    def names(self):
        """The names of the statements to which it refers; a name may be empty."""
        if self.tag == "proposal":
            return self.said.counted
        return [self.said.proposal if self.tag == "accept" else self.said.accepted]


def statement(body, signature):
    """Return the statement with this body and signature; raise Malformed for a bad body."""
    if len(body) > LIMIT:
        raise Malformed("too long")
    said = octets.message(body, *TAGS)
    ballot = said.fields.get("promised" if said.tag == "parting" else "ballot")
    bound = NO_BALLOT if ballot is None else (ballot.counter, ballot.owner)
    return Statement(body, signature, said, hashed("statement", body), said.tag, bound)


def seats_of(number):
    """Return the set of seats whose bits are set in this number."""
    return frozenset(seat for seat in range(number.bit_length()) if number >> seat & 1)


class Poll:
    """The statements of one poll by name, and what they decide.

    `log.holds` returns True if the log has a head at a step, and `log.is_final` if a coin has
    fallen at a step or the game is over there. `carried` maps the name of each parting from an
    earlier poll to the present seat of its author, and to True if the parting is of this epoch.
    `aside` has statements that other statements of the same seat rule out (7).
    """

    def __init__(self, of, voters, guests, log, carried=()):
        self.of, self.voters, self.guests, self.log = of, voters, guests, log
        self.carried = {each.name: (seat, in_epoch) for each, seat, in_epoch in carried}
        self.held = {each.name: each for each, _, _ in carried}
        self.aside = {}

    def copy(self, log):
        """Return a poll with the same statements, over this log."""
        new = Poll(self.of, self.voters, self.guests, log)
        new.carried, new.held, new.aside = dict(self.carried), dict(self.held), dict(self.aside)
        return new

    # ---- what counts --------------------------------------------------------------------------

    def proposal(self, name):
        """Return the held proposal of this name, or None."""
        found = self.held.get(name)
        return found if found is not None and found.tag == "proposal" else None

    def worth(self, each):
        """Return True if a statement counts, False if it never can, or None if neither is known."""
        if each.tag == "proposal":
            return self._worth_of_proposal(each)
        if each.tag == "accept":
            found = self.held.get(each.proposal)
            if found is None:
                return None
            return self.worth(found) if found.tag == "proposal" else False
        form = self._form(each)
        return form if form is not True or self._is_in_log(each) else None

    def _form(self, each):
        """Return what `worth` would for a promise or parting, but without looking at the log."""
        if each.name in self.carried:
            return True
        is_parting = each.tag == "parting"
        without = frozenset() if is_parting else seats_of(each.without)
        owner = each.bound[1] in self.voters if each.bound > NO_BALLOT else is_parting
        if (
            each.author not in (self.voters | self.guests if is_parting else self.voters)
            or not owner
        ):
            return False
        if each.last > each.step or each.author in without:
            return False
        if not each.accepted:
            return True
        found = self.held.get(each.accepted)
        if found is None:
            return None
        if found.tag != "proposal" or found.bound > each.bound:
            return False
        if found.bound == each.bound and not is_parting:
            return False
        return self.worth(found)

    def _is_in_log(self, each):
        if each.name in self.carried and not self.carried[each.name][1]:
            return True
        if each.tag == "parting" and self._seat(each) in self.guests:
            return True
        if each.tag == "promise" and not seats_of(each.without) <= self.voters | self.guests:
            return False
        return self.log.holds(each.step, each.head)

    def _worth_of_proposal(self, each):
        counted = [self.held.get(name) for name in each.counted]
        here = [found for found in counted if found is not None]
        if any(found.tag not in ("promise", "parting") for found in here):
            return False
        if len(set(each.counted)) < len(counted):
            return False
        forms = [self._form(found) for found in here]
        if False in forms:
            return False
        if None in forms or len(here) < len(counted):
            return None
        forced = any(map(self._accepted, here))
        if not forced and not all(map(self._is_in_log, here)):
            return None
        return self.value(each.bound, here) == value_of(each)

    def _accepted(self, each):
        return b"" if each.name in self.carried else each.accepted

    def _promised(self, each):
        return NO_BALLOT if each.name in self.carried else each.bound

    def _seat(self, each):
        return self.carried[each.name][0] if each.name in self.carried else each.author

    # ---- quorum and value ---------------------------------------------------------------------

    def _is_quorum(self, seats, parted):
        if seats & parted or not seats <= self.voters:
            return False
        return 2 * len(seats) > len(self.voters - parted)

    def value(self, ballot, counted):
        """Return the only value that these promises and partings allow in a ballot, or None.

        A value is who goes, the step and its head, as in `value_of`.
        """
        promises = [each for each in counted if each.tag == "promise"]
        partings = [each for each in counted if each.tag == "parting"]
        if any(each.bound != ballot for each in promises):
            return None
        if any(self._promised(each) > ballot for each in partings):
            return None
        seats = frozenset(map(self._seat, promises))
        parted = frozenset(map(self._seat, partings))
        if len(seats) + len(parted) < len(counted) or not self._is_quorum(seats, parted):
            return None
        accepted = [self.proposal(name) for name in set(map(self._accepted, counted)) - {b""}]
        if accepted:
            top = max(each.bound for each in accepted)
            values = {value_of(each) for each in accepted if each.bound == top}
            return values.pop() if len(values) == 1 else None
        here = [e for e in counted if e.name not in self.carried or self.carried[e.name][1]]
        here = [e for e in here if self._seat(e) in self.voters]
        furthest = max(here, key=lambda each: each.step)
        goes = parted | frozenset.intersection(*(seats_of(each.without) for each in promises))
        if self.log.is_final(furthest.step):
            goes = frozenset()
        return goes, furthest.step, furthest.head

    def partings(self, ballot):
        """Return the partings that count in a ballot."""
        found = (each for each in self.held.values() if each.tag == "parting")
        return [e for e in found if self._promised(e) <= ballot and self.worth(e)]

    def certificate(self, proposal):
        """Return the statements that prove this decision.

        The partings that count come first, then the proposal, each behind all that it goes back
        to: a reader cannot count a parting without the proposal that it has accepted. The accepts
        come last.
        """
        order = {}
        for each in (*self.partings(proposal.bound), proposal):
            self._go_back(each, order)
        accepts = [e for e in self.held.values() if e.tag == "accept"]
        return (*order.values(), *(e for e in accepts if e.proposal == proposal.name))

    def _go_back(self, each, order):
        # a parting that is carried has accepted nothing in this poll
        for name in [] if each.name in self.carried else filter(None, each.names):
            if name not in order:
                self._go_back(self.held[name], order)
        order.setdefault(each.name, each)

    def decided(self):
        """Return the proposal that a quorum has accepted and that counts, or None."""
        for each in [each for each in self.held.values() if each.tag == "proposal"]:
            accepts = (e for e in self.held.values() if e.tag == "accept")
            seats = frozenset(e.author for e in accepts if e.proposal == each.name)
            if not seats or not self.worth(each):
                continue
            parted = frozenset(map(self._seat, self.partings(each.bound)))
            if self._is_quorum(seats & self.voters, parted - seats):
                return each
        return None

    # ---- what came second (7) -----------------------------------------------------------------

    def behind(self, each):
        """Return a statement and all that it refers back to, by name, or None if one is missing."""
        known, found, stack = self.aside | self.held, {}, [each]
        while stack:
            at = stack.pop()
            if at is None:
                return None
            if at.name not in found:
                found[at.name] = at
                stack += [known.get(name) for name in at.names if name] if at.of == self.of else []
        return found

    def fitting(self, accept):
        """Return all statements consistent with an accept and what it refers back to, by name.

        Return None if a statement that it refers back to is missing, or if none of the statements
        found has been put aside.
        """
        chosen = self.behind((self.aside | self.held).get(accept.proposal))
        if chosen is None:
            return None
        here = (self.aside | self.held).values()
        for each in (e for e in here if e.tag == "accept" and e.names == accept.names):
            if not self._is_ruled_out(each, chosen.values()):
                chosen[each.name] = each
        for each in (e for e in self.aside.values() if e.tag == "parting"):
            may_stand = each.of != self.of or (
                each.bound <= self.proposal_of(accept).bound and self.worth(each) is True
            )
            if may_stand and not self._is_ruled_out(each, chosen.values()):
                chosen[each.name] = each
        if not chosen.keys() & self.aside.keys():
            return None
        held = self.held.values()
        may_stay = {e.name: e for e in held if not self._is_ruled_out(e, chosen.values())}
        return may_stay | chosen

    def proposal_of(self, accept):
        """Return the proposal that an accept names, held or put aside."""
        return (self.aside | self.held)[accept.proposal]

    def _is_ruled_out(self, each, others):
        """Return True if one of the `others`, of the same seat, rules out this statement."""
        return any(o.author == each.author and self.is_pair(o, each) for o in others)

    # ---- evidence -----------------------------------------------------------------------------

    def by(self, seat):
        """Return the held statements of a seat, including partings carried from earlier polls."""
        return [each for each in self.held.values() if self._seat(each) == seat]

    def is_named(self, each):
        """Return True if a held statement names this one."""
        return any(each.name in other.names for other in self.held.values())

    def is_ruled_out(self, each):
        """Return True if this statement and a held one by the same seat convict that seat."""
        return any(self.is_pair(other, each) for other in self.by(each.author))

    def is_pair(self, one, other):
        """Return True if two statements of one seat convict it: kinds 1 to 4 of evidence (4.7)."""
        if one.body == other.body or one.id != other.id:
            return False
        return self._ordered(one, other) or self._ordered(other, one)

    def _ordered(self, one, other):
        kinds = one.tag, other.tag
        if one.tag == "parting":
            if other.tag == "parting" or other.poll > one.poll:
                return True
            if other.tag != "promise" or other.poll != one.poll:
                return False
            return other.bound > one.bound or self._takes_back(other, one)
        if one.poll != other.poll:
            return False
        if kinds == ("accept", "accept"):
            found = [self.proposal(each.proposal) for each in (one, other)]
            return None not in found and found[0].bound == found[1].bound
        if kinds in (("promise", "promise"), ("proposal", "proposal")):
            if one.bound == other.bound:
                return True
            return one.tag == "promise" and self._takes_back(one, other)
        if one.tag == "accept" and other.tag in ("promise", "parting"):
            accepted = self.proposal(one.proposal)
            if accepted is None or (other.tag == "promise" and other.bound <= accepted.bound):
                return False
            return self._says_less(other, one.proposal)
        return False

    def _takes_back(self, first, later):
        if first.bound > later.bound:
            return False
        if later.step < first.step or later.last != first.last:
            return True
        return self._says_less(later, first.accepted)

    def _says_less(self, later, accepted):
        ballots = []
        for name in (accepted, later.accepted):
            found = self.proposal(name)
            if name and found is None:
                return False
            ballots.append(found.bound if name else NO_BALLOT)
        less = ballots[1] < ballots[0]
        return less or (ballots[0] == ballots[1] and later.accepted != accepted)


def value_of(proposal):
    """Return the value of a proposal: who goes, the step and its head."""
    return seats_of(proposal.goes), proposal.step, proposal.head


def is_against(each, entry):
    """Return True if an entry contradicts a promise or parting of its seat (4.7, kinds 4 and 5)."""
    if each.tag not in ("promise", "parting") or each.id != entry.id:
        return False
    if entry.seat != each.author:
        return False
    if entry.poll > each.poll:
        return each.tag == "parting"
    return entry.step > each.last or (entry.step == each.step and entry.prev != each.head)
