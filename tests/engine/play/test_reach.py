"""The places where a seat may lay while no double matters, under every preset."""

import pytest

from engine.bots.house import choose
from engine.play.reach import in_order, own_trains, usual_ends, why_shut_off
from engine.rules.choose import RULE_SETS
from engine.rules.spec import TableSpec, make_spec
from engine.table.turn import InPlay
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_game


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_usual_ends_are_those_of_all_open_trains_in_their_order(name):
    """The usual ends are those of all open trains, the seat's own included, in order, once each."""
    specs = (make_spec(RULE_SETS[name], pip_max, 4, 1) for pip_max in (9, 12, 6))
    spec = next(each for each in specs if isinstance(each, TableSpec))
    asked = []

    def chosen(view, entropy):
        table = view.table
        if isinstance(table.now, InPlay):
            own = own_trains(table, table.to_move)
            opened = [each for each in table.trains if why_shut_off(table, each) is None]
            assert {*own} <= {each.id for each in opened}
            ends = usual_ends(table)
            assert ends == in_order(end for each in opened for end in each.ends)
            asked.append(ends)
        return choose(view, entropy)

    play_game(spec, [chosen] * 4, seeded(b"reach"), lambda _: seeded(name.encode()))
    assert len(asked) > 20
