"""Floods from one key over many links, or from many new keys, have a bounded cost."""

import pytest

from netgame.crypto.transcript import expand
from netgame.limits import (
    ADMISSIONS_BURST,
    CHAT_BURST,
    EVIDENCE_BURST,
    FORGERS_NAMED_MAX,
    KEYS_COUNTED_MAX,
    LOBBY_BURST,
    PULLS_BURST,
    WATCHERS_MAX,
    WISHES_BURST,
)
from netgame.protocol import notices
from netgame.protocol.peer.budget import Budget, Cost
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import asks
from tests.netgame.protocol.peer.test_watching import Guest, guest_at, in_play
from tests.netgame.simtable import SimTable, standard


def again(guest):
    """Drop the guest's link, and come back over a new one."""
    guest._note(guest.to.core.link_down(guest.key, guest.table.now))
    guest._note(guest.to.core.link_up(guest.key, guest.table.now))
    guest.say(wire.Hello(guest.to.state.table_id))


@pytest.mark.parametrize(
    ("says", "answer", "most"),
    [
        ((wire.Pull(0, b"", 0),), wire.Pulled, PULLS_BURST),
        (("Hello!",), notices.ChatHeard, CHAT_BURST),
        ((None, wire.Watch("Zoe")), wire.JoinAnswer, WISHES_BURST // 2),
    ],
    ids=["pulls", "talk", "wishes"],
)
def test_what_a_key_may_ask_is_bounded_and_not_by_its_links(says, answer, most):
    """One key's requests and chat lines are served only up to a bound, however many links it uses.

    The requests are for parts of the log, and for a seat or a place as a watcher.
    """
    guest = guest_at(in_play(bots=False, rounds=2))
    for _ in range(20):
        for _ in range(PULLS_BURST // 16):
            for each in says:
                if isinstance(each, str):
                    guest.talk(each)
                else:
                    guest.say(each) if each else guest.ask()
        again(guest)
    assert len([*guest.of(answer), *guest.to.told_of(answer)]) == most


def lobby():
    """Return a table for four where only the host has sat down."""
    table = SimTable(standard(6, 4, 1))
    table.seat("Ann")
    return table


class Joiner(Guest):
    """A key that asks for a seat in a lobby, from a new address each time."""

    def sit(self, port):
        """Ask for a seat in the open lobby."""
        state, where = self.to.state, f"10.0.0.9:{port}"
        self.say(asks(self.signer, "Zoe", state.log_id, state.step, where=where))


@pytest.mark.parametrize("reconnects", [False, True], ids=["one link", "many links"])
def test_a_lobby_writes_a_bounded_number_of_entries_for_a_key(reconnects):
    """A lobby writes a bounded number of entries for one key, however often it asks.

    Forty seconds later, one more request writes an entry or two again.
    """
    table = lobby()
    ann, joiner = table.host.core, Joiner(table, table.host)
    for number in range(1_000):
        joiner.sit(4000 + number)
        if reconnects:
            again(joiner)
    assert ann.state.step <= 2 + 2 * ADMISSIONS_BURST
    before = ann.state.step
    table.time.now += 40.0
    joiner.sit(6000)
    assert before < ann.state.step <= before + 2, "who comes and goes that often waits a while"


def test_fresh_keys_fill_no_lobby_with_entries():
    """Hundreds of fresh keys, each asking only once, share the lobby's total allowance."""
    table = lobby()
    for number in range(300):
        joiner = Joiner(table, table.host, number)
        joiner.sit(4747)
        joiner._note(joiner.to.core.link_down(joiner.key, table.now))
    assert table.host.state.step <= 2 + 2 * LOBBY_BURST


def test_an_ask_that_changes_nothing_writes_nothing():
    """A request that changes nothing writes nothing, and may be repeated at will."""
    table = lobby()
    ann, joiner = table.host.core, Joiner(table, table.host)
    joiner.sit(4747)
    step = ann.state.step
    for _ in range(10):
        joiner.sit(4747)
    assert ann.state.step == step


def test_wrong_signatures_of_fresh_keys_fill_no_disk():
    """Two hundred new keys that pass on a forged entry lose their links, and no evidence is saved.

    Only a few of the keys are named.
    """
    table = in_play(bots=False)
    ann = table.host
    signed = next(iter(ann.ledger.slots.values()), ann.ledger.steps[-1][0]).signed
    forged = wire.SignedEntry(signed.body, bytes(64))
    dropped = 0
    for number in range(200):
        guest = Guest(table, ann, number)
        guest.say(wire.Entries((forged,)))
        dropped += guest.to.context.links.peers[guest.key].dropped
        guest._note(ann.core.link_down(guest.key, table.now))
    assert dropped == 200
    assert len(ann.faults()) == FORGERS_NAMED_MAX
    assert not ann.evidence


def test_evidence_is_judged_up_to_a_bound():
    """Entries shown as evidence are judged only up to a bound for each key."""
    table = in_play(bots=False)
    guest = guest_at(table)
    core, judged = table.host.core, []
    true = core.parts.intake.hear_evidence
    core.parts.intake.hear_evidence = lambda *what: (judged.append(what), true(*what))
    (signed, *_) = core.ledger.entries_from(0)
    for _ in range(10):
        for _ in range(10):
            guest.say(wire.Evidence((signed,)))
        again(guest)
    assert len(judged) == EVIDENCE_BURST


def test_more_watchers_than_a_member_serves_are_turned_away_when_the_game_begins():
    """Once the game begins, only as many watchers as the limit allows keep their links."""
    table = SimTable(standard(6, 2, 1), bots=False)
    table.seat("Ann", start_at=2)
    guests = [Guest(table, table.host, number) for number in range(WATCHERS_MAX + 4)]
    table.seat("Ben")
    table.run(lambda: table.host.state.phase is not Phase.LOBBY)
    here = [guest for guest in guests if not table.host.context.links.peers[guest.key].dropped]
    assert len(here) == WATCHERS_MAX


def test_an_account_is_forgotten_only_when_it_is_full_again():
    """A spent account is kept until it is full again.

    While there are as many accounts as there may be, all new keys share one allowance.
    """
    budget = Budget(lambda _: False)
    while budget.may(b"mallory", Cost.CHAT, 0.0):
        pass
    keys = [expand(bytes(32), "key", number)(32) for number in range(KEYS_COUNTED_MAX + 50)]
    allowed = [budget.may(key, Cost.WISH, 0.0) for key in keys]
    assert sum(allowed) == KEYS_COUNTED_MAX - 1 + WISHES_BURST
    assert not budget.may(b"mallory", Cost.CHAT, 0.0)
    assert budget.may(b"mallory", Cost.CHAT, 2.0)
    assert budget.may(b"somebody new", Cost.CHAT, 100.0)
    # Those that are full again have made room: two more keys have an allowance of their own each.
    fresh = [key for key in (b"one", b"two") for _ in range(WISHES_BURST)]
    assert all(budget.may(key, Cost.WISH, 100.0) for key in fresh)
