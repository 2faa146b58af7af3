"""Serving the page on its own port, and handing the streams of browsers to the table's door.

    connection --whole request--> answer --…--> the end
               --upgrade--> a stream, which the acceptor of the table takes like any other

Each connection has a task. Whatever a browser could use up is limited: the number of connections
(`visits`), the time for a request and an answer, and the octets that are read.
"""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import islice
from typing import Final

import h11
import trio

from netgame import limits
from netgame.io.network.addresses import number_of
from netgame.io.network.interfaces import lan_hosts
from netgame.io.network.listen import LOOPBACK, Listen, PortTrouble, open_listeners
from netgame.io.network.streams import ByteStream
from netgame.io.network.tcp import TcpListener, TcpStream
from netgame.io.page.answers import PageAnswer, PageAnswers, PageRequest, Upgrade, refusal
from netgame.io.page.built import BuiltPage
from netgame.io.page.place import PagePlace, new_place, ports_to_try
from netgame.io.page.tab_stream import WebSocketStream, source_by_page
from netgame.io.page.visits import BrowserVisit, Visits

log = logging.getLogger("netgame.io")

_GONE: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)


class TabListener:
    """A `Listener` whose streams come from browsers, by way of WebSockets."""

    def __init__(self, *, at_home: bool) -> None:
        self.at_home = at_home
        most = limits.PAGE_STREAMS_WAITING_MAX
        self._opened, self._accepted = trio.open_memory_channel[ByteStream](most)

    def offer(self, stream: ByteStream) -> None:
        """Queue this stream for `accept`; close it if too many wait or the page is closed."""
        try:
            self._opened.send_nowait(stream)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            stream.close()

    async def accept(self) -> ByteStream:
        """Wait for a browser's stream and return it; raises `OSError` once the page is closed."""
        try:
            return await self._accepted.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise OSError("the page is closed") from None

    def close(self) -> None:
        """Take no more streams, and close those that are still queued."""
        self._opened.close()
        with suppress(trio.WouldBlock, trio.EndOfChannel, trio.ClosedResourceError):
            while True:
                self._accepted.receive_nowait().close()
        self._accepted.close()


class PageDoor:
    """A page that is being served, and the streams that browsers open to the table beside it."""

    def __init__(self, page: BuiltPage, place: PagePlace, *, at_home: bool) -> None:
        self.place = place
        """Its port and path."""
        self.listener = TabListener(at_home=at_home)
        """Yields the streams."""
        self.is_open: Callable[[], bool] = lambda: False
        """Returns True if the table lets anybody in."""
        self.takes: Callable[[str], bool] = lambda _source: True
        """Returns True if a browser's stream from this source leads anywhere now."""
        self._allows_files = False
        self._answers = PageAnswers(page, place)
        self._visits = Visits()

    @property
    def allows_files(self) -> bool:
        """True if pages that were opened from a file may connect; then any web site may, too.

        It is always false at an open table, which has no join code to keep a web site out.
        """
        return self._allows_files and not self.is_open()

    @allows_files.setter
    def allows_files(self, allows: bool) -> None:
        self._allows_files = allows

    def url_for(self, host: str) -> str:
        """Return the URL of the page, with this IP address of the computer."""
        return self.place.url(host)

    def addresses(self) -> tuple[str, ...]:
        """Return the URLs by which guests can open the page, the best first.

        If it listens on loopback only, or there is no network, the only one is that of loopback.
        Link-local IPv6 addresses are left out: browsers cannot open them.
        """
        hosts = () if self.listener.at_home else filter(_can_be_opened, lan_hosts())
        return tuple(map(self.url_for, hosts)) or (self.url_for(LOOPBACK),)

    async def accept_all(self, listener: TcpListener) -> None:
        """Serve browsers that connect until cancelled; hang up on those for whom there is no room.

        Raises `OSError` if the listener fails.
        """
        async with trio.open_nursery() as nursery:
            while True:
                stream = await listener.accept()
                visit = self._visits.admit(stream.host)
                if visit is None:
                    stream.close()
                else:
                    nursery.start_soon(self._serve, stream, visit)

    async def _serve(self, stream: TcpStream, visit: BrowserVisit) -> None:
        """Answer the requests of one connection; offer the stream that it becomes, if any."""
        upgraded = None
        try:
            with visit.scope:
                upgraded = await self._converse(stream, visit)
        except _GONE as error:
            log.debug("a browser at %s: %r", stream.host, error)
        except Exception:
            log.exception("a browser at %s was served in a way it must not be", stream.host)
        finally:
            self._visits.leave(visit)
            if upgraded is None:
                stream.close()
        if upgraded is not None:
            self.listener.offer(upgraded)

    async def _converse(self, stream: TcpStream, visit: BrowserVisit) -> WebSocketStream | None:
        """Answer requests until the connection ends, then return None.

        If a request turns the connection into a stream, return that. Raises the errors of the
        connection.
        """
        http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.PAGE_HEAD_BYTES_MAX)
        for left in reversed(range(limits.PAGE_REQUESTS_MAX)):
            visit.note(is_idle=True)
            with trio.move_on_after(limits.PAGE_REQUEST_S) as in_time:
                asked = await _next_request(http, stream)
            if in_time.cancelled_caught:
                # an answer without a request would be taken for the answer to the next one
                has_begun = bool(http.trailing_data[0])
                asked = refusal(408, stream.near, is_last=True) if has_begun else None
            if asked is None:
                return None
            visit.note(is_idle=False)
            answer: PageAnswer | Upgrade
            if isinstance(asked, PageAnswer):
                answer, is_head = asked, False
            else:
                from_files = self.allows_files
                answer = self._answers.answer(asked, stream.near, from_files=from_files)
                is_head = asked.is_head
                if isinstance(answer, Upgrade) and not self.takes(source_by_page(stream)):
                    answer = refusal(503, stream.near, is_last=True)
            with trio.move_on_after(limits.PAGE_RESPONSE_S):
                if isinstance(answer, Upgrade):
                    return await _upgrade(http, stream, answer)
                await _send(http, stream, answer, is_head=is_head, is_last=not left)
            if http.our_state is not h11.DONE or http.their_state is not h11.DONE:
                break
            http.start_next_cycle()
        visit.note(is_idle=True)
        await _linger(stream)
        return None


