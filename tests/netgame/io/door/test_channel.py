"""Each end of a channel knows the other's key, or there is no channel."""

import errno
import os

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from netgame.errors import Disconnected, HungUp, Malformed, Refused
from netgame.io.door.admission import Door
from netgame.io.door.channel import CLIENT_DOMAIN, SERVER_DOMAIN, Channel, preface_of
from netgame.io.door.sealed import Messages, message_octets
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK
from netgame.io.network.streams import pair
from netgame.limits import HANDSHAKE_BYTES_MAX, PROTOCOL_VERSION
from netgame.protocol.peer.effects import PeerKey
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello, Verdict
from tests.netgame.io.door.ends import (
    ANN,
    BEN,
    EVE,
    FROM,
    TABLE,
    answering,
    greeted,
    hello_of,
    meet,
    outcomes_of,
    proof_of,
    shake,
)

ANYBODY = Door(anybody=True)


def serving(stream):
    """Play an honest server, Ben, whose door is open to anybody."""
    return Channel(BEN).serve(stream, Door(anybody=True))


async def lie(payload_of):
    """Let a client that sends what `payload_of` returns meet an honest server.

    Return the outcomes of both.
    """

    async def lying(stream):
        end = await greeted(stream)
        await end.show(payload_of)
        return decode(await end.frames().receive_frame(), Verdict)

    return await meet(lying, serving)


async def lie_as_server(payload_of):
    """Let a server that sends what `payload_of` returns meet an honest client.

    Return the outcomes of both.
    """

    async def lying(stream):
        end = await answering(stream)
        await end.show(payload_of)
        await end.hear(ClientProof)
        return end.said

    return await meet(Channel(ANN).prove, lying)


async def test_two_honest_ends_know_each_other_and_can_talk(autojump_clock):
    """Two honest ends learn each other's keys, and exchange frames of any length."""
    client, server = await shake()
    assert (client.peer, server.peer) == (BEN.public, ANN.public)
    assert (client.dialled, server.dialled) == (True, False)
    assert server.source == FROM
    for body in (b"", b"x", bytes(65_536)):
        for sender, receiver in ((client, server), (server, client)):
            await outcomes_of(sender.frames.send_frame(body))
            assert await receiver.frames.receive_frame() == body


async def test_nothing_of_who_we_are_is_said_in_the_open(autojump_clock):
    """No key is sent in the open, so an eavesdropper does not learn who plays."""
    overheard = await between(lambda _at, octets: octets)
    assert not any(key in overheard[0] + overheard[1] for key in (ANN.public, BEN.public))


async def between(change, code=None, door=None):
    """Pass octets between two honest ends, each piece changed by `change(end, octets)`.

    `end` is 0 for octets from the client, and 1 for octets from the server. Return the changed
    octets from each, or the outcomes of both ends if one of them failed.
    """
    near, inward = pair(FROM)
    outward, far = pair(FROM)
    sent, outcomes = [b"", b""], []

    async def carry(at, source, target):
        try:
            while octets := await source.receive_some():
                octets = change(at, octets)
                sent[at] += octets
                await target.send_all(octets)
            await target.send_eof()
        except trio.BrokenResourceError:
            return

    async with trio.open_nursery() as nursery:
        nursery.start_soon(carry, 0, inward, outward)
        nursery.start_soon(carry, 1, outward, inward)
        outcomes += await outcomes_of(
            Channel(ANN).prove(near, None, code),
            Channel(BEN).serve(far, door or Door(anybody=True)),
        )
        nursery.cancel_scope.cancel()
    return sent if change(0, b"") == b"" and not any(map(_is_trouble, outcomes)) else outcomes


def _is_trouble(outcome):
    return isinstance(outcome, Exception)


@pytest.mark.parametrize("side", [0, 1])
async def test_each_octet_of_the_handshake_counts(side, autojump_clock):
    """If any octet changes, from the preface to the verdict, at least one end fails."""
    whole = len((await between(lambda _at, octets: octets))[side])

    for place in range(whole):
        count = 0

        def change(at, octets, place=place):
            nonlocal count
            if at != side:
                return octets
            count, begins = count + len(octets), count
            if begins <= place < count:
                changed = bytearray(octets)
                changed[place - begins] ^= 1
                return bytes(changed)
            return octets

        outcomes = await between(change)
        assert any(map(_is_trouble, outcomes)), place


