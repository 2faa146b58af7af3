"""A seated liar that signs whatever it likes in polls stops nobody."""

from msgspec.structs import replace

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.words import accept, last_step, promise, proposal, seat_of
from netgame.limits import (
    BALLOT_PAUSE_MIN_S,
    FRUITLESS_POLLS_MAX,
    STATEMENTS_BURST,
    STATEMENTS_PER_S,
    STATEMENTS_PER_SEAT_MAX,
)
from netgame.protocol import notices
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.entry import ReceivedStatement, filled_mask, sign_statement
from netgame.protocol.peer.linked import batches
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import NOTHING, Accept, Ballot, author, bit
from tests.netgame.protocol.happenings import apart, go_on, gone, hears, seated, until_in_play
from tests.netgame.simtable import SimTable, kill

DOUBT = notices.TroubleKind.JOURNAL_DOUBT


class Liar(Bent):
    """A core that after step `until` signs only what the test tells it to sign."""

    until: int | None = None

    def write(self, payload):
        """Write what is due, until it stops playing."""
        if self.until is None:
            super().write(payload)

    def decide(self):
        """Take part in polls, until it stops playing."""
        if self.until is None:
            super().decide()


def playing(seats=3, seed=0):
    """Return a table in its first turn, and its liar, who has stopped playing."""
    settings = wire.Settings("standard", (), 6, seats, 1, 4, ())
    table = SimTable(settings, bytes([seed]) * 32)
    *_, mallory = seated(table, *("Ann", "Ben", "Cy", "Dee")[: seats - 1], Mallory=Liar)
    until_in_play(table)
    mallory.core.until = last_step(mallory.core, seat_of(mallory.core))
    return table, mallory


def tell(table, mallory, *said, to=bool):
    """Send these statements from the liar to the peers that `to` allows."""
    for key in filter(to, tuple(mallory.context.links.peers)):
        for piece in batches(each.signed for each in said):
            mallory.core.send(key, wire.Statements(piece))
    table.do(mallory, mallory.core.flush())
    table.pass_time(0.05)


def opened(mallory, counter, **more):
    """Return the promise that opens one of the liar's own ballots."""
    core = mallory.core
    return promise(core, Ballot(counter, seat_of(core)), last=core.until, **more)


def test_what_a_poll_forgets_binds_whoever_has_accepted_it():
    """A flood does not make a poll forget a proposal that an honest seat has accepted.

    Otherwise that seat would be silent for ever: it could not name what it accepted.
    """
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
    flood = [opened(mallory, 2 + number) for number in range(200)]
    for each in flood:
        poll.hold(each)
    assert made.name in poll.said  # a seat that is here has accepted it
    later = proposal(mallory.core, Ballot(300, own), [bytes(64)])
    for each in (later, accept(ann.core, later.name), *flood[:2]):
        poll.hold(each)
    assert made.name not in poll.said
    assert not ann.parts.journal.bound(seat).left


def test_a_flood_of_statements_is_judged_for_as_many_as_its_author_may_sign():
    """Of a flood of statements, only as many are judged as their author's allowance permits."""
    table, mallory = playing()
    hear, judged = table.host.ledger.hear, list[ReceivedStatement]()
    table.host.ledger.hear = lambda said: (judged.append(said), hear(said))[1]
    for counter in range(1, 4 * STATEMENTS_BURST, 64):
        tell(table, mallory, *(opened(mallory, counter + more) for more in range(64)))
    table.pass_time(0.1)
    own = [each for each in judged if author(each.statement) == seat_of(mallory.core)]
    assert 0 < len(own) <= STATEMENTS_BURST + STATEMENTS_PER_S


