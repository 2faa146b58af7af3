"""Valid inputs to begin from: a small game that peers have played, and what people type."""

import copy
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple, TypeVar

from lab.judged_logs import TrustingLedger
from lab.simulation.computers.records import signed_in
from lab.simulation.computers.small_tables import small
from netgame.crypto.signing import SigningKey, make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_frames, read_statement
from netgame.protocol.log.fault import Accepted
from netgame.wire.codec import decode, decode_any
from netgame.wire.messages import (
    Body,
    OpenTable,
    RecordEntry,
    RecordFrame,
    RecordStatement,
    SignedStatement,
)

T = TypeVar("T")

_LIMIT_S: Final = 3_600.0

GAMES: Final = (
    "rules: standard\nset: 9\nseats: A B\nfirst: A\nengine: 9-9\nhand A: 9-4 9-1 0-0\n"
    "A 4-9 A\n! B 1-4 B : end-mismatch\nB 1-9 B\n",
    "rules: walnut\nset: 12\nseats: Ann Ben Cy\nengine: 12-12\nAnn draw\nAnn pass\nBen 12-3 Ben\n",
    "rules: standard\nwith: blanks=25-50\nset: 6\nseats: A B\nfirst: B\n# a remark\nB 6-5 B\n",
    "set: 6\nseats: A B C\nhand A: 6-1 1-2\nboneyard: none\nA 6-1 A\nB leaves with C\n\n"
    "joins: D B\nleaves: D\nhand A: 5-1\nB 5-2 B\nA 5-1 A\n? total: B=3\n",
    "with: engine=holder\nset: 6\nseats: A B C\nleaves: A\nB none\nC leaves redeal\n? winner: B\n",
)

LINES: Final = (
    "play 9-4 ben", "p 94 ben", "9 4 b", "9|4", "5-5", "1", "9-6 m", "why 9-4 ben", "score",
    "board", "hand sort", "say hello", "help play", "draw", "pass", "tap", "catch Ann", "hub 9-9",
    "discard 3-4", "pull 3", "play 9-7 7-5 5-5", "bullet 9-7 7-5", "rules blanks", "quit", "",
    "[3-4] ann", "done", "silent", "look", "start",
)  # fmt: skip

NAMES: Final = (
    "Ann", "Zoë", "名前", "a b  c", "é́́́", "\u202egpj.exe", "x" * 70, "Ann\x1b]0;title\x07", "👩‍👩‍👧",
    "",
    "2-otter", "mexican", "ǅ", "\u1100\u1161\u11a8",
)  # fmt: skip

WRITTEN: Final = (
    *NAMES, "\U0001f600", "A\U0001f469\u200d\U0001f467 z", "\U00010348", "e\u0301\u0301\u0301",
    "\ud83d", "\udcff", "\ud83d\ude00", 'a"b\\c', "\u2028", "\x7f\x85", "\ufeff", "[[peer]]",
)  # fmt: skip
"""Text beyond U+FFFF, accents, and halves of characters, for every field that is written."""

TABLE_FILES: Final = (
    'rules = "walnut"\nset = 9\nseats = 4\nrounds = 3\ndeal = 7\nname = "Sunday"\n'
    '[with]\nblanks = "25-50"\n',
    'rules = "standard"\n# nothing else\n',
    'rules = "roundhouse"\n[with]\nlast-tile = "tap"\n',
)


class TurnSample(NamedTuple):
    """One entry of the game: the log before it, who signs it, and its body."""

    ledger: Ledger
    signer: SigningKey
    body: Body


class PlayedSample(NamedTuple):
    """A whole game with the real group: its record, the record's frames, and every entry."""

    record: bytes
    payloads: tuple[bytes, ...]
    turns: tuple[TurnSample, ...]
    signers: tuple[SigningKey, ...]

    @property
    def statements(self) -> tuple[SignedStatement, ...]:
        """What was signed at the coin, as it stands in the record."""
        return tuple(s for s in signed_in(self.payloads) if isinstance(s, SignedStatement))

    def all_of(self, kind: type[T]) -> tuple[T, ...]:
        """Return every payload of one kind."""
        found = (turn.body.payload for turn in self.turns)
        return tuple(payload for payload in found if isinstance(payload, kind))


@cache
def played() -> PlayedSample:
    """Play two seats of double-six, the same game each time, and take it apart."""
    from lab.simulation.mishaps.faults import quiet_world

    world = quiet_world(1, small(2, 3))
    world.run_game(_LIMIT_S)
    record = world.processes[0].records.left_behind()
    makers = (make_signing_key(world.secret("identity", number)) for number in range(2))
    signers = {maker.public_bytes: maker for maker in makers}
    payloads, _ = read_frames(record)
    turns = tuple(_turns(payloads, signers))
    return PlayedSample(record, payloads, turns, tuple(signers.values()))


def _turns(payloads: tuple[bytes, ...], signers: dict[bytes, SigningKey]) -> Iterator[TurnSample]:
    entropy = expand(bytes(32), "fuzz")
    ledger = Ledger(b"")
    for payload in payloads[1:]:
        frame = decode_any(payload, RecordFrame)
        if isinstance(frame, RecordStatement):
            ledger.hear(read_statement(frame.statement))
            ledger.decide()
            continue
        assert isinstance(frame, RecordEntry)
        body = decode(frame.entry.body, Body)
        ledger = ledger if ledger.state.table_id else TrustingLedger(body.id)
        before = copy.deepcopy(ledger)
        judgement = ledger.judge(frame.entry)
        assert isinstance(judgement, Accepted)
        if judgement.judging is not None:
            assert judgement.judging.run(entropy) is None
        ledger.settle(judgement.entry)
        key = ledger.state.author_key(body.step, body.seat) or _opener(body)
        yield TurnSample(before, signers[key], body)


def _opener(body: Body) -> bytes:
    """Return the key that opens a table; no state knows it before."""
    assert isinstance(body.payload, OpenTable)
    return body.payload.host
