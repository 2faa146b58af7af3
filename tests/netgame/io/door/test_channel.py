"""Both ends of a channel know whom they talk to, or there is no channel."""

import datetime
import errno
import hashlib
import os
import ssl

import msgpack
import pytest
import trio
import trio.testing
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from netgame.errors import Disconnected, HungUp, Malformed, NetgameError, Refused
from netgame.io.disk.identity import Identity
from netgame.io.door import channel
from netgame.io.door.admission import Door
from netgame.io.door.channel import CLIENT_DOMAIN, Channel
from netgame.io.door.tls import certificate_key, client_context, server_context
from netgame.io.links import FramedStream
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK
from netgame.limits import PROTOCOL_VERSION
from netgame.wire.codec import decode, encode
from netgame.wire.messages import ClientProof, ServerHello, Verdict

ANN, BEN, EVE = (Identity(bytes([number]) * 32) for number in (1, 2, 3))


def make_certificate(identity):
    """Return what an identity shows, DER."""
    return server_context(identity)[1]


async def outcomes_of(*parts):
    """Run parts side by side; return what each gives, or the trouble that it ends in."""
    outcomes = [None] * len(parts)

    async def run(at, part):
        try:
            outcomes[at] = await part
        except NetgameError as error:
            outcomes[at] = error

    async with trio.open_nursery() as nursery:
        for at, part in enumerate(parts):
            nursery.start_soon(run, at, part)
    return outcomes


async def shake(door=None):
    """Have Ann and Ben shake hands over memory streams; return what becomes of both."""
    near, far = trio.testing.memory_stream_pair()
    serves = Channel(BEN).serve(far, door or Door(anybody=True), "10.0.0.9")
    return await outcomes_of(Channel(ANN).prove(near), serves)


async def greeted(stream):
    """Be a client; return the frames above TLS, the server's certificate, and its hello."""
    tls = trio.SSLStream(stream, client_context(), https_compatible=True)
    await tls.do_handshake()
    frames = FramedStream(tls)
    hello = decode(await frames.receive_frame(), ServerHello)
    return frames, tls.getpeercert(binary_form=True), hello


async def lying(stream, make_proof):
    """Be a client that makes its own proof; return what is heard of it."""
    frames, certificate, hello = await greeted(stream)
    await frames.send_frame(make_proof(certificate, hello.nonce))
    return decode(await frames.receive_frame(), Verdict)


async def lie(make_proof):
    """Let a client that makes its own proof meet an honest server; return what becomes of both."""
    near, far = trio.testing.memory_stream_pair()
    serves = Channel(BEN).serve(far, Door(anybody=True))
    return await outcomes_of(lying(near, make_proof), serves)


LATER = PROTOCOL_VERSION + 1


@pytest.mark.parametrize(
    "more", [[], [b"x" * 900], [{"a": None}, 1.5, [[]]]], ids=["nothing", "octets", "anything"]
)
async def test_a_hello_of_a_later_version_says_its_version_whatever_else_it_says(
    more, jumping_clock
):
    """A client counts on the first two members alone, and lets the server know who came."""
    near, far = trio.testing.memory_stream_pair()
    heard = []

    async def server():
        tls = trio.SSLStream(far, server_context(BEN)[0], server_side=True, https_compatible=True)
        frames = FramedStream(tls)
        await frames.send_frame(msgpack.packb(["server-hello", LATER, *more]))
        heard.append(decode(await frames.receive_frame(), ClientProof))
        await frames.close()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(server)
        with pytest.raises(Refused) as refused:
            await Channel(ANN).prove(near)
    assert refused.value.code == "version"
    assert f"version {LATER}" in str(refused.value)
    assert "update" in str(refused.value)
    assert [said.version for said in heard] == [PROTOCOL_VERSION]


async def test_a_proof_of_a_later_version_gets_the_verdict_whatever_else_it_says(jumping_clock):
    """The verdict tells the other person which side is older."""
    said = msgpack.packb(["client-proof", LATER, {"of": "another form"}])
    answer, outcome = await lie(lambda _cert, _nonce: said)
    assert isinstance(outcome, Refused)
    assert outcome.code == answer.code == "version"
    assert f"version {LATER}" in answer.text
    assert "update" in answer.text


@pytest.mark.parametrize(
    "said", [["client-proof", PROTOCOL_VERSION], ["server-hello", LATER], {"client-proof": LATER}]
)
async def test_what_names_no_other_version_is_no_proof(said, jumping_clock):
    """Nothing else is passed over."""
    answer, outcome = await lie(lambda _cert, _nonce: msgpack.packb(said))
    assert isinstance(outcome, Malformed)
    assert isinstance(answer, Disconnected)


