"""The channel's handshake against published vectors, another library, and altered octets."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noise.connection import Keypair, NoiseConnection

from netgame.crypto.noise import KEY_BYTES, NAME, TAG_BYTES, Cipher, Handshake
from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from tests.tree import VECTORS

PUBLISHED = json.loads((VECTORS / "noise-xx.json").read_text("ascii"))
PROLOGUE = b"a prologue"


def given_in_turn(*keys):
    """Return entropy that gives these keys one after another."""
    left = iter(keys)
    return lambda _octets: next(left)


def ends(prologue=PROLOGUE, other=PROLOGUE):
    """Return the two ends of a handshake, the same ones every time."""
    client = Handshake(prologue, expand(bytes(32), "client"), is_server=False)
    return client, Handshake(other, expand(bytes(32), "server"), is_server=True)


def run(client, server, change=lambda _at, octets: octets, said=b"who I am"):
    """Run a handshake whose messages are changed on their way; return both ends' ciphers.

    The server says `said` in its message.
    """
    server.hear_greeting(change(0, client.greet()))
    began, _ = server.show_static()
    client.hear_static(change(1, began + server.finish(said)))
    began, _ = client.show_static()
    server.hear_static(change(2, began + client.finish(b"and I")))
    return client.split(), server.split()


def test_the_published_vectors_hold():
    """Each message, the hash, and the sealed messages both ways are as published."""
    hexadecimal = PUBLISHED.keys() - {"about", "protocol_name", "messages"}
    octets = {name: bytes.fromhex(PUBLISHED[name]) for name in hexadecimal}
    messages = [
        (bytes.fromhex(each["payload"]), bytes.fromhex(each["ciphertext"]))
        for each in PUBLISHED["messages"]
    ]
    client, server = (
        Handshake(
            octets[f"{side}_prologue"],
            given_in_turn(octets[f"{side}_ephemeral"], octets[f"{side}_static"]),
            is_server=side == "resp",
        )
        for side in ("init", "resp")
    )
    (first, sent_first), (second, sent_second), (third, sent_third), *sealed = messages
    assert client.greet(first) == sent_first
    assert server.hear_greeting(sent_first) == first
    for sender, receiver, payload, sent in (
        (server, client, second, sent_second),
        (client, server, third, sent_third),
    ):
        began, bound = sender.show_static()
        assert began + sender.finish(payload) == sent
        assert receiver.hear_static(sent) == (sender.static, bound, payload)
    ends_of = server.split(), client.split()
    assert {each.hash for each in ends_of} == {octets["handshake_hash"]}
    for at, (payload, sent) in enumerate(sealed):
        sender, receiver = ends_of[at % 2], ends_of[1 - at % 2]
        assert sender.outward.seal(payload) == sent
        assert receiver.inward.open(sent) == payload


@pytest.mark.parametrize("is_server", [False, True])
def test_another_library_comes_to_the_same(is_server):
    """A handshake with another library's end succeeds, as client and as server.

    After it, both ends can read each other's messages.
    """
    theirs = NoiseConnection.from_name(NAME)
    theirs.set_prologue(PROLOGUE)
    theirs.set_keypair_from_private_bytes(Keypair.STATIC, bytes(range(32)))
    ours = ends()[is_server]
    if is_server:
        theirs.set_as_initiator()
        theirs.start_handshake()
        assert ours.hear_greeting(bytes(theirs.write_message(b"hail"))) == b"hail"
        began, _ = ours.show_static()
        assert theirs.read_message(began + ours.finish(b"server")) == b"server"
        assert ours.hear_static(bytes(theirs.write_message(b"client")))[2] == b"client"
    else:
        theirs.set_as_responder()
        theirs.start_handshake()
        assert theirs.read_message(ours.greet(b"hail")) == b"hail"
        assert ours.hear_static(bytes(theirs.write_message(b"server")))[2] == b"server"
        began, _ = ours.show_static()
        assert theirs.read_message(began + ours.finish(b"client")) == b"client"
    ciphers = ours.split()
    for number in range(300):
        body = bytes([number % 256]) * number
        assert theirs.decrypt(ciphers.outward.seal(body)) == body
        assert ciphers.inward.open(bytes(theirs.encrypt(body))) == body


def test_both_ends_agree_on_a_hash_that_no_other_handshake_has():
    """Both ends agree on the hash, which depends on the prologue, all keys, and what is said."""
    hashes = set()
    for prologue in (PROLOGUE, b"another"):
        one, other = run(*ends(prologue, prologue))
        assert one.hash == other.hash
        hashes.add(one.hash)
    fresh = [
        Handshake(PROLOGUE, expand(bytes(32), "another"), is_server=each) for each in (False, True)
    ]
    for client, server, said in (
        (fresh[0], ends()[1], b"who I am"),
        (ends()[0], fresh[1], b"who I am"),
        (*ends(), b"who else I am"),
    ):
        one, other = run(client, server, said=said)
        assert one.hash == other.hash
        hashes.add(one.hash)
    assert len(hashes) == 5


def test_two_prologues_make_no_channel():
    """Ends with different prologues get no channel: somebody may have altered the preface."""
    with pytest.raises(Malformed):
        run(*ends(PROLOGUE, b"another"))


@pytest.mark.parametrize("message", [0, 1, 2])
def test_every_octet_of_a_message_counts(message):
    """No channel opens if a message has an octet changed or added, or is cut short."""
    sent = {}
    run(*ends(), lambda at, octets: sent.setdefault(at, octets))

    def altered(changed):
        with pytest.raises(Malformed):
            run(*ends(), lambda at, octets: changed if at == message else octets)

    whole = sent[message]
    for at in range(len(whole)):
        altered(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        altered(whole[:at])
    altered(whole + b"\0")


def test_a_sealed_message_is_opened_once_and_in_its_place():
    """A sealed message opens only once, only with its key, and not before the one preceding it."""
    key = bytes(range(32))
    sealer, reader, twice = Cipher(key), Cipher(key), Cipher(key)
    first, second = (sealer.seal(body) for body in (b"first", b"second"))
    with pytest.raises(Malformed):
        Cipher(key).open(second)
    assert [reader.open(each) for each in (first, second)] == [b"first", b"second"]
    assert twice.open(first) == b"first"
    with pytest.raises(Malformed):
        twice.open(first)
    with pytest.raises(Malformed):
        Cipher(bytes(32)).open(first)


@given(st.binary(max_size=3 * TAG_BYTES))
def test_nothing_that_comes_raises_anything_else(octets):
    """Octets of any kind and length raise nothing but `Malformed`."""
    client, server = ends()
    for part in (lambda: Cipher(bytes(32)).open(octets), lambda: client.hear_static(octets)):
        with pytest.raises(Malformed):
            part()
    server.hear_greeting(octets)
    if len(octets) < KEY_BYTES:
        with pytest.raises(Malformed):
            server.show_static()
