"""Every cheat of the catalogue: caught at the entry, by every honest peer, with evidence."""

from netgame.crypto.transcript import expand
from netgame.protocol.fold.phases import Playing
from netgame.protocol.ledger.verdict import VerdictKind
from netgame.protocol.ledger.verification import verify_record
from netgame.wire import messages as wire
from tests.netgame.mallory import Mallory, TwoFaced, WrongSigner, when
from tests.netgame.protocol.happenings import seated
from tests.netgame.simtable import SimTable, Sitter, standard
from tests.netgame.small_games import expect_caught

SEED = expand(bytes(32), "cheats")(32)


def table_with(bend, core_class: type[Mallory] = Mallory) -> tuple[SimTable, Sitter]:
    """Ann hosts, Ben and Mallory join; Mallory bends."""
    table = SimTable(standard(6, 3, 7), SEED)
    *_, mallory = seated(table, "Ann", "Ben", Mallory=core_class)
    mallory.core.bend = bend
    return table, mallory


def test_a_move_out_of_turn() -> None:
    """A seat that is not due writes anyway."""
    table, mallory = table_with(None)
    core = mallory.core

    def in_play() -> bool:
        state = core.state
        seat = state.seat_of(core.key)
        return isinstance(state.now, Playing) and state.table.to_move != seat

    table.run(in_play)
    core.slip(wire.Pass(b""))
    table.do(mallory, core.flush())
    expect_caught(table, mallory, "turn", at_once=False)
    for sitter in table.sitters[:2]:
        assert sitter.core.state.step <= core.cheated_at + 1, "at most the due seat was quicker"


def test_two_entries_in_one_slot() -> None:
    """The two signatures convict, also for who comes to the table when it has stopped."""
    bend = when(wire.CoinCommit, lambda _, p: wire.CoinCommit(bytes(64)))
    table, mallory = table_with(bend, TwoFaced)
    expect_caught(table, mallory, "fork", at_once=False)
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: bool(zoe.faults()), 60)
    assert zoe.faults()[0].name.startswith("Mallory (")


def test_a_wrong_signature_is_witnessed_and_the_game_goes_on() -> None:
    """It binds nobody, so the receivers name who sent it; the slot stays open."""
    table, mallory = table_with(None)
    signer = WrongSigner(mallory.signer)
    mallory.core.place.signer = signer

    def bend(core, payload):
        signer.lies = True
        return payload

    mallory.core.bend = when(wire.CoinReveal, bend)
    honest = table.sitters[:2]
    table.run(lambda: all(sitter.faults() for sitter in honest), 3600)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == "signature"
        assert fault.name.startswith("Mallory (")
        assert sitter.core.fault is None, "the table is not stopped by what nobody signed"
        verdict = verify_record(sitter.evidence[fault.evidence], expand(SEED, "verify"))
        assert verdict.kind is VerdictKind.HEARSAY, verdict.sentence
        assert verdict.check == "signature"
        assert verdict.accused.startswith("Mallory (")
