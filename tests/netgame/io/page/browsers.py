"""A tiny page, laid out as a build lays one out, and a browser that sends raw octets to it."""

import base64
import gzip
import hashlib
import json
from contextlib import asynccontextmanager, contextmanager, suppress

import h11
import trio
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection

from netgame.io.network.listen import LOOPBACK
from netgame.io.network.streams import ByteStream
from netgame.io.page.built import PAGE_FOLDER, read_page
from netgame.io.page.serving import page_door
from netgame.limits import PAGE_MESSAGE_BYTES_MAX

INDEX = b"<!doctype html><title>Boneyard</title>"
SCRIPT = b"console.log('the whole program');\n" * 50
IMAGE = bytes(range(256))
UPGRADED = b"HTTP/1.1 101 "


PARTS = (("page", "js", SCRIPT, "text/javascript; charset=utf-8", "gzip"),)


def lay_out(folder, parts=PARTS):
    """Write a page as a build does; return the names of its parts."""
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_bytes(INDEX)
    listed = {}
    for stem, ending, content, kind, encoding in parts:
        name = f"{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
        stored = gzip.compress(content, mtime=0) if encoding else content
        (folder / "parts" / name).write_bytes(stored)
        digest = base64.b64encode(hashlib.sha384(content).digest()).decode()
        listed[name] = {"type": kind, "sha384": digest, "size": len(stored), "encoding": encoding}
    write_list(folder, listed)
    return list(listed)


@contextmanager
def installed_page(folder):
    """Lay out a page, and let the program use it within the block; yield its folder."""
    lay_out(folder)
    token = PAGE_FOLDER.set(folder)
    try:
        yield folder
    finally:
        PAGE_FOLDER.reset(token)


def write_list(folder, listed, version=1):
    """Write `parts.json`, the list of parts."""
    (folder / "parts.json").write_text(json.dumps({"version": version, "parts": listed}))


def read_list(folder):
    """Return the parts that `parts.json` lists: the facts of each, by name."""
    return json.loads((folder / "parts.json").read_text())["parts"]


@asynccontextmanager
async def served(folder, host=LOOPBACK, parts=PARTS, **more):
    """Lay out a tiny page, and serve it within the block; yield its `PageDoor`."""
    lay_out(folder, parts)
    async with page_door(read_page(folder), host, **more) as door:
        yield door


def netloc(door):
    """Return `ADDRESS:PORT` of a page on loopback."""
    return f"{LOOPBACK}:{door.place.port}"


async def connect(door):
    """Open a connection to a page on loopback; return its stream."""
    return await trio.open_tcp_stream(LOOPBACK, door.place.port)


async def said(door, octets):
    """Send octets on a new connection; return what is answered until the connection ends.

    If the answer begins a WebSocket, return what has come so far.
    """
    answered = b""
    async with await connect(door) as stream:
        with suppress(trio.BrokenResourceError):
            await stream.send_all(octets)
            while not answered.startswith(UPGRADED) and (piece := await stream.receive_some()):
                answered += piece
    return answered


def request(door, path="", method="GET", version="1.1", **headers):
    """Return the octets of an HTTP request.

    A `path` that begins with a slash is used as it is; any other is below the page's own path.
    `headers` add to the usual ones or replace them: None leaves a header out, and a tuple repeats
    it.
    """
    target = path if path.startswith("/") else f"/{door.place.path}/{path}"
    named = {"host": netloc(door), "connection": "close"} | headers
    lines = [f"{method} {target} HTTP/{version}"]
    for name, value in named.items():
        each = value if isinstance(value, tuple) else (value,)
        lines += [f"{name.replace('_', '-')}: {one}" for one in each if one is not None]
    return "\r\n".join((*lines, "", "")).encode()


def upgrade(door, path="ws", **headers):
    """Return the octets of a request for a WebSocket, as a browser sends it."""
    asked = {
        "origin": f"http://{netloc(door)}",
        "connection": "keep-alive, Upgrade",
        "upgrade": "websocket",
        "sec_websocket_version": "13",
        "sec_websocket_key": base64.b64encode(bytes(16)).decode(),
        "sec_websocket_extensions": "permessage-deflate; client_max_window_bits",
    }
    return request(door, path, **asked | headers)


