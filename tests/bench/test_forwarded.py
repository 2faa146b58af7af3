"""The benchmark of forwarded links: its switch, and the figures it computes from notices."""

import socket
from contextlib import suppress

import pytest

from bench._switch import DelayingSwitch
from bench.forwarded import compared, taken

DELAY_S = 5.0
HOSTS = [bytes([2, 0, 0, 0, 0, number]) for number in range(3)]
ALL = b"\xff" * 6


@pytest.fixture
def wired():
    """Yield a pair of connected sockets for each host: its own end, and its port of the switch."""
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in HOSTS]
    for pair in pairs:
        for end in pair:
            end.setblocking(False)
    yield pairs
    for pair in pairs:
        for end in pair:
            end.close()


def got(cable):
    """Return all frames that have arrived at a host."""
    frames = []
    with suppress(BlockingIOError):
        while True:
            frames.append(cable.recv(100))
    return frames


def sends(wired, switch, source, target, at=0.0):
    """Send a frame at the time `at`; return the numbers of the hosts that get it when it is due.

    Assert that nobody gets it earlier.
    """
    frame = target + HOSTS[source] + b"frame"
    wired[source][0].send(frame)
    switch.take(wired[source][1].fileno(), at)
    switch.hand_on(at + DELAY_S - 0.1)
    assert not any(got(cable) for cable, _ in wired)
    switch.hand_on(at + DELAY_S)
    return [number for number, (cable, _) in enumerate(wired) if got(cable) == [frame]]


@pytest.mark.parametrize("apart", [False, True])
def test_the_switch_keeps_all_but_the_first_apart(wired, apart):
    """After the delay a frame leaves by its target's port, or by all ports until that is known.

    With `apart`, every host but the first reaches only the first.
    """
    switch = DelayingSwitch([port.fileno() for _, port in wired], DELAY_S, apart=apart)
    assert sends(wired, switch, 0, ALL) == [1, 2]
    assert sends(wired, switch, 1, ALL) == ([0] if apart else [0, 2])
    assert sends(wired, switch, 1, HOSTS[2]) == ([0] if apart else [0, 2]), "never seen"
    assert sends(wired, switch, 2, HOSTS[1]) == ([] if apart else [1])
    assert sends(wired, switch, 2, HOSTS[0]) == [0]


def test_a_move_is_over_when_the_last_has_been_told():
    """A move lasts from the last notice of the move before it to the last notice of itself.

    The deal lasts from the first notice that the game has started to the last that it is dealt.
    """
    told = [
        [("GameStarted", 1.0), ("Dealt", 2.0), ("lay", 2.1), ("draw", 2.5)],
        [("GameStarted", 1.1), ("Dealt", 2.25), ("lay", 2.4), ("draw", 2.45)],
    ]
    run = taken(told)
    assert run.deal == pytest.approx(1250)
    assert [kind for kind, _ in run.moves] == ["lay", "draw"]
    assert [ms for _, ms in run.moves] == pytest.approx([150, 100])
    assert run.parts["30 moves"] == pytest.approx(250)


def test_only_what_happened_both_ways_is_compared():
    """The ratio of the medians has a goal for a deal, and none for a pass.

    A part that did not happen with direct links has no figures.
    """
    direct, forwarded, ratio = compared("a deal", [1.0, 2.0, 30.0], [9.0, 1.0, 3.0])
    assert (direct.value, forwarded.value, ratio.value, ratio.ok) == (2.0, 3.0, 1.5, True)
    assert not compared("a deal", [1.0], [3.0])[2].ok
    assert compared("a pass", [1.0], [3.0])[2].goal is None
    assert compared("a pass", [], [3.0]) == []
