"""A seat that has read the code, and says in polls whatever may hurt: nobody is stopped by it."""

from collections.abc import Callable

from lab.simulation.cheats.words import accept, last_step, parting, promise, proposal, seat_of
from netgame.crypto.transcript import expand
from netgame.limits import MISSED_BURST, STATEMENTS_BURST, STATEMENTS_PER_S
from netgame.protocol import notices
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import Said, filled_mask, frame_payload, sign_statement
from netgame.protocol.peer.standing.journal import bound
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import COUNTER_MAX, NO_BALLOT, Accept, Ballot, author
from tests.netgame.mallory import Mallory
from tests.netgame.simtable import SimTable, Sitter, kill


class Liar(Mallory):
    """Signs nothing more from some moment on, but what the test tells it to."""

    until: int | None = None

    def write(self, payload: object) -> None:
        """Write what is owed, for as long as it plays."""
        if self.until is None:
            super().write(payload)

    def decide(self) -> None:
        """Likewise."""
        if self.until is None:
            super().decide()


def playing(seats: int = 3) -> tuple[SimTable, Sitter]:
    """A table in its first turn, and a liar at it which has stopped playing."""
    table = SimTable(wire.Settings("standard", (), 6, seats, 1, 4, ()))
    table.seat("Ann", start_at=seats)
    for name in ("Ben", "Cy", "Dee")[: seats - 2]:
        table.seat(name)
    mallory = table.seat("Mallory", core_class=Liar)
    table.run(lambda: all(each.core.state.phase is Phase.PLAY for each in table.sitters))
    mallory.core.until = last_step(mallory.core, seat_of(mallory.core))
    return table, mallory


def tell(table: SimTable, mallory: Sitter, *said: Said, to: Callable[[bytes], bool] = bool) -> None:
    """Have the liar send these."""
    for key in filter(to, tuple(mallory.core.place.links.peers)):
        mallory.core.send(key, wire.Statements(tuple(each.signed for each in said)))
    table.do(mallory, mallory.core.flush())


def opened(mallory: Sitter, counter: int, **more: object) -> Said:
    """A ballot of the liar's own, opened."""
    core = mallory.core
    return promise(core, Ballot(counter, seat_of(core)), last=core.until, **more)


def honest(table: SimTable) -> list[Sitter]:
    """Everybody but the liar, which sits last."""
    return table.sitters[:-1]


def expect_decided(table: SimTable, within_s: float) -> None:
    """The open poll comes to an end at all honest seats, and nobody is accused."""
    table.run(lambda: all(each.core.ledger.decisions[1:] for each in honest(table)), within_s)
    assert not any(each.faults() for each in table.sitters)


def test_a_counter_at_the_end_of_all_numbers_uses_none_up() -> None:
    """Nobody follows it there, and whoever is bound by another ballot still comes free."""
    table, mallory = playing()
    tell(table, mallory, opened(mallory, COUNTER_MAX))
    tell(table, mallory, opened(mallory, 1))
    expect_decided(table, 20.0)
    (poll,) = {each.core.ledger.decisions[1].book.number for each in honest(table)}
    assert poll == 0


def test_who_outbids_every_ballot_holds_up_nobody_for_long() -> None:
    """It opens a higher one each moment and never proposes: some owner has its pause to itself."""
    table, mallory = playing()

    def bid(counter: int = 1) -> None:
        if not mallory.core.ledger.decisions[1:]:
            tell(table, mallory, opened(mallory, counter))
            table.later(0.1, lambda: bid(counter + 1))

    bid()
    expect_decided(table, 60.0)


def test_a_farewell_behind_a_log_that_nobody_has_is_like_silence() -> None:
    """No ballot is opened for it: nothing could come of that, again and again."""
    table, mallory = playing()
    tell(table, mallory, parting(mallory.core, NO_BALLOT, head=bytes(64)))
    table.pass_time(60.0)
    for each in honest(table):
        assert len(each.core.ledger.decisions) == 1, "the coin"
        assert not each.core.ledger.poll.cut.promises(Ballot(1, 0))