# ---- versions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [-1, 1])
async def test_two_versions_tell_both_people_to_update_the_older(by, autojump_clock):
    """Two ends of different versions both name the two versions, and say to update the older."""
    near, far = pair()
    ours, theirs = PROTOCOL_VERSION, PROTOCOL_VERSION + by
    for outcome in await outcomes_of(
        Channel(ANN).prove(near), Channel(BEN, theirs).serve(far, Door(anybody=True))
    ):
        assert isinstance(outcome, Refused)
        assert outcome.code == "version"
        assert all(f"{version}" in str(outcome) for version in (ours, theirs))
        assert "update the older" in str(outcome)


async def test_a_version_that_somebody_between_has_altered_leads_to_no_other(autojump_clock):
    """If a man in the middle alters the versions that the ends announce, they get no channel."""

    def older(at, octets):
        return octets.replace(preface_of(PROTOCOL_VERSION), preface_of(PROTOCOL_VERSION - 1))

    client, server = await between(older)
    assert server.code == "version"
    assert isinstance(client, Refused | Disconnected)


async def test_what_a_preface_says_is_bound_to_the_handshake(autojump_clock):
    """If the version in a preface was altered on the way, the handshake fails at both ends."""
    near, far = pair()

    async def old_client(stream):
        channel = Channel(ANN, PROTOCOL_VERSION - 1)
        channel._preface = preface_of(PROTOCOL_VERSION)
        return await channel.prove(stream)

    client, server = await outcomes_of(old_client(near), serving(far))
    assert isinstance(client, Malformed)
    assert isinstance(server, Disconnected)


@pytest.mark.parametrize(
    "said",
    [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"boneyarx" * 9],
    ids=["a browser", "TLS", "nearly"],
)
async def test_what_does_not_speak_the_protocol_is_hung_up_on(said, autojump_clock):
    """A client that speaks another protocol, such as a browser, is hung up on without an answer."""
    near, far = pair()
    await near.send_all(said)
    with pytest.raises(Malformed, match="another protocol"):
        await serving(far)
    assert await near.receive_some() == b""


@pytest.mark.parametrize(
    "said",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x28", b"bonehead??"],
    ids=["a web server", "TLS", "nearly"],
)
async def test_what_is_no_table_is_told_so(said, autojump_clock):
    """If a server does not speak the protocol, the guest reads that it is not a table."""
    near, far = pair()

    async def answer(stream):
        await stream.receive_some()
        await stream.send_all(said)

    client, _ = await outcomes_of(Channel(ANN).prove(near), answer(far))
    assert isinstance(client, Malformed)
    assert "not a table" in str(client)


# ---- keys -------------------------------------------------------------------------------------


async def test_server_may_refuse_a_proved_key(autojump_clock):
    """A server may refuse a proved key; the client reads the code and a cleaned sentence."""
    door = Door(anybody=True)
    door.admit = lambda _peer, _source, _by: Verdict("full", "no\x1b[2J room")
    client, server = await shake(door)
    assert isinstance(server, Refused)
    assert isinstance(client, Refused)
    assert client.code == "full"
    assert "\x1b" not in str(client)


@pytest.mark.parametrize(
    "payload_of",
    [
        lambda signed: proof_of(EVE, signed, key=ANN.public),
        lambda signed: proof_of(ANN, bytes(32) + signed[32:]),
        lambda signed: proof_of(ANN, signed[:32] + bytes(32)),
        lambda signed: encode(ClientProof(ANN.public, ANN.sign(SERVER_DOMAIN, signed), b"")),
        lambda _: encode(ClientProof(b"\1" + bytes(31), bytes(64), b"")),
    ],
    ids=["another key", "another handshake", "another static", "as a server", "anybody's key"],
)
async def test_wrong_client_signature_is_refused(payload_of, autojump_clock):
    """A client's signature must be by the key it claims, made as a client, for this handshake.

    It must also be for this static key, and the claimed key must not be a weak one.
    """
    answer, outcome = await lie(payload_of)
    assert isinstance(outcome, Refused)
    assert outcome.code == answer.code == "signature"


