"""The outcome of tables under random rules, for people and as JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from engine.rules.choose import SWITCHES, RuleSet, parse_rules
from lab.rounds.random_tables import Simulated, settings_of, simulate_rules, simulate_table
from lab.simulation.game import Game, play_random_rules
from lab.simulation.report import Failure, line

_SEED: Final = b"boneyard simulate"
"""With the number of a table it fixes everything about it: the number alone reproduces the table.
"""

_COUNTS: Final = {
    "tables": "tables",
    "rounds": "rounds",
    "moves": "legal moves made",
    "refused": "wrong moves tried, refused",
    "stuck": "stuck",
    "divergent": "divergent",
    "illegal": "judged wrongly",
    "crashed": "crashed",
}
"""The counts, by their names in JSON, with their names for people."""


class TablesReport:
    """Tables under random rules, played with open hands or by peers over a network.

    There are `count` tables of the first kind and `network` of the second, both numbered from
    `first` on. With `by_rules`, `first` and `count` number rule sets instead of tables, and the
    presets are the first of them. Each rule set has several tables.
    """

    def __init__(self, first: int, count: int, network: int, *, by_rules: bool = False) -> None:
        self.result = Simulated()
        self.network: list[Game] = []
        self._option = "--rules 1" if by_rules else "--tables 1 --network 0"
        self.work = self._play(first, count, network, by_rules=by_rules)

    def _play(self, first: int, count: int, network: int, *, by_rules: bool) -> Iterator[None]:
        for number in range(first, first + count):
            if by_rules:
                simulate_rules(number, _SEED, self.result)
            else:
                simulate_table(number, _SEED, self.result)
            yield
        for number in range(first, first + network):
            self.network.append(play_random_rules(number))
            yield

    def facts(self) -> dict[str, object]:
        """Return the result in its JSON form."""
        facts: dict[str, object] = {name: getattr(self.result, name) for name in _COUNTS}
        facts["network"] = {
            "tables": len(self.network),
            "entries": sum(game.entries for game in self.network),
            "verified": self._verified,
        }
        facts["troubles"] = [each.as_json() for each in self.failed]
        facts["played"] = _by_switch(self.result.played)
        facts["played_over_network"] = _by_switch(_switches_of(self.network))
        return facts

    @property
    def _verified(self) -> int:
        return sum(not game.trouble for game in self.network)

    @property
    def failed(self) -> list[Failure]:
        """The tables that got stuck, diverged, crashed, misjudged a move or have no good record."""
        over_network = "--tables 1 --network 1"
        return [
            *(_failure(e.table, [e.what], e.rules, self._option) for e in self.result.troubles),
            *(
                _failure(game.seed, game.trouble, repr(game.settings), over_network)
                for game in self.network
                if game.trouble
            ),
        ]

    def lines(self) -> list[str]:
        """Return the report's lines for people, without the failures."""
        lines = [line(told, getattr(self.result, name)) for name, told in _COUNTS.items()]
        lines.append(line("over a network", len(self.network)))
        lines.append(line("  good records", self._verified))
        lines += ["", "tables played under each value of each switch (over a network)"]
        counts, network = _by_switch(self.result.played), _by_switch(_switches_of(self.network))
        for name, values in counts.items():
            told = ", ".join(
                f"{value} {count} ({network[name].get(value, 0)})"
                for value, count in values.items()
            )
            lines += wrap(
                f"  {name:<17} {told}", 80, subsequent_indent=" " * 20, break_on_hyphens=False
            )
        return lines


def _failure(table: int, what: Sequence[str], rules: str, option: str) -> Failure:
    facts: dict[str, object] = {"table": table, "rules": rules}
    return Failure(f"table {table}", what, f"{option} --from {table}", facts, (rules,))


def _switches_of(games: list[Game]) -> Counter[tuple[str, str]]:
    """Return how many of these games had each value of each switch."""
    counts: Counter[tuple[str, str]] = Counter()
    for game in games:
        switches = dict(switch.split("=", 1) for switch in game.settings.switches)
        rules = parse_rules(game.settings.preset, switches)
        if isinstance(rules, RuleSet):
            counts.update(settings_of(rules))
    return counts


def _by_switch(played: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Return the counts grouped by switch, including the values that no table had."""
    counts = {name: dict.fromkeys(switch.words(), 0) for name, switch in SWITCHES.items()}
    for (name, value), count in sorted(played.items()):
        counts[name][value] = count
    return counts
