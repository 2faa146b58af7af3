"""Makes `docs/screens.md` and the pictures in it: plays a game and draws what stands there.

The game is that of `examples/moves.txt`, typed at a pseudo-terminal, so that each run makes the
same pictures. Run from the project's root with the development dependencies, where the network is a
loopback of its own: `python docs/make_pictures.py`; with `--check` it writes nothing, and fails
where a page shows what the program no longer does.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pexpect
import pyte

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from docs.screen_svg import Film, draw  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGE: Final = ROOT / "docs/screens.md"
PICTURES: Final = ROOT / "docs/pictures"
GAME: Final = tuple(
    shlex.split("play --seed 7 --name Ann --set 9 --rounds 1 --bots easy,easy --pace 0")
)
FOURTEEN: Final = (
    *shlex.split("play --seed 7 --name Ann --set 18 --rounds 1 --pace 0 --bots"),
    ",".join(["easy"] * 13),
)
MOVES: Final = (ROOT / "examples/moves.txt").read_text().splitlines()
PATIENCE_S: Final = 120.0
QUIET_S: Final = 1.5
"""The silence that means the program waits for a key; a move makes output for a second."""
ECHO_S: Final = 0.3
"""The silence that means an echo is complete."""
TURN: Final = re.compile("Play|You can play: |wins? the game")
"""The program's words when it is the player's turn again, or the game is over."""
PIPED_LINES: Final = 28
PLAIN_SETTINGS: Final = {"BONEYARD_TIMES": "off", "XDG_CONFIG_HOME": os.devnull}
LOOK_S: Final = 2.2
TYPE_S: Final = 0.9
REST_S: Final = 5.0
"""The seconds for which the film shows a turn, a typed line, and the card at its end."""
AT_ONCE: Final = 4
"""The number of shots taken in parallel: each of them mostly waits."""
COLOURED: Final = {
    "TERM": "xterm-256color", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_24_BIT", "LANG": "C.UTF-8"
}  # fmt: skip


@dataclass(frozen=True)
class Shot:
    """A screen of the page: how to get to it, and how to show it.

    The program is started with `words`. The first of `lines` is typed once `begins` matches the
    output, and each later one at the next `turn`. Then the `keys` are pressed, and after each of
    them `awaited` must appear.

    With `svg` the screen is drawn in colour, else it is in the page as text. The rows above the
    last one that contains `since`, and below the last one that contains `until`, are left out.
    """

    name: str
    title: str
    words: Sequence[str] = GAME
    lines: Sequence[str] = ()
    keys: Sequence[str] = ()
    size: tuple[int, int] = (80, 24)
    environment: Mapping[str, str] = field(default_factory=lambda: COLOURED)
    svg: bool = False
    awaited: str = ""
    since: str = ""
    until: str = ""
    begins: re.Pattern[str] = TURN
    turn: re.Pattern[str] = TURN


BOARD: Final = MOVES[:5]


def bare(name: str, since: str = "Round 1", /, **less: str) -> Shot:
    """Return a shot of the turn after `BOARD`, at a terminal that lacks colour or the like."""
    title = " ".join(f"`{key}={value}`" for key, value in less.items())
    return Shot(name, title, lines=BOARD, since=since, environment={**COLOURED, **less})


SHOTS: Final = (
    Shot("menu", "`boneyard` alone", (), size=(80, 14), svg=True),
    Shot(
        "board",
        "a turn, and Tab",
        lines=BOARD,
        keys=("play ", "\t"),
        since="Round 1",
        size=(80, 30),
        svg=True,
    ),
    Shot(
        "board-wide",
        "a turn at 120 columns, with `odds`",
        lines=BOARD,
        keys=("odds\r",),
        since="Round 1",
        size=(120, 30),
        svg=True,
    ),
    Shot("tiles", "a turn at 120 by 40", lines=BOARD, since="Round 1", size=(120, 40), svg=True),
    Shot("large", "a turn at 200 by 60", lines=BOARD, since="Round 1", size=(200, 60), svg=True),
    Shot(
        "card",
        "the end of a round, and of a game",
        lines=MOVES,
        svg=True,
        since="is out",
        until="train of the game",
    ),
    Shot(
        "review",
        "`review`: your moves again",
        lines=MOVES,
        keys=("review\r",),
        awaited="best found",
        since="Round 1, Ann",
        size=(80, 40),
        svg=True,
    ),
    Shot(
        "wall",
        "`--wall`, for a whole room",
        (*GAME, "--wall"),
        lines=MOVES[:-2],
        size=(120, 40),
        svg=True,
        begins=re.compile("is dealt"),
        turn=re.compile(""),
    ),
    Shot("narrow", "40 columns, 20 rows", lines=BOARD, size=(40, 20)),
    Shot("fourteen", "fourteen players at 80 by 24", FOURTEEN, lines="11", since="Round 1"),
    Shot(
        "spanish",
        "a turn in Spanish",
        lines=BOARD,
        since="Ronda 1",
        environment={**COLOURED, "BONEYARD_LANGUAGE": "es"},
        begins=re.compile("Jugar"),
        turn=re.compile("Jugar"),
    ),
    bare("ascii", LC_ALL="C"),
    bare("no-color", NO_COLOR="1"),
    bare("dumb", BOARD[-1], TERM="dumb"),
)


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, shot: Shot, folder: str) -> None:
        columns, rows = shot.size
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._said = ""
        self._process = pexpect.spawn(
            sys.executable,
            ["-m", "cli", *shot.words],
            cwd=str(ROOT),
            env={**basic(folder), **shot.environment},
            dimensions=(rows, columns),
        )
        self._process.delaybeforesend = None

    def settle(self, awaited: re.Pattern[str], quiet_s: float = QUIET_S) -> None:
        """Read output until `awaited` has appeared in it and nothing more has come for `quiet_s`.

        Return when the program ends, too. Raises `SystemExit` after `PATIENCE_S`.
        """
        until, quiet = time.monotonic() + PATIENCE_S, time.monotonic() + quiet_s
        self._said = ""
        while time.monotonic() < quiet or not awaited.search(self._said):
            if time.monotonic() > until:
                raise SystemExit(f"{awaited.pattern} did not come:\n{text_of(self.screen)}")
            try:
                octets = self._process.read_nonblocking(65_536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
            quiet = time.monotonic() + quiet_s
            self._stream.feed(octets)
            self._said += octets.decode("utf-8", "replace")

    def type(self, text: str) -> None:
        """Press these keys."""
        self._process.send(text)

    def close(self) -> None:
        """End the program."""
        self._process.close(force=True)


def basic(folder: str) -> dict[str, str]:
    """Return a small environment, the same on every machine; `folder` is the data folder."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return {**kept, "BONEYARD_DATA": folder, "BONEYARD_NAME": "Ann", **PLAIN_SETTINGS}


