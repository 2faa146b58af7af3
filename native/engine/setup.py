"""Build the compiled engine: its sources with structs written out, then mypyc; and flat rounds."""

from __future__ import annotations

import ast
import platform
import shutil
import sys
from contextlib import chdir
from pathlib import Path

from mypyc.build import mypycify
from setuptools import Extension, find_packages, setup

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "engine"
BUILD = HERE / "build" / "sources"
COMPILED = (
    "tiles.py", "chance.py", "table/*.py", "rules/ruleset.py", "rules/spec.py", "scoring.py",
    "play/*.py", "longest_train/*.py", "view.py", "bots/house.py",
    "bots/numbered.py", "bots/policy.py", "bots/deals.py", "bots/search.py", "bots/trials.py",
    "knowledge.py",
)  # fmt: skip
"""What a move passes through. Enumerations with fields are nothing to mypyc."""

sys.path[:0] = [str(HERE), str(SOURCES.parent)]
from unfold import changes_in, unfold  # noqa: E402

from engine import sources_digest  # noqa: E402


def lay_out() -> list[str]:
    """Write all modules below the build folder, and name those that are to be compiled."""
    shutil.rmtree(BUILD.parent, ignore_errors=True)
    engine, package = BUILD / "engine", BUILD / "boneyard_engine"
    for folder in (engine, package):
        shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(HERE / "struct.py", folder)
    (package / "__init__.py").write_text(f'MADE_OF = "{sources_digest()}"\n')
    found = sorted(path for pattern in COMPILED for path in SOURCES.glob(pattern))
    trees = {
        path.relative_to(SOURCES): ast.parse(path.read_text())
        for path in found
        if path.name != "__init__.py"
    }
    changes = set().union(*map(changes_in, trees.values()))
    for path, tree in trees.items():
        (engine / path).write_text(unfold(tree, changes))
        (package / path).unlink()
    return [f"engine/{path}" for path in trees]


def compiled() -> list[Extension]:
    """The extensions that the modules become, in a package of their own."""
    modules = lay_out()
    with chdir(BUILD):
        extensions: list[Extension] = mypycify(
            ["--ignore-missing-imports", "--explicit-package-bases", *modules],
            group_name="boneyard_engine",
            opt_level="2",
            debug_level="0",
            target_dir=str(BUILD / "c"),
        )
    for extension in extensions:
        extension.name = extension.name.replace("engine.", "boneyard_engine.", 1)
    return [*extensions, flat_rounds()]


def flat_rounds() -> Extension:
    """The extension that plays rounds as flat values, where the compiler is gcc's kind."""
    counts = platform.machine() in ("x86_64", "AMD64") and sys.platform != "win32"
    return Extension(
        "boneyard_engine._flat",
        [f"flat/{name}.c" for name in ("module", "reach", "steps", "policy")],
        depends=["flat/flat.h"],
        extra_compile_args=["-O2", "-march=x86-64-v2"] if counts else [],
        optional=True,
    )


setup(
    ext_modules=compiled(),
    packages=find_packages(str(BUILD), include=["boneyard_engine*"]),
    package_dir={"": str(BUILD.relative_to(HERE))},
)
