"""This program and its libraries as wheels, rebuilt from what is installed here.

A wheel is a zip archive of the files that an installer unpacks (the binary distribution format of
the Python packaging guide). An install keeps a list of them, `RECORD`, with a hash of each. So they
can be packed again: every file is first compared with its hash, and files that an installer adds
are left out. An editable install of a clone has no such list, so the packages of the clone are
packed.

The wheels of libraries with compiled code are only for computers of the same kind as this one.
"""

import base64
import hashlib
import io
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.program import DISTRIBUTION
from netgame.io.page.built import find_page

PAGE_DISTRIBUTION: Final = "boneyard-page"
_TREE: Final = Path(__file__).resolve().parents[2]
_PACKAGES: Final = ("engine", "netgame", "cli")
_RULES: Final = "cli/wording/rules.md"
_OF_INSTALLER: Final = frozenset({"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"})
_NOT_PACKED: Final = frozenset({".pyc", ".po"})
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""The time given to every file in a wheel, so that the same files make the same archive."""
_ANY: Final = "py3-none-any"


class Wheel(NamedTuple):
    """A wheel in memory."""

    project: str
    """Its normalized name, such as `prompt-toolkit`."""
    version: str
    file: str
    octets: bytes

    @property
    def sha256(self) -> str:
        """The hash of the octets, in hexadecimal."""
        return hashlib.sha256(self.octets).hexdigest()

    @property
    def is_for_all(self) -> bool:
        """True if every computer can install it."""
        return self.file.endswith("-none-any.whl")


def normalized(name: str) -> str:
    """Return the normalized spelling of a project's name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_wheels() -> Iterator[Wheel]:
    """Yield the wheels of this program, all its libraries, and its page and pip if they are here.

    Raises `CommandFailed` if this program is not installed, or if a file is not as it was
    installed.
    """
    found = _needed()
    if DISTRIBUTION not in found:
        raise CommandFailed(ExitCode.FAILED, say("This program is not installed as a package."))
    for name, each in found.items():
        yield _own(each) if name == DISTRIBUTION else _repacked(each)
    if PAGE_DISTRIBUTION not in found and (page := _page_files()):
        yield _packed(PAGE_DISTRIBUTION, found[DISTRIBUTION].version, (_ANY,), page)


def _needed() -> Mapping[str, Distribution]:
    """Return this program, its page, pip, and everything they require, by normalized name.

    A requirement that is not installed here, because only other systems need it, is left out.
    """
    found: dict[str, Distribution] = {}
    waiting = [DISTRIBUTION, PAGE_DISTRIBUTION, "pip"]
    while waiting:
        name = normalized(waiting.pop(0))
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        wanted = [each for each in found[name].requires or () if "extra ==" not in each]
        waiting += [re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in wanted]
    return found


def _own(each: Distribution) -> Wheel:
    """Return this program as a wheel, packed from its clone if the install is editable."""
    files = _installed_files(each)
    if not any(name.startswith("cli/") and name.endswith(".py") for name in files):
        about = {name: files[name] for name in files if name.startswith(f"{_info(each)}/")}
        files = dict(_files_of_tree()) | about
    return _packed(DISTRIBUTION, each.version, _tags(each), files)


def _files_of_tree() -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file of the packages in a clone.

    The page of rules comes last, with the path at which it is installed.
    """
    for package in _PACKAGES:
        for path in sorted((_TREE / package).rglob("*")):
            if path.is_file() and path.suffix not in _NOT_PACKED:
                yield path.relative_to(_TREE).as_posix(), path.read_bytes()
    yield _RULES, (_TREE / "docs" / "rules.md").read_bytes()


def _page_files() -> Mapping[str, bytes]:
    """Return the files of the page's package, by path; empty if there is no built page here."""
    folder = find_page()
    if folder is None:
        return {}
    found = {
        f"boneyard_page/page/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    return {"boneyard_page/__init__.py": b""} | found


def _repacked(each: Distribution) -> Wheel:
    """Return a library as a wheel; raises `CommandFailed` if a file is not as it was installed."""
    return _packed(each.metadata["Name"], each.version, _tags(each), _installed_files(each))


def _installed_files(each: Distribution) -> Mapping[str, bytes]:
    """Return the files of an install, without those that an installer adds.

    Raises `CommandFailed` if a file is not as it was installed.
    """
    info = _info(each)
    files = {}
    for path in each.files or ():
        name = path.as_posix()
        is_added = name.startswith(f"{info}/") and (
            path.name in _OF_INSTALLER or path.name.startswith("uv_")
        )
        if name.startswith("..") or is_added or path.suffix in _NOT_PACKED:
            continue
        octets = Path(str(path.locate())).read_bytes()
        if path.hash is not None and _digest(octets) != path.hash.value:
            text = "{path} is not as it was installed. Install the program again, then share it."
            raise CommandFailed(ExitCode.FAILED, say(text, path=path.locate()))
        files[name] = octets
    return files


def _tags(each: Distribution) -> tuple[str, ...]:
    """Return the tags of an installed wheel, which name the computers it can be used on."""
    told = each.read_text("WHEEL") or ""
    return tuple(re.findall(r"^Tag: (\S+)", told, re.MULTILINE))


def _info(each: Distribution) -> str:
    """Return the name of the folder with a project's metadata."""
    name = normalized(each.metadata["Name"]).replace("-", "_")
    for path in each.files or ():
        if path.name == "METADATA" and path.parent.name.endswith(".dist-info"):
            return path.parent.name
    return f"{name}-{each.version}.dist-info"


def _packed(project: str, version: str, tags: tuple[str, ...], files: Mapping[str, bytes]) -> Wheel:
    """Return files as a wheel for these tags, with metadata and the list of hashes added."""
    name = normalized(project).replace("-", "_")
    info = next((path.parent.name for path in map(Path, files) if path.name == "METADATA"), "")
    info = info or f"{name}-{version}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n".encode()
    pure = "true" if all(tag.endswith("-none-any") for tag in tags) else "false"
    listed = "".join(f"Tag: {tag}\n" for tag in tags)
    wheel = f"Wheel-Version: 1.0\nGenerator: boneyard\nRoot-Is-Purelib: {pure}\n{listed}".encode()
    whole = {f"{info}/METADATA": about, f"{info}/WHEEL": wheel} | dict(files)
    rows = [f"{each},sha256={_digest(octets)},{len(octets)}" for each, octets in whole.items()]
    record = "\n".join((*rows, f"{info}/RECORD,,", ""))
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for each, octets in (*whole.items(), (f"{info}/RECORD", record.encode())):
            entry = ZipInfo(each, _MOMENT)
            entry.external_attr = 0o644 << 16
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, octets)
    kinds = [
        ".".join(dict.fromkeys(part)) for part in zip(*(t.split("-") for t in tags), strict=True)
    ]
    return Wheel(
        normalized(project), version, f"{name}-{version}-{'-'.join(kinds)}.whl", out.getvalue()
    )


def _digest(octets: bytes) -> str:
    """Return the SHA-256 of octets as `RECORD` writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(octets).digest()).decode().rstrip("=")
