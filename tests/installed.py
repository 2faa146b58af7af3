"""Check an install: import every module, play a game and verify it.

It runs in an environment of its own, without pytest and without this clone:

    env/bin/python -I tests/installed.py
"""

import pkgutil
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("boneyard")


def boneyard(*words: str, data: str) -> str:
    """Run the installed program to its end and return what it prints; exit if it fails."""
    done = subprocess.run(
        (PROGRAM, *words, "--data", data), capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        sys.exit(f"boneyard {' '.join(words)} ended with {done.returncode}\n{done.stderr}")
    return done.stdout


def main() -> None:
    """Import every module, play a game, and verify its record; exit if the program fails.

    The record is also drawn if the extra `svg` is installed.
    """
    for package in ("engine", "netgame", "cli"):
        root = import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    with tempfile.TemporaryDirectory() as data:
        boneyard(
            "play", "--set", "6", "--rounds", "2", "--bots", "2", "--auto", "--plain", data=data
        )
        print(boneyard("verify", "last", data=data).splitlines()[0])
        if find_spec("pygal") is not None:  # the extra `svg`
            boneyard("sheet", "last", "--svg", data=data)


if __name__ == "__main__":
    main()
