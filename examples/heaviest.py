"""A stand-alone bot: it plays a whole practice game, and always lays its heaviest tile.

    uv run python examples/heaviest.py --bots hard,easy --seed 7

The arguments go to `boneyard play`. For the lines that it reads and writes see docs/programs.md.
"""

import json
import subprocess
import sys


def weight(move: dict) -> int:
    """Return the pips of the tiles that a move lays; 0 for other moves, so they come last."""
    lays = move.get("lays", [move] if "tile" in move else [])
    return sum(sum(lay["tile"]) for lay in lays)


def main() -> None:
    """Start a game, answer every turn, and print the scores."""
    command = ["boneyard", "play", "--json", *sys.argv[1:]]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as game:
        for line in game.stdout:
            heard = json.loads(line)
            match heard["type"]:
                case "hello" if heard["format"] != 1:
                    sys.exit("This bot speaks format 1.")
                case "turn":
                    moves = heard["moves"]
                    best = max(range(len(moves)), key=lambda at: weight(moves[at]))
                    print(json.dumps({"turn": heard["seq"], "move": best}), file=game.stdin)
                    game.stdin.flush()
                case "scores":
                    print(dict(zip(heard["names"], heard["totals"], strict=True)))
    sys.exit(game.returncode)


if __name__ == "__main__":
    main()
