"""The times at which messages of first contact leave reveal nothing about the join code."""

import pytest
import trio
import trio.testing

from netgame.crypto.noise import Handshake
from netgame.io.door import channel, first_contact
from netgame.io.door.channel import Channel
from netgame.io.door.first_contact import next_beat
from netgame.io.links import FramedStream
from netgame.limits import CODE_ANSWER_S, HANDSHAKE_TIMEOUT_S, UNAUTHENTICATED_GRACE_S
from netgame.wire.codec import decode_any
from netgame.wire.messages import ChannelMessage, ClientProof, CodeAnswer, CodeProof, Verdict
from tests.netgame.io.door.ends import ANN, CODE, OTHER, code_door, hosting, meet

COSTS = (0.001, 0.008, 0.008002, 0.03, 0.0499)
"""Seconds for one part of SPAKE2; the server does two of them for one answer."""


@pytest.fixture
def sent(monkeypatch):
    """Return a function that runs a first contact and returns the kind and time of each message.

    Only waiting, and each part of SPAKE2, which takes `cost` seconds, advance the virtual time.
    """
    clock, messages = {}, []

    async def in_turn(work):
        done = work()
        await trio.sleep(clock["cost"])
        return done

    def note(kind):
        messages.append((kind, round(trio.current_time() - clock["start"], 6)))

    class Watched(FramedStream):
        async def send_frame(self, body):
            note(type(decode_any(body, ChannelMessage)))
            await super().send_frame(body)

    class WatchedHandshake(Handshake):
        def finish(self, payload):
            note(type(decode_any(payload, ChannelMessage)))
            return super().finish(payload)

    def run(cost, code):
        async def main():
            clock.update(cost=cost, start=trio.current_time())
            messages.clear()
            prove = Channel(ANN).prove
            await meet(lambda stream: prove(stream, None, code), hosting(code_door()))

        trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
        return list(messages)

    monkeypatch.setattr(first_contact, "in_turn", in_turn)
    monkeypatch.setattr(channel, "in_turn", in_turn)
    monkeypatch.setattr(channel, "FramedStream", Watched)
    monkeypatch.setattr(channel, "Handshake", WatchedHandshake)
    return run


def test_messages_leave_on_the_beat_whatever_the_work_cost(sent):
    """Messages leave on the beat, however long SPAKE2 takes, for a right or a wrong code."""
    for code in (CODE, OTHER):
        seen = {tuple(sent(cost, code)) for cost in COSTS}
        assert len(seen) == 1, seen
        times = dict(seen.pop()[1:])
        assert times[ClientProof] == pytest.approx(CODE_ANSWER_S)
        assert times[CodeAnswer] == pytest.approx(2 * CODE_ANSWER_S)
        assert times[CodeProof] >= 3 * CODE_ANSWER_S - 1e-6
        assert Verdict in times


def test_a_slow_computer_answers_a_whole_beat_later(sent):
    """If SPAKE2 takes longer than a beat, the messages leave on a later beat.

    So an attacker sees only whole beats, which are much longer than any difference between codes.
    """
    assert sent(CODE_ANSWER_S * 0.6, CODE) == sent(CODE_ANSWER_S * 0.9, CODE)
    assert sent(CODE_ANSWER_S * 0.6, CODE) != sent(CODE_ANSWER_S * 0.2, CODE)


@pytest.mark.parametrize(("now", "beat"), [(7.0, 7.1), (7.05, 7.1), (7.1, 7.2), (7.31, 7.4)])
def test_a_beat_is_always_still_to_come(now, beat):
    """The next beat is a whole number of beats after the other side's message, and after now."""
    assert next_beat(7.0, now) == pytest.approx(7.0 + (beat - 7.0) / 0.1 * CODE_ANSWER_S)


def test_first_contact_fits_its_limits():
    """Four beats fit into a turn at the door, and a turn fits into a handshake's time limit."""
    assert 4 * CODE_ANSWER_S < UNAUTHENTICATED_GRACE_S < HANDSHAKE_TIMEOUT_S
