"""Make the generated parts of pages: limits, one step in octets, the rules of `standard`.

Run from the project's root: `uv run python docs/make_protocol.py`. It rewrites the text between
`<!-- made: NAME -->` and `<!-- end -->`, and leaves the rest of a page unchanged. A test checks
that the pages are up to date.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from engine.rules.chapters import CHAPTERS  # noqa: E402 - from the root, wherever this is run
from engine.rules.choose import RULE_SETS, STANDARD, value_text  # noqa: E402
from netgame import limits  # noqa: E402
from netgame.crypto.transcript import Tag  # noqa: E402
from netgame.protocol.log import entry as log  # noqa: E402
from netgame.wire.codec import decode_any, encode  # noqa: E402
from netgame.wire.messages import Checked, RecordEntry, RecordFrame  # noqa: E402

LOG: Final = ROOT / "tests" / "vectors" / "logs" / "two-seats"
RULES: Final = ROOT / "docs" / "rules.md"
PAGES: Final = (ROOT / "protocol.md", ROOT / "docs" / "peer.md", RULES)
_MADE: Final = re.compile(r"(<!-- made: ([\w-]+) -->\n\n).*?(\n<!-- end -->)", re.DOTALL)


def bounds() -> dict[str, float]:
    """Return every limit by its name, in the order of `netgame/limits.py`."""
    named = vars(limits).items()
    return {name: value for name, value in named if name.isupper() and _is_number(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def in_words(value: float) -> str:
    """Return a limit as a page writes it: `65,536`, `0.25`, `1/30`."""
    exact = Fraction(value).limit_denominator(1000)
    return f"{value:,}" if round(value, 4) == value else f"{exact.numerator}/{exact.denominator}"


def for_every_reader() -> Iterator[str]:
    """Yield the lines of the table of limits in protocol.md."""
    yield "| limit | value | in |"
    yield "| --- | --- | --- |"
    for name, sections in limits.EVERY_READER.items():
        yield f"| `{name}` | {in_words(bounds()[name])} | {sections} |"


def for_peers() -> Iterator[str]:
    """Yield the lines of the table of limits in docs/peer.md, which has all other limits."""
    yield "| limit | value | binds |"
    yield "| --- | --- | --- |"
    for name, value in bounds().items():
        if name not in limits.EVERY_READER:
            binds = "both ends" if name in limits.BOTH_ENDS else ""
            yield f"| `{name}` | {in_words(value)} | {binds} |"


def first_checked() -> list[log.Entry]:
    """Return the entries of the first step of `checked` in the log, in the order of their seats."""
    payloads, _ = log.read_frames(LOG.with_suffix(".bin").read_bytes())
    frames = (decode_any(payload, RecordFrame) for payload in payloads)
    entries = [log.read_entry(each.entry) for each in frames if isinstance(each, RecordEntry)]
    checked = [each for each in entries if isinstance(each.payload, Checked)]
    step = [each for each in checked if each.step == checked[0].step]
    return sorted(step, key=lambda entry: entry.seat)


def one_step() -> Iterator[str]:
    """Yield the lines that show a step in octets: bodies, what is signed, and what is hashed."""
    first, second = first_checked()
    keys = json.loads(LOG.with_suffix(".json").read_text())["seats"]
    tag = encode(first.payload)
    yield "```"
    yield from _said("body 0", "96", "array of six")
    yield from _said("", "c440", "id, 64 octets: of this session", first.id)
    yield from _said("", encode(first.step).hex(), f"step {first.step}")
    yield from _said("", "c440", f"prev, 64 octets: digest of step {first.step - 1}", first.prev)
    yield from _said("", "00", "seat 0")
    yield from _said("", encode(first.poll).hex(), f"poll {first.poll}")
    yield from _said("", tag[:1].hex(), "payload, array of two")
    yield from _said("", tag[1:-1].hex(), '"checked"')
    yield from _said("", tag[-1:].hex(), "round 0")
    yield ""
    yield from _said("body 1", "the same but for", "")
    yield from _said("", "01", "seat 1")
    yield ""
    yield from _said("signed", log.ENTRY_DOMAIN.encode().hex(), f'"{log.ENTRY_DOMAIN}"')
    yield from _said("", "00", "")
    yield from _said("", "body", "0 or 1")
    for seat, entry in enumerate((first, second)):
        yield from _said("by", f"key of seat {seat}", "", bytes.fromhex(keys[seat]))
        yield from _said("as", "R, S", "", entry.signed.signature)
    yield ""
    yield from _said("hashed", f"00000004{Tag.STEP.encode().hex()}", f'tag "{Tag.STEP}"')
    yield from _said("", "00000040", "prev, as above")
    yield from _said("", "00000002", "list of two")
    for seat, entry in enumerate((first, second)):
        yield from _said("", f"{len(entry.signed.body):08x}", f"body {seat}, as above")
    yield ""
    after = log.step_digest(first.prev, [first, second])
    yield from _said("digest", "SHA-512 of what is hashed", f"of step {first.step}", after)
    yield "```"


def standard() -> Iterator[str]:
    """Yield the lines of a table of the switches as `standard` sets them, a chapter per line.

    Each switch has the section that §8.1 of the rules names for it.
    """
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| .* \| (§[\d.]+) \|$", RULES.read_text("utf-8"))
    sections, rules = dict(rows), RULE_SETS[STANDARD]
    yield "| chapter | as `standard` has it |"
    yield "| --- | --- |"
    for title, _, names in CHAPTERS:
        words = (f"`{name}={value_text(rules, name)}` {sections[name]}" for name in names)
        yield f"| {title} | {', '.join(words)} |"


def _said(name: str, octets: str, meaning: str, value: bytes = b"") -> Iterator[str]:
    """Yield a line about the step, and below it a value, 32 octets per line."""
    yield f"{name:8}  {octets:34}  {meaning}".rstrip()
    for at in range(0, len(value), 32):
        yield f"{'':10}{value[at : at + 32].hex()}"


PARTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "limits-of-readers": for_every_reader,
    "limits-of-peers": for_peers,
    "one-step": one_step,
    "standard": standard,
}


def made(page: str) -> str:
    """Return the page with its generated parts rewritten."""
    return _MADE.sub(lambda found: f"{found[1]}{_block(found[2])}{found[3]}", page)


def _block(name: str) -> str:
    return "".join(f"{line}\n" for line in PARTS[name]())


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(made(path.read_text(encoding="utf-8")), encoding="utf-8")
