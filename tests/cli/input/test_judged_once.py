"""How often the computer that a move is typed at judges it."""

from cli.input.resolution import resolve
from cli.scene import legal, scene_of
from cli.session.verbs.table import parse
from engine.play import judge
from engine.table.moves import LayTile
from netgame.protocol.log import fault
from tests.netgame.simtable import SimTable, Sitter, full_table, standard


def at_a_lay() -> tuple[SimTable, Sitter, LayTile]:
    """A table at which somebody may lay a tile, and one that may be laid."""
    table = full_table(("Ann", "Ben", "Cy"), standard(9), bots=False)
    table.run(lambda: any(sitter.core.view().can_move for sitter in table.sitters))
    sitter = next(each for each in table.sitters if each.core.view().can_move)
    scene = scene_of(sitter.core.view())
    assert scene is not None
    return table, sitter, next(move for move in legal(scene) if isinstance(move, LayTile))


def test_a_typed_lay_is_judged_twice_at_the_most_where_it_is_made(monkeypatch):
    """Once before it is signed, and once as everybody judges what they receive."""
    table, sitter, lay = at_a_lay()
    real, asked = judge.why_illegal_step, list[object]()

    def counted(at, move):
        asked.append(move)
        return real(at, move)

    monkeypatch.setattr(judge, "why_illegal_step", counted)
    scene = scene_of(sitter.core.view())
    move = resolve(parse(f"{lay.tile.high}-{lay.tile.low} me"), scene)
    assert move == lay
    table.act(sitter, lambda parts: parts.writer.try_move(move))
    assert 0 < len(asked) <= 2


def test_nobody_checks_a_proof_that_it_has_just_made(monkeypatch):
    """The others check it, each once."""
    table, sitter, lay = at_a_lay()
    checked, real = list[object](), fault.PendingProof.run

    def counted(self, by):
        checked.append(self)
        return real(self, by)

    monkeypatch.setattr(fault.PendingProof, "run", counted)
    step = sitter.core.state.step
    table.act(sitter, lambda parts: parts.writer.try_move(lay))
    table.run(lambda: sitter.core.state.step > step)
    assert not checked
    table.run(lambda: all(each.core.state.step > step for each in table.sitters))
    assert len(checked) == 2