def text_of(screen: pyte.Screen) -> str:
    """Return the text of a screen, without blanks at its right, above and below."""
    return "\n".join(line.rstrip() for line in screen.display).strip("\n")


def cut(screen: pyte.Screen, shot: Shot) -> pyte.Screen:
    """Clear the rows of the screen that this shot leaves out, and return the screen."""
    shown = range(last_with(screen, shot.since, 0), last_with(screen, shot.until, screen.lines) + 1)
    for row in set(range(screen.lines)).difference(shown):
        screen.buffer[row].clear()
    return screen


def last_with(screen: pyte.Screen, words: str, without: int) -> int:
    """Return the number of the last row with these words, or `without` if there is none."""
    rows = [row for row, line in enumerate(screen.display) if words and words in line]
    return rows[-1] if rows else without


def taken(shot: Shot) -> pyte.Screen:
    """Start the program, type all that the shot needs, and return the screen, cut as it says."""
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(shot, folder)
        try:
            terminal.settle(shot.begins if shot.lines else re.compile("boneyard"))
            for line in shot.lines:
                terminal.type(f"{line}\r")
                terminal.settle(shot.turn)
            for keys in shot.keys:
                terminal.type(keys)
                terminal.settle(re.compile(shot.awaited))
            return cut(terminal.screen, shot)
        finally:
            terminal.close()


