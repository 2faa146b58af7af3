"""Golden playthroughs: whole rounds with every seat's hand and moves at every step.

`python -m tests.engine.playthrough` rewrites them; read the difference before committing it.
"""

from typing import Final

from engine.bots.house import choose
from engine.play.apply import apply, score_round
from engine.play.due import due_seats
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS, RuleSet, parse_rules
from engine.rules.spec import make_spec
from engine.table.events import TurnBegan
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from lab.rounds.whole_games import hand_of
from tests.engine.deals import played
from tests.tree import ROOT

FOLDER: Final = ROOT / "tests" / "playthroughs"

PLAYED: Final = {
    "standard": ("standard", 9, 4, {}),
    "standard-two-seats": ("standard", 6, 2, {}),
    "branches": ("standard", 9, 3, {"branching": "chicken-foot"}),
    "many-mexican-trains": ("standard", 6, 3, {"mexican": "many", "deal": "5"}),
    "freight": ("standard", 9, 5, {"marker-down": "any-play", "marker-empty": "pass"}),
    **{
        name: (name, 9, 3, {} if name in ("roundhouse", "walnut") else {"deal": "7"})
        for name in RULE_SETS
        if name != "standard"
    },
}
"""By name: preset, set, seats and switches. A preset's own playthrough has the preset's name."""


def opening_lines(table):
    """Return the lines about a round that has just been dealt."""
    dealt = f"round {table.round_number}, hub={table.hub!r}, first={table.first}"
    return (dealt, TurnBegan(table.to_move)) if table.phase is RoundPhase.PLAY else (dealt,)


def train_text(train):
    """Return a line for a train, with the open ends last."""
    tiles = " ".join(f"{lay.joined}-{lay.end}" for lay in train.lays)
    ends = ",".join(f"{end.pip}/{end.on}" for end in train.ends)
    return f"train {train.id:>2}{' *' if train.marker else '  '} {tiles} > {ends}"


def table_lines(table):
    """Yield the lines about the public table."""
    owed = " ".join(f"{owed.tile}@{owed.train}" for owed in table.owed) or "-"
    passed = "".join(str(seat) for seat in range(table.spec.seats) if table.passed >> seat & 1)
    yield (
        f"turn {table.turns}, seat {table.to_move}, {table.phase.value}, drawn {table.drawn}, "
        f"owed {owed}, passed {passed or '-'}, boneyard {len(table.boneyard)}"
    )
    if table.phase in (RoundPhase.HIGH_DRAW, RoundPhase.ENGINE):
        yield f"seeking: {table.now}"
    if table.turn.stage.value != "start":
        yield f"stage: {table.turn.stage.value}"
    yield from map(train_text, table.trains)


def playthrough(name):
    """Return the text of one playthrough."""
    preset, pip_max, seats, switches = PLAYED[name]
    rules = parse_rules(preset, switches)
    assert isinstance(rules, RuleSet)
    history, end = played(make_spec(rules, pip_max, seats, 1), name.encode(), choose)
    lines = [f"# {name}: {preset}, set {pip_max}, {seats} seats, {switches}", ""]
    lines += map(str, opening_lines(history[0][0]))
    for step, (before, move) in enumerate(history):
        lines += ["", f"## {step}", *table_lines(before)]
        for seat in range(seats):
            hand = hand_of(before, end.tiles, Seat(seat))
            held = " ".join(f"{at}:{tile}" for at, tile in hand.tiles)
            lines.append(f"hand {seat}: {held}{' due' if seat in due_seats(before) else ''}")
            lines += [f"    {legal}" for legal in legal_moves(before, hand)]
        lines.append(f"> {move}")
        lines += map(str, apply(before, move)[1])
    lines += ["", "## end", *table_lines(end.table)]
    left = [[end.tiles[at] for at in held] for held in end.table.hands]
    if end.table.phase is RoundPhase.OVER:
        lines += map(str, score_round(end.table, left)[1])
    return "\n".join(lines) + "\n"


def main():
    """Rewrite every playthrough."""
    for name in PLAYED:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
