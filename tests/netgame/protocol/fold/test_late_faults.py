"""What only a whole round shows convicts a seat that has left long before [protocol.md §7.14]."""

from dataclasses import dataclass

import pytest

from engine.play.judge import hidden_claim, why_illegal
from engine.play.legal_moves import legal_moves
from engine.table.moves import DrawTile, LayTile
from lab.simulation.cheats.bent import Bent
from lab.simulation.computers.toys import toy_number, toys
from netgame.crypto import group
from netgame.crypto.group import Q
from netgame.crypto.hand import prove_hand
from netgame.crypto.masking import reveal_token, tile_point, unmask
from netgame.crypto.transcript import expand
from netgame.protocol.fold.turn import hand_statement
from netgame.protocol.log.entry import frame_payload, read_entry, read_frames
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode
from tests.netgame.protocol.happenings import seated, verified
from tests.netgame.simtable import SimTable, Sitter, kill

SETTINGS = wire.Settings("standard", (), 6, 3, 1, 7, ("patience=minute", "leaver=rebuild"))


@dataclass
class Told:
    """A table whose liar has left, and who it was."""

    table: SimTable
    liar: Sitter

    @property
    def honest(self) -> list[Sitter]:
        """Everybody else."""
        return [sitter for sitter in self.table.sitters if sitter is not self.liar]


def _forged(core: Core) -> bytes | None:
    """A proof that nothing held can be laid, whatever is held: with toys there is always one."""
    state, seat = core.state, core.state.seat_of(core.key)
    statement = hand_statement(state, state.round, DrawTile(seat), "draw")
    if statement is None or not statement.tiles:
        return None
    tile, x = statement.tiles[0], core.author.round_secret(state, state.deck).x
    opened = (unmask(each, reveal_token(x, each.A)) for each in statement.residuals)
    wanted = sum(toy_number(point) for point in opened)
    times = wanted * pow(toy_number(tile_point(tile)), -1, Q) % Q
    return group.encode(prove_hand(statement, x, {tile: times}, core.author.fresh()))


class Liar(Bent):
    """Draws once though it could play, plays the tile later, and is gone."""

    denied: frozenset = frozenset()
    laid: bool = False

    def try_move(self, move):
        """Lie at the first chance; lay what was denied at the next."""
        hand, table = self.author.hand(self.state), self.author.table(self.state)
        draw = DrawTile(hand.seat)
        lays = [each for each in legal_moves(table, hand) if isinstance(each, LayTile)]
        again = [each for each in lays if each.tile in self.denied]
        if again:
            self.laid = True
            return super().try_move(again[0])
        may_draw = why_illegal(table, draw) is None and hidden_claim(table, draw) is not None
        claim = _forged(self) if lays and may_draw and not self.denied else None
        if claim is not None and len(table.boneyard) > 1:
            self.denied = frozenset(each.tile for each in lays)
            self.write(wire.Draw(claim))
            return None
        return super().try_move(move)


def _told_at(seed: int) -> Told | None:
    """A game in which somebody has denied a tile, laid it, and left, if it comes to that."""
    table = SimTable(SETTINGS, bytes([seed]) * 32)
    _, liar, _ = seated(table, Ann=Core, Ben=Liar, Cy=Core)
    told = Told(table, liar)
    table.run(lambda: liar.core.laid or all(s.finished for s in table.sitters), 3600)
    if not liar.core.laid:
        return None
    step = liar.core.state.step
    table.run(lambda: all(each.core.state.step > step for each in table.sitters), 60)
    kill(table, liar)
    table.run(lambda: all(each.finished for each in told.honest), 3600)
    return told if any(each.faults() for each in told.honest) else None


def _one_who_lies_and_leaves() -> Told:
    """The first such game."""
    return next(told for told in map(_told_at, range(50)) if told is not None)


@pytest.fixture(scope="module")
def told():
    """The same table for every test here, played with toys."""
    with toys():
        yield _one_who_lies_and_leaves()


def test_a_seat_that_lied_and_left_is_named_by_all(told: Told) -> None:
    """Its own last entry convicts it, as it has none in the step in which the hands are opened."""
    name = told.liar.core.place.name
    for sitter in told.honest:
        (fault,) = sitter.faults()
        assert fault.check == "audit"
        assert fault.name.startswith(f"{name} (")
        seat = sitter.core.state.seat_of(told.liar.core.key)
        assert seat in sitter.core.state.gone
        (signed,) = sitter.core.fault.entries
        entry = read_entry(signed)
        assert entry.is_by(told.liar.core.key)
        own = [e for step in sitter.core.ledger.steps for e in step if e.is_by(told.liar.core.key)]
        assert entry == own[-1]
        assert sitter.core.fault.shown == sitter.core.state.step - 1


def test_its_evidence_convinces_a_third_party(told: Told) -> None:
    """The file has the log up to the opened hands, and the verifier comes to the same fault."""
    for sitter in told.honest:
        content = sitter.evidence[sitter.faults()[0].evidence]
        verdict = verified(content)
        assert verdict.ok, verdict.sentence
        assert verdict.check == "audit"
        assert verdict.culprit == sitter.faults()[0].name
        frames, _ = read_frames(content)
        closing = decode_any(frames[-1], wire.RecordFrame)
        other = decode(frames[5], wire.RecordEntry).entry
        framed = wire.EvidenceFrame(closing.check, (other,), b"", b"", b"")
        forged = b"".join(map(frame_payload, (*frames[:-1], encode(framed))))
        assert not verified(forged).ok


def test_a_record_that_shows_it_is_refused_by_name(told: Told) -> None:
    """`verify` of the plain record says who, at which frame, octet and step."""
    sitter = told.honest[0]
    verdict = verified(sitter.record_octets)
    assert not verdict.ok
    assert f"{told.liar.core.place.name} (" in verdict.sentence
    assert "check audit" in verdict.sentence


def test_every_restart_finds_it_again(told: Told) -> None:
    """A program that comes back to this table names the same seat, and crashes no more."""
    for sitter in told.honest:
        core = Core(sitter.signer, "again", expand(bytes(32), "x"), sitter.secret, ()).restore(
            sitter.record, 0.0
        )
        core.start(0.0)
        assert core.fault == sitter.core.fault