def by_server(signature_of, key=BEN.public):
    """Return a function that makes a server's payload, signed by `signature_of`."""
    return lambda signed: encode(ServerHello(key, signature_of(signed), TABLE, 0))


@pytest.mark.parametrize(
    "payload_of",
    [
        by_server(lambda signed: EVE.sign(SERVER_DOMAIN, signed)),
        by_server(lambda signed: BEN.sign(SERVER_DOMAIN, bytes(32) + signed[32:])),
        by_server(lambda signed: BEN.sign(SERVER_DOMAIN, signed[:32] + bytes(32))),
        by_server(lambda signed: BEN.sign(CLIENT_DOMAIN, signed)),
        by_server(lambda _: bytes(64), b"\1" + bytes(31)),
    ],
    ids=["another key", "another handshake", "another static", "as a client", "anybody's key"],
)
async def test_a_server_that_does_not_prove_its_key_is_told_nothing(payload_of, autojump_clock):
    """If a server does not prove its key, the client leaves without saying who it is."""
    client, server = await lie_as_server(payload_of)
    assert isinstance(client, Refused)
    assert client.code == "signature"
    assert isinstance(server, trio.BrokenResourceError | Disconnected)


async def test_whoever_answers_must_be_the_peer_that_was_meant(autojump_clock):
    """A client that expects a certain peer accepts that peer and no other."""
    client, server = await shake(expected=PeerKey(EVE.public))
    assert client.code == "key"
    assert isinstance(server, Disconnected)
    client, _ = await shake(expected=PeerKey(BEN.public))
    assert client.peer == BEN.public


async def test_nobody_links_to_itself(autojump_clock):
    """A key gets no link to itself: the client notices first, or else the server refuses."""
    client, _ = await shake(client=BEN)
    assert client.code == "self"
    answer, outcome = await lie(lambda signed: proof_of(BEN, signed))
    assert answer.code == outcome.code == "self"


async def test_a_message_of_ours_sent_back_proves_nothing(autojump_clock):
    """A server that sends back the client's own octets proves no key."""
    near, far = pair()

    async def mirror(stream):
        octets = await stream.receive_some()
        await stream.send_all(octets[10:])
        await stream.send_eof()

    client, _ = await outcomes_of(Channel(ANN).prove(near), mirror(far))
    assert isinstance(client, Malformed | HungUp)


async def test_a_client_heard_once_is_not_heard_again(autojump_clock):
    """A client's octets, replayed to the same server, are refused."""
    sent, _ = await between(lambda _at, octets: octets)
    near, far = pair()

    async def replay(stream):
        await stream.send_all(sent)

    _, server = await outcomes_of(replay(near), serving(far))
    assert isinstance(server, Malformed)


async def test_keys_differ_from_link_to_link(autojump_clock):
    """Each link has its own handshake hash, static key and signature."""
    seen = []
    for _ in range(2):

        async def look(stream):
            end = await greeted(stream)
            seen.append((end.signed[:32], end.signed[32:], end.said.signature))
            stream.close()

        await meet(look, serving)
    assert all(len(set(each)) == 2 for each in zip(*seen, strict=True))


SMALL = [
    bytes(32),
    b"\1" + bytes(31),
    bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
    bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
]
"""Points of X25519 that turn every secret into zeros (RFC 7748, section 6.1)."""


@pytest.mark.parametrize("point", SMALL, ids=lambda point: point.hex()[:8])
async def test_a_key_that_makes_the_secret_known_is_an_error(point, autojump_clock):
    """A key of small order, which would make the secret known, is refused in messages 1 and 2."""
    near, far = pair()
    await near.send_all(preface_of(PROTOCOL_VERSION) + message_octets(point))
    with pytest.raises(Malformed):
        await serving(far)

    async def answer(stream):
        await stream.receive_some()
        await stream.send_all(message_octets(point + bytes(200)))

    client, _ = await meet(Channel(ANN).prove, answer)
    assert isinstance(client, Malformed)


