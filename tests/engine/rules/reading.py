"""A digest of how the rules are read: legal moves, due seats and scores in many games.

`python -m tests.engine.rules.reading` writes the new digests into engine/rules/revision.py. First
raise the revision there (`RULES_REVISION`) and in the head of docs/rules.md. That is not needed if
the revision has not been released yet, or if only the choice of games has changed.
"""

import re
import sys
from dataclasses import replace
from hashlib import sha256

from engine.chance import below
from engine.play.apply import score_round
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.revision import READING
from engine.rules.spec import TableSpec, make_spec
from engine.table.rounds import next_round, start_game
from engine.table.table import CALLED_OFF, RoundPhase
from engine.table.trains import Seat
from lab.rounds.any_move import choose_any
from lab.rounds.random_tables import random_rules
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, play_round
from tests.tree import ROOT

BESIDE = ROOT / "engine" / "rules" / "revision.py"
SIZES = ((6, 2), (6, 3), (6, 4), (9, 3), (9, 5), (12, 4), (12, 8))
"""The set and seats of each table."""
ROUNDS_MAX = 8
"""The most rounds of a game, counting those that are called off."""


def specs(count):
    """Yield a name and a spec for every preset, and for `count` random rule sets."""
    for name in RULE_SETS:
        fitting = (make_spec(parse_rules(name, {}), *size, 2) for size in SIZES)
        yield name, next(spec for spec in fitting if isinstance(spec, TableSpec))
    for number in range(count):
        yield f"random {number}", random_spec(seeded(f"reading {number}".encode()))


def random_spec(entropy):
    """Return the spec of a small table with random rules and one or two rounds."""
    while True:
        rules = random_rules(entropy)
        rules = replace(rules, deal=1 + below(entropy, 6)) if below(entropy, 3) else rules
        spec = make_spec(rules, *SIZES[below(entropy, 4)], 1 + below(entropy, 2))
        if isinstance(spec, TableSpec):
            return spec


def game_lines(name, spec):
    """Return everything that the rules decide in a game of random legal moves, as lines."""
    entropy = seeded(name.encode())
    lines = []

    def choose(view, chance):
        lines.append(f"turn {view.table.turns}, seat {view.seat}")
        lines.extend(f"  {legal}" for legal in view.legal)
        move = choose_any(view, chance)
        lines.append(f"> {move}")
        return move

    table = start_game(spec, Seat(below(entropy, spec.seats)))
    for _ in range(ROUNDS_MAX):
        played = play_round(table, deal(table, entropy), [choose] * spec.seats, entropy, [])
        table, ending = played.table, played.table.outcome.ending
        lines.append(f"end {ending}")
        if ending not in CALLED_OFF:
            left = [[played.tiles[at] for at in held] for held in table.hands]
            table, events = score_round(table, left)
            lines.append(f"scores {table.past} {events}")
            if table.phase is RoundPhase.FINISHED:
                break
        table = next_round(table)
    return lines


def digest(count):
    """Return the digest of the presets and `count` random rule sets, 64 hex digits."""
    total = sha256()
    for name, spec in specs(count):
        game = sha256()
        for line in game_lines(name, spec):
            game.update(f"{line}\n".encode())
        total.update(f"{name} {game.hexdigest()}\n".encode())
    return total.hexdigest()


def write():
    """Write the new digests into engine/rules/revision.py."""
    text = BESIDE.read_text(encoding="utf-8")
    for count in READING:
        digested = f'{count:_}: "{digest(count)}"'
        text, found = re.subn(rf'\b{count:_}: "\w*"', digested, text)
        assert found == 1, f"no digest of {count} rule sets stands in {BESIDE.name}"
    BESIDE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(write())
