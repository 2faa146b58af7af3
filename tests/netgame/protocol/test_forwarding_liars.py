"""A liar at the other end of a link with streams: each breach ends the link, and costs little."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame import limits
from netgame.errors import Malformed
from netgame.protocol.forwarding import HEARD, Mux, StreamPhase
from netgame.wire import messages as wire
from tests.netgame.protocol.test_forwarding import KEY, PIECE, WINDOW, opened, two

SAID = wire.StreamMessage.__args__[1:]
"""Messages that name a stream by the receiver's number."""


def of_kind(kind, number):
    """Return a message of this kind about the stream of that number."""
    more = {
        wire.StreamOpened: {"own": 77},
        wire.StreamRefused: {"code": "no"},
        wire.StreamData: {"octets": b"x"},
        wire.StreamWindow: {"more": 1},
    }
    return kind(number, **more.get(kind, {}))


def in_phase(phase):
    """Return an end and its only stream, which is in this phase."""
    mux, far = two()
    if phase is StreamPhase.OFFERED:
        return mux, mux.hear(wire.StreamOpen(5, KEY), 0.0)
    if phase in (StreamPhase.ASKED, StreamPhase.GIVEN_UP):
        stream = mux.ask(KEY)
    else:
        stream, _ = opened(mux, far)
        mux.send(stream, b"octets")
        mux.next_message()
    if phase in (StreamPhase.GIVEN_UP, StreamPhase.CLOSING):
        mux.close(stream)
    if phase is StreamPhase.GONE:
        mux.hear(wire.StreamClose(stream.number), 0.0)
    assert stream.phase is phase
    return mux, stream


@pytest.mark.parametrize(("phase", "kind"), [*product(StreamPhase, SAID)], ids=str)
def test_what_has_no_row_in_the_table_ends_the_link(phase, kind):
    """A message without a row for the stream's phase ends the link; every pair is tried."""
    mux, stream = in_phase(phase)
    over = (StreamPhase.GIVEN_UP, StreamPhase.CLOSING, StreamPhase.GONE)
    assert stream.is_over == (phase in over)
    after = HEARD.get((phase, kind))
    message = of_kind(kind, stream.number)
    if after is None:
        with pytest.raises(Malformed):
            mux.hear(message, 0.0)
        return
    mux.hear(message, 0.0)
    assert stream.phase is after


@pytest.mark.parametrize(
    "lie",
    [
        (wire.StreamData(0, bytes(PIECE)),) * (WINDOW // PIECE) + (wire.StreamData(0, b"x"),),
        (wire.StreamWindow(0, 1),),
        (wire.StreamEnd(0), wire.StreamEnd(0)),
        (wire.StreamEnd(0), wire.StreamData(0, b"x")),
        (wire.StreamOpen(0, KEY),),
        (wire.StreamClose(0), wire.StreamClose(0)),
        (wire.StreamData(1, b"x"),),
    ],
    ids=["window", "credit", "two ends", "behind the end", "same number", "two closes", "unknown"],
)
def test_a_breach_ends_the_link(lie):
    """The last message of each breach ends the link; the messages before it are allowed."""
    mux, far = two()
    opened(mux, far)
    for message in lie[:-1]:
        mux.hear(message, 0.0)
    with pytest.raises(Malformed):
        mux.hear(lie[-1], 0.0)


def test_an_answer_with_a_number_in_use_ends_the_link():
    """An answer with a number in use ends the link, because two streams would become one."""
    mux, far = two()
    opened(mux, far)
    second = mux.ask(KEY)
    with pytest.raises(Malformed):
        mux.hear(wire.StreamOpened(second.number, 0), 0.0)


def test_who_takes_no_answers_may_ask_only_so_often():
    """A peer that takes no answers loses its link once more answers wait than are allowed."""
    mux = Mux(0.0)
    answered = limits.STREAM_OPENS_BURST
    for number in range(answered + limits.STREAM_REPLIES_MAX):
        mux.hear(wire.StreamOpen(number, KEY), 0.0)
    with pytest.raises(Malformed):
        mux.hear(wire.StreamOpen(number + 1, KEY), 0.0)


NUMBERS = st.integers(0, 3)
LIES = st.one_of(
    st.builds(wire.StreamOpen, NUMBERS, st.sampled_from([b"", KEY])),
    st.builds(wire.StreamOpened, NUMBERS, NUMBERS),
    st.builds(wire.StreamRefused, NUMBERS, st.just("no")),
    st.builds(wire.StreamData, NUMBERS, st.binary(min_size=1, max_size=PIECE)),
    st.builds(wire.StreamWindow, NUMBERS, st.integers(1, WINDOW)),
    st.builds(wire.StreamEnd, NUMBERS),
    st.builds(wire.StreamClose, NUMBERS),
)


@given(st.lists(st.tuples(LIES, st.sampled_from(["accept", "refuse", "close", "ask", "send"]))))
@settings(max_examples=300, deadline=None)
def test_no_liar_makes_an_end_fail_or_keep_more_than_it_may(lies):
    """A liar's messages never make an end fail, or keep more than it may."""
    mux, ours = Mux(0.0), []
    for lie, does in lies:
        try:
            offered = mux.hear(lie, 0.0)
        except Malformed:
            mux.cut()
            return
        ours += [] if offered is None else [offered]
        ours += [mux.ask(KEY)] if does == "ask" else []
        for stream in ours[-2:]:
            match does:
                case "accept":
                    mux.accept(stream)
                case "refuse":
                    mux.refuse(stream, "no")
                case "close":
                    mux.close(stream)
                case "send":
                    mux.send(stream, bytes(PIECE))
        mux.next_message()
        for stream in mux._streams.values():
            assert len(stream.came) <= WINDOW


def test_a_refused_stream_frees_no_number_of_another():
    """A refused stream never had a number at the other end; its refusal frees no number there."""
    mux, far = two()
    for _ in range(2):
        opened(mux, far)
    refused = mux.ask(KEY)
    mux.hear(wire.StreamRefused(refused.number, "no"), 0.0)
    with pytest.raises(Malformed):
        mux.hear(wire.StreamOpen(1, KEY), 0.0)