@pytest.mark.parametrize("length", [0, 31, 33, 64, 1_024])
async def test_a_greeting_has_thirty_two_octets(length, autojump_clock):
    """A greeting has exactly thirty-two octets; any other length is malformed."""
    near, far = pair()
    await near.send_all(preface_of(PROTOCOL_VERSION) + message_octets(b"\x09" * length))
    await near.send_eof()
    with pytest.raises(Malformed):
        await serving(far)


async def test_a_message_of_the_handshake_has_a_longest_length(autojump_clock):
    """A handshake message longer than its limit is refused by either end."""
    too_long = (HANDSHAKE_BYTES_MAX + 1).to_bytes(2, "big")

    async def long_proof(stream):
        await greeted(stream)
        await stream.send_all(too_long)

    async def long_hello(stream):
        await stream.receive_some()
        await stream.send_all(too_long)

    for part, flood in ((serving, long_proof), (Channel(ANN).prove, long_hello)):
        outcome, _ = await meet(part, flood)
        assert isinstance(outcome, Malformed)


@given(octets=st.binary(max_size=400))
def test_no_octets_of_a_stranger_raise_anything_else(octets):
    """Whatever octets a stranger sends, an end raises only Malformed, Disconnected or Refused."""

    async def main():
        for part in (serving, Channel(ANN).prove):
            near, far = pair()
            await far.send_all(octets)
            await far.send_eof()
            await far.send_all(b"")
            with pytest.raises((Malformed, Disconnected, Refused)):
                await part(near)

    trio.run(main)


# ---- silent sides, and hosts that are not there ------------------------------------------------


async def test_a_silent_side_is_given_up(autojump_clock):
    """If the other end is silent, a server raises Disconnected, and a client raises HungUp."""
    for part, trouble in ((serving, Disconnected), (Channel(ANN).prove, HungUp)):
        near, _far = pair()
        with pytest.raises(trouble):
            await part(near)


async def test_who_hangs_up_is_told_from_who_breaks_the_protocol(autojump_clock):
    """A server that hangs up, at whatever point, is reported as hanging up.

    It does not count as breaking the protocol.
    """
    for most in range(0, 300, 7):
        near, far = pair()

        async def hang_up(stream, most=most):
            messages = Messages(stream, HANDSHAKE_BYTES_MAX)
            end = await answering(stream)
            began, bound = end.handshake.show_static()
            rest = end.handshake.finish(hello_of(BEN, bound + end.handshake.static))
            await messages.stream.send_all(message_octets(began + rest)[:most])
            stream.close()

        client, _ = await outcomes_of(Channel(ANN).prove(near), hang_up(far))
        assert isinstance(client, HungUp), most


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (Address(LOOPBACK, 1), os.strerror(errno.ECONNREFUSED)),
        (Address("x" * 64, 1), "cannot reach"),
    ],
)
async def test_a_place_where_nobody_is_is_one_sentence(where, says, jumping_clock):
    """Connecting to an unreachable address or an unknown name fails with one sentence."""
    with pytest.raises(Disconnected, match=says):
        await Channel(ANN).connect(where)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.EPERM, "1"), os.strerror(errno.EPERM)),
        (OSError(-2, "Name or service not known"), "[Errno -2] Name or service not known"),
    ],
)
async def test_of_several_addresses_the_systems_reason_is_said(
    monkeypatch, error, says, jumping_clock
):
    """If trio has tried several addresses, the system's reason for the first failure is shown."""

    async def fail(*_):
        tried = OSError("all attempts to connect failed")
        raise tried from ExceptionGroup("all attempts", [error, OSError("no")])

    monkeypatch.setattr(trio, "open_tcp_stream", fail)
    with pytest.raises(Disconnected) as caught:
        await Channel(ANN).connect(Address("two-addresses", 1))
    assert says in str(caught.value)
