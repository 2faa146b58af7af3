"""The wheels as a small web site: the guest's script, a page of links for pip, and each wheel.

The server of the page for browsers serves it, within the same bounds (`netgame.io.page.serving`).
The script pins every wheel by its hash, so only the script itself has to arrive unaltered. A
network that somebody else controls can alter it: the host's screen shows the script's hash for
people who check.
"""

import hashlib
import inspect
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from cli.share import guest
from cli.share.installed import Wheel
from netgame.io.page.built import BuiltPage, PagePart

PATH: Final = "get"
"""The site's path, short, as people type it."""


class Bundle(NamedTuple):
    """The site that is shared, with the hashes that people check and its size."""

    site: BuiltPage
    fingerprint: str
    """64 bits of the hash of all pins, in four groups: the guest's screen shows it too."""
    script_sha256: str
    octets: int
    """The size of all wheels."""


def bundle_of(wheels: Sequence[Wheel], version: str) -> Bundle:
    """Return the site for these wheels; a project may have wheels for several kinds of computer."""
    pins = pins_of(wheels)
    pip = next(((each.file, each.sha256) for each in wheels if each.project == "pip"), ("", ""))
    script = script_of(version, pins, pip)
    parts = {each.file: PagePart("application/octet-stream", "", each.octets) for each in wheels}
    links = "".join(
        f'<a href="{escape(each.file)}#sha256={each.sha256}">{escape(each.file)}</a>\n'
        for each in wheels
    )
    parts[guest.LINKS] = PagePart("text/html; charset=utf-8", "", links.encode())
    return Bundle(
        BuiltPage(script, parts),
        guest.fingerprint_of(pins),
        hashlib.sha256(script).hexdigest(),
        sum(len(each.octets) for each in wheels),
    )


def pins_of(wheels: Sequence[Wheel]) -> str:
    """Return the requirements of all projects but pip, with the hash of each of their wheels."""
    hashes: dict[str, list[str]] = {}
    for each in sorted(wheels):
        if each.project != "pip":
            hashes.setdefault(f"{each.project}=={each.version}", []).append(each.sha256)
    return "".join(
        f"{pin}{''.join(f' --hash=sha256:{each}' for each in found)}\n"
        for pin, found in hashes.items()
    )


def script_of(version: str, pins: str, pip_wheel: tuple[str, str]) -> bytes:
    """Return the guest's script with these pins; the command that runs it sets U to the URL."""
    source = inspect.getsource(guest)  # a program of its own for another computer
    return f"{source}\n\nmain({version!r}, {pins!r}, {pip_wheel!r}, U)\n".encode()
