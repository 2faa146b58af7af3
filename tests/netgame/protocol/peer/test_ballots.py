"""A seat that was said to be missing comes back while another has gone: votes in a next ballot."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from netgame.errors import Malformed
from netgame.limits import BALLOT_MAX, FOLLOWED_MAX
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.votes import Naming
from netgame.protocol.log.entry import filled_mask, read_entry, sign_entry
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.simtable import SimTable, Sitter, kill, link_all, revive
from tests.netgame.small_games import expect_whole

THREE = ("Ann", "Ben", "Cy")
FOUR = ("Ann", "Ben", "Cy", "Dee")
FIVE = ("Ann", "Ben", "Cy", "Dee", "Eve")


class Lossy(SimTable):
    """A table at which a test says which frames are lost."""

    lost: Callable[[Sitter, bytes], bool] = staticmethod(lambda _sitter, _frame: False)

    def _send(self, sitter: Sitter, peer: bytes, frame: bytes) -> None:
        if not self.lost(sitter, frame):
            super()._send(sitter, peer, frame)


@dataclass
class Stuck:
    """A table at which `ben` was said to be missing, and is back; `ann` has gone meanwhile."""

    table: Lossy
    ann: Sitter
    ben: Sitter
    rest: list[Sitter]
    step: int
    seats: dict[str, int] = field(default_factory=dict)

    def are_past(self) -> bool:
        """Whether all that are here have closed the step."""
        return all(each.core.state.step > self.step for each in (self.ben, *self.rest))


def carries(frame: bytes, author: int, kind: type) -> bool:
    """Whether a frame has an entry of this kind by this seat."""
    try:
        message = decode_any(frame, wire.LinkMessage)
    except Malformed:
        return False
    if not isinstance(message, wire.Entries | wire.Pulled):
        return False
    entries = [read_entry(signed) for signed in message.entries]
    return any(each.seat == author and isinstance(each.payload, kind) for each in entries)


def stuck(names: tuple[str, ...], *, ann_is_heard: bool, options: tuple[str, ...] = ()) -> Stuck:
    """All commit to their keys; nobody hears Ben, and then all that hear of it say so.

    Ann says so too, but is heard by nobody: she alone closes the step, without Ben, and goes.
    Her own commitment is heard before, or is not.
    """
    chosen = ("patience=vote", *options)
    table = Lossy(wire.Settings("standard", (), 6, len(names), 1, 4, chosen), bytes(32))
    table.seat(names[0], start_at=len(names))
    for name in names[1:]:
        table.seat(name)
    ann, ben, *rest = table.sitters

    def is_lost(_: Sitter, frame: bytes) -> bool:
        mute = [ben] if ann_is_heard else [ann, ben]
        seats = [each.core.state.seat_of(each.core.key) for each in mute]
        return any(seat is not None and carries(frame, seat, wire.KeyCommit) for seat in seats)

    table.lost = is_lost
    heard = len(names) - (1 if ann_is_heard else 2)

    def is_heard(sitter: Sitter) -> bool:
        wanted = heard + (sitter is ann and not ann_is_heard)
        is_deal = sitter.core.state.phase is Phase.DEAL
        return is_deal and len(sitter.core.ledger.slots) == wanted

    table.run(lambda: all(map(is_heard, (ann, *rest))))
    until = table.now + 3.0
    table.run(lambda: table.now >= until)
    step = rest[0].core.state.step
    assert {each.core.state.step for each in (ann, *rest)} == {step}
    table.lost = lambda sender, _: sender is ann
    for other in (ann, *rest):
        table.cut.add(frozenset((ben.core.key, other.core.key)))
        table.disconnect(ben, other)
    for each in (ann, *rest):
        table.act(each, lambda parts: parts.away_votes.give_up([ben.core.key]))
    table.run(lambda: ann.core.state.step > step)
    assert all(each.core.state.step == step for each in rest)
    kill(table, ann)
    table.lost = lambda _sender, _frame: False
    table.cut.clear()
    link_all(table)
    for each in rest:
        table.act(each, lambda parts: parts.away_votes.give_up([]))
    return Stuck(table, ann, ben, rest, step)


def want_without(here: Stuck, who: Sitter) -> None:
    """Somebody at the table asks to go on without `who`; programs follow."""
    asks = here.rest[0]
    here.table.act(asks, lambda parts: parts.away_votes.give_up([who.core.key]))


TABLES = pytest.mark.parametrize(
    "names",
    [THREE, FOUR, pytest.param(FIVE, marks=pytest.mark.campaign)],
    ids=["three", "four", "five"],
)
HEARD = pytest.mark.parametrize("ann_is_heard", [True, False], ids=["heard", "unheard"])


@TABLES
@HEARD
def test_the_table_goes_on_when_one_is_back_and_another_is_gone(
    names: tuple[str, ...], *, ann_is_heard: bool
) -> None:
    """Ben, whom all had named, plays on; Ann, who is gone for good, is given up."""
    here = stuck(names, ann_is_heard=ann_is_heard)
    want_without(here, here.ann)
    here.table.run(here.are_past, 120)
    here.table.run_game()
    expect_whole(here.table)
    state = here.rest[0].core.state
    assert state.gone == {state.seat_of(here.ann.core.key)}


@TABLES
@HEARD
def test_who_had_closed_the_step_the_other_way_reads_the_log_anew(
    names: tuple[str, ...], *, ann_is_heard: bool
) -> None:
    """Ann comes back, sees how the others have gone on, follows them, and accuses nobody."""
    here = stuck(names, ann_is_heard=ann_is_heard, options=("latecomers=watch",))
    want_without(here, here.ann)
    here.table.run(here.are_past, 120)
    revive(here.table, here.ann)
    link_all(here.table)
    here.table.run_game()
    expect_whole(here.table)


@HEARD
def test_who_restarts_between_two_ballots_votes_on(*, ann_is_heard: bool) -> None:
    """Everybody's process ends in turn as soon as it has voted again, and comes back."""
    here = stuck(FOUR, ann_is_heard=ann_is_heard)
    table = here.table
    want_without(here, here.ann)
    for number, each in enumerate(here.rest):
        table.run(lambda each=each: len(votes_of(each)) > 1 or here.are_past(), 120)
        kill(table, each)
        revive(table, each, f"life {number}")
        link_all(table)
        want_without(here, here.ann)
    table.run(here.are_past, 120)
    table.run_game()
    expect_whole(table)


