"""Attacks on the door, and on the links of peers that have come in, do not succeed."""

from functools import partial

import pytest
import trio

from netgame.errors import Disconnected, Malformed, Refused
from netgame.io.door import pake
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import CODE_WORDS, JoinCode
from netgame.io.door.link_pool import LinkPool
from netgame.io.door.sealed import message_octets
from netgame.io.links import PING, Link, frame_octets
from netgame.io.network.beside import Switchboard
from netgame.io.network.tcp import TcpStream
from netgame.limits import LINK_FRAMES_BURST, LINK_FRAMES_PER_S
from netgame.protocol.peer.driver import FrameCame
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, CodeAnswer, CodeProof, Verdict
from tests.netgame.io.door.ends import (
    ANN,
    BEN,
    CODE,
    OTHER,
    TABLE,
    answering,
    code_door,
    greeted,
    hello_of,
    hosting,
    meet,
    proof_of,
    shake,
)

PARTIES = pake.Parties(ANN.public, BEN.public, TABLE)


# ---- the work for a join code must not leak through its time ------------------------------------


@pytest.fixture
def steps(monkeypatch):
    """Return a function that runs some work and returns how many SPAKE2 point operations it took.

    A peer that waits for the answer can time those operations.
    """
    from spake2 import ed25519_basic

    done = []
    for name in ("double_element", "_add_elements_nonunfied"):
        step = getattr(ed25519_basic, name)

        def counted(*points, step=step):
            done.append(step)
            return step(*points)

        monkeypatch.setattr(ed25519_basic, name, counted)

    def of(work):
        done.clear()
        work()
        return len(done)

    return of


def scalar_of(code):
    """Return the number that SPAKE2 derives from a code."""
    from spake2.ed25519_basic import L
    from spake2.groups import password_to_scalar

    return password_to_scalar(str(code).encode("ascii"), 32, L)


@pytest.mark.parametrize("side", ["client", "server"])
def test_a_guess_made_as_a_point_is_not_told_by_the_time_that_the_answer_takes(steps, side):
    """Answering a blinding point times a guessed code takes about the same work, right or wrong.

    For a right guess, removing the blinding leaves O, and multiplying O might take no time. An
    attacker who could measure that would need to show no proof, so no try would be counted.
    """
    from spake2.spake2 import DefaultParams

    letter, blinding = (b"B", DefaultParams.N) if side == "client" else (b"A", DefaultParams.M)

    def mean(guess):
        message = letter + blinding.scalarmult(scalar_of(guess)).to_bytes()
        finishes = [pake.begin(side, CODE, PARTIES)[1] for _ in range(8)]
        return sum(steps(partial(finish, message, bytes(32))) for finish in finishes) / 8

    assert mean(CODE) == pytest.approx(mean(OTHER), abs=40)


@pytest.mark.parametrize("side", ["client", "server"])
def test_the_work_for_a_code_does_not_depend_on_its_digits(steps, side):
    """The number of one bits in a code's scalar hardly changes how many steps the work takes."""
    codes = [JoinCode(7, "otter", word) for word in CODE_WORDS]
    few, *_, many = sorted(codes, key=lambda code: scalar_of(code).bit_count())
    assert scalar_of(many).bit_count() - scalar_of(few).bit_count() > 40

    def mean(code):
        return sum(steps(lambda: pake.begin(side, code, PARTIES)) for _ in range(40)) / 40

    assert mean(few) == pytest.approx(mean(many), abs=14)


@pytest.mark.parametrize(("side", "letter"), [("client", b"B"), ("server", b"A")])
def test_our_own_point_sent_back_is_no_message(side, letter):
    """A side refuses its own point when that comes back with the other side's letter."""
    message, finish = pake.begin(side, CODE, PARTIES)
    with pytest.raises(Malformed):
        finish(letter + message[1:], bytes(32))


# ---- frames that are not due --------------------------------------------------------------------


@pytest.mark.parametrize("code", [None, CODE], ids=["without a code", "with a code"])
async def test_frames_that_a_client_sends_before_the_verdict_are_refused(
    at_once, autojump_clock, code
):
    """A client that sends frames before the verdict is refused.

    The frames come after message 3 of the handshake, or together with the proof of the code.
    """
    early = frame_octets(PING)

    async def hasty(stream):
        end = await greeted(stream)
        if code is None:
            began, bound = end.handshake.show_static()
            proof = end.handshake.finish(proof_of(ANN, bound + end.handshake.static))
            sealed = end.handshake.split().outward.seal(b"\0" + early)
            await stream.send_all(message_octets(began + proof) + message_octets(sealed))
            return
        opening, finish = pake.begin("client", code, PARTIES)
        await end.show(lambda signed: proof_of(ANN, signed, opening=opening))
        frames = end.frames()
        answer = decode(await frames.receive_frame(), CodeAnswer)
        proof = encode(CodeProof(finish(answer.message, end.ciphers.hash).client))
        await frames.stream.send_all(frame_octets(proof) + early)

    door = code_door() if code else Door(anybody=True)
    _, server = await meet(hasty, hosting(door))
    assert isinstance(server, Malformed)


