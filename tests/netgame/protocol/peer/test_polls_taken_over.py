"""Attempts to misuse polls: to stay although convicted, to escape, or to hold others up."""

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.words import accept, parting, promise, proposal
from netgame.protocol.ledger.verdict import FileFinding
from netgame.protocol.log.entry import ReceivedStatement, sign_entry
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import Ballot, Promise, Proposal
from tests.netgame.protocol.happenings import gone, seated, verified
from tests.netgame.simtable import LATENCY_S, SimTable, Sitter, kill
from tests.netgame.small_games import is_its_turn


class Mute(Bent):
    """A core that signs nothing in polls and convicts nobody; if `silent`, it writes nothing."""

    silent = False

    def decide(self) -> None:
        """Sign nothing."""

    def convict(self, fault) -> None:
        """Convict nobody."""

    def write(self, payload) -> None:
        """Write what is due, unless silent."""
        if not self.silent:
            super().write(payload)


class KeepsItsCoin(Mute):
    """A core that signs its part of the first coin, and shows it to nobody."""

    coin: wire.SignedEntry | None = None

    def write(self, payload) -> None:
        """Write what is due except the coin."""
        if not isinstance(payload, wire.CoinReveal):
            super().write(payload)
            return
        state = self.state
        body = wire.Body(state.log_id, state.step, state.head, self.context.seat, 0, payload)
        self.coin = self.coin or sign_entry(self.context.signer, body)


