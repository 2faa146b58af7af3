"""The number of times that a player's own program judges their move."""

from cli.input.resolution import resolve
from cli.scene import lays, scene_of
from cli.session.verbs.reading import parse
from engine.play import judge
from tests.netgame.simtable import full_table, standard


def test_a_typed_lay_is_judged_twice_at_the_most_where_it_is_made(monkeypatch):
    """A player's own lay is judged at most twice: before it is signed, and when it is applied."""
    table = full_table(("Ann", "Ben", "Cy"), standard(9), bots=False)
    table.run(lambda: any(sitter.core.view().can_move for sitter in table.sitters))
    sitter = next(each for each in table.sitters if each.core.view().can_move)
    real, asked = judge.why_illegal_step, list[object]()

    def counted(at, move):
        asked.append(move)
        return real(at, move)

    monkeypatch.setattr(judge, "why_illegal_step", counted)
    scene = scene_of(sitter.core.view())
    lay = lays(scene)[0]
    move = resolve(parse(f"{lay.tile.high}-{lay.tile.low} me"), scene)
    assert move == lay
    table.act(sitter, lambda parts: parts.writer.try_move(move))
    assert 0 < len(asked) <= 2
