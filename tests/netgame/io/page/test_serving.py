"""A browser's requests, served or refused over real connections."""

import gzip
import re
from contextlib import suppress

import pytest
import trio

from netgame import limits
from netgame.io.network.listen import LOOPBACK, PortTrouble
from netgame.io.page import serving
from netgame.io.page.place import PagePlace, new_place, noted_place
from tests.netgame.io.page.browsers import (
    INDEX,
    SCRIPT,
    Reply,
    ask,
    connect,
    lay_out,
    netloc,
    open_tab,
    request,
    said,
    served,
    status_of,
    upgrade,
)

KEPT_OUT = "base-uri 'none'; form-action 'none'"


async def test_the_index_is_never_kept_and_its_parts_for_ever(tmp_path):
    """A browser may not cache the index, but may cache parts for ever; parts are sent as stored."""
    (name,) = lay_out(tmp_path)
    async with served(tmp_path) as door:
        index, part = await ask(door), await ask(door, f"parts/{name}")
    assert (index.status, index.body) == (200, INDEX)
    assert index.headers["content-type"] == "text/html; charset=utf-8"
    assert index.headers["cache-control"] == "no-store"
    assert part.status == 200
    assert gzip.decompress(part.body) == SCRIPT
    assert part.headers["content-type"] == "text/javascript; charset=utf-8"
    assert part.headers["content-encoding"] == "gzip"
    assert part.headers["cache-control"] == "public, max-age=31536000, immutable"


NEEDS_HTTPS = {"cross-origin-opener-policy", "clear-site-data", "strict-transport-security"}
"""Headers that a browser ignores over plain HTTP, with a complaint in its console."""


async def test_every_answer_says_what_a_browser_may_do_with_it(tmp_path):
    """Every answer, even a refusal, restricts what the browser may do with it and sets no cookie.

    No other site may read an answer.
    """
    (name,) = lay_out(tmp_path)
    async with served(tmp_path) as door:
        replies = [
            await ask(door),
            await ask(door, f"parts/{name}"),
            await ask(door, "else"),
            await ask(door, method="POST"),
            await ask(door, host="boneyard.example"),
            await ask(door, "ws"),
            Reply(await said(door, b"nonsense\r\n\r\n")),
        ]
        here = netloc(door)
    assert [reply.status for reply in replies] == [200, 200, 404, 405, 421, 403, 400]
    for reply in replies:
        assert reply.headers["content-security-policy"] == (
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
            "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
            f"connect-src 'self' ws://{here}; frame-ancestors 'none'; {KEPT_OUT}"
        )
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert not NEEDS_HTTPS & reply.headers.keys()
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert reply.repeated == 0
        assert not [each for each in reply.headers if each.startswith(("set-", "access-"))]
    for reply in replies[2:]:
        assert reply.headers["content-type"] == "text/plain; charset=utf-8"
        assert reply.body == reply.body.splitlines()[0] + b"\n"
        assert reply.body.startswith(str(reply.status).encode())


async def test_the_head_alone_has_all_but_the_body(tmp_path):
    """A HEAD request gets the same octets as GET, without the body."""
    async with served(tmp_path) as door:
        whole = await said(door, request(door))
        head = await said(door, request(door, method="HEAD"))
    assert whole == head + INDEX


ELSEWHERE = {
    "the root": "/",
    "an index of nobody": "/index.html",
    "no slash behind the path": "/{path}",
    "its beginning": "/{path:.25}/",
    "one letter more": "/{path}a/",
    "another path": "/aaaaaaaaaaaaaaaaaaaaaaaaaa/",
    "capitals": "/{PATH}/",
    "a question": "/{path}/?x",
    "a file by its name": "/{path}/index.html",
    "the list": "/{path}/parts.json",
    "the folder of parts": "/{path}/parts/",
    "up": "/{path}/parts/../index.html",
    "up, in disguise": "/{path}/parts/%2e%2e/index.html",
    "up, in another": "/{path}/parts/..%2findex.html",
    "a part in disguise": "/{path}/parts/{name}%00",
    "a part further down": "/{path}/parts/x/{name}",
    "a part higher up": "/{path}/{name}",
    "two slashes": "//{path}/",
    "backslashes": "/{path}\\parts\\{name}",
    "octets that are no text": "/{path}/parts/\xff",
}