async def test_two_clients_that_were_led_to_each_other_are_told_that_there_is_no_table(
    autojump_clock,
):
    """Two clients that were led to each other learn that there is no table.

    They speak the same version, so neither is told to update.
    """
    prove = Channel(ANN).prove
    for outcome in await meet(prove, Channel(BEN).prove):
        assert isinstance(outcome, Malformed)


# ---- an impostor --------------------------------------------------------------------------------


@pytest.mark.parametrize("says", ["busy", "code", "full"])
async def test_an_impostor_that_has_our_proof_cannot_have_the_code_typed_again(
    at_once, autojump_clock, says
):
    """A server that got the client's proof and shows none itself is reported as not the host.

    It has already had one guess at the code. If "busy" were shown, the player would type the code
    again, and so give it a second guess.
    """

    async def impostor(stream):
        end = await answering(stream)
        await end.show(lambda signed: hello_of(BEN, signed))
        await end.hear(ClientProof)
        frames = end.frames()
        await frames.send_frame(encode(CodeAnswer(pake.begin("server", OTHER, PARTIES)[0])))
        decode(await frames.receive_frame(), CodeProof)
        await frames.send_frame(encode(Verdict(says, "wait a minute, and type the code again")))

    client, _ = await meet(lambda stream: Channel(ANN).prove(stream, None, CODE), impostor)
    assert isinstance(client, Refused)
    assert client.code == "not-the-host"


# ---- the cost of a linked peer ------------------------------------------------------------------


async def dripped(octets, most):
    """Send the first `most` octets to a link, each as a message of its own.

    Return the link and the list of frame bodies that it has delivered.
    """
    client, server = await shake()
    link, took = Link(server), []

    async def deliver(body):
        took.append(body)

    async def drip():
        for at in range(most):
            if not client.frames.stream.send_now(octets[at : at + 1]):
                await client.frames.stream.send_all(b"")
        await trio.sleep(60)
        link.end("the test is over")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        await link.run(deliver)
        nursery.cancel_scope.cancel()
    return link, took


async def test_a_flood_of_tiny_messages_within_one_frame_is_seen(autojump_clock):
    """A flood of tiny messages counts as a flood, even if they do not complete one frame.

    Each message is deciphered by itself, so tiny ones cost much time without making many frames.
    """
    most = LINK_FRAMES_BURST + 4 * LINK_FRAMES_PER_S
    link, took = await dripped(frame_octets(bytes(most)), most)
    assert link.flooded
    assert not took


async def test_a_frame_may_be_cut_into_tiny_messages(autojump_clock):
    """A peer that cuts one frame into tiny messages does not count as a flooder."""
    body = bytes(LINK_FRAMES_BURST)
    octets = frame_octets(body)
    link, took = await dripped(octets, len(octets))
    assert not link.flooded
    assert took == [body]


async def test_a_new_link_wins_nothing(autojump_clock):
    """A peer that hangs up and comes back gets no new burst of frames.

    If it goes on, it is banned as a flooder.
    """
    taken = 0

    async def deliver(event):
        nonlocal taken
        taken += isinstance(event, FrameCame)

    began = trio.current_time()
    pool = LinkPool(Channel(BEN), deliver, Door(anybody=True))
    for _ in range(8):
        client, server = await shake(pool._door)
        if isinstance(server, Refused):
            break
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pool._keep_link, server)
            await client.frames.send_frames([b"x"] * (LINK_FRAMES_BURST - 1))
            await client.frames.stream.send_eof()
    passed = trio.current_time() - began
    assert taken <= LINK_FRAMES_BURST + LINK_FRAMES_PER_S * passed + 2
    assert list(pool.banned) == [ANN.public]


# ---- streams left open --------------------------------------------------------------------------


async def test_a_link_that_is_cancelled_before_it_runs_is_closed(autojump_clock):
    """A link that is cancelled before it runs closes its stream.

    Otherwise its socket would stay open until garbage collection, and the peer would wait that
    long.
    """
    client, server = await shake()

    async def deliver(_event):
        await trio.sleep_forever()

    pool = LinkPool(Channel(BEN), deliver, Door(anybody=True))
    with trio.move_on_after(1):
        await pool._keep_link(server)
    with trio.fail_after(1), pytest.raises(Disconnected):
        await client.frames.receive_frame()


async def test_who_waits_beside_a_node_that_closes_is_hung_up_on(autojump_clock):
    """A caller waiting for a node of the same process is hung up on when the node closes."""
    board = Switchboard()
    extension = board.extension(b"ann")
    near = board.call(b"ann")
    extension.close()
    with trio.fail_after(1):
        assert await near.receive_some() == b""
    extension.close()


async def test_a_closed_connection_is_said_to_be_closed():
    """Using a closed connection raises ClosedResourceError, not an error about its descriptor."""
    near, far = trio.socket.socketpair()
    stream = TcpStream(near, ("127.0.0.1", 1), ("127.0.0.1", 2))
    stream.close()
    far.close()
    for wait in (stream.receive_some, stream.wait_readable):
        with pytest.raises(trio.ClosedResourceError):
            await wait()
