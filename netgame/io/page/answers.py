"""Decides the answer to one request of a browser; it works on values, and uses no socket.

    /PATH/            the index
    /PATH/parts/NAME  a part, which never changes
    /PATH/ws          a WebSocket, for a page that was served here
    /ws               a WebSocket, for a page that was opened from a file, while that is allowed

A request must name exactly the IP address and port that it reached. If it could give a host name
instead, the owner of that name could make a browser take their site and this page for the same one
(DNS rebinding). A request must have no body: a proxy could divide its octets into requests
differently from this program.
"""

import base64
import binascii
import hmac
from collections.abc import Sequence
from typing import Final, TypeAlias

from wsproto.utilities import generate_accept_token

from netgame import limits
from netgame.frozen import FrozenStruct
from netgame.io.network.addresses import Address
from netgame.io.page.built import PARTS, BuiltPage
from netgame.io.page.place import PagePlace, origin_of

Headers: TypeAlias = Sequence[tuple[bytes, bytes]]

SOCKET: Final = "ws"
_FROM_FILE: Final = b"null"
"""The origin of a page that was opened from a file."""
_WS_VERSION: Final = b"13"
_WS_KEY_BYTES: Final = 16

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src {connect}; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)
_NO_STORE: Final = (b"cache-control", b"no-store")
_FOR_EVER: Final = (b"cache-control", b"public, max-age=31536000, immutable")


class PageRequest(FrozenStruct):
    """One request as it was received; header names are in lower case."""

    method: bytes
    target: bytes
    version: bytes
    """The HTTP version, such as `1.1`."""
    headers: Headers

    def all(self, name: bytes) -> tuple[bytes, ...]:
        """Return the text of every header of this name."""
        return tuple(value for key, value in self.headers if key == name)

    @property
    def is_head(self) -> bool:
        """True if only the head of the answer is wanted."""
        return self.method == b"HEAD"

    @property
    def has_body(self) -> bool:
        """True if its headers announce a body."""
        lengths = self.all(b"content-length")
        return bool(self.all(b"transfer-encoding")) or any(each != b"0" for each in lengths)

    def words(self, name: bytes) -> tuple[bytes, ...]:
        """Return the comma-separated words in all headers of this name, in lower case."""
        listed = b",".join(self.all(name)).lower().split(b",")
        return tuple(filter(None, (each.strip() for each in listed)))


class PageAnswer(FrozenStruct):
    """An answer with all its headers."""

    status: int
    headers: Headers
    body: bytes
    is_last: bool = False
    """True if the connection ends after it."""


class Upgrade(FrozenStruct):
    """An answer that turns the connection into a WebSocket."""

    headers: Headers


class PageAnswers:
    """The answers to requests for one page."""

    def __init__(self, page: BuiltPage, place: PagePlace) -> None:
        self._page, self._path = page, place.path

    def answer(
        self, asked: PageRequest, near: Address, *, from_files: bool = False
    ) -> PageAnswer | Upgrade:
        """Return the answer to a request that reached this program at the address `near`.

        `from_files` says whether pages that were opened from a file may connect.
        """
        trouble = _trouble_with(asked, near)
        if trouble is not None:
            return trouble
        target = asked.target.decode("latin-1")
        if target == f"/{SOCKET}":
            return _upgraded(asked, near, [_FROM_FILE] if from_files else [])
        _, path, *rest = target.split("/", 2)  # a target begins with a slash
        if not rest or not hmac.compare_digest(path.encode(), self._path.encode()):
            return refusal(404, near)
        if rest == [""]:
            headers = ((b"content-type", b"text/html; charset=utf-8"), _NO_STORE)
            return _answer(200, near, headers, self._page.index)
        if rest == [SOCKET]:
            return _upgraded(asked, near, [origin_of(near).encode()])
        folder, _, name = rest[0].partition("/")
        part = self._page.parts.get(name) if folder == PARTS else None
        if part is None:
            return refusal(404, near)
        encoded = ((b"content-encoding", part.encoding.encode()),) if part.encoding else ()
        kind = (b"content-type", part.type.encode())
        return _answer(200, near, (kind, *encoded, _FOR_EVER), part.octets)