@pytest.mark.parametrize("target", ELSEWHERE.values(), ids=ELSEWHERE)
async def test_there_is_nothing_at_any_other_path(tmp_path, target):
    """Any other path is refused, and the refusal does not reveal the page's path.

    Paths are neither decoded nor tidied.
    """
    (name,) = lay_out(tmp_path)
    async with served(tmp_path) as door:
        path = door.place.path
        asked = target.format(path=path, PATH=path.upper(), name=name)
        octets = request(door, "/").replace(b" / ", b" " + asked.encode("latin-1") + b" ", 1)
        assert await status_of(door, octets) in (404, 400)
        assert path.encode() not in await said(door, octets)


def test_no_two_paths_are_alike_and_none_can_be_guessed():
    """Each path is new and has 128 random bits; a noted place is read back if it is valid."""
    places = {new_place().path for _ in range(64)}
    assert len(places) == 64
    assert new_place(lambda count: bytes(range(count))).path == "aaaqeayeaudaocajbifqydiob4"
    for place in (new_place(), new_place()):
        assert noted_place(place.port, place.path) == place
    assert noted_place(0, "") is None
    assert noted_place(50_000, "../" * 9) is None
    assert noted_place(65_536, new_place().path) is None


HOSTS = {
    "a name": "localhost:{port}",
    "a name of somebody's": "192.168.1.5.rebind.example:{port}",
    "another port": "127.0.0.1:1",
    "no port": "127.0.0.1",
    "another address of here": "127.0.0.2:{port}",
    "another way to write it": "127.1:{port}",
    "a dot behind it": "127.0.0.1.:{port}",
    "IPv6": "[::1]:{port}",
    "a user": "me@127.0.0.1:{port}",
    "two in one": "127.0.0.1:{port}, 127.0.0.1:{port}",
    "nothing": "",
}


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
async def test_whoever_names_another_host_is_refused(tmp_path, host):
    """A request that names another host is refused, for the page and for its WebSocket."""
    async with served(tmp_path) as door:
        named = host.format(port=door.place.port)
        assert await status_of(door, request(door, host=named)) in (421, 400)
        assert await status_of(door, upgrade(door, host=named)) in (421, 400)


async def test_a_request_has_one_host_and_no_body(tmp_path):
    """A bad request gets exactly one answer, which is an error, and ends its connection.

    Among the bad ones are requests without exactly one host, and requests with a body.
    """
    async with served(tmp_path) as door:
        here = netloc(door)
        bad = [
            request(door, host=None),
            request(door, host=(here, here)),
            request(door, host=(here, "elsewhere")),
            request(door, host=None, version="1.0"),
            request(door, content_length="5") + b"hello",
            request(door, content_length=("5", "6")) + b"hello",
            request(door, content_length="-1"),
            request(door, content_length="5", transfer_encoding="chunked") + b"0\r\n\r\n",
            request(door, transfer_encoding="chunked") + b"0\r\n\r\n",
            request(door, transfer_encoding="identity"),
            request(door).replace(b"host:", b"host :"),
            request(door).replace(b"host:", b" host:"),
            request(door, f"http://{here}/{door.place.path}/".replace("http", "/http")),
            request(door).replace(b"GET /", f"GET http://{here}/".encode()),
            request(door).replace(b"GET /", b"GET "),
            request(door, method="CONNECT"),
            request(door, version="2.0"),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00",
            request(door, x="y" * 2 * limits.PAGE_HEAD_BYTES_MAX),
            request(door, x=("y",) * limits.PAGE_HEADERS_MAX),
        ]
        for octets in bad:
            again = octets + request(door)  # the request smuggled in behind it gets no answer
            answered = await said(door, again)
            assert answered.startswith((b"HTTP/1.1 4", b"HTTP/1.1 50")), octets
            assert answered.count(b"HTTP/1.1 ") == 1, octets
            assert INDEX not in answered
        assert (await ask(door)).status == 200


