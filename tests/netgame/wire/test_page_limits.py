"""The pages list the limits of the code: those for readers on one page, for links on the other."""

import re

from docs import make_protocol
from netgame import limits


def test_what_is_made_of_the_code_is_up_to_date():
    """The parts of the pages that are generated from the code are up to date.

    `uv run python docs/make_protocol.py` generates them.
    """
    for path in make_protocol.PAGES:
        page = path.read_text(encoding="utf-8")
        assert make_protocol.made(page) == page


def test_every_part_is_made_on_one_page():
    """Every generated part is on exactly one page, and no page asks for an unknown part."""
    pages = "".join(path.read_text(encoding="utf-8") for path in make_protocol.PAGES)
    asked = re.findall(r"<!-- made: ([\w-]+) -->", pages)
    assert sorted(asked) == sorted(make_protocol.PARTS)


def test_no_limit_binds_both_every_reader_and_the_ends_of_a_link():
    """No limit is in both `BOTH_ENDS` and `EVERY_READER`, and both name only limits."""
    assert not limits.BOTH_ENDS & set(limits.EVERY_READER)
    assert set(make_protocol.bounds()) >= limits.BOTH_ENDS | set(limits.EVERY_READER)


def test_what_a_field_is_bound_by_binds_both_sides():
    """Every limit in a message's declaration is in `EVERY_READER` or in `BOTH_ENDS`."""
    declared = set()
    for name in ("fields", "payloads", "messages", "statements"):
        text = (make_protocol.ROOT / "netgame" / "wire" / f"{name}.py").read_text()
        declared |= set(re.findall(r"limits\.([A-Z_]+)", text))
    assert declared
    assert declared <= set(limits.EVERY_READER) | limits.BOTH_ENDS
