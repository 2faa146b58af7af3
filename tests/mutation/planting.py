"""A mutant in a process of its own: forked, planted on import, and tested.

The forking process has imported the libraries but nothing of the program. So each child imports the
program itself, with one module changed in memory; no file is touched.
"""

import importlib
import os
import resource
import sys
import tempfile
import traceback
import types
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Final

import pytest

from tests.mutation.mutants import Wrong
from tests.tree import ROOT

WARM: Final = (
    "btclib_secp256k1.ecdh", "btclib_secp256k1.ellswift", "btclib_secp256k1.keys", "coincurve",
    "cryptography.hazmat.primitives.asymmetric.ed25519", "cryptography.x509", "hypothesis",
    "cryptography.hazmat.primitives.ciphers.aead", "hypothesis.stateful", "msgpack", "msgspec",
    "spake2", "trio", "trio.testing", "wcwidth", "zeroconf",
)  # fmt: skip
"""Libraries to import before forking; otherwise every child would import them itself."""

NOT_PLANTED: Final = 70
"""Exit status of a child whose tests never imported the mutant."""


def _planted(mutant: Wrong) -> list[str]:
    """Plant the mutant as soon as its module is imported.

    Return a list, empty until then, to which the import adds the module's name.
    """
    tree, used, get_code = mutant.apply(), list[str](), SourceFileLoader.get_code

    def changed(loader: SourceFileLoader, name: str) -> types.CodeType | None:
        if name != mutant.module:
            return get_code(loader, name)
        used.append(name)
        return compile(tree, loader.path, "exec")

    SourceFileLoader.get_code = changed  # type: ignore[method-assign,assignment]
    return used


@dataclass(frozen=True, slots=True)
class Child:
    """A process that tests one mutant, or the program as it is if `mutant` is None."""

    pid: int
    mutant: Wrong | None
    tests: tuple[str, ...]
    folder: tempfile.TemporaryDirectory[str]
    began: float

    @property
    def output(self) -> str:
        """The text that pytest has printed so far."""
        return (Path(self.folder.name) / "output").read_text(encoding="utf-8", errors="replace")


def warm_up() -> None:
    """Import the libraries, and check that no part of the program has been imported."""
    for name in WARM:
        importlib.import_module(name)
    assert not any(name.partition(".")[0] in ("netgame", "engine", "cli") for name in sys.modules)


def plant(mutant: Wrong | None, tests: Sequence[str], cpu_s: float, now: float) -> Child:
    """Fork a child that tests the mutant, and return it; it may use `cpu_s` processor seconds."""
    folder = tempfile.TemporaryDirectory(prefix="mutant-")
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return Child(pid, mutant, tuple(tests), folder, now)
    status = NOT_PLANTED
    try:
        status = _run(mutant, tests, Path(folder.name), cpu_s)
    except BaseException:  # for the parent to see
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _run(mutant: Wrong | None, tests: Sequence[str], folder: Path, cpu_s: float) -> int:
    os.setsid()
    os.chdir(ROOT)
    with (folder / "output").open("wb") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    limit = int(cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
    # a child ends without tidying up, so what the tests leave goes where the parent deletes it
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    used = _planted(mutant) if mutant is not None else [""]
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1")
    quiet = (
        "--tb=no",
        "--assert=plain",
        "-o",
        "addopts=--import-mode=importlib",
        f"--basetemp={folder / 'tmp'}",
    )
    status = int(pytest.main([*options, *quiet, *tests]))
    return status if used else NOT_PLANTED
