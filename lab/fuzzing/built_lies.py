"""Continuations of a game that conspiring seats sign correctly, with some lies among them."""

from dataclasses import dataclass, field
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

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
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.state.deck import Deal, RoundDeck
from netgame.protocol.state.phases import CoinFallen, Phase, Playing
from netgame.protocol.state.state import State
from netgame.protocol.state.turn import hand_statement
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
"""The number of further entries to sign, at the most."""

_POLL: Final = 0.03
"""The chance, before each entry, that all seats hold a poll without a reason."""

_TIMES_LIED: Final = (1, 1, 1, 2, 3, 8)


class _Partner(Author):
    """An author whose round key is a multiple of a partner's: with -1 the two keys cancel."""

    partner: Author
    times: int

    def round_secret(self, state: State, made: Deal | RoundDeck) -> RoundSecret:
        """Return the partner's secret, multiplied by `times`."""
        own = super().round_secret(state, made)
        theirs = self.partner.round_secret(state, made)
        return RoundSecret(theirs.x * self.times % Q, own.rand)

    def has_lost_secret(self, state: State) -> bool:
        """Return False, although the key in the log is not the author's own."""
        return False


@dataclass(slots=True)
class Plot:
    """The entries and statements that the seats sign together."""

    chance: Random
    game: RecordGame
    seats: Conspiracy
    honest: bytes | None
    """The key of the one seat that never lies, or None if there is none."""
    accusation: EvidenceFrame | None = None
    """The accusing frame at the end, if there is one."""
    liars: set[bytes] = field(default_factory=set)
    """The keys of the seats that have lied."""
    crash: str = ""
    """The exception that ended the plot, or empty."""

    @property
    def frames(self) -> list[SignedEntry | SignedStatement]:
        """Everything that was signed, in order."""
        return self.seats.frames

    def share_keys(self) -> None:
        """Derive the round keys of some seats from the first seat's."""
        first, *others = self.seats.authors.values()
        for author in others:
            if self.chance.random() < 0.6:
                self.liars.add(author.key)
                author.__class__ = _Partner
                author.partner = first  # type: ignore[attr-defined]
                author.times = self.chance.choice((1, -1, -1, 2, -2, Q - 2))  # type: ignore[attr-defined]

    def go_on(self) -> None:
        """Sign entries and hold polls, up to a random number, until one fails or the game is over.

        Raises `HonestCrash` if an honest program would crash on what is signed.
        """
        chance, seats = self.chance, self.seats
        lies = chance.choice(_TIMES_LIED)
        left = chance.choice(_ENTRIES_ON)
        calm = chance.choice((0, 0, 1, 4, 12))
        for number in range(left):
            if seats.state.phase is Phase.OVER:
                return
            lie = lies > 0 and number >= calm and chance.random() < 0.5
            lies -= lie
            has_poll = isinstance(seats.state.now, CoinFallen) or chance.random() < _POLL
            if not (self._poll(lie=lie) if has_poll else self._entry(lie=lie)):
                return

    def _entry(self, *, lie: bool) -> bool:
        """Sign one more entry. Return True if the plot goes on after it."""
        chance, seats = self.chance, self.seats
        seat = chance.choice(seats.waiting() or [0])
        key = seats.state.author_key(seats.state.step, seat)
        try:
            owed = seats.owed(seat)
        except HonestCrash:
            if isinstance(seats.author_of(seat), _Partner):
                return False  # its key in the log is not its own, so no honest program crashed
            raise
        if lie and key not in (self.honest, None):
            self.liars.add(key)
            signed = self._lie(seat, owed)
        else:
            signed, lie = seats.signed(seat, owed) if owed is not None else None, False
        if signed is None:
            return self._from_record()
        return seats.say(signed) or (lie and chance.random() < 0.3)

    def _from_record(self) -> bool:
        """In a lobby, where nobody owes an entry, add the record's next one.

        Return True if the log accepts it. Return False outside a lobby, or if the record has no
        further entry.
        """
        if self.seats.state.phase is not Phase.LOBBY:
            return False
        at = sum(map(len, self.seats.ledger.steps))
        entries = self.game.entries()
        return at < len(entries) and self.seats.say(entries[at])

    def _poll(self, *, lie: bool) -> bool:
        """Hold a poll on who goes on. Return True if it decides.

        If `lie`, some of the statements in it may be false. After a poll that fails, the promises
        made in it bind the seats, and they sign nothing more.
        """
        chance, keys = self.chance, self.seats.state.company.now.keys
        honest = self.honest if lie else None
        liars = [n for n, key in enumerate(keys) if key != honest and key in self.game.parties]
        names = {n: chance.getrandbits(len(keys) + 1) for n in liars if chance.random() < 0.3}

        def bend(seat: int, statement: Statement) -> Statement:
            if seat not in liars or chance.random() < 0.5:
                return statement
            bent = changed(chance, statement, self.game.statement_names)
            if bent != statement:
                self.liars.add(keys[seat])
            return bent

        return self.seats.agree(names, bend if lie else None)

    def accuse(self) -> None:
        """Make an accusation from the last frames, and usually remove those frames."""
        chance, count = self.chance, self.chance.choice((1, 1, 2, 3, 8, 20))
        last = self.frames[-count:]
        entries = tuple(each for each in last if isinstance(each, SignedEntry))[-2:]
        said = tuple(each for each in last if isinstance(each, SignedStatement))
        if chance.random() < 0.7:
            del self.frames[-count:]
        self.accusation = EvidenceFrame(chance.choice(_CHECKS), entries, said)

    # ---- lies -----------------------------------------------------------------------------

    def _lie(self, seat: int, owed: Payload | None) -> SignedEntry | None:
        """Return an entry that this seat signs but should not sign now; None if there is none."""
        chance, payload = self.chance, owed
        way = chance.choice(("field", "field", "field", "older", "denial", "body"))
        if way == "body":
            return self.seats.signed(seat, owed or Close(), self._elsewhere)
        if isinstance(owed, Deck) and chance.random() < 0.6:
            payload = Deck(owed.round, _stacked(chance, owed.deck))
        elif way == "denial":
            payload = _denial(self.seats, seat)
        elif way == "older" or owed is None:
            payload = self._older(owed)
        else:
            payload = _field(chance, owed)
        return None if payload is None else self.seats.signed(seat, payload)

    def _elsewhere(self, body: Body) -> Body:
        """Return a body with the same payload and a wrong step, log, poll, head or seat.

        It may also come out unchanged.
        """
        ids = bytes(64), self.seats.state.table_id
        return replace(changed(self.chance, body, ids), payload=body.payload)

    def _older(self, owed: Payload | None) -> Payload | None:
        """Return a payload from elsewhere in the game, if possible of the same kind.

        Sometimes it is changed as well; return None if the result does not decode.
        """
        entries = self.chance.sample(self.game.entries(), 12)
        said = [decode(each.body, Body).payload for each in entries]
        payload = self.chance.choice([e for e in said if type(e) is type(owed)] or said)
        return _field(self.chance, payload) if self.chance.random() < 0.3 else payload


