"""The built page: one folder with `index.html`, `parts.json` and `parts/…`, read into memory.

It comes with its own package, or from a clone that has built it. A page that does not match its
`parts.json` is not served at all: a browser would refuse its parts, and show no reason.
"""

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Mapping
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

import msgspec

from netgame import limits
from netgame.errors import NetgameError
from netgame.frozen import FrozenStruct
from netgame.io.disk.on_disk import DiskStorage

_PACKAGE: Final = "boneyard_page"
_CLONED: Final = Path(__file__).resolve().parents[3] / "build" / "page"
PAGE_FOLDER: Final[ContextVar[Path | None]] = ContextVar("page folder", default=None)
"""The only folder to look in for the page, for the player that this task serves; None to search."""

INDEX: Final = "index.html"
LISTED: Final = "parts.json"
PARTS: Final = "parts"
_VERSION: Final = 1
_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
"""The name of a part: no folder, and no dot at the beginning."""
_TYPE: Final = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+(; ?charset=[a-z0-9-]+)?")


class PageDamaged(NetgameError):
    """The page is not as it was built; the text says why in one sentence."""


class PagePart(FrozenStruct):
    """One file that the index names."""

    type: str
    """Its media type."""
    encoding: Literal["gzip", ""]
    """The compression of its octets."""
    octets: bytes


class BuiltPage(FrozenStruct):
    """The index and the parts of a page, as they are served; the parts by name."""

    index: bytes
    parts: Mapping[str, PagePart]


class _ListedPart(FrozenStruct):
    """The facts of a part in the list; `sha384` is of its octets before compression."""

    type: str
    sha384: str
    encoding: Literal["gzip", ""] = ""


class _Listed(FrozenStruct):
    version: int
    parts: dict[str, _ListedPart]


def find_page() -> Path | None:
    """Return the folder of the page; None if this install has none.

    That is `PAGE_FOLDER` if it is set, whether it exists or not; else the folder in the package
    `boneyard_page`; else the one built in this clone.
    """
    given = PAGE_FOLDER.get()
    if given is not None:
        return given
    folders = [_CLONED]
    spec = find_spec(_PACKAGE)
    if spec is not None and spec.submodule_search_locations:
        folders = [Path(each) / "page" for each in spec.submodule_search_locations] + folders
    return next((folder for folder in folders if _is_there(folder / INDEX)), None)


def _is_there(path: Path) -> bool:
    try:
        found = DiskStorage().look(path)
    except OSError:
        return False
    return found is not None and found.is_file


def read_page(folder: Path) -> BuiltPage:
    """Read a page, and check each part against its hash.

    Blocks for some tenths of a second. Raises `PageDamaged` if a file is missing or wrong, or the
    page is larger than the limits allow.
    """
    room = limits.PAGE_BYTES_MAX
    index = _octets(folder / INDEX, room)
    try:
        listed = msgspec.json.decode(_octets(folder / LISTED, room), type=_Listed)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _damaged(folder / LISTED, "it is no list of parts") from error
    if listed.version != _VERSION:
        raise _damaged(folder / LISTED, "it is of another version")
    if len(listed.parts) > limits.PAGE_PARTS_MAX:
        raise _damaged(folder / LISTED, "it has too many parts")
    parts = {}
    for name, each in listed.parts.items():
        if not _NAME.fullmatch(name) or not _TYPE.fullmatch(each.type):
            raise _damaged(folder / LISTED, "it has a part without a proper name or type")
        path = folder / PARTS / name
        octets = _octets(path, room)
        content = _unpacked(octets, room) if each.encoding else octets
        if content is None or hashlib.sha384(content).digest() != _digest(each.sha384):
            raise _damaged(path, "its octets are not those that were built")
        room -= max(len(octets), len(content))
        parts[name] = PagePart(each.type, each.encoding, octets)
    return BuiltPage(index, parts)


def _octets(path: Path, room: int) -> bytes:
    try:
        octets = DiskStorage().read(path, room + 1)
    except OSError as error:
        raise _damaged(path, error.strerror or str(error)) from error
    if len(octets) > room:
        raise _damaged(path, "it is too large")
    return octets


def _unpacked(octets: bytes, room: int) -> bytes | None:
    """Return the content of a gzip file; None if it is not one, or its content exceeds `room`."""
    inflater = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        content = inflater.decompress(octets, room + 1)
    except zlib.error:
        return None
    is_whole = inflater.eof and not inflater.unused_data
    return content if is_whole and len(content) <= room else None


def _digest(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _damaged(path: Path, problem: str) -> PageDamaged:
    text = "the page for browsers is damaged: {path}: {problem}"
    return PageDamaged(text, path=path, problem=problem)
