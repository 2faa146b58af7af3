"""The seats that a program misses: an example for each row of the tables in docs/peer.md 8.2."""

import pytest

from netgame.limits import IDLE_S, NEWCOMER_S, SUSPECT_S
from netgame.protocol.peer.people import absence as absence_module
from netgame.protocol.peer.people import wishes as wishes_module
from netgame.protocol.peer.people.absence import (
    CONTACTS,
    FORMATIONS,
    Away,
    ContactEvent,
    FormationEvent,
    HeardThrough,
    Linked,
    SeatsForm,
    SeatsStand,
)
from netgame.protocol.peer.people.wishes import (
    NAMINGS,
    NamedAway,
    NamedEvent,
    NamedHere,
    Unnamed,
    WhyMissed,
)
from netgame.protocol.state.phases import Phase
from tests.netgame.protocol.examples import Examples, row_name
from tests.netgame.protocol.happenings import apart, go_on, gone, heal, in_turn
from tests.netgame.protocol.peer.test_isolation import behind, claims, kept_apart
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import MINUTE, new_table

VOTE = ("patience=vote",)
PATIENCE_S = 60.0
EXAMPLES = Examples()
row = EXAMPLES.row


def in_play(options=VOTE, seats=4):
    """Return a table without bots, the seat to move, and each of the other seats.

    A person attends at every seat, so no program follows the wishes of others.
    """
    table = new_table(options, bots=False, seats=seats)
    mover = in_turn(table)
    for each in table.sitters:
        each.context.attend()
    return table, mover, *(each for each in table.sitters if each is not mover)


# ---- reaching a seat ----------------------------------------------------------------------------


@row(Linked, ContactEvent.LOST, Away)
def _vanishes():
    table, _, ann, ben, _ = in_play()
    yield ann, ben
    kill(table, ben)
    yield ann, ben


@row(Away, ContactEvent.GREETED, Linked)
def _comes_back():
    table, _, ann, ben, _ = in_play()
    apart(table, [ann], [ben])
    yield ann, ben
    heal(table, [ann], [ben])
    table.pass_time()
    yield ann, ben


def guests():
    """Return a table and two guests with no link; the first counts the second as away."""
    table = kept_apart(4)
    _, ben, cy, _ = table.sitters
    table.run(lambda: isinstance(ben.parts.absence.contacts.get(cy.key), Away))
    return table, ben, cy


def through():
    """Return the table and the guests once the first hears the second through the host."""
    table, ben, cy = guests()
    table.run(lambda: isinstance(ben.parts.absence.contacts[cy.key], HeardThrough))
    return table, ben, cy


@row(Away, ContactEvent.HEARD, HeardThrough)
def _is_heard():
    table, ben, cy = guests()
    yield ben, cy
    table.run(lambda: isinstance(ben.parts.absence.contacts[cy.key], HeardThrough))
    yield ben, cy


@row(HeardThrough, ContactEvent.GREETED, Linked)
def _gets_a_link():
    table, ben, cy = through()
    yield ben, cy
    heal(table, [ben], [cy])
    table.pass_time()
    yield ben, cy


@row(HeardThrough, ContactEvent.LOST, Away)
def _is_heard_no_more_without_any_link():
    table, ben, cy = through()
    yield ben, cy
    apart(table, [ben], [table.host])
    yield ben, cy


@row(HeardThrough, ContactEvent.UNGREETED, Linked)
def _has_a_link_when_the_last_other_one_ends():
    table, ben, cy = through()
    table.do(ben, ben.core.link_up(cy.key, table.now))
    yield ben, cy
    table.do(ben, ben.core.link_down(table.host.key, table.now))
    yield ben, cy


@row(Linked, ContactEvent.HEARD, HeardThrough)
def _comes_and_goes_in_a_step_in_which_it_was_heard():
    table = kept_apart(4)
    ann, ben, cy, dee = table.sitters
    table.until(ann, Phase.COIN_COMMIT)
    kill(table, dee)  # so that the step stays due
    table.run(lambda: isinstance(ben.parts.absence.contacts[cy.key], HeardThrough))
    heal(table, [ben], [cy])
    table.pass_time()
    yield ben, cy
    apart(table, [ben], [cy])
    yield ben, cy


