"""From `boneyard play` to a dealt hand: the real command at a pseudo-terminal, as a whole process.

The time includes the interpreter, the bots that sit down as peers, and a verified deal. A first
run, which does not count, compiles the modules, because an install keeps them compiled.
"""

import tempfile
from pathlib import Path
from typing import Final

from bench._terminal import PROMPT, at_terminal, keeping_bytecode
from bench.figure import Figure, middle

PROMPT_GOAL_S: Final = 0.7
HAND_GOALS_S: Final = {3: 1.5, 7: 3.0}
"""Goals by the number of bots."""
_HAND: Final = (b"Hand ",)
"""Part of the heading of a hand. Only letters that differ from the greeting under it are drawn."""


def measure(repeat: int = 3) -> list[Figure]:
    """Measure the seconds to the first prompt, and to the first hand with three and seven bots."""
    prompts = list[float]()
    hands = {bots: list[float]() for bots in HAND_GOALS_S}
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        _one_run(Path(folder), 1)
        for _ in range(repeat):
            for bots, times in hands.items():
                prompt, hand = _one_run(Path(folder), bots)
                prompts.append(prompt)
                times.append(hand)
    dealt = (
        middle(f"boneyard play to a hand, {bots} bots", times, "s", HAND_GOALS_S[bots], "double-12")
        for bots, times in hands.items()
    )
    return [middle("boneyard play to its prompt", prompts, "s", PROMPT_GOAL_S), *dealt]


def _one_run(folder: Path, bots: int) -> tuple[float, float]:
    """Run the program once; return the seconds from its start to its prompt, and to a hand."""
    environment = keeping_bytecode(str(folder / "bytecode"))
    data = tempfile.mkdtemp(dir=folder)
    with at_terminal(
        environment, "-m", "cli", "play", "--bots", str(bots), "--data", data
    ) as terminal:
        prompt = terminal.seconds(b"", PROMPT)
        return prompt, prompt + terminal.seconds(b"", *_HAND)
