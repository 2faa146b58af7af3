"""What a person at the prompt waits for: the real program at a pseudo-terminal.

At a table of eight with a double-18 set, in one's first turn: from a key to its echo, from Tab to a
menu, from Enter to the table drawn anew below an answer.
"""

import os
import tempfile
from typing import Final

from bench._terminal import PROMPT, TURN, at_terminal
from bench.figure import Figure, format_figures, middle

ECHO_GOAL_S: Final = 0.03
REDRAW_GOAL_S: Final = 0.05
_WHERE: Final = "8 seats, double-18"


def measure(repeat: int = 9) -> list[Figure]:
    """Measure keys at a large table."""
    bots = ("--bots", ",".join(["easy"] * 7), "--pace", "0")
    table = ("play", "--set", "18", "--seed", "7", *bots)
    echoes, menus, redraws = [], [], []
    with (
        tempfile.TemporaryDirectory(prefix="boneyard-") as folder,
        at_terminal(os.environ, *table, "--data", folder) as terminal,
    ):
        terminal.seconds(b"", TURN, PROMPT)
        for _ in range(repeat):
            echoes.append(terminal.seconds(b"h", b"h"))
            menus.append(terminal.seconds(b"\t", b"hint"))
            terminal.press(b"\x07\x15zz")
            redraws.append(terminal.seconds(b"\r", TURN, PROMPT))
    return [
        middle("key to its echo", echoes, "s", ECHO_GOAL_S, _WHERE),
        middle("Tab to a menu", menus, "s", ECHO_GOAL_S, _WHERE),
        middle("Enter to a new board", redraws, "s", REDRAW_GOAL_S, _WHERE),
    ]


if __name__ == "__main__":
    print(format_figures(measure()))
