"""The words that the protocol's pages list, such as tags and options, are those in the code."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from netgame.crypto import transcript
from netgame.protocol.forwarding import HEARD, StreamPhase
from netgame.protocol.state.options import OPTIONS
from netgame.protocol.state.phases import PHASE_OF, Phase
from netgame.protocol.state.session import TRANSITIONS
from netgame.wire import messages as wire
from tests.netgame.wire.describe import tag_of
from tests.netgame.wire.pages import PAGES, PEER, PROTOCOL, REBUILDING, headings, table_under, words
from tests.tree import ROOT

TAGS = set(transcript.Tag)
HASHING = {"digest": 0, "digest_int": 0, "challenge": 0, "weight": 0}
STREAMS = {"expand": 1, "hedge": 1}


@cache
def nodes():
    """Return all of the code of `engine`, `netgame` and `cli`, as pairs of file and syntax node.

    Simulation and fuzzing are left out.
    """
    found = []
    for package in ("engine", "netgame", "cli"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "simulation" not in path.parts and "fuzzing" not in path.parts:
                found += [(path.name, node) for node in ast.walk(ast.parse(path.read_text()))]
    return tuple(found)


@cache
def calls():
    """Return every call in the code, as pairs of file name and syntax node."""
    return tuple((name, node) for name, node in nodes() if isinstance(node, ast.Call))


def domains():
    """Return the value of every constant in the code that is called `..._DOMAIN`, by its name."""
    return {
        node.target.id: ast.literal_eval(node.value)
        for _, node in nodes()
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target).endswith("_DOMAIN")
    }


def named(call):
    """Return the name of the called function without its module or object, or an empty string."""
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def arguments(functions):
    """Yield the file's name and one argument of each call of these functions of `transcript`.

    `functions` gives the index of the argument for each name. Calls in transcript.py are left out.
    """
    for file, call in calls():
        ours = (named(call), f"transcript.{named(call)}")
        at = functions.get(named(call)) if ast.unparse(call.func) in ours else None
        if at is not None and file not in ("transcript.py",):
            yield file, call.args[at]


def test_the_page_lists_every_tag_that_is_hashed():
    """The page lists every declared tag once, and the code hashes under exactly these tags."""
    listed = [words(row[0])[0] for row in table_under("5.0", "tag")]
    assert sorted(listed) == sorted(TAGS)
    used = set()
    for file, tag in arguments(HASHING):
        used.add(_tag(tag) or (file, ast.unparse(tag)))
    assert used | {transcript.Tag.CONTEXT, transcript.Tag.EXPAND} == TAGS


def _tag(said):
    """Return the tag that an argument names as `Tag.X`, or None."""
    if isinstance(said, ast.Attribute) and ast.unparse(said.value) == "Tag":
        return transcript.Tag[said.attr]
    return None


def test_the_page_lists_every_stream():
    """The page lists exactly the labels that the code passes to `expand` and `hedge`."""
    used = set()
    for file, label in arguments(STREAMS):
        used.add(label.value if isinstance(label, ast.Constant) else _tag(label) or file)
    assert {words(row[0])[0] for row in table_under("8.3", "label", PEER)} == used


def test_the_page_lists_every_context():
    """The pages list every declared phase of a context; each is an entry's tag and is used."""
    rows = (*table_under("5.2", "`phase`"), *table_under("2", "`phase`", REBUILDING))
    listed = [words(row[0])[0] for row in rows]
    assert sorted(listed) == sorted(transcript.CONTEXT_PHASES)
    tags = {kind.__struct_config__.tag for kind in wire.PAYLOADS}
    assert set(listed) <= tags
    at = {"context_at": 1, "shared_at": 2}
    kinds = (call.args[at[named(call)]] for _, call in calls() if named(call) in at)
    said = {kind.value for kind in kinds if isinstance(kind, ast.Constant)}
    # The kind of a turn is read off its entry.
    of_turns = {
        tag_of(kind)
        for kind in wire.Turn.__args__
        if {"proof", "claim"} & {*kind.__struct_fields__}
    }
    assert said | of_turns == transcript.CONTEXT_PHASES
    assert not said & of_turns


def test_a_context_of_another_text_cannot_be_made():
    """A context cannot be made with a phase that is not declared."""
    with pytest.raises(AssertionError):
        transcript.context(bytes(64), 0, "proof", 0, 0, bytes(64))


def test_the_page_lists_every_signature():
    """The page lists every domain under which the code signs.

    The code signs and checks only by their names. `_DOMAIN`, of the join code, derives keys.
    """
    named_so = {value for name, value in domains().items() if name != "_DOMAIN"}
    assert {words(row[0])[0] for row in table_under("5.2", "domain")} == named_so
    for file, call in calls():
        if named(call) in ("sign", "verify_signature") and file not in _OTHER_SIGNERS:
            at = 1 if named(call) == "verify_signature" else 0
            assert ast.unparse(call.args[at]).endswith("_DOMAIN"), (file, ast.unparse(call))


def test_the_page_lists_every_generator():
    """The page lists exactly the labels that the code passes to `hash_to_group`."""
    listed = [words(row[1])[0] for row in table_under("5.1", "generator")]
    used = {
        re.sub(r"\{(\w)\w*\}", r"\1", ast.unparse(call.args[0]).strip("f'"))
        for _, call in calls()
        if named(call) == "hash_to_group"
    }
    assert {label.replace("a-b", "l-h") for label in listed} == used


