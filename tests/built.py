"""Check what a wheel and a source distribution of this project contain.

python -m tests.built FOLDER
"""

import re
import sys
import tarfile
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

PACKAGES = ("engine", "netgame", "cli")
COMMANDS = ("boneyard", "boneyard-dominoes")
LEADS_NOWHERE = re.compile(r"\]\((?!https?://|#)[^)]*\)")
"""A Markdown link that works only in a clone: neither to the web nor within the page."""

SHARED = (
    "share/man/man1/boneyard.1",
    "share/bash-completion/completions/boneyard",
    "share/zsh/site-functions/_boneyard",
    "share/fish/vendor_completions.d/boneyard.fish",
)
"""Files that an installation puts where `man` and the shells look for them."""

UNHURT = {
    "msgpack": (1, 2, 1),  # CVE-2026-57585
    "cryptography": (50,),  # the OpenSSL in its wheels
}
"""The first version of each library without a known vulnerability."""


def lowest(needed: list[str], name: str) -> tuple[int, ...]:
    """Return the lowest version of the library `name` that these requirements allow.

    Raises StopIteration if none of them sets a lowest version.
    """
    found = (re.search(rf"^{name}\b.*>=([\d.]+)", each) for each in needed)
    return next(tuple(map(int, each[1].split("."))) for each in found if each)


def wrong_with_wheel(wheel: Path) -> Iterator[str]:
    """Yield a complaint for each fault in a wheel's files, index page, commands or requirements."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(about).decode())
    for package in PACKAGES:
        if f"{package}/py.typed" not in names:
            yield f"{package} does not say that it has types"
    yield from (f"{name} is of no use to a player" for name in names if name.endswith(".po"))
    if not any(name.endswith(".mo") for name in names):
        yield "no language but English"
    if "cli/wording/rules.md" not in names:
        yield "nobody can read the rules"
    for place in SHARED:
        if not any(name.endswith(f".data/data/{place}") for name in names):
            yield f"{place} is not put in its place"
    page = metadata.get_payload()
    assert isinstance(page, str)
    yield from (f"the index page has {link!r}" for link in LEADS_NOWHERE.findall(page))
    if "uv run" in page or "uvx boneyard-dominoes" not in page:
        yield "the index page tells people to type what only a clone can run"
    with ZipFile(wheel) as archive:
        scripts = next(name for name in names if name.endswith(".dist-info/entry_points.txt"))
        called = archive.read(scripts).decode()
    yield from (f"no command {name}" for name in COMMANDS if f"\n{name} = " not in called)
    needed = metadata.get_all("Requires-Dist", [])
    for name, first in UNHURT.items():
        if lowest(needed, name) < first:
            yield f"an install may have a {name} with a known hole"


def wrong_with_source(source: Path) -> Iterator[str]:
    """Yield a complaint for each required file that a source distribution lacks.

    Three files are required, because the documentation refers to them.
    """
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for wanted in ("examples/heaviest.py", "tests/built.py", "SECURITY.md"):
        if wanted not in names:
            yield f"{wanted} is missing"


def main(folder: Path) -> int:
    """Check the wheel and the source distribution in a folder, and print every complaint.

    Return 1 if there is any, else 0.
    """
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    wrong = [*wrong_with_wheel(wheel), *wrong_with_source(source)]
    print("\n".join(wrong) or f"{wheel.name} and {source.name} hold what they must")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
