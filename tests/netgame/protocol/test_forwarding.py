"""Streams over one link between honest ends: credit, turns, and the reuse of numbers."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from netgame import limits
from netgame.protocol.forwarding import BUSY, FULL, Mux, StreamPhase
from netgame.wire import messages as wire

KEY = b"k" * 32
WINDOW, PIECE = limits.STREAM_WINDOW_BYTES, limits.STREAM_PIECE_BYTES_MAX


def carried(sender, receiver, count=None):
    """Carry all messages one way, or at most `count`; return the streams that they offer."""
    offered = []
    while count is None or count > 0:
        message = sender.next_message()
        if message is None:
            break
        offered.append(receiver.hear(message, 0.0))
        count = None if count is None else count - 1
    return [each for each in offered if each is not None]


def two():
    """Return two ends of a link."""
    return Mux(0.0), Mux(0.0)


def opened(near, far):
    """Open a stream between two ends of a link; return it as each end has it."""
    asked = near.ask(KEY)
    (offered,) = carried(near, far)
    far.accept(offered)
    carried(far, near)
    assert asked.phase is offered.phase is StreamPhase.OPEN
    assert (asked.theirs, offered.theirs) == (offered.number, asked.number)
    assert asked.refusal == ""
    return asked, offered


def test_a_stream_is_asked_for_by_key_and_opened():
    """A stream is asked for by a peer's key; each end gives it a number.

    Octets go both ways, in order.
    """
    near, far = two()
    for _ in range(2):
        far.ask(KEY)  # numbers differ from here on
    asked, offered = opened(near, far)
    assert (asked.number, offered.number, offered.key) == (0, 2, KEY)
    assert near.send(asked, b"to and ") == 7
    near.send(asked, b"fro")
    far.send(offered, b"back")
    carried(near, far)
    carried(far, near)
    assert (far.read(offered, 99), near.read(asked, 99)) == (b"to and fro", b"back")


def test_a_refused_stream_leaves_its_number_free():
    """A refused stream leaves its number free, and the asking end keeps the code."""
    near, far = two()
    asked = near.ask(KEY)
    (offered,) = carried(near, far)
    far.refuse(offered, "unlinked")
    carried(far, near)
    assert (asked.phase, asked.refusal) == (StreamPhase.GONE, "unlinked")
    assert opened(near, far)[0].number == asked.number


def test_no_more_is_sent_than_the_other_end_has_room_for():
    """No more is sent than the other end has room for; reading half a window grants more."""
    near, far = two()
    asked, offered = opened(near, far)
    assert near.send(asked, bytes(2 * WINDOW)) == WINDOW
    carried(near, far)
    assert near.send(asked, bytes(2 * WINDOW)) == WINDOW
    assert len(offered.came) == WINDOW
    assert near.next_message() is None
    assert not near.is_due
    far.read(offered, WINDOW // 2 - 1)
    assert far.next_message() is None
    far.read(offered, 1)
    carried(far, near)
    assert asked.credit == WINDOW // 2
    carried(near, far)
    assert len(offered.came) == WINDOW
    far.read(offered, 2 * WINDOW)
    carried(far, near)
    assert asked.credit == WINDOW
    carried(near, far)
    far.read(offered, 2 * WINDOW)
    carried(far, near)
    assert asked.credit == WINDOW
    assert far.read(offered, 1) == b""
    assert not far.is_due


def test_the_last_octet_that_there_is_room_for_leaves():
    """The last octet that the other end has room for is sent, and no more."""
    near, far = two()
    asked, offered = opened(near, far)
    near.send(asked, bytes(WINDOW - 1))
    carried(near, far)
    near.send(asked, b"xy")
    assert near.is_due
    carried(near, far)
    assert (len(offered.came), asked.unsent) == (WINDOW, b"y")


def test_both_ends_are_told_of_what_the_other_does_and_of_room():
    """Each end of a stream is woken by what the other end does, and by new room."""
    near, far = two()
    asked, offered = opened(near, far)
    told = []
    asked.stir = lambda: told.append("near")
    offered.stir = lambda: told.append("far")
    near.send(asked, b"x")
    carried(near, far)
    near.end(asked)
    carried(near, far)
    assert told == ["near", "far", "far"]


def test_octets_leave_in_pieces_and_the_streams_take_turns():
    """Octets leave in pieces, and streams take turns, so a long stream does not delay the others.

    Requests for streams go first.
    """
    near, far = two()
    much, _ = opened(near, far)
    little, _ = opened(near, far)
    near.send(much, bytes(WINDOW))
    near.send(little, b"a word")
    near.ask(KEY)
    sent = [near.next_message() for _ in range(4)]
    assert isinstance(sent[0], wire.StreamOpen)
    assert {len(each.octets) for each in sent[1:3]} == {PIECE, 6}
    assert len(sent[3].octets) == PIECE


def test_an_end_comes_behind_what_was_sent_before():
    """The message that ends a direction arrives after all octets that were sent before it."""
    near, far = two()
    asked, offered = opened(near, far)
    near.send(asked, b"last words")
    near.end(asked)
    assert near.send(asked, b"more") == 0
    carried(near, far)
    assert offered.has_ended
    assert far.read(offered, 99) == b"last words"
    near.close(asked)
    assert [near.next_message(), near.next_message()] == [wire.StreamClose(offered.number), None]


def test_who_sends_no_more_goes_on_hearing():
    """An end that sends no more can still receive; the other end then grants it no more credit."""
    near, far = two()
    asked, offered = opened(near, far)
    near.send(asked, bytes(WINDOW))
    near.end(asked)
    carried(near, far)
    assert len(far.read(offered, WINDOW)) == WINDOW
    assert not far.is_due
    far.send(offered, b"heard")
    carried(far, near)
    assert near.read(asked, 99) == b"heard"


def test_what_the_other_end_has_room_for_still_comes_when_a_stream_is_closed():
    """Octets that the other end has room for are still delivered after a stream is closed."""
    near, far = two()
    asked, offered = opened(near, far)
    near.send(asked, bytes(WINDOW))
    carried(near, far)
    near.send(asked, b"no room for this")
    far.send(offered, b"unread")
    carried(far, near)
    near.close(asked)
    assert asked.came == b""
    assert near.send(asked, b"late") == 0
    near.end(asked)
    carried(near, far)
    assert (offered.phase, len(far.read(offered, 2 * WINDOW))) == (StreamPhase.GONE, WINDOW)
    assert not offered.has_ended
    carried(far, near)
    assert asked.phase is StreamPhase.GONE
    assert opened(near, far)[0].number == asked.number


def test_who_gives_up_before_the_answer_closes_the_stream_then():
    """A stream given up while unanswered is closed as soon as the answer comes."""
    near, far = two()
    asked = near.ask(KEY)
    (offered,) = carried(near, far)
    near.close(asked)
    assert near.next_message() is None
    far.accept(offered)
    far.send(offered, b"hello")
    carried(far, near)
    carried(near, far)
    carried(far, near)
    assert asked.phase is offered.phase is StreamPhase.GONE
    assert asked.came == b""


def test_closing_what_is_offered_refuses_it():
    """Closing an offered stream refuses it, so that the asking end does not wait."""
    near, far = two()
    asked = near.ask(KEY)
    (offered,) = carried(near, far)
    far.close(offered)
    carried(far, near)
    assert (asked.phase, asked.refusal) == (StreamPhase.GONE, BUSY)


def test_so_many_streams_and_so_many_asked_for_in_a_time(monkeypatch):
    """Too many streams at once are refused as full, and too many in a given time as busy.

    Without a free number, no stream is even asked for.
    """
    near, far = two()
    made = [opened(near, far) for _ in range(limits.STREAMS_PER_LINK_MAX - 1)]
    near.ask(KEY)
    assert near.ask(KEY) is None
    assert far.hear(near.next_message(), 0.0) is not None
    refused = Mux(0.0)
    refused._streams = far._streams
    assert refused.hear(wire.StreamOpen(999, KEY), 0.0) is None
    assert refused.next_message() == wire.StreamRefused(999, FULL)
    near.close(made[0][0])
    carried(near, far)
    assert far.hear(wire.StreamOpen(999, KEY), 0.0) is None
    assert [far.next_message() for _ in range(2)][1] == wire.StreamRefused(999, BUSY)
    assert far.hear(wire.StreamOpen(999, KEY), 1 / limits.STREAM_OPENS_PER_S) is not None


def test_all_streams_are_gone_with_their_link():
    """All streams end with their link; octets that have arrived may still be read."""
    near, far = two()
    asked, offered = opened(near, far)
    near.send(asked, b"so far")
    carried(near, far)
    far.ask(KEY)
    far.send(offered, b"unsent")
    told = []
    offered.stir = lambda: told.append(offered.phase)
    far.cut()
    assert offered.unsent == b""
    assert told == [StreamPhase.GONE]
    assert far.read(offered, 99) == b"so far"
    assert far.next_message() is None


class HonestEnds(RuleBasedStateMachine):
    """Two honest ends act and hear messages in any order, and neither ever blames the other.

    Octets are read in the order in which they were sent. In the end all of them have been read,
    except on streams that an end has closed.
    """

    def __init__(self):
        super().__init__()
        self.ends = two()
        self.lines = [], []
        """The messages on their way to each end."""
        self.pairs = []
        """The two ends of each opened stream, each with its sent and read octets."""
        self.asked = {}
        self.offered = []

    @initialize()
    def begin(self):
        """Open a stream each way, so that there is something to do."""
        for end in (0, 1):
            self.ask(end)
            self.leave(end, 1)
            self.come(1 - end, 1)
            self._answer(0, accept=True)
            self.leave(1 - end, 1)
            self.come(end, 1)

    @rule(end=st.integers(0, 1))
    def ask(self, end):
        """Ask for a stream."""
        stream = self.ends[end].ask(KEY)
        if stream is not None:
            self.asked[end, stream.number] = stream

    @rule(end=st.integers(0, 1), count=st.integers(1, 8))
    def leave(self, end, count):
        """Put due messages on their way."""
        for _ in range(count):
            message = self.ends[end].next_message()
            if message is not None:
                self.lines[1 - end].append(message)

    @rule(end=st.integers(0, 1), count=st.integers(1, 8))
    def come(self, end, count):
        """Hear messages that are on their way."""
        for _ in range(min(count, len(self.lines[end]))):
            message = self.lines[end].pop(0)
            offered = self.ends[end].hear(message, 1e9)
            if offered is not None:
                self.offered.append((end, offered, self.asked.pop((1 - end, message.number))))

    @precondition(lambda self: self.offered)
    @rule(data=st.data(), accept=st.booleans())
    def answer(self, data, accept):
        """Accept an offered stream, or refuse it."""
        self._answer(data.draw(st.integers(0, len(self.offered) - 1)), accept=accept)

    def _answer(self, at, *, accept):
        end, offered, asked = self.offered.pop(at)
        if not accept:
            self.ends[end].refuse(offered, "no")
            return
        self.ends[end].accept(offered)
        self.pairs.append({end: (offered, [], []), 1 - end: (asked, [], [])})

    def _one(self, data):
        pair = self.pairs[data.draw(st.integers(0, len(self.pairs) - 1))]
        end = data.draw(st.integers(0, 1))
        return (self.ends[end], *pair[end])

    @precondition(lambda self: self.pairs)
    @rule(data=st.data(), count=st.sampled_from([1, 100, PIECE, PIECE + 1, WINDOW, 2 * WINDOW]))
    def send(self, data, count):
        """Send octets."""
        mux, stream, sent, _ = self._one(data)
        octets = bytes([len(sent) % 251]) * count
        taken = mux.send(stream, octets)
        if taken:
            sent.append(octets[:taken])

    @precondition(lambda self: self.pairs)
    @rule(data=st.data(), count=st.sampled_from([1, 1000, WINDOW]))
    def read(self, data, count):
        """Read octets."""
        mux, stream, _, read = self._one(data)
        read.append(mux.read(stream, count))

    @precondition(lambda self: self.pairs)
    @rule(data=st.data(), closes=st.booleans())
    def stop(self, data, closes):
        """Close a stream, or end one direction of it."""
        mux, stream, _, _ = self._one(data)
        (mux.close if closes else mux.end)(stream)

    @invariant()
    def nothing_waits_without_bound(self):
        """No end keeps more than a window of octets each way, or more streams than it may."""
        for mux in self.ends:
            assert len(mux._streams) <= limits.STREAMS_PER_LINK_MAX
            for stream in mux._streams.values():
                assert max(len(stream.came), len(stream.unsent)) <= WINDOW
                assert 0 <= stream.credit <= WINDOW
                assert 0 <= stream.allowed <= WINDOW

    @invariant()
    def octets_come_in_order(self):
        """The octets read are a prefix of the octets sent."""
        for pair in self.pairs:
            for end in (0, 1):
                sent, read = b"".join(pair[end][1]), b"".join(pair[1 - end][2])
                assert sent.startswith(read)

    def teardown(self):
        """Check that open streams deliver all octets, and that closed streams are forgotten."""
        whole = [
            p for p in self.pairs if all(p[end][0].phase is StreamPhase.OPEN for end in (0, 1))
        ]
        self._settle()
        for pair in whole:
            for end in (0, 1):
                assert b"".join(pair[end][1]) == b"".join(pair[1 - end][2])
        for mux in self.ends:
            for stream in tuple(mux._streams.values()):
                mux.close(stream)
        self._settle()
        for mux in self.ends:
            assert not mux._streams
            assert not mux._named
            assert not mux._turns

    def _settle(self):
        for _ in range(2_000):
            for end in (0, 1):
                self.leave(end, 8)
                self.come(1 - end, 64)
            for end, offered, _ in self.offered:
                self.ends[end].refuse(offered, "no")
            self.offered.clear()
            for pair in self.pairs:
                for end in (0, 1):
                    stream, _, read = pair[end]
                    read.append(self.ends[end].read(stream, WINDOW))
            if not any(mux.is_due for mux in self.ends) and not any(self.lines):
                return
        raise AssertionError("there is no end of it")


HonestEnds.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestHonestEnds = HonestEnds.TestCase