class Reply:
    """An answer: its status (None if there is no answer), its headers by name, and its body.

    `repeated` counts the headers whose name had already occurred.
    """

    def __init__(self, octets, method="GET"):
        reader = h11.Connection(h11.CLIENT)
        reader.send(h11.Request(method=method, target="/", headers=[("host", "there")]))
        reader.send(h11.EndOfMessage())
        reader.receive_data(octets)
        if octets:
            reader.receive_data(b"")
        head = reader.next_event()
        self.status = getattr(head, "status_code", None)
        pairs = [(name.decode(), value.decode()) for name, value in getattr(head, "headers", ())]
        self.headers = dict(pairs)
        self.repeated = len(pairs) - len(self.headers)
        self.body = b""
        while isinstance(event := reader.next_event(), h11.Data):
            self.body += event.data


async def ask(door, path="", method="GET", **more):
    """Send a request on a new connection; return the reply."""
    return Reply(await said(door, request(door, path, method, **more)), method)


async def status_of(door, octets):
    """Send octets on a new connection; return the status of the answer, or None if none comes."""
    return Reply(await said(door, octets)).status


class Tab(ByteStream):
    """A browser's end of a WebSocket as a stream of octets."""

    source = "the browser"

    def __init__(self, below):
        self.below, self.frames = below, Connection(ConnectionType.CLIENT)
        self.came, self.closed_with = bytearray(), None
        """The octets not yet taken; the code with which the other end closed, or None."""
        self.has_ended = False
        """True once the connection has ended or the other end has closed the WebSocket."""

    async def send_event(self, event):
        """Send one WebSocket event, such as a message or a ping."""
        await self.below.send_all(self.frames.send(event))

    async def send_all(self, data):
        """Send octets, cut into messages of the permitted length."""
        for at in range(0, len(data), PAGE_MESSAGE_BYTES_MAX):
            await self.send_event(BytesMessage(bytes(data[at : at + PAGE_MESSAGE_BYTES_MAX])))

    def send_now(self, octets):
        """Send nothing; return 0."""
        return 0

    async def hear(self):
        """Receive the next octets; return the events that they complete.

        The list is empty if they complete none, and at the end of the connection. Data is added to
        `came`.
        """
        octets = await self.below.receive_some()
        if not octets:
            self.has_ended = True
            return []
        self.frames.receive_data(octets)
        events = list(self.frames.events())
        for event in events:
            if isinstance(event, BytesMessage):
                self.came += event.data
            if isinstance(event, CloseConnection):
                self.closed_with, self.has_ended = event.code, True
        return events

    async def receive_some(self, max_bytes=None):
        """Wait for octets, and return them; return b"" once the other end has closed."""
        while not self.came and not self.has_ended:
            await self.hear()
        taken = bytes(self.came[: max_bytes or len(self.came)])
        del self.came[: len(taken)]
        return taken

    async def wait_readable(self):
        """Return at once, whether or not there is anything to read."""
        await trio.lowlevel.checkpoint()

    async def send_eof(self):
        """Send nothing: a WebSocket has no half-close."""
        await trio.lowlevel.checkpoint()

    def close(self):
        """Close the connection without a close frame."""
        self.below.socket.close()


async def open_tab(door, octets=None):
    """Open a WebSocket, with the request `octets` or the usual one; return the browser's end.

    Fail if the page does not accept it.
    """
    stream = await connect(door)
    await stream.send_all(octets or upgrade(door))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = await stream.receive_some(1)
        assert piece, head
        head += piece
    assert head.startswith(UPGRADED), head
    return Tab(stream)


@asynccontextmanager
async def both_ends(folder):
    """Serve a tiny page and open a WebSocket to it for the block; yield both ends.

    The browser's end comes first, then the server's accepted stream.
    """
    async with served(folder) as door:
        tab = await open_tab(door)
        stream = await door.listener.accept()
        try:
            yield tab, stream
        finally:
            tab.close()
            stream.close()
