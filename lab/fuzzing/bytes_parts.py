"""The parts that read raw octets: frames, messages, handshakes, proofs, entries, statements."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from types import UnionType
from typing import Final

import trio
from msgspec.structs import replace

from lab.fuzzing.changed_values import changed
from lab.fuzzing.mutation import mutated
from lab.fuzzing.part import Broken, Reader, Reads, is_taken
from lab.fuzzing.record_games import RecordGame, played
from netgame.crypto.noise import Handshake
from netgame.crypto.transcript import expand
from netgame.errors import Disconnected, Malformed, NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.admission import Door
from netgame.io.door.channel import (
    CLIENT_DOMAIN,
    PREFACE_BYTES,
    SERVER_DOMAIN,
    Channel,
    preface_of,
    prologue_of,
)
from netgame.io.door.sealed import Messages, SealedStream, message_octets
from netgame.io.links import frame_octets
from netgame.io.network.streams import ByteStream, pair
from netgame.limits import HANDSHAKE_BYTES_MAX, PROTOCOL_VERSION, STREAM_WINDOW_BYTES
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import (
    Again,
    Body,
    ChannelMessage,
    Chat,
    ClientProof,
    CodeAnswer,
    CodeProof,
    Deck,
    Doubt,
    Entries,
    Evidence,
    Head,
    Hello,
    InTouch,
    JoinAnswer,
    JoinAsk,
    JournalFrame,
    KeyOpen,
    LinkMessage,
    Missed,
    Pass,
    Payload,
    Ping,
    Pong,
    Proof,
    Pull,
    Pulled,
    RecordFrame,
    Rival,
    ServerHello,
    Shares,
    SignedEntry,
    Statements,
    StreamClose,
    StreamData,
    StreamEnd,
    StreamMessage,
    StreamOpen,
    StreamOpened,
    StreamRefused,
    StreamWindow,
    Verdict,
)
from netgame.wire.statements import Statement

_FRAME_SAMPLE_BYTES: Final = 1_500


# ---- frames ---------------------------------------------------------------------------------


class _Pieces:
    """A stream whose octets arrive in pieces; it has the one method that `FramedStream` calls."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = list(reversed(pieces))

    async def receive_some(self, max_bytes: int) -> bytes:
        """Return the next piece, or its first `max_bytes` octets; return b"" at the end."""
        piece = self._pieces.pop() if self._pieces else b""
        if len(piece) > max_bytes:
            self._pieces.append(piece[max_bytes:])
        return piece[:max_bytes]


def make_deframer() -> Reads:
    """Make a reader of frames, valid and spoilt, that arrive in pieces of any size."""
    from netgame.io.links import LENGTH_BYTES, FramedStream, frame_octets

    bodies = [body for body in _link_messages(played(0)) if len(body) < _FRAME_SAMPLE_BYTES]
    samples = [b"".join(map(frame_octets, bodies[at : at + 4])) for at in range(0, len(bodies), 4)]

    async def deframer(chance: Random) -> bool:
        octets = mutated(chance, samples)
        pieces, at = [], 0
        while at < len(octets):
            size = chance.choice((1, 3, 4, 5, 100, 10_000))
            pieces.append(octets[at : at + size])
            at += size
        frames = FramedStream(_Pieces(pieces))  # type: ignore[arg-type]
        if chance.random() < 0.5:
            frames.trust()
        read = 0
        try:
            while True:
                body = await frames.receive_frame()
                length = int.from_bytes(octets[read : read + LENGTH_BYTES], "big")
                read += LENGTH_BYTES
                if body != octets[read : read + length] or len(body) != length:
                    raise Broken("a frame is not what was sent")
                read += length
        except Disconnected:
            return read == len(octets)
        except Malformed:
            return False

    return deframer


# ---- messages -------------------------------------------------------------------------------


def _link_messages(game: RecordGame) -> list[bytes]:
    entry = SignedEntry(b"body", bytes(64))
    said = game.statements
    messages = (
        Hello(bytes(64), bytes(16)), Hello(b""), Rival(),
        JoinAsk(b"request", bytes(64)),
        JoinAnswer("full", (4,)), JoinAnswer("key"),
        Head(57, bytes(64), b"\x07", 2), Pull(5, b"", 1),
        Pulled((entry,)), Entries((entry, entry)), Evidence((entry,)),
        Statements(said), Evidence((), said[:2]), Evidence((entry,), said[:1]),
        Chat(b"hello", bytes(32), bytes(64)), Again(opens=True), Ping(), Pong(),
        Missed(bytes(64), b"\x05", b"\x01"),
        InTouch(bytes(64), b"\x05", ((2, b"\x01"),)),
    )  # fmt: skip
    return [*map(encode, messages), *(encode(turn.body) for turn in game.turns)]


