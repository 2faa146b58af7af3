"""A pair denied, laid later, and its author gone before the hands open [rules.md §5.8, §7.6].

Under `several=two-held` a draw says that no second double is held with the tile that covers it. No
proof says so. The liar draws with such a pair, lays both tiles in later turns, and leaves.
"""

from dataclasses import dataclass

import pytest

from engine.play.judge import why_illegal
from engine.play.legal_moves import legal_moves
from engine.table.moves import DrawTile, LayChain, LayTile
from lab.simulation.cheats.bent import Bent
from lab.simulation.computers.toys import toys
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from tests.netgame.simtable import SimTable, Sitter, kill

NAMES = ("Ann", "Ben", "Cy")
SETTINGS = wire.Settings(
    "standard", ("several=two-held",), 6, 3, 1, 7, ("patience=minute", "leaver=rebuild")
)
SEEDS = range(19, 400)
"""About one deal of eighty lets somebody deny a pair and lay it later; the first of these does."""


def tiles_of(move):
    """The tiles that a move lays."""
    return {link.tile for link in move.lays} if isinstance(move, LayChain) else {move.tile}


def make_liar() -> type[Core]:
    """A class of seats, of which the first that can lies; all lay doubles as soon as they can."""

    class PairLiar(Bent):
        who = None
        denied: frozenset = frozenset()
        laid: frozenset = frozenset()
        drew_at = -1

        def try_move(self, move):
            """Deny a pair once; lay it when it can be laid."""
            hand, table, mine = self.author.hand(self.state), self.state.table, type(self)
            moves = legal_moves(self.author.table(self.state) or table, hand)
            pairs = [each for each in moves if isinstance(each, LayChain)]
            lays = [each for each in moves if isinstance(each, LayTile)]
            if mine.who is self:
                again = [each for each in (*pairs, *lays) if tiles_of(each) & mine.denied]
                if again:
                    mine.laid |= tiles_of(again[0]) & mine.denied
                return super().try_move(again[0] if again else move)
            draw = DrawTile(hand.seat)
            may_draw = why_illegal(table, draw) is None and len(table.boneyard) > 1
            if mine.who is None and pairs and not lays and may_draw:
                mine.who, mine.denied = self, frozenset(tiles_of(pairs[0]))
                mine.drew_at = self.state.step
                self.write(self.author.turn(self.state, draw))
                return None
            doubles = [each for each in lays if each.tile.is_double]
            return super().try_move(doubles[0] if doubles else move)

    return PairLiar


@dataclass
class Told:
    """A table whose liar has left, and who it was."""

    table: SimTable
    liar: Sitter
    kind: type[Core]

    @property
    def honest(self) -> list[Sitter]:
        """Everybody else."""
        return [sitter for sitter in self.table.sitters if sitter is not self.liar]


def told_at(seed: int) -> Told | None:
    """A game in which somebody has denied a pair, laid it, and left, if it comes to that."""
    kind = make_liar()
    table = SimTable(SETTINGS, seed.to_bytes(32, "big"))
    for at, name in enumerate(NAMES):
        table.seat(name, start_at=3 if at == 0 else None, core_class=kind)

    def is_laid() -> bool:
        return kind.who is not None and kind.denied == kind.laid

    table.run(lambda: is_laid() or all(each.finished for each in table.sitters), 3600)
    if not is_laid():
        return None
    liar = next(each for each in table.sitters if each.core is kind.who)
    step = liar.core.state.step
    table.run(lambda: all(each.core.state.step > step for each in table.sitters), 60)
    kill(table, liar)
    told = Told(table, liar, kind)
    table.run(lambda: all(each.finished for each in told.honest), 3600)
    return (
        told if liar.core.state.seat_of(liar.core.key) in told.honest[0].core.state.gone else None
    )


@pytest.fixture(scope="module")
def told():
    """The same table for every test here, played with toys."""
    with toys():
        yield next(each for each in map(told_at, SEEDS) if each is not None)


def test_the_proof_of_the_lie_holds(told: Told) -> None:
    """The log took the draw, and went on past it; nobody could know before the hands opened."""
    seat = told.liar.core.state.seat_of(told.liar.core.key)
    drawn = told.honest[0].core.ledger.slot(told.kind.drew_at, seat)
    assert isinstance(drawn.payload, wire.Draw)
    one, other = sorted(told.kind.denied, key=lambda tile: tile.is_double)
    assert other.is_double
    assert other.low in (one.low, one.high)


def test_who_denied_a_pair_and_left_is_named_from_its_own_last_entry(told: Told) -> None:
    """On every screen, with evidence that convinces a third party."""
    for sitter in told.honest:
        (fault,) = sitter.faults()
        assert fault.check == "audit"
        assert fault.name.startswith(f"{told.liar.core.place.name} (")
        (signed,) = sitter.core.fault.entries
        own = [e for step in sitter.core.ledger.steps for e in step if e.is_by(told.liar.core.key)]
        assert read_entry(signed) == own[-1]
        verdict = verify_record(sitter.evidence[fault.evidence], expand(bytes(32), "verify"))
        assert verdict.ok, verdict.sentence
        assert (verdict.check, verdict.culprit) == ("audit", fault.name)


def test_every_restart_and_the_record_name_it_again(told: Told) -> None:
    """No program that comes back crashes, and `verify` of the plain record says who."""
    for sitter in told.honest:
        core = Core(sitter.signer, "again", expand(bytes(32), "x"), sitter.secret, ()).restore(
            sitter.record, 0.0
        )
        core.start(0.0)
        assert core.fault == sitter.core.fault
        verdict = verify_record(sitter.record_octets, expand(bytes(32), "verify"))
        assert not verdict.ok
        assert f"{told.liar.core.place.name} (" in verdict.sentence
        assert "check audit" in verdict.sentence
