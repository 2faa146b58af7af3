"""Serving a page: a port of its own, a task for each connection, streams for the table's door.

    connection --whole request--> answer --…--> the end
               --upgrade--> a stream, which the acceptor of the table takes like any other

Everything that others can hold up is bounded: how many are here (`visits`), how long a request and
an answer take, and how much is read. What one browser does is never heard by another.
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
    """Where the streams of browsers come from; a `Listener`."""

    def __init__(self, *, at_home: bool) -> None:
        self.at_home = at_home
        most = limits.PAGE_STREAMS_WAITING_MAX
        self._opened, self._accepted = trio.open_memory_channel[ByteStream](most)

    def offer(self, stream: ByteStream) -> None:
        """Have this stream accepted, or close it where too many wait."""
        try:
            self._opened.send_nowait(stream)
        except (trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            stream.close()

    async def accept(self) -> ByteStream:
        """The next stream that a browser opens; raises `OSError` once nobody listens any more."""
        try:
            return await self._accepted.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise OSError("the page is closed") from None

    def close(self) -> None:
        """Take no more streams; those that wait are closed."""
        self._opened.close()
        with suppress(trio.WouldBlock, trio.EndOfChannel, trio.ClosedResourceError):
            while True:
                self._accepted.receive_nowait().close()
        self._accepted.close()


class PageDoor:
    """A page that is being served, and the streams that browsers open to the table beside it."""

    def __init__(self, page: BuiltPage, place: PagePlace, *, at_home: bool) -> None:
        self.place = place
        """Where it is served."""
        self.listener = TabListener(at_home=at_home)
        """Brings the streams."""
        self.is_open: Callable[[], bool] = lambda: False
        """Says whether the table lets anybody in."""
        self.takes: Callable[[str], bool] = lambda _source: True
        """Says whether a stream of a browser from there leads anywhere now."""
        self._allows_files = False
        self._answers = PageAnswers(page, place)
        self._visits = Visits()

    @property
    def allows_files(self) -> bool:
        """Whether pages that were opened from a file may connect, and with them any web site.

        It is false at an open table, whatever was set: nothing else would keep a web site out.
        """
        return self._allows_files and not self.is_open()

    @allows_files.setter
    def allows_files(self, allows: bool) -> None:
        self._allows_files = allows

    def url_for(self, host: str) -> str:
        """The address of the page at this IP address of its computer."""
        return self.place.url(host)

    def addresses(self) -> tuple[str, ...]:
        """The addresses of the page that guests may open, the best first.

        On loopback it is that alone, as where there is no network. A browser cannot open a
        link-local IPv6 address.
        """
        hosts = () if self.listener.at_home else filter(_can_be_opened, lan_hosts())
        return tuple(map(self.url_for, hosts)) or (self.url_for(LOOPBACK),)

    async def accept_all(self, listener: TcpListener) -> None:
        """Serve whoever connects there, until cancelled; raises `OSError` if the listener fails."""
        async with trio.open_nursery() as nursery:
            while True:
                stream = await listener.accept()
                visit = self._visits.admit(stream.host)
                if visit is None:
                    stream.close()
                else:
                    nursery.start_soon(self._serve, stream, visit)

    async def _serve(self, stream: TcpStream, visit: BrowserVisit) -> None:
        """Answer one connection until it ends, or has become a stream."""
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
        """Answer requests; returns the stream that the connection has become, or None at its end.

        Raises what the connection raises.
        """
        http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.PAGE_HEAD_BYTES_MAX)
        for left in reversed(range(limits.PAGE_REQUESTS_MAX)):
            visit.note(is_idle=True)
            with trio.move_on_after(limits.PAGE_REQUEST_S) as in_time:
                asked = await _next_request(http, stream)
            if in_time.cancelled_caught:
                # an answer that nobody asked for would be taken for that to the next request
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
    """The next request, or the refusal of what is none; None where the connection has ended.

    Of a body nothing is read. Raises what the connection raises.
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
    """Send an answer, without its body where only its head was asked for."""
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
    """Make the connection a stream; None where octets came that nobody can have meant for it."""
    octets = http.send(h11.InformationalResponse(status_code=101, headers=[*answer.headers]))
    if http.trailing_data[0]:
        return None
    await stream.send_all(octets)
    return WebSocketStream(stream)


async def _linger(stream: TcpStream) -> None:
    """End our direction, and let the other side read what we have sent before all is closed."""
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
    """Serve a page within the block, at this address of ours, or at all of them.

    `place` is that of the same company from before; another port is taken where that one is in use.
    Raises `PortTrouble` on entry. Streams that were accepted outlive the block.
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
    """Listen on one port, at all addresses alike; raises `PortTrouble` if none is to be had."""
    for port in islice(ports_to_try(first), limits.PAGE_PORTS_TRIED):
        try:
            return port, await open_listeners(Listen(host, port))
        except PortTrouble as error:
            trouble = error
    raise trouble