def test_whoever_opens_polls_for_nothing_is_known_however_much_it_says_there():
    """A seat that keeps opening polls for nothing counts as missed, however much it says in them.

    Otherwise it could make others forget its ballots, and the owner of the next ballot would be
    blamed.
    """
    table, mallory = playing(4)
    polls, ann, seats = list[Poll](), table.host.seat, len(table.sitters)
    for _ in range(FRUITLESS_POLLS_MAX):
        assert not table.host.core.is_missed(mallory.key, table.now)
        polls.append(table.host.ledger.poll)
        tell(table, mallory, first := opened(mallory, 1))
        table.run(lambda: len(polls[-1].cut.promises(first.statement.ballot)) == seats, 60)
        more = (Ballot(2 + number, ann) for number in range(STATEMENTS_PER_SEAT_MAX))
        tell(table, mallory, *(promise_of(mallory, first, ballot) for ballot in more))
        until_over(table, polls[-1])
    for poll in polls:
        own = next(poll.by(seat_of(mallory.core)))
        late = (Ballot(500 + number, ann) for number in range(300))
        tell(table, mallory, *(promise_of(mallory, own, ballot) for ballot in late))
    for sitter in table.sitters[:-1]:
        missed = [e.name for e in table.sitters if sitter.core.is_missed(e.key, table.now)]
        assert missed == ["Mallory"]
    go_on(table, table.sitters[:-1], mallory)
    table.run(lambda: gone(table.host) == {"Mallory"})


def test_polls_before_they_agreed_let_nobody_rest_who_goes_on_without_somebody():
    """Polls in which nobody left do not delay seats that agree only afterwards.

    Mallory has five such polls decided before the others agree to go on without Mallory.
    """
    table, mallory = playing(5)
    *three, dee = honest = table.sitters[:-1]
    dee.context.attend()  # otherwise Dee would follow them, and one more would agree
    for _ in range(5):
        poll = table.host.ledger.poll
        tell(table, mallory, *nobody_goes(table, mallory))
        until_over(table, poll)
    go_on(table, three, mallory)
    table.run(lambda: all(gone(each) == {"Mallory"} for each in honest), 10)


def asking_in_vain():
    """Return a table where Ann and Ben would go on without Cy, the honest seats here, and Cy.

    Cy is away. The liar, Mallory, says that it would go on too, but signs nothing.
    """
    table, mallory = playing(5)
    ann, ben, cy, dee = table.sitters[:-1]
    kill(table, cy)
    for each in (ann, ben, dee):
        each.context.attend()  # otherwise they would follow, after the table has waited so long
        cy_alone = filled_mask([cy.seat])
        hears(table, each, mallory, wire.Missed(ann.state.log_id, cy_alone, b"", b""))
    go_on(table, [ann, ben], cy)
    return table, (ann, ben, dee), cy


def test_a_table_that_has_asked_in_vain_rests():
    """A table that has asked in vain asks again only six to eight times in 250 seconds.

    This limit is for the whole table, whoever opens the ballots.
    """
    table, honest, _ = asking_in_vain()
    began = len(table.host.ledger.decisions)
    table.pass_time(250.0)
    assert not any(map(gone, honest))
    assert 6 <= len(table.host.ledger.decisions) - began <= 8


def test_whoever_agrees_late_need_not_wait_for_those_who_have_asked_in_vain():
    """A seat that agrees late need not wait for the pause of seats that have asked in vain.

    Just after a poll in which nobody left, Dee agrees to go on without Cy, who then leaves.
    """
    table, honest, cy = asking_in_vain()
    table.run(lambda: len(table.host.ledger.decisions) > 4, 200)
    table.pass_time(1.0)
    assert not any(map(gone, honest))
    go_on(table, honest[-1:], cy)
    table.run(lambda: all(gone(each) == {"Cy"} for each in honest), 10)


def nobody_goes(table, mallory):
    """Open the liar's ballot, wait for all promises, and yield a proposal that nobody leaves."""
    poll, first = table.host.ledger.poll, opened(mallory, 1)
    tell(table, mallory, first)
    ballot = first.statement.ballot
    table.run(lambda: len(poll.cut.promises(ballot)) == len(table.sitters), 60)
    value, counted = best_proposal(poll.cut, ballot)
    yield proposal(mallory.core, ballot, counted, step=value.step, head=value.head)


