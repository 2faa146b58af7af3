"""Play a seeded game with hints, odds and a review, and write down what the screen shows.

`uv run python -m tests.cli.transcript` rewrites the golden file `tests/cli/golden/transcript.md`.
The deal comes from a seed and nothing depends on the time, so the text changes only when the
program plays or speaks differently.
"""

import io
import os
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

import trio

from cli.__main__ import main
from cli.render.palette import Line, plain_text
from cli.screens.plain import PlainFront
from cli.session.frontend import Occasion, TableShown
from tests.tree import ROOT

COMMAND: Final = "boneyard play --set 9 --rounds 2 --bots 3 --seed 11 --plain"
ASKED: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("hint train", "hint"),
    3: ("odds", "hint"),
    6: ("odds", "hint"),
}
"""What Ann asks in some turns of round 1; then she makes the first play that is listed."""

_COLUMNS: Final = 96
_HEAD: Final = f"""\
# A game with hints, odds and a review

`{COMMAND}`, with Ann at the
keyboard; `>` marks what she types. The file shows three turns and the review of the round.
`uv run python -m tests.cli.transcript` writes it anew; a test compares.

The odds follow from what Ann holds and from what draws and passes have proved. A hint plays the
round out over deals that agree with both; a review does the same for each of her moves, with what
she knew then. Points say how much further behind her the others end.
"""


class _Typist(PlainFront):
    """Ann, who asks questions, makes the first listed play, and leaves in the second round."""

    pages: Final[list[str]] = []
    """The text shown: one string for each turn that is kept, and one for the review."""

    def __init__(self) -> None:
        super().__init__()
        self.asks_back = False
        self._turns = 0
        self._told: list[str] = []
        self._to_type, self._typed = trio.open_memory_channel[str](9)

    def say(self, sentence: str) -> None:
        """Wrap a sentence, and add it to the text of the turn."""
        self._told += textwrap.wrap(sentence, _COLUMNS, subsequent_indent="  ")

    def show(self, lines: Sequence[Line]) -> None:
        """Add these lines to the text of the turn."""
        self._told += [plain_text(line).rstrip() for line in lines]

    def tell(self, occasion: Occasion) -> None:
        """Show an occasion, and on Ann's turn queue the lines that she will type.

        The table between her turns is left out, because whether a bot has moved by then depends on
        timing.
        """
        if isinstance(occasion, TableShown) and not occasion.scene.can_move:
            return
        super().tell(occasion)
        if not isinstance(occasion, TableShown):
            return
        self._turns += 1
        lines: tuple[str, ...] = ("review", "quit")
        if not occasion.scene.table.round_number:
            lines = (*ASKED.get(self._turns, ()), "1")
        for line in lines:
            self._to_type.send_nowait(line)

    async def next_line(self, _back: str = "") -> str | None:
        """Wait for the next queued line, add it to the text of the turn, and return it.

        The last line of a turn moves this text to `pages`, unless the turn is to be left out.
        """
        line = await self._typed.receive()
        if line == "review":
            self._told = []
        if line == "1" and self._turns not in ASKED:
            self._told = []
        elif line in ("1", "quit"):
            told = "\n".join(self._told)
            self.pages.append(f"{told}\n> {line}" if line == "1" else told)
            self._told = []
        else:
            self._told.append(f"> {line}")
        return line


def page() -> str:
    """Play the game and return the transcript; raise SystemExit if the program fails."""
    _Typist.pages.clear()
    with (
        TemporaryDirectory() as folder,
        redirect_stdout(io.StringIO()),
        patch.dict(os.environ, {"BONEYARD_DATA": folder, "PATH": os.environ["PATH"]}, clear=True),
        patch("cli.screens.plain.PlainFront", _Typist),
    ):
        code = main([*COMMAND.split()[1:], "--name", "Ann"])
    if code:
        raise SystemExit(code)
    blocks = [f"```text\n{told}\n```\n" for told in _Typist.pages]
    return "\n".join([_HEAD, *blocks])


if __name__ == "__main__":
    (ROOT / "tests" / "cli" / "golden" / "transcript.md").write_text(page(), encoding="utf-8")