def table_of_four(seed: int, liar: type[Bent] = Mute) -> tuple[SimTable, list[Sitter], Sitter]:
    """Return a table for a game of two rounds, its three honest seats, and Mal."""
    settings = wire.Settings("standard", (), 6, 4, 2, 4, ("patience=minute",))
    table = SimTable(settings, bytes([seed]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=liar)
    return table, honest, mal


def show(table: SimTable, mal: Sitter, to: Sitter, *said: ReceivedStatement) -> None:
    """Send statements from Mal to one of the others."""
    frame = encode(wire.Statements(tuple(each.signed for each in said)))
    table.do(to, to.core.frame(mal.key, frame, table.now))


def test_a_convicted_seat_cannot_decide_again_and_again_that_nobody_goes():
    """A convicted seat cannot decide again and again that nobody goes.

    No seat promises anything in a ballot whose owner it misses, however soon the ballot opens.
    """
    table, honest, mal = table_of_four(5)
    core = mal.core
    table.run(
        lambda: (
            honest[0].state.step > 40
            and is_its_turn(mal)
            and len({each.state.step for each in table.sitters}) == 1
        )
    )
    core.silent = True
    ballot, opened, proposed = Ballot(1, mal.seat), set(), set()

    def open_and_decide() -> None:
        poll = core.ledger.poll
        at = poll.id, poll.number
        made: ReceivedStatement | None = None
        if at not in opened:
            opened.add(at)
            made = promise(core, ballot)
        elif at not in proposed:
            promises = poll.cut.of(Promise).items()
            mine = {each.seat: name for name, each in promises if each.ballot == ballot}
            if len(mine) > len(table.sitters) // 2:
                proposed.add(at)
                made = proposal(core, ballot, mine.values())
        if made is not None:
            core.parts.decisions.hear(made.signed, None)
            for each in honest:
                show(table, mal, each, made)
        if not gone(honest[0]):
            table.later(0.002, open_and_decide)

    open_and_decide()
    table.pass_time(0.2)
    log = core.ledger
    own = (each for step in log.steps for each in step if log.key_of(each) == mal.key)
    entry = next(
        e for e in own if isinstance(e.payload, wire.Checked) and e.id == core.state.log_id
    )
    fork = wire.Body(entry.id, entry.step, bytes(64), entry.seat, entry.poll, wire.Checked(5))
    lie = encode(wire.Entries((sign_entry(mal.signer, fork),)))
    for each in honest:
        table.do(each, each.core.frame(mal.key, lie, table.now))
    table.run(lambda: all(gone(each) == {"Mal"} for each in honest), 120)


def test_a_pair_convicts_though_one_half_names_the_other():
    """Two conflicting promises convict a seat, even if the second names the first as accepted."""
    table, honest, mal = table_of_four(5)
    table.run(lambda: is_its_turn(mal) and honest[0].state.step > 30)
    one = promise(mal.core, Ballot(1, mal.seat))
    two = promise(mal.core, Ballot(1, mal.seat), without=1, accepted=one.name)
    for each in honest:
        show(table, mal, each, one)
        show(table, mal, each, two)
    table.pass_time(1.0)
    for each in honest:
        (evidence,) = each.evidence.values()
        assert verified(evidence).finding is FileFinding.EVIDENCE


def test_what_others_have_decided_is_followed_though_the_half_that_shows_it_comes_last():
    """A decision is followed, even if the last statement that it needs convicts its author.

    That statement is half of a conflicting pair. It is set aside, and nothing else makes the
    peer look at the poll again.
    """
    table, honest, mal = table_of_four(7, KeepsItsCoin)
    core = mal.core
    mal.parts.polls.tell = lambda: None
    table.run(
        lambda: (
            core.coin is not None
            and all(len(h.ledger.slots) == 3 for h in honest)
            and len({each.state.step for each in table.sitters}) == 1
        ),
        60,
    )
    table.pass_time(2.0)
    due, first = core.state.step, Ballot(1, mal.seat)
    ann, ben, cy = sorted(honest, key=lambda each: each.seat)
    opening = promise(core, first, last=due)
    for each in honest:
        show(table, mal, each, opening)
    core.parts.decisions.hear(opening.signed, None)
    table.pass_time(0.006)
    made = proposal(core, first, core.ledger.poll.cut.of(Promise).keys())
    show(table, mal, ben, parting(core, first, last=due))
    for each in honest:
        show(table, mal, each, made)
    table.pass_time(0.006)
    for each in honest:
        table.do(each, each.core.frame(mal.key, encode(wire.Entries((core.coin,))), table.now))

    def of_ann() -> list[Promise]:
        promises = ann.ledger.poll.cut.of(Promise).values()
        return [e for e in promises if e.poll == 1 and e.seat == e.ballot.owner == ann.seat]

    table.run(lambda: bool(of_ann()), 5)
    second = promise(ann.core, of_ann()[0].ballot, signer=mal.signer, step=due + 1, last=due)
    for each in (ann, cy):
        show(table, mal, each, second)
    table.run(lambda: bool(ann.ledger.poll.cut.of(Proposal)), 5)
    accepted = accept(ann.core, next(iter(ann.ledger.poll.cut.of(Proposal))), signer=mal.signer)
    for each in (ann, cy):
        show(table, mal, each, accepted)
    table.pass_time(4.0)
    assert [len(each.ledger.decisions) for each in honest] == [2, 2, 2]
    # Ben has the parting in the certificate of one poll, and the promise in that of the next.
    assert all(verified(each.record_octets).finding.is_record for each in honest)


def test_an_accept_of_a_ballot_that_lost_stops_nobody_once_all_have_signed_behind_the_poll():
    """A liar's accept in a ballot that lost stops nobody once all have signed later entries.

    One honest seat accepted the value that lost. The liar shows the accept that contradicts its
    other one only after it has gone.
    """
    settings = wire.Settings("standard", (), 6, 3, 3, 4, ("patience=minute",))
    table = SimTable(settings, bytes([5]) * 32)
    ann, ben, mal = seated(table, "Ann", "Ben", Mal=Mute)
    honest, core = (ann, ben), mal.core
    table.run(lambda: is_its_turn(mal) and len({e.state.step for e in table.sitters}) == 1)
    deaf = {ann.key}  # Ann hears nothing that Mal's program says by itself
    table.delays = lambda one, other: () if one is mal and other.key in deaf else (LATENCY_S,)
    due = core.state.step

    def promised(by: Sitter, ballot: Ballot) -> bytes:
        promises = by.ledger.poll.cut.of(Promise).items()
        return next(name for name, e in promises if (e.seat, e.ballot) == (by.seat, ballot))

    first, second = Ballot(1, mal.seat), Ballot(2, mal.seat)
    opening = promise(core, first, last=due)
    core.parts.decisions.hear(opening.signed, None)
    show(table, mal, ann, opening)
    lost = proposal(core, first, [opening.name, promised(ann, first)])
    late = accept(core, lost.name)
    show(table, mal, ann, lost)
    table.run(lambda: ben.state.step > due and core.state.step > due, 5)
    again = promise(core, second, step=due + 1, last=due)
    show(table, mal, ben, again)
    end = ben.ledger.poll.cut.of(Promise)[promised(ben, second)]
    counted = [again.name, promised(ben, second)]
    won = proposal(core, second, counted, step=end.step, head=end.head)
    deaf.clear()
    agreed = accept(core, won.name)
    for each in honest:
        show(table, mal, each, again, won, agreed)
    for said in (lost, again, won, agreed):
        core.parts.decisions.hear(said.signed, None)
    table.run(lambda: all(each.ledger.decisions for each in honest), 20)
    table.run(lambda: {e.state.step > due + 6 for e in table.sitters} == {True}, 60)
    table.run(lambda: len({each.state.step for each in table.sitters}) == 1, 60)
    farewell = parting(core)
    for each in honest:
        show(table, mal, each, farewell)
    kill(table, mal)
    table.run(lambda: all(gone(each) == {"Mal"} for each in honest), 60)
    table.do(ann, ann.core.link_up(mal.key, table.now))
    hello = encode(wire.Hello(ann.context.table_id, b""))
    table.do(ann, ann.core.frame(mal.key, hello, table.now))
    for said in (opening, lost, late):
        show(table, mal, ann, said)
    table.pass_time(1.0)
    assert [len(each.faults()) for each in honest] == [1, 1]
    table.run(lambda: all(each.finished for each in honest), 3_600)
    assert all(verified(each.record_octets).finding.is_record for each in honest)
