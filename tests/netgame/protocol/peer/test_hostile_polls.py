"""A seat that has read the code, and says in polls whatever may hurt: nobody is stopped by it."""

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.words import accept, last_step, promise, proposal, seat_of
from netgame.limits import STATEMENTS_BURST, STATEMENTS_PER_S
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.log.entry import ReceivedStatement
from netgame.wire import messages as wire
from netgame.wire.statements import Accept, Ballot, author
from tests.netgame.protocol.happenings import apart, seated, until_in_play
from tests.netgame.simtable import SimTable


class Liar(Bent):
    """Signs nothing more from some moment on, but what the test tells it to."""

    until: int | None = None

    def write(self, payload):
        """Write what is owed, for as long as it plays."""
        if self.until is None:
            super().write(payload)

    def decide(self):
        """Likewise."""
        if self.until is None:
            super().decide()


def playing(seats=3):
    """A table in its first turn, and a liar at it which has stopped playing."""
    table = SimTable(wire.Settings("standard", (), 6, seats, 1, 4, ()))
    *_, mallory = seated(table, *("Ann", "Ben", "Cy", "Dee")[: seats - 1], Mallory=Liar)
    until_in_play(table)
    mallory.core.until = last_step(mallory.core, seat_of(mallory.core))
    return table, mallory


def tell(table, mallory, *said, to=bool):
    """Have the liar send these."""
    for key in filter(to, tuple(mallory.place.links.peers)):
        mallory.core.send(key, wire.Statements(tuple(each.signed for each in said)))
    table.do(mallory, mallory.core.flush())


def opened(mallory, counter, **more):
    """A ballot of the liar's own, opened."""
    core = mallory.core
    return promise(core, Ballot(counter, seat_of(core)), last=core.until, **more)


def test_what_a_poll_forgets_binds_whoever_has_accepted_it():
    """Else a flood would silence a seat for ever: it would not know what it has accepted."""
    table, mallory = playing(5)
    ann, own = table.host, seat_of(mallory.core)
    first = opened(mallory, 1)
    tell(table, mallory, first)
    table.pass_time(0.1)
    ballot = Ballot(1, own)
    found = best_proposal(ann.ledger.poll.cut, ballot)
    value, counted = found
    made = proposal(mallory.core, ballot, counted, step=value.step, head=value.head)
    for other in table.sitters[1:-1]:  # so that nobody else hears of it
        apart(table, [ann], [other])
    tell(table, mallory, made, to=lambda key: key == ann.key)
    table.pass_time(0.1)
    poll, seat = ann.ledger.poll, seat_of(ann.core)
    assert any(isinstance(e, Accept) and e.seat == seat for e in poll.cut.statements.values())
    later = proposal(mallory.core, Ballot(300, own), [bytes(64)])
    for each in (later, accept(ann.core, later.name)):
        poll.add(each)
    for number in range(400):
        poll.add(opened(mallory, 2 + number))
    assert made.name not in poll.said
    assert not ann.parts.journal.bound(seat).left


def test_a_flood_of_statements_is_judged_for_as_many_as_its_author_may_sign():
    """What is over its allowance costs nobody anything."""
    table, mallory = playing()
    hear, judged = table.host.ledger.hear, list[ReceivedStatement]()
    table.host.ledger.hear = lambda said: (judged.append(said), hear(said))[1]
    for counter in range(1, 4 * STATEMENTS_BURST, 64):
        tell(table, mallory, *(opened(mallory, counter + more) for more in range(64)))
    table.pass_time(0.1)
    own = [each for each in judged if author(each.statement) == seat_of(mallory.core)]
    assert 0 < len(own) <= STATEMENTS_BURST + STATEMENTS_PER_S
