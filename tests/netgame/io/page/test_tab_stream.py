"""A WebSocket as a stream of octets: their order, its limits, and the ways in which it ends."""

import pytest
import trio
from wsproto.events import BytesMessage, CloseConnection, Ping, Pong, TextMessage

from netgame import limits
from netgame.errors import Disconnected, Refused, SaidGoodbye
from netgame.io.door.acceptor import Acceptor
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.links import Link
from netgame.io.network.listen import LOOPBACK
from netgame.io.network.streams import HERE
from netgame.io.network.tcp import TcpStream
from netgame.io.page.tab_stream import WebSocketStream
from tests.netgame.io.door.ends import ANN, BEN, CODE, outcomes_of
from tests.netgame.io.page.browsers import both_ends, open_tab, served


async def test_octets_come_in_order_however_they_are_cut(tmp_path):
    """Octets arrive in order, however they are cut into messages and frames, and despite a ping."""
    async with both_ends(tmp_path) as (tab, stream):
        await tab.send_all(b"one ")
        await tab.send_event(BytesMessage(b"t", message_finished=False))
        await tab.send_event(Ping(b"there?"))
        await tab.send_event(BytesMessage(b"wo", message_finished=True))
        await tab.send_event(BytesMessage(b""))
        octets = tab.frames.send(BytesMessage(b" three"))
        heard = b""
        while len(heard) < 7:
            heard += await stream.receive_some(2)
        for at in range(len(octets)):  # a frame that comes octet by octet
            await tab.below.send_all(octets[at : at + 1])
        while len(heard) < 13:
            heard += await stream.receive_some()
        assert heard == b"one two three"
        assert Pong(b"there?") in await tab.hear()


async def test_a_ping_is_not_taken_for_octets(tmp_path):
    """A ping or an empty message does not make a stream readable; octets do.

    So a browser that only pings gets no turn at the door.
    """
    async with both_ends(tmp_path) as (tab, stream):
        await tab.send_event(Ping(b"x"))
        await tab.send_event(BytesMessage(b""))
        with trio.move_on_after(0.1) as scope:
            await stream.wait_readable()
        assert scope.cancelled_caught
        await tab.send_all(b"now")
        await stream.wait_readable()
        assert await stream.receive_some() == b"now"


async def test_nobody_behind_a_page_is_on_this_computer(tmp_path):
    """A stream from a browser on the host's computer does not count as one from a program there.

    The source of a browser elsewhere is its address.
    """
    async with both_ends(tmp_path) as (_, stream):
        assert (stream.source, stream.host) == (f"page {LOOPBACK}", "")
        assert stream.source != HERE
        below = stream._below._stream.socket
        for near, far, source, host in (
            (("10.0.0.5", 1), ("10.0.0.5", 2), "page 10.0.0.5", ""),
            (("10.0.0.5", 1), ("10.0.0.6", 2), "10.0.0.6", "10.0.0.6"),
        ):
            each = WebSocketStream(TcpStream(below, near, far))
            assert (each.source, each.host) == (source, host)


async def test_what_is_sent_comes_as_messages_that_are_not_too_long(tmp_path):
    """All octets arrive, in messages within the limit, however slowly the browser reads."""
    octets = bytes(range(256)) * 8_192  # 2 MiB: more than the system takes
    async with both_ends(tmp_path) as (tab, stream):

        async def send():
            left = octets
            while taken := stream.send_now(left[:100_001]):
                left = left[taken:]
            assert len(left) < len(octets)
            await stream.send_all(left)
            await stream.send_eof()

        async def receive():
            longest, message = 0, 0
            while len(tab.came) < len(octets):
                for event in await tab.hear():
                    message += len(event.data)
                    longest = max(longest, message)
                    message = 0 if event.message_finished else message
            assert longest <= limits.PAGE_MESSAGE_BYTES_MAX
            assert tab.came == octets

        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(send)
                await trio.testing.wait_all_tasks_blocked()
                assert stream.send_now(b"more") == 0  # another task is sending
                nursery.start_soon(receive)


async def test_what_send_now_could_not_take_comes_once(tmp_path):
    """Octets that `send_now` did not take arrive once if they are sent again, by either method."""
    octets = bytes(range(256)) * 8_192
    for way in ("send_now", "send_all"):
        async with both_ends(tmp_path) as (tab, stream):
            left, stuck = octets, False
            with trio.fail_after(60):
                while left:
                    taken = stream.send_now(left)
                    left = left[taken:]
                    stuck = stuck or bool(left)
                    if left and way == "send_all":
                        async with trio.open_nursery() as nursery:
                            nursery.start_soon(stream.send_all, left)
                            while len(tab.came) < len(octets):
                                await tab.hear()
                        left = b""
                    elif left:
                        await tab.hear()
                while len(tab.came) < len(octets):
                    await tab.hear()
            assert stuck
            assert tab.came == octets


