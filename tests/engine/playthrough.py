"""Golden playthroughs: whole rounds with every seat's view at every step.

`python -m tests.engine.playthrough` writes them anew; read the difference before committing it.
"""

from pathlib import Path
from typing import Final

from engine.chance import seeded
from engine.legality import legal_moves
from engine.moves import DrawTile, LayTile, Pass
from engine.simulate import deal, hand_of, play_round
from engine.strategy import choose
from engine.table import start_game
from engine.trains import Seat
from engine.transition import apply, opening_events, score_round
from tests.engine.deals import spec_of

FOLDER: Final = Path(__file__).parent.parent / "playthroughs"

PLAYED: Final = {
    "standard": (9, 4, {}),
    "standard-two-seats": (6, 2, {}),
    "branches": (9, 3, {"branching": "chicken-foot"}),
    "many-mexican-trains": (6, 3, {"mexican": "many", "deal": "5"}),
    "freight": (9, 5, {"marker_down": "any-play", "marker_empty": "pass"}),
}
"""By name: set, seats and switches. A preset's own playthrough has the preset's name."""


def move_text(move):
    """A move in few words."""
    match move:
        case LayTile(seat, position, tile, train, on, joined):
            return f"seat {seat} lays {tile} from {position} on train {train}/{on} by its {joined}"
        case DrawTile(seat):
            return f"seat {seat} draws"
        case Pass(seat):
            return f"seat {seat} passes"


def train_text(train):
    """A train, with the open ends last."""
    tiles = " ".join(f"{lay.joined}-{lay.end}" for lay in train.lays)
    ends = ",".join(f"{end.pip}/{end.on}" for end in train.ends)
    return f"train {train.id:>2}{' *' if train.marker else '  '} {tiles} > {ends}"


def table_lines(table):
    """The public table."""
    owed = " ".join(f"{owed.tile}@{owed.train}" for owed in table.owed) or "-"
    yield (
        f"turn {table.turns}, seat {table.to_move}, {table.phase.value}, drawn {table.drawn}, "
        f"owed {owed}, passes {table.passes}, boneyard {len(table.boneyard)}"
    )
    yield from map(train_text, table.trains)


def playthrough(name):
    """The text of one playthrough."""
    pip_max, seats, switches = PLAYED[name]
    table = start_game(spec_of(pip_max, seats, 1, **switches), Seat(0))
    entropy = seeded(name.encode())
    tiles = deal(table, entropy)
    played = play_round(table, tiles, [choose] * seats, entropy)
    lines = [f"# {name}: set {pip_max}, {seats} seats, {switches}", f"# hub {table.hub}", ""]
    lines += map(str, opening_events(table))
    for step, (before, move) in enumerate(played.history):
        lines += ["", f"## {step}", *table_lines(before)]
        for seat in range(seats):
            hand = hand_of(before, tiles, Seat(seat))
            held = " ".join(f"{at}:{tile}" for at, tile in hand.tiles)
            lines.append(f"hand {seat}: {held}")
            lines += [f"    {move_text(legal)}" for legal in legal_moves(before, hand)]
        lines.append(f"> {move_text(move)}")
        lines += map(str, apply(before, move)[1])
    lines += ["", "## end", *table_lines(played.table)]
    left = [[tiles[at] for at in held] for held in played.table.hands]
    lines += map(str, score_round(played.table, left)[1])
    return "\n".join(lines) + "\n"


def main():
    """Write every playthrough anew."""
    for name in PLAYED:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")


if __name__ == "__main__":
    main()