def conspire(chance: Random, game: RecordGame, at: int) -> Plot:
    """Have all seats, or all but one, continue from just before frame `at`, with some lies.

    Return their plot, with everything that they signed.
    """
    ledger = same_log(game.readings[at].ledger, trusting=True)
    entropy = expand(bytes(32), "conspiracy", chance.getrandbits(60))
    seats = Conspiracy(ledger, game.parties, entropy, chance.randrange)
    plot = Plot(chance, game, seats, chance.choice([None, *game.parties]))
    if chance.random() < 0.15:
        plot.share_keys()
    try:
        plot.go_on()
    except HonestCrash as crash:
        plot.crash = str(crash)
    if chance.random() < 0.4 and plot.frames:
        plot.accuse()
    return plot


def _stacked(chance: Random, deck: bytes) -> bytes:
    """Return a deck that no honest mix makes: the tiles' second points shifted, or a tile twice."""
    size = 2 * POINT_BYTES
    tiles = [deck[at : at + size] for at in range(0, len(deck), size)]
    if chance.random() < 0.3:
        return b"".join((tiles[0], *tiles[:-1]))
    moved = (*tiles[1:], tiles[0])
    return b"".join(a[:POINT_BYTES] + b[POINT_BYTES:] for a, b in zip(tiles, moved, strict=True))


def _denial(seats: Conspiracy, seat: int) -> Payload | None:
    """Return a draw or pass with a proof that a tile is not held, whether it is held or not.

    Return None outside the toy group, while no round is in play, for a seat that no conspirator
    plays, or if there is no tile to deny.
    """
    state, author = seats.state, seats.author_of(seat)
    if not isinstance(state.now, Playing) or author is None:
        return None
    round_ = state.now.round
    for move, kind in ((DrawTile(Seat(seat)), "draw"), (PassTurn(Seat(seat)), "pass")):
        statement = hand_statement(state, round_, move, kind)
        if statement is None or not statement.tiles:
            continue
        tile = statement.tiles[0]
        x = author.round_secret(state, round_.deck).x
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
    """Return the payload with one field or a few octets changed, or None if it does not decode."""
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
