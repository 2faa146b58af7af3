"""What no proof says: that no double and its cover are held together [rules.md §5.8]."""

from engine.play.judge import hidden_claim, why_illegal
from engine.play.legal_moves import legal_moves
from engine.table.moves import DrawTile, LayChain, LayTile
from lab.rounds.any_move import choose_any
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.verification import verify_record
from netgame.wire import messages as wire
from tests.netgame import simtable
from tests.netgame.mallory import Mallory
from tests.netgame.simtable import SimTable

NAMES = ("Ann", "Ben", "Cy")
FIRST_SEED = 15
"""Deals before lead to no such pair, with toys."""
SETTINGS = wire.Settings("standard", ("several=two-held",), 6, 3, 1, 7)


def _only_pairs(moves) -> bool:
    """Whether a hand can lay nothing but a double together with its cover."""
    pairs = any(isinstance(move, LayChain) for move in moves)
    return pairs and not any(isinstance(move, LayTile) for move in moves)


def _seated(seed: int, liar: str | None) -> SimTable:
    table = SimTable(SETTINGS, bytes([seed]) * 32)
    for at, name in enumerate(NAMES):
        kind = {"core_class": Mallory} if name == liar else {}
        table.seat(name, start_at=3 if at == 0 else None, **kind)
    return table


def _with_a_pair(monkeypatch) -> tuple[int, str]:
    """A deal, and who comes to have nothing but a pair to lay while a draw would be taken."""
    met: list[int] = []

    def watching(view, entropy):
        may_draw = why_illegal(view.table, DrawTile(view.seat)) is None
        if may_draw and _only_pairs(view.legal):
            met.append(view.seat)
        return choose_any(view, entropy)

    monkeypatch.setattr(simtable, "choose", watching)
    for seed in range(FIRST_SEED, 256):
        table = _seated(seed, None)
        table.run_game()
        if met:
            members = table.sitters[0].core.state.seats
            return seed, members[met[0]].name
    raise AssertionError("no deal leads to a pair")


def test_a_draw_with_a_pair_in_the_hand_is_found_when_the_hands_lie_open(monkeypatch) -> None:
    """The proof of the draw holds, as it speaks of single tiles; the audit convicts the drawer."""
    seed, name = _with_a_pair(monkeypatch)
    table = _seated(seed, name)
    liar = next(sitter for sitter in table.sitters if sitter.core.place.name == name)

    def bend(core: Mallory, payload: wire.Payload) -> wire.Payload | None:
        hand, table = core.author.hand(core.state), core.state.table
        if not isinstance(payload, wire.Act) or not _only_pairs(legal_moves(table, hand)):
            return None
        draw = DrawTile(hand.seat)
        assert hidden_claim(table, draw) is not None
        return core.author.turn(core.state, draw).run()

    liar.core.bend = bend
    honest = [sitter for sitter in table.sitters if sitter is not liar]
    table.run(lambda: all(sitter.faults() for sitter in honest), 600)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == "audit"
        assert fault.name.startswith(f"{name} (")
        assert sitter.core.state.step > liar.core.cheated_at
        verdict = verify_record(sitter.evidence[fault.evidence], expand(bytes(32), "verify"))
        assert verdict.ok, verdict.sentence
        assert (verdict.check, verdict.culprit.startswith(f"{name} (")) == ("audit", True)