async def test_a_connection_is_used_again_but_not_for_ever(tmp_path, monkeypatch):
    """A connection serves several requests in their order, but only up to a limit."""
    monkeypatch.setattr(limits, "PAGE_REQUESTS_MAX", 3)
    async with served(tmp_path) as door:
        on = request(door, connection=None)
        one_off = request(door, "nothing", connection=None)
        answered = await said(door, on + one_off + on + on)
        assert answered.count(INDEX) == 2
        assert re.findall(rb"HTTP/1\.1 (\d+)", answered) == [b"200", b"404", b"200"]
        assert answered.rindex(b"connection: close") > answered.rindex(b"HTTP/1.1 200")
        old = await said(door, request(door, version="1.0", connection="keep-alive"))
        assert old.startswith(b"HTTP/1.1 200")


ORIGINS = {
    "none": None,
    "a name": "http://localhost:{port}",
    "another site": "https://evil.example",
    "another port": "http://127.0.0.1:1",
    "no port": "http://127.0.0.1",
    "https": "https://127.0.0.1:{port}",
    "a file's, unasked": "null",
    "a path behind it": "http://127.0.0.1:{port}/",
    "two": ("http://127.0.0.1:{port}", "http://127.0.0.1:{port}"),
    "two in one": "http://127.0.0.1:{port} null",
    "nothing": "",
}


@pytest.mark.parametrize("origin", ORIGINS.values(), ids=ORIGINS)
async def test_only_the_page_itself_may_connect(tmp_path, origin):
    """Only the page itself may connect; other origins get a refusal and no stream."""
    async with served(tmp_path) as door:
        named = origin
        if isinstance(origin, str):
            named = origin.format(port=door.place.port)
        if isinstance(origin, tuple):
            named = tuple(each.format(port=door.place.port) for each in origin)
        for path in ("ws", "/ws"):
            assert await status_of(door, upgrade(door, path, origin=named)) == 403
        (await open_tab(door)).close()
        with trio.fail_after(30):
            stream = await door.listener.accept()
        assert stream.source == f"page {LOOPBACK}"
        stream.close()


async def test_a_page_from_a_file_connects_only_while_that_is_allowed(tmp_path):
    """A page from a file connects only while that is allowed, and only at the short path `/ws`.

    No other page may connect there. At an open table it is never allowed.
    """
    async with served(tmp_path) as door:
        from_file = upgrade(door, "/ws", origin="null")
        assert not door.allows_files
        assert await status_of(door, from_file) == 403
        door.allows_files = True
        (await open_tab(door, from_file)).close()
        assert await status_of(door, upgrade(door, origin="null")) == 403
        assert await status_of(door, upgrade(door, "/ws")) == 403
        assert await status_of(door, upgrade(door, "/ws", origin=None)) == 403
        (await open_tab(door)).close()
        door.is_open = lambda: True
        assert not door.allows_files
        assert await status_of(door, from_file) == 403
        door.is_open = lambda: False
        assert door.allows_files
        door.allows_files = False
        assert await status_of(door, from_file) == 403


