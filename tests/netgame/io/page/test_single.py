"""The page as one file: it contains all parts, and no part ends its own element early."""

import base64
import gzip
import json
import re

import pytest

from netgame.io.page.built import BuiltPage, PageDamaged, PagePart
from netgame.io.page.single import single_file
from page.build import BuiltPart, index


def built(**changed):
    """Return a page of three parts; `changed` replaces the octets of some of them."""
    octets = {"page.js": b"run()", "page.css": b"p{}", "program.zip": b"PK"} | changed
    parts = [BuiltPart(name, each) for name, each in octets.items()]
    kept = {each.kept_as: PagePart(each.type, "gzip", each.packed) for each in parts}
    return BuiltPage(index(parts).encode(), kept)


def test_everything_is_inside():
    """Script and style are in the file as text, other parts compressed; nothing is fetched."""
    text = single_file(built()).decode()
    assert '<script type="module">run()</script>' in text
    assert "<style>p{}</style>" in text
    listed = json.loads(re.search(r'id="parts">(.*?)</script>', text, re.DOTALL)[1])
    packed = base64.b64decode(listed["program.zip"]["octets"])
    assert gzip.decompress(packed) == b"PK"
    assert "parts/" not in text
    assert "default-src 'none'" in text


@pytest.mark.parametrize(
    "wrong", [{"page.js": b"'</script>'"}, {"page.css": b"/*</style>*/"}, {"page.js": b"<!--"}]
)
def test_what_would_end_its_element_is_no_part(wrong):
    """A part that would end its own element is refused: a browser would take the rest for HTML."""
    with pytest.raises(PageDamaged):
        single_file(built(**wrong))


def test_a_page_of_another_make_is_refused():
    """A page that lacks the elements of a build is refused."""
    with pytest.raises(PageDamaged):
        single_file(BuiltPage(b"<p>hello</p>", {}))
