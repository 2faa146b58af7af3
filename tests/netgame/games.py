"""Finished games from which tests take entries and states.

Each is played at most once in each cryptographic group: the real one and the toy one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from lab.judged_logs import TrustingLedger
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_statement, sign_entry
from netgame.protocol.log.fault import Accepted, Fault
from netgame.protocol.notices import Notice
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.protocol.state.state import State
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode
from tests.netgame.shared_checks import once_a_group
from tests.netgame.simtable import SimTable, Sitter, Subject, full_table, kill, standard
from tests.netgame.small_games import is_its_turn

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")

_FRAMES = wire.RecordHeader | wire.RecordEntry | wire.RecordStatement | wire.Doubt


@once_a_group
def played(seats: int = 3, pip_max: int = 6, rounds: int = 2) -> SimTable:
    """Return a finished game between `seats` bots; callers must not change it."""
    table = full_table(NAMES[:seats], standard(pip_max, seats, rounds))
    table.run_game()
    return table


WIDE = wire.Settings(
    "wolf-lake",
    ("first=high-draw", "opening=simultaneous", "last-tile=tap", "tap-penalty=1"),
    6,
    3,
    2,
    2,
    ("draws=hidden", "audit=keys"),
)
"""Rules with a simultaneous opening, a penalty for an unannounced last tile, and a key audit."""
WIDE_SEED = bytes([18]) * 32
"""With this seed a game of `WIDE` in the toy group reaches every situation of its rules."""


@once_a_group
def played_widely() -> SimTable:
    """Return a finished game played by the rules of `WIDE`; callers must not change it."""
    table = full_table(NAMES[:3], WIDE, seed=WIDE_SEED)
    table.run_game()
    return table


@once_a_group
def played_without() -> SimTable:
    """Return a finished game of four; callers must not change it.

    One player's program is killed when that player is to move, and the others rebuild the deck.
    """
    settings = wire.Settings("standard", (), 6, 4, 1, 4, ("patience=minute",))
    table = full_table(NAMES[:4], settings, seed=bytes([1]) * 32)
    victim = table.sitters[3]
    table.run(lambda: is_its_turn(victim))
    kill(table, victim)
    table.run_game()
    return table


def entries_in(payloads: Iterable[bytes]) -> tuple[wire.SignedEntry, ...]:
    """Return the entries among the payloads of a record or a journal, in order."""
    frames = (decode_any(payload, _FRAMES) for payload in payloads)
    return tuple(frame.entry for frame in frames if isinstance(frame, wire.RecordEntry))


def entries_of(sitter: Sitter) -> tuple[wire.SignedEntry, ...]:
    """Return the entries in a sitter's record, in order."""
    return entries_in(sitter.record)


def statements_of(sitter: Sitter) -> tuple[wire.SignedStatement, ...]:
    """Return the statements in a sitter's record, in order."""
    frames = (decode_any(payload, _FRAMES) for payload in sitter.record)
    return tuple(frame.statement for frame in frames if isinstance(frame, wire.RecordStatement))


def ledgers_of(table: SimTable) -> Iterator[Ledger]:
    """Yield the ledger of a game while it is empty, and again after each entry or statement.

    It is the same ledger each time.
    """
    return ledgers_in(table.host.record)


def ledgers_in(record: Sequence[bytes], kind: type[Ledger] = TrustingLedger) -> Iterator[Ledger]:
    """Yield the ledger of a record while it is empty, and again after each entry or statement.

    It is the same ledger each time.
    """
    ledger = kind(decode(entries_in(record)[0].body, wire.Body).id)
    yield ledger
    for payload in record[1:]:
        frame = decode_any(payload, wire.RecordEntry | wire.RecordStatement)
        if isinstance(frame, wire.RecordStatement):
            assert not isinstance(ledger.hear(read_statement(frame.statement)), Fault)
            ledger.decide()
        else:
            judged = ledger.judge(frame.entry)
            assert isinstance(judged, Accepted)
            ledger.settle(judged.entry)
            ledger.decide()
        yield ledger


def states_of(table: SimTable) -> Iterator[State]:
    """Yield the state of a game before its first frame and after each frame."""
    return (ledger.state for ledger in ledgers_of(table))


def ledger_until(stop: Callable[[State], bool], table: SimTable | None = None) -> Ledger:
    """Return the ledger of a game as it is when `stop` is first true of its state.

    Without a `table`, take the game of `played()`.
    """
    return read_until(stop, table)[0]


def read_until(stop: Callable[[State], bool], table: SimTable | None = None) -> tuple[Ledger, int]:
    """Return the same ledger as `ledger_until`, and the number of frames that it has read.

    Raise AssertionError if `stop` is never true.
    """
    for number, ledger in enumerate(ledgers_of(table or played())):
        if stop(ledger.state):
            return ledger, number
    raise AssertionError("this game never came there")


def holder(table: SimTable, key: bytes) -> Sitter:
    """Return the sitter with this key."""
    return table.by_key[key]


