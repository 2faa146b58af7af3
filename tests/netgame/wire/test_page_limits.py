"""The limits that the two pages list are those of the code, each on the page of whom it binds."""

import re

from docs import make_protocol
from netgame import limits
from tests.netgame.wire.pages import table_under, words


def test_what_is_made_of_the_code_is_up_to_date():
    """Run `uv run python docs/make_protocol.py`."""
    for path in make_protocol.PAGES:
        page = path.read_text(encoding="utf-8")
        assert make_protocol.made(page) == page


def test_every_part_is_made_on_one_page():
    """None is forgotten, and no page asks for another."""
    pages = "".join(path.read_text(encoding="utf-8") for path in make_protocol.PAGES)
    asked = re.findall(r"<!-- made: ([\w-]+) -->", pages)
    assert sorted(asked) == sorted(make_protocol.PARTS)


def test_every_limit_stands_on_one_page():
    """Those of every reader in protocol.md, the others in docs/peer.md, and no other name."""
    listed = {
        page: [words(row[0])[0] for row in table_under(page, "limit")] for page in ("9.1", "9.2")
    }
    assert set(listed["9.1"]) == set(limits.EVERY_READER)
    assert sorted(listed["9.1"] + listed["9.2"]) == sorted(make_protocol.bounds())
    assert not limits.BOTH_ENDS & set(limits.EVERY_READER)
    assert set(make_protocol.bounds()) >= limits.BOTH_ENDS


def test_what_a_field_is_bound_by_binds_both_sides():
    """A limit that a message is declared with is nobody's own choice."""
    declared = set()
    for name in ("fields", "payloads", "messages", "statements"):
        text = (make_protocol.ROOT / "netgame" / "wire" / f"{name}.py").read_text()
        declared |= set(re.findall(r"limits\.([A-Z_]+)", text))
    assert declared
    assert declared <= set(limits.EVERY_READER) | limits.BOTH_ENDS
