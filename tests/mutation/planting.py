"""A mutant in a process of its own: forked, planted on import, tested, gone.

The process that forks has imported the libraries and nothing of the program, so a child imports the
program anew, one module of it changed in memory; no file is touched.
"""

import ast
import importlib.abc
import importlib.machinery
import os
import resource
import sys
import tempfile
import traceback
import types
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.mutation.mutants import Mutant
from tests.mutation.targets import source_of
from tests.tree import ROOT

WARM: Final = (
    "btclib_secp256k1.ecdh", "btclib_secp256k1.ellswift", "btclib_secp256k1.keys", "coincurve",
    "cryptography.hazmat.primitives.asymmetric.ed25519", "cryptography.x509", "hypothesis",
    "cryptography.hazmat.primitives.ciphers.aead", "hypothesis.stateful", "msgpack", "msgspec",
    "spake2", "trio", "trio.testing", "wcwidth", "zeroconf",
)  # fmt: skip
"""Libraries that every child would import again."""

NOT_PLANTED: Final = 70
"""Exit status of a child whose tests never imported the mutant."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from a changed tree."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        super().__init__(module, str(source_of(module)))
        self._tree = tree
        self.used = False

    def get_code(self, fullname: str) -> types.CodeType:
        """Compile the mutant instead of the file."""
        self.used = True
        return compile(self._tree, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the one module that is mutated."""

    def __init__(self, loader: _Loader) -> None:
        self._loader = loader

    def find_spec(
        self, fullname: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Hand out the mutant."""
        if fullname != self._loader.name:
            return None
        return importlib.machinery.ModuleSpec(
            fullname, self._loader, origin=self._loader.path, is_package=False
        )


@dataclass(frozen=True, slots=True)
class Child:
    """A process that tests one mutant, or the program as it is (`mutant` None)."""

    pid: int
    mutant: Mutant | None
    tests: tuple[str, ...]
    folder: tempfile.TemporaryDirectory[str]
    began: float

    @property
    def output(self) -> str:
        """What pytest has said."""
        return (Path(self.folder.name) / "output").read_text(encoding="utf-8", errors="replace")


def warm_up() -> None:
    """Import the libraries once."""
    for name in WARM:
        importlib.import_module(name)
    assert not any(name.partition(".")[0] in ("netgame", "engine", "cli") for name in sys.modules)


def plant(mutant: Mutant | None, tests: Sequence[str], cpu_s: float, now: float) -> Child:
    """Begin a child; it may use so many seconds of the processor."""
    folder = tempfile.TemporaryDirectory(prefix="mutant-")
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return Child(pid, mutant, tuple(tests), folder, now)
    status = NOT_PLANTED
    try:
        status = _run(mutant, tests, Path(folder.name), cpu_s)
    except BaseException:  # the parent is to see it
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _run(mutant: Mutant | None, tests: Sequence[str], folder: Path, cpu_s: float) -> int:
    os.setsid()
    os.chdir(ROOT)
    with (folder / "output").open("wb") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    limit = int(cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
    loader = None
    if mutant is not None:
        loader = _Loader(mutant.module, mutant.apply())
        sys.meta_path.insert(0, _Finder(loader))
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=1")
    quiet = (
        "--tb=no",
        "--assert=plain",
        "-o",
        "addopts=--import-mode=importlib",
        f"--basetemp={folder / 'tmp'}",
    )
    status = int(pytest.main([*options, *quiet, *tests]))
    if loader is not None and not loader.used:
        return NOT_PLANTED
    return status
