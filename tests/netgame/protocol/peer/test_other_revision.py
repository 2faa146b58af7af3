"""Nobody sits down at a table of another revision of the rules, and nobody is accused there."""

import pytest
from msgspec import structs

from engine.rules.revision import RULES_REVISION
from netgame.crypto.coin import table_id
from netgame.protocol import notices
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.record import OtherRevision
from netgame.protocol.log.entry import sign_entry
from netgame.protocol.log.fault import Accepted, Guilty
from netgame.wire import messages as wire
from tests.netgame.games import played
from tests.netgame.protocol.happenings import seated
from tests.netgame.revisions import playing
from tests.netgame.simtable import SimTable, standard

LATER = RULES_REVISION + 1


@pytest.mark.parametrize("watches", [False, True], ids=["joins", "watches"])
def test_who_reads_another_revision_in_the_lobby_leaves(*, watches: bool) -> None:
    """It says both numbers, takes nothing of the log, and convicts nobody."""
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
    assert ben.core.state.step == 0
    assert ben.core.key not in {each.key for each in ann.core.state.members}


def test_who_finds_a_game_in_play_leaves_too() -> None:
    """The first entry of the log says it."""
    table = SimTable(standard(6, 3, 2), bytes(32))
    seated(table, "Ann", "Ben", "Cy")
    table.run(lambda: table.sitters[0].core.state.table is not None)
    with playing(LATER):
        zoe = table.seat("Zoe", looks_first=True, watches=True)
        table.disconnect(zoe, table.sitters[0])
        table.connect(zoe, table.sitters[0])
        for _ in range(40):
            if zoe.told_of(notices.OtherRules):
                break
            table.pass_time(0.05)
    assert zoe.told_of(notices.OtherRules) == [notices.OtherRules(RULES_REVISION, LATER)]
    assert not any(sitter.faults() for sitter in table.sitters)


def test_what_only_the_other_revision_knows_convicts_no_host() -> None:
    """A preset, a switch or an option: they may exist there."""
    nonce, ann = bytes(32), played(3, 6, 1).sitters[0].signer
    for changes in ({"preset": "of-the-moon"}, {"switches": ("x=y",)}, {"options": ("x=y",)}):
        offer = structs.replace(standard(), revision=LATER, **changes)
        opening = wire.OpenTable(ann.public_bytes, nonce, offer)
        body = wire.Body(table_id(ann.public_bytes, nonce), 0, bytes(64), wire.CHAIR, 0, opening)
        signed = sign_entry(ann, body)
        assert isinstance(Ledger(body.id).judge(signed), Accepted)
        with playing(LATER):
            assert isinstance(Ledger(body.id).judge(signed), Guilty)


def test_a_host_offers_its_own_revision() -> None:
    """Whatever the settings say that it is asked to open a table with."""
    for number in (RULES_REVISION, LATER):
        with playing(number):
            table = SimTable(wire.Settings("standard", (), 6, 3, 1, 3, (), 77), bytes(32))
            ann = table.seat("Ann")
        assert ann.core.state.settings.revision == number


def test_nobody_goes_on_with_a_game_of_another_revision() -> None:
    """Its record stays as it is; the sentence says both numbers."""
    ann = played(3, 6, 1).sitters[0]
    core = type(ann.core)(ann.signer, "Ann", bytes, bytes(32), ())
    with playing(LATER), pytest.raises(OtherRevision, match=f"by revision {RULES_REVISION}"):
        core.restore(list(ann.record[:9]), 0.0)