def refusal(
    status: int, near: Address, headers: Headers = (), *, is_last: bool = False
) -> PageAnswer:
    """Return an answer with this error status and a line of plain text."""
    body = f"{status}: {_SENTENCES.get(status, 'this request cannot be answered')}.\n".encode()
    plain = (b"content-type", b"text/plain; charset=utf-8")
    return _answer(status, near, (plain, _NO_STORE, *headers), body, is_last=is_last)


_SENTENCES: Final = {
    400: "that is no proper request",
    403: "no page from there may connect to this table",
    404: "there is nothing here",
    405: "that cannot be done here",
    408: "the request took too long",
    413: "a request has no body here",
    421: "open the address exactly as you were shown it",
    426: "this is for a WebSocket",
    431: "the request is too long",
    503: "the table cannot be reached from here just now",
    505: "this version of HTTP is not spoken here",
}


def _trouble_with(asked: PageRequest, near: Address) -> PageAnswer | None:
    """Return the refusal of a request that is wrong whatever it asks for; None if it is not."""
    if asked.version not in (b"1.0", b"1.1"):
        return refusal(505, near, is_last=True)
    if len(asked.headers) > limits.PAGE_HEADERS_MAX:
        return refusal(431, near, is_last=True)
    if asked.has_body:
        return refusal(413, near, is_last=True)
    if asked.all(b"host") != (str(near).encode(),):
        return refusal(421, near, is_last=True)
    if asked.method not in (b"GET", b"HEAD"):
        return refusal(405, near, ((b"allow", b"GET, HEAD"),), is_last=True)
    if not asked.target.startswith(b"/"):
        return refusal(400, near, is_last=True)
    return None


def _upgraded(asked: PageRequest, near: Address, origins: Sequence[bytes]) -> PageAnswer | Upgrade:
    """Return the upgrade to a WebSocket, or a refusal.

    A request is refused if it is not from one of these `origins`, or not a proper upgrade.
    """
    named = asked.all(b"origin")
    if len(named) != 1 or named[0] not in origins:
        return refusal(403, near, is_last=True)
    is_upgrade = (
        asked.method == b"GET"
        and asked.version == b"1.1"
        and b"websocket" in asked.words(b"upgrade")
        and b"upgrade" in asked.words(b"connection")
        and asked.all(b"sec-websocket-version") == (_WS_VERSION,)
    )
    if not is_upgrade:
        wanted = ((b"upgrade", b"websocket"), (b"sec-websocket-version", _WS_VERSION))
        return refusal(426, near, wanted, is_last=True)
    keys = asked.all(b"sec-websocket-key")
    if len(keys) != 1 or not _is_key(keys[0]):
        return refusal(400, near, is_last=True)
    accepted = (b"sec-websocket-accept", generate_accept_token(keys[0]))
    return Upgrade(((b"upgrade", b"websocket"), (b"connection", b"Upgrade"), accepted))


def _is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == _WS_KEY_BYTES
    except (binascii.Error, ValueError):
        return False


def _answer(
    status: int, near: Address, headers: Headers, body: bytes, *, is_last: bool = False
) -> PageAnswer:
    length = (b"content-length", str(len(body)).encode())
    policy = (b"content-security-policy", _policy(near).encode())
    ends = ((b"connection", b"close"),) if is_last else ()
    return PageAnswer(status, (*headers, length, *ends, policy, *_ALWAYS), body, is_last)


def _policy(near: Address) -> str:
    """Return the content security policy of a page served at this address.

    Browsers accept no IPv6 address in a policy. For such an address the policy allows connections
    to `'self'` only, which includes WebSockets in all but old browsers.
    """
    connect = "'self'" if ":" in near.host else f"'self' ws://{near}"
    return _POLICY.format(connect=connect)
