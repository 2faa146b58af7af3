"""How a seat recovers after a start: an example for each row of a table in docs/peer.md 8.1."""

from functools import cache

import pytest
from msgspec.structs import replace

from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.linked import Peer
from netgame.protocol.peer.status import recovery as recovery_module
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.status.recovery import (
    RECOVERIES,
    Free,
    Hearing,
    Listening,
    Recovery,
    RecoveryEvent,
)
from netgame.wire import messages as wire
from tests.netgame.protocol.examples import Examples, row_name
from tests.vectors.by_hand import PLAIN, ByHand

ANN, BEN, CY = range(3)
EXAMPLES = Examples()
row = EXAMPLES.row


@cache
def table():
    """Return a table of three whose seats must now commit to a round key."""
    return ByHand("recovery", replace(PLAIN, seats=3)).sit().form()


def linked():
    """Return Ben's recovery before a start.

    He is linked to Ann and Cy, and has signed an entry.
    """
    log = table().fork()
    context = PeerContext(log.signer(BEN), "Ben", (), wire.PlayedBy.TERMINAL)
    context.ledger = log.ledger
    journal = Journal(context)
    journal.add(read_entry(log.entry(BEN, wire.KeyCommit(0, bytes(64)), step=log.state.step - 1)))
    for seat in (ANN, CY):
        context.links.peers[log.signer(seat).public_bytes] = Peer(greeted=True)
    return Recovery(context, journal)


def started():
    """Return Ben's recovery just after a start."""
    made = linked()
    made.begin(has_journal=True)
    return made


def tell_all(recovery, ahead=0):
    """Let Ann and Cy send heads that are `ahead` steps ahead of Ben's."""
    ours = recovery.context.head()
    for key, peer in recovery.context.links.peers.items():
        recovery.context.links.note_head(peer, replace(ours, step=ours.step + ahead))
        recovery.hear(key)
    recovery.look()


@row(Free, RecoveryEvent.START, Hearing)
def _starts():
    ben = linked()
    yield ben
    ben.begin(has_journal=True)
    yield ben


@row(Hearing, RecoveryEvent.START, Hearing)
def _finds_a_table_after_a_record_without_one():
    ben = started()
    yield ben
    ben.begin(has_journal=False)
    yield ben


def listening():
    """Yield Ben's recovery twice: before and after all heads have come.

    Ann has reported a rival.
    """
    ben = started()
    ben.met_rival(table().signer(ANN).public_bytes)
    yield ben
    tell_all(ben)
    yield ben


@row(Hearing, RecoveryEvent.LEVEL, Listening)
def _has_heard_enough():
    yield from listening()


@row(Listening, RecoveryEvent.ALONE, Free)
def _has_listened():
    *_, ben = listening()
    yield ben
    ben.context.now += 3.0
    ben.look()
    yield ben


@pytest.mark.parametrize(("state", "event"), RECOVERIES, ids=row_name)
def test_a_row_happens_to_a_seat(state, event, monkeypatch):
    """A row's event leads from the row's state to its next state."""
    EXAMPLES.play((state, event), lambda ben: ben.state, recovery_module, monkeypatch)


def test_each_row_has_its_example():
    """Each row of the table has an example with its next state, and no example is left over."""
    EXAMPLES.show_all(RECOVERIES)


def test_a_head_that_goes_ahead_keeps_who_listens_where_they_are():
    """A seat keeps listening while others are ahead of it; level heads end its recovery."""
    *_, ben = listening()
    before = ben.state
    tell_all(ben, ahead=2)
    ben.context.now += 3.0
    ben.look()
    assert ben.state == before
    tell_all(ben)
    assert not ben.lasts


def test_to_ask_whether_a_recovery_lasts_changes_nothing():
    """Asking whether a recovery lasts changes nothing; only `look` ends it."""
    ben = started()
    for key, peer in ben.context.links.peers.items():
        ben.context.links.note_head(peer, ben.context.head())
        ben.hear(key)
    assert ben.lasts
    assert isinstance(ben.state, Hearing)
    ben.look()
    assert not ben.lasts