# ---- drawing the seats --------------------------------------------------------------------------


@row(SeatsStand, FormationEvent.NEWCOMERS, SeatsForm)
def _the_lobby_closes():
    table = new_table(VOTE)
    yield table.host, table.host
    table.until(table.host, Phase.ROSTER)
    table.pass_time(0.0)
    yield table.host, table.host


@row(SeatsForm, FormationEvent.NO_NEWCOMERS, SeatsStand)
def _the_coin_falls():
    table = new_table(VOTE)
    ann = table.host
    table.run(lambda: isinstance(ann.parts.absence._seats, SeatsForm))
    yield ann, ann
    table.until(ann, Phase.DEAL)
    yield ann, ann


# ---- naming by a person -------------------------------------------------------------------------


@row(Unnamed, NamedEvent.NAMED_AWAY, NamedAway)
def _names_somebody_away():
    table, _, ann, ben, _ = in_play()
    kill(table, ben)
    yield ann, ben
    go_on(table, [ann], ben)
    yield ann, ben


@row(Unnamed, NamedEvent.NAMED_HERE, NamedHere)
def _names_somebody_who_thinks():
    table, mover, ann, *_ = in_play()
    yield ann, mover
    go_on(table, [ann], mover)
    yield ann, mover


@row(NamedAway, NamedEvent.NAMED_HERE, NamedHere)
def _names_again_who_has_just_come_back():
    """Name somebody who has just come back, before the earlier wish about them has ended."""
    table, mover, ann, *_ = in_play()
    apart(table, [mover], [ann])
    go_on(table, [ann], mover)
    yield ann, mover
    ann.context.links.come(mover.key)
    ann.context.links.peers[mover.key].greeted = True
    go_on(table, [ann], mover)
    yield ann, mover


@row(NamedAway, NamedEvent.BACK, Unnamed)
def _finds_who_was_away():
    """Let somebody who was named while away come back; the wish about them ends."""
    table, mover, ann, *_ = in_play()
    apart(table, [mover], [ann])
    go_on(table, [ann], mover)
    yield ann, mover
    heal(table, [mover], [ann])
    table.pass_time()
    yield ann, mover


@row(NamedHere, NamedEvent.UNAWAITED, Unnamed)
def _sees_a_move():
    table, mover, ann, *_ = in_play()
    go_on(table, [ann], mover)
    yield ann, mover
    table.move(mover)
    table.pass_time()
    yield ann, mover


@row(NamedAway, NamedEvent.TAKEN_BACK, Unnamed)
def _thinks_better_of_somebody_away():
    table, _, ann, ben, _ = in_play()
    kill(table, ben)
    go_on(table, [ann], ben)
    yield ann, ben
    go_on(table, [ann])
    yield ann, ben


@row(NamedHere, NamedEvent.TAKEN_BACK, Unnamed)
def _thinks_better_of_somebody_who_thinks():
    table, mover, ann, *_ = in_play()
    go_on(table, [ann], mover)
    yield ann, mover
    go_on(table, [ann])
    yield ann, mover


def agree(table, victim, *others):
    """Let the others vote to go on without the victim, until the victim is out.

    Yield the pair of the first voter and the victim twice: after that voter's wish, and at the
    end.
    """
    ann = others[0]
    go_on(table, [ann], victim)
    yield ann, victim
    go_on(table, others[1:], victim)
    table.run(lambda: gone(ann) == {victim.name})
    table.pass_time()
    yield ann, victim


@row(NamedAway, NamedEvent.OUT, Unnamed)
def _goes_while_away():
    table, mover, *others = in_play()
    kill(table, mover)
    yield from agree(table, mover, *others)


@row(NamedHere, NamedEvent.OUT, Unnamed)
def _goes_while_it_thinks():
    table, mover, *others = in_play()
    yield from agree(table, mover, *others)