def votes_of(sitter: Sitter) -> list[object]:
    """What a seat has said of who is missing in the due step."""
    own = sitter.core.state.seat_of(sitter.core.key)
    return [each for seat, each in sitter.core.ledger.missing if seat == own]


# ---- who lies --------------------------------------------------------------------------------


def sign_vote(sitter: Sitter, step: int, naming: Naming, stage: int) -> wire.SignedEntry:
    """A vote that this seat has signed, whatever its program thinks of it."""
    ledger = sitter.core.ledger
    own, mask = ledger.seat_at(step, sitter.core.key), filled_mask(tuple(naming.seats))
    payload = wire.Missing(mask, naming.ballot, (), whole=naming.whole, unplayed=False)
    place = (ledger.state.log_id_at(step), step, ledger.head_before(step), own, stage)
    return sign_entry(sitter.signer, wire.Body(*place, payload))


@pytest.mark.campaign
@HEARD
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "without"])
def test_nobody_is_led_through_all_ballots(*, ann_is_heard: bool, whole: bool) -> None:
    """Eve votes in each of them, shows it to Cy alone, and then says nothing more."""
    here = stuck(FIVE, ann_is_heard=ann_is_heard)
    table, (cy, dee, eve) = here.table, here.rest
    table.lost = lambda sender, _: sender is eve
    ann_seat = frozenset({eve.core.state.seat_of(here.ann.core.key)})
    namings = [Naming(ballot, ann_seat, whole=whole) for ballot in range(1, BALLOT_MAX + 1)]
    signed = [sign_vote(eve, here.step, each, 5 + each.ballot) for each in namings]
    frame = encode(wire.Entries(tuple(reversed(signed))))
    table.do(cy, cy.core.frame(eve.core.key, frame, table.now))
    until = table.now + 90.0
    table.run(lambda: table.now >= until)
    for honest in (cy, dee):
        assert len(votes_of(honest)) <= FOLLOWED_MAX
        assert honest.core.ledger.missing.ballot_of(honest.core.state.seat_of(honest.core.key)) < 7
    gone = [here.ann.core.key, eve.core.key]
    for honest in (cy, dee):
        table.act(honest, lambda parts: parts.away_votes.give_up(gone))
    kill(table, eve)
    here.rest = [cy, dee]
    table.run(here.are_past, 300)
    table.run_game()
    expect_whole(table)


