"""Nobody joins a table of a different revision of the rules, and nobody is accused there."""

import pytest
from msgspec import structs

from engine.rules.revision import RULES_REVISION
from netgame.crypto.coin import table_id
from netgame.protocol import notices
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.log.entry import sign_entry
from netgame.protocol.log.fault import Accepted, Guilty
from netgame.wire import messages as wire
from tests.netgame.games import played
from tests.netgame.revisions import playing
from tests.netgame.simtable import SimTable, standard

LATER = RULES_REVISION + 1


@pytest.mark.parametrize("watches", [False, True], ids=["joins", "watches"])
def test_who_reads_another_revision_in_the_lobby_leaves(*, watches):
    """A guest that finds a table of a different revision leaves its lobby, and convicts nobody.

    The guest's player reads the numbers of the two revisions; nothing of the log is kept.
    """
    table = SimTable(standard(), bytes(32))
    ann = table.seat("Ann")
    with playing(LATER):
        ben = table.seat("Ben", looks_first=watches, watches=watches)
        table.pass_time(5)
    (told,) = ben.told_of(notices.OtherRules)
    assert told == notices.OtherRules(RULES_REVISION, LATER)
    assert not ben.faults()
    assert not ann.faults()
    assert not ben.record
    assert ben.state.step == 0
    assert ben.key not in {each.key for each in ann.state.members}


def test_what_only_the_other_revision_knows_convicts_no_host():
    """An unknown preset, switch or option does not convict a host of a different revision.

    A reader of the host's own revision convicts the host for it.
    """
    nonce, ann = bytes(32), played(3, 6, 1).host.signer
    for changes in ({"preset": "of-the-moon"}, {"switches": ("x=y",)}, {"options": ("x=y",)}):
        offer = structs.replace(standard(), revision=LATER, **changes)
        opening = wire.OpenTable(ann.public_bytes, nonce, offer)
        body = wire.Body(table_id(ann.public_bytes, nonce), 0, bytes(64), wire.CHAIR, 0, opening)
        signed = sign_entry(ann, body)
        assert isinstance(Ledger(body.id).judge(signed), Accepted)
        with playing(LATER):
            assert isinstance(Ledger(body.id).judge(signed), Guilty)


def test_nobody_goes_on_with_a_game_of_another_revision():
    """A game of a different revision cannot be resumed, and the error names its revision."""
    ann = played(3, 6, 1).host
    core = type(ann.core)(ann.signer, "Ann", bytes, bytes(32), ())
    with playing(LATER), pytest.raises(BadRecord, match=f"by revision {RULES_REVISION}"):
        core.restore(list(ann.record[:9]), 0.0)
