"""The parts that read octets as they come: frames, messages, handshakes, proofs, entries."""

from collections.abc import Callable, Sequence
from random import Random
from types import UnionType
from typing import Final

from msgspec.structs import replace

from lab.fuzzing.changed_values import changed
from lab.fuzzing.mutation import mutated
from lab.fuzzing.part import Broken, Reader, Reads, is_taken
from lab.fuzzing.record_games import RecordGame, played
from netgame.crypto.transcript import expand
from netgame.errors import Disconnected, Malformed, NetgameError
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import (
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
    Verdict,
)
from netgame.wire.statements import Statement

_FRAME_SAMPLE_BYTES: Final = 1_500


# ---- frames ---------------------------------------------------------------------------------


class _Pieces:
    """Octets that arrive in pieces; stands for a stream of which nothing else is wanted."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = list(reversed(pieces))

    async def receive_some(self, max_bytes: int) -> bytes:
        """Return the next piece, or none at the end."""
        piece = self._pieces.pop() if self._pieces else b""
        if len(piece) > max_bytes:
            self._pieces.append(piece[max_bytes:])
        return piece[:max_bytes]


def make_deframer() -> Reads:
    """Frames, whole and spoilt, in pieces of any size."""
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
        JoinAnswer("full", "No seat."),
        Head(57, bytes(64), b"\x07", 2), Pull(5, b"", 1),
        Pulled((entry,)), Entries((entry, entry)), Evidence((entry,)),
        Statements(said), Evidence((), said[:2]), Evidence((entry,), said[:1]),
        Chat("hello"), Missed(bytes(64), b"\x05", b"\x01"), Ping(), Pong(),
        InTouch(bytes(64), b"\x05", ((2, b"\x01"),)),
    )  # fmt: skip
    return [*map(encode, messages), *(encode(turn.body) for turn in game.turns)]


def _greetings() -> list[bytes]:
    said = (
        ServerHello(1, bytes(32), bytes(64), 7),
        ClientProof(1, bytes(32), bytes(64), b""),
        ClientProof(1, bytes(32), bytes(64), bytes(33)),
        CodeAnswer(bytes(33)),
        CodeProof(bytes(32)),
        Verdict("ok", ""),
    )
    return [encode(each) for each in said]


def make_decoder() -> Reader:
    """Any octets as any kind of message; what is taken has one encoding only."""
    game = played(0)
    kinds: list[tuple[UnionType, list[bytes]]] = [
        (ChannelMessage, _greetings()),
        (LinkMessage, _link_messages(game)),
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


class _Frames:
    """The far end's frames, mutated; stands for a framed stream after TLS."""

    def __init__(self, bodies: Sequence[bytes]) -> None:
        self._bodies = list(reversed(bodies))

    async def receive_frame(self) -> bytes:
        """Return the next frame, or the end of the link."""
        if not self._bodies:
            raise Disconnected("the other side closed the link")
        return self._bodies.pop()

    async def send_frame(self, body: bytes) -> None:
        """Drop the frame: nobody listens."""

    def trust(self) -> None:
        """Do nothing."""


def make_handshake() -> Reads:
    """Both ends of a handshake against a far end that says anything."""
    from netgame.io.disk.identity import Identity
    from netgame.io.door.admission import Door
    from netgame.io.door.channel import Channel
    from netgame.io.door.first_contact import conclude
    from netgame.io.door.tls import server_context

    ours, theirs = Identity(b"1" * 32), Identity(b"2" * 32)
    _, certificate = server_context(ours)
    channel = Channel(ours)
    door = Door(anybody=True)
    samples = _greetings()

    async def handshake(chance: Random) -> bool:
        frames = _Frames([mutated(chance, samples) for _ in range(4)])
        try:
            if chance.random() < 0.5:
                await channel.question(frames, certificate, door, "fuzz")  # type: ignore[arg-type]
            else:
                await channel.introduce(frames, theirs.public, certificate, None)  # type: ignore[arg-type]
                await conclude(frames, None)  # type: ignore[arg-type]
        except NetgameError:
            return False
        return True

    return handshake


def make_pake() -> Reader:
    """A message of SPAKE2: a point, or nothing."""
    from netgame.io.door import pake
    from netgame.io.door.codes import parse_code

    parties = pake.Parties(b"c" * 32, b"s" * 32, b"certificate", bytes(32), bytes(64))
    code = parse_code("7-otter-violin")
    samples = [pake.begin("server", code, parties)[0] for _ in range(4)]

    def exchange(chance: Random) -> bool:
        message, finish = pake.begin("client", code, parties)
        return is_taken(finish, mutated(chance, [*samples, message]))

    return exchange


# ---- proofs and entries ---------------------------------------------------------------------


def make_proofs() -> Reader:
    """Everything that points and scalars are decoded from."""
    from netgame.crypto import blanks, group, hand, handover, keys, masking, rebuild, shuffle

    game = played(0)
    deck = game.all_of(Deck)[0].deck
    shuffled = game.all_of(Proof)[0].proof
    shares = game.all_of(Shares)[0]
    claim = game.all_of(Pass)[0].proof
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
    """Entries with a good signature over anything at all, judged where they would stand."""
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
    """Statements with a good signature over anything at all, heard by a log in any of its polls."""
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
            if isinstance(heard, Fault):  # of this, or of what has waited for this
                if heard.key not in signers:
                    raise Broken("a seat is convicted that has not signed this")
                continue
            ledger.decide()
            taken = True
        return taken

    return statements


def _changed_body(chance: Random, body: Body) -> bytes:
    """Change fields one by one, so that the rest stays what it was; seldom all octets at once."""
    match chance.randrange(5):
        case 0:
            return mutated(chance, (encode(body),))
        case 1:
            return encode(changed(chance, body))
        case _:
            return encode(replace(body, payload=changed(chance, body.payload)))
