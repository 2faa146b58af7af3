"""What seats that conspire sign: whole continuations of a game, true but for their lies."""

from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec

from engine.table.moves import DrawTile
from engine.table.moves import Pass as PassTurn
from engine.table.trains import Seat
from lab.fuzzing.changed_values import POINT_BYTES, changed
from lab.fuzzing.mutation import mutated
from lab.fuzzing.record_games import RecordGame
from lab.judged_logs import same_log
from lab.simulation.cheats.conspiracy import Conspiracy, HonestCrash
from lab.simulation.computers.toys import toy_number
from netgame.crypto import group
from netgame.crypto.group import Q
from netgame.crypto.hand import prove_hand
from netgame.crypto.keys import RoundSecret
from netgame.crypto.masking import reveal_token, tile_point, unmask
from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.protocol.fold.deck import Deal, RoundDeck
from netgame.protocol.fold.phases import CoinFallen, Phase, Playing
from netgame.protocol.fold.state import State
from netgame.protocol.fold.turn import hand_statement
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.secrets.author import Author
from netgame.wire.codec import decode, encode
from netgame.wire.messages import (
    Body,
    Close,
    Deck,
    Draw,
    EvidenceFrame,
    Pass,
    Payload,
    SignedEntry,
    SignedStatement,
)
from netgame.wire.statements import Statement

_CHECKS: Final = tuple(each.value for each in CheckCode)
_ENTRIES_ON: Final = (1, 2, 4, 12, 30, 90, 250)
"""How many entries more are signed, at the most."""

_POLL: Final = 0.03
"""How often all decide on who goes on, out of the blue."""

_TIMES_LIED: Final = (1, 1, 1, 2, 3, 8)


@dataclass(slots=True)
class Built:
    """What was signed, the frame that accuses, who lied, and what broke on the way."""

    frames: list[SignedEntry | SignedStatement]
    accusation: EvidenceFrame | None
    liars: set[bytes]
    crash: str


class _Partner(Author):
    """Has the round key of a partner, or what adds up with it to nothing."""

    partner: Author
    times: int

    def round_secret(self, state: State, made: Deal | RoundDeck) -> RoundSecret:
        """The partner's secret, so many times."""
        own = super().round_secret(state, made)
        theirs = self.partner.round_secret(state, made)
        return RoundSecret(theirs.x * self.times % Q, own.rand)

    def has_lost_secret(self, state: State) -> bool:
        """It knows what it does."""
        return False


def conspire(chance: Random, game: RecordGame, at: int) -> Built:
    """Have all seats, or all but one, go on from before frame `at` with some lies between."""
    ledger = same_log(game.readings[at].ledger, trusting=True)
    entropy = expand(bytes(32), "conspiracy", chance.getrandbits(60))
    seats = Conspiracy(ledger, game.parties, entropy, chance.randrange)
    honest = chance.choice([None, *game.parties])
    built = Built(seats.frames, None, set(), "")
    if chance.random() < 0.15:
        _share_keys(chance, seats, built.liars)
    lies, left = chance.choice(_TIMES_LIED), chance.choice(_ENTRIES_ON)
    calm = chance.choice((0, 0, 1, 4, 12))
    while left > 0 and seats.state.phase is not Phase.OVER:
        left, calm = left - 1, calm - 1
        lie = lies > 0 and calm < 0 and chance.random() < 0.5
        lies -= lie
        try:
            if not _one(chance, game, seats, built, honest if lie else None, lie=lie):
                break
        except HonestCrash as crash:
            built.crash = str(crash)
            break
    if chance.random() < 0.4 and built.frames:
        _accuse(chance, built)
    return built


def _share_keys(chance: Random, seats: Conspiracy, liars: set[bytes]) -> None:
    """Some seats' round keys follow from those of others."""
    first, *others = seats.authors.values()
    for author in others:
        if chance.random() < 0.6:
            liars.add(author.key)
            author.__class__ = _Partner
            author.partner = first  # type: ignore[attr-defined]
            author.times = chance.choice((1, -1, -1, 2, -2, Q - 2))  # type: ignore[attr-defined]


def _one(
    chance: Random,
    game: RecordGame,
    seats: Conspiracy,
    built: Built,
    honest: bytes | None,
    *,
    lie: bool,
) -> bool:
    """One more entry; whether the log goes on behind it."""
    if isinstance(seats.state.now, CoinFallen) or chance.random() < _POLL:
        return _poll(chance, game, seats, built, honest, lie=lie)
    waiting = seats.waiting() or [0]
    seat = chance.choice(waiting)
    key = seats.state.author_key(seats.state.step, seat)
    try:
        owed = seats.owed(seat)
    except HonestCrash:
        if isinstance(seats.author_of(seat), _Partner):
            return False  # its secret is not the one that stands in the log: no honest seat's
        raise
    if not lie or key == honest or key is None:
        signed = seats.signed(seat, owed) if owed is not None else None
        lie = False
    else:
        signed = _lie(chance, game, seats, seat, owed)
        built.liars.add(key)
    if signed is None:
        return _from_record(game, seats)
    taken = seats.say(signed)
    return taken or (lie and chance.random() < 0.3)


def _from_record(game: RecordGame, seats: Conspiracy) -> bool:
    """In the lobby nobody owes anything: go on as the record does, while it fits."""
    if seats.state.phase is not Phase.LOBBY:
        return False
    at = sum(map(len, seats.ledger.steps))
    entries = game.entries()
    return at < len(entries) and seats.say(entries[at])


