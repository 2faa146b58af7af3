"""A page is read whole, exactly as it was built, or not at all."""

import base64
import gzip
import hashlib
import json
import os
import re
import sys
from importlib import invalidate_caches

import pytest

from netgame import limits
from netgame.io.page import built
from netgame.io.page.built import PAGE_FOLDER, PageDamaged, PagePart, find_page, read_page
from tests.netgame.io.page.browsers import IMAGE, INDEX, SCRIPT, lay_out, read_list, write_list

TWO = (
    ("page", "js", SCRIPT, "text/javascript; charset=utf-8", "gzip"),
    ("icon", "png", IMAGE, "image/png", ""),
)


def test_a_page_is_read_with_its_parts_as_they_are_stored(tmp_path):
    """The parts of a page are read as they are stored: a compressed part stays compressed."""
    script, icon = lay_out(tmp_path, TWO)
    page = read_page(tmp_path)
    assert page.index == INDEX
    kind = "text/javascript; charset=utf-8"
    assert page.parts[script] == PagePart(kind, "gzip", gzip.compress(SCRIPT, mtime=0))
    assert page.parts[icon] == PagePart("image/png", "", IMAGE)
    assert len(page.parts) == 2


def lead_elsewhere(folder, name):
    """List the index file as the first part, by a name that leads out of the folder of parts.

    The listed hash is correct.
    """
    digest = base64.b64encode(hashlib.sha384(INDEX).digest()).decode()
    rename(folder, name, sha384=digest, encoding="")


def flip(path):
    """Change one bit of a file."""
    octets = bytearray(path.read_bytes())
    octets[-9] ^= 1
    path.write_bytes(octets)


def rename(folder, name, **changes):
    """Change the first part's entry in the list: its facts, and its name if one is given."""
    listed = read_list(folder)
    first, *_ = listed
    facts = listed.pop(first)
    write_list(folder, {name or first: facts | changes} | listed)


def unlisted(folder):
    """Cut the list of parts off after its first character."""
    (folder / "parts.json").write_text("{")


def deep(folder):
    """Replace the list with one that is nested too deeply for a parser."""
    (folder / "parts.json").write_text("[" * 100_000)


def followed_by_more(folder):
    """Append octets to the compressed part."""
    path = next((folder / "parts").glob("*.js"))
    path.write_bytes(path.read_bytes() + b"more")


DAMAGES = {
    "a changed octet": lambda folder: flip(next((folder / "parts").glob("*.js"))),
    "a changed octet of what is not compressed": lambda folder: flip(
        next((folder / "parts").glob("*.png"))
    ),
    "octets behind what is compressed": followed_by_more,
    "a missing part": lambda folder: next((folder / "parts").glob("*.js")).unlink(),
    "a folder for a part": lambda folder: rename(folder, "."),
    "a part outside": lambda folder: lead_elsewhere(folder, "../index.html"),
    "a path": lambda folder: lead_elsewhere(folder, str(folder / "index.html")),
    "no name": lambda folder: rename(folder, " "),
    "a type that is two lines": lambda folder: rename(folder, "", type="a/b\r\nset-cookie: c"),
    "an unknown encoding": lambda folder: rename(folder, "", encoding="br"),
    "a hash of nothing": lambda folder: rename(folder, "", sha384="%%%"),
    "another version": lambda folder: write_list(folder, {}, version=2),
    "no list": lambda folder: (folder / "parts.json").unlink(),
    "a list that is none": unlisted,
    "a deep list": deep,
    "no index": lambda folder: (folder / "index.html").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_page_is_refused_in_a_sentence(tmp_path, damage):
    """A damaged page is refused with a sentence that names a file of the page and the problem."""
    lay_out(tmp_path, TWO)
    damage(tmp_path)
    where = re.escape(f"the page for browsers is damaged: {tmp_path}{os.sep}")
    with pytest.raises(PageDamaged, match=rf"^{where}.+: .+$"):
        read_page(tmp_path)


def test_a_page_that_unpacks_to_more_than_there_is_room_for_is_refused(tmp_path, monkeypatch):
    """A page is refused if it unpacks to more octets than allowed, or has too many parts."""
    monkeypatch.setattr(limits, "PAGE_BYTES_MAX", len(SCRIPT))
    lay_out(tmp_path)
    read_page(tmp_path)
    monkeypatch.setattr(limits, "PAGE_BYTES_MAX", len(SCRIPT) - 1)
    with pytest.raises(PageDamaged):
        read_page(tmp_path)
    monkeypatch.setattr(limits, "PAGE_BYTES_MAX", 2 * len(SCRIPT))
    monkeypatch.setattr(limits, "PAGE_PARTS_MAX", 0)
    with pytest.raises(PageDamaged, match="too many parts"):
        read_page(tmp_path)


def test_a_page_is_that_of_its_package_and_else_that_of_the_clone(tmp_path, monkeypatch):
    """`PAGE_FOLDER` takes precedence if it is set, then an installed package, then the clone.

    Without any of them there is no page.
    """
    monkeypatch.setattr(built, "_CLONED", tmp_path / "clone")
    assert find_page() is None
    lay_out(tmp_path / "clone")
    assert find_page() == tmp_path / "clone"
    package = tmp_path / "site" / "boneyard_page"
    lay_out(package / "page")
    (package / "__init__.py").write_text("raise AssertionError('it is not imported')")
    monkeypatch.syspath_prepend(tmp_path / "site")
    invalidate_caches()
    assert find_page() == package / "page"
    assert "boneyard_page" not in sys.modules
    token = PAGE_FOLDER.set(tmp_path / "given")
    assert find_page() == tmp_path / "given"
    PAGE_FOLDER.reset(token)


def test_the_tiny_page_has_a_list_that_can_be_read(tmp_path):
    """The list that `lay_out` writes has version 1 and four facts for its part, and can be read."""
    lay_out(tmp_path)
    listed = json.loads((tmp_path / "parts.json").read_text())
    ((name, part),) = listed["parts"].items()
    assert listed["version"] == 1
    assert set(part) == {"type", "sha384", "size", "encoding"}
    assert name in read_page(tmp_path).parts