BAD = {
    "text": ([TextMessage("hello")], 1003),
    "an empty text": ([TextMessage("")], 1003),
    "too long a message": ([BytesMessage(bytes(limits.PAGE_MESSAGE_BYTES_MAX + 1))], 1009),
    "too long a message, in parts": (
        [
            BytesMessage(bytes(limits.PAGE_MESSAGE_BYTES_MAX), message_finished=False),
            BytesMessage(b"x", message_finished=True),
        ],
        1009,
    ),
}


async def heard_all(stream):
    """Receive until the stream ends."""
    while await stream.receive_some():
        pass


@pytest.mark.parametrize(("events", "code"), BAD.values(), ids=BAD)
async def test_other_messages_close_the_stream(tmp_path, events, code):
    """A text message, or one that is too long, breaks the stream with a close code.

    If some of its octets were not read, the browser might not receive the code.
    """
    async with both_ends(tmp_path) as (tab, stream):
        for event in events:
            await tab.send_event(event)
        with trio.fail_after(30):
            with pytest.raises(trio.BrokenResourceError):
                await heard_all(stream)
            with pytest.raises(trio.BrokenResourceError):
                await stream.send_all(b"x")
            assert stream.send_now(b"x") == 0
            try:
                while not tab.has_ended:
                    await tab.hear()
                assert tab.closed_with == code
            except trio.BrokenResourceError:  # our unread octets discarded the close frame
                assert len(events[0].data) > limits.PAGE_READ_BYTES


FRAMES = {
    "not masked": b"\x82\x01x",
    "reserved bits": b"\xc2\x81\0\0\0\0x",
    "an unknown kind": b"\x83\x81\0\0\0\0x",
    "a fragment of nothing": b"\x80\x81\0\0\0\0x",
    "a second beginning": b"\x02\x81\0\0\0\0x\x02\x81\0\0\0\0x",
    "a ping in parts": b"\x09\x81\0\0\0\0x",
    "a long ping": b"\x89\xfe\0\x7e\0\0\0\0" + bytes(126),
    "a length in too many octets": b"\x82\xfe\0\x05\0\0\0\0hello",
    "a length beyond all": b"\x82\xff" + b"\xff" * 8 + bytes(4),
    "half a reason": b"\x88\x81\0\0\0\0x",
    "a reason that is none": b"\x88\x82\0\0\0\0\x03\xed",
    "text that is none": b"\x81\x81\0\0\0\0\xff",
}


@pytest.mark.parametrize("octets", FRAMES.values(), ids=FRAMES)
async def test_octets_that_are_no_frames_close_the_stream(tmp_path, octets):
    """Octets that are not valid frames break the stream with close code 1002, 1003 or 1007."""
    async with both_ends(tmp_path) as (tab, stream):
        await tab.below.send_all(octets)
        with trio.fail_after(30):
            with pytest.raises(trio.BrokenResourceError):
                await stream.receive_some()
            while not tab.has_ended:
                await tab.hear()
        assert tab.closed_with in (1002, 1003, 1007)


async def test_a_browser_that_closes_is_answered_and_what_it_said_before_is_heard(tmp_path):
    """When a browser closes, its last octets can be read and its close is answered.

    After that nothing can be sent.
    """
    async with both_ends(tmp_path) as (tab, stream):
        await tab.send_all(b"last words")
        await tab.send_event(CloseConnection(1000))
        assert await stream.receive_some() == b"last words"
        assert await stream.receive_some() == b""
        assert await stream.receive_some() == b""
        with pytest.raises(trio.BrokenResourceError):
            await stream.send_all(b"x")
        assert stream.send_now(b"x") == 0
        await tab.hear()
        assert tab.closed_with == 1000


async def test_a_browser_that_vanishes_is_an_end_without_a_word(tmp_path):
    """A browser that vanishes, even in the middle of a frame, ends the stream without an error."""
    async with both_ends(tmp_path) as (tab, stream):
        await tab.below.send_all(tab.frames.send(BytesMessage(b"half of it"))[:-4])
        await tab.below.send_eof()
        with trio.fail_after(30):
            heard = b""
            while octets := await stream.receive_some():
                heard += octets
        assert b"half of it".startswith(heard)


async def test_closing_tells_the_browser_and_wakes_whoever_waits(tmp_path):
    """Closing tells the browser and wakes waiting tasks; a second close changes nothing."""
    async with both_ends(tmp_path) as (tab, stream):
        became = []

        async def wait():
            with pytest.raises(trio.ClosedResourceError):
                await stream.receive_some()
            became.append("woken")

        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(wait)
                await trio.testing.wait_all_tasks_blocked()
                stream.close()
            stream.close()
            await tab.hear()
        assert became == ["woken"]
        assert tab.closed_with == 1000
        assert stream.send_now(b"x") == 0
        for use in (stream.wait_readable, stream.send_eof, lambda: stream.send_all(b"x")):
            with pytest.raises(trio.ClosedResourceError):
                await use()