def due_body(ledger: Ledger, seat: int, payload: wire.Payload, **changes: object) -> wire.Body:
    """Return the body that `seat` would sign for the due step, with the `changes` to its fields."""
    state = ledger.state
    body = wire.Body(state.log_id, state.step, state.head, seat, ledger.poll.number, payload)
    return replace(body, **changes)


def signed_at(
    ledger: Ledger,
    payload: wire.Payload,
    seat: int,
    *,
    by: int | None = None,
    game: SimTable | None = None,
    **changes: object,
) -> wire.SignedEntry:
    """Return an entry of `seat` for the due step, with the `changes` to the fields of its body.

    The key of seat `by` signs it, or the key of `seat` itself. `game` is the game of the log, by
    default `played()`.
    """
    state = ledger.state
    key = state.author_key(state.step, seat if by is None else by)
    signer = holder(game or played(), key).signer
    return sign_entry(signer, due_body(ledger, seat, payload, **changes))


class Driven(Subject):
    """One core without a network: the test acts as its shell and as all its peers."""

    def __init__(self, core: Core, now: float = 0.0) -> None:
        self.core = core
        self.now = now
        self.sent: list[tuple[bytes, wire.LinkMessage]] = []
        self.dropped: list[bytes] = []
        self.dialled: list[tuple[bytes, float]] = []
        self.told: list[Notice] = []
        self.record: list[bytes] = []
        self.journal: list[bytes] = []
        self.evidence: list[bytes] = []
        self.do(core.start(now))

    def do(self, effects: Iterable[fx.Effect]) -> None:
        """Note what the effects ask for, and run their work at once."""
        for effect in effects:
            match effect:
                case fx.Send(peer, frame):
                    self.sent.append((peer, decode_any(frame, wire.LinkMessage)))
                case fx.Work(job, run):
                    self.do(self.core.work_done(job, run(), self.now))
                case fx.Drop(peer):
                    self.dropped.append(peer)
                case fx.Dial(peer):
                    self.dialled.append((peer, self.now))
                case fx.Notify(notice):
                    self.told.append(notice)
                case fx.Journalled(record):
                    self.journal.append(record)
                case fx.Persist(record):
                    self.record.append(record)
                case fx.SaveEvidence(_, content):
                    self.evidence.append(content)

    def meet(self, peer: bytes, table: bytes) -> None:
        """Open a link to `peer`, which says hello for `table`."""
        self.do(self.core.link_up(peer, self.now))
        self.hear(peer, wire.Hello(table))

    def link(self, peer: bytes) -> None:
        """Open a link to `peer`, which says hello for this core's table."""
        self.meet(peer, self.state.table_id)

    def level(self, *peers: bytes) -> None:
        """Open links to `peers`, each of which reports that it is at this core's step."""
        for peer in peers:
            self.link(peer)
            self.hear_head(peer)

    def hear_head(self, peer: bytes) -> None:
        """Hear from `peer` that it is at this core's step, with the same head."""
        self.hear(peer, wire.Head(self.state.step, self.state.head, b"", 0))

    def unlink(self, peer: bytes) -> None:
        """Lose the link to `peer`."""
        self.do(self.core.link_down(peer, self.now))

    def hear(self, peer: bytes, message: wire.LinkMessage) -> None:
        """Receive a message from `peer`."""
        self.frame(peer, encode(message))

    def frame(self, peer: bytes, body: bytes) -> None:
        """Receive the octets of a frame from `peer`."""
        self.do(self.core.frame(peer, body, self.now))

    def read(self, peer: bytes, payloads: Iterable[bytes]) -> None:
        """Receive the entries and statements of a record from `peer`, frame by frame."""
        for payload in payloads:
            match decode_any(payload, _FRAMES):
                case wire.RecordEntry(signed):
                    self.hear(peer, wire.Pulled((signed,)))
                case wire.RecordStatement(statement):
                    self.hear(peer, wire.Statements((statement,)))

    def pass_time(self, seconds: float) -> None:
        """Let `seconds` pass, and wake the core."""
        self.now += seconds
        self.do(self.core.wake(self.now))

    def said(self, kind: type) -> list[wire.LinkMessage]:
        """Return all messages of one kind that the core has sent, to any peer."""
        return [message for _, message in self.sent if isinstance(message, kind)]


def driven(
    frames: int, who: int = 0, table: SimTable | None = None, journal: Sequence[bytes] = ()
) -> Driven:
    """Return a driven core of sitter `who` of a finished game, restored from part of its record.

    That part is the header and the first `frames` frames. Without a `table`, take the game of
    `played()`.
    """
    sitter = (table or played()).sitters[who]
    core = Core(
        sitter.signer, sitter.name, expand(bytes(32), "driven", frames), sitter.secret, ()
    ).restore(sitter.record[: frames + 1], 0.0, journal)
    return Driven(core)


def in_turn(table: SimTable) -> Driven:
    """Return Ann's core, restored at a point of a finished game at which she is to move."""
    return next(
        one
        for frames in range(20, 110)
        if (one := driven(frames, 0, table)).state.phase is Phase.PLAY
        and one.seat in due(one.state).authors
    )
