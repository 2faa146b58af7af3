"""What two ends of a channel make of each other above TLS: who is refused, and by what."""

import pytest
import trio
import trio.testing

from netgame.crypto.transcript import expand
from netgame.errors import Malformed, Refused
from netgame.io.door import channel, first_contact, pake
from netgame.io.door.admission import Door
from netgame.io.links import FramedStream
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, CodeAnswer, CodeProof, ServerHello, Verdict
from tests.netgame.io.door.test_channel import ANN, BEN, EVE, outcomes_of, proof_of
from tests.netgame.io.door.test_first_contact import CODE, OTHER, TABLE, Bare, code_door

CERTIFICATE = b"certificate"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Threads would want real time."""

    async def in_turn(work):
        return work()

    monkeypatch.setattr(channel, "in_turn", in_turn)
    monkeypatch.setattr(first_contact, "in_turn", in_turn)


async def meet(door, *, code=None, client=ANN, expected=None):
    """Have two honest ends meet; return what becomes of client and server."""
    near, far = trio.testing.memory_stream_pair()
    proves = Bare(client).prove(near, expected, code)
    return await outcomes_of(proves, Bare(BEN).serve(far, door, "10.0.0.9"))


def codes_of(*outcomes):
    """How each end was refused, "in" for one that is linked."""
    return [each.code if isinstance(each, Refused) else "in" for each in outcomes]


async def test_the_right_code_lets_in_and_is_asked_for_once(autojump_clock):
    """Afterwards the key is enough."""
    door = code_door()
    assert codes_of(*await meet(door)) == ["code", "code"]
    client, server = await meet(door, code=CODE)
    assert (client.peer, server.peer) == (BEN.public, ANN.public)
    assert codes_of(*await meet(door)) == ["in", "in"]
    assert codes_of(*await meet(door, client=EVE)) == ["code", "code"]


async def test_a_wrong_code_lets_nobody_in(autojump_clock):
    """Neither side learns anything but that."""
    assert codes_of(*await meet(code_door(), code=OTHER)) == ["wrong-code", "wrong-code"]


async def test_a_banned_key_is_refused_whatever_code_it_knows(autojump_clock):
    """The door is asked for the key as well."""
    door = code_door()
    door.turned_away = lambda _peer: Verdict("flood", "wait")
    assert codes_of(*await meet(door, code=CODE)) == ["flood", "flood"]


async def test_a_code_shown_by_a_key_that_is_not_proved_opens_nothing(autojump_clock):
    """Somebody who knows the code would bring in a key that is not its own."""
    door = code_door()
    near, far = trio.testing.memory_stream_pair()

    async def client():
        frames = FramedStream(near)
        hello = decode(await frames.receive_frame(), ServerHello)
        parties = pake.Parties(ANN.public, BEN.public, CERTIFICATE, hello.nonce, hello.table)
        opening, _ = pake.begin("client", CODE, parties)
        lie = proof_of(EVE, CERTIFICATE, hello.nonce, key=ANN.public, opening=opening)
        await frames.send_frame(lie)
        return decode(await frames.receive_frame(), Verdict)

    verdict, server = await outcomes_of(client(), Bare(BEN).serve(far, door, "10.0.0.9"))
    assert verdict.code == server.code == "signature"
    assert not door.by_code


async def test_whoever_answers_must_be_the_peer_that_was_meant(autojump_clock):
    """Before anything is said to it."""
    client, server = await meet(Door(anybody=True), expected=PeerKey(EVE.public))
    assert codes_of(client) == ["key"]
    assert not isinstance(server, Refused)
    client, _ = await meet(Door(anybody=True), expected=PeerKey(BEN.public))
    assert client.peer == BEN.public


async def test_who_has_a_code_says_nothing_where_none_is_asked_for(autojump_clock):
    """Nothing would show that it is the table that was meant."""
    client, server = await meet(Door(anybody=True), code=CODE)
    assert codes_of(client) == ["no-code-there"]
    assert not isinstance(server, Refused)


async def test_nobody_links_to_itself(autojump_clock):
    """The server says so; its client has seen the same key before."""
    assert codes_of(*await meet(Door(anybody=True), client=BEN)) == ["self", "self"]


async def test_nonces_differ(autojump_clock):
    """A proof that was overheard is worth nothing at the next link."""
    seen = []
    for _ in range(2):
        near, far = trio.testing.memory_stream_pair()

        async def look(stream):
            frames = FramedStream(stream)
            seen.append(decode(await frames.receive_frame(), ServerHello).nonce)
            await frames.close()

        await outcomes_of(look(near), Bare(BEN).serve(far, Door(anybody=True)))
    assert len(set(seen)) == 2


async def answered(reply):
    """A client with the code meets a server that knows it, and answers its proof by `reply`."""
    near, far = trio.testing.memory_stream_pair()

    async def server():
        frames = FramedStream(far)
        hello = ServerHello(PROTOCOL_VERSION, bytes(32), TABLE, 7)
        await frames.send_frame(encode(hello))
        proof = decode(await frames.receive_frame(), ClientProof)
        parties = pake.Parties(ANN.public, BEN.public, CERTIFICATE, hello.nonce, hello.table)
        message, finish = pake.begin("server", CODE, parties)
        await frames.send_frame(encode(CodeAnswer(message)))
        shown = decode(await frames.receive_frame(), CodeProof)
        assert shown.proof == finish(proof.opening).client
        for message in reply(shown.proof, finish):
            await frames.send_frame(encode(message))

    return (await outcomes_of(Bare(ANN).prove(near, None, CODE), server()))[0]


@pytest.mark.parametrize(
    "reply",
    [
        lambda shown, _: [CodeProof(shown), Verdict("ok", "")],
        lambda *_: [CodeProof(bytes(32)), Verdict("ok", "")],
        lambda *_: [Verdict("ok", ""), Verdict("ok", "")],
    ],
    ids=["our own", "zeros", "a verdict"],
)
async def test_a_server_that_does_not_show_the_code_is_not_the_host(autojump_clock, reply):
    """Our own proof, sent back, shows nothing."""
    assert codes_of(await answered(reply)) == ["not-the-host"]


async def test_what_a_host_refuses_is_no_link_and_is_not_trusted(autojump_clock, monkeypatch):
    """Its sentence is made fit for a screen."""
    trusted = []
    monkeypatch.setattr(FramedStream, "trust", trusted.append)
    door = Door(anybody=True)
    door.admit = lambda *_: Verdict("full", "no\x1b[2J room")
    client, server = await meet(door)
    assert codes_of(client, server) == ["full", "full"]
    assert "\x1b" not in str(client)
    assert not trusted


def test_an_opening_is_a_clients_message():
    """A server's own, shown to another server, opens nothing."""
    parties = pake.Parties(ANN.public, BEN.public, CERTIFICATE, bytes(32), TABLE)
    for side, is_good in (("client", True), ("server", False)):
        message, _ = pake.begin(side, CODE, parties, expand(bytes(32), "opening"))
        if is_good:
            pake.check_opening(message)
        else:
            with pytest.raises(Malformed):
                pake.check_opening(message)


async def test_a_certificate_is_bound_to_the_code(autojump_clock, monkeypatch):
    """Somebody between has another one, though the rest is the same."""

    async def other(self, stream):
        return self.frames(stream), BEN.public, b"another"

    near, far = trio.testing.memory_stream_pair()
    monkeypatch.setattr(channel, "verify_signature", lambda *_: True)
    serves = Bare(BEN).serve(far, code_door(), "10.0.0.9")
    monkeypatch.setattr(Bare, "_first_part", other)
    client, server = await outcomes_of(Bare(ANN).prove(near, None, CODE), serves)
    assert codes_of(client, server) == ["wrong-code", "wrong-code"]