NO_SOCKET = {
    "not asked for": {"upgrade": None},
    "another protocol": {"upgrade": "h2c"},
    "not said of this connection": {"connection": "close"},
    "an old version": {"sec_websocket_version": "8"},
    "no version": {"sec_websocket_version": None},
    "no key": {"sec_websocket_key": None},
    "a short key": {"sec_websocket_key": "AAAA"},
    "two keys": {"sec_websocket_key": ("AAAAAAAAAAAAAAAAAAAAAA==",) * 2},
    "a key that is none": {"sec_websocket_key": "%" * 24},
    "a body": {"content_length": "4"},
    "an old HTTP": {"version": "1.0"},
    "another method": {"method": "POST"},
    "a head": {"method": "HEAD"},
}


@pytest.mark.parametrize("changes", NO_SOCKET.values(), ids=NO_SOCKET)
async def test_what_is_no_handshake_of_a_websocket_is_refused(tmp_path, changes):
    """A bad WebSocket handshake is refused with a 4xx status, and no stream opens."""
    async with served(tmp_path) as door:
        answered = await said(door, upgrade(door, **changes) + b"body")
        assert answered.startswith(b"HTTP/1.1 4")
        with trio.move_on_after(0) as scope:
            await door.listener.accept()
        assert scope.cancelled_caught


async def test_octets_before_the_handshake_is_answered_are_nobodys(tmp_path):
    """Octets that come before the answer to a handshake end the connection without an answer.

    A browser waits for the answer before it sends any.
    """
    async with served(tmp_path) as door:
        assert await said(door, upgrade(door) + b"\x82\x80\0\0\0\0") == b""


async def test_the_handshake_takes_no_extension_and_no_subprotocol(tmp_path):
    """The handshake takes no extension and no subprotocol, whatever the browser offers."""
    async with served(tmp_path) as door, await connect(door) as stream:
        await stream.send_all(upgrade(door, sec_websocket_protocol="chat"))
        head = await stream.receive_some()
    assert head.startswith(b"HTTP/1.1 101 ")
    # for a key of zeros (RFC 6455, 4.2.2)
    assert b"sec-websocket-accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=\r\n" in head
    assert b"extensions" not in head
    assert b"protocol" not in head.lower().replace(b"switching protocols", b"")


# ---- bounds -------------------------------------------------------------------------------------


async def test_whoever_dawdles_over_a_request_is_hung_up_on(tmp_path, monkeypatch):
    """A connection on which no whole request comes in time is closed.

    If a part of the request has come, it is answered with status 408 first.
    """
    monkeypatch.setattr(limits, "PAGE_REQUEST_S", 0.2)
    async with served(tmp_path) as door, await connect(door) as silent, await connect(door) as slow:
        await slow.send_all(request(door)[:20])
        assert (await ask(door)).status == 200
        with trio.fail_after(30):
            assert Reply(b"".join([piece async for piece in slow])).status == 408
            assert await silent.receive_some() == b""


async def test_whoever_does_not_take_an_answer_is_hung_up_on(tmp_path, monkeypatch):
    """A browser that is slow to take an answer is cut off, and others are still served."""
    monkeypatch.setattr(limits, "PAGE_RESPONSE_S", 0.2)
    big = bytes(20_000_000)
    parts = (("big", "bin", big, "application/octet-stream", ""),)
    (name,) = lay_out(tmp_path, parts)
    async with served(tmp_path, parts=parts) as door, await connect(door) as slow:
        await slow.send_all(request(door, f"parts/{name}"))
        await trio.sleep(0.5)
        taken = 0
        with trio.fail_after(30):
            with suppress(trio.BrokenResourceError):
                while octets := await slow.receive_some():
                    taken += len(octets)
        assert taken < len(big)
        assert (await ask(door)).status == 200


async def test_fifty_connections_leave_others_served(tmp_path):
    """With fifty connections open from one address, new ones are served: old ones give way."""
    async with served(tmp_path) as door:
        crowd = [await connect(door) for _ in range(50)]
        for each in crowd[:25]:
            with suppress(trio.BrokenResourceError):
                await each.send_all(b"GET / HT")
        assert (await ask(door)).status == 200
        tab = await open_tab(door)
        stream = await door.listener.accept()
        await tab.send_all(b"still here")
        assert await stream.receive_some() == b"still here"
        stream.close()
        tab.close()
        for each in crowd:
            await each.aclose()


