"""No seat signs `checked` or gives a share before it has verified the chain of shuffles itself."""

from functools import partial

import pytest

from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import decode
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import heard, seated
from tests.netgame.simtable import SimTable, full_table, standard


def is_check(sitter, work):
    """Return True if `work` is the check of a chain: the long work after all proofs are in."""
    deal = sitter.state.deal
    return work.long and deal is not None and deal.phase is DealPhase.CHECKED


def sent_by(table, sitter, kind):
    """Return the bodies of this kind that a sitter has signed and sent."""
    told = heard(table, wire.Entries, wire.Pulled)
    own = (message for sender, message in told if sender == sitter.key)
    found = {each.body for message in own for each in message.entries}
    seat = sitter.seat
    bodies = {octets: decode(octets, wire.Body) for octets in found}
    return {
        octets
        for octets, body in bodies.items()
        if isinstance(body.payload, kind) and body.seat == seat
    }


@pytest.mark.parametrize("late", range(3))
def test_one_slow_check_keeps_every_share_back(late):
    """One slow check holds back every share: all wait for the slow seat's `checked`."""
    table = full_table(NAMES[:3], standard(6, 3, 1))
    table.sent = []
    slow = table.sitters[late]
    table.slow = lambda sitter, work: sitter is slow and is_check(sitter, work)
    table.run(lambda: bool(table.unfinished))
    end = table.now + 30.0
    table.run(lambda: table.now > end)
    assert [sitter for sitter, _ in table.unfinished] == [slow]
    for sitter in table.sitters:
        assert bool(sent_by(table, sitter, wire.Checked)) == (sitter is not slow)
        assert not sent_by(table, sitter, wire.Shares)
    table.finish(slow)
    table.run_game()
    assert all(sent_by(table, sitter, wire.Shares) for sitter in table.sitters)
    assert not any(sitter.faults() for sitter in table.sitters)


def test_bots_name_what_they_check_and_people_do_not():
    """Bots of one process share the check of equal chains; a person's program checks alone."""
    table = SimTable(standard(6, 3, 1))
    bot = partial(Core, played_by=wire.PlayedBy.BOT)
    seated(table, "ana", bix=bot, cleo=bot)
    checks = {}

    def begin(sitter, work):
        if is_check(sitter, work):
            checks[sitter.name] = work
        return is_check(sitter, work)

    table.slow = begin
    table.run(lambda: len(checks) == 3)
    assert checks["ana"].same is None
    assert checks["bix"].same is not checks["cleo"].same
    assert checks["bix"].same == checks["cleo"].same
    deal, proofs = checks["bix"].same
    assert len(proofs) == len(deal.authors) == len(deal.decks) - 1 == 3, "the whole chain is named"
    assert len({each.proof for each in proofs}) == 3
    assert checks["cleo"].run() is None