def test_nobody_is_talked_out_of_a_seat_that_owes_nothing() -> None:
    """Eve names Ann, who is gone, and Dee, who is here, in each ballot; Cy never names Dee."""
    here = stuck(FIVE, ann_is_heard=False)
    table, (cy, dee, eve), step = here.table, here.rest, here.step
    table.lost = lambda sender, _: sender is eve
    both = frozenset(cy.core.state.seat_of(each.core.key) for each in (here.ann, dee))
    namings = [Naming(ballot, both) for ballot in range(BALLOT_MAX + 1)]
    signed = [sign_vote(eve, step, each, 5 + each.ballot) for each in namings]
    frame = encode(wire.Entries(tuple(signed)))
    table.do(cy, cy.core.frame(eve.core.key, frame, table.now))
    until = table.now + 90.0
    table.run(lambda: table.now >= until)
    named = cy.core.ledger.missing.named_by(cy.core.state.seat_of(cy.core.key))
    assert dee.core.state.seat_of(dee.core.key) not in named
    gone = [here.ann.core.key, eve.core.key]
    for honest in (cy, dee):
        table.act(honest, lambda parts: parts.away_votes.give_up(gone))
    kill(table, eve)
    here.rest = [cy, dee]
    table.run(here.are_past, 300)
    table.run_game()
    expect_whole(table)


@pytest.mark.parametrize("has_voted", [True, False], ids=["after a vote", "before any"])
def test_nobody_vouches_for_an_earlier_ballot_than_its_own(*, has_voted: bool) -> None:
    """Eve says that the step was closed in ballot 0; Cy has, or has not, her vote of ballot 1."""
    here = stuck(FIVE, ann_is_heard=False)
    table, (cy, _, eve), step = here.table, here.rest, here.step
    table.lost = lambda _sender, _frame: True
    want_without(here, here.ann)
    assert cy.core.ledger.missing.ballot_of(cy.core.state.seat_of(cy.core.key)) == 1
    ann_seat = frozenset({cy.core.state.seat_of(here.ann.core.key)})
    vote = wire.Entries((sign_vote(eve, step, Naming(1, ann_seat), 5),))
    head = wire.Head(step + 1, here.ann.core.state.head, filled_mask(()))
    closed = wire.Entries(tuple(here.ann.core.ledger.entries_from(step, last=step)))
    for message in (vote, head, closed) if has_voted else (head, closed):
        table.do(cy, cy.core.frame(eve.core.key, encode(message), table.now))
    assert (cy.core.state.step > step) != has_voted


def test_who_says_the_same_in_two_ballots_is_no_cheat_but_in_one_is() -> None:
    """A vote is told from another by its ballot, its seats, and whether it is whole."""
    here = stuck(FOUR, ann_is_heard=True)
    cy, dee = here.rest
    ann = frozenset({cy.core.state.seat_of(here.ann.core.key)})
    first = sign_vote(dee, here.step, Naming(1, ann), 5)
    later = sign_vote(dee, here.step, Naming(2, ann), 6)
    again = sign_vote(dee, here.step, Naming(2, ann), 7)
    whole = sign_vote(dee, here.step, Naming(2, ann, whole=True), 8)
    judged = cy.core.ledger.fork
    assert judged((first, later)) is None
    assert judged((later, whole)) is None
    assert judged((later, again)) is not None


