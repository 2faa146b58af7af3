"""A whole game under each rule set across namespaces: `python -m tests.lan.presets [NAME ...]`.

Four processes with a data folder each, found over mDNS, play by themselves; then every record is
verified, all must have one final digest, and what was shuffled in mid-round is counted in each.
Prints a line a game; exit 0 if all is well.
"""

import argparse
import secrets
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.deals import dealt_hand
from engine.rules.ruleset import RuleSet
from engine.rules.switches import Engine, First
from netgame.protocol.ledger.record import walk
from netgame.wire.messages import HandOver, MixHand
from tests.lan.guests import Party, must, played
from tests.lan.network import asked_of

SEATS = 4
SMALL_HAND = 5
"""Tiles each where the rules' deal table has no number for the set: enough left for a search."""
SEARCH_HAND = 2
"""Tiles each under `engine=declared`: so few that in most games no hand has an unused double."""
TRIES = 5
"""Games in which a tile should once go back; one in twenty has none, so five are enough."""


@dataclass(frozen=True)
class Game:
    """What is played: a preset, switches on top of it, and whether the table hides draws."""

    preset: str
    switches: Mapping[str, str] = field(default_factory=dict)
    hidden: bool = False

    def rules(self) -> RuleSet:
        """The rules it is played by."""
        return parse_rules(self.preset, self.switches)

    def words(self, pips: int, rounds: int) -> list[str]:
        """What the host says to open the table."""
        words = ["--rules", self.preset, "--set", str(pips)]
        for name, value in self.switches.items():
            words += ["--with", f"{name}={value}"]
        words += ["--rounds", str(rounds)] if rounds else []
        words += ["--draws", "hidden", "--audit", "seeds"] if self.hidden else []
        rules = self.rules()
        if rules.engine is Engine.DECLARED:
            return [*words, "--deal", str(SEARCH_HAND)]
        listed = dealt_hand(rules.deal, pips, SEATS)
        return words if listed else [*words, "--deal", str(SMALL_HAND)]


GAMES = {name: Game(name) for name in RULE_SETS} | {
    "bauguess-2012 first=high-draw": Game("bauguess-2012", {"first": "high-draw"}),
    "standard draws=hidden": Game("standard", hidden=True),
}
"""Every published rule set; a draw for the first turn, whose tiles go back; a table's options."""


@dataclass(frozen=True)
class Shuffled:
    """What a record tells of its decks: how many were dealt, and what was shuffled later."""

    dealt: int
    again: int
    """Chains of shuffles beyond the first of each deck."""
    handed_over: int
    """Tiles that went back unseen from a hand."""
    mixed: int
    """Hands that their owners shuffled."""


def shuffled(record: Path) -> Shuffled:
    """Count in a record; it judges every entry on the way."""
    chains: dict[int, int] = {}
    kinds: Counter[type] = Counter()
    for walked in walk(record.read_bytes(), secrets.token_bytes):
        if walked.entry is not None:
            kinds[type(walked.entry.payload)] += 1
        deck = walked.after.deck
        if deck is not None:
            chains[deck.born] = len(deck.chains)
    again = sum(chains.values()) - len(chains)
    return Shuffled(len(chains), again, kinds[HandOver], kinds[MixHand])


def why_not_shuffled(game: Game, seen: Shuffled) -> str:
    """What is wrong with the number of shuffles in this game; empty if nothing is."""
    rules = game.rules()
    drawn = rules.first is First.HIGH_DRAW
    if drawn and seen.again != seen.dealt:
        return f"{seen.again} re-shuffles for {seen.dealt} draws for the first turn"
    if not drawn and rules.engine is not Engine.DECLARED and seen.again:
        return f"{seen.again} re-shuffles where no rule returns a tile"
    if seen.handed_over > seen.again:
        return f"{seen.handed_over} tiles went back, but there were {seen.again} re-shuffles"
    if game.hidden != bool(seen.mixed):
        return f"{seen.mixed} hands were mixed by their owners"
    return ""


def play(held: Party, name: str, wanted: argparse.Namespace) -> Shuffled:
    """Play one game; a failure unless all is as these rules bring it about; print its line.

    One digest means the same entries in every record, so shuffles are counted in one of them.
    """
    held.gather(SEATS, *GAMES[name].words(wanted.pips, wanted.rounds))
    verdict = held.ends_well(wanted.seconds)
    rounds, scored = wanted.rounds or wanted.pips + 1, len(verdict.scores)
    must(scored == rounds, f"{scored} rounds were scored, not {rounds}")
    seen = shuffled(held.guests["Ann"].record)
    problem = why_not_shuffled(GAMES[name], seen)
    must(not problem, problem)
    held.say(
        f"{scored} rounds, {verdict.entries} entries, {seen.again} re-shuffles, "
        f"{seen.handed_over} tiles handed over, {seen.mixed} hands mixed"
    )
    return seen


def evening(name: str, wanted: argparse.Namespace) -> bool:
    """Games by the same rules until all was seen that they are to show; whether it was."""
    returns = GAMES[name].rules().engine is Engine.DECLARED
    for _ in range(TRIES if returns else 1):
        seen = played(name, SEATS, partial(play, name=name, wanted=wanted), Party)
        if not seen or seen[0].handed_over or not returns:
            return bool(seen)
    print(f"{name}: failed: no tile went back in {TRIES} games")
    return False


def main() -> int:
    """Play all that was asked for; 1 if any game went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(GAMES)}")
    parser.add_argument("--set", type=int, default=6, dest="pips")
    parser.add_argument("--rounds", type=int, default=0, help="0: all the set has")
    parser.add_argument("--seconds", type=float, default=180.0, help="longest game")
    wanted = asked_of(parser)
    unknown = [name for name in wanted.names if name not in GAMES]
    if unknown:
        parser.error(f"no such game: {', '.join(unknown)}; there are {', '.join(GAMES)}")
    started = time.monotonic()
    good = [evening(name, wanted) for name in wanted.names or GAMES]
    print(f"{sum(good)} of {len(good)} rule sets played well, {time.monotonic() - started:.0f} s")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
