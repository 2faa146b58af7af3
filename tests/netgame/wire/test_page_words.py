"""The words that the two pages of the protocol list are those the code uses: tags, options, …"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from netgame.crypto import transcript
from netgame.io.door.channel import CLIENT_DOMAIN
from netgame.protocol.log import entry as log
from netgame.protocol.state import acts
from netgame.protocol.state.options import OPTIONS
from netgame.protocol.state.phases import PHASE_OF, Phase
from netgame.protocol.state.session import TRANSITIONS
from netgame.wire import messages as wire
from tests.netgame.wire.pages import PAGES, PEER, PROTOCOL, headings, table_under, words
from tests.tree import ROOT

TAGS = set(transcript.Tag)
HASHING = {"digest": 0, "digest_int": 0, "challenge": 0, "weight": 0}
STREAMS = {"expand": 1, "hedge": 1}
DOMAINS = {log.ENTRY_DOMAIN, log.CUT_DOMAIN, log.REQUEST_DOMAIN, log.WITNESS_DOMAIN, CLIENT_DOMAIN}


@cache
def calls():
    """Every call in the program that a person plays with, with the file it stands in."""
    found = []
    for package in ("engine", "netgame", "cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "simulation" not in path.parts and "fuzzing" not in path.parts:
                tree = ast.parse(path.read_text())
                found += [
                    (path.name, node) for node in ast.walk(tree) if isinstance(node, ast.Call)
                ]
    return tuple(found)


def named(call):
    """What is called, without what it belongs to."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def arguments(functions):
    """The argument at that place of every call of these functions, in files other than theirs."""
    for file, call in calls():
        at = functions.get(named(call)) if isinstance(call.func, ast.Name) else None
        if at is not None and file not in ("transcript.py",):
            yield file, call.args[at]


def test_the_page_lists_every_tag_that_is_hashed():
    """Tags as declared; no call hashes under anything else; each stands in one row."""
    listed = [words(row[0])[0] for row in table_under("5.0", "tag")]
    assert sorted(listed) == sorted(TAGS)
    used = set()
    for file, tag in arguments(HASHING):
        used.add(_tag(tag) or (file, ast.unparse(tag)))
    assert used | {transcript.Tag.CONTEXT, transcript.Tag.EXPAND} == TAGS


def _tag(said):
    """The tag that an argument names as `Tag.X`."""
    if isinstance(said, ast.Attribute) and ast.unparse(said.value) == "Tag":
        return transcript.Tag[said.attr]
    return None


def test_the_page_lists_every_stream():
    """Labels of `expand` and `hedge`."""
    used = set()
    for file, label in arguments(STREAMS):
        used.add(label.value if isinstance(label, ast.Constant) else _tag(label) or file)
    assert {words(row[0])[0] for row in table_under("8.3", "label")} == used


def test_the_page_lists_every_context():
    """Texts that go into ctx: those declared, each the tag of an entry, and used somewhere."""
    listed = [words(row[0])[0] for row in table_under("5.2", "`phase`")]
    assert sorted(listed) == sorted(transcript.CONTEXT_PHASES)
    tags = {kind.__struct_config__.tag for kind in wire.PAYLOADS}
    assert set(listed) <= tags
    at = {"context_at": 1, "shared_at": 2}
    kinds = (call.args[at[named(call)]] for _, call in calls() if named(call) in at)
    said = {kind.value for kind in kinds if isinstance(kind, ast.Constant)}
    of_turns = {"lay", "draw", "pass", "act"}  # whose kind is read off the entry
    assert said | of_turns == transcript.CONTEXT_PHASES
    assert not said & of_turns


def test_a_context_of_another_text_cannot_be_made():
    """The list is therefore complete."""
    with pytest.raises(AssertionError):
        transcript.context(bytes(64), 0, "proof", 0, 0, bytes(64))


def test_the_page_lists_every_signature():
    """Domains as declared, and no other is signed or checked."""
    assert {words(row[0])[0] for row in table_under("5.2", "domain")} == DOMAINS
    for file, call in calls():
        if named(call) in ("sign", "verify_signature") and file not in _OTHER_SIGNERS:
            at = 1 if named(call) == "verify_signature" else 0
            assert ast.unparse(call.args[at]).endswith("_DOMAIN"), (file, ast.unparse(call))


