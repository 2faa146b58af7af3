"""A record that holds more than any table gives: it is refused at once."""

from msgspec.structs import replace

from netgame.limits import STATEMENTS_PER_SEAT_MAX
from netgame.protocol.ledger.verdict import FileFinding
from netgame.wire.statements import NO_BALLOT
from tests.netgame.protocol.happenings import verified
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import record


def test_a_poll_has_so_many_statements_of_a_seat():
    """A file of some thousands, each held against all others, took minutes to judge."""
    log = ByHand("crowded poll", replace(PLAIN, seats=3)).sit().form()
    promises = [log.promise(1, (number, 0)) for number in range(1, STATEMENTS_PER_SEAT_MAX + 2)]
    good = verified(record([*log.signed, *promises[:-1], promises[0], log.promise(2, (1, 0))]))
    assert good.finding.is_record
    bad = verified(record([*log.signed, *promises]))
    assert "more statements of a seat than a record holds" in bad.sentence


def test_a_seat_parts_once_in_an_epoch():
    """A second farewell convicts it, so a record needs no count of them."""
    log = ByHand("parted", replace(PLAIN, seats=3)).sit().form()
    parted = [log.parting(1, promised) for promised in (NO_BALLOT, (1, 0))]
    octets = record([*log.signed, *parted[:1]]), record([*log.signed, *parted])
    one, two = map(verified, octets)
    assert one.finding.is_record
    assert two.finding is FileFinding.BAD
    assert "two statements of one kind" in two.sentence
