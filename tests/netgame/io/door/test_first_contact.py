"""Two ends prove to each other that they know a join code, without sending it."""

import json

import pytest
import trio

from netgame.errors import Disconnected, HungUp, Malformed, Refused
from netgame.io.door import first_contact, pake
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel, GuessSpent
from netgame.io.door.codes import parse_code
from netgame.io.door.first_contact import CodeOpening
from netgame.io.links import FramedStream
from netgame.io.network.streams import pair
from netgame.limits import CODE_TRIES_MAX, FRAME_BYTES_MAX_UNAUTHENTICATED
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.messages import ChannelMessage, ClientProof, CodeAnswer, CodeProof, Verdict
from tests.lan.middle import Middle
from tests.netgame.io.door.ends import (
    ANN,
    BEN,
    CODE,
    FROM,
    OTHER,
    TABLE,
    answering,
    code_door,
    greeted,
    hello_of,
    hosting,
    meet,
    outcomes_of,
    proof_of,
)
from tests.tree import VECTORS


def joining(code):
    """Return the part of an honest client that has this code, for `meet`."""
    return lambda stream: Channel(ANN).prove(stream, None, code)


class Liar(Middle):
    """A man in the middle who sends the guest a made-up proof instead of the host's verdict."""

    async def _hear(self, who, frames):
        body = await super()._hear(who, frames)
        is_over = isinstance(decode_any(body, ChannelMessage), Verdict)
        return encode(CodeProof(bytes(32))) if is_over else body


@pytest.mark.parametrize(
    ("kind", "sentence"), [(Middle, "stands between you"), (Liar, "does not know the join code")]
)
async def test_man_in_the_middle_with_a_key_of_his_own_gets_nowhere(
    kind, sentence, tmp_path, jumping_clock
):
    """A man in the middle with his own key fails, although he passes on proofs of the right code.

    Each end proves the code for a different pair of keys.
    """
    door, middle = code_door(), kind(None, tmp_path / "overheard", own_proof=True)
    near, inward = pair(FROM)
    outward, far = pair(FROM)
    parts = joining(CODE)(near), hosting(door)(far), middle.between(inward, outward)
    client, server, _ = await outcomes_of(*parts)
    assert isinstance(client, Refused)
    assert sentence in str(client)
    assert server.code == "wrong-code"
    assert door.by_code == {}


async def lying_client(reply, *, door):
    """Let a client that knows the code send `reply(proofs)` instead of its proof.

    It hangs up if the reply is None. Return the outcomes of both ends.
    """

    async def client(stream):
        end = await greeted(stream)
        parties = pake.Parties(ANN.public, BEN.public, end.said.table)
        opening, finish = pake.begin("client", CODE, parties)
        await end.show(lambda signed: proof_of(ANN, signed, opening=opening))
        frames = end.frames()
        answer = decode(await frames.receive_frame(), CodeAnswer)
        body = reply(finish(answer.message, end.ciphers.hash))
        if body is None:
            await frames.close()
            return None
        await frames.send_frame(body)
        return decode_any(await frames.receive_frame(), ChannelMessage)

    return await meet(client, hosting(door))


def replaced(door, proofs):
    """Replace the door's code, and return the right proof of the old code."""
    door.code = OTHER
    return encode(CodeProof(proofs.client))


@pytest.mark.parametrize(
    ("reply", "became", "guesses"),
    [
        (lambda _, p: encode(CodeProof(p.server)), "wrong-code", 1),
        (lambda _, p: encode(CodeProof(p.client[:16] + bytes(16))), "wrong-code", 1),
        (replaced, "wrong-code", 0),
        (lambda *_: None, Disconnected, 0),
        (lambda *_: b"", Malformed, 0),
        (lambda *_: encode(Verdict("ok", "")), Malformed, 0),
        (lambda *_: bytes(FRAME_BYTES_MAX_UNAUTHENTICATED + 1), Malformed, 0),
    ],
    ids=[
        "the server's",
        "half of it",
        "of a former code",
        "none",
        "empty",
        "a verdict",
        "too long",
    ],
)
async def test_only_a_wrong_proof_is_a_guess(jumping_clock, reply, became, guesses):
    """Only a wrong proof counts as a guess; a right proof of a former code does not.

    A client that breaks off, or sends rubbish, has learned nothing of the code.
    """
    door, guessed = code_door(), []
    door.tell = guessed.append
    client, server = await lying_client(lambda proofs: reply(door, proofs), door=door)
    if isinstance(became, str):
        assert client.code == server.code == became
    else:
        assert isinstance(server, became)
    assert ANN.public not in door.by_code
    assert len(guessed) == guesses


