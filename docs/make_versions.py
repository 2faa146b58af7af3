"""Write the list of pinned versions in `pyproject.toml`: every package of every group and extra.

uv run python docs/make_versions.py             # add what is missing, drop what is gone
uv run python docs/make_versions.py --upgrade   # take the newest that floors and caps allow

`uv` reads the list as constraints, so every clone gets the same versions. There is no other list of
them: a lock file would name the index that this computer downloads from.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

CLONE: Final = Path(__file__).parent.parent
LIST: Final = re.compile(r"^constraint-dependencies = \[\n(.*?)^\]\n", re.DOTALL | re.MULTILINE)
_NEEDED: Final = ("pyproject.toml", "README.md", "LICENSE", "hatch_build.py")


def resolved(*, upgrade: bool) -> list[str]:
    """Return `name==version` for each package that a clone may install, sorted by name.

    Covers every system and Python version that the project allows. A package that needs different
    versions on different systems or Pythons has a line for each, with its marker.
    """
    with TemporaryDirectory() as folder:
        for name in _NEEDED:
            shutil.copy(CLONE / name, folder)
        if upgrade:
            copy = Path(folder, "pyproject.toml")
            copy.write_text(LIST.sub("", copy.read_text("utf-8")), "utf-8")
        subprocess.run(("uv", "lock", "--quiet"), cwd=folder, check=True)
        export = ("uv", "export", "--quiet", "--frozen", "--all-groups", "--all-extras")
        plain = ("--no-hashes", "--no-emit-project", "--no-annotate", "--no-header")
        told = subprocess.run(
            (*export, *plain), cwd=folder, check=True, capture_output=True, encoding="utf-8"
        )
    lines = [line.strip() for line in told.stdout.splitlines() if line.strip()]
    names = [line.partition("==")[0] for line in lines]
    return [
        line if names.count(name) > 1 else line.partition(" ;")[0]
        for name, line in sorted(zip(names, lines, strict=True))
    ]


def main(words: list[str]) -> int:
    """Write the list, and say how many packages it has."""
    pinned = resolved(upgrade="--upgrade" in words)
    place = CLONE / "pyproject.toml"
    inside = "".join(f'    "{line}",\n' for line in pinned)
    text = LIST.sub(f"constraint-dependencies = [\n{inside}]\n", place.read_text("utf-8"))
    place.write_text(text, "utf-8")
    print(f"{len(pinned)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
