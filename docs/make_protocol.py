"""Makes what `protocol.md` and `docs/peer.md` have of the code: the tables of their limits.

Run from the project's root: `uv run python docs/make_protocol.py`. It writes anew whatever stands
between `<!-- made: NAME -->` and `<!-- end -->`, and leaves the rest of a page as it is. A test
compares.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from netgame import limits  # noqa: E402 - from the root, wherever this is run

PAGES: Final = (ROOT / "protocol.md", ROOT / "docs" / "peer.md")
_MADE: Final = re.compile(r"(<!-- made: ([\w-]+) -->\n\n).*?(\n<!-- end -->)", re.DOTALL)


def bounds() -> dict[str, float]:
    """Every limit by its name, in the order of `netgame/limits.py`."""
    named = vars(limits).items()
    return {name: value for name, value in named if name.isupper() and _is_number(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def in_words(value: float) -> str:
    """A limit as a page has it: `65,536`, `0.25`, `1/30`."""
    exact = Fraction(value).limit_denominator(1000)
    return f"{value:,}" if round(value, 4) == value else f"{exact.numerator}/{exact.denominator}"


def for_every_reader() -> Iterator[str]:
    """The rows of protocol.md."""
    yield "| limit | value | in |"
    yield "| --- | --- | --- |"
    for name, sections in limits.EVERY_READER.items():
        yield f"| `{name}` | {in_words(bounds()[name])} | {sections} |"


def for_peers() -> Iterator[str]:
    """The rows of docs/peer.md."""
    yield "| limit | value | binds |"
    yield "| --- | --- | --- |"
    for name, value in bounds().items():
        if name not in limits.EVERY_READER:
            binds = "both ends" if name in limits.BOTH_ENDS else ""
            yield f"| `{name}` | {in_words(value)} | {binds} |"


PARTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "limits-of-readers": for_every_reader,
    "limits-of-peers": for_peers,
}


def made(page: str) -> str:
    """The page with all that is made of the code made anew."""
    return _MADE.sub(lambda found: f"{found[1]}{_block(found[2])}{found[3]}", page)


def _block(name: str) -> str:
    return "".join(f"{line}\n" for line in PARTS[name]())


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(made(path.read_text(encoding="utf-8")), encoding="utf-8")