async def _next_request(http: h11.Connection, stream: TcpStream) -> PageRequest | PageAnswer | None:
    """Return the next request, or the refusal of a bad one; None if the connection has ended.

    Reads nothing of a body. Raises the errors of the connection.
    """
    try:
        while (event := http.next_event()) is h11.NEED_DATA:
            http.receive_data(await stream.receive_some(limits.READ_BYTES_UNPROVED))
        if not isinstance(event, h11.Request):
            return None
        headers = tuple((bytes(name), bytes(value)) for name, value in event.headers)
        asked = PageRequest(event.method, event.target, event.http_version, headers)
        if not asked.has_body:
            http.next_event()
    except h11.RemoteProtocolError as error:
        return refusal(error.error_status_hint, stream.near, is_last=True)
    return asked


async def _send(
    http: h11.Connection, stream: TcpStream, answer: PageAnswer, *, is_head: bool, is_last: bool
) -> None:
    """Send an answer, without its body if only the head was requested."""
    ends = [(b"connection", b"close")] if is_last and not answer.is_last else []
    head = h11.Response(status_code=answer.status, headers=[*answer.headers, *ends])
    await stream.send_all(http.send(head))
    if not is_head:
        for octets in http.send_with_data_passthrough(h11.Data(answer.body)) or ():
            await stream.send_all(octets)
    http.send(h11.EndOfMessage())


async def _upgrade(
    http: h11.Connection, stream: TcpStream, answer: Upgrade
) -> WebSocketStream | None:
    """Turn the connection into a stream; return None if the browser did not wait for the answer."""
    octets = http.send(h11.InformationalResponse(status_code=101, headers=[*answer.headers]))
    if http.trailing_data[0]:
        return None
    await stream.send_all(octets)
    return WebSocketStream(stream)


async def _linger(stream: TcpStream) -> None:
    """Send no more, and read on for a while, so that the browser still gets the last answer."""
    await stream.send_eof()
    room = limits.PAGE_LINGER_BYTES_MAX
    with trio.move_on_after(limits.PAGE_LINGER_S):
        while room > 0 and (octets := await stream.receive_some(limits.READ_BYTES_UNPROVED)):
            room -= len(octets)


def _can_be_opened(host: str) -> bool:
    number = number_of(host)
    return number is not None and not (number.version == 6 and number.is_link_local)


@asynccontextmanager
async def page_door(
    page: BuiltPage, host: str | None = None, place: PagePlace | None = None
) -> AsyncIterator[PageDoor]:
    """Serve a page within the block, at the address `host` of this computer, or at all of them.

    `place` is where the same people had their page before; another port is taken if that one is in
    use. Raises `PortTrouble` on entry. Accepted streams stay open after the block.
    """
    place = place or new_place()
    port, listeners = await _listen(host, place.port)
    door = PageDoor(
        page, PagePlace(port, place.path), at_home=all(each.at_home for each in listeners)
    )
    try:
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(door.accept_all, listener)
            yield door
            nursery.cancel_scope.cancel()
    finally:
        door.listener.close()
        for listener in listeners:
            listener.close()


async def _listen(host: str | None, first: int) -> tuple[int, Sequence[TcpListener]]:
    """Listen on `first`, or else on a random port; return the port and its listeners.

    Raises `PortTrouble` if none of those tried is free.
    """
    for port in islice(ports_to_try(first), limits.PAGE_PORTS_TRIED):
        try:
            return port, await open_listeners(Listen(host, port))
        except PortTrouble as error:
            trouble = error
    raise trouble