# ---- every row ----------------------------------------------------------------------------------


def contact(one, other):
    """Return how `one` reaches `other`."""
    return one.parts.absence.contacts[other.key]


def forming(one, other):
    """Return a peer's state of forming the seats; the peer is passed as both arguments."""
    assert one is other
    return one.parts.absence._seats


def named(one, other):
    """Return how the person at `one` has named `other`."""
    return one.parts.wishes._named.get(other.key, Unnamed())


MACHINES = {
    contact: (CONTACTS, absence_module),
    forming: (FORMATIONS, absence_module),
    named: (NAMINGS, wishes_module),
}
ROWS = [(machine, *key) for machine, (table, _) in MACHINES.items() for key in table]


def test_each_row_has_its_example():
    """Each row of the tables has an example with its next state, and no example is left over."""
    EXAMPLES.show_all(*(table for table, _ in MACHINES.values()))


@pytest.mark.parametrize(("machine", "state", "event"), ROWS, ids=row_name)
def test_a_row_happens_at_a_table(machine, state, event, monkeypatch):
    """At a simulated table, a row's event leads from the row's state to its next state."""
    module = MACHINES[machine][1]
    EXAMPLES.play((state, event), lambda pair: machine(*pair), module, monkeypatch)


def test_a_link_brings_a_seat_back_with_its_hello():
    """A new link does not bring a seat back before its hello, because anybody can dial."""
    table, _, ann, ben, _ = in_play()
    apart(table, [ann], [ben])
    table.do(ann, ann.core.link_up(ben.key, table.now))
    assert isinstance(contact(ann, ben), Away)


@pytest.mark.parametrize("also", [False, True], ids=["alone", "beside"])
def test_whoever_is_named_again_stays_as_they_were_named(also):
    """A seat named while present still counts as such when it is named again while away.

    The wish about it therefore does not end when the seat is back.
    """
    table, mover, ann, ben, _ = in_play()
    go_on(table, [ann], mover)
    apart(table, [mover], [ann])
    go_on(table, [ann], mover, *([ben] if also else []))
    assert isinstance(named(ann, mover), NamedHere)
    heal(table, [mover], [ann])
    table.pass_time()
    assert reasons(ann, mover) == {WhyMissed.NAMED}


def test_a_wish_about_somebody_away_ends_behind_a_fallen_coin_too():
    """A wish about an absent seat ends when the seat is back, even if the coin has fallen by then.

    Otherwise the wish would count when the seat is absent again, in the deal.
    """
    table = new_table(VOTE)
    ann, ben = table.sitters[:2]
    for each in table.sitters:
        each.parts.polls.act = lambda: None
    table.until(ann, Phase.COIN_FALLEN)
    apart(table, [ann], [ben])
    go_on(table, [ann], ben)
    assert isinstance(named(ann, ben), NamedAway)
    heal(table, [ann], [ben])
    table.pass_time()
    assert ann.state.phase is Phase.COIN_FALLEN
    assert isinstance(named(ann, ben), Unnamed)


# ---- the reasons --------------------------------------------------------------------------------


def reasons(one, other):
    """Return the reasons for which `one` would go on without `other` now."""
    return {why for why, keys in one.parts.wishes.reasons().items() if other.key in keys}


def wait(table, seconds):
    """Let time pass, and wake every living peer."""
    table.pass_time(seconds)
    for each in table.sitters:
        if each.alive:
            table.do(each, each.core.wake(table.now))


def test_who_is_away_is_late_after_the_time_that_the_table_has_agreed_on():
    """An absent seat is late after the agreed time if it owes the due step.

    An absent seat that owes nothing is late only together with one that does.
    """
    table, mover, ann, ben, cy = in_play((*MINUTE, "latecomers=watch"), seats=5)[:5]
    kill(table, ben)
    wait(table, PATIENCE_S + 1)
    assert reasons(ann, ben) == set()
    kill(table, mover)
    wait(table, PATIENCE_S - 1)
    assert reasons(ann, mover) == reasons(ann, ben) == set()
    for each in table.sitters:
        each.parts.polls.act = lambda: None  # otherwise it would go at once
    wait(table, 2.0)
    assert reasons(ann, mover) == reasons(ann, ben) == {WhyMissed.LATE}
    assert reasons(ann, cy) == set()


