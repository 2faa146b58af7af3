"""A record that holds more than any table gives: it is refused at once, by whatever rules."""

import pytest
from msgspec.structs import replace

from engine.rules.revision import RULES_REVISION
from netgame.crypto.signing import make_signing_key
from netgame.limits import SEATS_MAX, STATEMENTS_PER_SEAT_MAX
from netgame.protocol.ledger.verdict import VerdictKind
from netgame.protocol.log.entry import read_entry, step_digest
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import verified
from tests.netgame.revisions import playing
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import record

REVISIONS = (RULES_REVISION, RULES_REVISION + 1)


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_poll_has_so_many_statements_of_a_seat(revision):
    """A file of some thousands, each held against all others, took minutes to judge."""
    log = ByHand("crowded poll", replace(PLAIN, seats=3)).sit().form()
    promises = [log.promise(1, (number, 0)) for number in range(1, STATEMENTS_PER_SEAT_MAX + 2)]
    with playing(revision):
        good = verified(record([*log.signed, *promises[:-1], promises[0], log.promise(2, (1, 0))]))
        assert good.kind is not VerdictKind.REFUSED
        bad = verified(record([*log.signed, *promises]))
    assert "more statements of a seat than a record holds" in bad.sentence


def test_a_seat_parts_once_in_an_epoch():
    """Two farewells convict it; where polls to come are not told apart, they are too many."""
    log = ByHand("parted", replace(PLAIN, seats=3)).sit().form()
    parted = [log.parting(1, poll=number) for number in range(2)]
    octets = record([*log.signed, *parted[:1]]), record([*log.signed, *parted])
    for revision in REVISIONS:
        with playing(revision):
            one, two = map(verified, octets)
        assert one.kind is not VerdictKind.REFUSED
        assert two.kind is VerdictKind.REFUSED


def test_a_lobby_has_so_many_seats():
    """Of a host that admits thousands by other rules, each beside all those before."""
    log = ByHand("crowded lobby")
    log.put(log.open())
    signed, head = list(log.signed), log.state.head
    people = (make_signing_key(bytes([number]) * 32) for number in range(SEATS_MAX + 2))
    # No rules of ours have a roster there, so that only what needs no rules is judged behind it.
    for payload in (wire.Roster(bytes(64)), *map(log.request, people)):
        signed.append(log.entry(wire.CHAIR, payload, step=len(signed), prev=head))
        head = step_digest(head, [read_entry(signed[-1])])
    with playing(REVISIONS[-1]):
        assert verified(record(signed[:-2])).kind is VerdictKind.OTHER_REVISION
        assert "more seats than a table can have" in verified(record(signed)).sentence
