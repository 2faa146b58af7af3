"""Ways to run the whole program: forked, from a shell's command, or in this process."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from contextvars import copy_context
from pathlib import Path
from typing import IO, TextIO
from unittest.mock import patch

from cli.__main__ import main
from cli.arguments.parser import read_arguments
from cli.joining.person import host_options
from netgame.io.tables.options import HostOptions
from tests.cli.forked import Program
from tests.tree import ROOT

WAIT_S = 60.0

NO_FILE = {"XDG_CONFIG_HOME": os.devnull}
"""A variable that hides the settings of the person who runs the tests."""


def environment(**extra: str) -> dict[str, str]:
    """Return a small environment that differs between machines only in `PATH` and `HOME`."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    return {**kept, "LANG": "C.UTF-8", "BONEYARD_NAME": "Ann", **NO_FILE, **extra}


def boneyard(
    *arguments: str | Path, data: Path | None = None, text: str = "", **extra: str
) -> subprocess.CompletedProcess[str]:
    """Run the program in a forked process to its end, with `text` on its standard input (a pipe).

    Fail if it does not end in time.
    """
    folder = {} if data is None else {"BONEYARD_DATA": str(data)}
    words = [*map(str, arguments)]
    with piped(words, environment(**folder, **extra)) as (program, typed, *told):
        with ThreadPoolExecutor(len(told)) as readers:
            reads = [readers.submit(stream.read) for stream in told]
            with typed, suppress(BrokenPipeError):
                typed.write(text)
            try:
                code = program.wait(WAIT_S)
            finally:
                program.kill()
        assert code is not None, f"{words} did not end"
        return subprocess.CompletedProcess(words, code, *(each.result() for each in reads))


def run(
    *words: str, wait_s: float = WAIT_S, typed: IO[str] | None = None, **extra: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's tree, with a file or nothing on its standard input."""
    return subprocess.run(
        words,
        cwd=ROOT,
        env=environment(**extra),
        stdin=typed or subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=wait_s,
        check=False,
    )


def run_python(*words: str, **how) -> subprocess.CompletedProcess[str]:
    """Run a script, or code after `-c`, in a new interpreter."""
    return run(sys.executable, *words, **how)


@contextmanager
def piped(
    words: Sequence[str], environment: Mapping[str, str]
) -> Iterator[tuple[Program, TextIO, TextIO, TextIO]]:
    """Start the program; yield it with its three streams, and kill it at the end of the block."""
    typed, said, complained = os.pipe(), os.pipe(), os.pipe()
    with (
        os.fdopen(typed[1], "w", encoding="utf-8") as to_type,
        os.fdopen(said[0], encoding="utf-8") as to_read,
        os.fdopen(complained[0], encoding="utf-8") as to_hear,
    ):
        its = (typed[0], said[1], complained[1])
        try:
            program = Program(words, environment, its)
        finally:
            for stream in its:
                os.close(stream)
        try:
            yield program, to_type, to_read, to_hear
        finally:
            program.kill()


def boneyard_anew(
    *arguments: str | Path, data: Path | None = None, **how
) -> subprocess.CompletedProcess[str]:
    """Run the program in a new interpreter, as a shell would."""
    folder = {} if data is None else {"BONEYARD_DATA": str(data)}
    return run_python("-m", "cli", *map(str, arguments), **folder, **how)


def boneyard_here(
    *arguments: str | Path, data: Path | None = None, **extra: str
) -> subprocess.CompletedProcess[str]:
    """Run a command without input in this process; return its output and its exit code."""
    folder = {} if data is None else {"BONEYARD_DATA": str(data)}
    said, complained = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with (
        patch.dict(os.environ, environment(**folder, **extra), clear=True),
        redirect_stdout(said),
        redirect_stderr(complained),
    ):
        words = [*map(str, arguments)]
        try:
            # in a context of its own, so that a language that it chooses does not last
            code = copy_context().run(main, words)
        except SystemExit as end:
            code = int(end.code or 0)
    printed = []
    for stream in (said, complained):
        stream.flush()
        stream.seek(0)
        printed.append(stream.read())
    return subprocess.CompletedProcess(words, code, *printed)


def offered(*arguments: str) -> HostOptions:
    """Return the options of the table that `host` or `play` opens with these arguments."""
    options = read_arguments(arguments)
    return host_options(options)


def complaint(*words: str | Path, code: int = 2, **how) -> str:
    """Run a command in this process; return its complaint, which must be one line.

    The exit code must be `code`.
    """
    done = boneyard_here(*words, **how)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done
    return done.stderr


def printed(*words: str | Path, code: int = 0, **how) -> str:
    """Run a command in this process; return its output. Its exit code must be `code`."""
    done = boneyard_here(*words, **how)
    assert done.returncode == code, done
    return done.stdout


def data_of(*words: str | Path, **how):
    """Return the object that a command prints with `--json`."""
    return json.loads(printed(*words, "--json", **how))


def spoken(*words: str | Path, **how) -> str:
    """Run the program in a forked process; return its output.

    It must succeed without a complaint.
    """
    done = boneyard(*words, **how)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def small_game(data: Path, *words: str, **how) -> str:
    """Play a practice game of one short round against a bot, and return the output."""
    rules = ("--set", "6", "--rounds", "1", "--bots", "1")
    return spoken("play", *rules, "--plain", *words, data=data, **how)


def recorded(folder: Path, table) -> Path:
    """Write the record of the first seat at this simulated table to a file; return its path."""
    path = folder / "game.record"
    path.write_bytes(table.sitters[0].record_octets)
    return path