@pytest.mark.parametrize(
    ("ballot", "whole", "unplayed"),
    [(0, True, False), (1, True, True), (1, False, True)],
    ids=["whole in the first", "whole and unplayed", "unplayed in the second"],
)
def test_a_vote_is_of_its_ballot(ballot: int, *, whole: bool, unplayed: bool) -> None:
    """Nobody takes all entries in the first ballot, or leaves a turn unplayed in another."""
    here = stuck(FOUR, ann_is_heard=True)
    cy = here.rest[0]
    poll = cy.core.ledger.poll()
    seat, other = cy.core.state.seat_of(cy.core.key), here.ann.core.state.seat_of(here.ben.core.key)
    payload = wire.Missing(filled_mask((other,)), ballot, (), whole=whole, unplayed=unplayed)
    assert not poll.may_say_missing(seat, payload)


# ---- a coin that has fallen for one seat alone ------------------------------------------------


def test_who_alone_has_seen_the_coin_fall_reads_the_log_anew() -> None:
    """Nobody hears what Cy reveals; for Cy the game has begun, for the others without Cy."""
    options = ("patience=minute", "latecomers=watch")
    table = Lossy(wire.Settings("standard", (), 6, 4, 1, 4, options), bytes(32))
    table.seat(FOUR[0], start_at=4)
    for name in FOUR[1:]:
        table.seat(name)
    cy = table.sitters[2]

    def is_lost(sender: Sitter, frame: bytes) -> bool:
        places = {at for at, key in enumerate(cy.core.state.company.now.keys) if key == cy.core.key}
        return sender is cy and any(carries(frame, at, wire.CoinReveal) for at in places)

    table.lost = is_lost
    table.run(lambda: bool(cy.core.state.seats))
    kill(table, cy)
    table.lost = lambda _sender, _frame: False
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY, 300)
    revive(table, cy)
    link_all(table)
    table.run_game()
    expect_whole(table)


def test_people_follow_into_a_later_ballot_whom_their_programs_give_up_anyway() -> None:
    """Eve has gone ahead alone; at the others' programs people sit, who have asked for nothing."""
    chosen = ("patience=minute",)
    table = Lossy(wire.Settings("standard", (), 6, len(FIVE), 1, 4, chosen), bytes(32))
    table.seat(FIVE[0], start_at=len(FIVE))
    for name in FIVE[1:]:
        table.seat(name)
    ann, ben, cy, dee, eve = table.sitters
    for person in (ann, dee):
        table.act(person, lambda parts: parts.place.attend())

    def is_lost(sender: Sitter, frame: bytes) -> bool:
        seat = sender.core.state.seat_of(sender.core.key)
        return sender in (ben, cy) and seat is not None and carries(frame, seat, wire.KeyCommit)

    def is_heard(sitter: Sitter) -> bool:
        return sitter.core.state.phase is Phase.DEAL and len(sitter.core.ledger.slots) == 3

    table.lost = is_lost
    table.run(lambda: all(map(is_heard, (ann, dee, eve))))
    step = eve.core.state.step
    for gone in (ben, cy):
        kill(table, gone)
    away = [eve.core.state.seat_of(each.core.key) for each in (ben, cy)]
    votes, seat = eve.core.parts.away_votes, eve.core.state.seat_of(eve.core.key)
    for ballot, seats in enumerate(((away[1],), (away[0],), away)):
        mask = filled_mask(tuple(seats))
        votes._say(seat, wire.Missing(mask, ballot, (), whole=False, unplayed=False))
    table.do(eve, eve.core.wake(table.now))
    table.run(lambda: all(each.core.state.step > step for each in (ann, dee, eve)), 300)
    table.run_game()
    assert eve.core.state.gone == set(away)
