"""Two ends of a channel meet: which of them are let in, and why others are refused."""

import pytest

from netgame.crypto.transcript import expand
from netgame.errors import Disconnected, Malformed, Refused
from netgame.io.door import pake
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.links import FramedStream
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, CodeAnswer, CodeProof, Verdict
from tests.netgame.io.door.ends import (
    ANN,
    BEN,
    CODE,
    EVE,
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

pytestmark = pytest.mark.usefixtures("at_once")


def codes_of(*outcomes):
    """Return for each outcome the code of its refusal, or "in" if it is not a refusal."""
    return [each.code if isinstance(each, Refused) else "in" for each in outcomes]


async def test_the_right_code_lets_in_and_is_asked_for_once(autojump_clock):
    """A guest shows the right code once; after that its key is enough, but others need the code."""
    door = code_door()
    assert codes_of(*await shake(door)) == ["code", "code"]
    client, server = await shake(door, code=CODE)
    assert (client.peer, server.peer) == (BEN.public, ANN.public)
    assert codes_of(*await shake(door)) == ["in", "in"]
    assert codes_of(*await shake(door, client=EVE)) == ["code", "code"]


async def test_a_wrong_code_lets_nobody_in(autojump_clock):
    """A wrong code is refused, and both ends report it as wrong."""
    assert codes_of(*await shake(code_door(), code=OTHER)) == ["wrong-code", "wrong-code"]


async def test_a_banned_key_is_refused_whatever_code_it_knows(autojump_clock):
    """A banned key is refused even with the right code."""
    door = code_door()
    door.turned_away = lambda _peer: Verdict("flood", "wait")
    assert codes_of(*await shake(door, code=CODE)) == ["flood", "flood"]


async def test_a_code_shown_by_a_key_that_is_not_proved_opens_nothing(autojump_clock):
    """The right code is refused from a client that does not prove the key it claims."""
    door = code_door()

    async def client(stream):
        end = await greeted(stream)
        parties = pake.Parties(ANN.public, BEN.public, end.said.table)
        opening, _ = pake.begin("client", CODE, parties)
        await end.show(lambda signed: proof_of(EVE, signed, key=ANN.public, opening=opening))
        return decode(await end.frames().receive_frame(), Verdict)

    verdict, server = await meet(client, hosting(door))
    assert verdict.code == server.code == "signature"
    assert not door.by_code


async def test_who_has_a_code_says_nothing_where_none_is_asked_for(autojump_clock):
    """A client with a code refuses a server that asks for none: it may be the wrong table."""
    client, server = await shake(Door(anybody=True), code=CODE)
    assert codes_of(client) == ["no-code-there"]
    assert isinstance(server, Disconnected)


async def answered(reply):
    """Let a client with the code meet a server that knows it; return the client's outcome.

    After the client's proof the server sends the messages that `reply` returns.
    """

    async def server(stream):
        end = await answering(stream)
        await end.show(lambda signed: hello_of(BEN, signed))
        await end.hear(ClientProof)
        frames = end.frames()
        parties = pake.Parties(ANN.public, BEN.public, TABLE)
        message, finish = pake.begin("server", CODE, parties)
        await frames.send_frame(encode(CodeAnswer(message)))
        shown = decode(await frames.receive_frame(), CodeProof)
        assert shown.proof == finish(end.said.opening, end.ciphers.hash).client
        for message in reply(shown.proof, finish):
            await frames.send_frame(encode(message))

    return (await meet(lambda stream: Channel(ANN).prove(stream, None, CODE), server))[0]


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
    """A server that answers a proof with anything but its own proof is refused as not the host."""
    assert codes_of(await answered(reply)) == ["not-the-host"]


async def test_what_a_host_refuses_is_no_link_and_is_not_trusted(autojump_clock, monkeypatch):
    """If the host refuses, neither end trusts the stream, and the sentence shown is cleaned."""
    trusted = []
    monkeypatch.setattr(FramedStream, "trust", trusted.append)
    door = Door(anybody=True)
    door.admit = lambda *_: Verdict("full", "no\x1b[2J room")
    client, server = await shake(door)
    assert codes_of(client, server) == ["full", "full"]
    assert "\x1b" not in str(client)
    assert not trusted


def test_an_opening_is_a_clients_message():
    """Only a client's message is accepted as an opening; a server's message is malformed."""
    parties = pake.Parties(ANN.public, BEN.public, TABLE)
    for side, is_good in (("client", True), ("server", False)):
        message, _ = pake.begin(side, CODE, parties, expand(bytes(32), "opening"))
        if is_good:
            pake.check_opening(message)
        else:
            with pytest.raises(Malformed):
                pake.check_opening(message)


async def test_the_handshake_is_bound_to_the_code(autojump_clock, monkeypatch):
    """A proof of the right code is wrong if the two ends have different handshake hashes.

    So a man in the middle cannot relay the proof between his two handshakes.
    """
    begin = pake.begin

    def apart(side, *between):
        message, finish = begin(side, *between)
        if side == "server":
            return message, finish
        return message, lambda answer, handshake: finish(answer, handshake[::-1])

    monkeypatch.setattr(pake, "begin", apart)
    client, server = await shake(code_door(), code=CODE)
    assert codes_of(client, server) == ["wrong-code", "wrong-code"]