def test_the_page_lists_every_generator():
    """Its labels of H2G are those that the code hashes to points with."""
    listed = [words(row[1])[0] for row in table_under("5.1", "generator")]
    used = {
        re.sub(r"\{(\w)\w*\}", r"\1", ast.unparse(call.args[0]).strip("f'"))
        for _, call in calls()
        if named(call) == "hash_to_group"
    }
    assert {label.replace("a-b", "l-h") for label in listed} == used


def test_the_page_lists_every_word_of_an_act():
    """As `acts` reads and writes them."""
    listed = {word for row in table_under("4.3", "word") for word in words(row[0])}
    listed = {f"chain{word}" if word == "-back" else word for word in listed}
    declared = {*acts._PLAIN, *acts._CHAINS, *acts._ONE_TILE, *acts._NUMBERED}
    assert listed == declared


def test_the_page_lists_every_option():
    """Names, values and their order: the first of each holds unless another is named."""
    listed = {}
    name = ""
    for row in table_under("4.6", "option"):
        name = words(row[0])[0] if row[0] else name
        listed.setdefault(name, []).append(words(row[1])[0])
    assert listed == {name: [each.value for each in kind] for name, kind in OPTIONS.items()}
    assert list(listed) == list(OPTIONS)


_OTHER_SIGNERS = ("signing.py", "identity.py", "tls.py")
"""Where domains are framed or passed on, and where a certificate signs itself."""


def printed_transitions():
    """The rows of 4.4: phase, kinds of entry, who writes them, what may follow.

    What else stands beside a kind says more of it.
    """
    known = {str(kind.__struct_config__.tag) for kind in wire.PAYLOADS}
    rows = []
    for phase, entry, who, following in table_under("4.4", "phase"):
        kinds = tuple(word for word in words(entry.split(" after ")[0]) if word in known)
        rows.append((words(phase)[0], kinds, who, frozenset(words(following))))
    return rows


def declared_transitions():
    """The same of the code: phases that the page does not tell apart are one."""
    found = {}
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


def test_the_page_prints_the_table_of_transitions():
    """In the order of the phases: who writes what in each, and what may follow."""
    assert printed_transitions() == declared_transitions()
    kinds = {kind for each in TRANSITIONS for kind in each.kinds}
    assert kinds == set(wire.PAYLOADS)


NUMBER = r"(?<![\d.^-])([3-8]\.\d{1,2})(?![\d.]*\d| ?(?:s|octets|MB)\b)"
NUMBERS = r"((?:§?\d+(?:\.\d+)*(?:,? (?:to|and) |, )?)+)"


def test_no_section_stands_on_both_pages():
    """They count together; only headings of what both have a part of are on both."""
    assert headings(PROTOCOL) & headings(PEER) == {"3", "9"}


def test_every_section_that_the_pages_name_is_there():
    """`4.7`, `(5.10)`, `section 9`, `7.12`, on whichever page it stands."""
    for page in PAGES:
        prose = re.sub(r"(?m)^#+ .*$|^\| `[A-Z_]+` \|.*$|`[^`]*`", "", page)
        prose = prose.replace("RFC 8032, 5.1", "")
        named_here = set(re.findall(NUMBER, prose)) | set(re.findall(r"[Ss]ection (\d+)", prose))
        assert named_here
        assert named_here <= headings(PROTOCOL) | headings(PEER)


@pytest.mark.parametrize("folder", ["netgame", "engine", "cli", "tests", "docs"])
def test_every_section_that_others_name_is_there(folder):
    """`protocol.md §4.7, §5.10`, `peer.md §3.3` in code, tests and documents, on that page."""
    known = {"protocol": headings(PROTOCOL), "peer": headings(PEER)}
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".py", ".md") or path == Path(__file__):
            continue
        for page, found in re.findall(rf"(protocol|peer)\.md[ ,]*{NUMBERS}", path.read_text()):
            numbers = set(re.findall(r"\d+(?:\.\d+)*", found))
            assert numbers <= known[page], (str(path), page, found)
