"""What `boneyard simulate` found, for people and as JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Final, Protocol

from engine.rules.choose import SWITCHES, RuleSet, parse_rules
from lab.rounds.random_tables import Simulated, settings_of, simulate_rules, simulate_table
from lab.simulation.campaign import Campaign
from lab.simulation.game import Game, play_random_rules
from netgame.protocol.fold.phases import Phase

_SEED: Final = b"boneyard simulate"
"""With the number of a table it fixes everything about it: the number alone brings it back."""

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
"""What is counted, as JSON names it and as a person reads it."""


class Report(Protocol):
    """Work that is done by iterating over it, and what has come of it at any moment."""

    @property
    def work(self) -> Iterator[object]:
        """What is still to be done, piece by piece."""

    @property
    def failed(self) -> bool:
        """Whether anything went wrong that must not."""

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""


# ---- random rules ---------------------------------------------------------------------------


class TablesReport:
    """Tables under random rules: all with open hands, some played by peers over a network.

    With `by_rules` so many rule sets, presets first, of several tables each.
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

    @property
    def _bad_games(self) -> list[Game]:
        return [game for game in self.network if game.trouble]

    @property
    def failed(self) -> bool:
        """Whether anything was stuck, divergent, illegal, or no good record."""
        return bool(self.result.troubles or self._bad_games)

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""
        facts: dict[str, object] = {name: getattr(self.result, name) for name in _COUNTS}
        facts["network"] = {
            "tables": len(self.network),
            "entries": sum(game.entries for game in self.network),
            "verified": len(self.network) - len(self._bad_games),
        }
        facts["troubles"] = self._troubles()
        facts["played"] = _by_switch(self.result.played)
        facts["played_over_network"] = _by_switch(_switches_of(self.network))
        return facts

    def _troubles(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = [
            {
                "table": each.table,
                "what": [each.what],
                "rules": each.rules,
                "again": f"boneyard simulate {self._option} --from {each.table}",
            }
            for each in self.result.troubles
        ]
        found += [
            {
                "table": game.seed,
                "what": list(game.trouble),
                "rules": repr(game.settings),
                "again": f"boneyard simulate --tables 1 --network 1 --from {game.seed}",
            }
            for game in self._bad_games
        ]
        return found

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""
        lines = [_line(told, getattr(self.result, name)) for name, told in _COUNTS.items()]
        lines.append(_line("over a network", len(self.network)))
        lines.append(_line("  good records", len(self.network) - len(self._bad_games)))
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
        for each in self._troubles():
            what = "; ".join(map(str, each["what"])) if isinstance(each["what"], list) else ""
            lines += ["", f"table {each['table']}: {what}", f"  {each['rules']}"]
            lines.append(f"  see it again: {each['again']}")
        return lines


def _line(name: str, count: int) -> str:
    return f"{name:<28}{count:>12,}"


def _switches_of(games: list[Game]) -> Counter[tuple[str, str]]:
    """Count the values of all switches in the rules of these games."""
    counts: Counter[tuple[str, str]] = Counter()
    for game in games:
        switches = dict(switch.split("=", 1) for switch in game.settings.switches)
        rules = parse_rules(game.settings.preset, switches)
        if isinstance(rules, RuleSet):
            counts.update(settings_of(rules))
    return counts


def _by_switch(played: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    """Sort counts by switch, the values that no table had included."""
    counts = {name: dict.fromkeys(switch.words(), 0) for name, switch in SWITCHES.items()}
    for (name, value), count in sorted(played.items()):
        counts[name][value] = count
    return counts


# ---- faults ---------------------------------------------------------------------------------


class CampaignReport:
    """Tables of peers under faults."""

    def __init__(self, games: Iterator[Game]) -> None:
        self.campaign = Campaign()
        self.work = map(self.campaign.add, games)

    @property
    def failed(self) -> bool:
        """Whether any game ended as none may."""
        return bool(self.campaign.failed)

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""
        campaign = self.campaign
        return {
            "games": campaign.games,
            "real": campaign.real,
            "gone": campaign.gone,
            "entries": campaign.entries,
            "frames": campaign.frames,
            "simulated_hours": round(campaign.simulated_s / 3600, 3),
            "faults": {fault.value: count for fault, count in campaign.faults.items()},
            "cheats": dict(campaign.cheats),
            "verdicts": dict(campaign.verdicts),
            "left": {phase.value: campaign.left[phase] for phase in Phase if campaign.left[phase]},
            "given_up": dict(campaign.given_up),
            "polls": dict(campaign.polls),
            "company": dict(campaign.company),
            "failed": [
                {
                    "seed": game.seed,
                    "what": list(game.trouble),
                    "settings": repr(game.settings),
                    "story": list(game.story),
                    "again": _again(game),
                }
                for game in campaign.failed
            ],
            "digest": campaign.digest,
        }

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""
        campaign = self.campaign
        lines = [
            _line("games", campaign.games),
            _line("  with the real group", campaign.real),
            _line("  ended in the lobby", campaign.gone),
            f"{'simulated hours':<28}{campaign.simulated_s / 3600:>12,.2f}",
            _line("steps of all logs", campaign.entries),
            _line("frames", campaign.frames),
            _line("faults", campaign.faults.total()),
            *(_line(f"  {fault.value}", count) for fault, count in campaign.faults.items()),
            _line("cheats, each found out", campaign.cheats.total()),
            *(f"  {cheat:<44}{count:>4}" for cheat, count in campaign.cheats.items()),
            _line("seats that left for good", campaign.left.total()),
            *(_line(f"  in {p.value}", campaign.left[p]) for p in Phase if campaign.left[p]),
            _line("seats given up", campaign.given_up.total()),
            *(_line(f"  {how}", count) for how, count in campaign.given_up.items()),
            "polls, by what they came to",
            *(_line(f"  {kind}", count) for kind, count in campaign.polls.items()),
            "people who come and go",
            *(_line(f"  {who}", count) for who, count in campaign.company.items()),
            _line("verdicts, by games", campaign.games),
            *(_line(f"  {verdict}", count) for verdict, count in campaign.verdicts.items()),
            _line("failed", len(campaign.failed)),
            f"digest {campaign.digest}",
        ]
        for game in campaign.failed:
            lines += ["", f"seed {game.seed}:", *(f"  {each}" for each in game.trouble)]
            lines += [f"  {game.settings}", *(f"  {each}" for each in game.story)]
            lines.append(f"  see it again: {_again(game)}")
        return lines


def _again(game: Game) -> str:
    group = "real" if game.is_real else "toy"
    return f"boneyard simulate --seeds 1 --from {game.seed} --{group}"