def test_the_page_tells_every_turn():
    """The page lists every turn and then the spoken calls; `tap`, which is both, comes once."""
    listed = [word for row in table_under("4.3", "entry") for word in words(row[0])]
    turns, calls_ = (
        [tag_of(kind) for kind in kinds.__args__] for kinds in (wire.Turn, wire.Spoken)
    )
    assert listed == [*turns, *(tag for tag in calls_ if tag not in turns)]


def test_the_page_lists_every_option():
    """The page lists every option with its values in order, the default first."""
    listed = {}
    name = ""
    for row in table_under("4.6", "option"):
        name = words(row[0])[0] if row[0] else name
        listed.setdefault(name, []).append(words(row[1])[0])
    assert listed == {name: [each.value for each in kind] for name, kind in OPTIONS.items()}
    assert list(listed) == list(OPTIONS)


_OTHER_SIGNERS = ("signing.py", "identity.py", "ciphers.py")
"""Files whose functions take a domain as a parameter, to frame it or pass it on."""


def printed_transitions():
    """Return the transitions in the tables of protocol.md 4.4 and rebuilding.md 2.

    Each is a phase, the kinds of entry, the writers, and the set of phases that may follow. Rows
    that differ only in what may follow are merged. Words beside the kinds are ignored.
    """
    known = {tag_of(kind): (tag_of(kind),) for kind in wire.PAYLOADS}
    for name in ("Turn", "Spoken"):
        known[name] = tuple(tag_of(kind) for kind in getattr(wire, name).__args__)
    rows = {}
    for phase, entry, who, following in (
        *table_under("4.4", "phase"),
        *table_under("2", "phase", REBUILDING),
    ):
        said = words(entry.split(" after ")[0])
        kinds = tuple(tag for word in said for tag in known.get(word, ()))
        rows.setdefault((words(phase)[0], kinds, who), set()).update(words(following))
    return in_order((*row, frozenset(following)) for row, following in rows.items())


def in_order(rows):
    """Return rows of transitions, sorted by phase."""
    order = [phase.value for phase in Phase]
    return sorted(rows, key=lambda row: order.index(row[0]))


def declared_transitions():
    """Return the code's transitions in the form of `printed_transitions`.

    `coin-fallen` and `over`, in which nobody writes, are added.
    """
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
    return in_order((*rows, fallen, over))


def test_the_page_prints_the_table_of_transitions():
    """The pages print the code's transitions: who writes what in each phase, and what may follow.

    The phases may come in another order. Every kind of payload is in one of them.
    """
    assert printed_transitions() == declared_transitions()
    kinds = {kind for each in TRANSITIONS for kind in each.kinds}
    assert kinds == set(wire.PAYLOADS)


NUMBER = r"(?<![\d.^P§-])(\d{1,2}\.\d{1,2})(?![\d.]*\d| ?(?:s|octets|MB|kB)\b)"
NUMBERS = r"((?:§?\d+(?:\.\d+)*(?:,? (?:to|and) |, )?)+)"


@pytest.mark.parametrize("page", PAGES, ids=["protocol", "peer", "rebuilding"])
def test_each_page_counts_its_sections_from_one(page):
    """The sections of each page are numbered from one without a gap."""
    sections = [int(number) for number in headings(page) if "." not in number]
    assert sorted(sections) == list(range(1, len(sections) + 1))


@pytest.mark.parametrize("page", PAGES, ids=["protocol", "peer", "rebuilding"])
def test_every_section_that_a_page_names_is_there(page):
    """Every section that a page names exists in it or, after a P, in protocol.md.

    `8.2`, `(§9)` and `section 9` refer to the page itself, `P8.2` to protocol.md.
    """
    prose = re.sub(r"(?m)^#+ .*$|^\| `[A-Z_]+` \|.*$|`[^`]*`", "", page)
    others = rf"(?:RFC \d+|\w+\.md),?[ \n]*{NUMBERS}"
    prose = re.sub(others, "", prose)
    own = {*re.findall(NUMBER, prose), *re.findall(r"(?:[Ss]ection |(?<!P)§)(\d+)", prose)}
    assert own - {"0.5", "1.5"} <= headings(page)  # seconds, in a row of numbers
    of_protocol = set(re.findall(r"\bP(\d+(?:\.\d+)?)", prose))
    assert of_protocol <= headings(PROTOCOL)
    assert bool(of_protocol) is (page != PROTOCOL)


@pytest.mark.parametrize("folder", ["netgame", "engine", "cli", "tests", "docs"])
def test_every_section_that_others_name_is_there(folder):
    """Every section that code, tests and documents name, as in `peer.md §2`, exists."""
    known = {
        "protocol": headings(PROTOCOL),
        "peer": headings(PEER),
        "rebuilding": headings(REBUILDING),
    }
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in (".py", ".md") or path == Path(__file__):
            continue
        for page, found in re.findall(
            rf"(protocol|peer|rebuilding)\.md[ ,]*{NUMBERS}", path.read_text()
        ):
            numbers = set(re.findall(r"\d+(?:\.\d+)*", found))
            assert numbers <= known[page], (str(path), page, found)


def test_the_page_lists_what_may_be_heard_of_a_forwarded_stream():
    """The page lists the messages that each state of a forwarded stream accepts.

    For each message it gives the next state.
    """
    listed, rows = {}, table_under("2", "state of a stream at one end", PEER)
    assert [words(state)[0] for state, _ in rows] == [phase.value for phase in StreamPhase]
    for state, heard in rows:
        for part in filter(lambda each: ":" in each, heard.split(";")):
            messages, after = part.split(":")
            listed |= {(words(state)[0], tag): words(after)[0] for tag in words(messages)}
    assert listed == {
        (phase.value, kind.__struct_config__.tag): after.value
        for (phase, kind), after in HEARD.items()
    }