async def test_pings_without_end_are_read_slowly(tmp_path, monkeypatch):
    """Many pings and empty messages are read slowly, so octets sent after them have to wait."""
    monkeypatch.setattr(limits, "LINK_FRAMES_BURST", 10)
    monkeypatch.setattr(limits, "LINK_FRAMES_PER_S", 0.01)
    async with both_ends(tmp_path) as (tab, stream):
        frames = tab.frames.send(Ping(b"x")) * 10 + tab.frames.send(BytesMessage(b"")) * 10
        await tab.below.send_all(frames)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stream.wait_readable)
            pongs = 0
            while pongs < 10:
                pongs += len(await tab.hear())
            nursery.cancel_scope.cancel()
        await tab.send_all(b"late")
        with trio.move_on_after(0.1) as scope:
            await stream.receive_some()
        assert scope.cancelled_caught


async def test_answers_to_pings_do_not_pile_up(tmp_path):
    """Pongs that the browser does not read are queued only up to a limit."""
    async with both_ends(tmp_path) as (tab, stream):
        octets = bytes(limits.PAGE_MESSAGE_BYTES_MAX)
        while stream.send_now(octets) == len(octets):
            pass
        before = len(stream._unsent)
        assert before
        for _ in range(50):
            await tab.send_event(Ping(bytes(125)))
        await tab.send_all(b"heard all of them")
        while await stream.receive_some() != b"heard all of them":
            pass
        assert len(stream._unsent) < before + 1_024 + 127


# ---- the channel over it ------------------------------------------------------------------------


async def test_a_channel_is_proved_over_it_and_a_link_ends_well(tmp_path):
    """A channel with a join code works over a WebSocket, and a link over it delivers all messages.

    Both ends of the link then end in an orderly way.
    """
    async with both_ends(tmp_path) as (tab, stream):
        served_one, proved = await outcomes_of(
            Channel(BEN).serve(stream, Door(CODE)), Channel(ANN).prove(tab, BEN.public, CODE)
        )
        assert served_one.peer == ANN.public
        assert served_one.source == f"page {LOOPBACK}"
        assert proved.peer == BEN.public
        heard = {"host": [], "tab": []}
        ends = {"host": Link(served_one), "tab": Link(proved)}

        async def run(name):
            async def deliver(body):
                heard[name].append(body)
                if min(map(len, heard.values())) == 50:
                    ends["host"].finish("the game is over")

            await ends[name].run(deliver)

        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run, "host")
                nursery.start_soon(run, "tab")
                for number in range(50):
                    ends["host"].send(b"from the host %d" % number)
                    ends["tab"].send(b"from the tab %d" % number * 1_000)
        assert heard["tab"] == [b"from the host %d" % number for number in range(50)]
        assert heard["host"] == [b"from the tab %d" % number * 1_000 for number in range(50)]
        assert ends["tab"].reason == "the other side closed the link"


async def test_a_tab_that_says_goodbye_is_told_from_one_that_vanishes(tmp_path):
    """A tab says goodbye inside the channel; closing the WebSocket alone is not a goodbye."""
    for goodbye, trouble in ((True, SaidGoodbye), (False, Disconnected)):
        async with both_ends(tmp_path) as (tab, stream):
            served_one, proved = await outcomes_of(
                Channel(BEN).serve(stream, Door(anybody=True)), Channel(ANN).prove(tab)
            )
            if goodbye:
                await proved.frames.stream.send_eof()
            await tab.send_event(CloseConnection(1001))
            with trio.fail_after(30), pytest.raises(Disconnected) as raised:
                await served_one.frames.receive_frame()
            assert type(raised.value) is trouble


async def test_the_door_of_the_table_takes_it_like_any_other_stream(tmp_path):
    """The table's door refuses a browser's stream without the code, and limits its tries.

    The tries are counted against the source of the stream, `page 127.0.0.1`.
    """
    kept = []

    async def keep(proved):
        kept.append(proved)
        proved.frames.stream._below.close()

    async with served(tmp_path) as door:
        guarded = Door(CODE)
        acceptor = Acceptor(Channel(BEN), guarded, keep)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(acceptor.accept_all, door.listener)
            tab = await open_tab(door)
            with pytest.raises(Refused):
                await Channel(ANN).prove(tab)
            tab.close()
            for _ in range(limits.CODE_RUNS_BURST):
                assert guarded.begin_try(f"page {LOOPBACK}", trio.current_time()) == CODE
            tab = await open_tab(door)
            outcome, *_ = await outcomes_of(Channel(ANN).prove(tab, code=CODE))
            assert isinstance(outcome, Refused)
            assert outcome.code == "busy"
            tab.close()
            nursery.cancel_scope.cancel()
    assert kept == []