def test_a_farewell_that_names_what_nobody_has_is_like_silence() -> None:
    """As it may have accepted something, it counts nowhere in this poll."""
    table, mallory = playing()
    own = Ballot(1, seat_of(mallory.core))
    tell(table, mallory, parting(mallory.core, own, accepted=bytes(64)))
    table.pass_time(60.0)
    assert all(len(each.core.ledger.decisions) == 1 for each in honest(table))


def test_a_flood_of_statements_is_judged_for_as_many_as_its_author_may_sign() -> None:
    """And binds nobody for longer than one would."""
    table, mallory = playing()
    first = table.now
    for counter in range(1, 4 * STATEMENTS_BURST, 64):
        tell(table, mallory, *(opened(mallory, counter + more) for more in range(64)))
    judged = [count(each, seat_of(mallory.core)) for each in honest(table)]
    expect_decided(table, 60.0)
    most = STATEMENTS_BURST + STATEMENTS_PER_S * (table.now - first) + 1
    assert all(0 < len(names) <= most for names in judged)


def count(sitter: Sitter, liar: int) -> set[bytes]:
    """What the log of a seat judges from now on of what the liar has signed."""
    hear, names = sitter.core.ledger.hear, set[bytes]()

    def counting(said: Said) -> object:
        if author(said.statement) == liar:
            names.add(said.name)
        return hear(said)

    sitter.core.ledger.hear = counting
    return names


def test_whom_a_liar_misses_and_misses_not_fills_no_screen() -> None:
    """A person is told of as many changes of mind as its allowance has."""
    table, mallory = playing(4)
    here = mallory.core
    kill(table, table.sitters[0])
    for number in range(8 * MISSED_BURST):
        mask = filled_mask((seat_of(table.sitters[0].core),) if number % 2 else ())
        here.place.links.tell_all(wire.Missed(here.state.log_id, mask))
    table.do(mallory, here.flush())
    table.pass_time(1.0)
    for each in honest(table)[1:]:
        assert 0 < len(each.told_of(notices.VoteCast)) <= MISSED_BURST


def test_what_a_poll_forgets_binds_whoever_has_accepted_it() -> None:
    """Else a flood would silence a seat for ever: it would not know what it has accepted."""
    table, mallory = playing(5)
    ann, own = table.sitters[0], seat_of(mallory.core)
    first = opened(mallory, 1)
    tell(table, mallory, first)
    table.pass_time(0.1)
    ballot = Ballot(1, own)
    found = best_proposal(ann.core.ledger.poll.cut, ballot)
    assert found is not None
    value, counted = found
    made = proposal(mallory.core, ballot, counted, step=value.step, head=value.head)
    for other in table.sitters[1:-1]:  # so that nobody else hears of it
        table.cut.add(frozenset((ann.core.key, other.core.key)))
        table.disconnect(ann, other)
    tell(table, mallory, made, to=lambda key: key == ann.core.key)
    table.pass_time(0.1)
    poll, seat = ann.core.ledger.poll, seat_of(ann.core)
    assert any(isinstance(e, Accept) and e.seat == seat for e in poll.cut.statements.values())
    later = proposal(mallory.core, Ballot(300, own), [bytes(64)])
    for each in (later, accept(ann.core, later.name)):
        poll.add(each)
    for number in range(400):
        poll.add(opened(mallory, 2 + number))
    assert made.name not in poll.said
    assert not bound(ann.core.parts.journal, ann.core.ledger, seat).left


def test_a_record_holds_no_statement_of_nobody() -> None:
    """Nobody can look at its signature, so a good record does not go on behind it."""
    table, mallory = playing()
    ann, core = table.sitters[0], mallory.core
    poll = core.ledger.poll
    nobody = sign_statement(mallory.signer, Accept(poll.id, poll.number, 9, bytes(64)))
    octets = encode(wire.RecordStatement(nobody.signed))
    true, more = ann.record_octets, ann.record_octets + frame_payload(octets)
    assert verify_record(true, expand(bytes(32), "verify")).ok
    assert not verify_record(more, expand(bytes(32), "verify")).ok
