"""A flood of entries that nobody needs: each costs little; many cost the sender its link."""

import random
from collections import Counter

import pytest

from netgame.limits import (
    HELD_ENTRIES_MAX,
    HELD_PER_PEER_MAX,
    KEYS_COUNTED_MAX,
    NEEDLESS_BURST,
    NEEDLESS_GUEST_BURST,
)
from netgame.protocol import notices
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.budget import Budget, Cost
from netgame.protocol.peer.sync.pulls import EarlyEntries
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.protocol.ledger.intake import at_phase, core_at
from tests.netgame.protocol.peer.test_budget import again
from tests.netgame.protocol.peer.test_watching import guest_at, in_play

PIECE = 200


def made_up(table, step, number=0):
    """Return an entry of seat 0, with `number` in place of a signature."""
    body = wire.Body(table, step, bytes(64), 0, 0, wire.Checked(0))
    return wire.SignedEntry(encode(body), number.to_bytes(64))


def later(core, number):
    """Return an entry of a future step; a higher `number` gives an earlier step."""
    return made_up(core.state.log_id, 150_000 - number)


def of_another_table(core, number):
    """Return an entry of the due step, at a table that does not exist."""
    return made_up(number.to_bytes(64), core.state.step)


def old(core, number):
    """Return an entry that is already in the log."""
    roster = core.ledger.steps[core.state.company.epochs[1].first]
    return roster[number % len(roster)].signed


def pieces(core, make, number):
    """Yield `number` entries made by `make`, in tuples that each fit into one frame."""
    for first in range(0, number, PIECE):
        yield tuple(make(core, n) for n in range(first, min(number, first + PIECE)))


@pytest.mark.parametrize("kind", [wire.Entries, wire.Pulled])
@pytest.mark.parametrize("make", [later, of_another_table, old])
def test_who_sends_what_nobody_needs_loses_the_link(make, kind):
    """A peer that sends too many needless entries loses its link as a flood.

    The entries are for future steps, for other tables, or in the log already.
    """
    one, ben = core_at(at_phase(Phase.PLAY))
    for entries in pieces(one.core, make, NEEDLESS_BURST):
        one.hear(ben, kind(entries))
    assert not one.dropped
    effects = list[fx.Effect]()
    for entries in pieces(one.core, make, 2 * HELD_PER_PEER_MAX):
        effects += one.core.frame(ben, encode(kind(entries)), one.now)
    assert [each for each in effects if isinstance(each, fx.Drop)] == [
        fx.Drop(ben, "it floods the table with entries that nobody needs", floods=True)
    ]
    assert one.core.fault is None


def test_senders_that_push_each_other_out_bring_no_news_without_end():
    """When three senders push out one another's entries, only a limited number count as news.

    Each entry is for an earlier step than all before it. An honest sender still finds room.
    """
    held, news = EarlyEntries(), 0
    for number in range(20_000):
        one = read_entry(made_up(bytes(64), 100_000 - number))
        news += held.keep(one, bytes([number % 3]) * 32)
    assert news < 2 * HELD_ENTRIES_MAX
    honest = read_entry(made_up(bytes(64), 7))
    assert held.keep(honest, b"honest"), "who has sent little finds room"


def test_what_is_held_adds_up_whatever_comes_and_goes():
    """The store counts its entries by sender correctly, while earlier steps push out later ones."""
    held, chance = EarlyEntries(), random.Random(1)
    for number in range(4_000):
        step, sender = chance.randrange(number // 20, 1_000), bytes([chance.randrange(4)])
        one = read_entry(made_up(bytes(64), step, number))
        known = set(held.senders)
        held.keep(one, sender)
        is_full = held.sent_by(sender) == HELD_PER_PEER_MAX or len(known) == HELD_ENTRIES_MAX
        assert one.signed in held.senders or is_full
        assert all(read_entry(each).step > step for each in known - held.senders.keys())
        if not number % 50:
            held.take(number // 20)
            assert all(each > number // 20 for each in held.by_step)
        assert sum(map(len, held.by_step.values())) == len(held.senders) <= HELD_ENTRIES_MAX
        sent = Counter(held.senders.values())
        assert all(held.sent_by(bytes([n])) == sent[bytes([n])] for n in range(4))


# ---- watchers -----------------------------------------------------------------------------------


def test_a_watcher_that_is_ahead_of_us_is_believed_or_ignored():
    """Entries that a watcher sends are kept if a member signed them, and ignored if not.

    A watcher that is ahead may send entries of seats that this peer cannot know yet, so it
    keeps its link.
    """
    guest = guest_at(in_play(bots=False))
    core, state = guest.to.core, guest.to.state
    for table, seat in ((bytes(64), 0), (state.log_id, 9)):
        body = wire.Body(table, state.step + 40, bytes(64), seat, 0, wire.Checked(0))
        guest.say(wire.Entries((sign_entry(guest.signer, body),)))
    ben = guest.table.sitters[1]
    body = wire.Body(state.log_id, state.step + 40, bytes(64), ben.seat, 0, wire.Checked(0))
    true = sign_entry(ben.signer, body)
    guest.say(wire.Entries((true,)))
    assert set(core.parts.early.senders) == {true}, "what a member has signed waits for its step"
    assert not core.context.links.peers[guest.key].dropped
    assert not guest.to.told_of(notices.Trouble)


@pytest.mark.parametrize("own_table", [False, True], ids=["another table", "repeats"])
def test_a_watcher_has_a_small_allowance(own_table):
    """A watcher has a small allowance of needless entries, because no seat asks it for any."""
    table = in_play(bots=False)
    guest, core = guest_at(table), table.host.core
    (opening, *_) = core.ledger.entries_from(0)
    one = opening if own_table else made_up(bytes(64), core.state.step + 1)
    for _ in range(NEEDLESS_GUEST_BURST // 64):
        guest.say(wire.Entries((one,) * 64))
    assert not core.context.links.peers[guest.key].dropped
    guest.say(wire.Entries((one,)))
    assert core.context.links.peers[guest.key].dropped
    again(guest)
    guest.say(wire.Entries((one,)))
    assert core.context.links.peers[guest.key].dropped


# ---- accounts -----------------------------------------------------------------------------------


def test_members_have_accounts_of_their_own_however_many_keys_come():
    """Each member has an account that no crowd of strangers can use up."""
    budget = Budget(lambda key: key == b"member")
    for number in range(KEYS_COUNTED_MAX + 1):
        assert budget.may(number.to_bytes(32), Cost.NEEDLESS, 0.0, NEEDLESS_BURST)
    assert not budget.may(b"stranger", Cost.NEEDLESS, 0.0)
    assert budget.may(b"member", Cost.NEEDLESS, 0.0, NEEDLESS_BURST)
    assert not budget.may(b"member", Cost.NEEDLESS, 0.0)