def _greetings() -> list[bytes]:
    said = (
        ServerHello(bytes(32), bytes(64), bytes(64), 7),
        ClientProof(bytes(32), bytes(64), b""),
        ClientProof(bytes(32), bytes(64), bytes(33)),
        CodeAnswer(bytes(33)),
        CodeProof(bytes(32)),
        Verdict("ok", ""),
    )
    return [encode(each) for each in said]


def _stream_messages() -> list[bytes]:
    """Return one encoded message of each kind that a link uses to forward a stream of octets."""
    said = (
        StreamOpen(0, bytes(32)),
        StreamOpened(0, 1),
        StreamRefused(0, "busy"),
        StreamData(0, b"octets"),
        StreamWindow(0, STREAM_WINDOW_BYTES),
        StreamEnd(0),
        StreamClose(0),
    )
    return [encode(each) for each in said]


def make_decoder() -> Reader:
    """Make a reader that decodes mutated octets as any kind of message.

    It also checks that a message which it accepts encodes to the same octets again.
    """
    game = played(0)
    kinds: list[tuple[UnionType, list[bytes]]] = [
        (ChannelMessage, _greetings()),
        (LinkMessage, _link_messages(game)),
        (StreamMessage, _stream_messages()),
        (RecordFrame, list(game.payloads)),
        (Payload, [encode(turn.body.payload) for turn in game.turns]),
        (Statement, [each.body for each in game.statements]),
        (JournalFrame, [*game.payloads[1:], encode(Doubt(is_over=False))]),
    ]

    def decoder(chance: Random) -> bool:
        union, samples = chance.choice(kinds)
        octets = mutated(chance, samples)
        try:
            message = decode_any(octets, union)
        except Malformed:
            return False
        if encode(message) != octets:
            raise Broken("a message was taken that has another encoding")
        return True

    return decoder


# ---- handshakes -----------------------------------------------------------------------------


_LIAR: Final = Identity(b"2" * 32)


def _server_hello(signed: bytes) -> ServerHello:
    return ServerHello(_LIAR.public, _LIAR.sign(SERVER_DOMAIN, signed), bytes(64), 0)


def _client_proof(signed: bytes) -> ClientProof:
    return ClientProof(_LIAR.public, _LIAR.sign(CLIENT_DOMAIN, signed), b"")


async def _lie(
    chance: Random, stream: ByteStream, samples: Sequence[bytes], *, is_server: bool
) -> None:
    """Act as the far end of a handshake and mutate sealed messages or octets on their way.

    In half of all cases it sends a valid proof of its key, so that the near end reads on.
    """
    preface = preface_of(PROTOCOL_VERSION)
    handshake = Handshake(prologue_of(PROTOCOL_VERSION), chance.randbytes, is_server=is_server)
    spoilt, is_honest = chance.randrange(4), chance.random() < 0.5
    sent = 0

    async def send(octets: bytes) -> None:
        nonlocal sent
        sent += 1
        if sent == spoilt:
            await stream.send_all(mutated(chance, [octets]))
            raise Disconnected("nobody waits for an answer to that")
        await stream.send_all(octets)

    async def show() -> None:
        began, bound = handshake.show_static()
        said = mutated(chance, samples)
        if is_honest:
            signed = bound + handshake.static
            said = encode(_server_hello(signed) if is_server else _client_proof(signed))
        await send(message_octets(began + handshake.finish(said)))

    messages = Messages(stream, HANDSHAKE_BYTES_MAX)
    try:
        if is_server:
            await messages.take(PREFACE_BYTES)
            handshake.hear_greeting(await messages.receive())
            await show()
            handshake.hear_static(await messages.receive())
        else:
            await send(preface + message_octets(handshake.greet()))
            handshake.hear_static(await messages.receive())
            await show()
        sealed = SealedStream(messages, handshake.split())
        for _ in range(3):
            await sealed.send_all(frame_octets(mutated(chance, samples)))
    except (NetgameError, trio.BrokenResourceError):
        return
    finally:
        stream.close()


def make_handshake() -> Reads:
    """Make a function that runs one end of a handshake while the far end may send anything."""
    ours = Identity(b"1" * 32)
    door = Door(anybody=True)
    samples = _greetings()

    async def handshake(chance: Random) -> bool:
        channel = Channel(ours, entropy=chance.randbytes)
        near, far = pair("fuzz")
        is_server = chance.random() < 0.5
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(_lie, chance, far, samples, is_server=not is_server))
            try:
                proving = channel.serve(near, door) if is_server else channel.prove(near)
                frames = (await proving).frames
                with suppress(NetgameError):
                    while True:
                        await frames.receive_frame()
            except NetgameError:
                return False
            finally:
                near.close()
        return True

    return handshake