def test_who_has_not_said_what_bears_its_name_takes_part_in_no_poll_and_hears_so_once():
    """A seat whose copy votes in its name takes part in no poll, and tells its player once.

    A copy of Cy's files has signed a promise in each poll; the others decide without Cy.
    """
    table, mallory = playing(5)
    cy, doubts = table.sitters[2], []
    table.pass_time(10.0)
    before = tuple(cy.journal)
    for _ in range(2):
        poll, first = table.host.ledger.poll, opened(mallory, 1)
        by_copy = replace(first.statement, seat=cy.seat, last=last_step(cy.core, cy.seat))
        tell(table, mallory, sign_statement(cy.signer, by_copy), first)
        until_over(table, poll)
        table.pass_time()
        doubts.append([each.kind for each in cy.told_of(notices.Trouble)])
    assert doubts == [[DOUBT], [DOUBT]]
    assert cy.journal[len(before) :] == [encode(wire.Doubt(is_over=False))]


def until_over(table, poll):
    """Let time pass until all have decided a poll."""
    table.run(lambda: all(poll.number < each.ledger.poll.number for each in table.sitters), 60)


def promise_of(mallory, said, ballot):
    """Return one more promise of the liar's in the same poll; the two convict it of nothing."""
    return sign_statement(mallory.signer, replace(said.statement, ballot=ballot))


def waiting_chain(mallory, length):
    """Return `length` promises of the liar, each followed by a proposal in the same ballot.

    Each proposal also counts an unknown statement, and the next promise names it as accepted.
    """
    said = []
    for counter in range(1, length + 1):
        accepted = said[-1].name if said else NOTHING
        said.append(opened(mallory, counter, accepted=accepted))
        ballot = Ballot(counter, seat_of(mallory.core))
        said.append(proposal(mallory.core, ballot, [said[-1].name, bytes(64)]))
    return said


def test_nobody_has_what_others_say_forgotten_and_counted_again():
    """A replay of the others' statements does not use up their allowances.

    The liar fills the poll with its own statements. If the poll then forgot those of others, each
    replay would count as new, and without an allowance two of three could not go on.
    """
    table, mallory = playing(seed=1)
    ann, ben = honest = table.sitters[:2]
    chain, said = waiting_chain(mallory, 110), {}
    for ballots in chain, [opened(mallory, 111, accepted=chain[-1].name)]:
        tell(table, mallory, *ballots)
        said |= {e.name: e for sitter in honest for e in sitter.ledger.poll.said.values()}
        table.pass_time(BALLOT_PAUSE_MIN_S)
    go_on(table, [ann, ben], mallory)
    end, times = table.now + 60, STATEMENTS_BURST
    while table.now < end and not gone(ann):
        for sitter in honest:
            own = [each for each in said.values() if each.is_by(sitter.key)]
            tell(table, mallory, *own * times, to=lambda key, sitter=sitter: key != sitter.key)
        times = 1
    assert gone(ann) == gone(ben) == {"Mallory"}


def test_what_comes_too_late_fills_no_poll_and_hides_no_fault():
    """Thousands of late statements do not fill a past poll or hide a fault.

    A liar that has used up its allowance on them is still convicted by a statement that another
    seat shows.
    """
    table, mallory = playing(seed=1)
    ann, ben = table.sitters[:2]
    seat, poll = seat_of(mallory.core), ann.ledger.poll
    tell(table, mallory, first := opened(mallory, 1))
    until_over(table, poll)
    for counter in range(2, 2_000, 100):
        ballots = (Ballot(counter + more, seat) for more in range(100))
        tell(table, mallory, *(promise_of(mallory, first, ballot) for ballot in ballots))
    assert len(tuple(poll.by(seat))) == STATEMENTS_PER_SEAT_MAX
    other = sign_statement(mallory.signer, replace(first.statement, without=bit(ann.seat)))
    ben.core.context.outbox.send(ann.key, wire.Statements((other.signed,)))
    table.do(ben, ben.core.flush())
    table.pass_time(0.1)
    assert ann.context.fault.key == mallory.key
