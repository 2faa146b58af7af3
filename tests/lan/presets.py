"""A whole game under each rule set across namespaces: `python -m tests.lan.presets [NAME ...]`.

Four processes with a data folder each, found over mDNS, play by themselves; then every record is
verified, and all must have one final digest. Prints a line a game; exit 0 if all is well.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from engine.rules.choose import RULE_SETS, RuleSet, parse_rules
from engine.rules.deals import dealt_hand
from engine.rules.spec import is_open_ended
from engine.rules.switches import Engine
from tests.lan.guests import Party, must, played
from tests.lan.network import asked_of

SEATS = 4
SMALL_HAND = 5
"""The hand size where the rules state none for the set; it leaves enough tiles for a search."""
SEARCH_HAND = 2
"""The hand size under `engine=declared`: so small that often no hand has an unused double."""


@dataclass(frozen=True)
class Game:
    """A preset with `switches` on top of it; `hidden` if the table hides draws."""

    preset: str
    switches: Mapping[str, str] = field(default_factory=dict)
    hidden: bool = False

    def rules(self) -> RuleSet:
        """Return the preset with its switches, which must fit together."""
        rules = parse_rules(self.preset, self.switches)
        assert isinstance(rules, RuleSet), rules
        return rules

    def words(self, pips: int, rounds: int) -> list[str]:
        """Return the command-line arguments with which the host opens this table."""
        words = ["--rules", self.preset, "--set", str(pips)]
        for name, value in self.switches.items():
            words += ["--with", f"{name}={value}"]
        rules = self.rules()
        rounds = rounds or (pips + 1 if is_open_ended(rules) else 0)
        words += ["--rounds", str(rounds)] if rounds else []
        words += ["--draws", "hidden", "--audit", "keys"] if self.hidden else []
        if rules.engine is Engine.DECLARED:
            return [*words, "--deal", str(SEARCH_HAND)]
        listed = dealt_hand(rules.deal, pips, SEATS)
        return words if listed else [*words, "--deal", str(SMALL_HAND)]


GAMES = {name: Game(name) for name in RULE_SETS} | {
    "bauguess-2012 first=high-draw": Game("bauguess-2012", {"first": "high-draw"}),
    "standard draws=hidden": Game("standard", hidden=True),
}
"""Every published rule set, one with a draw for the first turn, and one with hidden draws."""


def play(held: Party, name: str, wanted: argparse.Namespace) -> None:
    """Play one game, check its number of rounds, and print a line about it."""
    held.gather(SEATS, *GAMES[name].words(wanted.pips, wanted.rounds))
    verdict = held.ends_well(wanted.seconds)
    rounds, scored = wanted.rounds or wanted.pips + 1, len(verdict.scores)
    least = 1 if isinstance(GAMES[name].rules().target, int) else rounds
    must(least <= scored <= rounds, f"{scored} rounds were scored, not {rounds}")
    held.say(f"{scored} rounds, {verdict.entries} entries")


def main() -> int:
    """Play all games asked for; return 1 if any went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*GAMES, []], help="which; all if none")
    parser.add_argument("--set", type=int, default=6, dest="pips")
    parser.add_argument("--rounds", type=int, default=0, help="0: all the set has")
    parser.add_argument("--seconds", type=float, default=180.0, help="longest game")
    wanted = asked_of(parser)
    started = time.monotonic()
    scenes = {name: partial(play, name=name, wanted=wanted) for name in wanted.names or GAMES}
    good = [bool(played(name, SEATS, scene, Party)) for name, scene in scenes.items()]
    print(f"{sum(good)} of {len(good)} rule sets played well, {time.monotonic() - started:.0f} s")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