def _poll(
    chance: Random,
    game: RecordGame,
    seats: Conspiracy,
    built: Built,
    honest: bytes | None,
    *,
    lie: bool,
) -> bool:
    """All decide who goes on, with some lies between; whether they come to anything.

    Who is bound by a promise in a poll that comes to nothing signs nothing more.
    """
    keys = seats.state.company.now.keys
    liars = [seat for seat, key in enumerate(keys) if key != honest and key in game.parties]
    without = {seat: chance.getrandbits(len(keys) + 1) for seat in liars if chance.random() < 0.3}

    def bend(seat: int, statement: Statement) -> Statement:
        if seat not in liars or chance.random() < 0.5:
            return statement
        bent = changed(chance, statement, game.statement_names)
        if bent != statement:
            built.liars.add(keys[seat])
        return bent

    return seats.agree(without, bend if lie else None)


def _accuse(chance: Random, built: Built) -> None:
    """Turn what was signed last into evidence."""
    count = chance.choice((1, 1, 2, 3, 8, 20))
    last = built.frames[-count:]
    entries = tuple(each for each in last if isinstance(each, SignedEntry))[-2:]
    said = tuple(each for each in last if isinstance(each, SignedStatement))
    if chance.random() < 0.7:
        del built.frames[-count:]
    built.accusation = EvidenceFrame(chance.choice(_CHECKS), entries, b"", b"", b"", said)


# ---- lies -----------------------------------------------------------------------------------


def _lie(
    chance: Random, game: RecordGame, seats: Conspiracy, seat: int, owed: Payload | None
) -> SignedEntry | None:
    """Something that this seat should not sign now, signed by it."""
    way = chance.choice(("field", "field", "field", "older", "denial", "body"))
    if way == "body":
        return seats.signed(seat, owed or Close(), **_other_place(chance, seats))
    payload: Payload | None
    if isinstance(owed, Deck) and chance.random() < 0.6:
        payload = Deck(owed.round, _stacked(chance, owed.deck))
    elif way == "denial":
        payload = _denial(seats, seat)
    elif way == "older" or owed is None:
        payload = _older(chance, game, owed)
    else:
        payload = _field(chance, owed)
    return None if payload is None else seats.signed(seat, payload)


def _stacked(chance: Random, deck: bytes) -> bytes:
    """Second halves on other first halves, or one tile twice: a deck that nobody can have mixed."""
    size = 2 * POINT_BYTES
    tiles = [deck[at : at + size] for at in range(0, len(deck), size)]
    if chance.random() < 0.3:
        return b"".join((tiles[0], *tiles[:-1]))
    moved = (*tiles[1:], tiles[0])
    return b"".join(a[:POINT_BYTES] + b[POINT_BYTES:] for a, b in zip(tiles, moved, strict=True))


def _other_place(chance: Random, seats: Conspiracy) -> dict[str, Any]:
    state = seats.state
    return chance.choice((
        {"step": state.step + chance.choice((-2, -1, 1, 2)) if state.step > 1 else 1},
        {"prev": bytes(64)},
        {"prev": chance.randbytes(64)},
        {"id": state.table_id},
        {"id": bytes(64)},
        {"poll": seats.ledger.poll.number + chance.choice((1, 2, 9))},
    ))  # fmt: skip


def _older(chance: Random, game: RecordGame, owed: Payload | None) -> Payload | None:
    """What somebody has said before or will say, of the same kind oftenest."""
    entries = chance.sample(game.entries(), 12)
    said = [decode(each.body, Body).payload for each in entries]
    same = [each for each in said if type(each) is type(owed)]
    payload = chance.choice(same or said)
    return _field(chance, payload) if chance.random() < 0.3 else payload


def _denial(seats: Conspiracy, seat: int) -> Payload | None:
    """A draw or a pass whatever is held, with a proof that only the toy group allows."""
    state, author = seats.state, seats.author_of(seat)
    if not isinstance(state.now, Playing) or author is None:
        return None
    round_ = state.now.round
    for move, kind in ((DrawTile(Seat(seat)), "draw"), (PassTurn(Seat(seat)), "pass")):
        statement = hand_statement(state, round_, move, kind)
        if statement is None or not statement.tiles:
            continue
        tile, x = statement.tiles[0], author.round_secret(state, round_.deck).x
        points = (unmask(each, reveal_token(x, each.A)) for each in statement.residuals)
        try:
            wanted = sum(toy_number(point) for point in points if point is not None)
            times = wanted * pow(toy_number(tile_point(tile)), -1, Q) % Q
        except ValueError:  # a real point
            return None
        proof = group.encode(prove_hand(statement, x, {tile: times}, seats.entropy))
        return Draw(proof) if kind == "draw" else Pass(proof)
    return None


def _field(chance: Random, payload: Payload) -> Payload | None:
    """The same with one field, or a few octets, changed, that still is an entry of some kind."""
    if chance.random() < 0.3:
        return _decoded(mutated(chance, (encode(payload),)))
    return _decoded(encode(changed(chance, payload)))


def _decoded(octets: bytes) -> Payload | None:
    try:
        found: Payload = msgspec.msgpack.decode(octets, type=Payload)
        decode(encode(found), type(found))
    except (msgspec.MsgspecError, UnicodeDecodeError, Malformed):
        return None
    return found