async def test_server_may_refuse_a_proved_key(jumping_clock):
    """Code and sentence reach the client, cleaned of what a terminal would obey."""
    door = Door(anybody=True)
    door.admit = lambda _peer, _source: Verdict("full", "no\x1b[2J room")
    client, server = await shake(door)
    assert isinstance(server, Refused)
    assert isinstance(client, Refused)
    assert client.code == "full"
    assert "\x1b" not in str(client)


def proof_of(identity, certificate, nonce, key=None, opening=b""):
    """Return the encoded proof as an honest client would make it."""
    signature = identity.sign(CLIENT_DOMAIN, hashlib.sha256(certificate).digest() + nonce)
    return encode(ClientProof(PROTOCOL_VERSION, key or identity.public, signature, opening))


@pytest.mark.parametrize(
    "make_proof",
    [
        lambda cert, nonce: proof_of(EVE, cert, nonce, key=ANN.public),
        lambda cert, nonce: proof_of(ANN, cert, bytes(32)),
        lambda _cert, nonce: proof_of(ANN, make_certificate(EVE), nonce),
    ],
    ids=["another-key", "another-nonce", "relayed-from-another-server"],
)
async def test_wrong_client_signature_is_refused(make_proof, jumping_clock):
    """The signature must be by that key, for this server, for this connection."""
    answer, outcome = await lie(make_proof)
    assert isinstance(outcome, Refused)
    assert outcome.code == answer.code == "signature"


async def test_a_silent_side_is_given_up(autojump_clock):
    """A guest that has shown nothing may try again."""
    for part, trouble in (
        (lambda stream: Channel(BEN).serve(stream, Door(anybody=True)), Disconnected),
        (Channel(ANN).prove, HungUp),
    ):
        near, _far = trio.testing.memory_stream_pair()
        with pytest.raises(trouble):
            await part(near)


async def test_what_is_not_tls_is_disconnected(jumping_clock):
    """A browser or a port scanner is turned away without a traceback."""
    near, far = trio.testing.memory_stream_pair()
    await near.send_all(b"GET / HTTP/1.1\r\n\r\n")
    with pytest.raises(Malformed):
        await Channel(BEN).serve(far, Door(anybody=True))


async def test_older_tls_is_refused(jumping_clock):
    """TLS 1.2 is not this protocol."""
    near, far = trio.testing.memory_stream_pair()
    context = client_context()
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2

    async def client():
        try:
            await trio.SSLStream(near, context, https_compatible=True).do_handshake()
        except trio.BrokenResourceError:
            await near.aclose()

    _, server = await outcomes_of(client(), Channel(BEN).serve(far, Door(anybody=True)))
    assert isinstance(server, Disconnected | Malformed)


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (Address(LOOPBACK, 1), os.strerror(errno.ECONNREFUSED)),
        (Address("x" * 64, 1), "cannot reach"),
    ],
)
async def test_a_place_where_nobody_is_is_one_sentence(where, says, jumping_clock):
    """With the system's reason; a name that cannot be asked for is not reached either."""
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
    """Trio has tried them all, and wraps what they said."""

    async def fail(*_):
        tried = OSError("all attempts to connect failed")
        raise tried from ExceptionGroup("all attempts", [error, OSError("no")])

    monkeypatch.setattr(trio, "open_tcp_stream", fail)
    with pytest.raises(Disconnected) as caught:
        await Channel(ANN).connect(Address("two-addresses", 1))
    assert says in str(caught.value)


async def test_a_server_whose_certificate_holds_no_key_is_told_nothing(monkeypatch, jumping_clock):
    """It ends before the client has said who it is."""
    monkeypatch.setattr(channel, "certificate_key", lambda _: b"")
    client, server = await shake()
    assert isinstance(client, Malformed)
    assert "no usable key" in str(client)
    assert isinstance(server, Disconnected)


def test_certificate_is_the_key_and_always_the_same():
    """The same key gives the same octets, and the key is read back from them."""
    assert make_certificate(ANN) == make_certificate(Identity(bytes([1]) * 32))
    assert certificate_key(make_certificate(ANN)) == ANN.public


def test_a_certificate_that_is_damaged_or_of_another_kind_of_key_is_malformed():
    """Whatever a server shows is read with care; only Ed25519 names a peer."""
    for cut in (0, 1, 50, 200):
        with pytest.raises(Malformed):
            certificate_key(make_certificate(ANN)[:cut])
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    now = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now)
        .sign(key, hashes.SHA256())
        .public_bytes(Encoding.DER)
    )
    with pytest.raises(Malformed, match="Ed25519"):
        certificate_key(certificate)
