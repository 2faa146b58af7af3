"""The rows of a practice game, each of which changes one thing."""

from cli.joining.practice import Practice, changed
from engine.rules.choose import RULE_SETS
from engine.rules.spec import TableSpec, make_spec


def test_a_row_goes_on_to_the_next_value_with_which_there_is_a_table() -> None:
    """Each step of a row gives a possible table, and `-` before its number undoes the step."""
    states = {Practice()}
    waiting = [*states]
    while waiting and len(states) < 300:
        now = waiting.pop()
        for row in "3456":
            after = changed(now, row)
            assert after is not None
            rounds = None if after.rounds == "all" else int(after.rounds)
            seats = int(after.bots) + 1
            spec = make_spec(RULE_SETS[after.rules], int(after.set), seats, rounds)
            assert isinstance(spec, TableSpec), after
            assert changed(after, f"-{row}") == now
            if after not in states:
                states.add(after)
                waiting.append(after)
    assert len(states) >= 300
