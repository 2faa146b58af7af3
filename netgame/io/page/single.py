"""The page as one file, with everything inside, which a browser opens from a disk or a stick.

A page opened that way cannot fetch other files, so it contains its parts. It has no hashes of them:
anybody who alters a part in the file could alter its hash, too.
"""

import base64
import json
import re
import zlib
from typing import Final

from netgame.io.page.built import BuiltPage, PageDamaged

_STYLE: Final = re.compile(r'<link rel="stylesheet" href="parts/([^"]+)"[^>]*>')
_SCRIPT: Final = re.compile(r'<script type="module" src="parts/([^"]+)"[^>]*></script>')
_LISTED: Final = re.compile(r'(<script type="application/json" id="parts">)(.*?)(</script>)', re.S)
_HEAD: Final = '<meta charset="utf-8" />'
_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data:; connect-src ws: data: blob:; base-uri 'none'; form-action 'none'"
)


def single_file(page: BuiltPage) -> bytes:
    """Return the page as one HTML file; raises `PageDamaged` if it is not built as expected."""
    index = page.index.decode("utf-8")
    listed = _LISTED.search(index)
    if listed is None or index.count(_HEAD) != 1:
        raise _unlike()
    parts = json.loads(listed[2])
    for facts in parts.values():
        facts["octets"] = base64.b64encode(_packed(page, facts.pop("url"))).decode("ascii")
    policy = f'{_HEAD}\n    <meta http-equiv="Content-Security-Policy" content="{_POLICY}" />'
    whole = index.replace(_HEAD, policy)
    whole = _LISTED.sub(lambda found: f"{found[1]}{json.dumps(parts)}{found[3]}", whole)
    whole, styles = _STYLE.subn(lambda found: f"<style>{_text(page, found[1])}</style>", whole)
    whole, scripts = _SCRIPT.subn(
        lambda found: f'<script type="module">{_text(page, found[1])}</script>', whole
    )
    if (styles, scripts) != (1, 1):
        raise _unlike()
    return whole.encode("utf-8")


def _packed(page: BuiltPage, url: str) -> bytes:
    part = page.parts.get(url.removeprefix("parts/"))
    if part is None or part.encoding != "gzip":
        raise _unlike()
    return part.octets


def _text(page: BuiltPage, name: str) -> str:
    """Return a script or style sheet; raises `PageDamaged` if its text could end its element."""
    text = zlib.decompress(_packed(page, name), wbits=zlib.MAX_WBITS | 16).decode("utf-8")
    if re.search(r"</(script|style)|<!--", text, re.I):
        raise _unlike()
    return text


def _unlike() -> PageDamaged:
    return PageDamaged("the page for browsers is of another make than this program: build it anew")