@pytest.mark.parametrize(("is_said", "after_s"), [(False, 2 * PATIENCE_S), (True, PATIENCE_S)])
def test_who_is_heard_through_others_is_late_by_a_linked_voters_word(is_said, after_s):
    """A seat heard through others is late after the agreed time if a linked voter misses it.

    If no linked voter misses it, it is late after twice that time.
    """
    table = kept_apart(5, people=True)
    hub = table.host
    far, others = behind(table, hub)
    ben = others[0]
    for each in table.sitters:
        each.parts.polls.act = lambda: None
    since = ben.parts.absence._due.since
    if is_said:
        claims(table, hub, far)
    wait(table, since + after_s - 1 - table.now)
    assert reasons(ben, far) == set()
    wait(table, 2.0)
    assert reasons(ben, far) == {WhyMissed.LATE}


def test_a_newcomer_who_does_not_sign_is_missed_after_half_a_minute():
    """A newcomer who does not sign the roster is missed after half a minute."""
    table = new_table(VOTE)
    ann, ben = table.sitters[:2]
    ann.context.attend()
    table.until(ann, Phase.ROSTER)
    kill(table, ben)
    for each in table.sitters:
        each.parts.polls.act = lambda: None
    wait(table, NEWCOMER_S - 1)
    assert reasons(ann, ben) == set()
    wait(table, 2.0)
    assert reasons(ann, ben) == {WhyMissed.NEWCOMER}


def test_whom_its_person_names_is_missed():
    """A peer misses a seat that its own person names, until the person takes that back."""
    table, mover, ann, *_ = in_play()
    go_on(table, [ann], mover)
    assert reasons(ann, mover) == {WhyMissed.NAMED}
    go_on(table, [ann])
    assert reasons(ann, mover) == set()


@pytest.mark.parametrize("way", ["away", "thinks", "polls"])
def test_a_program_alone_follows_what_others_miss_if_it_finds_the_same(way):
    """A program that nobody attends misses a seat that others miss, if it sees a reason itself.

    A program that a person attends does not.
    """
    table, mover, ann, ben, _ = in_play()
    for each in table.sitters:
        each.parts.polls.act = lambda: None
    wait(table, SUSPECT_S)
    if way == "away":
        apart(table, [mover], [each for each in table.sitters if each is not mover])
    if way == "polls":
        ann.context.links.claims_more = lambda key: key == mover.key
    claims(table, ben, mover)
    if way != "polls":
        ann.context.attended = False
        assert reasons(ann, mover) == set()
        wait(table, IDLE_S - SUSPECT_S - 1)
        assert reasons(ann, mover) == set()
        wait(table, SUSPECT_S + 2)
    ann.context.attended = True
    assert reasons(ann, mover) == set()
    ann.context.attended = False
    assert reasons(ann, mover) == {WhyMissed.FOLLOWED}


def test_a_key_that_is_convicted_is_missed():
    """A peer misses a seat whose key it has convicted."""
    _, _, ann, ben, _ = in_play()
    ann.context.convicted = frozenset({ben.key})
    assert reasons(ann, ben) == {WhyMissed.CONVICTED}


# ---- invariants ---------------------------------------------------------------------------------


def test_a_seat_that_was_let_go_itself_misses_nobody():
    """A seat that was voted out misses nobody, even after a restart."""
    table, mover, ann, ben, cy = in_play()
    go_on(table, [mover], ann)
    go_on(table, [ann, ben, cy], mover)
    table.run(lambda: gone(mover) == {mover.name})
    assert mover.parts.wishes.reasons() == {}
    assert mover.parts.wishes.wanted == frozenset()
    kill(table, mover)
    revive(table, mover)
    link_all(table)
    assert mover.parts.wishes.reasons() == {}
