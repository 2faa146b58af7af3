"""The waits of a person at the prompt: the real program at a pseudo-terminal.

A wait runs from a key to its echo, from Tab to a menu, or from Enter to the redrawn table below an
answer, in the person's first turn at a double-18 table of eight. The processor time of a key and of
Enter is measured too and, for comparison, the same at an empty prompt of prompt-toolkit.
"""

import os
import tempfile
from collections.abc import Iterator
from typing import Final

from bench._terminal import PROMPT, TURN, TimedTerminal, at_terminal
from bench.figure import Figure, middle

ECHO_GOAL_S: Final = 0.03
REDRAW_GOAL_S: Final = 0.05
_WHERE: Final = "8 seats, double-18"
_BARE: Final = """
from prompt_toolkit import PromptSession
session = PromptSession("boneyard> ")
while True:
    session.prompt()
"""


def measure(repeat: int = 9) -> list[Figure]:
    """Measure waits at a large table, and processor time there and at an empty prompt."""
    bots = ("--bots", ",".join(["easy"] * 7), "--pace", "0")
    table = ("-m", "cli", "play", "--set", "18", "--seed", "7", *bots)
    echoes = []
    menus = []
    redraws = []
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
        spent = list(_spent(terminal, repeat, _WHERE, TURN))
    with at_terminal(os.environ, "-c", _BARE) as terminal:
        terminal.seconds(b"", PROMPT)
        spent += _spent(terminal, repeat, "prompt-toolkit, empty")
    return [
        middle("key to its echo", echoes, "s", ECHO_GOAL_S, _WHERE),
        middle("Tab to a menu", menus, "s", ECHO_GOAL_S, _WHERE),
        middle("Enter to a new board", redraws, "s", REDRAW_GOAL_S, _WHERE),
        *spent,
    ]


def _spent(terminal: TimedTerminal, repeat: int, where: str, *drawn: bytes) -> Iterator[Figure]:
    """Measure the processor time of a key, and of Enter, which shows `drawn` and the prompt."""
    echoes, redraws = [], []
    for _ in range(repeat):
        terminal.press(b"\x15")
        echoes.append(terminal.spent(b"z", b"z") * 1000)
        redraws.append(terminal.spent(b"\r", *drawn, PROMPT) * 1000)
    yield middle(f"processor of a key, {where}", echoes, "ms")
    yield middle(f"processor of Enter, {where}", redraws, "ms")