def make_pake() -> Reader:
    """Make a reader of SPAKE2 messages, valid and mutated."""
    from netgame.io.door import pake
    from netgame.io.door.codes import parse_code

    parties = pake.Parties(b"c" * 32, b"s" * 32, bytes(64))
    code = parse_code("7-otter-violin")
    samples = [pake.begin("server", code, parties)[0] for _ in range(4)]

    def exchange(chance: Random) -> bool:
        message, finish = pake.begin("client", code, parties)
        answer = mutated(chance, [*samples, message])
        return is_taken(lambda said: finish(said, bytes(32)), answer)

    return exchange


# ---- proofs and entries ---------------------------------------------------------------------


def make_proofs() -> Reader:
    """Make a reader of every structure that is decoded into points and scalars."""
    from netgame.crypto import blanks, group, hand, handover, keys, masking, rebuild, shuffle

    game = played(0)
    deck = game.all_of(Deck)[0].deck
    shuffled = game.all_of(Proof)[0].proof
    shares = game.all_of(Shares)[0]
    claim = game.all_of(Pass)[0].claim
    tiles = len(deck) // 66
    points = deck[: 33 * 7]
    scalars = claim[66 : 66 + 32 * 4]
    held = (len(claim) - 66) // 32 - 1
    readers: list[tuple[Callable[[bytes], object], bytes]] = [
        (lambda octets: group.decode_points(octets, 1), points[:33]),
        (group.decode_scalar, scalars[:32]),
        (lambda octets: masking.decode_deck(octets, tiles), deck),
        (lambda octets: shuffle.decode_shuffle_proof(octets, tiles), shuffled),
        (lambda octets: group.decode_points(octets, len(shares.tokens) // 33), shares.tokens),
        (masking.decode_reveal_proof, shares.proof),
        (lambda octets: hand.decode_hand_proof(octets, held), claim),
        (keys.decode_key_opening, game.all_of(KeyOpen)[0].opening),
        (handover.decode_hand_over, points[: 33 * 5] + scalars[:64]),
        (lambda octets: blanks.decode_blinding(octets, 2), points[: 33 * 5] + shares.proof),
        (lambda octets: rebuild.decode_rebuild(octets, 2), points[: 33 * 4] + scalars * 2),
    ]

    def parsers(chance: Random) -> bool:
        decode, sample = chance.choice(readers)
        return is_taken(decode, mutated(chance, (sample,)))

    return parsers


def make_entries() -> Reader:
    """Make a judge of entries: it changes the body of an entry and signs it correctly.

    The log that judges the result is the one that the original entry was for.
    """
    from netgame.protocol.log.entry import ENTRY_DOMAIN
    from netgame.protocol.log.fault import Accepted

    turns = played(0).turns
    entropy = expand(bytes(32), "fuzz entries")

    def entries(chance: Random) -> bool:
        turn = chance.choice(turns)
        body = _changed_body(chance, turn.body)
        signature = turn.signer.sign(ENTRY_DOMAIN, body)
        judgement = turn.ledger.judge(SignedEntry(body, signature))
        if not isinstance(judgement, Accepted):
            return False
        return judgement.judging is None or judgement.judging.run(entropy) is None

    return entries


def make_statements() -> Reader:
    """Make a reader of correctly signed statements with changed contents.

    They are statements for the open poll of a log as it was at some entry of the game.
    """
    from lab.judged_logs import same_log
    from netgame.protocol.log.entry import read_statement, sign_statement
    from netgame.protocol.log.fault import Fault

    game = played(0)
    names = game.statement_names
    seen = [read_statement(each).statement for each in game.statements]

    def statements(chance: Random) -> bool:
        ledger = same_log(chance.choice(game.turns).ledger)
        taken, signers = False, set[bytes]()
        for _ in range(chance.randrange(1, 12)):
            bent = replace(chance.choice(seen), id=ledger.poll.id, poll=ledger.poll.number)
            for _ in range(chance.randrange(4)):
                bent = changed(chance, bent, [*names, *ledger.poll.said])
            signer = chance.choice(game.signers)
            try:
                said = sign_statement(signer, bent)
            except (Malformed, OverflowError):
                continue
            signers.add(signer.public_bytes)
            heard = ledger.hear(said)
            if isinstance(heard, Fault):  # of this statement, or of one that waited for it
                if heard.key not in signers:
                    raise Broken("a seat is convicted that has not signed this")
                continue
            ledger.decide()
            taken = True
        return taken

    return statements


def _changed_body(chance: Random, body: Body) -> bytes:
    """Return the body encoded, usually with one field changed, sometimes with octets mutated."""
    match chance.randrange(5):
        case 0:
            return mutated(chance, (encode(body),))
        case 1:
            return encode(changed(chance, body))
        case _:
            return encode(replace(body, payload=changed(chance, body.payload)))