async def test_many_runs_at_once_are_no_more_guesses_than_one_after_the_other(jumping_clock):
    """Of sixteen tries begun at once only eight count as wrong; then the code has changed."""
    drawn = parse_code("8-otter-visor")
    door = Door(CODE, draw=lambda: drawn)
    door.table_id = lambda: TABLE
    judged, all_begun, begun = [], trio.Event(), []
    was_wrong = door.was_wrong
    door.was_wrong = lambda source, now: (judged.append(source), was_wrong(source, now))

    async def run(number):
        parties = pake.Parties(bytes([number]) * 32, BEN.public, TABLE)
        near, far = pair()
        message, _ = pake.begin("client", CODE, parties)
        frames, opening = FramedStream(near), CodeOpening(message, parties, bytes(32))

        async def serve():
            await first_contact.hear_code(FramedStream(far), door, f"10.0.0.{number}", opening)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await frames.receive_frame()
            begun.append(number)
            if len(begun) == 2 * CODE_TRIES_MAX:
                all_begun.set()
            await all_begun.wait()
            await frames.send_frame(encode(CodeProof(bytes(32))))

    async with trio.open_nursery() as nursery:
        for number in range(2 * CODE_TRIES_MAX):
            nursery.start_soon(run, number)
    assert len(judged) == CODE_TRIES_MAX
    assert door.code == drawn


@pytest.mark.parametrize(
    "opening",
    [
        b"A" + b"\1" * 32,
        b"B" + bytes(32),
        b"A",
        b"A" + b"\xff" * 32,
        b"A\xee" + b"\xff" * 30 + b"\x7f",
    ],
)
async def test_an_opening_that_is_none_is_refused_before_the_code_has_a_part_in_it(
    monkeypatch, opening, jumping_clock
):
    """A bad opening is refused before the code is used.

    Otherwise the time of the refusal could reveal something of the code.
    """
    parties = pake.Parties(ANN.public, BEN.public, TABLE)
    monkeypatch.setattr(pake, "begin", None)
    said = CodeOpening(opening, parties, bytes(32))
    with pytest.raises(Malformed):
        await first_contact.hear_code(FramedStream(pair()[0]), code_door(), FROM, said)


CONTACTS = json.loads((VECTORS / "contact.json").read_text())


def derived(run):
    """Run both sides with a vector's entropy; return their messages, and then their `Proofs`."""
    octets = {name: bytes.fromhex(run[name]) for name in run if name not in ("name", "code")}
    names = ("client_key", "server_key", "table")
    parties = pake.Parties(*(octets[name] for name in names))
    code = parse_code(run["code"])
    entropies = (octets["client_entropy"], octets["server_entropy"])
    first, finish = pake.begin("client", code, parties, lambda _size: entropies[0])
    second, answer = pake.begin("server", code, parties, lambda _size: entropies[1])
    handshake = octets["handshake"]
    proofs = finish(octets["answer"], handshake), answer(octets["opening"], handshake)
    return first, second, *proofs


@pytest.mark.parametrize("run", CONTACTS["runs"], ids=lambda run: run["name"])
def test_join_code_is_shown_as_the_vectors_say(run):
    """With a vector's entropy, the messages and proofs of both sides match the vector."""
    opening, answer, client, server = derived(run)
    assert (opening.hex(), answer.hex()) == (run["opening"], run["answer"])
    for proofs in (client, server):
        assert (proofs.client.hex(), proofs.server.hex()) == (
            run["client_proof"],
            run["server_proof"],
        )


@pytest.mark.parametrize("case", CONTACTS["refused"], ids=lambda case: case["name"])
def test_refused_vectors_are_refused(case):
    """A refused vector has a malformed message, or leads to different proofs."""
    run = next(each for each in CONTACTS["runs"] if each["name"] == case["like"])
    if case["class"] == "malformed":
        with pytest.raises(Malformed):
            derived({**run, **case["change"]})
    else:
        _, _, client, _ = derived({**run, **case["change"]})
        assert client.client.hex() != run["client_proof"]
        assert client.server.hex() != run["server_proof"]


@pytest.mark.parametrize("hangs_up", [True, False], ids=["hangs up", "is silent"])
@pytest.mark.parametrize(
    ("answers", "trouble"), [(False, HungUp), (True, GuessSpent)], ids=["before", "after"]
)
async def test_a_guest_spends_a_guess_when_its_proof_has_left(
    at_once, autojump_clock, answers, trouble, hangs_up
):
    """A guest whose server goes away has spent a guess only if it has sent its proof."""

    async def serve(stream):
        end = await answering(stream)
        await end.show(lambda signed: hello_of(BEN, signed))
        await end.hear(ClientProof)
        frames = end.frames()
        if answers:
            parties = pake.Parties(ANN.public, BEN.public, TABLE)
            await frames.send_frame(encode(CodeAnswer(pake.begin("server", CODE, parties)[0])))
            decode(await frames.receive_frame(), CodeProof)
        if hangs_up:
            stream.close()

    client, _ = await meet(joining(CODE), serve)
    assert type(client) is trouble