async def test_too_many_streams_that_nobody_accepts_are_closed(tmp_path):
    """If too many streams wait to be accepted, the newest is closed."""
    async with served(tmp_path) as door:
        tabs = [await open_tab(door) for _ in range(limits.PAGE_STREAMS_WAITING_MAX + 1)]
        with trio.fail_after(30):
            assert await tabs[-1].receive_some() == b""
        for tab in tabs:
            tab.close()


async def test_a_page_that_is_closed_leaves_no_stream_and_no_port(tmp_path):
    """A closed page frees its port and ends the streams that nobody has accepted.

    Accepted streams stay open.
    """
    async with served(tmp_path) as door:
        kept, left = await open_tab(door), None
        stream = await door.listener.accept()
        left = await open_tab(door)
        idle = await connect(door)
    with trio.fail_after(30):
        assert await left.receive_some() == b""
        assert await idle.receive_some() == b""
        await kept.send_all(b"goes on")
        assert await stream.receive_some() == b"goes on"
        stream.close()
    with pytest.raises(OSError, match="closed"):
        await door.listener.accept()
    with pytest.raises(OSError, match="connect"):
        await connect(door)
    for each in (kept, left):
        each.close()
    await idle.aclose()


async def test_a_page_comes_back_where_it_was_unless_that_port_is_taken(tmp_path):
    """A page comes back at its old path, and at its old port unless that is taken.

    Serving it at an address that this computer does not have is an error.
    """
    async with served(tmp_path) as door:
        place = door.place
    async with served(tmp_path, place=place) as door:
        assert door.place == place
        async with served(tmp_path, place=place) as other:
            assert other.place.path == place.path
            assert other.place.port != place.port
            assert (await ask(other)).status == 200
    with pytest.raises(PortTrouble):
        async with served(tmp_path, "192.0.2.1"):
            pass


async def test_guests_are_told_addresses_that_a_browser_can_open(tmp_path, monkeypatch):
    """The addresses told to guests can be opened in a browser: LAN addresses, or else loopback."""
    monkeypatch.setattr(serving, "lan_hosts", lambda: ("192.168.1.5", "fe80::5", "2001:db8::5"))
    async with served(tmp_path) as door:
        port, path = door.place.port, door.place.path
        assert door.listener.at_home
        assert door.addresses() == (f"http://127.0.0.1:{port}/{path}/",)
        door.listener.at_home = False
        assert door.addresses() == (
            f"http://192.168.1.5:{port}/{path}/",
            f"http://[2001:db8::5]:{port}/{path}/",
        )
        monkeypatch.setattr(serving, "lan_hosts", lambda: ("fe80::5",))
        assert door.addresses() == (f"http://127.0.0.1:{port}/{path}/",)


async def test_a_page_is_served_at_ipv6_addresses_too(tmp_path):
    """A page can also be served at an IPv6 address, which is in brackets in its URL.

    The page's content security policy does not name such an address.
    """
    async with served(tmp_path, "::1") as door:
        here = f"[::1]:{door.place.port}"
        async with await trio.open_tcp_stream("::1", door.place.port) as stream:
            await stream.send_all(request(door, host=here))
            reply = Reply(b"".join([piece async for piece in stream]))
        assert reply.status == 200
        assert "connect-src 'self'; " in reply.headers["content-security-policy"]
        async with await trio.open_tcp_stream("::1", door.place.port) as stream:
            await stream.send_all(upgrade(door, host=here, origin=f"http://{here}"))
            assert (await stream.receive_some()).startswith(b"HTTP/1.1 101 ")
        stream = await door.listener.accept()
        assert stream.source == "page ::1"
        stream.close()
    assert PagePlace(50_000, "p").url("::1") == "http://[::1]:50000/p/"
