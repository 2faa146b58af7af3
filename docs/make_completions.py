"""Make `docs/completions`: the completion scripts for shells, which an install puts in place.

They are the output of `boneyard completion`. Run from the project's root: `uv run python
docs/make_completions.py`.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "docs" / "completions"

FILES: Final[Mapping[str, str]] = {
    "bash": "boneyard.bash",
    "zsh": "_boneyard",
    "fish": "boneyard.fish",
}
"""The name of each shell's script, which pyproject.toml installs where that shell looks."""


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from cli.commands.completion import script

    FOLDER.mkdir(exist_ok=True)
    for shell, name in FILES.items():
        (FOLDER / name).write_text(f"{script(shell)}\n", encoding="utf-8")