def plotted() -> str:
    """Return the plot of a longer game that the program plays by itself, without its date."""
    words = shlex.split("play --seed 7 --auto --plain --set 6 --rounds 6 --bots easy,easy")
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/game.record"
        run(folder, [*words, "--record", record])
        return re.sub("<!--.*?-->", "", run(folder, ["sheet", record, "--svg"]), flags=re.DOTALL)


def run(folder: str, words: Sequence[str], typed: str = "") -> str:
    """Run the program to its end with `typed` as piped input; return its output."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words],
        cwd=ROOT, input=typed, env=basic(folder) | {"LANG": "C.UTF-8"},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return done.stdout


def piped() -> str:
    """Return the output of the game into a pipe: its first lines and its last."""
    with tempfile.TemporaryDirectory() as folder:
        # on a busy computer the table appears late, after a bot without a pace has moved on
        said = run(folder, (*GAME, "--pace", "0.1"), "\n".join([*MOVES, ""]))
    lines = said.replace(folder, "…").splitlines()
    half = PIPED_LINES // 2
    return "\n".join([*lines[:half], "[…]", *lines[-half:]])


def filmed() -> str:
    """Return the film of a round from its first turn to its card, with the typed lines."""
    shot, film = Shot("round", "a round", lines=MOVES), Film()
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(shot, folder)
        try:
            terminal.settle(TURN)
            film.take(terminal.screen, LOOK_S)
            for line in shot.lines:
                terminal.type(line)
                terminal.settle(re.compile(re.escape(line[-1])), ECHO_S)
                film.take(terminal.screen, TYPE_S)
                terminal.type("\r")
                terminal.settle(TURN)
                film.take(terminal.screen, LOOK_S)
            film.take(terminal.screen, REST_S)
        finally:
            terminal.close()
    return film.draw("a round of double-nine against two bots")


def page_of(texts: Mapping[str, str]) -> str:
    """Return the page: pictures by their files, the other screens as text."""
    parts = [
        "# What it looks like",
        "Made by `python docs/make_pictures.py` from one seeded game: `examples/moves.txt`.",
    ]
    for shot in SHOTS:
        parts.append(f"## {shot.title[0].upper()}{shot.title[1:]}")
        if shot.svg:
            parts.append(f"![{shot.title}](pictures/{shot.name}.svg)")
        else:
            parts.append(f"```text\n{texts[shot.name]}\n```")
    parts += ["## The totals of a game", "![totals by round](pictures/totals.svg)"]
    parts.append(
        "Made by `boneyard sheet last --svg`. For hints, odds and a review of another game see\n"
        "its [transcript](../tests/cli/golden/transcript.md)."
    )
    parts.append("## Into a pipe, or with `--plain`")
    parts.append(f"```text\n{texts['pipe']}\n```")
    return "\n\n".join([*parts, ""])


def main() -> None:
    """Take every shot; write the pictures and the page, or with `--check` only compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    checks = parser.parse_args().check
    made = {PICTURES / "totals.svg": plotted()}
    texts = {"pipe": piped()}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        film = pool.submit(filmed)
        screens = [*pool.map(taken, SHOTS)]
        made[PICTURES / "round.svg"] = film.result()
    for shot, screen in zip(SHOTS, screens, strict=True):
        texts[shot.name] = text_of(screen)
        print(f"== {shot.name}\n{texts[shot.name]}", flush=True)
        if shot.svg:
            made[PICTURES / f"{shot.name}.svg"] = draw(screen, shot.title)
    made[PAGE] = page_of(texts)
    if checks:
        old = [path.name for path, text in made.items() if path.read_text("utf-8") != text]
        raise SystemExit(f"The program shows something else than {', '.join(old)}." if old else 0)
    PICTURES.mkdir(exist_ok=True)
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
