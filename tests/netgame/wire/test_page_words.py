"""The words that the two pages of the protocol list are those the code uses: tags, options, …"""

import re
from pathlib import Path

import pytest

from netgame.crypto import transcript
from netgame.protocol.fold import acts
from netgame.protocol.fold.options import OPTIONS
from netgame.protocol.fold.phases import PHASE_OF, Phase
from netgame.protocol.fold.session import TRANSITIONS
from netgame.wire import messages as wire
from tests.netgame.wire.pages import PAGES, PEER, PROTOCOL, headings, table_under, words
from tests.tree import ROOT


def test_the_page_lists_every_tag_that_is_hashed() -> None:
    """As declared, each in one row; what hashes takes no other."""
    listed = [words(row[0])[0] for row in table_under("5.0", "tag")]
    assert sorted(listed) == sorted(transcript.Tag)


def test_the_page_lists_every_context() -> None:
    """Texts that go into ctx: those declared, each the tag of an entry."""
    listed = [words(row[0])[0] for row in table_under("5.2", "`phase`")]
    assert sorted(listed) == sorted(transcript.CONTEXT_PHASES)
    assert set(listed) <= {kind.__struct_config__.tag for kind in wire.PAYLOADS}


def test_a_context_of_another_text_cannot_be_made() -> None:
    """So the list is whole."""
    with pytest.raises(AssertionError):
        transcript.context(bytes(64), 0, "proof", 0, 0, bytes(64))


def test_the_page_lists_every_word_of_an_act() -> None:
    """As `acts` reads and writes them."""
    listed = {word for row in table_under("4.3", "word") for word in words(row[0])}
    listed = {f"chain{word}" if word == "-back" else word for word in listed}
    declared = {*acts._PLAIN, *acts._CHAINS, *acts._IN_HUB, *acts._NUMBERED}
    assert listed == declared


def test_the_page_lists_every_option() -> None:
    """Names, values and their order: the first of each holds unless another is named."""
    listed: dict[str, list[str]] = {}
    name = ""
    for row in table_under("4.6", "option"):
        name = words(row[0])[0] if row[0] else name
        listed.setdefault(name, []).append(words(row[1])[0])
    assert listed == {name: [each.value for each in kind] for name, kind in OPTIONS.items()}
    assert list(listed) == list(OPTIONS)


Row = tuple[str, tuple[str, ...], str, frozenset[str]]
"""Phase, the kinds of entry, who writes them, what may follow."""


def printed_transitions() -> list[Row]:
    """The rows of 4.4; what else stands beside a kind says more of it."""
    known = {str(kind.__struct_config__.tag) for kind in wire.PAYLOADS}
    rows = []
    for phase, entry, who, following in table_under("4.4", "phase"):
        kinds = tuple(word for word in words(entry.split(" after ")[0]) if word in known)
        rows.append((words(phase)[0], kinds, who, frozenset(words(following))))
    return rows


def declared_transitions() -> list[Row]:
    """The same of the code: phases that the page does not tell apart are one."""
    found: dict[tuple[Phase, tuple[str, ...], str], set[str]] = {}
    for each in TRANSITIONS:
        kinds = tuple(str(kind.__struct_config__.tag) for kind in each.kinds)
        following = found.setdefault((PHASE_OF[each.phase], kinds, each.writers.words), set())
        following |= {PHASE_OF[after].value for after in each.next}
    rows = [
        (phase.value, kinds, who, frozenset(following))
        for (phase, kinds, who), following in found.items()
    ]
    fallen = ("coin-fallen", (), "nobody", frozenset({"deal"}))
    over = ("over", (), "nobody", frozenset[str]())
    order = [phase.value for phase in Phase]
    return sorted((*rows, fallen, over), key=lambda row: order.index(row[0]))


def test_the_page_prints_the_table_of_transitions() -> None:
    """In the order of the phases: who writes what in each, and what may follow."""
    assert printed_transitions() == declared_transitions()
    kinds = {kind for each in TRANSITIONS for kind in each.kinds}
    assert kinds == set(wire.PAYLOADS)


NUMBER = r"(?<![\d.^-])([3-8]\.\d{1,2})(?![\d.]*\d| ?(?:s|octets|MB)\b)"
NUMBERS = r"((?:§?\d+(?:\.\d+)*(?:,? (?:to|and) |, )?)+)"


def test_no_section_stands_on_both_pages() -> None:
    """They count together; only headings of what both have a part of are on both."""
    assert headings(PROTOCOL) & headings(PEER) == {"3", "9"}


def test_every_section_that_the_pages_name_is_there() -> None:
    """`4.7`, `(5.10)`, `section 9`, `7.12`, on whichever page it stands."""
    for page in PAGES:
        prose = re.sub(r"(?m)^#+ .*$|^\| `[A-Z_]+` \|.*$|`[^`]*`", "", page)
        prose = prose.replace("RFC 8032, 5.1", "")
        named_here = set(re.findall(NUMBER, prose)) | set(re.findall(r"[Ss]ection (\d+)", prose))
        assert named_here
        assert named_here <= headings(PROTOCOL) | headings(PEER)


@pytest.mark.parametrize("folder", ["netgame", "engine", "cli", "tests", "docs"])
def test_every_section_that_others_name_is_there(folder: str) -> None:
    """`protocol.md §4.7, §5.10`, `peer.md §3.3` in code, tests and documents, on that page."""
    known = {"protocol": headings(PROTOCOL), "peer": headings(PEER)}
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".py", ".md") or path == Path(__file__):
            continue
        for page, found in re.findall(rf"(protocol|peer)\.md[ ,]*{NUMBERS}", path.read_text()):
            numbers = set(re.findall(r"\d+(?:\.\d+)*", found))
            assert numbers <= known[page], (str(path), page, found)
